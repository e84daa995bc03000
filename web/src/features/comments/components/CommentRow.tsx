import { Box, chakra } from '@chakra-ui/react'
import type { Comment } from '@contract/comment.ts'
import type { NotificationComment } from '@contract/notification.ts'
import type { UserCard } from '@contract/user.ts'
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { compactNumber } from '@/lib/format'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { HiddenBadge } from '@/moderation/components/HiddenBadge'
import { ReportMenuItems } from '@/moderation/components/ReportMenuItems'
import { openLoginPage } from '@/session/login-redirect'
import { useCurrentUser } from '@/session/session'
import { Avatar } from '@/ui/Avatar'
import { animateHeart } from '@/ui/animate-heart'
import { ConfirmDialog } from '@/ui/Dialog'
import { HeartIcon, MoreIcon } from '@/ui/icons'
import { lineTarget } from '@/ui/layout'
import { Menu } from '@/ui/Menu'
import { useFocusAfterRemoval } from '@/ui/restore-focus'
import { PostDate } from '@/ui/TimeAgo'
import { UserText, userTextLine, userTextParagraphs } from '@/ui/UserText'
import { useDeleteComment, useToggleCommentLike } from '../api'
import { useLinkTarget } from '../linked-comment'

/**
 * Shows a comment or reply with its author, time, text and actions. `replies` are shown below it and connected to it by
 * lines, and `children` are shown below the replies.
 */
export function CommentRow({
  comment,
  isPostAuthor,
  onCount,
  actions,
  replies,
  children,
}: {
  comment: Comment
  /** Whether the comment is by the author of the post. */
  isPostAuthor: boolean
  onCount: (delta: number) => void
  actions?: ReactNode
  replies?: ReactNode
  children?: ReactNode
}) {
  const [isConfirming, setConfirming] = useState(false)
  const { deleteComment, isPending } = useDeleteComment(comment, onCount)
  const { ref, isTarget } = useLinkTarget(comment.id)
  const focusHandlers = useFocusAfterRemoval((row) => [row.closest('section')])
  const { user } = comment
  const name = displayName(user, t`Deleted user`)
  const confirm = () => deleteComment({ onError: () => setConfirming(false) })
  return (
    <Box
      asChild
      position="relative"
      display="grid"
      gridTemplateColumns="auto minmax(0, 1fr)"
      columnGap="2.5"
      paddingTop="3"
      css={comment.parentCommentId ? replyLines : undefined}
    >
      <li
        id={`comment-${comment.id}`}
        ref={ref}
        tabIndex={isTarget ? -1 : undefined}
        aria-current={isTarget ? 'true' : undefined}
        {...focusHandlers}
      >
        <Box paddingTop="0.5" display="flex" flexDirection="column" alignItems="center">
          <Avatar
            user={{
              displayName: name,
              profileImageUrl: user?.profileImageUrl ?? null,
              isCreator: user?.isCreator,
            }}
            size="sm"
          />
          {replies && <Box flex="1" width="0" marginTop="1" borderInlineStartWidth={lineWidth} />}
        </Box>
        <Box>
          <Box display="flex" alignItems="flex-start" gap="1">
            <Box
              flex="1"
              minWidth="0"
              borderRadius="sm"
              bg={isTarget ? 'ember.wash' : undefined}
              boxShadow={isTarget ? '0 0 0 0.375rem {colors.ember.wash}' : undefined}
              animation={isTarget ? 'fadeHighlight {durations.slow} 4s forwards' : undefined}
            >
              <Box display="flex" gap="1.5">
                <Box flex="1" minWidth="0" minHeight="6" display="flex" alignItems="center">
                  {user ? (
                    <AuthorLink to={paths.profile.getHref(user.handle)} {...userTextLine}>
                      {name}
                    </AuthorLink>
                  ) : (
                    <Box as="span" textStyle="label" color="muted">
                      {name}
                    </Box>
                  )}
                </Box>
                {!comment.mine && user && (
                  // The button is taller than the line.
                  <Box display="flex" alignItems="center" height="6" marginInlineEnd="-1">
                    <CommentMenu comment={comment} user={user} />
                  </Box>
                )}
              </Box>
              <Box whiteSpace="pre-wrap" overflowWrap="anywhere" {...userTextParagraphs}>
                <UserText text={comment.content} />
              </Box>
              {comment.hidden && <HiddenBadge />}
            </Box>
            <LikeButton comment={comment} name={name} />
          </Box>
          <Box display="flex" flexWrap="wrap" alignItems="center" columnGap="1">
            <Box as="span" textStyle="small" color="muted" whiteSpace="nowrap">
              <PostDate at={comment.createdAt} />
              {isPostAuthor && (
                <>
                  {' · '}
                  <Box as="span" fontWeight="semibold" color="text">
                    <Trans>Author</Trans>
                  </Box>
                </>
              )}
            </Box>
            {actions}
            {comment.canDelete && (
              <CommentAction type="button" onClick={() => setConfirming(true)}>
                <Trans>Delete</Trans>
              </CommentAction>
            )}
          </Box>
        </Box>
        {replies && (
          <Box gridColumn="2" paddingBottom="2">
            {replies}
          </Box>
        )}
        {children && <Box gridColumn="2">{children}</Box>}
        {comment.canDelete && (
          <ConfirmDialog
            open={isConfirming}
            onClose={() => setConfirming(false)}
            onConfirm={confirm}
            pending={isPending}
            title={comment.parentCommentId ? t`Delete this reply?` : t`Delete this comment?`}
            text={deletionText(comment)}
            confirmLabel={t`Delete`}
          />
        )}
      </li>
    </Box>
  )
}

