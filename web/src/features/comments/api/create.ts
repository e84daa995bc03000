import { Comment, type CreateCommentRequest } from '@contract/comment.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, isTransient, messageOf } from '@/lib/api'
import { holdReading } from '@/lib/optimistic'
import { isUnauthorized } from '@/lib/unauthorized'
import { toast } from '@/ui/toaster'
import { clearDraft } from '../useDraft'
import { addComment } from './cache'
import { commentKeys } from './keys'

const failed = 'Failed to post comment. Please try again.'

/** What is sent; its id is made by the page, so that a repeated press stores it once. */
type NewComment = CreateCommentRequest & { id: string }

/**
 * Posts a comment or a reply. The post counts it at once, and no longer where it fails; what was written stays in
 * the draft until it is stored. What follows an answer stands here and not in the box, which may be gone by then.
 */
export function useCreateComment(postId: string, userId: string, onCount: (by: number) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (comment: NewComment) =>
      api.post(`/api/posts/${encodeURIComponent(postId)}/comments`, comment, Comment),
    onMutate: async () => {
      onCount(1)
      return { resume: await holdReading(client, { queryKey: commentKeys.all }) }
    },
    onSuccess: (comment, sent) => {
      clearDraft(userId, sent.parentCommentId ?? postId, sent.id)
      addComment(client, comment)
      toast({ title: 'Comment added' })
    },
    onError: (error) => {
      onCount(-1)
      if (isUnauthorized(error)) return
      const description = isTransient(error) ? failed : messageOf(error, failed)
      toast({ title: 'Error', description, tone: 'destructive' })
    },
    onSettled: (_answer, _error, sent, shown) => {
      shown?.resume()
      // A list that was on its way may have been read before the comment was stored.
      const list = sent.parentCommentId ? commentKeys.replies(sent.parentCommentId) : commentKeys.of(postId)
      if (client.getQueryState(list)?.fetchStatus === 'fetching')
        void client.invalidateQueries({ queryKey: list })
    },
  })
}
