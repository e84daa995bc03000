import { limits } from '@contract/limits.ts'
import { uploadErrors, type VideoType } from '@contract/media.ts'
import { withoutLocation } from '@/lib/upload/mp4'
import { posterFrame } from '@/lib/upload/poster'
import { FileRefused } from '@/lib/upload/refused'
import { sniffImage, sniffVideo } from '@/lib/upload/sniff'
import { uploadImage, uploadVideo } from '../api/upload'
import { addressOf, type DraftMedia } from './draft'
import { type MediaKind, removeMedia, replaceMedia, updateChosen } from './media'
import { type Report, sendPicture, tellUploadFailed } from './pictures'
import { changeDraft } from './useDraft'

type Found = { kind: 'image' } | { kind: 'video'; type: VideoType }

let turn = 0

/** Looks at a file by its content and, unless it is refused, uploads it for the post that is being written. */
export async function takeMedia(userId: string, file: File, wanted?: MediaKind): Promise<void> {
  turn += 1
  const own = turn
  try {
    const found = await look(file, wanted)
    // Another was chosen meanwhile.
    if (own !== turn) return
    replaceMedia(userId, found.kind, file, (signal) => upload(userId, file, found, signal))
  } catch (error) {
    tellUploadFailed(error)
  }
}

async function look(file: File, wanted: MediaKind | undefined): Promise<Found> {
  if (wanted !== 'video' && (await sniffImage(file))) return { kind: 'image' }
  const looksLikeVideo = wanted === 'video' || (wanted === undefined && file.type.startsWith('video/'))
  const type = wanted === 'image' ? null : await sniffVideo(file)
  if (!type) {
    throw new FileRefused(
      'Invalid file type',
      looksLikeVideo ? uploadErrors.videoType : 'Please select a JPG, PNG, or GIF image.',
    )
  }
  if (file.size > limits.video.maxBytes) {
    throw new FileRefused('File too large', 'Video size must be less than 100MB.')
  }
  return { kind: 'video', type }
}

/** Uploads and puts what comes of it into the draft; answers whether it did. */
async function upload(userId: string, file: File, found: Found, signal: AbortSignal): Promise<boolean> {
  const report = {
    signal,
    onProgress: (part: number) =>
      updateChosen(userId, { state: 'uploading', percent: Math.min(100, Math.floor(part * 100)) }),
    onWaiting: () => updateChosen(userId, { state: 'waiting', percent: 0 }),
  }
  try {
    const media = found.kind === 'image' ? await image(file, report) : await video(file, found.type, report)
    if (signal.aborted) return false
    changeDraft(userId, { media })
    updateChosen(userId, { state: 'done', percent: 100, address: addressOf(media) })
    return true
  } catch (error) {
    if (signal.aborted) return false
    // A file that is refused once is refused again; anything else may be tried again.
    if (error instanceof FileRefused) removeMedia(userId)
    else updateChosen(userId, { state: 'failed' })
    tellUploadFailed(error)
    return false
  }
}

async function image(file: File, report: Report): Promise<DraftMedia> {
  return { kind: 'image', imageUrl: await sendPicture(file, report) }
}

async function video(file: File, type: VideoType, report: Report): Promise<DraftMedia> {
  const posterUrl = poster(file, report.signal)
  const bytes = type === 'video/webm' ? file : await withoutLocation(file)
  const videoUrl = await uploadVideo(bytes, type, report)
  return { kind: 'video', videoUrl, posterUrl: await posterUrl }
}

/** The address of a still of the video. A post goes without, where the browser or the connection gives none. */
async function poster(file: File, signal: AbortSignal): Promise<string | null> {
  const url = URL.createObjectURL(file)
  try {
    const frame = await posterFrame(url, signal)
    return frame ? (await uploadImage(frame, { signal })).imageUrl : null
  } catch {
    return null
  } finally {
    URL.revokeObjectURL(url)
  }
}
