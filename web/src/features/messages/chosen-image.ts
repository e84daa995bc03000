import { limits } from '@contract/limits.ts'
import { uploadErrors } from '@contract/media.ts'
import { create } from 'zustand'
import { onSignOut } from '@/session/session'
import { toast } from '@/ui/toaster'
import { FileRejectedError } from '@/uploads/file-rejected-error'
import { prepareImage } from '@/uploads/prepare-image'
import type { OutboxImage } from './outbox/outbox-item'

/** The picture of a message that is being written; `image` is null while it is looked at and made smaller. */
export interface ChosenImage {
  previewUrl: string
  image: OutboxImage | null
  /** Ends its preparation. */
  stop: AbortController
}

/** Pictures of messages: pixels, megabytes, JPEG quality. */
const messageImage = { maxSide: 1600, maxMegabytes: 2, quality: 0.85 }

const usePictures = create<Readonly<Record<string, ChosenImage>>>(() => ({}))

/** The picture that the next message to somebody will have. */
export function useChosenImage(receiverId: string): ChosenImage | undefined {
  return usePictures((pictures) => pictures[receiverId])
}

/** Looks at a file by its content and, unless it is refused, takes it in place of the picture chosen before. */
export async function chooseImage(receiverId: string, file: File): Promise<void> {
  removeChosenImage(receiverId)
  const chosen: ChosenImage = {
    previewUrl: URL.createObjectURL(file),
    image: null,
    stop: new AbortController(),
  }
  usePictures.setState({ [receiverId]: chosen })
  const { signal } = chosen.stop
  try {
    const blob = await prepareImage(file, { target: messageImage, signal })
    const size = await sizeOf(blob)
    if (!signal.aborted) usePictures.setState({ [receiverId]: { ...chosen, image: { blob, ...size } } })
  } catch (error) {
    if (signal.aborted) return
    removeChosenImage(receiverId)
    const title = error instanceof FileRejectedError ? error.title : 'Image processing failed'
    const description = error instanceof FileRejectedError ? error.message : uploadErrors.imageBroken
    toast({ title, description, tone: 'destructive' })
  }
}

export function removeChosenImage(receiverId: string): void {
  const { [receiverId]: chosen, ...others } = usePictures.getState()
  if (!chosen) return
  chosen.stop.abort()
  URL.revokeObjectURL(chosen.previewUrl)
  usePictures.setState(others, true)
}

/** Pixels, as the picture is seen. */
async function sizeOf(blob: Blob): Promise<{ width: number; height: number }> {
  const drawn = await createImageBitmap(blob)
  const { width, height } = drawn
  drawn.close()
  if (width * height > limits.image.maxPixels) {
    throw new FileRejectedError('File too large', uploadErrors.imagePixels)
  }
  return { width, height }
}

onSignOut(() => {
  for (const receiverId of Object.keys(usePictures.getState())) removeChosenImage(receiverId)
})
