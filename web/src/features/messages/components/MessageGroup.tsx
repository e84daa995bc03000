import { Box } from '@chakra-ui/react'
import { Fragment } from 'react'
import { fullTime, timeAgo } from '@/lib/format'
import { useNow } from '@/lib/time'
import { CheckIcon, CheckTwiceIcon, ClockIcon } from '@/ui/icons'
import { VisuallyHidden } from '@/ui/layout'
import { type Bubble, type BubbleGroup, showsTimestamp } from '../model/bubbles'
import { MessageBubble } from './MessageBubble'
import { useThreadActions } from './thread-actions'

/** What one person wrote within a minute. */
export function MessageGroup({
  group,
  seenId,
  reachableId,
}: {
  group: BubbleGroup
  /** The last own message that was seen, if it is in this group. */
  seenId: string | undefined
  reachableId: string | undefined
}) {
  const { me, name } = useThreadActions()
  const own = group.senderId === me
  const last = group.bubbles.at(-1)
  if (!last) return null
  return (
    <Box
      position="relative"
      alignSelf={own ? 'flex-end' : 'flex-start'}
      maxWidth={{ base: '94%', md: '82%' }}
      display="flex"
      flexDirection="column"
      gap="1"
    >
      {/* For the eye the side and the colour say it. */}
      <VisuallyHidden>{own ? 'You' : name}:</VisuallyHidden>
      {group.bubbles.map((bubble) => (
        <Fragment key={bubble.id}>
          <MessageBubble
            bubble={bubble}
            own={own}
            tail={bubble === last}
            reachable={bubble.id === reachableId}
          />
          {showsTimestamp(bubble, group, seenId) && (
            <Line bubble={bubble} own={own} saysSeen={bubble.id === seenId} />
          )}
        </Fragment>
      ))}
    </Box>
  )
}

/** When it was written and how far it came. */
function Line({ bubble, own, saysSeen }: { bubble: Bubble; own: boolean; saysSeen: boolean }) {
  const now = useNow()
  return (
    <Box
      textStyle="caption"
      color="muted"
      display="flex"
      alignItems="center"
      justifyContent={own ? 'flex-end' : 'flex-start'}
      gap="1"
      paddingInline="1"
    >
      <span>
        <time dateTime={bubble.createdAt} title={fullTime(bubble.createdAt)}>
          {bubble.state === 'pending' ? 'Sending…' : timeAgo(bubble.createdAt, now)}
        </time>
        {saysSeen && ' · Seen'}
      </span>
      {own && !bubble.deleted && <Mark bubble={bubble} saysSeen={saysSeen} />}
    </Box>
  )
}

/** How far one's own message came: on its way, stored, seen. */
function Mark({ bubble, saysSeen }: { bubble: Bubble; saysSeen: boolean }) {
  if (bubble.state === 'pending') {
    return (
      <Box as="span" fontSize="sm" data-mark="pending">
        <ClockIcon />
      </Box>
    )
  }
  return (
    <Box
      as="span"
      fontSize="sm"
      color={bubble.isRead ? 'ember.text' : undefined}
      data-mark={bubble.isRead ? 'seen' : 'sent'}
    >
      {bubble.isRead ? <CheckTwiceIcon /> : <CheckIcon />}
      {!(bubble.isRead && saysSeen) && <VisuallyHidden>{bubble.isRead ? 'Seen' : 'Sent'}</VisuallyHidden>}
    </Box>
  )
}
