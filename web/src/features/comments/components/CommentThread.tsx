import { Box } from '@chakra-ui/react'
import type { Comment } from '@contract/comment.ts'
import type { Post } from '@contract/post.ts'
import type { OwnUser } from '@contract/user.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useLocation } from 'react-router-dom'
import { ReadOnlyHint } from '@/moderation/components/ReadOnlyNotice'
import { useContentPollInterval } from '@/realtime/connection'
import { InlineError } from '@/ui/states'
import { repliesQuery, uniqueComments } from '../api'
import { revealComment } from '../linked-comment'
import { CommentForm } from './CommentForm'
import { CommentAction, CommentRow, repliesButtonLine } from './CommentRow'
import { CommentSkeletons, LoadMoreCommentsButton } from './CommentStates'

interface ThreadContext {
  post: Post
  user: OwnUser | null
  /** The id of the comment or reply whose reply form is open. */
  replyTargetId: string | null
  onReplyTargetChange: (id: string | null) => void
  /**
   * The bar at the bottom of a phone's screen or of the pane beside a post, in which the reply form is shown. If null,
   * the form is below the comment.
   */
  replyDock: HTMLElement | null
  onCount: (delta: number) => void
}

/**
 * Shows a comment with its replies and the reply form. At first, the replies are collapsed: at most one is shown, as a
 * preview.
 */
export function CommentThread({
  comment,
  linkedReply,
  ...context
}: ThreadContext & {
  comment: Comment
  /** The reply to this comment that the URL links to. */
  linkedReply: Comment | undefined
}) {
  const [areRepliesOpen, setRepliesOpen] = useState(false)
  const linkedReplyId = linkedReply?.id
  const { key } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another `key` means that the link was followed again
  useEffect(() => {
    if (linkedReplyId !== undefined) setRepliesOpen(true)
  }, [linkedReplyId, key])
  // A cached reply count may be older than the linked reply and not include it.
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
  const replyListProps = { context, onReplied: () => setRepliesOpen(true) }
  return (
    <ThreadRow
      comment={comment}
      {...replyListProps}
      moreActions={!preview && repliesButton}
      replies={
        count > 0 &&
        (areRepliesOpen || preview) && (
          <>
            {areRepliesOpen ? (
              <Replies comment={comment} linkedReply={linkedReply} {...replyListProps} />
            ) : (
              preview && <ReplyList replies={[preview]} {...replyListProps} />
            )}
            {preview && repliesButton && (
              <Box display="flex" css={repliesButtonLine}>
                {repliesButton}
              </Box>
            )}
          </>
        )
      }
    />
  )
}

interface ReplyListProps {
  context: ThreadContext
  /** Called when the user has replied to the comment or to one of its replies. */
  onReplied: () => void
}

/** Shows a comment or reply, its reply button and, while it is open, its reply form. */
function ThreadRow({
  comment,
  context: { post, user, replyTargetId, onReplyTargetChange, replyDock, onCount },
  onReplied,
  moreActions,
  replies,
}: ReplyListProps & { comment: Comment; moreActions?: ReactNode; replies?: ReactNode }) {
  const replyButtonRef = useRef<HTMLButtonElement>(null)
  const isReplying = replyTargetId === comment.id
  const closeForm = (hadFocus: boolean) => {
    onReplyTargetChange(null)
    if (hadFocus) replyButtonRef.current?.focus()
  }
  const form = isReplying && user && !user.readOnlyReason && (
    <CommentForm
      user={user}
      postId={post.id}
      replyTo={comment}
      docked={replyDock !== null}
      onCount={onCount}
      onPosted={(id, hadFocus) => {
        onReplied()
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
            onClick={() => onReplyTargetChange(isReplying ? null : comment.id)}
          >
            <Trans context="verb">Reply</Trans>
          </CommentAction>
          {moreActions}
        </>
      }
      replies={replies}
    >
      {isReplying && user?.readOnlyReason && <ReadOnlyHint what="reply" />}
      {form && (replyDock ? createPortal(form, replyDock) : <Box paddingTop="1">{form}</Box>)}
    </CommentRow>
  )
}

function Replies({
  comment,
  linkedReply,
  ...listProps
}: ReplyListProps & { comment: Comment; linkedReply: Comment | undefined }) {
  const list = useInfiniteQuery({ ...repliesQuery(comment), refetchInterval: useContentPollInterval() })
  if (list.isPending) {
    const preview = comment.previewReply
    return (
      <>
        {preview && <ReplyList replies={[preview]} {...listProps} />}
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
      <ReplyList replies={shown} {...listProps} />
      <LoadMoreCommentsButton
        list={list}
        label={t`Show more replies`}
        failedLabel={t`Couldn't load more replies. Try again`}
      />
    </>
  )
}

function ReplyList({ replies, ...rowProps }: ReplyListProps & { replies: Comment[] }) {
  return (
    <Box asChild listStyleType="none">
      <ol aria-label={t`Replies`}>
        {replies.map((reply) => (
          <ThreadRow key={reply.id} comment={reply} {...rowProps} />
        ))}
      </ol>
    </Box>
  )
}
