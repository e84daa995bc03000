import { create } from 'zustand'
import { toast } from '@/ui/toaster'
import type { DraftMedia } from './post-draft'
import { changePostDraft, getPostDraft } from './usePostDraft'

export type MediaKind = DraftMedia['kind']

/**
 * A picture or video that was chosen on this page. `preparing` looks at it and makes it smaller, `waiting` has lost
 * the connection, `done` is in the draft.
 */
export interface ChosenMedia {
  kind: MediaKind
  file: File
  /** Where the browser shows the file itself. */
  previewUrl: string
  state: 'preparing' | 'uploading' | 'waiting' | 'failed' | 'done'
  /** How much of it is uploaded, in whole percent. */
  percent: number
  /** The draft's address of it, once it is done. */
  address?: string
}

/** Outside of the composers: an upload goes on while the dialog is closed or another screen is open. */
const useChosen = create<Record<string, ChosenMedia | undefined>>(() => ({}))

/** The upload that goes on for each person; `finished` tells whether its file can be posted. */
const uploads = new Map<string, { abort: AbortController; finished: Promise<boolean> }>()

/** What was chosen on this page and not yet posted. */
export function useChosenMedia(userId: string): ChosenMedia | undefined {
  return useChosen((chosen) => chosen[userId])
}

/** Says something new about what was chosen. */
export function updateChosenMedia(userId: string, fields: Partial<ChosenMedia>): void {
  const { [userId]: chosen } = useChosen.getState()
  if (chosen) useChosen.setState({ [userId]: { ...chosen, ...fields } })
}

/**
 * Takes a file for the post, in place of the one before, and begins to upload it. One that is refused changes
 * nothing. The code that does so comes with the first file.
 *
 * @param wanted what the button was for; without it, whatever the file is
 */
export async function chooseMedia(userId: string, file: File, wanted?: MediaKind): Promise<void> {
  try {
    const { acceptMedia: takeMedia } = await import('./accept-media')
    await takeMedia(userId, file, wanted)
  } catch {
    toast({ title: 'Error', description: 'Failed to upload media. Please try again.', tone: 'destructive' })
  }
}

/** Replaces what was chosen; `upload` begins at once and tells whether it succeeded. */
export function replaceMedia(
  userId: string,
  kind: MediaKind,
  file: File,
  upload: (signal: AbortSignal) => Promise<boolean>,
): void {
  const isRepeated = useChosen.getState()[userId]?.file === file
  clearChosenMedia(userId)
  const { media, altText } = getPostDraft(userId)
  if (media || altText) changePostDraft(userId, { media: null, altText: isRepeated ? altText : '' })
  useChosen.setState({
    [userId]: { kind, file, previewUrl: URL.createObjectURL(file), state: 'preparing', percent: 0 },
  })
  const abort = new AbortController()
  markUpload(userId, kind)
  const finished = upload(abort.signal).finally(() => {
    if (!abort.signal.aborted) markUpload(userId, null)
  })
  uploads.set(userId, { abort, finished })
}

/** Takes picture or video out of the post, with what was said about it; an upload that goes on is stopped. */
export function removeMedia(userId: string): void {
  clearChosenMedia(userId)
  const { media, altText } = getPostDraft(userId)
  if (media || altText) changePostDraft(userId, { media: null, altText: '' })
}

/** Forgets what was chosen on this page; what the draft has stays. */
export function clearChosenMedia(userId: string): void {
  if (uploads.has(userId)) markUpload(userId, null)
  uploads.get(userId)?.abort.abort()
  uploads.delete(userId)
  const { [userId]: chosen } = useChosen.getState()
  if (!chosen) return
  useChosen.setState({ [userId]: undefined })
  URL.revokeObjectURL(chosen.previewUrl)
}

/** Waits for the upload that goes on, if any. False when it failed or was taken back: then nothing is to be posted. */
export async function waitForUpload(userId: string): Promise<boolean> {
  const upload = uploads.get(userId)
  return upload ? upload.finished : true
}

/** This tab's own: another tab's upload is not interrupted by leaving this one. */
const mark = (userId: string) => `ovation:${userId}:upload`

/** Remembers over a reload that an upload goes on; null when none does any more. */
function markUpload(userId: string, kind: MediaKind | null): void {
  try {
    if (kind) sessionStorage.setItem(mark(userId), kind)
    else sessionStorage.removeItem(mark(userId))
  } catch {
    // The browser refuses storage: then nobody is told.
  }
}

/** Says once that leaving the page has stopped an upload: a browser gives no file back. */
export function showInterruptedUpload(userId: string): void {
  if (uploads.has(userId)) return
  let kind: string | null = null
  try {
    kind = sessionStorage.getItem(mark(userId))
  } catch {
    return
  }
  if (!kind) return
  markUpload(userId, null)
  const what = kind === 'image' ? 'image' : 'video'
  toast({ title: 'Upload interrupted', description: `Please choose the ${what} again.`, tone: 'destructive' })
}
