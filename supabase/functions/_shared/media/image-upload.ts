import { limits } from '../contract/limits.ts'
import { type ImageUpload, uploadErrors } from '../contract/media.ts'
import type { Caller } from '../http/caller.ts'
import { ApiError } from '../http/errors.ts'
import { detectImageType, type ImageType } from './file-types.ts'
import type { ProcessedImage } from './image-processing.ts'
import { readImageSize } from './image-size.ts'
import { sanitizeInWorker, warmUpImageWorker } from './image-worker-pool.ts'
import { storeMedia } from './media-store.ts'
import { mediaUrl } from './media-url.ts'
import { openFileForm, readAllBytes } from './multipart-form.ts'
import { imageLimits, isImageTooLarge, withUploadSlot } from './runtime-limits.ts'
import type { UploadSlot } from './upload-slots.ts'

/** Time limit for receiving the whole image. */
const receiveTimeoutMs = 120_000

/** The requirements for an image, and the messages for one that does not meet them. */
type ImageRequirements = {
  maxBytes: number
  tooLargeMessage: string
  wrongTypeMessage: string
  /** See `processImage`. */
  maxSide?: number
}

const imageRequirements: ImageRequirements = {
  maxBytes: limits.image.maxBytes,
  tooLargeMessage: uploadErrors.imageSize,
  wrongTypeMessage: uploadErrors.imageType,
}

/**
 * Receives, processes and stores an image. Its type and its size in pixels are checked before it is decoded. If the
 * request is aborted, nothing is kept.
 *
 * @throws ApiError 400, 401, 403, 413, 415, 429, 503
 */
export async function uploadImage(caller: Caller, request: Request): Promise<ImageUpload> {
  return await withUploadSlot(caller, async (slot) => {
    const { type, image } = await receiveImage(request, slot, imageRequirements)
    const id = await storeMedia(caller, type, image, request.signal)
    const { placeholder, width, height } = image
    return { imageUrl: mediaUrl(id), placeholder, width, height }
  })
}

/**
 * Removes the metadata of an image and generates its placeholder. Its size in pixels is checked before it is decoded.
 *
 * @param bytes may be transferred to a worker, so the caller must not use them afterwards
 * @param maxSide maximum length of the longer side in pixels, if smaller than the default
 * @throws ApiError 400, 413, 503
 */
export async function processImage(
  bytes: Uint8Array<ArrayBuffer>,
  type: ImageType,
  signal: AbortSignal,
  maxSide = imageLimits.maxSide,
): Promise<ProcessedImage> {
  const size = readImageSize(bytes, type)
  if (!size) throw new ApiError(400, uploadErrors.imageBroken)
  if (isImageTooLarge(type, size)) throw new ApiError(413, uploadErrors.imagePixels)
  const options = {
    maxSide: Math.min(maxSide, imageLimits.maxSide),
    maxPixels: imageLimits.maxPixels[type],
    pngQuality: imageLimits.pngQuality,
  }
  return await sanitizeInWorker({ bytes, type, size, options }, signal)
}

/**
 * Reads and processes the image in a multipart form.
 *
 * @throws ApiError 400 if the form contains no image or an invalid one; 413; 415 if the body is not a multipart form or
 *   the image has another type; 503
 */
export async function receiveImage(
  request: Request,
  slot: UploadSlot,
  { maxBytes, tooLargeMessage, wrongTypeMessage, maxSide }: ImageRequirements,
): Promise<{ type: ImageType; image: ProcessedImage }> {
  const chunks = await openFileForm(request, {
    field: 'image',
    maxBytes,
    timeoutMs: receiveTimeoutMs,
    missingMessage: uploadErrors.noImage,
    tooLargeMessage,
  })
  warmUpImageWorker()
  const bytes = await readAllBytes(chunks, slot.reserveBytes)
  if (bytes.length === 0) throw new ApiError(400, uploadErrors.noImage)
  slot.markReceived()
  const type = detectImageType(bytes)
  if (!type) throw new ApiError(415, wrongTypeMessage)
  return { type, image: await processImage(bytes, type, request.signal, maxSide) }
}
