import { Comment } from '@contract/comment.ts'
import { limits } from '@contract/limits.ts'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { ApiError, api, type Page, withQuery } from '@/lib/api'
import { commentKeys } from './keys'

function listQuery(queryKey: readonly unknown[], path: string) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }): Promise<Page<Comment>> =>
      api.page(withQuery(path, { limit: limits.page.comments, cursor: pageParam ?? undefined }), Comment, {
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.nextCursor,
  })
}

/** The comments on a post, the newest first; not the replies to them. */
export function commentsQuery(postId: string) {
  return listQuery(commentKeys.of(postId), `/api/posts/${encodeURIComponent(postId)}/comments`)
}

/**
 * Whether the server knows no such post any more. What it answered before does not count while it is asked anew: the
 * post may be back.
 */
export function isPostGone(list: { isFetching: boolean; error: unknown }): boolean {
  return !list.isFetching && list.error instanceof ApiError && list.error.status === 404
}

/** The replies to a comment, the oldest first. */
export function repliesQuery(commentId: string) {
  return listQuery(commentKeys.replies(commentId), `/api/comments/${encodeURIComponent(commentId)}/replies`)
}
