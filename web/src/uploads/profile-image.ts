import { limits } from '@contract/limits.ts'
import { uploadErrors } from '@contract/media.ts'
import { FileRejectedError } from './file-rejected-error'
import { sniffImage } from './file-type'
import { type ImageRules, prepareImage } from './prepare-image'

/** What a dialog for choosing a picture offers. */
export const imageTypes = 'image/jpeg,image/png,image/gif'

const rules: ImageRules = {
  wrongType: uploadErrors.ownImageType,
  maxBytes: limits.profileImage.maxBytes,
  tooLarge: uploadErrors.ownImageSize,
}

/** Pixels of a cover that is made smaller, and its JPEG quality: far below a megabyte, whatever it shows. */
const cover = { width: 1200, height: 400, quality: 0.8 }

/**
 * Looks at a profile photo before it is cropped.
 *
 * @throws FileRefused with what to tell
 */
export async function checkProfilePhoto(file: File): Promise<void> {
  if (!(await sniffImage(file))) throw new FileRejectedError('Invalid file type', rules.wrongType)
  if (file.size > rules.maxBytes) throw new FileRejectedError('File too large', rules.tooLarge)
}

/**
 * A cover as it is to be sent: as it is up to 1 MB, else made smaller, unless it moves.
 *
 * @throws FileRefused with what to tell
 */
export function prepareCoverImage(file: File, signal: AbortSignal, onCompress: () => void): Promise<File> {
  return prepareImage(file, { target: smallerCover, signal, rules, onCompress })
}

/**
 * The middle of a picture in the shape of a cover, as a JPEG. No cover is shown higher than that for its width, so
 * nothing goes that would be seen; fitted into that whole, a photo would keep less than half of the width.
 */
async function smallerCover(file: File, signal: AbortSignal): Promise<File> {
  const picture = await createImageBitmap(file)
  try {
    signal.throwIfAborted()
    // No larger than it is.
    const scale = Math.min(1, Math.max(cover.width / picture.width, cover.height / picture.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.min(cover.width, Math.round(picture.width * scale))
    canvas.height = Math.min(cover.height, Math.round(picture.height * scale))
    const context = canvas.getContext('2d')
    if (!context) throw new Error('The browser draws nothing.')
    // What is transparent would become black.
    context.fillStyle = 'white'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.imageSmoothingQuality = 'high'
    const width = picture.width * scale
    const height = picture.height * scale
    context.drawImage(picture, (canvas.width - width) / 2, (canvas.height - height) / 2, width, height)
    return await canvasToJpeg(canvas, cover.quality)
  } finally {
    picture.close()
  }
}

/** What is drawn, as a JPEG of a quality from 0 to 1. */
export async function canvasToJpeg(canvas: HTMLCanvasElement, quality: number): Promise<File> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
  if (!blob) throw new Error('The browser made no picture.')
  return new File([blob], 'picture.jpg', { type: 'image/jpeg' })
}
