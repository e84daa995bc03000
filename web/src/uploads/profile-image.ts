import { limits } from '@contract/limits.ts'
import { uploadErrors } from '@contract/media.ts'
import { t } from '@lingui/core/macro'
import { type Toast, toast } from '@/ui/toaster'
import { FileRejectedError, sniffImage } from './file-type'
import { type ImageRules, prepareImage } from './prepare-image'

const rules: ImageRules = {
  wrongType: uploadErrors.ownImageType,
  maxBytes: limits.profileImage.maxBytes,
  tooLarge: uploadErrors.ownImageSize,
}

/** Size in pixels and JPEG quality of a compressed cover, which is always far smaller than 1 MB. */
const cover = { width: 1200, height: 400, quality: 0.8 }

/**
 * Checks the type and size of a profile photo before it is cropped.
 *
 * @throws FileRejectedError with the text to show
 */
export async function checkProfilePhoto(file: File): Promise<void> {
  if (!(await sniffImage(file))) {
    throw new FileRejectedError(t`Invalid file type`, rules.wrongType)
  }
  if (file.size > rules.maxBytes) {
    throw new FileRejectedError(t`File too large`, rules.tooLarge)
  }
}

/**
 * Returns a cover ready for upload: an image over 1 MB or 4 megapixels is compressed unless it is animated.
 *
 * @throws FileRejectedError with the text to show
 */
export function prepareCoverImage(file: File, signal: AbortSignal, onCompress: () => void): Promise<File> {
  return prepareImage(file, { target: compressCover, signal, rules, onCompress })
}

/**
 * Crops an image around its center to the aspect ratio of a cover and returns it as a JPEG. No screen shows a cover at
 * a taller ratio, so nothing visible is lost. Fitting the whole image into a cover's size instead would make a photo
 * less than half as wide.
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

/** Where in the app an image is replaced. Each place has its own toasts. */
export type ProfileImagePlace = 'profile' | 'background' | 'header'

interface ProfileImageToasts {
  uploaded: Toast
  removed: Toast
  uploadFailed: Required<Pick<Toast, 'title' | 'description'>>
  removeFailed: Required<Pick<Toast, 'title' | 'description'>>
}

/** Returns the toasts of a place. */
export function profileImageToasts(place: ProfileImagePlace): ProfileImageToasts {
  switch (place) {
    case 'profile':
      return {
        uploaded: { title: t`Profile image updated successfully!` },
        removed: { title: t`Profile image removed` },
        uploadFailed: { title: t`Error`, description: t`Failed to upload image. Please try again.` },
        removeFailed: { title: t`Error`, description: t`Couldn't remove the image. Try again.` },
      }
    case 'background':
      return {
        uploaded: { title: t`Background image uploaded successfully!` },
        removed: { title: t`Background image removed` },
        uploadFailed: {
          title: t`Error`,
          description: t`Failed to upload background image. Please try again.`,
        },
        removeFailed: { title: t`Error`, description: t`Couldn't remove the background image. Try again.` },
      }
    case 'header':
      return {
        uploaded: { title: t`Background updated` },
        removed: { title: t`Background removed` },
        uploadFailed: {
          title: t`Upload failed`,
          description: t`Failed to update background image. Please try again.`,
        },
        removeFailed: { title: t`Error`, description: t`Couldn't remove the background image. Try again.` },
      }
  }
}

/** Shows why an image cannot be uploaded: the reason for its rejection, else `fallback`. */
export function showImageError(error: unknown, fallback: Toast): void {
  const text =
    error instanceof FileRejectedError ? { title: error.title, description: error.message } : fallback
  toast({ ...text, tone: 'destructive' })
}
