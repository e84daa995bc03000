import { LikeAnswer, type Post } from '@contract/post.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '@/lib/api'
import { isUnauthorized } from '@/lib/unauthorized'
import { toast } from '@/ui/toaster'
import { findPost, updatePost } from './cache'

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
    onMutate: () => {
      const before = findPost(client, postId)
      updatePost(client, postId, toggled)
      return before && { liked: before.liked, likesCount: before.likesCount }
    },
    onSuccess: (answer) => {
      // While another press waits its turn, the screen already shows what comes after it.
      const waiting = client.isMutating({
        predicate: (mutation) => mutation.options.scope?.id === `like:${postId}`,
      })
      if (waiting <= 1) updatePost(client, postId, (post) => ({ ...post, ...answer }))
    },
    onError: (error, _, before) => {
      if (before) updatePost(client, postId, (post) => ({ ...post, ...before }))
      if (!isUnauthorized(error)) toast({ title: 'Failed to update like', tone: 'destructive' })
    },
  })
}
