import { Box } from '@chakra-ui/react'
import type { Comment } from '@contract/comment.ts'
import type { Post } from '@contract/post.ts'
import type { OwnUser } from '@contract/user.ts'
import { useRef, useState } from 'react'
import { displayName } from '@/lib/text'
import { ReadOnlyHint } from '@/moderation/components/ReadOnlyNotice'
import { CommentAction } from './CommentAction'
import { CommentForm } from './CommentForm'
import { CommentRow } from './CommentRow'
import { Replies } from './Replies'

/** A comment with its replies, which are hidden at first, and the box to reply in. */
export function CommentThread({
  comment,
  post,
  user,
  replying,
  onReply,
  onCount,
  onDeleted,
}: {
  comment: Comment
  post: Post
  user: OwnUser | null
  /** Its reply box is the open one. */
  replying: boolean
  /** Opens its reply box, or closes it. */
  onReply: (open: boolean) => void
  onCount: (by: number) => void
  onDeleted: () => void
}) {
  const [shown, setShown] = useState(false)
  const reply = useRef<HTMLButtonElement>(null)
  const close = (hadFocus: boolean) => {
    onReply(false)
    if (hadFocus) reply.current?.focus()
  }
  const count = comment.repliesCount
  return (
    <CommentRow
      comment={comment}
      byAuthor={comment.user?.id === post.userId}
      onCount={onCount}
      onDeleted={onDeleted}
      actions={
        <>
          <CommentAction
            ref={reply}
            type="button"
            aria-expanded={user ? replying : undefined}
            onClick={() => onReply(!replying)}
          >
            Reply
          </CommentAction>
          {count > 0 && (
            <CommentAction type="button" aria-expanded={shown} onClick={() => setShown(!shown)}>
              {shown ? 'Hide replies' : `View ${count} ${count === 1 ? 'reply' : 'replies'}`}
            </CommentAction>
          )}
        </>
      }
    >
      {shown && count > 0 && (
        <Replies comment={comment} post={post} onCount={onCount} onDeleted={onDeleted} />
      )}
      {replying && user?.readOnlyReason && <ReadOnlyHint what="reply" />}
      {replying && user && !user.readOnlyReason && (
        <Box paddingTop="1">
          <CommentForm
            user={user}
            postId={post.id}
            replyTo={{ id: comment.id, name: displayName(comment.user, 'Deleted user') }}
            onCount={onCount}
            onPosted={(hadFocus) => {
              setShown(true)
              close(hadFocus)
            }}
            onCancel={() => close(true)}
          />
        </Box>
      )}
    </CommentRow>
  )
}
