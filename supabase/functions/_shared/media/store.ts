import type { VideoType } from '../contract/media.ts'
import { unavailable } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import type { ImageType } from './kinds.ts'
import { beginMedia, dropMedia, finishMedia, pathOf } from './rows.ts'
import { storeFile } from './storage.ts'

/** A file that has been looked at, all of it in memory. Pictures say how large they are, in pixels. */
type Whole = { bytes: Uint8Array<ArrayBuffer>; width?: number; height?: number; placeholder?: string }

/**
 * Stores a file that has been looked at and makes it ready, for its owner to use. Of one that fails, or that nobody
 * waits for any more, nothing is kept.
 *
 * @returns its id
 * @throws ApiError 401, 403, 503
 */
export async function storeMedia(
  caller: Caller,
  type: ImageType | VideoType,
  { bytes, ...shown }: Whole,
  signal: AbortSignal,
): Promise<string> {
  const id = crypto.randomUUID()
  const path = pathOf(caller, id, type)
  await beginMedia(caller, { id, type, bytes: bytes.length, path, ...shown })
  try {
    await storeFile(path, type, bytes, signal)
    if (signal.aborted) throw unavailable(signal.reason)
    await finishMedia(id, bytes.length, type)
  } catch (error) {
    await dropMedia(id, [path])
    throw error
  }
  return id
}
