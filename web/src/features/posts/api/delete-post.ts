import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, isUnauthorized } from '@/lib/api'
import { ignoreNotFound } from '@/lib/ignore-not-found'
import { queryKeys } from '@/lib/query-keys'
import { toast } from '@/ui/toaster'
import { postKeys } from './keys'
import { removePost } from './post-cache'

/**
 * Deletes one of one's own posts; one that is gone already counts as deleted. What it says stands here and not in
 * the post's card, which is gone by then.
 */
export function useDeletePost(postId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => ignoreNotFound(api.delete(`/api/posts/${postId}`)),
    onSuccess: () => {
      toast({ title: 'Post Deleted' })
      removePost(client, postId)
      client.removeQueries({ queryKey: postKeys.detail(postId) })
      void client.invalidateQueries({ queryKey: queryKeys.userStats })
    },
    onError: (error) => {
      if (isUnauthorized(error)) return
      const description = 'Failed to delete post. Please try again.'
      toast({ title: 'Error', description, tone: 'destructive' })
    },
  })
}
