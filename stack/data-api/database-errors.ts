/** An error of PostgreSQL, as the driver throws it. */
interface DatabaseError {
  severity: string
  code: string
  message: string
  detail?: string
  hint?: string
}

/** The classes of error codes that PostgREST answers with 403 or 5xx. lite does so, too. */
const serverErrors = /^(08|09|0L|0P|25|28|2D|38|39|3B|40|53|54|55|57|58|F0|HV|P0|XX)/

/** The errors for which lite already has PostgREST's status and code. */
const handledByLite = /^(2[12]|42|PT|PGRST$|23502$|23503$|23505$)/

/** The messages of these errors contain the names of constraints. */
const violations = new Set(['23514', '23P01'])

/**
 * Gives an error of the database the status and code that it has in PostgREST, because lite answers 500 to the other
 * codes, for example to an exception that a trigger raises.
 *
 * @returns the error, or what `raise sqlstate 'PGRST'` would throw, from which lite takes the whole response
 */
export function toPostgrestError(error: unknown): unknown {
  if (!isDatabaseError(error)) return error
  const { code, message, detail: details = null, hint = null } = error
  if (handledByLite.test(code) || (serverErrors.test(code) && code !== 'P0001')) return error
  const body = violations.has(code)
    ? { code, message: 'This value is not allowed.', details: null, hint: null }
    : { code, message, details, hint }
  return { code: 'PGRST', message: JSON.stringify(body), detail: JSON.stringify({ status: 400, headers: {} }) }
}

const isDatabaseError = (error: unknown): error is DatabaseError =>
  error instanceof Error && 'severity' in error && 'code' in error && typeof error.code === 'string'
