import { limits } from '@contract/limits.ts'
import { uploadErrors, type VideoType } from '@contract/media.ts'
import { t } from '@lingui/core/macro'
import { FileRejectedError, sniffImage, sniffVideo } from '@/uploads/file-type'
import { stripLocation } from '@/uploads/mp4'
import { uploadVideoPoster } from '@/uploads/video-poster'
import {
  compressAndUploadImage,
  type PostUploadOptions,
  showUploadError,
  uploadPostImage,
  uploadPostVideo,
} from './api/upload'
import { type MediaKind, removeMedia, replaceMedia, updateChosenMedia } from './chosen-media'
import { changePostDraft, type DraftMedia, draftMediaUrl } from './post-draft'

type FileType = { kind: 'image' } | { kind: 'video'; type: VideoType }

/** The number of calls to `acceptMedia` so far. It shows whether another file was chosen during a check. */
let callCount = 0

/**
 * Checks the content of a file and, if the file is accepted, starts to upload it for the current draft. Returns false
 * if the file is rejected. If the user chose another file during the check, returns true without starting an upload.
 */
export async function acceptMedia(userId: string, file: File, expectedKind?: MediaKind): Promise<boolean> {
  callCount += 1
  const call = callCount
  try {
    const fileType = await checkFile(file, expectedKind)
    if (call === callCount) {
      replaceMedia(userId, fileType.kind, file, (signal) => upload(userId, file, fileType, signal))
    }
    return true
  } catch (error) {
    showUploadError(error)
    return false
  }
}

/** Returns the type of the file. @throws FileRejectedError if the type is wrong or a video is too large */
async function checkFile(file: File, expectedKind: MediaKind | undefined): Promise<FileType> {
  if (expectedKind !== 'video' && (await sniffImage(file))) return { kind: 'image' }
  const isMeantAsVideo =
    expectedKind === 'video' || (expectedKind === undefined && file.type.startsWith('video/'))
  const type = expectedKind === 'image' ? null : await sniffVideo(file)
  if (!type) {
    throw new FileRejectedError(
      t`Invalid file type`,
      isMeantAsVideo ? uploadErrors.videoType : uploadErrors.imageType,
    )
  }
  if (file.size > limits.video.maxBytes) {
    throw new FileRejectedError(t`File too large`, uploadErrors.videoSize)
  }
  return { kind: 'video', type }
}

/** Uploads the file and adds it to the draft. Returns whether it succeeded. */
async function upload(userId: string, file: File, fileType: FileType, signal: AbortSignal): Promise<boolean> {
  const options: PostUploadOptions = {
    signal,
    onProgress: (percent) => updateChosenMedia(userId, { state: 'uploading', percent }),
    onConnectionLost: () => updateChosenMedia(userId, { state: 'waiting', percent: 0 }),
  }
  try {
    const media =
      fileType.kind === 'image'
        ? await uploadImage(file, options)
        : await uploadVideo(file, fileType.type, options)
    if (signal.aborted) return false
    changePostDraft(userId, { media })
    updateChosenMedia(userId, { state: 'done', percent: 100, uploadedUrl: draftMediaUrl(media) })
    return true
  } catch (error) {
    if (signal.aborted) return false
    // A rejected file would be rejected again. After any other error, the user can retry.
    if (error instanceof FileRejectedError) removeMedia(userId)
    else updateChosenMedia(userId, { state: 'failed' })
    showUploadError(error)
    return false
  }
}

async function uploadImage(file: File, options: PostUploadOptions): Promise<DraftMedia> {
  return { kind: 'image', imageUrl: await compressAndUploadImage(file, options) }
}

async function uploadVideo(file: File, type: VideoType, options: PostUploadOptions): Promise<DraftMedia> {
  const { signal } = options
  const posterUrl = uploadVideoPoster(file, signal, (frame) => uploadPostImage(frame, { signal }))
  const bytes = type === 'video/webm' ? file : await stripLocation(file)
  const videoUrl = await uploadPostVideo(bytes, type, options)
  return { kind: 'video', videoUrl, posterUrl: await posterUrl }
}
