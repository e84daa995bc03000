import { Box, chakra } from '@chakra-ui/react'
import type { Post } from '@contract/post.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '@/lib/api'
import { ReadOnlyHint } from '@/moderation/components/ReadOnlyNotice'
import { useCurrentUser } from '@/session/session'
import { InlineError } from '@/ui/states'
import { commentsQuery, isPostGone } from '../api'
import { uniqueComments } from '../comment-cache'
import { CommentForm } from './CommentForm'
import { CommentSkeletons, LoadMoreCommentsButton, LockedComments, NoComments } from './CommentStates'
import { CommentThread } from './CommentThread'
import { promptSignIn } from './prompt-sign-in'

/** What is said about a post, the newest first, and the box to say something in. */
export default function Comments({
  post,
  onCount,
  onGone,
  large,
}: {
  post: Post
  /** Tells how many comments (replies included) came or, below zero, went. */
  onCount: (by: number) => void
  /** Told when the server knows no such post any more. */
  onGone: () => void
  /** On the post's own page. */
  large: boolean
}) {
  const { user } = useCurrentUser()
  const section = useRef<HTMLElement>(null)
  return (
    <Box asChild borderTopWidth="1px" marginTop="1" paddingBlock="2" outline="none">
      <section ref={section} tabIndex={-1} aria-label="Comments">
        {large && (
          <Box as="h2" textStyle="title" paddingTop="1">
            Comments
          </Box>
        )}
        {post.locked ? (
          <LockedComments post={post} />
        ) : (
          <>
            {user?.readOnlyReason ? (
              <ReadOnlyHint what="comment" />
            ) : user ? (
              <CommentForm key={user.id} user={user} postId={post.id} onCount={onCount} />
            ) : (
              <VisitorBox type="button" onClick={() => promptSignIn('comment')}>
                Write a comment...
              </VisitorBox>
            )}
            <CommentList
              post={post}
              onCount={onCount}
              onGone={onGone}
              onDeleted={() => section.current?.focus()}
            />
          </>
        )}
      </section>
    </Box>
  )
}

/** Looks like the box and leads to the sign-in page: what a visitor wrote would be lost on the way. */
const VisitorBox = chakra('button', {
  base: {
    display: 'block',
    width: '100%',
    minHeight: 'target',
    marginBlock: '2',
    paddingInline: '3.5',
    textAlign: 'start',
    color: 'muted',
    bg: 'surface',
    borderWidth: '1px',
    borderColor: 'outline',
    borderRadius: 'lg',
    cursor: 'text',
    _hover: { borderColor: 'muted' },
  },
})

function CommentList({
  post,
  onCount,
  onGone,
  onDeleted,
}: {
  post: Post
  onCount: (by: number) => void
  onGone: () => void
  onDeleted: () => void
}) {
  const { user } = useCurrentUser()
  const list = useInfiniteQuery(commentsQuery(post.id))
  // One reply box at a time.
  const [replyingTo, setReplyingTo] = useState<string | null>(null)

  const isGone = isPostGone(list)
  useEffect(() => {
    if (isGone) onGone()
  }, [isGone, onGone])

  if (list.isPending || isGone)
    return <CommentSkeletons count={Math.min(Math.max(post.commentsCount, 1), 3)} />
  if (!list.data) {
    if (list.error instanceof ApiError && list.error.code === 'post_locked')
      return <LockedComments post={post} />
    return <InlineError text="The comments did not load." onRetry={() => void list.refetch()} />
  }
  const comments = uniqueComments(list.data)
  if (comments.length === 0 && !list.hasNextPage) return <NoComments />
  const reply = (id: string, open: boolean) => {
    if (user) setReplyingTo(open ? id : null)
    else promptSignIn('reply')
  }
  return (
    <>
      <Box asChild listStyleType="none">
        <ol aria-label="Comments">
          {comments.map((comment) => (
            <CommentThread
              key={comment.id}
              comment={comment}
              post={post}
              user={user}
              replying={replyingTo === comment.id}
              onReply={(open) => reply(comment.id, open)}
              onCount={onCount}
              onDeleted={onDeleted}
            />
          ))}
        </ol>
      </Box>
      <LoadMoreCommentsButton list={list} label="Show more comments" />
    </>
  )
}
