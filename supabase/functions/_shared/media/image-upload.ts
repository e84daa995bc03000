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
import { consumeUploadLimit } from './queries.ts'
import { acquireUploadSlot, imageLimits, isImageTooLarge } from './runtime-limits.ts'

/** Time limit for receiving the whole image. */
const receiveTimeoutMs = 120_000

/** The maximum size of an image file, and the message for a larger one. */
type FileSizeLimit = { maxBytes: number; tooLargeMessage: string }

const imageSizeLimit: FileSizeLimit = {
  maxBytes: limits.image.maxBytes,
  tooLargeMessage: uploadErrors.imageSize,
}

/**
 * Receives, processes and stores an image. Its type and its size in pixels are checked before it is decoded. If the
 * request is aborted, nothing is kept.
 *
 * @throws ApiError 400, 401, 403, 413, 415, 429, 503
 */
export async function uploadImage(caller: Caller, request: Request): Promise<ImageUpload> {
  await consumeUploadLimit(caller)
  const slot = acquireUploadSlot(caller.userId)
  try {
    const bytes = await readImageForm(request, imageSizeLimit, slot.reserveBytes)
    slot.markReceived()
    const type = detectImageType(bytes)
    if (!type) throw new ApiError(415, uploadErrors.imageType)
    const image = await processImage(bytes, type, request.signal)
    const id = await storeMedia(caller, type, image, request.signal)
    const { placeholder, width, height } = image
    return { imageUrl: mediaUrl(id), placeholder, width, height }
  } finally {
    slot.release()
  }
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
 * Reads the image in a multipart form.
 *
 * @param reserveBytes called with the size of each chunk as it arrives
 * @throws ApiError 400 if the form contains no image; 413; 415 if the body is not a multipart form
 */
export async function readImageForm(
  request: Request,
  sizeLimit: FileSizeLimit,
  reserveBytes: (count: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks = await openFileForm(request, {
    field: 'image',
    timeoutMs: receiveTimeoutMs,
    missingMessage: uploadErrors.noImage,
    ...sizeLimit,
  })
  warmUpImageWorker()
  const bytes = await readAllBytes(chunks, reserveBytes)
  if (bytes.length === 0) throw new ApiError(400, uploadErrors.noImage)
  return bytes
}
