import { ImageUpload, SignedUpload, type VideoType } from '@contract/media.ts'
import { ApiError, api } from '@/lib/api'
import { retryWithBackoff } from '@/lib/retry'
import { putFile, uploadFile } from '@/uploads/upload-request'

interface UploadOrder {
  signal: AbortSignal
  /** How much has been sent, from 0 to 1. Starts over with each attempt. */
  onProgress?: (part: number) => void
  /** The connection was lost; another attempt follows after a while. */
  onWaiting?: () => void
}

/** Uploads a picture; again when the connection is lost. */
export function uploadPostImage(
  file: File,
  { signal, onProgress, onWaiting }: UploadOrder,
): Promise<ImageUpload> {
  const send = () => uploadFile('/api/upload', 'image', file, ImageUpload, { signal, onProgress })
  return retryWithBackoff(send, { signal, onWaiting })
}

/**
 * Sends a video straight to Storage; from the start again when the connection is lost. Answers its address, under
 * which it is nobody's post yet.
 */
export async function uploadPostVideo(
  file: Blob,
  type: VideoType,
  { signal, onProgress, onWaiting }: UploadOrder,
): Promise<string> {
  let signed: SignedUpload | undefined
  const sign = () => api.post('/api/upload-video/sign', { type, size: file.size }, SignedUpload, { signal })
  const put = (to: SignedUpload) => putFile(to.uploadUrl, file, type, { signal, onProgress })
  const send = async () => {
    onProgress?.(0)
    const isRepeated = signed !== undefined
    signed ??= await sign()
    try {
      await put(signed)
    } catch (error) {
      // The address ran out, or was used up by an attempt whose answer never came.
      if (!isRepeated || !(error instanceof ApiError) || error.status >= 500) throw error
      signed = await sign()
      await put(signed)
    }
    return signed.videoUrl
  }
  return retryWithBackoff(send, { signal, onWaiting })
}
