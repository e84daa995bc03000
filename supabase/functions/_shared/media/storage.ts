import { z } from 'zod'
import { env } from '../env.ts'
import { ApiError, unavailable } from '../http/errors.ts'

/** Where files lie, and how long whoever reads one may keep it. No client writes into either bucket by itself. */
type Bucket = { name: string; cacheControl: string }

/** What people upload: private, sent on to whoever may see it. */
const uploads: Bucket = { name: 'media', cacheControl: 'private, max-age=300' }
/** Profile pictures and covers: public, under names that never change what they stand for. */
export const ownImages: Bucket = { name: 'avatars', cacheControl: 'public, max-age=31536000, immutable' }

/** Milliseconds until an answer of Storage must have begun, or it must have taken the next part of a stream. */
export const patience = 15_000

/** With the secret key Storage asks no policy. A browser's own name must not travel with it, or it is refused. */
const ownKey = () => ({ apikey: env.secretKey, 'User-Agent': 'ovation-api' })

const Refusal = z.object({ statusCode: z.coerce.string().catch(''), error: z.string().catch('') })
const SignedPlace = z.object({ token: z.string().optional(), url: z.string().optional() })
const Info = z.looseObject({
  size: z.number().nullish(),
  metadata: z.looseObject({ size: z.number().nullish() }).nullish(),
})

/**
 * Stores a file where there is none yet.
 *
 * @param body its bytes, or a stream of them: when that fails, nothing is stored
 * @param signal ends the storing; a stream takes as long as whoever gives it lets it take
 * @throws ApiError 503
 */
export async function storeFile(
  path: string,
  type: string,
  body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
  signal: AbortSignal,
  bucket = uploads,
): Promise<void> {
  const headers = { ...ownKey(), 'Content-Type': type, 'Cache-Control': bucket.cacheControl }
  // The answer to a stream begins when the stream has ended.
  const within = body instanceof ReadableStream ? null : patience
  await succeed(await send('POST', `object/${bucket.name}/${path}`, { headers, body, signal }, within))
}

/**
 * Removes files, in one call; those that are not there count as removed.
 *
 * @param within milliseconds until Storage must have answered
 * @throws ApiError 503
 */
export async function removeFiles(
  paths: readonly string[],
  from = uploads.name,
  within = patience,
): Promise<void> {
  if (paths.length === 0) return
  await succeed(await send('DELETE', `object/${from}`, json({ prefixes: paths }), within))
}

/**
 * Moves a file; false when there is none, or one lies at the new place already.
 *
 * @throws ApiError 503
 */
export async function moveFile(from: string, to: string): Promise<boolean> {
  const body = { bucketId: uploads.name, sourceKey: from, destinationKey: to }
  const answer = await send('POST', 'object/move', json(body))
  if (!answer.ok && (await isAbout(answer, ['404', '409']))) return false
  await succeed(answer)
  return true
}

/**
 * Bytes of a stored file, null when there is none.
 *
 * @throws ApiError 503
 */
export async function sizeOfFile(path: string): Promise<number | null> {
  const answer = await send('GET', `object/info/${uploads.name}/${path}`, {})
  if (!answer.ok && (await isAbout(answer, ['404']))) return null
  const info = Info.parse(await succeed(answer))
  return info.metadata?.size ?? info.size ?? null
}

/**
 * The stored file as Storage sends it; the caller reads or cancels its body.
 *
 * @param range a `Range` header, for one range within the file
 * @returns null when there is none
 * @throws ApiError 503
 */
export async function openFile(
  path: string,
  range: string | null,
  signal?: AbortSignal,
): Promise<Response | null> {
  const headers: Record<string, string> = { ...ownKey(), 'Accept-Encoding': 'identity' }
  if (range) headers.Range = range
  const answer = await send('GET', `object/${uploads.name}/${path}`, {
    headers,
    ...(signal ? { signal } : {}),
  })
  if (answer.ok) return answer
  if (await isAbout(answer, ['404'])) return null
  await answer.body?.cancel()
  throw unavailable(new Error(`Storage answered ${answer.status}`))
}

/**
 * An address that takes one file for two hours, again and again: a lost connection starts over.
 *
 * @returns its path, below the address of Supabase
 * @throws ApiError 503
 */
export async function signPlace(path: string): Promise<string> {
  const place = `object/upload/sign/${uploads.name}/${path}`
  const answer = await send('POST', place, { headers: { ...ownKey(), 'x-upsert': 'true' } })
  const signed = SignedPlace.parse(await succeed(answer))
  const token = signed.token ?? new URL(signed.url ?? '', 'http://storage').searchParams.get('token')
  if (!token) throw unavailable(new Error('Storage signed an address without a token'))
  return `/storage/v1/${place}?token=${encodeURIComponent(token)}`
}

const json = (body: unknown): RequestInit => ({
  headers: { ...ownKey(), 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
})

/** @param within milliseconds until the answer must have begun, null where the signal alone ends the waiting */
async function send(
  method: string,
  path: string,
  { signal, ...init }: RequestInit,
  within: number | null = patience,
): Promise<Response> {
  const began = new AbortController()
  const late = () => began.abort(new Error('Storage did not answer in time'))
  const timer = within === null ? undefined : setTimeout(late, within)
  try {
    return await fetch(`${env.supabaseUrl}/storage/v1/${path}`, {
      method,
      headers: ownKey(),
      ...init,
      signal: signal ? AbortSignal.any([signal, began.signal]) : began.signal,
    })
  } catch (error) {
    throw error instanceof ApiError ? error : unavailable(error)
  } finally {
    clearTimeout(timer)
  }
}

/** The answer's JSON, where Storage did what it was asked. */
async function succeed(answer: Response): Promise<unknown> {
  if (answer.ok) return await answer.json().catch(() => null)
  const { error } = Refusal.safeParse(await answer.json().catch(() => null)).data ?? {}
  throw unavailable(new Error(`Storage answered ${answer.status} ${error ?? ''}`))
}

/** Storage says in its body what went wrong; its own status is 400 for nearly all of it. */
async function isAbout(answer: Response, codes: readonly string[]): Promise<boolean> {
  const told = Refusal.safeParse(
    await answer
      .clone()
      .json()
      .catch(() => null),
  ).data
  const is = codes.includes(told?.statusCode ?? '') || codes.includes(String(answer.status))
  if (is) await answer.body?.cancel()
  return is
}
