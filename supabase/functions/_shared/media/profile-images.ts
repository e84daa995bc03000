import { limits } from '../contract/limits.ts'
import { type ImageUpload, uploadErrors } from '../contract/media.ts'
import type { Caller } from '../http/caller.ts'
import { ApiError, unavailable } from '../http/errors.ts'
import { detectImageType } from './file-types.ts'
import { processImage, readImageForm } from './image-upload.ts'
import {
  consumeUploadLimit,
  insertPendingProfileImage,
  type ProfileImageKind,
  setProfileImage,
} from './queries.ts'
import { acquireUploadSlot } from './runtime-limits.ts'
import { profileImageBucket, storagePath, storeFile } from './storage.ts'

const sizeLimit = {
  maxBytes: limits.profileImage.maxBytes,
  tooLargeMessage: uploadErrors.ownImageSize,
}
/** Maximum length of the longer side in pixels: about twice the largest size at which the image is shown. */
const maxSides: Record<ProfileImageKind, number> = { profile: 1024, background: 1920 }

/**
 * Uploads an image and makes it the caller's profile or background image. The `media` job later removes the file of the
 * previous image, or that of the new image if it could not be set.
 *
 * @throws ApiError 400, 401, 403, 413, 415, 429, 503; in all of these cases, the previous image is kept
 */
export async function uploadProfileImage(
  caller: Caller,
  kind: ProfileImageKind,
  request: Request,
): Promise<ImageUpload> {
  const { path, image } = await receiveImage(caller, kind, request)
  await setProfileImage(caller, kind, path)
  return image
}

/**
 * Stores an image that an admin can then set in any user's profile. The `media` job removes the file after an hour,
 * unless a profile uses it by then.
 *
 * @throws ApiError 400, 401, 403, 413, 415, 429, 503
 */
export async function storeProfileImage(
  caller: Caller,
  kind: ProfileImageKind,
  request: Request,
): Promise<ImageUpload> {
  return (await receiveImage(caller, kind, request)).image
}

/** Receives, processes and stores an image. Returns it with its path in the bucket. */
async function receiveImage(
  caller: Caller,
  kind: ProfileImageKind,
  request: Request,
): Promise<{ path: string; image: ImageUpload }> {
  await consumeUploadLimit(caller)
  const slot = acquireUploadSlot(caller.userId)
  try {
    const original = await readImageForm(request, sizeLimit, slot.reserveBytes)
    slot.markReceived()
    const type = detectImageType(original)
    if (!type) throw new ApiError(415, uploadErrors.ownImageType)
    const processed = await processImage(original, type, request.signal, maxSides[kind])
    const { bytes, width, height, placeholder } = processed
    // A very detailed image can grow when it is re-encoded, and the bucket has the same size limit.
    if (bytes.length > limits.profileImage.maxBytes) throw new ApiError(413, uploadErrors.ownImageSize)
    const path = storagePath(caller, crypto.randomUUID(), type)
    await insertPendingProfileImage(caller, path)
    await storeFile(path, type, bytes, request.signal, profileImageBucket)
    if (request.signal.aborted) throw unavailable(request.signal.reason)
    const imageUrl = `/storage/v1/object/public/${profileImageBucket.name}/${path}`
    return { path, image: { imageUrl, placeholder, width, height } }
  } finally {
    slot.release()
  }
}
