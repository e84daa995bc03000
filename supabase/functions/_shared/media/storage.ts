import { z } from 'zod'
import { env } from '../env.ts'
import type { Caller } from '../http/caller.ts'
import { ApiError, storageFull, unavailable } from '../http/errors.ts'
import { secretKeyHeaders } from '../http/secret-key-headers.ts'
import { fileExtensions, type MediaType } from './file-types.ts'

/**
 * A bucket and the `Cache-Control` header of its files. Clients can write to a bucket directly only with a signed
 * upload URL (`createSignedUploadPath`).
 */
type Bucket = { name: string; cacheControl: string }

/** Uploads. Private: the API streams them to users who may see them. */
const mediaBucket: Bucket = { name: 'media', cacheControl: 'private, max-age=300' }
/** Profile and background images. Public and immutable: a new image gets a new name. */
export const profileImageBucket: Bucket = {
  name: 'avatars',
  cacheControl: 'public, max-age=31536000, immutable',
}

/** Time limit for Storage to start its response, or to accept the next chunk of a stream. */
export const storageTimeoutMs = 15_000

const ErrorResponse = z.object({
  statusCode: z.coerce.string().catch(''),
  error: z.string().catch(''),
  /** Storage in the embedded stack uses the API's error codes. */
  code: z.string().catch(''),
})
const SignedUploadResponse = z.object({ token: z.string().optional(), url: z.string().optional() })
const FileInfo = z.looseObject({
  size: z.number().nullish(),
  metadata: z.looseObject({ size: z.number().nullish() }).nullish(),
})

/** Returns the path of a file in its bucket. */
export const storagePath = (caller: Caller, id: string, type: MediaType) =>
  `${caller.userId}/${id}.${fileExtensions[type]}`

/**
 * Stores a new file. Fails if the path is already in use.
 *
 * @param body the bytes, or a stream of them; if the stream fails, nothing is stored
 * @param signal aborts the request, which has no timeout if the body is a stream
 * @throws ApiError 503; any ApiError that the stream throws
 */
export async function storeFile(
  path: string,
  type: string,
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
  signal: AbortSignal,
  bucket = mediaBucket,
): Promise<void> {
  const headers = { ...secretKeyHeaders(), 'Content-Type': type, 'Cache-Control': bucket.cacheControl }
  // Storage responds to a stream only after the stream has ended.
  const timeoutMs = body instanceof ReadableStream ? null : storageTimeoutMs
  await readResponse(
    await send('POST', `object/${bucket.name}/${path}`, { headers, body, signal }, timeoutMs),
  )
}

/**
 * Removes files in one call. Missing files are ignored.
 *
 * @throws ApiError 503
 */
export async function removeFiles(
  paths: readonly string[],
  bucketName = mediaBucket.name,
  timeoutMs = storageTimeoutMs,
): Promise<void> {
  if (paths.length === 0) return
  await readResponse(
    await send('DELETE', `object/${bucketName}`, jsonRequest({ prefixes: paths }), timeoutMs),
  )
}

/**
 * Moves a file. Returns false if it does not exist or the destination already exists.
 *
 * @throws ApiError 503
 */
export async function moveFile(from: string, to: string): Promise<boolean> {
  const body = { bucketId: mediaBucket.name, sourceKey: from, destinationKey: to }
  const response = await send('POST', 'object/move', jsonRequest(body))
  if (!response.ok && (await hasErrorCode(response, ['404', '409']))) return false
  await readResponse(response)
  return true
}

/**
 * Returns the size of a file in bytes, or null if it does not exist.
 *
 * @throws ApiError 503
 */
export async function getFileSize(path: string): Promise<number | null> {
  const response = await send('GET', `object/info/${mediaBucket.name}/${path}`, {})
  if (!response.ok && (await hasErrorCode(response, ['404']))) return null
  const info = FileInfo.parse(await readResponse(response))
  return info.metadata?.size ?? info.size ?? null
}

/**
 * Returns Storage's response with a file, or null if the file does not exist. The caller must read or cancel the body.
 *
 * @param range a `Range` header with one range within the file
 * @throws ApiError 503
 */
