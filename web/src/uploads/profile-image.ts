import { limits } from '@contract/limits.ts'
import { uploadErrors } from '@contract/media.ts'
import { ApiError, isUnauthorized } from '@/lib/api'
import { type Toast, toast } from '@/ui/toaster'
import { FileRejectedError, sniffImage } from './file-type'
import { type ImageRules, prepareImage } from './prepare-image'

/** The `accept` value of a file picker for profile images. */
export const imageTypes = 'image/jpeg,image/png,image/gif'

const rules: ImageRules = {
  wrongType: uploadErrors.ownImageType,
  maxBytes: limits.profileImage.maxBytes,
  tooLarge: uploadErrors.ownImageSize,
}

/** Size in pixels and JPEG quality of a compressed cover: far below 1 MB for any image. */
const cover = { width: 1200, height: 400, quality: 0.8 }

/**
 * Checks the type and size of a profile photo before it is cropped.
 *
 * @throws FileRejectedError with the text to show
 */
export async function checkProfilePhoto(file: File): Promise<void> {
  if (!(await sniffImage(file))) throw new FileRejectedError('Invalid file type', rules.wrongType)
  if (file.size > rules.maxBytes) throw new FileRejectedError('File too large', rules.tooLarge)
}

/**
 * Returns a cover ready for upload: unchanged up to 1 MB or if it is animated, else compressed.
 *
 * @throws FileRejectedError with the text to show
 */
export function prepareCoverImage(file: File, signal: AbortSignal, onCompress: () => void): Promise<File> {
  return prepareImage(file, { target: compressCover, signal, rules, onCompress })
}

/**
 * Crops the middle of an image to the aspect ratio of a cover and returns it as a JPEG. No screen shows a cover in a
 * taller ratio, so nothing visible is lost. Fitting the whole image into the size instead would leave a photo less than
 * half of the width.
 */
async function compressCover(file: File, signal: AbortSignal): Promise<File> {
  const image = await createImageBitmap(file)
  try {
    signal.throwIfAborted()
    // Never enlarges the image.
    const scale = Math.min(1, Math.max(cover.width / image.width, cover.height / image.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.min(cover.width, Math.round(image.width * scale))
    canvas.height = Math.min(cover.height, Math.round(image.height * scale))
    const context = canvas.getContext('2d')
    if (!context) throw new Error('The browser provides no 2D canvas context.')
    // Transparent areas would become black.
    context.fillStyle = 'white'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.imageSmoothingQuality = 'high'
    const width = image.width * scale
    const height = image.height * scale
    context.drawImage(image, (canvas.width - width) / 2, (canvas.height - height) / 2, width, height)
    return await canvasToJpeg(canvas, cover.quality)
  } finally {
    image.close()
  }
}

/**
 * Returns the content of a canvas as a JPEG file.
 *
 * @param quality from 0 to 1
 */
export async function canvasToJpeg(canvas: HTMLCanvasElement, quality: number): Promise<File> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
  if (!blob) throw new Error('The browser could not encode the canvas as a JPEG.')
  return new File([blob], 'picture.jpg', { type: 'image/jpeg' })
}

/** Where an image is replaced. Each place has its own texts. */
export type ProfileImagePlace = 'profile' | 'background' | 'header'

const error = (description: string) => ({ title: 'Error', description })

export const profileImageToasts: Record<
  ProfileImagePlace,
  Record<'uploaded' | 'removed' | 'uploadFailed' | 'removeFailed', Toast>
> = {
  profile: {
    uploaded: { title: 'Profile image updated successfully!' },
    removed: { title: 'Profile image removed' },
    uploadFailed: error('Failed to upload image. Please try again.'),
    removeFailed: error('Failed to remove image. Please try again.'),
  },
  background: {
    uploaded: { title: 'Background image uploaded successfully!' },
    removed: { title: 'Background image removed' },
    uploadFailed: error('Failed to upload background image. Please try again.'),
    removeFailed: error('Failed to remove background image. Please try again.'),
  },
  header: {
    uploaded: { title: 'Background updated' },
    removed: { title: 'Background removed' },
    uploadFailed: {
      title: 'Upload failed',
      description: 'Failed to update background image. Please try again.',
    },
    removeFailed: error('Failed to remove background image. Please try again.'),
  },
}

/** Shows why an image was not stored: the reason of the client or server if there is one, else `fallback`. */
export function showImageError(failure: unknown, fallback: Toast): void {
  // The session has ended: the redirect to the sign-in page reports that.
  if (isUnauthorized(failure)) return
  if (failure instanceof FileRejectedError) {
    toast({ title: failure.title, description: failure.message, tone: 'destructive' })
    return
  }
  const reason = failure instanceof ApiError && failure.status < 500 ? failure.serverMessage : ''
  toast({ ...fallback, ...(reason ? { description: reason } : {}), tone: 'destructive' })
}
