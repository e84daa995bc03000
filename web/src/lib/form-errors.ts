import type { ErrorCode } from '@contract/errors.ts'
import type { FieldError, FieldPath, FieldValues, UseFormSetError } from 'react-hook-form'
import { ApiError, translateServerText } from './api'

/** Maps the error codes that concern a single field to that field. */
const fieldOfErrorCode: Partial<Record<ErrorCode, string>> = {
  username_taken: 'username',
  username_reserved: 'username',
  email_taken: 'email',
}

/** Returns the server's messages for single fields, by the path of the field. */
export function serverFieldErrors(error: unknown): Record<string, string[]> {
  if (!(error instanceof ApiError)) return {}
  const field = error.code && fieldOfErrorCode[error.code]
  return field ? { [field]: [error.serverMessage], ...error.errors } : error.errors
}

/** Shows the server's errors next to their fields and focuses the first of these fields. */
export function showFieldErrors<Form extends FieldValues>(
  error: unknown,
  fields: readonly FieldPath<Form>[],
  setError: UseFormSetError<Form>,
): void {
  const errors = serverFieldErrors(error)
  let shouldFocus = true
  for (const field of fields) {
    const message = errors[field]?.[0]
    if (!message) continue
    setError(field, { type: 'server', message }, { shouldFocus })
    shouldFocus = false
  }
}

/** Returns a field's error, from the contract or the server, in the app's language. */
export function fieldErrorText(error: FieldError | undefined): string | undefined {
  return error?.message && translateServerText(error.message)
}
