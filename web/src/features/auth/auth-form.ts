import { plural, t } from '@lingui/core/macro'
import { useRef } from 'react'
import { ApiError, errorMessage } from '@/lib/errors'

/** How long after a failed submission the submit button is enabled again and its errors are rendered. */
const renderDelayMs = 50

/**
 * Returns a submit handler that ignores further submissions while one is pending. `submit` reports its own errors.
 * After a failure, the focus that the disabled button lost returns to it, unless an invalid field has the focus.
 */
export function useSubmitOnce<Values>(submit: (values: Values) => Promise<unknown>) {
  const isPending = useRef(false)
  return async (values: Values): Promise<void> => {
    if (isPending.current) return
    isPending.current = true
    const focusedElement = document.activeElement
    try {
      await submit(values)
    } catch {
      setTimeout(() => {
        if (focusedElement instanceof HTMLElement && document.activeElement === document.body) {
          focusedElement.focus()
        }
      }, renderDelayMs)
    } finally {
      isPending.current = false
    }
  }
}

/** Returns the server's error message, with the time to wait if the server sent one, or `fallback`. */
export function authErrorText(error: unknown, fallback: string): string {
  const text = errorMessage(error, fallback)
  const retryAfterSeconds = error instanceof ApiError ? error.retryAfter : undefined
  return retryAfterSeconds ? `${text} ${waitText(retryAfterSeconds)}` : text
}

function waitText(retryAfterSeconds: number): string {
  const seconds = Math.ceil(retryAfterSeconds)
  const minutes = Math.ceil(retryAfterSeconds / 60)
  const hours = Math.ceil(retryAfterSeconds / 3600)
  if (retryAfterSeconds < 60) {
    return t`${plural(seconds, {
      one: 'You can try again in # second.',
      other: 'You can try again in # seconds.',
    })}`
  }
  if (retryAfterSeconds < 3600) {
    return t`${plural(minutes, {
      one: 'You can try again in # minute.',
      other: 'You can try again in # minutes.',
    })}`
  }
  return t`${plural(hours, {
    one: 'You can try again in # hour.',
    other: 'You can try again in # hours.',
  })}`
}
