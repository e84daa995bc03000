import { AdminPostRequest, type AdminUser } from '@contract/admin.ts'
import { limits } from '@contract/limits.ts'
import { Post } from '@contract/post.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError, api, errorMessage, isTransient, isUnauthorized } from '@/lib/api'
import { isolateBidi } from '@/lib/bidi'
import { parseAmount } from '@/lib/parse-amount'
import { queryKeys } from '@/lib/query-keys'
import { displayName } from '@/lib/text'
import { uuidv7 } from '@/lib/uuid'
import { toast } from '@/ui/toaster'
import type { ChosenFile } from './chosen-file'
import { UploadError, type UploadedMedia, uploadPostMedia } from './upload-post-media'

const failed = 'Failed to create post. Please try again.'

/** Refusals of the picture or video: it is uploaded anew the next time. */
const aboutMedia = ['media_not_usable', 'unsupported_media_type', 'payload_too_large']

/** The post as it is written. `price` is what was typed. */
export interface PostDraft {
  content: string
  isPremium: boolean
  price: string
  altText: string
}

export const emptyPostDraft: PostDraft = {
  content: '',
  isPremium: false,
  price: limits.premiumPrice.default.toFixed(2),
  altText: '',
}

type Request = NonNullable<ReturnType<typeof createPostRequest>['data']>

/** What is sent of a draft, judged by the contract. */
export function createPostRequest(userId: string, draft: PostDraft) {
  return AdminPostRequest.safeParse({
    userId,
    content: draft.content,
    isPremium: draft.isPremium,
    premiumPrice: draft.isPremium ? parseAmount(draft.price) : null,
    altText: draft.altText.trim() || null,
  })
}

/**
 * Publishes a post in a creator's name: first its picture or video is uploaded, and only where that arrived the post is
 * created, under an id made here, so that a repeated press stores it once. What was uploaded is kept for the next
 * attempt.
 */
export function useCreatePostAs(person: AdminUser, onDone: () => void) {
  const client = useQueryClient()
  const [id] = useState(() => uuidv7())
  /** Whole percent of the upload; null while nothing is sent. */
  const [percent, setPercent] = useState<number | null>(null)
  const abort = useRef<AbortController>(undefined)
  const arrived = useRef<{ file: File; uploaded: UploadedMedia }>(undefined)
  useEffect(() => () => abort.current?.abort(), [])

  const upload = async (chosen: ChosenFile, signal: AbortSignal): Promise<UploadedMedia> => {
    if (arrived.current?.file === chosen.file) return arrived.current.uploaded
    setPercent(0)
    const onProgress = (part: number) => setPercent(Math.min(100, Math.floor(part * 100)))
    try {
      const uploaded = await uploadPostMedia(chosen, { signal, onProgress })
      arrived.current = { file: chosen.file, uploaded }
      return uploaded
    } finally {
      setPercent(null)
    }
  }

  const { mutate, isPending } = useMutation({
    mutationFn: async ({ request, chosen }: { request: Request; chosen: ChosenFile | undefined }) => {
      abort.current = new AbortController()
      const media = chosen && (await upload(chosen, abort.current.signal))
      const { altText, ...post } = request
      return api.post('/api/admin/create-post', { id, ...post, ...media, ...(media && { altText }) }, Post)
    },
    onSuccess: () => {
      toast({
        title: 'Post Created',
        description: `It is on the profile of ${isolateBidi(displayName(person))}.`,
      })
      void client.invalidateQueries({ queryKey: queryKeys.postLists })
      void client.invalidateQueries({ queryKey: queryKeys.userStats })
      onDone()
    },
    onError: (error) => {
      if (abort.current?.signal.aborted || isUnauthorized(error)) return
      if (error instanceof UploadError) {
        if (isUnauthorized(error.cause)) return
        toast({ title: 'Upload Failed', description: error.message, tone: 'destructive' })
        return
      }
      if (error instanceof ApiError && error.code && aboutMedia.includes(error.code))
        arrived.current = undefined
      const description = isTransient(error) ? failed : errorMessage(error, failed)
      toast({ title: 'Error', description, tone: 'destructive' })
    },
  })
  return {
    create: (request: Request, chosen: ChosenFile | undefined) => mutate({ request, chosen }),
    /** Stops an upload; what was written stays. */
    stop: () => abort.current?.abort(),
    percent,
    isPending,
  }
}
