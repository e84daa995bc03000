import { Buffer } from 'node:buffer'
import {
  ColorSpace,
  FilterType,
  type IMagickImage,
  ImageMagick,
  initializeImageMagick,
  MagickFormat,
  MagickGeometry,
  MagickImage,
  MagickReadSettings,
  ResourceLimits,
} from '@imagemagick/magick-wasm'
import type { ImageType } from './file-types.ts'
import { maxGifFrames, sanitizeGif, sanitizeJpeg, sanitizePng } from './image-sanitizer.ts'
import { type ImageSize, maxSourceSide } from './image-size.ts'

/** An image without metadata, its size in pixels, and its placeholder as a `data:` URL. */
export type ProcessedImage = ImageSize & { bytes: Uint8Array<ArrayBuffer>; placeholder: string }
/** Why an image was rejected: it cannot be decoded, or it has too many pixels. */
export type ImageRejection = 'broken' | 'pixels'

/** How an image is stored. */
export type EncodingOptions = {
  /** Maximum length in pixels of the longer side; ignored for a GIF. */
  maxSide: number
  /** Maximum number of pixels in all frames of a GIF together. */
  maxPixels: number
  /** The tens digit is zlib's compression level, and the ones digit selects the filters. */
  pngQuality: number
}

/**
 * An image to process, with the arguments of `sanitizeImage`. Its bytes are transferred to and from the worker, not
 * copied.
 */
export type ImageJob = {
  bytes: Uint8Array<ArrayBuffer>
  type: ImageType
  size: ImageSize
  options: EncodingOptions
}
export type ImageJobResult = ProcessedImage | ImageRejection

/**
 * Minimum length in pixels of the longer side of a JPEG that the decoder reduces to less than `maxSide`. If the web app
 * compresses an image before uploading it, its longer side has at most this length.
 */
const minReducedSide = 1600
/** Maximum length in pixels of the longer side of a placeholder. */
const placeholderMaxSide = 22
const jpegQuality = 87
/** A JPEG with more bytes is encoded again, which makes it much smaller. */
const maxKeptJpegBytes = ({ width, height }: ImageSize) => 10_000 + 1.5 * width * height
/** Real color profiles are rarely larger. A profile is the only part of an image whose content is not checked. */
const maxColorProfileBytes = 1024 * 1024
/** The metadata chunks to leave out of a PNG. Unlike the list that `strip` sets, this one keeps the color profile. */
const excludedPngChunks = 'bKGD,caNv,cHRM,date,eXIf,iTXt,orNT,sRGB,tEXt,tIME,vpAg,zCCP,zTXt'

const formats: Record<ImageType, MagickFormat> = {
  'image/jpeg': MagickFormat.Jpeg,
  'image/png': MagickFormat.Png,
  'image/gif': MagickFormat.Gif,
}

let loadingPromise: Promise<void> | undefined

/** Loads ImageMagick once. */
export function loadImageMagick(compiled: WebAssembly.Module | Promise<WebAssembly.Module>): Promise<void> {
  loadingPromise ??= (async () => {
    await initializeImageMagick(await compiled)
    ResourceLimits.memory = 1024n ** 3n
    ResourceLimits.area = 1024n ** 3n
    // The header has already been checked. These limits apply if the decoder interprets it differently.
    ResourceLimits.width = BigInt(maxSourceSide)
    ResourceLimits.height = BigInt(maxSourceSide)
    // The limit is exclusive: ImageMagick also rejects a list of exactly this length.
    ResourceLimits.listLength = BigInt(maxGifFrames + 1)
    ResourceLimits.maxProfileSize = BigInt(8 * maxColorProfileBytes)
    // An image that does not fit into memory is rejected rather than cached on disk.
    ResourceLimits.disk = 0n
  })()
  return loadingPromise
}

/**
 * Decodes an image and returns it upright, with nothing but its pixels and color profile. The frames of a GIF are kept,
 * and so are the compressed pixels of a JPEG if possible; other images are encoded again. This is slow and needs a lot
 * of memory, so it should run in a worker.
 *
 * @param type the detected type; no other decoder is tried
 * @param size the size from the header, within the limits
 */
export function sanitizeImage(
  bytes: Uint8Array,
  type: ImageType,
  size: ImageSize,
  options: EncodingOptions,
): ProcessedImage | ImageRejection {
  try {
    return type === 'image/gif'
      ? sanitizeAnimation(bytes, size, options)
      : sanitizeStill(bytes, type, size, options)
  } catch (error) {
    // The decoder's message about a broken file is not useful, but a crash of the decoder must be reported.
    if (error instanceof WebAssembly.RuntimeError) throw error
    return 'broken'
  }
}

