import { limits } from '@contract/limits.ts'
import type { ImageTarget } from './compress'
import { FileRefused } from './refused'
import { isAnimatedGif, sniffImage } from './sniff'

export interface ImageOrder {
  target: ImageTarget
  signal: AbortSignal
  /** Told when the picture is about to be made smaller. */
  onCompress?: () => void
}

/**
 * A picture as it is to be sent: looked at by its content, whatever its name says, and made smaller when it is over
 * 1 MB and does not move. Throws `FileRefused` with what to tell.
 */
export async function imageForUpload(file: File, { target, signal, onCompress }: ImageOrder): Promise<File> {
  const type = await sniffImage(file)
  signal.throwIfAborted()
  if (!type) throw new FileRefused('Invalid file type', 'Please select a JPG, PNG, or GIF image.')
  // The server looks at the content too, but the library goes by the type that the browser took from the name.
  const named = file.type === type ? file : new File([file], file.name, { type })
  if (file.size <= limits.image.compressAbove) return named
  if (type === 'image/gif' && (await isAnimatedGif(file))) {
    if (file.size <= limits.image.maxBytes) return named
    throw new FileRefused('File too large', 'Image must be less than 10MB')
  }
  onCompress?.()
  try {
    const { compress } = await import('./compress')
    return await compress(named, target, signal)
  } catch {
    signal.throwIfAborted()
    throw new FileRefused(
      'Image processing failed',
      'Failed to process the image. Please try a different image.',
    )
  }
}
