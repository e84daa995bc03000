import type { FieldPath, FieldValues, UseFormSetError } from 'react-hook-form'
import { ApiError } from '@/lib/api'

/** Puts what the server said about single fields beside them, and the focus on the first. */
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
