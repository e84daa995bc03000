import { t } from '@lingui/core/macro'
import { toast } from './toaster'

/** Opens the share sheet of the device or, if it has none, copies the link. */
export function shareLink(url: string): void {
  // Rejects if the user closes the share sheet.
  if (navigator.share) navigator.share({ url }).catch(() => {})
  else void copyLink(url)
}

/** Copies a link to the clipboard and reports the outcome in a toast. */
export async function copyLink(url: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(url)
    toast({ title: t`Link copied` })
  } catch {
    toast({ title: t`Couldn't copy the link`, tone: 'destructive' })
  }
}
