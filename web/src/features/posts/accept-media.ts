import { limits } from '@contract/limits.ts'
import { uploadErrors, type VideoType } from '@contract/media.ts'
import { FileRejectedError } from '@/uploads/file-rejected-error'
import { sniffImage, sniffVideo } from '@/uploads/file-type'
import { stripLocation } from '@/uploads/mp4'
import { captureVideoPoster } from '@/uploads/video-poster'
import { compressAndUploadImage, showUploadError, type UploadReport } from './api/compress-and-upload'
import { uploadPostImage, uploadPostVideo } from './api/upload'
import { type MediaKind, removeMedia, replaceMedia, updateChosenMedia } from './chosen-media'
import { type DraftMedia, draftMediaUrl } from './post-draft'
import { changePostDraft } from './usePostDraft'

type Found = { kind: 'image' } | { kind: 'video'; type: VideoType }

let turn = 0

/** Looks at a file by its content and, unless it is refused, uploads it for the post that is being written. */
export async function acceptMedia(userId: string, file: File, wanted?: MediaKind): Promise<void> {
  turn += 1
  const own = turn
  try {
    const found = await look(file, wanted)
    // Another was chosen meanwhile.
    if (own !== turn) return
    replaceMedia(userId, found.kind, file, (signal) => upload(userId, file, found, signal))
  } catch (error) {
    showUploadError(error)
  }
}

async function look(file: File, wanted: MediaKind | undefined): Promise<Found> {
  if (wanted !== 'video' && (await sniffImage(file))) return { kind: 'image' }
  const looksLikeVideo = wanted === 'video' || (wanted === undefined && file.type.startsWith('video/'))
  const type = wanted === 'image' ? null : await sniffVideo(file)
  if (!type) {
    throw new FileRejectedError(
      'Invalid file type',
      looksLikeVideo ? uploadErrors.videoType : 'Please select a JPG, PNG, or GIF image.',
    )
  }
  if (file.size > limits.video.maxBytes) {
    throw new FileRejectedError('File too large', 'Video size must be less than 100MB.')
  }
  return { kind: 'video', type }
}

/** Uploads and puts what comes of it into the draft; answers whether it did. */
async function upload(userId: string, file: File, found: Found, signal: AbortSignal): Promise<boolean> {
  const report = {
    signal,
    onProgress: (part: number) =>
      updateChosenMedia(userId, { state: 'uploading', percent: Math.min(100, Math.floor(part * 100)) }),
    onWaiting: () => updateChosenMedia(userId, { state: 'waiting', percent: 0 }),
  }
  try {
    const media = found.kind === 'image' ? await image(file, report) : await video(file, found.type, report)
    if (signal.aborted) return false
    changePostDraft(userId, { media })
    updateChosenMedia(userId, { state: 'done', percent: 100, address: draftMediaUrl(media) })
    return true
  } catch (error) {
    if (signal.aborted) return false
    // A file that is refused once is refused again; anything else may be tried again.
    if (error instanceof FileRejectedError) removeMedia(userId)
    else updateChosenMedia(userId, { state: 'failed' })
    showUploadError(error)
    return false
  }
}

async function image(file: File, report: UploadReport): Promise<DraftMedia> {
  return { kind: 'image', imageUrl: await compressAndUploadImage(file, report) }
}

async function video(file: File, type: VideoType, report: UploadReport): Promise<DraftMedia> {
  const posterUrl = poster(file, report.signal)
  const bytes = type === 'video/webm' ? file : await stripLocation(file)
  const videoUrl = await uploadPostVideo(bytes, type, report)
  return { kind: 'video', videoUrl, posterUrl: await posterUrl }
}

/** The address of a still of the video. A post goes without, where the browser or the connection gives none. */
async function poster(file: File, signal: AbortSignal): Promise<string | null> {
  const url = URL.createObjectURL(file)
  try {
    const frame = await captureVideoPoster(url, signal)
    return frame ? (await uploadPostImage(frame, { signal })).imageUrl : null
  } catch {
    return null
  } finally {
    URL.revokeObjectURL(url)
  }
}
