import { galleryErrors } from '@contract/gallery.ts'
import { limits } from '@contract/limits.ts'
import type { VideoType } from '@contract/media.ts'
import { uuidv7 } from '@/lib/uuid'
import { sniffImage, sniffVideo } from '@/uploads/file-type'

/** A file that may be added, and what it is by its content. */
export interface AcceptedFile {
  /** The id that its item gets. */
  id: string
  file: File
  kind: 'image' | 'video'
  videoType: VideoType | null
  /** Where the browser shows the file itself. */
  previewUrl: string
}

interface Choice {
  taken: AcceptedFile[]
  /** Why files were left out, in words. */
  refused: string[]
}

/** Looks at files by their content and size, of which `room` more can be taken. */
export async function acceptFiles(files: readonly File[], room: number): Promise<Choice> {
  const taken: AcceptedFile[] = []
  const refused: string[] = []
  for (const file of files) {
    if (taken.length === room) {
      refused.push(`You can add up to ${limits.gallery.maxFiles} files at a time.`)
      break
    }
    const image = await sniffImage(file)
    const videoType = image ? null : await sniffVideo(file)
    if (!image && !videoType) refused.push(`${file.name}: ${galleryErrors.type}`)
    else if (file.size > limits.gallery.maxBytes) refused.push(`${file.name}: ${galleryErrors.size}`)
    else {
      const kind = image ? 'image' : 'video'
      taken.push({ id: uuidv7(), file, kind, videoType, previewUrl: URL.createObjectURL(file) })
    }
  }
  return { taken, refused }
}
