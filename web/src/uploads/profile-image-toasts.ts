import { ApiError, isUnauthorized } from '@/lib/api'
import { type Toast, toast } from '@/ui/toaster'
import { FileRejectedError } from './file-rejected-error'

/** Where a picture is replaced: each place says it in its own words. */
export type ProfileImagePlace = 'profile' | 'background' | 'header'

const error = (description: string) => ({ title: 'Error', description })

export const profileImageToasts: Record<
  ProfileImagePlace,
  Record<'stored' | 'removed' | 'failed' | 'kept', Toast>
> = {
  profile: {
    stored: { title: 'Profile image updated successfully!' },
    removed: { title: 'Profile image removed' },
    failed: error('Failed to upload image. Please try again.'),
    kept: error('Failed to remove image. Please try again.'),
  },
  background: {
    stored: { title: 'Background image uploaded successfully!' },
    removed: { title: 'Background image removed' },
    failed: error('Failed to upload background image. Please try again.'),
    kept: error('Failed to remove background image. Please try again.'),
  },
  header: {
    stored: { title: 'Background updated' },
    removed: { title: 'Background removed' },
    failed: { title: 'Upload failed', description: 'Failed to update background image. Please try again.' },
    kept: error('Failed to remove background image. Please try again.'),
  },
}

/** Says why something did not work: what refused it says itself, else in the words given. */
export function showImageError(failure: unknown, words: Toast): void {
  // Somebody whose session is over is told so, and led to sign in.
  if (isUnauthorized(failure)) return
  if (failure instanceof FileRejectedError) {
    toast({ title: failure.title, description: failure.message, tone: 'destructive' })
    return
  }
  const said = failure instanceof ApiError && failure.status < 500 ? failure.serverMessage : ''
  toast({ ...words, ...(said ? { description: said } : {}), tone: 'destructive' })
}
