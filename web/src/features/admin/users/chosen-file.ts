import { limits } from '@contract/limits.ts'
import { uploadErrors, type VideoType } from '@contract/media.ts'
import { FileRejectedError } from '@/uploads/file-rejected-error'
import { sniffImage, sniffVideo } from '@/uploads/file-type'

/** A picture or video that was looked at, and what the browser shows of it. */
export type ChosenFile = { file: File; previewUrl: string } & (
  | { kind: 'image' }
  | { kind: 'video'; type: VideoType }
)

/**
 * Looks at a file by its content, whatever its name says.
 *
 * @throws FileRefused with what to tell
 */
export async function checkFile(file: File, kind: ChosenFile['kind']): Promise<ChosenFile> {
  if (kind === 'image') {
    if (!(await sniffImage(file))) throw new FileRejectedError('Invalid file type', uploadErrors.imageType)
    if (file.size > limits.image.maxBytes)
      throw new FileRejectedError('File too large', uploadErrors.imageSize)
    return { kind, file, previewUrl: URL.createObjectURL(file) }
  }
  const type = await sniffVideo(file)
  if (!type) throw new FileRejectedError('Invalid file type', uploadErrors.videoType)
  if (file.size > limits.video.maxBytes) {
    throw new FileRejectedError('File too large', 'Video must be less than 100MB')
  }
  return { kind, type, file, previewUrl: URL.createObjectURL(file) }
}
