import { Comment, type CreateCommentRequest } from '@contract/comment.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, api, errorMessage, isTransient, isUnauthorized } from '@/lib/api'
import { pauseRefetching } from '@/lib/pause-refetching'
import { pendingMutationCount } from '@/lib/pending-mutation-count'
import { toast } from '@/ui/toaster'
import { addCommentToCache } from './comment-cache'
import { commentKeys } from './keys'
import { clearCommentDraft } from './useCommentDraft'

const failed = 'Failed to post comment. Please try again.'

/**
 * Posts a comment or a reply under an id made by the page, so that a repeated press stores it once. The post counts
 * it at once, and no longer where it fails; what was written stays in the draft until it is stored. What follows an
 * answer stands here and not in the box, which may be gone by then.
 */
export function useCreateComment(
  /** The post, and the comment on it that is answered, if any. */
  { postId, replyTo }: { postId: string; replyTo?: string },
  userId: string,
  onCount: (by: number) => void,
) {
  const client = useQueryClient()
  const scope = `comment:${replyTo ?? postId}`
  const { mutate, isPending } = useMutation({
    scope: { id: scope },
    mutationFn: (comment: { id: string; content: string }) => {
      const body: CreateCommentRequest = { ...comment, parentCommentId: replyTo }
      return api.post(`/api/posts/${encodeURIComponent(postId)}/comments`, body, Comment)
    },
    onMutate: async () => {
      onCount(1)
      return { resume: await pauseRefetching(client, { queryKey: commentKeys.all }) }
    },
    onSuccess: (comment, sent) => {
      clearCommentDraft(userId, replyTo ?? postId, sent.id)
      addCommentToCache(client, comment)
      toast({ title: 'Comment added' })
    },
    onError: (error) => {
      onCount(-1)
      if (isUnauthorized(error)) return
      if (error instanceof ApiError && error.status === 404) {
        // What was answered is gone, maybe with the post: of that the list tells as it is read again.
        void client.invalidateQueries({ queryKey: commentKeys.of(postId) })
        if (!replyTo) return
      }
      const description = isTransient(error) ? failed : errorMessage(error, failed)
      toast({ title: 'Error', description, tone: 'destructive' })
    },
    onSettled: (_answer, _error, _sent, shown) => {
      shown?.resume()
      // A list that was on its way may have been read before the comment was stored.
      const list = replyTo ? commentKeys.replies(replyTo) : commentKeys.of(postId)
      if (client.getQueryState(list)?.fetchStatus === 'fetching')
        void client.invalidateQueries({ queryKey: list })
    },
  })
  const send: typeof mutate = (comment, options) => {
    // A second press comes before the button is drawn anew.
    if (pendingMutationCount(client, scope) === 0) mutate(comment, options)
  }
  return { send, isPending }
}
