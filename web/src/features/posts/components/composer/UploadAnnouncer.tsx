import { VisuallyHidden } from '@/ui/layout'
import type { ChosenMedia } from '../../chosen-media'
import { uploadStatusText } from './UploadStatusBar'

/** Percent between two announcements. */
const step = 25

/** Tells those who see no progress bar how far the upload is. It stays in the page: one that comes with its text is not read out. */
export function UploadAnnouncer({ chosen }: { chosen: ChosenMedia | undefined }) {
  return <VisuallyHidden role="status">{chosen && spoken(chosen)}</VisuallyHidden>
}

function spoken(chosen: ChosenMedia): string {
  if (chosen.state === 'done')
    return chosen.kind === 'image' ? 'The image is uploaded.' : 'The video is uploaded.'
  return uploadStatusText({ ...chosen, percent: Math.floor(chosen.percent / step) * step })
}
