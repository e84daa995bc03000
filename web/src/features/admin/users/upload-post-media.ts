import { ImageUpload, SignedUpload, type VideoType } from '@contract/media.ts'
import { ApiError, api } from '@/lib/api'
import { FileRejectedError } from '@/uploads/file-rejected-error'
import { stripLocation } from '@/uploads/mp4'
import { prepareImage } from '@/uploads/prepare-image'
import { putFile, uploadFile } from '@/uploads/upload-request'
import { captureVideoPoster } from '@/uploads/video-poster'
import type { ChosenFile } from './chosen-file'

/** Pictures of posts that are made smaller: pixels, megabytes, JPEG quality. */
const postImage = { maxSide: 1080, maxMegabytes: 2, quality: 0.85 }

/** What a post refers to. */
export interface UploadedMedia {
  imageUrl?: string
  videoUrl?: string
  posterUrl?: string
}

interface Order {
  signal: AbortSignal
  /** How much has been sent, from 0 to 1. */
  onProgress: (part: number) => void
}

/** A file that did not arrive; the message is for people. */
export class UploadError extends Error {}

/**
 * Uploads a picture or video, as the admin's own until the post makes it its author's.
 *
 * @throws UploadFailed with what to tell
 */
export async function uploadPostMedia(chosen: ChosenFile, order: Order): Promise<UploadedMedia> {
  try {
    return chosen.kind === 'image'
      ? { imageUrl: await sendImage(chosen.file, order) }
      : await sendVideo(chosen.file, chosen.type, order)
  } catch (error) {
    order.signal.throwIfAborted()
    throw new UploadError(reasonOf(error, chosen.kind), { cause: error })
  }
}

function reasonOf(error: unknown, kind: ChosenFile['kind']): string {
  if (error instanceof FileRejectedError) return error.message
  if (error instanceof ApiError) {
    return error.serverMessage || (kind === 'image' ? 'Failed to upload image' : 'Failed to upload video')
  }
  return 'Failed to upload media files'
}

async function sendImage(file: File, order: Order): Promise<string> {
  const ready = await prepareImage(file, { target: postImage, signal: order.signal })
  return (await uploadFile('/api/upload', 'image', ready, ImageUpload, order)).imageUrl
}

/** Straight to Storage, with a still where the browser can draw one. */
async function sendVideo(file: File, type: VideoType, order: Order): Promise<UploadedMedia> {
  const { signal } = order
  const still = sendStill(file, signal)
  const bytes = type === 'video/webm' ? file : await stripLocation(file)
  const request = { type, size: bytes.size }
  const { videoUrl, uploadUrl } = await api.post('/api/upload-video/sign', request, SignedUpload, { signal })
  await putFile(uploadUrl, bytes, type, order)
  const posterUrl = await still
  return { videoUrl, ...(posterUrl && { posterUrl }) }
}

/** A post goes without, where the browser or the connection gives none. */
async function sendStill(file: File, signal: AbortSignal): Promise<string | undefined> {
  const url = URL.createObjectURL(file)
  try {
    const frame = await captureVideoPoster(url, signal)
    return frame && (await uploadFile('/api/upload', 'image', frame, ImageUpload, { signal })).imageUrl
  } catch {
    return undefined
  } finally {
    URL.revokeObjectURL(url)
  }
}
