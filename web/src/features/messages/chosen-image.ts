import { limits } from '@contract/limits.ts'
import { uploadErrors } from '@contract/media.ts'
import { t } from '@lingui/core/macro'
import { create } from 'zustand'
import { onSignOut } from '@/session/session'
import { toast } from '@/ui/toaster'
import { FileRejectedError } from '@/uploads/file-type'
import { prepareImage } from '@/uploads/prepare-image'
import type { OutboxImage } from './outbox/outbox'

/** The image of a message that is being written. */
export interface ChosenImage {
  previewUrl: string
  /** Null while the image is being checked and compressed. */
  image: OutboxImage | null
  /** The price as typed, in US dollars; null if the image is free. */
  price: string | null
  /** Aborts the preparation. */
  abortController: AbortController
}

/** The limits of message images, in pixels and megabytes, and their JPEG quality. */
const messageImage = { maxSide: 1600, maxMegabytes: 2, quality: 0.85 }

/** The chosen images, keyed by the receiver's id. */
const useStore = create<Readonly<Record<string, ChosenImage>>>(() => ({}))

/** Returns the image chosen for the next message to `receiverId`. */
export function useChosenImage(receiverId: string): ChosenImage | undefined {
  return useStore((images) => images[receiverId])
}

/**
 * Checks and compresses a file and makes it the chosen image, at the price of the image that it replaces. Shows a toast
 * if the file is rejected.
 */
export async function chooseImage(receiverId: string, file: File): Promise<void> {
  const price = useStore.getState()[receiverId]?.price ?? null
  removeChosenImage(receiverId)
  const chosenImage: ChosenImage = {
    previewUrl: URL.createObjectURL(file),
    image: null,
    price,
    abortController: new AbortController(),
  }
  useStore.setState({ [receiverId]: chosenImage })
  const { signal } = chosenImage.abortController
  try {
    const blob = await prepareImage(file, { target: messageImage, signal })
    const size = await measureImage(blob)
    if (!signal.aborted) changeChosenImage(receiverId, { image: { blob, ...size } })
  } catch (error) {
    if (signal.aborted) return
    removeChosenImage(receiverId)
    const { title, message } =
      error instanceof FileRejectedError
        ? error
        : new FileRejectedError(t`Image processing failed`, uploadErrors.imageBroken)
    toast({ title, description: message, tone: 'destructive' })
  }
}

export function changeChosenImage(
  receiverId: string,
  change: Partial<Pick<ChosenImage, 'image' | 'price'>>,
): void {
  useStore.setState((images) =>
    images[receiverId] ? { [receiverId]: { ...images[receiverId], ...change } } : images,
  )
}

export function removeChosenImage(receiverId: string): void {
  const { [receiverId]: chosenImage, ...others } = useStore.getState()
  if (!chosenImage) return
  chosenImage.abortController.abort()
  URL.revokeObjectURL(chosenImage.previewUrl)
  useStore.setState(others, true)
}

/** Returns the size in pixels after any EXIF rotation. @throws FileRejectedError if the image has too many pixels */
async function measureImage(blob: Blob): Promise<{ width: number; height: number }> {
  const bitmap = await createImageBitmap(blob)
  const { width, height } = bitmap
  bitmap.close()
  if (width * height > limits.image.maxPixels) {
    throw new FileRejectedError(t`File too large`, uploadErrors.imagePixels)
  }
  return { width, height }
}

onSignOut(() => {
  for (const receiverId of Object.keys(useStore.getState())) removeChosenImage(receiverId)
})
