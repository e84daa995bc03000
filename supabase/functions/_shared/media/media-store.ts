import type { VideoType } from '../contract/media.ts'
import type { Caller } from '../http/caller.ts'
import { unavailable } from '../http/errors.ts'
import { log } from '../http/log.ts'
import type { MediaType } from './file-types.ts'
import { deleteMedia, deletePendingMedia, insertPendingMedia, markMediaReady } from './queries.ts'
import { readFileRange, removeFiles, storagePath, storeFile } from './storage.ts'
import { findVideoDuration } from './video-duration.ts'

/**
 * The timeout is short, because the user is waiting for the error, and the `media` job removes the file later anyway.
 */
const discardTimeoutMs = 3_000

/** A checked file in memory. Only images have dimensions, and only voice recordings have a duration. */
type CheckedFile = {
  bytes: Uint8Array<ArrayBuffer>
  width?: number
  height?: number
  placeholder?: string | undefined
  seconds?: number
}

/**
 * Stores a checked file and marks it as ready. If that fails or the signal aborts, discards the file.
 *
 * @returns the media id
 * @throws ApiError 401, 403, 503
 */
export async function storeMedia(
  caller: Caller,
  type: MediaType,
  { bytes, seconds, ...fields }: CheckedFile,
  signal: AbortSignal,
): Promise<string> {
  const id = crypto.randomUUID()
  const path = storagePath(caller, id, type)
  await insertPendingMedia(caller, { id, type, bytes: bytes.length, path, ...fields })
  try {
    await storeFile(path, type, bytes, signal)
    if (signal.aborted) throw unavailable(signal.reason)
    await finishUpload(id, path, bytes.length, type, seconds)
  } catch (error) {
    await discardPendingMedia(id, [path])
    throw error
  }
  return id
}

/**
 * Marks a stored upload as ready. If its row was deleted in the meantime, for example with the account, removes the
 * file: the `media` job may have tried to delete the file before it was stored.
 *
 * @throws ApiError 503 if the row was deleted; 403 `storage_quota_reached`
 */
export async function finishUpload(
  id: string,
  path: string,
  bytes: number,
  type: MediaType,
  seconds: number | null = null,
): Promise<void> {
  if (await markMediaReady(id, bytes, type, seconds)) return
  await removeFiles([path], undefined, discardTimeoutMs).catch(logDiscardFailure)
  throw unavailable(new Error('The row of an upload was deleted before it was ready'))
}

/**
 * Discards an upload that was rejected or did not arrive. Deleting its row queues its files for deletion, and they are
 * also removed immediately if Storage responds. Never throws, because it runs while another error is handled.
 */
export async function discardPendingMedia(id: string, paths: readonly string[]): Promise<void> {
  try {
    // A row that became ready although its request failed keeps its file.
    if (await deletePendingMedia(id)) await removeFiles(paths, undefined, discardTimeoutMs)
  } catch (error) {
    // The `media` job deletes pending rows that remain.
    logDiscardFailure(error)
  }
}

/** Discards a ready upload whose request failed afterwards. Does nothing if it is in use. Never throws. */
export async function discardUnusedMedia(id: string): Promise<void> {
  try {
    const path = await deleteMedia(id)
    if (path !== null) await removeFiles([path], undefined, discardTimeoutMs)
  } catch (error) {
    // A foreign key prevents the deletion of media that is in use. The `media` job deletes unused media later.
    logDiscardFailure(error)
  }
}

const logDiscardFailure = (error: unknown) =>
  log('warn', 'media_discard_failed', { reason: error instanceof Error ? error.name : '' })

/**
 * Returns the duration of a stored video in seconds, or null if the file does not state one. Also returns null if
 * reading fails, because that must not make the upload fail. Reads only the headers.
 */
export async function readVideoDuration(path: string, size: number, type: VideoType): Promise<number | null> {
  try {
    return await findVideoDuration((from, length) => readFileRange(path, from, length), size, type)
  } catch (error) {
    log('warn', 'video_duration_failed', { reason: error instanceof Error ? error.name : '' })
    return null
  }
}
