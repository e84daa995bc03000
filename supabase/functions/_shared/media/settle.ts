import { limits } from '../contract/limits.ts'
import { uploadTexts, type VideoType } from '../contract/media.ts'
import { asUser } from '../db/run.ts'
import { env } from '../env.ts'
import { ApiError, invalidField } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { headBytes, videoTypeOf } from './kinds.ts'
import { dropMedia, finishMedia, takeLook } from './rows.ts'
import { moveFile, openFile, sizeOfFile } from './storage.ts'

/** The id in the address of an upload, `/api/media/<id>` with or without this site before it; null for any other. */
function mediaIdOf(address: string): string | null {
  const origin = [...env.origins].find((one) => address.startsWith(`${one}/`)) ?? ''
  const match = /^\/api\/media\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.exec(
    address.slice(origin.length),
  )
  return match?.[1]?.toLowerCase() ?? null
}

/**
 * The upload that the address in a field names, null without an address.
 *
 * @throws ApiError 400 `media_not_usable` for the address of anything else
 */
export function uploadIn(
  field: 'imageUrl' | 'videoUrl' | 'posterUrl',
  address: string | null | undefined,
): string | null {
  if (!address) return null
  const id = mediaIdOf(address)
  if (!id) throw invalidField(field, 'This is not the address of an upload.', 'media_not_usable')
  return id
}

type Pending = { path: string; incoming: string; bytes: number; type: string }

const missing = () => new ApiError(400, uploadTexts.videoMissing, { code: 'media_not_usable' })

/**
 * Looks at a video that the caller sent straight to Storage, before a post takes it, and makes it ready. Nothing
 * happens to anything else: an upload that is ready, a picture, somebody else's. What is no video is gone afterwards.
 *
 * @throws ApiError 400 `media_not_usable` when it has not arrived, or not with the size that was announced: it may be
 *   sent again to the same address. One that only changed while it was being moved is gone, and needs a new address.
 *   413, 415, 429, 503
 */
export async function settleVideo(caller: Caller, id: string): Promise<void> {
  const [pending] = await asUser(
    caller,
    (tx) => tx<Pending[]>`
      select m.path, m.incoming_path as incoming, m.bytes::float8 as bytes, m.content_type as type
      from public.media m
      where m.id = ${id}::text::uuid and m.owner_id = ${caller.userId}::text::uuid
        and m.kind = 'video' and m.state = 'pending' and m.incoming_path is not null`,
  )
  if (!pending) return
  await takeLook(caller)
  const { path, incoming } = pending
  const arrived = await sizeOfFile(incoming)
  // Moved first and looked at then: its sender can still write to where it came in, but not to where it lies now.
  // When somebody moved it before (the same call, sent twice), it is looked at where it is.
  if (arrived !== null && arrived <= limits.video.maxBytes && arrived !== pending.bytes) throw missing()
  if (arrived !== null) await moveFile(incoming, path)
  const size = await sizeOfFile(path)
  if (size === null) throw missing()
  try {
    const type = await inspect(path, size, pending)
    if (!(await finishMedia(id, size, type))) throw missing()
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) await dropMedia(id, [path, incoming])
    throw error
  }
}

/** What the video is, when it may stay. */
async function inspect(path: string, size: number, { bytes, type }: Pending): Promise<VideoType> {
  if (size > limits.video.maxBytes) throw new ApiError(413, uploadTexts.videoSize)
  const head = size === bytes ? await readHead(path) : null
  if (!head) throw missing()
  const found = videoTypeOf(head)
  // MP4 and QuickTime are one format under two names, and phones mix them up.
  if (!found || (found === 'video/webm') !== (type === 'video/webm')) {
    throw new ApiError(415, uploadTexts.videoType)
  }
  return found
}

/** The first bytes of a stored file, null when it has gone. */
async function readHead(path: string): Promise<Uint8Array | null> {
  const answer = await openFile(path, `bytes=0-${headBytes - 1}`)
  if (!answer?.body) return null
  const head = new Uint8Array(headBytes)
  let filled = 0
  // Ends the reading when there is enough, even of an answer that is the whole file.
  for await (const chunk of answer.body) {
    const part = chunk.subarray(0, headBytes - filled)
    head.set(part, filled)
    filled += part.length
    if (filled === headBytes) break
  }
  return head.subarray(0, filled)
}
