import { i18n } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { useEffect, useRef } from 'react'
import type { FieldPath, FieldPathValue, FieldValues, UseFormReturn } from 'react-hook-form'
import { ApiError, errorMessage } from '@/lib/errors'
import { isFocusLost } from '@/ui/restore-focus'

/** Milliseconds that React needs after a failed submission to enable the submit button again and render the errors. */
const renderDelayMs = 50

/**
 * Returns a submit handler that ignores further submissions while one is pending. `submit` reports its own errors.
 * If the submit button lost focus because it was disabled, it regains focus after a failure, unless an invalid field
 * has focus by then.
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
        if (focusedElement instanceof HTMLElement && isFocusLost()) focusedElement.focus()
      }, renderDelayMs)
    } finally {
      isPending.current = false
    }
  }
}

/** What the user had typed when the language changed, until the form is remounted. */
let typedValues: Record<string, unknown> = {}

/**
 * Preserves what the user has typed across a change of language, which remounts the app.
 *
 * @param fields the fields to keep, never passwords. Must be a constant, because an effect depends on its identity.
 */
export function useKeepTypedValues<Form extends FieldValues>(
  { getValues, setValue }: Pick<UseFormReturn<Form>, 'getValues' | 'setValue'>,
  fields: readonly FieldPath<Form>[],
): void {
  useEffect(() => {
    for (const field of fields) {
      if (field in typedValues) setValue(field, typedValues[field] as FieldPathValue<Form, typeof field>)
    }
    typedValues = {}
    return i18n.on('change', () => {
      typedValues = Object.fromEntries(fields.map((field) => [field, getValues(field)]))
    })
  }, [getValues, setValue, fields])
}

/** Returns the server's error message, with the time to wait after too many attempts, or `fallback`. */
export function authErrorText(error: unknown, fallback: string): string {
  const text = errorMessage(error, fallback)
  const retryAfterSeconds = error instanceof ApiError && error.status === 429 ? error.retryAfter : undefined
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
