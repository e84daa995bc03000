import postgres from 'postgres'

/** An error that PostgreSQL raised for a statement. The transaction was rolled back. */
export class DatabaseError extends Error {
  /** The SQLSTATE, for example `23505`, or a code such as `PT404` if one of our functions raised the error. */
  readonly code: string
  readonly detail: string | undefined

  constructor(cause: postgres.PostgresError) {
    super(cause.message, { cause })
    this.name = 'DatabaseError'
    this.code = cause.code
    this.detail = cause.detail
    // The driver's stack trace contains the line that built the statement. This error's own stack trace would only
    // contain the line that caught the driver's error.
    if (cause.stack !== undefined) this.stack = cause.stack
  }
}

/** The database could not be reached, is shutting down, or had no free connection in time. */
export class DatabaseUnavailableError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'DatabaseUnavailableError'
  }
}

/**
 * Codes of the driver, its sockets and PostgreSQL for a database that cannot be reached, is starting or shutting down,
 * or has too many connections.
 */
const unreachableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'CONNECT_TIMEOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  '53300',
  '57P01',
  '57P02',
  '57P03',
])

/** Converts an error thrown by the driver to an error of this module. Returns any other value unchanged. */
export function toDatabaseError(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return error
  if (unreachableCodes.has(error.code)) {
    return new DatabaseUnavailableError(`The database cannot be reached (${error.code})`, error)
  }
  return error instanceof postgres.PostgresError ? new DatabaseError(error) : error
}

/** Serialization failure and deadlock. */
const conflictCodes = new Set(['40001', '40P01'])

/**
 * Returns whether the transaction was rolled back because of a concurrent transaction, so that a retry may succeed.
 */
export const isRetryableConflict = (error: unknown): boolean =>
  error instanceof DatabaseError && conflictCodes.has(error.code)
