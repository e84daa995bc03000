import { useRef } from 'react'
import type { FieldPath, FieldValues, UseFormSetError } from 'react-hook-form'
import { ApiError, errorMessage } from '@/lib/api'

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

/** Shows the server's errors next to their fields and focuses the first of these fields. */
export function showFieldErrors<Form extends FieldValues>(
  error: unknown,
  fields: readonly FieldPath<Form>[],
  setError: UseFormSetError<Form>,
): void {
  if (!(error instanceof ApiError)) return
  let shouldFocus = true
  for (const field of fields) {
    const message = error.errors[field]?.[0]
    if (!message) continue
    setError(field, { type: 'server', message }, { shouldFocus })
    shouldFocus = false
  }
}

/** Returns the server's error message, with the time to wait if the server sent one, or `fallback`. */
export function authErrorText(error: unknown, fallback: string): string {
  const text = errorMessage(error, fallback)
  const retryAfterSeconds = error instanceof ApiError ? error.retryAfter : undefined
  return retryAfterSeconds ? `${text} You can try again in ${formatDuration(retryAfterSeconds)}.` : text
}

function formatDuration(seconds: number): string {
  if (seconds < 60) return formatUnit(Math.ceil(seconds), 'second')
  if (seconds < 3600) return formatUnit(Math.ceil(seconds / 60), 'minute')
  return formatUnit(Math.ceil(seconds / 3600), 'hour')
}

const formatUnit = (value: number, unit: string) => `${value} ${unit}${value === 1 ? '' : 's'}`
