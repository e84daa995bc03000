import { t } from '@lingui/core/macro'
import { formatPercent } from '@/lib/format'
import { VisuallyHidden } from '@/ui/layout'
import type { ChosenMedia, MediaKind } from '../../chosen-media'

/** The progress between two announcements, in percent. */
const announcementStep = 25

/**
 * Announces the progress of an upload to screen readers. The component must stay mounted, because a status region that
 * is inserted together with its text is not announced.
 */
export function UploadAnnouncer({ chosen }: { chosen: ChosenMedia | undefined }) {
  return <VisuallyHidden role="status">{chosen && announcement(chosen)}</VisuallyHidden>
}

function announcement(chosen: ChosenMedia): string {
  if (chosen.state === 'done') return uploadedText(chosen.kind)
  const percent = Math.floor(chosen.percent / announcementStep) * announcementStep
  return uploadStatusText({ ...chosen, percent })
}

export function uploadedText(kind: MediaKind): string {
  return kind === 'image' ? t`Image uploaded` : t`Video uploaded`
}

/** Describes the state and the progress of an upload. */
export function uploadStatusText({ state, percent, kind }: ChosenMedia): string {
  if (state === 'waiting') return t`Connection lost. Reconnecting…`
  if (state === 'failed') return t`Upload failed`
  if (state === 'preparing') return kind === 'image' ? t`Preparing image…` : t`Preparing video…`
  // At 100%, all bytes have been sent, but the server has not responded yet.
  if (percent >= 100) return t`Almost done…`
  const progress = formatPercent(percent)
  return t`Uploading ${progress}`
}
