import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, api } from '@/lib/api'
import { removePost } from './cache'
import { postKeys } from './keys'

/** Deletes one of one's own posts; one that is gone already counts as deleted. */
export function useDeletePost(postId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      try {
        await api.delete(`/api/posts/${postId}`)
      } catch (error) {
        if (!(error instanceof ApiError && error.status === 404)) throw error
      }
    },
    onSuccess: () => {
      removePost(client, postId)
      client.removeQueries({ queryKey: postKeys.detail(postId) })
      void client.invalidateQueries({ queryKey: ['users', 'stats'] })
    },
  })
}
