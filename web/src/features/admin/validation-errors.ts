import type { z } from 'zod'
import { translateServerText } from '@/lib/api'

/** Returns the first error message in the app's language, or undefined if there is no error. */
export function firstErrorMessage(error: z.ZodError | undefined): string | undefined {
  const message = error?.issues[0]?.message
  return message && translateServerText(message)
}

/**
 * Returns the first error message of each field in the app's language.
 *
 * @param fieldName maps the path of an issue to its field
 */
export function firstFieldErrors(
  error: z.ZodError | undefined,
  fieldName = (path: PropertyKey[]) => String(path[0]),
): Partial<Record<string, string>> {
  const fieldErrors: Partial<Record<string, string>> = {}
  for (const { path, message } of error?.issues ?? []) {
    fieldErrors[fieldName(path)] ??= translateServerText(message)
  }
  return fieldErrors
}
