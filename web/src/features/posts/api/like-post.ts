import { LikeResponse, type Post } from '@contract/post.ts'
import { api } from '@/lib/api'
import { useTogglePost } from './post-actions'

/** Whether the post is liked and how often, right after the button was pressed, before the server has answered. */
export function toggleLiked(post: Post): LikeResponse {
  const step = post.liked ? -1 : 1
  return { liked: !post.liked, likesCount: Math.max(0, post.likesCount + step) }
}

/** Likes a post or takes the like back. */
export function useToggleLike(postId: string) {
  return useTogglePost({
    postId,
    name: 'like',
    send: () => api.post(`/api/posts/${postId}/like`, undefined, LikeResponse),
    partOf: (post): LikeResponse => ({ liked: post.liked, likesCount: post.likesCount }),
    turned: toggleLiked,
    failed: 'Failed to update like',
  })
}
