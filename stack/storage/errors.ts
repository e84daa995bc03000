/**
 * An error response from Storage. Clients read `statusCode` in the body, because the HTTP status of most errors is 400,
 * as on Supabase.
 */
export class StorageError extends Error {
  /**
   * @param statusCode the status code in the body
   * @param error the legacy error code, which some clients still check
   * @param httpStatus the response's HTTP status
   */
  constructor(
    readonly statusCode: number,
    readonly code: string,
    message: string,
    readonly error = code,
    readonly httpStatus = 400,
  ) {
    super(message)
  }

  toResponse(): Response {
    const { statusCode, code, error, message } = this
    return Response.json(
      { statusCode: String(statusCode), code, error, message },
      { status: this.httpStatus, headers: { 'cache-control': 'no-store' } },
    )
  }
}

export const noSuchBucket = () =>
  new StorageError(404, 'NoSuchBucket', 'Bucket not found', 'Bucket not found')
export const noSuchKey = () => new StorageError(404, 'NoSuchKey', 'Object not found', 'not_found')
export const alreadyExists = () =>
  new StorageError(409, 'KeyAlreadyExists', 'The resource already exists', 'Duplicate')
export const bucketNotEmpty = () =>
  new StorageError(409, 'ResourceNotEmpty', 'The bucket you tried to delete is not empty')
const accessDenied = (message = 'new row violates row-level security policy') =>
  new StorageError(403, 'AccessDenied', message, 'Unauthorized')
export const accountReadOnly = () =>
  new StorageError(403, 'AccessDenied', 'This account is read-only.', 'Unauthorized', 403)
export const invalidRequest = (message: string) => new StorageError(400, 'InvalidRequest', message)
export const invalidKey = (key: string) => new StorageError(400, 'InvalidKey', `Invalid key: ${key}`)
export const invalidMimeType = (type: string) =>
  new StorageError(415, 'InvalidMimeType', `mime type ${type} is not supported`, 'invalid_mime_type')
export const tooLarge = (what = 'object') =>
  new StorageError(
    413,
    'EntityTooLarge',
    `The ${what} exceeded the maximum allowed size`,
    'Payload too large',
  )
export const invalidSignature = (message = 'Invalid signature') =>
  new StorageError(400, 'InvalidSignature', message)
export const featureNotEnabled = (message: string) => new StorageError(409, 'FeatureNotEnabled', message)
export const rateLimited = () =>
  new StorageError(
    429,
    'SlowDown',
    'Too many requests. Please wait a moment and try again.',
    'rate_limited',
    429,
  )
export const quotaReached = () =>
  new StorageError(
    403,
    'storage_quota_reached',
    'Your storage is full. Delete files to make room.',
    'storage_quota_reached',
    403,
  )

/** Returns the Storage error for a database error, or null if clients cannot cause this error. */
export function fromDatabaseError(error: unknown): StorageError | null {
  const { code = '', message = '' } = error as { code?: unknown; message?: string }
  // The SQLSTATEs with which the schema raises errors for clients. The number is the HTTP status.
  const status = typeof code === 'string' && /^PT([45]\d\d)$/.exec(code)?.[1]
  if (status) {
    return Number(status) === 429
      ? rateLimited()
      : new StorageError(Number(status), 'AccessDenied', message, 'Unauthorized', Number(status))
  }
  switch (code) {
    case '42501':
      return accessDenied()
    case '23505':
      return alreadyExists()
    case '23503':
      return new StorageError(404, 'InvalidRequest', 'The related resource does not exist')
    case '22P02':
    case '22P05':
    case '22007':
    case '22008':
    case '22021':
    case '23502':
    case '23514':
    case '54001':
      return invalidRequest('This value is not allowed.')
    default:
      return null
  }
}

/** Returns the messages and codes of an error and its causes, for `failureResponse`. */
export function describeFailure(error: unknown): string {
  const parts: string[] = []
  for (let current = error; current instanceof Error; current = current.cause) {
    parts.push(current.message, 'code' in current ? String(current.code) : '')
  }
  return parts.join('\n')
}
