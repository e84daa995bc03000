import { limits } from '../contract/limits.ts'
import { type ImageUpload, uploadErrors } from '../contract/media.ts'
import type { Caller } from '../http/caller.ts'
import { ApiError, unavailable } from '../http/errors.ts'
import { receiveImage } from './image-upload.ts'
import { insertPendingProfileImage, type ProfileImageKind, setProfileImage } from './queries.ts'
import { withUploadSlot } from './runtime-limits.ts'
import { profileImageBucket, storagePath, storeFile } from './storage.ts'

const imageRequirements = {
  maxBytes: limits.profileImage.maxBytes,
  tooLargeMessage: uploadErrors.ownImageSize,
  wrongTypeMessage: uploadErrors.ownImageType,
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
  const { path, image } = await receiveProfileImage(caller, kind, request)
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
  return (await receiveProfileImage(caller, kind, request)).image
}

/** Receives, processes and stores an image. Returns it with its path in the bucket. */
async function receiveProfileImage(
  caller: Caller,
  kind: ProfileImageKind,
  request: Request,
): Promise<{ path: string; image: ImageUpload }> {
  return await withUploadSlot(caller, async (slot) => {
    const { type, image } = await receiveImage(request, slot, {
      ...imageRequirements,
      maxSide: maxSides[kind],
    })
    const { bytes, width, height, placeholder } = image
    // A very detailed image can grow when it is re-encoded, and the bucket has the same size limit.
    if (bytes.length > limits.profileImage.maxBytes) throw new ApiError(413, uploadErrors.ownImageSize)
    const path = storagePath(caller, crypto.randomUUID(), type)
    await insertPendingProfileImage(caller, path)
    await storeFile(path, type, bytes, request.signal, profileImageBucket)
    if (request.signal.aborted) throw unavailable(request.signal.reason)
    const imageUrl = `/storage/v1/object/public/${profileImageBucket.name}/${path}`
    return { path, image: { imageUrl, placeholder, width, height } }
  })
}
