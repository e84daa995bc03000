import { limits } from '../contract/limits.ts'
import { type ImageUpload, uploadTexts } from '../contract/media.ts'
import { ApiError } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { isTooLarge, sizeOf } from './bounds.ts'
import { openForm, readWhole } from './form.ts'
import { type ImageType, imageTypeOf } from './kinds.ts'
import type { Picture } from './picture.ts'
import { takePlace } from './places.ts'
import { takeUpload } from './rows.ts'
import { addressOf } from './sign.ts'
import { storeMedia } from './store.ts'
import { makePicture } from './workshop.ts'

/** Milliseconds for all of a picture to come in. */
const within = 120_000

/** How large a picture may be in bytes, and what a larger one is told. */
type Most = { maxBytes: number; tooLarge: string }

const most: Most = { maxBytes: limits.image.maxBytes, tooLarge: uploadTexts.imageSize }

/**
 * Takes in a picture: what it is by its first bytes, how large by its header, and only then decoded. Of a call that was
 * broken off nothing is kept.
 *
 * @throws ApiError 400, 401, 403, 413, 415, 429, 503
 */
export async function uploadImage(caller: Caller, request: Request): Promise<ImageUpload> {
  await takeUpload(caller)
  const place = takePlace(caller.userId)
  try {
    const bytes = await readImage(request, most, place.hold)
    place.arrive()
    const type = imageTypeOf(bytes)
    if (!type) throw new ApiError(415, uploadTexts.imageType)
    const picture = await remakeImage(bytes, type, request.signal)
    const id = await storeMedia(caller, type, picture, request.signal)
    const { placeholder, width, height } = picture
    return { imageUrl: addressOf(id), placeholder, width, height }
  } finally {
    place.leave()
  }
}

/**
 * A picture written anew, without anything but what is to be seen: how large it is stands in its header, and only then
 * it is decoded.
 *
 * @param bytes leave this thread
 * @param longSide pixels that its longer side keeps at most, where that is less than usual
 * @throws ApiError 400, 413, 503
 */
export async function remakeImage(
  bytes: Uint8Array<ArrayBuffer>,
  type: ImageType,
  signal: AbortSignal,
  longSide?: number,
): Promise<Picture> {
  const size = sizeOf(bytes, type)
  if (!size) throw new ApiError(400, uploadTexts.imageBroken)
  if (isTooLarge(size)) throw new ApiError(413, uploadTexts.imagePixels)
  return await makePicture({ bytes, type, size, ...(longSide ? { longSide } : {}) }, signal)
}

/**
 * The picture in a form.
 *
 * @param hold hears of the bytes as they come in
 * @throws ApiError 400 without one, 413, 415 for another kind of body
 */
export async function readImage(
  request: Request,
  most: Most,
  hold: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const form = { field: 'image', within, none: uploadTexts.noImage, ...most }
  const bytes = await readWhole(await openForm(request, form), hold)
  if (bytes.length === 0) throw new ApiError(400, uploadTexts.noImage)
  return bytes
}