function sanitizeStill(
  source: Uint8Array,
  type: ImageType,
  size: ImageSize,
  { maxSide, pngQuality }: EncodingOptions,
): ProcessedImage | ImageRejection {
  const keptJpeg =
    type === 'image/jpeg' && Math.max(size.width, size.height) <= maxSide && keepJpeg(source, size)
  if (keptJpeg) return keptJpeg
  const bytes = type === 'image/png' ? sanitizePng(source) : source
  if (!bytes) return 'broken'
  const settings = new MagickReadSettings({ format: formats[type] })
  const reduced = reducedSize(size, maxSide)
  if (reduced) settings.setDefine(MagickFormat.Jpeg, 'size', `${reduced.width}x${reduced.height}`)
  return ImageMagick.read(bytes, settings, (image) => {
    image.autoOrient()
    if (image.width > maxSide || image.height > maxSide) {
      scaleDown(image, maxSide)
    }
    const { width, height } = image
    convertToRgb(image)
    stripMetadata(image)
    image.quality = type === 'image/jpeg' ? jpegQuality : pngQuality
    const encoded = image.write(formats[type], (data) => data.slice())
    return { bytes: encoded, width, height, placeholder: createPlaceholder(image) }
  })
}

/**
 * Returns a JPEG with its compressed pixels unchanged, which is faster than encoding them again and keeps their
 * quality. JPEGs that the web app has compressed can be kept this way. Returns null if the JPEG has to be encoded
 * again, for example because the decoder found bytes that belong to no pixel.
 */
function keepJpeg(source: Uint8Array, size: ImageSize): ProcessedImage | null {
  const bytes = sanitizeJpeg(source, maxColorProfileBytes)
  if (!bytes || bytes.length > maxKeptJpegBytes(size)) return null
  const settings = new MagickReadSettings({ format: MagickFormat.Jpeg })
  // The decoder reads all of the data, but computes only one pixel for each block of 8 × 8 pixels.
  settings.setDefine(MagickFormat.Jpeg, 'size', `${Math.ceil(size.width / 8)}x${Math.ceil(size.height / 8)}`)
  const image = MagickImage.create()
  try {
    let hasWarning = false
    image.onWarning = () => {
      hasWarning = true
    }
    image.read(bytes, settings)
    return hasWarning ? null : { bytes, ...size, placeholder: createPlaceholder(image) }
  } finally {
    image.dispose()
  }
}

/**
 * Returns the reduced size at which the decoder should read a large JPEG: a whole number of eighths of the full size.
 * This costs less than reading the JPEG at full size and scaling it down afterwards. Both sides must be exact, because
 * the decoder uses the larger of the two ratios: an inexact side could make it read a larger image.
 *
 * @returns null if the image must be read at full size
 */
function reducedSize({ width, height }: ImageSize, maxSide: number): ImageSize | null {
  const side = Math.max(width, height)
  const eighths = (length: number, count: number) => Math.ceil((length * count) / 8)
  if (side <= maxSide) return null
  let count = 8
  while (count > 1 && eighths(side, count - 1) >= Math.min(minReducedSide, maxSide)) {
    count--
    if (eighths(side, count) <= maxSide) break
  }
  return count === 8 ? null : { width: eighths(width, count), height: eighths(height, count) }
}

/** Scales an image down, with a filter that looks as good as the default one here and is four times as fast. */
function scaleDown(image: IMagickImage, maxSide: number): void {
  image.filterType = FilterType.Triangle
  image.resize(new MagickGeometry(maxSide, maxSide))
}

function sanitizeAnimation(
  bytes: Uint8Array,
  size: ImageSize,
  { maxPixels }: EncodingOptions,
): ProcessedImage | ImageRejection {
  const sanitized = sanitizeGif(bytes, size, maxPixels)
  if (typeof sanitized === 'string') return sanitized
  const settings = new MagickReadSettings({ format: MagickFormat.Gif })
  return ImageMagick.readCollection(sanitized.bytes, settings, (frames): ProcessedImage | ImageRejection => {
    const [first] = frames
    // If a frame cannot be decoded, the list ends before it.
    if (!first || frames.length !== sanitized.frames) return 'broken'
    return { bytes: sanitized.bytes, ...size, placeholder: createPlaceholder(first) }
  })
}

/** Converts a CMYK image to RGB. CMYK is meant for print, and many browsers display it with wrong colors. */
function convertToRgb(image: IMagickImage): void {
  if (image.colorSpace !== ColorSpace.CMYK) return
  image.removeProfile('icc')
  image.colorSpace = ColorSpace.sRGB
}

/** Removes everything from an image except its pixels and its color profile. */
function stripMetadata(image: IMagickImage): void {
  // Copied, because `strip` frees the memory of the profile.
  const profile = image.getColorProfile()?.data.slice()
  image.strip()
  if (profile && profile.length <= maxColorProfileBytes) image.setProfile('icc', profile)
  image.setArtifact('png:exclude-chunk', excludedPngChunks)
}

/** Returns a blurred placeholder of a few hundred bytes as a `data:` URL. Changes the image. */
function createPlaceholder(image: IMagickImage): string {
  image.strip()
  scaleDown(image, placeholderMaxSide)
  image.blur(0, 0.8)
  image.quality = 40
  const base64 = image.write(MagickFormat.WebP, (data) => Buffer.from(data).toString('base64'))
  return `data:image/webp;base64,${base64}`
}
