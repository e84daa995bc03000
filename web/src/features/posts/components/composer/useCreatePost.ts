import { Post } from '@contract/post.ts'
import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, api, errorMessage, isTransient, isUnauthorized } from '@/lib/api'
import { queryKeys } from '@/lib/query-keys'
import { toast } from '@/ui/toaster'
import { addPost } from '../../api/post-cache'
import { clearChosenMedia, removeMedia, waitForUpload } from '../../chosen-media'
import { createPostRequest } from '../../post-draft'
import { clearPostedDraft, getPostDraft } from '../../usePostDraft'

const failed = 'Failed to create post. Please try again.'

/** Refusals of the picture or video: it has to be chosen again. */
const aboutMedia = ['media_not_usable', 'unsupported_media_type', 'payload_too_large']

/** The upload that the post waited for failed, and has said so, or was taken back. */
class NotSent extends Error {}

/**
 * Publishes the draft, once its picture or video is uploaded, under an id made by the page, so that a repeated press
 * stores it once. What follows an answer stands here and not in the composer, which may be gone by then.
 *
 * `posting` is true while a person's post is on its way, whichever composer sent it.
 */
export function useCreatePost(userId: string) {
  const client = useQueryClient()
  const mutationKey = ['posts', 'create', userId]
  const posting = useIsMutating({ mutationKey }) > 0
  const { mutate } = useMutation({
    mutationKey,
    mutationFn: async () => {
      if (!(await waitForUpload(userId))) throw new NotSent()
      const draft = getPostDraft(userId)
      return { draft, post: await api.post('/api/posts', createPostRequest(draft), Post) }
    },
    onSuccess: async ({ draft, post }) => {
      if (getPostDraft(userId).id === draft.id) clearChosenMedia(userId)
      clearPostedDraft(userId, draft)
      toast({ title: 'Post created successfully!' })
      void client.invalidateQueries({ queryKey: queryKeys.userStats })
      await addPost(client, post)
    },
    onError: (error) => {
      if (isUnauthorized(error) || error instanceof NotSent) return
      if (error instanceof ApiError && error.code && aboutMedia.includes(error.code)) removeMedia(userId)
      const description = isTransient(error) ? failed : errorMessage(error, failed)
      toast({ title: 'Error', description, tone: 'destructive' })
    },
  })
  /** `onPosted` is told while the composer is still there. */
  const publish = (onPosted?: () => void) => {
    // Two presses may come before the page has drawn the first one's effect.
    if (client.isMutating({ mutationKey }) === 0) mutate(undefined, { onSuccess: onPosted })
  }
  return { publish, posting }
}
