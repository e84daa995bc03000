import { Box, chakra } from '@chakra-ui/react'
import type { ScheduledPost, ScheduleFailure } from '@contract/scheduled-post.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import { useState } from 'react'
import { dollars } from '@/lib/format'
import { fullTime, useNow } from '@/lib/time'
import { useCurrentUser } from '@/session/session'
import { Badge } from '@/ui/Badge'
import { Button } from '@/ui/Button'
import { ConfirmDialog } from '@/ui/Dialog'
import { AlertIcon, ClockIcon, LockIcon, PlayIcon } from '@/ui/icons'
import { nextRowOrHeading, useFocusAfterRemoval } from '@/ui/restore-focus'
import { userTextParagraphs } from '@/ui/UserText'
import { useScheduledPostActions } from '../../api/scheduled-posts'
import { dayAndTime, unlockPrice } from '../../model'
import { distanceText } from '../../schedule-times'
import LinkedPostCard from '../LinkedPostCard'

const failureTexts: Record<ScheduleFailure, MessageDescriptor> = {
  account_restricted: msg`Your account was read-only when this post was due.`,
  creators_only: msg`Only creators can publish premium posts.`,
  email_unconfirmed: msg`Confirm your email address to sell posts.`,
  media_unavailable: msg`The image or video can no longer be used.`,
  quote_unavailable: msg`The quoted post is no longer available. Edit your post to remove it.`,
  other: msg`Something went wrong. Choose a new time to try again.`,
}

/** Shows a scheduled post with its time, or why it was not published, and buttons that edit, publish and delete it. */
export function ScheduledPostCard({
  post,
  onEdit,
}: {
  post: ScheduledPost
  /** Called with the button that was pressed. */
  onEdit: (button: HTMLElement) => void
}) {
  const now = useNow()
  const { publish, discard, isPublishing, isDiscarding } = useScheduledPostActions(post.id)
  const [confirming, setConfirming] = useState<'publish' | 'delete' | null>(null)
  const focusHandlers = useFocusAfterRemoval(nextRowOrHeading)
  const isBusy = isPublishing || isDiscarding
  const when = dayAndTime(post.publishAt, now)
  const isDue = Date.parse(post.publishAt) <= now
  const isReadOnly = useCurrentUser().user?.readOnlyReason != null
  const dueText = isReadOnly ? t`Waiting until your account can post again` : t`Publishing…`
  return (
    <Box as="li" padding={{ base: '4', md: '5' }} _notLast={{ borderBottomWidth: '1px' }} {...focusHandlers}>
      <Box display="flex" flexWrap="wrap" alignItems="center" columnGap="2" rowGap="1.5">
        <Box
          as="span"
          display="inline-flex"
          alignItems="center"
          gap="1.5"
          textStyle="label"
          color={post.failure ? 'danger.text' : undefined}
        >
          {post.failure ? <AlertIcon /> : <ClockIcon />}
          <time dateTime={post.publishAt} title={fullTime(post.publishAt)}>
            {when}
          </time>
        </Box>
        {post.failure ? (
          <Badge tone="danger">{t`Not published`}</Badge>
        ) : (
          <Box as="span" textStyle="small" color="muted">
            {isDue ? dueText : distanceText(post.publishAt, now)}
          </Box>
        )}
        {post.isPremium && (
          <Badge tone="gold">
            <LockIcon /> {dollars(unlockPrice(post))}
          </Badge>
        )}
      </Box>
      {post.failure && (
        <Box textStyle="small" color="danger.text" marginTop="1.5">
          {t(failureTexts[post.failure])}
        </Box>
      )}
      <Box display="flex" alignItems="flex-start" gap="4" marginTop="3">
        <Box flex="1" minWidth="0">
          {post.teaser && (
            <Box
              color="muted"
              lineClamp="3"
              whiteSpace="pre-wrap"
              overflowWrap="anywhere"
              marginBottom="1"
              {...userTextParagraphs}
            >
              {post.teaser}
            </Box>
          )}
          <Box lineClamp="5" whiteSpace="pre-wrap" overflowWrap="anywhere" {...userTextParagraphs}>
            {post.content}
          </Box>
        </Box>
        {post.mediaType && <Thumbnail post={post} />}
      </Box>
      {post.quotedPostId && (
        <Box marginTop="3">
          <LinkedPostCard postId={post.quotedPostId} preview />
        </Box>
      )}
      <Box display="flex" flexWrap="wrap" gap="2" marginTop="4">
        <Button
          variant={post.failure ? 'tinted' : 'outline'}
          size="sm"
          disabled={isBusy}
          onClick={(event) => onEdit(event.currentTarget)}
        >
          {t`Edit`}
        </Button>
        <Button
          variant="outline"
          size="sm"
          pending={isPublishing}
          pendingLabel={t`Publishing…`}
          disabled={isDiscarding}
          onClick={() => setConfirming('publish')}
        >
          {t`Publish now`}
        </Button>
        <Button
          variant="ghost"
          size="sm"
          color="danger.text"
          disabled={isPublishing}
          onClick={() => setConfirming('delete')}
        >
          {t`Delete`}
        </Button>
      </Box>
      <ConfirmDialog
        open={confirming === 'publish'}
        onClose={() => setConfirming(null)}
        onConfirm={() => {
          setConfirming(null)
          publish()
        }}
        danger={false}
        title={t`Publish this post now?`}
        text={t`It was scheduled for ${when}.`}
        confirmLabel={t`Publish now`}
      />
      <ConfirmDialog
        open={confirming === 'delete'}
        onClose={() => !isDiscarding && setConfirming(null)}
        onConfirm={discard}
        pending={isDiscarding}
        title={t`Delete this scheduled post?`}
        text={t`It won’t be published. You can’t undo this.`}
        confirmLabel={t`Delete`}
      />
    </Box>
  )
}

/** Shows the image or the video's poster, or the blurred placeholder of a video without a poster. */
function Thumbnail({ post }: { post: ScheduledPost }) {
  const source = post.imageUrl ?? post.posterUrl ?? post.placeholder
  return (
    <Frame>
      {source && (
        <Image src={source} alt={post.altText ?? (post.mediaType === 'image' ? t`Photo` : t`Video`)} />
      )}
      {post.mediaType === 'video' && (
        <Box
          position="absolute"
          display="grid"
          placeItems="center"
          boxSize="8"
          borderRadius="full"
          bg="glass"
        >
          <PlayIcon />
        </Box>
      )}
    </Frame>
  )
}

const Frame = chakra('div', {
  base: {
    position: 'relative',
    display: 'grid',
    placeItems: 'center',
    flexShrink: 0,
    boxSize: '20',
    overflow: 'hidden',
    borderRadius: 'md',
    borderWidth: '1px',
    bg: 'sunken',
  },
})

const Image = chakra('img', { base: { width: '100%', height: '100%', objectFit: 'cover' } })
