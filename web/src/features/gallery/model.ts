import type { GalleryItem } from '@contract/gallery.ts'
import type { VideoType } from '@contract/media.ts'
import { plural, t } from '@lingui/core/macro'
import type { LightboxItem } from '@/ui/Lightbox'
import type { Toast } from '@/ui/toaster'

/** Returns the alternative text of an item. */
export function mediaAltText({ mediaType, title, description }: GalleryItem, ownerName: string): string {
  const isImage = mediaType === 'image'
  const alt = title ?? description
  if (alt) return isImage ? t`Photo: ${alt}` : t`Video: ${alt}`
  return isImage ? t`Photo by ${ownerName}` : t`Video by ${ownerName}`
}

/** Converts an item for the lightbox. Users can download only their own items. */
export function toLightboxItem(item: GalleryItem, ownerName: string, own: boolean): LightboxItem {
  const { id, mediaType, mediaUrl, title, description, width, height, placeholder } = item
  const label = mediaAltText(item, ownerName)
  const size = { width, height, placeholder }
  return { id, kind: mediaType, url: mediaUrl, label, title, text: description, ...size, canDownload: own }
}

/** Returns the DOM id of an item's tile. */
export const tileId = (id: string) => `gallery-${id}`

/** A file that has passed the type and size checks. Its type is detected from its content. */
export interface AcceptedFile {
  /** The id of the item to be created. */
  id: string
  file: File
  kind: 'image' | 'video'
  videoType: VideoType | null
  /** An object URL. */
  previewUrl: string
}

/** A file in the upload dialog. `waiting` means that the connection was lost and another attempt follows. */
export interface GalleryUpload extends AcceptedFile {
  title: string
  description: string
  state: 'chosen' | 'preparing' | 'uploading' | 'waiting' | 'failed' | 'done'
  /** How much has been uploaded, as a whole percentage. */
  percent: number
  /** Why the upload failed. */
  problem: string | null
}

const uploadingStates: readonly GalleryUpload['state'][] = ['preparing', 'uploading', 'waiting']
export const isUploading = ({ state }: Pick<GalleryUpload, 'state'>) => uploadingStates.includes(state)

/** The toast to show when uploads have ended, and whether the dialog can close. */
export interface UploadOutcome {
  toast: Toast | null
  isFinished: boolean
}

const noOutcome: UploadOutcome = { toast: null, isFinished: false }

/**
 * Returns the outcome of all uploads in the dialog, including earlier ones. There is no outcome while any of them is in
 * progress, so that only the last upload to end shows a toast.
 *
 * @param isAddingFiles whether more files are being checked
 */
export function uploadOutcome(
  uploads: readonly Pick<GalleryUpload, 'state'>[],
  isAddingFiles: boolean,
): UploadOutcome {
  if (uploads.some(isUploading)) return noOutcome
  const failedCount = uploads.filter(({ state }) => state === 'failed').length
  if (failedCount > 0) {
    const description = t`${plural(failedCount, {
      one: "# file wasn't added.",
      other: "# files weren't added.",
    })}`
    return { toast: { title: t`Upload failed`, description, tone: 'destructive' }, isFinished: false }
  }
  const addedCount = uploads.filter(({ state }) => state === 'done').length
  if (addedCount === 0) return noOutcome
  return {
    toast: { title: t`Added to your gallery` },
    isFinished: addedCount === uploads.length && !isAddingFiles,
  }
}
