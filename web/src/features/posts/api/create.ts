import { Post } from '@contract/post.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, isTransient, messageOf } from '@/lib/api'
import { queryKeys } from '@/lib/queryKeys'
import { isUnauthorized } from '@/lib/unauthorized'
import { toast } from '@/ui/toaster'
import { clearDraft } from '../useDraft'
import { type Lists, prependPost } from './cache'
import { postKeys } from './keys'

const failed = 'Failed to create post. Please try again.'

/**
 * Publishes a post under an id made by the page, so that a repeated press stores it once. What follows an answer
 * stands here and not in the composer, which may be gone by then.
 */
export function useCreatePost(userId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (post: { id: string; content: string }) => api.post('/api/posts', post, Post),
    onSuccess: (post, sent) => {
      clearDraft(userId, sent.id)
      toast({ title: 'Post created successfully!' })
      client.setQueryData<Lists>(postKeys.feed, (data) => prependPost(data, post))
      void client.invalidateQueries({ queryKey: postKeys.lists })
      void client.invalidateQueries({ queryKey: queryKeys.userStats })
    },
    onError: (error) => {
      if (isUnauthorized(error)) return
      const description = isTransient(error) ? failed : messageOf(error, failed)
      toast({ title: 'Error', description, tone: 'destructive' })
    },
  })
}