const lineWidth = '2px'

/**
 * Draws a line from the comment's avatar to the avatar of each reply. The comment's avatar is 2rem wide, so its center
 * is 1.625rem before the start of the replies, including the gap.
 */
const replyLines = {
  _before: {
    content: '""',
    position: 'absolute',
    top: '0',
    insetInlineStart: '-1.6875rem',
    width: '1.4375rem',
    // Ends at the center of the reply's avatar.
    height: 'calc({spacing.3} + {spacing.0.5} + 1rem)',
    borderColor: 'hairline',
    borderInlineStartWidth: lineWidth,
    borderBottomWidth: lineWidth,
    borderEndStartRadius: '0.75rem',
  },
  // Goes on to the next reply, or to the button below the last one.
  '&:not(:last-child)::after, ol:not(:last-child) > &::after': {
    content: '""',
    position: 'absolute',
    insetBlock: '0',
    insetInlineStart: '-1.6875rem',
    borderColor: 'hairline',
    borderInlineStartWidth: lineWidth,
  },
} as const

/** Draws the line to the button below the last reply, which is aligned with the text of the replies. */
export const repliesButtonLine = {
  position: 'relative',
  paddingInlineStart: 'calc(2rem + {spacing.2.5} - {spacing.2})',
  _before: { ...replyLines._before, width: '3.9375rem', height: '50%' },
} as const

/**
 * Likes a comment or removes the like. Sends visitors to the login page.
 *
 * @param inline whether the number of likes is beside the icon rather than below it
 */
export function LikeButton({
  comment,
  name,
  inline = false,
}: {
  comment: NotificationComment
  name: string
  inline?: boolean
}) {
  const { isAuthenticated } = useCurrentUser()
  const like = useToggleCommentLike(comment)
  const heart = useRef<HTMLSpanElement>(null)
  const press = () => {
    if (!isAuthenticated) {
      openLoginPage()
      return
    }
    if (!comment.liked) animateHeart(heart.current)
    like.mutate()
  }
  const count = comment.likesCount
  return (
    <CommentAction
      type="button"
      aria-pressed={comment.liked}
      aria-label={
        comment.parentCommentId
          ? t`${plural(count, { one: `Like the reply by ${name}, # like`, other: `Like the reply by ${name}, # likes` })}`
          : t`${plural(count, { one: `Like the comment by ${name}, # like`, other: `Like the comment by ${name}, # likes` })}`
      }
      title={t({ message: 'Like', context: 'verb' })}
      {...(inline ? inlineLike : stackedLike)}
      onClick={press}
    >
      <Box as="span" ref={heart} fontSize="md">
        <HeartIcon filled={comment.liked} />
      </Box>
      {count > 0 && (
        <Box as="span" aria-hidden textStyle="caption" fontVariantNumeric="tabular-nums">
          {compactNumber(count)}
        </Box>
      )}
    </CommentAction>
  )
}

const inlineLike = { display: 'inline-flex', alignItems: 'center', gap: '1' } as const

const stackedLike = {
  display: 'grid',
  justifyItems: 'center',
  alignContent: 'start',
  flexShrink: '0',
  minWidth: '8',
  paddingTop: '1',
  marginInlineEnd: '-2',
} as const

function deletionText({ parentCommentId, repliesCount }: Comment): string {
  if (parentCommentId) return t`This deletes the reply for everyone. You can't undo this.`
  if (repliesCount > 0) return t`This deletes the comment and its replies for everyone. You can't undo this.`
  return t`This deletes the comment for everyone. You can't undo this.`
}

const AuthorLink = chakra(Link, {
  base: {
    textStyle: 'label',
    minWidth: '0',
    truncate: true,
    borderRadius: 'xs',
    _hover: { textDecoration: 'underline' },
    ...lineTarget,
  },
})

/** Shows a small button in the row of a comment. */
export const CommentAction = chakra('button', {
  base: {
    minHeight: '8',
    paddingInline: '2',
    borderRadius: 'sm',
    textStyle: 'small',
    fontWeight: 'medium',
    color: 'muted',
    cursor: 'pointer',
    transition: 'color {durations.fast}',
    _hover: { color: 'text' },
    '&[aria-pressed=true]': { color: 'ember.text' },
    '@media (pointer: coarse)': { minHeight: 'target', minWidth: 'target' },
  },
})

/** Shows the menu of another user's comment or reply. */
function CommentMenu({ comment, user }: { comment: Comment; user: UserCard }) {
  const triggerRef = useRef<HTMLButtonElement>(null)
  const isReply = comment.parentCommentId !== null
  const name = displayName(user)
  return (
    <Menu
      label={isReply ? t`More about this reply` : t`More about this comment`}
      trigger={
        <CommentAction
          ref={triggerRef}
          type="button"
          fontSize="lg"
          aria-label={isReply ? t`More about the reply by ${name}` : t`More about the comment by ${name}`}
        >
          <MoreIcon />
        </CommentAction>
      }
    >
      <ReportMenuItems
        subject={{
          kind: 'comment',
          id: comment.id,
          user: { id: user.id, name },
          finalFocus: () => triggerRef.current,
        }}
      />
    </Menu>
  )
}
