import { limits } from '../contract/limits.ts'
import { env } from '../env.ts'
import type { Caller } from '../http/caller.ts'
import type { ImageType } from './file-types.ts'
import { type ImageSize, maxSourceSide } from './image-size.ts'
import { consumeUploadLimit } from './queries.ts'
import { createUploadSlots, type UploadSlot } from './upload-slots.ts'

// Upload limits that depend on the runtime. See docs/decisions/042-rehearsal-of-the-host.md.

/** How large images may be, and how they are stored. */
type ImageLimits = {
  /** Maximum number of pixels. For an animation, the total of all its frames. */
  maxPixels: Record<ImageType, number>
  /** Maximum length in pixels of the longer side of a stored image, unless the caller asks for less. */
  maxSide: number
  /** The tens digit is zlib's compression level, and the ones digit selects the filters. */
  pngQuality: number
}

const mebibyte = 1024 * 1024

/** About half of an isolate's resources, because the API itself needs some of them and processors differ in speed. */
const isolateBudget = { cpuMs: 1000, bytes: 128 * mebibyte }

type Cost = { baseMs: number; msPerMegapixel: number; baseBytes: number; bytesPerPixel: number }

/**
 * The cost of the most expensive images of each type (noise, and progressive JPEGs): the thread's CPU time and
 * ImageMagick's memory, measured with Deno 2.1.4. Each image was the first that an isolate processed, and was stored
 * with the `maxSide` and `pngQuality` of `isolateLimits`.
 */
const isolateCosts: Record<ImageType, Cost> = {
  'image/jpeg': { baseMs: 450, msPerMegapixel: 25, baseBytes: 40 * mebibyte, bytesPerPixel: 6 },
  'image/png': { baseMs: 500, msPerMegapixel: 100, baseBytes: 30 * mebibyte, bytesPerPixel: 8 },
  'image/gif': { baseMs: 100, msPerMegapixel: 30, baseBytes: 15 * mebibyte, bytesPerPixel: 5.5 },
}

function affordablePixels({ baseMs, msPerMegapixel, baseBytes, bytesPerPixel }: Cost): number {
  const byTime = ((isolateBudget.cpuMs - baseMs) / msPerMegapixel) * 1_000_000
  const byMemory = (isolateBudget.bytes - baseBytes) / bytesPerPixel
  return Math.floor(Math.min(byTime, byMemory))
}

const isolateLimits: ImageLimits = {
  maxPixels: {
    'image/jpeg': affordablePixels(isolateCosts['image/jpeg']),
    'image/png': affordablePixels(isolateCosts['image/png']),
    'image/gif': affordablePixels(isolateCosts['image/gif']),
  },
  // A low value, because encoding costs more than decoding. The web app reduces large images to at most this length
  // before it uploads them.
  maxSide: 1600,
  pngQuality: 15,
}

const processLimits: ImageLimits = {
  maxPixels: {
    'image/jpeg': limits.image.maxPixels,
    'image/png': limits.image.maxPixels,
    'image/gif': 75_000_000,
  },
  maxSide: 2560,
  pngQuality: 65,
}

export const imageLimits = env.isolateLimits ? isolateLimits : processLimits

/** Returns whether an image of this type and size is too large to decode. */
export function isImageTooLarge(type: ImageType, { width, height }: ImageSize): boolean {
  const maxPixels = Math.min(limits.image.maxPixels, imageLimits.maxPixels[type])
  return width > maxSourceSide || height > maxSourceSide || width * height > maxPixels
}

const acquireUploadSlot = createUploadSlots({
  perAccount: 4,
  received: 32,
  bytes: (env.isolateLimits ? 32 : 512) * mebibyte,
})

/**
 * Counts an upload against the caller's rate limit, and calls `receive` with a slot for the upload.
 *
 * @throws ApiError 401, 403, 429; any error that `receive` throws
 */
export async function withUploadSlot<T>(
  caller: Caller,
  receive: (slot: UploadSlot) => Promise<T>,
): Promise<T> {
  await consumeUploadLimit(caller)
  const slot = acquireUploadSlot(caller.userId)
  try {
    return await receive(slot)
  } finally {
    slot.release()
  }
}
