import { ImageUpload, SignedUpload, type VideoType } from '@contract/media.ts'
import { t } from '@lingui/core/macro'
import { api } from '@/lib/api'
import { ApiError, translateServerText } from '@/lib/errors'
import { handleRequestError } from '@/lib/query-client'
import { retryWithBackoff } from '@/lib/retry'
import { toast } from '@/ui/toaster'
import { FileRejectedError } from '@/uploads/file-type'
import { postImageTarget, prepareImage } from '@/uploads/prepare-image'
import { putFile, uploadFile } from '@/uploads/upload-request'

export interface PostUploadOptions {
  signal: AbortSignal
  /** Called with the percentage that has been sent, as a whole number. Each attempt starts at 0 again. */
  onProgress?: (percent: number) => void
  /** Called when the connection was lost and another attempt is scheduled. */
  onConnectionLost?: () => void
}

/**
 * Compresses an image if it is large, uploads it and returns its URL.
 *
 * @throws errors that `showUploadError` can show
 */
export async function compressAndUploadImage(file: File, options: PostUploadOptions): Promise<string> {
  const image = await prepareImage(file, {
    target: postImageTarget,
    signal: options.signal,
    onCompress: () =>
      toast({
        title: t`Optimizing image`,
        description: t`Compressing large image for better performance...`,
      }),
  })
  return (await uploadPostImage(image, options)).imageUrl
}

/** Uploads an image. Retries when the connection is lost. */
export function uploadPostImage(
  file: File,
  { signal, onProgress, onConnectionLost }: PostUploadOptions,
): Promise<ImageUpload> {
  const send = () => uploadFile('/api/upload', 'image', file, ImageUpload, { signal, onProgress })
  return retryWithBackoff(send, { signal, onConnectionLost })
}

/**
 * Uploads a video directly to Storage and returns its URL. The video does not belong to a post yet. The upload starts
 * over when the connection is lost.
 */
export async function uploadPostVideo(
  file: Blob,
  type: VideoType,
  { signal, onProgress, onConnectionLost }: PostUploadOptions,
): Promise<string> {
  let upload: SignedUpload | undefined
  const sign = () => api.post('/api/upload-video/sign', { type, size: file.size }, SignedUpload, { signal })
  const put = ({ uploadUrl }: SignedUpload) => putFile(uploadUrl, file, type, { signal, onProgress })
  const send = async () => {
    onProgress?.(0)
    const isRetry = upload !== undefined
    upload ??= await sign()
    try {
      await put(upload)
    } catch (error) {
      // If the server rejects a retry, the signed URL has expired, or an earlier attempt whose response was lost has
      // already used it.
      if (!isRetry || !(error instanceof ApiError) || error.status >= 500) throw error
      upload = await sign()
      await put(upload)
    }
    return upload.videoUrl
  }
  return retryWithBackoff(send, { signal, onConnectionLost })
}

/** Shows a toast that says why a file was not uploaded. */
export function showUploadError(error: unknown): void {
  const { title, description } = uploadErrorText(error)
  handleRequestError(error, { errorTitle: title, errorMessage: description })
}

function uploadErrorText(error: unknown): { title: string; description: string } {
  if (error instanceof FileRejectedError) return { title: error.title, description: error.message }
  const serverMessage = error instanceof ApiError && error.status < 500 ? error.serverMessage : ''
  return {
    title: t`Error`,
    description: translateServerText(serverMessage) || t`Failed to upload media. Please try again.`,
  }
}
