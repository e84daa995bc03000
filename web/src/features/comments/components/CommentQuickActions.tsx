import { Box } from '@chakra-ui/react'
import type { NotificationComment } from '@contract/notification.ts'
import type { UserCard } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { paths } from '@/lib/paths'
import { displayName } from '@/lib/text'
import { ReadOnlyHint } from '@/moderation/components/ReadOnlyNotice'
import { refreshQueries } from '@/realtime/affected-queries'
import { useCurrentUser } from '@/session/session'
import { TextLink } from '@/ui/layout'
import { CommentForm } from './CommentForm'
import { CommentAction, LikeButton } from './CommentRow'

/** Shows buttons to like a comment and to reply to it, for use outside the list of the post's comments. */
export default function CommentQuickActions({
  comment,
  author,
}: {
  comment: NotificationComment
  author: UserCard
}) {
  const { user } = useCurrentUser()
  const queryClient = useQueryClient()
  const replyButton = useRef<HTMLButtonElement>(null)
  const [isReplying, setReplying] = useState(false)
  const [sentId, setSentId] = useState<string | null>(null)
  if (!user) return null
  const closeForm = (hadFocus: boolean) => {
    setReplying(false)
    if (hadFocus) replyButton.current?.focus()
  }
  return (
    <>
      <Box display="flex" flexWrap="wrap" alignItems="center" columnGap="1" marginInlineStart="-2">
        <LikeButton comment={comment} name={displayName(author)} inline />
        <CommentAction
          ref={replyButton}
          type="button"
          aria-expanded={isReplying}
          onClick={() => {
            setSentId(null)
            setReplying(!isReplying)
          }}
        >
          <Trans context="verb">Reply</Trans>
        </CommentAction>
        <Box role="status" marginInlineStart="2" textStyle="small" color="muted">
          {sentId && (
            <>
              {t`Reply sent`}
              {' · '}
              <TextLink to={`${paths.post.getHref(comment.postId)}#comment-${sentId}`}>{t`View`}</TextLink>
            </>
          )}
        </Box>
      </Box>
      {isReplying &&
        (user.readOnlyReason ? (
          <ReadOnlyHint what="reply" />
        ) : (
          <CommentForm
            user={user}
            postId={comment.postId}
            replyTo={{ ...comment, user: author, mine: false }}
            onCount={() => undefined}
            onPosted={(id, hadFocus) => {
              refreshQueries(queryClient, ['postDetails'])
              setSentId(id)
              closeForm(hadFocus)
            }}
            onCancel={() => closeForm(true)}
          />
        ))}
    </>
  )
}
