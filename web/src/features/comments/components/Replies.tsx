import { Box } from '@chakra-ui/react'
import type { Comment } from '@contract/comment.ts'
import type { Post } from '@contract/post.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { PartFailed } from '@/ui/states'
import { itemsOf } from '../api/cache'
import { repliesQuery } from '../api/lists'
import { CommentRow } from './CommentRow'
import { CommentSkeletons, MoreButton } from './states'

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
  if (!list.data) return <PartFailed text="The replies did not load." onRetry={() => void list.refetch()} />
  return (
    <>
      <Box asChild listStyleType="none">
        <ol aria-label="Replies">
          {itemsOf(list.data).map((reply) => (
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
      <MoreButton list={list} label="Show more replies" />
    </>
  )
}
