import { limits } from '../contract/limits.ts'
import { type ImageUpload, uploadTexts } from '../contract/media.ts'
import { asUser } from '../db/run.ts'
import { ApiError, unavailable } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { readImage, remakeImage } from './image.ts'
import { imageTypeOf } from './kinds.ts'
import { takePlace } from './places.ts'
import { pathOf, takeUpload } from './rows.ts'
import { ownImages, storeFile } from './storage.ts'

/** A profile picture, or the cover at the head of a profile. */
export type OwnImage = 'profile' | 'background'

const most = { maxBytes: limits.ownImage.maxBytes, tooLarge: uploadTexts.ownImageSize }
/** Pixels that the longer side keeps: about twice what is ever shown of it. */
const longSides: Record<OwnImage, number> = { profile: 1024, background: 1920 }

/**
 * Takes in a picture and makes it the caller's own, in place of the one before, whose file the job `media` removes. So
 * it does with a file that was stored when something failed after that.
 *
 * @throws ApiError 400, 401, 403, 413, 415, 429, 503; the one before stays then
 */
export const uploadOwnImage = (caller: Caller, which: OwnImage, request: Request): Promise<ImageUpload> =>
  takeImage(caller, which, request, (path) => setOwnImage(caller, which, path))

/**
 * Takes in a picture for somebody's profile, and leaves it at that. The job `media` removes it after an hour, unless a
 * profile has come to name it.
 *
 * @throws ApiError 400, 401, 403, 413, 415, 429, 503
 */
export const storeProfileImage = (caller: Caller, which: OwnImage, request: Request): Promise<ImageUpload> =>
  takeImage(caller, which, request)

/** @param use told where in its bucket the file lies, once it does */
async function takeImage(
  caller: Caller,
  which: OwnImage,
  request: Request,
  use?: (path: string) => Promise<void>,
): Promise<ImageUpload> {
  await takeUpload(caller)
  const place = takePlace(caller.userId)
  try {
    const sent = await readImage(request, most, place.hold)
    place.arrive()
    const type = imageTypeOf(sent)
    if (!type) throw new ApiError(415, uploadTexts.ownImageType)
    const picture = await remakeImage(sent, type, request.signal, longSides[which])
    const { bytes, width, height, placeholder } = picture
    // Written anew, one of very fine grain can have more of them than it came with, and Storage takes no more either.
    if (bytes.length > limits.ownImage.maxBytes) throw new ApiError(413, uploadTexts.ownImageSize)
    const path = pathOf(caller, crypto.randomUUID(), type)
    await asUser(caller, (tx) => tx`select private.begin_own_image(${path}::text)`)
    await storeFile(path, type, bytes, request.signal, ownImages)
    if (request.signal.aborted) throw unavailable(request.signal.reason)
    await use?.(path)
    return { imageUrl: `/storage/v1/object/public/${ownImages.name}/${path}`, placeholder, width, height }
  } finally {
    place.leave()
  }
}

/**
 * Takes the caller's picture away; where there is none, nothing happens.
 *
 * @throws ApiError 401, 403
 */
export async function removeOwnImage(caller: Caller, which: OwnImage): Promise<void> {
  await setOwnImage(caller, which, null)
}

async function setOwnImage(caller: Caller, which: OwnImage, path: string | null): Promise<void> {
  await asUser(caller, (tx) => tx`select private.set_own_image(${which}::text, ${path}::text)`)
}
