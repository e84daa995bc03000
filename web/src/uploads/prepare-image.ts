import { limits } from '@contract/limits.ts'
import { uploadErrors } from '@contract/media.ts'
import { t } from '@lingui/core/macro'
import type { ImageTarget } from './compress-image'
import { FileRejectedError, isAnimatedGif, sniffImage } from './file-type'

/**
 * Limits of an image and the errors for violating them, in English. `prepareImage` applies `maxBytes` only to images
 * that it does not compress.
 */
export interface ImageRules {
  wrongType: string
  maxBytes: number
  tooLarge: string
}

const defaultRules: ImageRules = {
  wrongType: uploadErrors.imageType,
  maxBytes: limits.image.maxBytes,
  tooLarge: uploadErrors.imageSize,
}

/** The size in pixels and megabytes of images in posts and galleries, and their JPEG quality. */
export const postImageTarget: ImageTarget = { maxSide: 1080, maxMegabytes: 2, quality: 0.85 }

interface PrepareImageOptions {
  /** The target of the compression, or a function that compresses the file. */
  target: ImageTarget | ((file: File, signal: AbortSignal) => Promise<File>)
  signal: AbortSignal
  rules?: ImageRules
  /** Called before the image is compressed. */
  onCompress?: () => void
}

/**
 * Returns an image ready for upload: its type is detected from the content, and an image over 1 MB or 4 megapixels is
 * compressed unless it is animated.
 *
 * @throws FileRejectedError with the text to show
 */
export async function prepareImage(
  file: File,
  { target, signal, rules = defaultRules, onCompress }: PrepareImageOptions,
): Promise<File> {
  const type = await sniffImage(file)
  signal.throwIfAborted()
  if (!type) throw new FileRejectedError(t`Invalid file type`, rules.wrongType)
  // The compression library trusts the type that the browser derived from the name.
  const typedFile = file.type === type ? file : new File([file], file.name, { type })
  const isSmall = file.size <= limits.image.compressAboveBytes && !(await hasManyPixels(typedFile))
  signal.throwIfAborted()
  if (isSmall) return typedFile
  if (type === 'image/gif' && (await isAnimatedGif(file))) {
    if (file.size <= rules.maxBytes) return typedFile
    throw new FileRejectedError(t`File too large`, rules.tooLarge)
  }
  onCompress?.()
  try {
    if (typeof target === 'function') return await target(typedFile, signal)
    const { compressImage } = await import('./compress-image')
    return await compressImage(typedFile, target, signal)
  } catch {
    signal.throwIfAborted()
    throw new FileRejectedError(t`Image processing failed`, uploadErrors.imageBroken)
  }
}

/** Returns whether an image has too many pixels to be uploaded unchanged. Returns false if it cannot be decoded. */
async function hasManyPixels(file: File): Promise<boolean> {
  try {
    const bitmap = await createImageBitmap(file)
    const pixels = bitmap.width * bitmap.height
    bitmap.close()
    return pixels > limits.image.compressAbovePixels
  } catch {
    return false
  }
}
