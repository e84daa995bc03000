import { AdminPostRequest, type AdminUser } from '@contract/admin.ts'
import { limits } from '@contract/limits.ts'
import { ImageUpload, SignedUpload, uploadErrors, type VideoType } from '@contract/media.ts'
import { Post } from '@contract/post.ts'
import { t } from '@lingui/core/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { z } from 'zod'
import { api } from '@/lib/api'
import { ApiError, errorMessage, isTransient, isUnauthorized } from '@/lib/errors'
import { parseAmount } from '@/lib/format'
import { queryKeys } from '@/lib/query-client'
import { displayName, isolateBidi } from '@/lib/text'
import { uuidv7 } from '@/lib/uuid'
import { toast } from '@/ui/toaster'
import { FileRejectedError, sniffImage, sniffVideo } from '@/uploads/file-type'
import { stripLocation } from '@/uploads/mp4'
import { postImageTarget, prepareImage } from '@/uploads/prepare-image'
import { putFile, uploadFile } from '@/uploads/upload-request'
import { uploadVideoPoster } from '@/uploads/video-poster'

/** Codes of errors after which the uploaded media cannot be used. The next attempt then uploads the file again. */
const mediaErrorCodes = ['media_not_usable', 'unsupported_media_type', 'payload_too_large']

/** The form values. `premiumPrice` is the text of the field. */
type PostDraft = {
  userId: string
  content: string
  isPremium: boolean
  premiumPrice: string
  altText: string
}

export const emptyPostDraft = (userId: string): PostDraft => ({
  userId,
  content: '',
  isPremium: false,
  premiumPrice: limits.premiumPrice.default.toFixed(2),
  altText: '',
})

/** The schema of the post form. It converts the values to a request. */
export const PostForm = z
  .custom<PostDraft>()
  .transform(
    (draft): AdminPostRequest => ({
      ...draft,
      premiumPrice: draft.isPremium ? parseAmount(draft.premiumPrice) : null,
      altText: draft.altText.trim() || null,
    }),
  )
  .pipe(AdminPostRequest)
type PostRequest = z.output<typeof PostForm>

/**
 * Publishes a post in a creator's name. First uploads the image or video, then creates the post with a client-generated
 * id, so that a retry does not create it twice. A retry also reuses the uploaded file.
 */
export function useCreatePostAs(user: AdminUser, onDone: () => void) {
  const client = useQueryClient()
  const [id] = useState(() => uuidv7())
  /** The progress of the upload as a whole percentage, or null while there is no upload. */
  const [percent, setPercent] = useState<number | null>(null)
  const abort = useRef<AbortController>(undefined)
  const lastUpload = useRef<{ file: File; uploaded: UploadedMedia }>(undefined)
  useEffect(() => () => abort.current?.abort(), [])

  const upload = async (chosen: ChosenFile, signal: AbortSignal): Promise<UploadedMedia> => {
    if (lastUpload.current?.file === chosen.file) return lastUpload.current.uploaded
    setPercent(0)
    try {
      const uploaded = await uploadPostMedia(chosen, { signal, onProgress: setPercent })
      lastUpload.current = { file: chosen.file, uploaded }
      return uploaded
    } finally {
      setPercent(null)
    }
  }

  const { mutate, isPending } = useMutation({
    mutationFn: async ({ request, chosen }: { request: PostRequest; chosen: ChosenFile | undefined }) => {
      abort.current = new AbortController()
      const media = chosen && (await upload(chosen, abort.current.signal))
      const { altText, ...post } = request
      return api.post('/api/admin/create-post', { id, ...post, ...media, ...(media && { altText }) }, Post)
    },
    onSuccess: () => {
      const name = isolateBidi(displayName(user))
      toast({ title: t`Post Created`, description: t`The post is on the profile of ${name}.` })
      void client.invalidateQueries({ queryKey: queryKeys.postLists })
      void client.invalidateQueries({ queryKey: queryKeys.userStats })
      onDone()
    },
    onError: (error) => {
      if (error instanceof ApiError && error.code && mediaErrorCodes.includes(error.code)) {
        lastUpload.current = undefined
      }
    },
    meta: {
      errorTitle: (error) => (error instanceof UploadError ? t`Upload Failed` : undefined),
      errorMessage: (error) => {
        if (abort.current?.signal.aborted) return null
        if (error instanceof UploadError) return error.message
        const fallback = t`Failed to create post. Please try again.`
        return isTransient(error) ? fallback : errorMessage(error, fallback)
      },
    },
  })
  return {
    create: (request: PostRequest, chosen: ChosenFile | undefined) => mutate({ request, chosen }),
    /** Cancels the upload. The draft is kept. */
    cancelUpload: () => abort.current?.abort(),
    percent,
    isPending,
  }
}

