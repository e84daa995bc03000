import { t } from '@lingui/core/macro'
import { create } from 'zustand'
import { toast } from '@/ui/toaster'
import { changePostDraft, type DraftMedia, getPostDraft } from './post-draft'

export type MediaKind = DraftMedia['kind']

/**
 * An image or video that the user has chosen for a post or product since the page was loaded. In the state `preparing`,
 * it is being inspected and compressed. In `waiting`, the connection is lost and another attempt is scheduled. In
 * `done`, it is part of the draft.
 */
export interface ChosenMedia {
  kind: MediaKind
  file: File
  /** The object URL of the file. */
  previewUrl: string
  state: 'preparing' | 'uploading' | 'waiting' | 'failed' | 'done'
  /** Upload progress as a whole percentage. */
  percent: number
  /** The URL of the uploaded file; set in the state `done`. */
  uploadedUrl?: string
}

/** The chosen media by user id. Not in a composer's state, so that an upload continues when the composer is left. */
const useChosenMediaStore = create<Record<string, ChosenMedia | undefined>>(() => ({}))

/** Each user's current upload. `finished` resolves to whether the post can be submitted. */
const uploads = new Map<string, { abort: AbortController; finished: Promise<boolean> }>()

/**
 * The check that is in progress for each user's chosen file, by user id. Resolves to whether the file was accepted.
 */
const checks = new Map<string, Promise<boolean>>()

/** Returns the chosen media that is not posted yet. */
export function useChosenMedia(userId: string): ChosenMedia | undefined {
  return useChosenMediaStore((chosenByUser) => chosenByUser[userId])
}

/** Returns the file of the chosen media that is not posted yet. */
export function getChosenFile(userId: string): File | undefined {
  return useChosenMediaStore.getState()[userId]?.file
}

export function updateChosenMedia(userId: string, fields: Partial<ChosenMedia>): void {
  const { [userId]: chosen } = useChosenMediaStore.getState()
  if (chosen) useChosenMediaStore.setState({ [userId]: { ...chosen, ...fields } })
}

/**
 * Replaces the post's media with a file and starts its upload. A rejected file changes nothing. The code that checks
 * and uploads files is loaded when the user chooses the first file.
 *
 * @param expectedKind the kind of media that the user asked to add; if omitted, any kind is accepted
 */
export async function chooseMedia(userId: string, file: File, expectedKind?: MediaKind): Promise<void> {
  const check = checkMedia(userId, file, expectedKind)
  checks.set(userId, check)
  await check
  if (checks.get(userId) === check) checks.delete(userId)
}

async function checkMedia(userId: string, file: File, expectedKind?: MediaKind): Promise<boolean> {
  try {
    const { acceptMedia } = await import('./accept-media')
    return await acceptMedia(userId, file, expectedKind)
  } catch {
    toast({
      title: t`Error`,
      description: t`Failed to upload media. Please try again.`,
      tone: 'destructive',
    })
    return false
  }
}

/** Returns whether a chosen file is still being checked. */
export function isCheckingMedia(userId: string): boolean {
  return checks.has(userId)
}

/** Replaces the chosen media and calls `upload`, which resolves to whether it succeeded. */
export function replaceMedia(
  userId: string,
  kind: MediaKind,
  file: File,
  upload: (signal: AbortSignal) => Promise<boolean>,
): void {
  const isRetry = useChosenMediaStore.getState()[userId]?.file === file
  clearChosenMedia(userId)
  const { media, altText } = getPostDraft(userId)
  if (media || altText) changePostDraft(userId, { media: null, altText: isRetry ? altText : '' })
  useChosenMediaStore.setState({
    [userId]: { kind, file, previewUrl: URL.createObjectURL(file), state: 'preparing', percent: 0 },
  })
  const abort = new AbortController()
  setUploadMarker(userId, kind)
  const finished = upload(abort.signal).finally(() => {
    if (!abort.signal.aborted) setUploadMarker(userId, null)
  })
  uploads.set(userId, { abort, finished })
}

/** Removes the image or video and its alt text from the post, and cancels its upload. */
export function removeMedia(userId: string): void {
  clearChosenMedia(userId)
  const { media, altText } = getPostDraft(userId)
  if (media || altText) changePostDraft(userId, { media: null, altText: '' })
}

/** Clears the chosen media and cancels its upload. The draft does not change. */
export function clearChosenMedia(userId: string): void {
  if (uploads.has(userId)) setUploadMarker(userId, null)
  uploads.get(userId)?.abort.abort()
  uploads.delete(userId)
  const { [userId]: chosen } = useChosenMediaStore.getState()
  if (!chosen) return
  useChosenMediaStore.setState({ [userId]: undefined })
  URL.revokeObjectURL(chosen.previewUrl)
}

/**
 * Waits until the chosen file, if any, is checked and uploaded. Returns false if the file was rejected or the upload
 * failed or was cancelled. The post must not be submitted in that case.
 */
export async function waitForUpload(userId: string): Promise<boolean> {
  // While one file is checked, the user may choose another.
  for (let check = checks.get(userId); check; check = checks.get(userId)) {
    if (!(await check)) return false
    if (checks.get(userId) === check) checks.delete(userId)
  }
  const upload = uploads.get(userId)
  return upload ? upload.finished : true
}

/**
 * A key in sessionStorage, not in localStorage, because leaving this page does not interrupt an upload in another tab.
 */
const uploadMarkerKey = (userId: string) => `ovation:${userId}:upload`

/** Sets or removes the marker for an upload in progress. The marker survives a reload. */
function setUploadMarker(userId: string, kind: MediaKind | null): void {
  try {
    if (kind) sessionStorage.setItem(uploadMarkerKey(userId), kind)
    else sessionStorage.removeItem(uploadMarkerKey(userId))
  } catch {
    // Without storage, an interrupted upload is not reported.
  }
}

/** Shows a toast if leaving the page interrupted an upload, because the user has to choose the file again. */
export function showInterruptedUpload(userId: string): void {
  if (uploads.has(userId)) return
  let kind: string | null = null
  try {
    kind = sessionStorage.getItem(uploadMarkerKey(userId))
  } catch {
    return
  }
  if (!kind) return
  setUploadMarker(userId, null)
  toast({
    title: t`Upload interrupted`,
    description: kind === 'image' ? t`Choose the image again.` : t`Choose the video again.`,
    tone: 'destructive',
  })
}
