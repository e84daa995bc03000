import { ApiError, isUnauthorized } from '@/lib/api'
import { redirectIfUnauthorized } from '@/session/login-redirect'
import { toast } from '@/ui/toaster'
import { FileRejectedError } from '@/uploads/file-rejected-error'
import { prepareImage } from '@/uploads/prepare-image'
import { uploadPostImage } from './upload'

const failed = 'Failed to upload media. Please try again.'

/** Pictures of posts: pixels, megabytes, JPEG quality. */
const postImage = { maxSide: 1080, maxMegabytes: 2, quality: 0.85 }

/** Who is told how an upload goes, and how it is stopped. */
export interface UploadReport {
  signal: AbortSignal
  /** How much has been sent, from 0 to 1. */
  onProgress: (part: number) => void
  onWaiting: () => void
}

/** Makes a picture smaller where it is large, and uploads it; answers its address. Throws what `tellUploadFailed` tells. */
export async function compressAndUploadImage(file: File, report: UploadReport): Promise<string> {
  const ready = await prepareImage(file, {
    target: postImage,
    signal: report.signal,
    onCompress: () =>
      toast({ title: 'Optimizing image', description: 'Compressing large image for better performance...' }),
  })
  return (await uploadPostImage(ready, report)).imageUrl
}

/** Says why a file was not uploaded. */
export function showUploadError(error: unknown): void {
  if (isUnauthorized(error)) {
    redirectIfUnauthorized(error)
    return
  }
  const { title, description } = textOf(error)
  toast({ title, description, tone: 'destructive' })
}

function textOf(error: unknown): { title: string; description: string } {
  if (error instanceof FileRejectedError) return { title: error.title, description: error.message }
  const said = error instanceof ApiError && error.status < 500 ? error.serverMessage : ''
  return { title: 'Error', description: said || failed }
}