/** The URLs of the uploaded media, as fields of the post request. */
interface UploadedMedia {
  imageUrl?: string
  videoUrl?: string
  posterUrl?: string
}

interface UploadOptions {
  signal: AbortSignal
  onProgress: (percent: number) => void
}

/** A failed upload, with a message for the user. */
class UploadError extends Error {}

/**
 * Uploads an image or video. It belongs to the admin until the post is created, and then to the post's author.
 *
 * @throws UploadError with a message for the user
 * @throws ApiError 401 if the session has ended
 */
async function uploadPostMedia(chosen: ChosenFile, options: UploadOptions): Promise<UploadedMedia> {
  try {
    return chosen.kind === 'image'
      ? { imageUrl: await uploadImage(chosen.file, options) }
      : await uploadVideo(chosen.file, chosen.type, options)
  } catch (error) {
    options.signal.throwIfAborted()
    if (isUnauthorized(error)) throw error
    throw new UploadError(uploadErrorMessage(error, chosen.kind), { cause: error })
  }
}

function uploadErrorMessage(error: unknown, kind: ChosenFile['kind']): string {
  if (error instanceof FileRejectedError) return error.message
  if (error instanceof ApiError) {
    return errorMessage(error, kind === 'image' ? t`Failed to upload image` : t`Failed to upload video`)
  }
  return t`Failed to upload media files`
}

async function uploadImage(file: File, options: UploadOptions): Promise<string> {
  const image = await prepareImage(file, { target: postImageTarget, signal: options.signal })
  return (await uploadFile('/api/upload', 'image', image, ImageUpload, options)).imageUrl
}

/** Uploads a video directly to Storage, with a poster image if the browser can capture one. */
async function uploadVideo(file: File, type: VideoType, options: UploadOptions): Promise<UploadedMedia> {
  const { signal } = options
  const poster = uploadVideoPoster(file, signal, (frame) =>
    uploadFile('/api/upload', 'image', frame, ImageUpload, { signal }),
  )
  const bytes = type === 'video/webm' ? file : await stripLocation(file)
  const request = { type, size: bytes.size }
  const { videoUrl, uploadUrl } = await api.post('/api/upload-video/sign', request, SignedUpload, { signal })
  await putFile(uploadUrl, bytes, type, options)
  const posterUrl = await poster
  return { videoUrl, ...(posterUrl && { posterUrl }) }
}

/** A validated image or video with its preview. The caller revokes `previewUrl`. */
export type ChosenFile = { file: File; previewUrl: string } & (
  | { kind: 'image' }
  | { kind: 'video'; type: VideoType }
)

/**
 * Checks the content and size of a file. The file name is ignored.
 *
 * @throws FileRejectedError with a message for the user
 */
export async function checkFile(file: File, kind: ChosenFile['kind']): Promise<ChosenFile> {
  if (kind === 'image') {
    if (!(await sniffImage(file))) {
      throw new FileRejectedError(t`Invalid file type`, uploadErrors.imageType)
    }
    if (file.size > limits.image.maxBytes) {
      throw new FileRejectedError(t`File too large`, uploadErrors.imageSize)
    }
    return { kind, file, previewUrl: URL.createObjectURL(file) }
  }
  const type = await sniffVideo(file)
  if (!type) throw new FileRejectedError(t`Invalid file type`, uploadErrors.videoType)
  if (file.size > limits.video.maxBytes) {
    throw new FileRejectedError(t`File too large`, t`Video must be less than 100MB`)
  }
  return { kind, type, file, previewUrl: URL.createObjectURL(file) }
}
