import { limits } from '../contract/limits.ts'
import { type SignedUpload, type SignVideoRequest, uploadErrors, type VideoType } from '../contract/media.ts'
import { env } from '../env.ts'
import type { Caller } from '../http/caller.ts'
import { ApiError } from '../http/errors.ts'
import { detectVideoType, fileExtensions, videoHeaderBytes } from './file-types.ts'
import { discardPendingMedia, finishUpload, readVideoDuration } from './media-store.ts'
import { mediaUrl } from './media-url.ts'
import * as queries from './queries.ts'
import { createSignedUploadPath, getFileSize, moveFile, readFileRange, storagePath } from './storage.ts'

/**
 * Creates an upload URL for a video that the client sends directly to Storage. The upload is pending until a post uses
 * it (`finalizeVideoUpload`).
 *
 * @throws ApiError 401, 403, 429, 503
 */
export async function createVideoUpload(
  caller: Caller,
  { type, size }: SignVideoRequest,
): Promise<SignedUpload> {
  await queries.consumeUploadLimit(caller)
  const id = crypto.randomUUID()
  const path = storagePath(caller, id, type)
  const incomingPath = `${caller.userId}/${crypto.randomUUID()}.${fileExtensions[type]}`
  await queries.insertPendingMedia(caller, { id, type, bytes: size, path, incomingPath })
  try {
    const uploadPath = await createSignedUploadPath(incomingPath)
    // If Storage has the same origin as the site, a relative URL works under every hostname of the site.
    const isSameOrigin = env.origins.has(new URL(env.publicSupabaseUrl).origin)
    const uploadUrl = isSameOrigin ? uploadPath : `${env.publicSupabaseUrl}${uploadPath}`
    return { id, videoUrl: mediaUrl(id), uploadUrl }
  } catch (error) {
    await discardPendingMedia(id, [])
    throw error
  }
}

const videoMissing = () => new ApiError(400, uploadErrors.videoMissing, { code: 'media_not_usable' })

/**
 * Checks a video that the caller sent directly to Storage, and marks it as ready, before a post uses it. Does nothing
 * for other uploads: those that are already ready, images and other users' uploads. A file that is not a video is
 * removed.
 *
 * @throws ApiError 400 `media_not_usable` if the file has not arrived or does not have the declared size; 401; 413;
 *   415; 429; 503. After a 400, the client can send the file to the same URL again, unless the file changed while it
 *   was being moved: then it has been removed, and the client needs a new URL.
 */
export async function finalizeVideoUpload(caller: Caller, id: string): Promise<void> {
  const pending = await queries.findPendingVideo(caller, id)
  if (!pending) return
  await queries.consumeVideoCheckLimit(caller)
  const { path, incomingPath } = pending
  const incomingSize = await getFileSize(incomingPath)
  // A file with the wrong size is not moved, so that the client can send it again.
  if (incomingSize !== null && incomingSize <= limits.video.maxBytes && incomingSize !== pending.bytes) {
    throw videoMissing()
  }
  // The content is checked after the move, because the client can still write to the incoming path but not to the
  // final one. If a concurrent request has already moved the file, it is checked at the final path.
  if (incomingSize !== null) await moveFile(incomingPath, path)
  const size = await getFileSize(path)
  if (size === null) throw videoMissing()
  try {
    const type = await checkVideo(path, size, pending)
    const seconds = await readVideoDuration(path, size, type)
    await finishUpload(id, path, size, type, seconds)
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) await discardPendingMedia(id, [path, incomingPath])
    throw error
  }
}

/**
 * Returns the type of a stored video.
 *
 * @throws ApiError 400, 413 or 415 if the video is not acceptable; 503 if Storage fails
 */
async function checkVideo(
  path: string,
  size: number,
  { bytes, type }: queries.PendingVideo,
): Promise<VideoType> {
  if (size > limits.video.maxBytes) throw new ApiError(413, uploadErrors.videoSize)
  const header = size === bytes ? await readFileRange(path, 0, videoHeaderBytes) : null
  if (!header) throw videoMissing()
  const detected = detectVideoType(header)
  // MP4 and QuickTime are nearly the same format, and phones often declare one as the other.
  if (!detected || (detected === 'video/webm') !== (type === 'video/webm')) {
    throw new ApiError(415, uploadErrors.videoType)
  }
  return detected
}
