import { queryKeys } from '@/lib/query-keys'

/** Keys of what is said about posts: comments by post, replies by the comment they answer. */
export const commentKeys = {
  all: queryKeys.comments,
  of: (postId: string) => [...queryKeys.comments, 'post', postId] as const,
  replies: (commentId: string) => [...queryKeys.comments, 'replies', commentId] as const,
}
