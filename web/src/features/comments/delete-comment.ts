import type { Comment } from '@contract/comment.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, isUnauthorized } from '@/lib/api'
import { ignoreNotFound } from '@/lib/ignore-not-found'
import { pauseRefetching } from '@/lib/pause-refetching'
import { pendingMutationCount } from '@/lib/pending-mutation-count'
import { toast } from '@/ui/toaster'
import { countWithReplies, removeCommentFromCache } from './comment-cache'
import { commentKeys } from './keys'

/**
 * Deletes a comment and its replies; one that is gone already counts as deleted. The post counts them no longer at
 * once, and again where it fails.
 */
export function useDeleteComment(comment: Comment, onCount: (by: number) => void) {
  const client = useQueryClient()
  const scope = `delete-comment:${comment.id}`
  const { mutate, isPending } = useMutation({
    scope: { id: scope },
    mutationFn: () => ignoreNotFound(api.delete(`/api/comments/${encodeURIComponent(comment.id)}`)),
    onMutate: async () => {
      onCount(-countWithReplies(comment))
      return { resume: await pauseRefetching(client, { queryKey: commentKeys.all }) }
    },
    onSuccess: () => {
      removeCommentFromCache(client, comment)
      toast({ title: 'Comment deleted' })
    },
    onError: (error) => {
      onCount(countWithReplies(comment))
      if (isUnauthorized(error)) return
      const description = 'Failed to delete comment. Please try again.'
      toast({ title: 'Error', description, tone: 'destructive' })
    },
    onSettled: (_answer, _error, _sent, shown) => shown?.resume(),
  })
  const remove = (options: { onSuccess: () => void; onError: () => void }) => {
    // A second press comes before the button is drawn anew.
    if (pendingMutationCount(client, scope) === 0) mutate(undefined, options)
  }
  return { remove, isPending }
}
