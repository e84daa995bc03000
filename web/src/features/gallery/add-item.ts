import { GalleryItem } from '@contract/gallery.ts'
import { retryWithBackoff } from '@/lib/retry'
import { uploadFile } from '@/uploads/upload-request'

interface NewItem {
  /** Made here: however often it is sent, it is there once. */
  id: string
  file: File
  title: string
  description: string
}

interface AddOptions {
  signal: AbortSignal
  /** How much has been sent, from 0 to 1. Starts over with each attempt. */
  onProgress: (part: number) => void
  /** The connection was lost; another attempt follows after a while. */
  onWaiting: () => void
}

/** Adds a picture or a video to one's gallery; again when the connection is lost. */
export function addGalleryItem(
  { id, file, title, description }: NewItem,
  { signal, onProgress, onWaiting }: AddOptions,
): Promise<GalleryItem> {
  const options = { signal, onProgress, words: { id, title, description } }
  const send = () => uploadFile('/api/media-gallery', 'media', file, GalleryItem, options)
  return retryWithBackoff(send, { signal, onWaiting })
}
