import { limits } from '../contract/limits.ts'
import { type ImageUpload, uploadTexts } from '../contract/media.ts'
import { ApiError, unavailable } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { isTooLarge, sizeOf } from './bounds.ts'
import { openForm, readWhole } from './form.ts'
import { type ImageType, imageTypeOf } from './kinds.ts'
import type { Picture } from './picture.ts'
import { takePlace } from './places.ts'
import { beginMedia, dropMedia, finishMedia, pathOf, takeUpload } from './rows.ts'
import { addressOf } from './sign.ts'
import { storeFile } from './storage.ts'
import { makePicture } from './workshop.ts'

/** Milliseconds for all of a picture to come in. */
const within = 120_000

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
    const bytes = await readImage(request, place.hold)
    place.arrive()
    const type = imageTypeOf(bytes)
    if (!type) throw new ApiError(415, uploadTexts.imageType)
    const size = sizeOf(bytes, type)
    if (!size) throw new ApiError(400, uploadTexts.imageBroken)
    if (isTooLarge(size)) throw new ApiError(413, uploadTexts.imagePixels)
    const picture = await makePicture({ bytes, type, size }, request.signal)
    return await store(caller, type, picture, request.signal)
  } finally {
    place.leave()
  }
}

async function readImage(request: Request, hold: (bytes: number) => void): Promise<Uint8Array<ArrayBuffer>> {
  const form = { field: 'image', maxBytes: limits.image.maxBytes, within }
  const texts = { none: uploadTexts.noImage, tooLarge: uploadTexts.imageSize }
  const bytes = await readWhole(await openForm(request, { ...form, ...texts }), hold)
  if (bytes.length === 0) throw new ApiError(400, uploadTexts.noImage)
  return bytes
}

async function store(
  caller: Caller,
  type: ImageType,
  picture: Picture,
  signal: AbortSignal,
): Promise<ImageUpload> {
  const { bytes, width, height, placeholder } = picture
  const id = crypto.randomUUID()
  const path = pathOf(caller, id, type)
  await beginMedia(caller, { id, type, bytes: bytes.length, path, width, height, placeholder })
  try {
    await storeFile(path, type, bytes, signal)
    if (signal.aborted) throw unavailable(signal.reason)
    await finishMedia(id, bytes.length, type)
  } catch (error) {
    await dropMedia(id, [path])
    throw error
  }
  return { imageUrl: addressOf(id), placeholder, width, height }
}