export async function openFile(
  path: string,
  range: string | null,
  signal?: AbortSignal,
): Promise<Response | null> {
  const headers: Record<string, string> = { ...secretKeyHeaders(), 'Accept-Encoding': 'identity' }
  if (range) headers.Range = range
  const response = await send('GET', `object/${mediaBucket.name}/${path}`, {
    headers,
    ...(signal ? { signal } : {}),
  })
  if (response.ok) return response
  if (await hasErrorCode(response, ['404'])) return null
  await response.body?.cancel()
  throw unavailable(new Error(`Storage responded with ${response.status}`))
}

/**
 * Returns at most `length` bytes of a stored file, starting at the offset `from`, or null if the file does not exist or
 * Storage does not respond with that range.
 *
 * @throws ApiError 503
 */
export async function readFileRange(path: string, from: number, length: number): Promise<Uint8Array | null> {
  const response = await openFile(path, `bytes=${from}-${from + length - 1}`)
  if (!response?.body) return null
  // Storage may ignore the range and send the whole file.
  if (from > 0 && response.status !== 206) {
    await response.body.cancel()
    return null
  }
  const bytes = new Uint8Array(length)
  let filled = 0
  for await (const chunk of response.body) {
    const part = chunk.subarray(0, length - filled)
    bytes.set(part, filled)
    filled += part.length
    if (filled === length) break
  }
  return bytes.subarray(0, filled)
}

/**
 * Creates a signed upload URL for one file. The URL is valid for two hours and can be used repeatedly, so that a client
 * can try again after losing the connection.
 *
 * @returns the path of the URL, relative to the Supabase URL
 * @throws ApiError 503
 */
export async function createSignedUploadPath(path: string): Promise<string> {
  const signPath = `object/upload/sign/${mediaBucket.name}/${path}`
  const response = await send('POST', signPath, {
    headers: { ...secretKeyHeaders(), 'x-upsert': 'true' },
  })
  const signed = SignedUploadResponse.parse(await readResponse(response))
  const token = signed.token ?? new URL(signed.url ?? '', 'http://storage').searchParams.get('token')
  if (!token) throw unavailable(new Error('Storage returned a signed upload URL without a token'))
  return `/storage/v1/${signPath}?token=${encodeURIComponent(token)}`
}

const jsonRequest = (body: unknown): RequestInit => ({
  headers: { ...secretKeyHeaders(), 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
})

/**
 * Sends a request to Storage.
 *
 * @param timeoutMs the time limit for the response to start; null for no limit, so that only the signal can abort the
 *   request
 * @throws ApiError 503 if Storage does not respond; any ApiError that the body's stream throws
 */
async function send(
  method: string,
  path: string,
  { signal, ...init }: RequestInit,
  timeoutMs: number | null = storageTimeoutMs,
): Promise<Response> {
  const timeout = new AbortController()
  const abort = () => timeout.abort(new Error('Storage did not respond in time'))
  const timer = timeoutMs === null ? undefined : setTimeout(abort, timeoutMs)
  try {
    return await fetch(`${env.supabaseUrl}/storage/v1/${path}`, {
      method,
      headers: secretKeyHeaders(),
      ...init,
      signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
    })
  } catch (error) {
    throw error instanceof ApiError ? error : unavailable(error)
  } finally {
    clearTimeout(timer)
  }
}

/** Returns the JSON of a successful response. @throws ApiError 503 */
async function readResponse(response: Response): Promise<unknown> {
  if (response.ok) return await response.json().catch(() => null)
  const { error, code } = ErrorResponse.safeParse(await response.json().catch(() => null)).data ?? {}
  const cause = new Error(`Storage responded with ${response.status} ${error || code || ''}`)
  throw code === 'storage_full' ? storageFull(cause) : unavailable(cause)
}

/**
 * Returns whether a response has one of the error codes and, if it does, cancels its body. The code can be the HTTP
 * status or a field of the body, because Storage uses the status 400 for most errors.
 */
async function hasErrorCode(response: Response, codes: readonly string[]): Promise<boolean> {
  const body = ErrorResponse.safeParse(
    await response
      .clone()
      .json()
      .catch(() => null),
  ).data
  const matches = codes.includes(body?.statusCode ?? '') || codes.includes(String(response.status))
  if (matches) await response.body?.cancel()
  return matches
}
