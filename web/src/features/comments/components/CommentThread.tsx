import { Box } from '@chakra-ui/react'
import type { Comment } from '@contract/comment.ts'
import type { Post } from '@contract/post.ts'
import type { OwnUser } from '@contract/user.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useLocation } from 'react-router-dom'
import { displayName } from '@/lib/text'
import { ReadOnlyHint } from '@/moderation/components/ReadOnlyNotice'
import { useContentPollInterval } from '@/realtime/connection'
import { InlineError } from '@/ui/states'
import { repliesQuery, uniqueComments } from '../api'
import { revealComment } from '../linked-comment'
import { CommentForm } from './CommentForm'
import { CommentAction, CommentRow, repliesButtonLine } from './CommentRow'
import { CommentSkeletons, LoadMoreCommentsButton } from './CommentStates'

/**
 * Shows a comment with its replies and the reply form. At first, the replies are collapsed: at most one is shown, as a
 * preview.
 */
export function CommentThread({
  comment,
  post,
  user,
  isReplying,
  onReplyChange,
  replyDock,
  onCount,
  linkedReply,
}: {
  comment: Comment
  post: Post
  user: OwnUser | null
  /** Whether the reply form of this comment is open. */
  isReplying: boolean
  onReplyChange: (open: boolean) => void
  /**
   * The bar at the bottom of a phone's screen or of the pane beside a post, in which the reply form is shown. If null,
   * the form is below the comment.
   */
  replyDock: HTMLElement | null
  onCount: (delta: number) => void
  /** The reply to this comment that the URL links to. */
  linkedReply: Comment | undefined
}) {
  const [areRepliesOpen, setRepliesOpen] = useState(false)
  const replyButtonRef = useRef<HTMLButtonElement>(null)
  const closeForm = (hadFocus: boolean) => {
    onReplyChange(false)
    if (hadFocus) replyButtonRef.current?.focus()
  }
  const linkedReplyId = linkedReply?.id
  const { key } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another `key` means that the link was followed again
  useEffect(() => {
    if (linkedReplyId !== undefined) setRepliesOpen(true)
  }, [linkedReplyId, key])
  // The reply count of a cached comment may not include a newer linked reply.
  const count = Math.max(comment.repliesCount, linkedReply ? 1 : 0)
  const preview = comment.previewReply ?? null
  const collapsedCount = preview ? count - 1 : count
  const repliesButton = collapsedCount > 0 && (
    <CommentAction
      type="button"
      aria-expanded={areRepliesOpen}
      onClick={() => setRepliesOpen(!areRepliesOpen)}
    >
      {areRepliesOpen
        ? t`Hide replies`
        : preview
          ? t`${plural(collapsedCount, { one: 'View # more reply', other: 'View # more replies' })}`
          : t`${plural(count, { one: 'View # reply', other: 'View # replies' })}`}
    </CommentAction>
  )
  const form = isReplying && user && !user.readOnlyReason && (
    <CommentForm
      user={user}
      postId={post.id}
      replyTo={{ id: comment.id, name: displayName(comment.user, t`Deleted user`) }}
      docked={replyDock !== null}
      onCount={onCount}
      onPosted={(id, hadFocus) => {
        setRepliesOpen(true)
        closeForm(hadFocus)
        if (hadFocus) revealComment(id)
      }}
      onCancel={() => closeForm(true)}
    />
  )
  return (
    <CommentRow
      comment={comment}
      isPostAuthor={comment.user?.id === post.userId}
      onCount={onCount}
      actions={
        <>
          <CommentAction
            ref={replyButtonRef}
            type="button"
            aria-expanded={user ? isReplying : undefined}
            onClick={() => onReplyChange(!isReplying)}
          >
            <Trans context="verb">Reply</Trans>
          </CommentAction>
          {!preview && repliesButton}
        </>
      }
      replies={
        count > 0 &&
        (areRepliesOpen || preview) && (
          <>
            {areRepliesOpen ? (
              <Replies comment={comment} post={post} onCount={onCount} linkedReply={linkedReply} />
            ) : (
              preview && <ReplyList replies={[preview]} post={post} onCount={onCount} />
            )}
            {preview && repliesButton && (
              <Box display="flex" css={repliesButtonLine}>
                {repliesButton}
              </Box>
            )}
          </>
        )
      }
    >
      {isReplying && user?.readOnlyReason && <ReadOnlyHint what="reply" />}
      {form && (replyDock ? createPortal(form, replyDock) : <Box paddingTop="1">{form}</Box>)}
    </CommentRow>
  )
}

function Replies({
  comment,
  post,
  onCount,
  linkedReply,
}: {
  comment: Comment
  post: Post
  onCount: (delta: number) => void
  linkedReply: Comment | undefined
}) {
  const list = useInfiniteQuery({ ...repliesQuery(comment), refetchInterval: useContentPollInterval() })
  if (list.isPending) {
    const preview = comment.previewReply
    return (
      <>
        {preview && <ReplyList replies={[preview]} post={post} onCount={onCount} />}
        <CommentSkeletons
          label={t`Loading replies`}
          count={Math.min(comment.repliesCount - (preview ? 1 : 0), 3)}
        />
      </>
    )
  }
  if (!list.data) {
    return <InlineError text={t`Couldn't load replies. Try again.`} onRetry={() => void list.refetch()} />
  }
  const replies = uniqueComments(list.data)
  // A linked reply that is not loaded yet is shown after the loaded ones.
  const isMissing = linkedReply !== undefined && !replies.some(({ id }) => id === linkedReply.id)
  const shown = isMissing ? [...replies, linkedReply] : replies
  return (
    <>
      <ReplyList replies={shown} post={post} onCount={onCount} />
      <LoadMoreCommentsButton
        list={list}
        label={t`Show more replies`}
        failedLabel={t`Couldn't load more replies. Try again`}
      />
    </>
  )
}

function ReplyList({
  replies,
  post,
  onCount,
}: {
  replies: Comment[]
  post: Post
  onCount: (delta: number) => void
}) {
  return (
    <Box asChild listStyleType="none">
      <ol aria-label={t`Replies`}>
        {replies.map((reply) => (
          <CommentRow
            key={reply.id}
            comment={reply}
            isPostAuthor={reply.user?.id === post.userId}
            onCount={onCount}
          />
        ))}
      </ol>
    </Box>
  )
}
