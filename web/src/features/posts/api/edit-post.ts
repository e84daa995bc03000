import { type EditPostRequest, Post } from '@contract/post.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, errorMessage, isTransient, isUnauthorized } from '@/lib/api'
import { toast } from '@/ui/toaster'
import { isPostGone, removeGonePost } from './gone-posts'
import { updatePost } from './post-cache'

const failed = 'Failed to save the post. Please try again.'

/** Changes one of one's own posts, wherever it is shown. */
export function useEditPost(postId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (fields: EditPostRequest) => api.patch(`/api/posts/${postId}`, fields, Post),
    onSuccess: (post) => {
      updatePost(client, postId, () => post)
      toast({ title: 'Post updated' })
    },
    onError: (error) => {
      if (isUnauthorized(error)) return
      if (isPostGone(error)) {
        removeGonePost(client, postId)
        return
      }
      const description = isTransient(error) ? failed : errorMessage(error, failed)
      toast({ title: 'Error', description, tone: 'destructive' })
    },
  })
}
