import type { Toast } from '@/ui/toaster'
import type { GalleryUpload } from './useGalleryUploads'

/** What follows when files have arrived or failed: what is said, and whether there is nothing left to do. */
export interface UploadOutcome {
  toast: Toast | null
  finished: boolean
}

const nothing: UploadOutcome = { toast: null, finished: false }

const underWay: readonly GalleryUpload['state'][] = ['preparing', 'uploading', 'waiting']
export const isUploading = ({ state }: Pick<GalleryUpload, 'state'>) => underWay.includes(state)

/**
 * Looks at every file that is there, not only at those that were sent together: others may be on their way, have
 * failed, or wait to be sent with the words they were given. While some are on their way nothing is said: the last
 * one speaks for all.
 *
 * @param choosing further files are being looked at
 */
export function uploadOutcome(
  uploads: readonly Pick<GalleryUpload, 'state'>[],
  choosing: boolean,
): UploadOutcome {
  if (uploads.some(isUploading)) return nothing
  const failed = uploads.filter(({ state }) => state === 'failed').length
  if (failed > 0) {
    const description = failed === 1 ? '1 file was not added.' : `${failed} files were not added.`
    return { toast: { title: 'Upload failed', description, tone: 'destructive' }, finished: false }
  }
  const added = uploads.filter(({ state }) => state === 'done').length
  if (added === 0) return nothing
  return { toast: { title: 'Added to your gallery' }, finished: added === uploads.length && !choosing }
}
