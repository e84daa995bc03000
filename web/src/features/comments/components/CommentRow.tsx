import { Box, chakra } from '@chakra-ui/react'
import type { Comment } from '@contract/comment.ts'
import type { UserCard } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { type ReactNode, useRef, useState } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { HiddenBadge } from '@/moderation/components/HiddenBadge'
import { ReportMenuItems } from '@/moderation/components/ReportMenuItems'
import { Avatar } from '@/ui/Avatar'
import { Badge } from '@/ui/Badge'
import { ConfirmDialog } from '@/ui/Dialog'
import { MoreIcon } from '@/ui/icons'
import { lineTarget } from '@/ui/layout'
import { Menu } from '@/ui/Menu'
import { useFocusAfterRemoval } from '@/ui/restore-focus'
import { PostTime } from '@/ui/TimeAgo'
import { UserText, userTextLine, userTextParagraphs } from '@/ui/UserText'
import { useDeleteComment } from '../api'
import { useLinkTarget } from '../linked-comment'

/** Shows a comment or reply with its author, time, text and actions. `children` are below it. */
export function CommentRow({
  comment,
  isPostAuthor,
  onCount,
  actions,
  children,
}: {
  comment: Comment
  /** The comment is by the author of the post. */
  isPostAuthor: boolean
  onCount: (delta: number) => void
  actions?: ReactNode
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
    <Box asChild display="flex" gap="2.5" paddingTop="3">
      <li
        id={`comment-${comment.id}`}
        ref={ref}
        tabIndex={isTarget ? -1 : undefined}
        aria-current={isTarget ? 'true' : undefined}
        {...focusHandlers}
      >
        <Box paddingTop="0.5">
          <Avatar
            user={{
              displayName: name,
              profileImageUrl: user?.profileImageUrl ?? null,
              isCreator: user?.isCreator,
            }}
            size="sm"
          />
        </Box>
        <Box flex="1" minWidth="0">
          <Box
            borderRadius="sm"
            bg={isTarget ? 'ember.wash' : undefined}
            boxShadow={isTarget ? '0 0 0 0.375rem {colors.ember.wash}' : undefined}
            animation={isTarget ? 'fadeHighlight {durations.slow} 4s forwards' : undefined}
          >
            <Box display="flex" alignItems="center" gap="2" minHeight="6">
              {user ? (
                <AuthorLink to={paths.profile.getHref(user.handle)} {...userTextLine}>
                  {name}
                </AuthorLink>
              ) : (
                <Box as="span" textStyle="label" color="muted">
                  {name}
                </Box>
              )}
              {isPostAuthor && (
                <Badge tone="neutral">
                  <Trans>Author</Trans>
                </Badge>
              )}
              <Box as="span" textStyle="small" color="muted" whiteSpace="nowrap">
                <PostTime at={comment.createdAt} />
              </Box>
            </Box>
            <Box whiteSpace="pre-wrap" overflowWrap="anywhere" {...userTextParagraphs}>
              <UserText text={comment.content} />
            </Box>
            {comment.hidden && <HiddenBadge />}
          </Box>
          <Box display="flex" flexWrap="wrap" marginInlineStart="-2">
            {actions}
            {comment.canDelete && (
              <CommentAction type="button" onClick={() => setConfirming(true)}>
                <Trans>Delete</Trans>
              </CommentAction>
            )}
            {!comment.mine && user && <CommentMenu comment={comment} user={user} />}
          </Box>
          {children}
        </Box>
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

/** Shows a small button below a comment. */
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
