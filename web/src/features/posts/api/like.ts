import { LikeAnswer, type Post } from '@contract/post.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '@/lib/api'
import { holdReading } from '@/lib/optimistic'
import { isUnauthorized } from '@/lib/unauthorized'
import { toast } from '@/ui/toaster'
import { findPost, updatePost } from './cache'
import { postKeys } from './keys'

/** The post as it looks right after the button was pressed, before the server has answered. */
export function toggled(post: Post): Post {
  const step = post.liked ? -1 : 1
  return { ...post, liked: !post.liked, likesCount: Math.max(0, post.likesCount + step) }
}

/**
 * Likes a post or takes the like back: at once on the screen, then as the server answers, back again when it
 * fails. Presses of one post are sent one after the other, since each of them toggles.
 */
export function useToggleLike(postId: string) {
  const client = useQueryClient()
  return useMutation({
    scope: { id: `like:${postId}` },
    mutationFn: () => api.post(`/api/posts/${postId}/like`, undefined, LikeAnswer),
    onMutate: async () => {
      const resume = await holdReading(client, { queryKey: postKeys.all })
      const post = findPost(client, postId)
      updatePost(client, postId, toggled)
      return { resume, before: post && { liked: post.liked, likesCount: post.likesCount } }
    },
    onSuccess: (answer) => {
      // While another press waits its turn, the screen already shows what comes after it.
      const waiting = client.isMutating({
        predicate: (mutation) => mutation.options.scope?.id === `like:${postId}`,
      })
      if (waiting <= 1) updatePost(client, postId, (post) => ({ ...post, ...answer }))
    },
    onError: (error, _, shown) => {
      const before = shown?.before
      if (before) updatePost(client, postId, (post) => ({ ...post, ...before }))
      if (!isUnauthorized(error)) toast({ title: 'Failed to update like', tone: 'destructive' })
    },
    onSettled: (_answer, _error, _sent, shown) => shown?.resume(),
  })
}
