import { limits } from '@contract/limits.ts'
import { uploadErrors } from '@contract/media.ts'
import type { ImageTarget } from './compress-image'
import { FileRejectedError } from './file-rejected-error'
import { isAnimatedGif, sniffImage } from './file-type'

/** What a picture may be, and what is said of one that is not. `maxBytes`: of one that cannot be made smaller. */
export interface ImageRules {
  wrongType: string
  maxBytes: number
  tooLarge: string
}

const usualRules: ImageRules = {
  wrongType: uploadErrors.imageType,
  maxBytes: limits.image.maxBytes,
  tooLarge: uploadErrors.imageSize,
}

export interface PrepareImageOptions {
  /** What it is made smaller to, or how. */
  target: ImageTarget | ((file: File, signal: AbortSignal) => Promise<File>)
  signal: AbortSignal
  rules?: ImageRules
  /** Told when the picture is about to be made smaller. */
  onCompress?: () => void
}

/**
 * A picture as it is to be sent: looked at by its content, whatever its name says, and made smaller when it is over
 * 1 MB and does not move. Throws `FileRefused` with what to tell.
 */
export async function prepareImage(
  file: File,
  { target, signal, rules = usualRules, onCompress }: PrepareImageOptions,
): Promise<File> {
  const type = await sniffImage(file)
  signal.throwIfAborted()
  if (!type) throw new FileRejectedError('Invalid file type', rules.wrongType)
  // The server looks at the content too, but the library goes by the type that the browser took from the name.
  const named = file.type === type ? file : new File([file], file.name, { type })
  if (file.size <= limits.image.compressAboveBytes) return named
  if (type === 'image/gif' && (await isAnimatedGif(file))) {
    if (file.size <= rules.maxBytes) return named
    throw new FileRejectedError('File too large', rules.tooLarge)
  }
  onCompress?.()
  try {
    if (typeof target === 'function') return await target(named, signal)
    const { compressImage: compress } = await import('./compress-image')
    return await compress(named, target, signal)
  } catch {
    signal.throwIfAborted()
    throw new FileRejectedError('Image processing failed', uploadErrors.imageBroken)
  }
}
