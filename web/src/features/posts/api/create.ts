import { Post } from '@contract/post.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '@/lib/api'
import { type Lists, prependPost } from './cache'
import { postKeys } from './keys'

/** Publishes a post under an id made by the page, so that a repeated press stores it once. */
export function useCreatePost() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (post: { id: string; content: string }) => api.post('/api/posts', post, Post),
    onSuccess: (post) => {
      client.setQueryData<Lists>(postKeys.feed, (data) => prependPost(data, post))
      void client.invalidateQueries({ queryKey: postKeys.lists })
      void client.invalidateQueries({ queryKey: ['users', 'stats'] })
    },
  })
}
