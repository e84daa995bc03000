import { Box } from '@chakra-ui/react'
import type { Comment } from '@contract/comment.ts'
import type { Post } from '@contract/post.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { InlineError } from '@/ui/states'
import { repliesQuery } from '../api'
import { uniqueComments } from '../comment-cache'
import { CommentRow } from './CommentRow'
import { CommentSkeletons, LoadMoreCommentsButton } from './CommentStates'

/** The replies to a comment, the oldest first. */
export function Replies({
  comment,
  post,
  onCount,
  onDeleted,
}: {
  comment: Comment
  post: Post
  onCount: (by: number) => void
  onDeleted: () => void
}) {
  const list = useInfiniteQuery(repliesQuery(comment.id))
  if (list.isPending)
    return <CommentSkeletons label="Loading replies" count={Math.min(comment.repliesCount, 3)} />
  if (!list.data) return <InlineError text="The replies did not load." onRetry={() => void list.refetch()} />
  return (
    <>
      <Box asChild listStyleType="none">
        <ol aria-label="Replies">
          {uniqueComments(list.data).map((reply) => (
            <CommentRow
              key={reply.id}
              comment={reply}
              byAuthor={reply.user?.id === post.userId}
              onCount={onCount}
              onDeleted={onDeleted}
            />
          ))}
        </ol>
      </Box>
      <LoadMoreCommentsButton list={list} label="Show more replies" />
    </>
  )
}
