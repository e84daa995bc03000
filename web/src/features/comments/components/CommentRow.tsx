import { Box, chakra } from '@chakra-ui/react'
import type { Comment } from '@contract/comment.ts'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { HiddenBadge } from '@/moderation/components/HiddenBadge'
import { Avatar } from '@/ui/Avatar'
import { Badge } from '@/ui/Badge'
import { ConfirmDialog } from '@/ui/Dialog'
import { PostTime } from '@/ui/PostTime'
import { RichText } from '@/ui/UserText'
import { userTextLine, userTextParagraphs } from '@/ui/user-text-styles'
import { useDeleteComment } from '../delete-comment'
import { CommentAction } from './CommentAction'
import { CommentMenu } from './CommentMenu'

const Name = chakra(Link, {
  base: {
    textStyle: 'label',
    minWidth: '0',
    truncate: true,
    borderRadius: 'xs',
    _hover: { textDecoration: 'underline' },
  },
})

/** One comment or reply: who, when, what, and what can be done with it. `children` stand below it. */
export function CommentRow({
  comment,
  byAuthor,
  onCount,
  onDeleted,
  actions,
  children,
}: {
  comment: Comment
  /** By the author of the post. */
  byAuthor: boolean
  onCount: (by: number) => void
  /** After it is gone, for the focus to go somewhere. */
  onDeleted: () => void
  actions?: ReactNode
  children?: ReactNode
}) {
  const [asking, setAsking] = useState(false)
  const { remove, isPending } = useDeleteComment(comment, onCount)
  const { ref, named } = useNamedByAddress(comment.id)
  const { user } = comment
  const name = displayName(user, 'Deleted user')
  const confirm = () => remove({ onSuccess: onDeleted, onError: () => setAsking(false) })
  return (
    <Box asChild display="flex" gap="2.5" paddingTop="3">
      <li id={`comment-${comment.id}`} ref={ref} aria-current={named ? 'true' : undefined}>
        <Box paddingTop="0.5">
          <Avatar
            person={{
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
            bg={named ? 'ember.wash' : undefined}
            boxShadow={named ? '0 0 0 0.375rem {colors.ember.wash}' : undefined}
          >
            <Box display="flex" alignItems="center" gap="2" minHeight="6">
              {user ? (
                <Name to={paths.profile.getHref(user.handle)} {...userTextLine}>
                  {name}
                </Name>
              ) : (
                <Box as="span" textStyle="label" color="muted">
                  {name}
                </Box>
              )}
              {byAuthor && <Badge tone="neutral">Author</Badge>}
              <Box as="span" textStyle="small" color="muted" whiteSpace="nowrap">
                <PostTime at={comment.createdAt} />
              </Box>
            </Box>
            <Box whiteSpace="pre-wrap" overflowWrap="anywhere" {...userTextParagraphs}>
              <RichText text={comment.content} />
            </Box>
            {comment.hidden && <HiddenBadge />}
          </Box>
          <Box display="flex" flexWrap="wrap" marginInlineStart="-2">
            {actions}
            {comment.canDelete && (
              <CommentAction type="button" onClick={() => setAsking(true)}>
                Delete
              </CommentAction>
            )}
            {!comment.mine && user && <CommentMenu comment={comment} user={user} />}
          </Box>
          {children}
        </Box>
        {comment.canDelete && (
          <ConfirmDialog
            open={asking}
            onClose={() => setAsking(false)}
            onConfirm={confirm}
            pending={isPending}
            title={comment.parentCommentId ? 'Delete this reply?' : 'Delete this comment?'}
            text={`It is gone for everyone${comment.repliesCount > 0 ? ', with its replies' : ''}. This cannot be taken back.`}
            confirmLabel="Delete"
          />
        )}
      </li>
    </Box>
  )
}

/** Whether the page's address names this comment; if so, it is brought into view once. */
function useNamedByAddress(id: string) {
  const ref = useRef<HTMLLIElement>(null)
  const named = useLocation().hash === `#comment-${id}`
  useEffect(() => {
    if (named) ref.current?.scrollIntoView({ block: 'center' })
  }, [named])
  return { ref, named }
}
