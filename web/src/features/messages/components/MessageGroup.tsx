import { Box, chakra } from '@chakra-ui/react'
import { t } from '@lingui/core/macro'
import { Fragment } from 'react'
import { CheckIcon, CheckTwiceIcon, ClockIcon } from '@/ui/icons'
import { VisuallyHidden } from '@/ui/layout'
import { MessageTime } from '@/ui/TimeAgo'
import { type Bubble, type BubbleGroup, showsTimestamp } from '../model/bubbles'
import { MessageBubble } from './MessageBubble'
import { useThreadActions } from './thread-actions'

/**
 * Shows the messages that one user sent in the same minute. Groups of the same sender without a pause between them look
 * like one: they are close together, and only the last one has a tail.
 */
export function MessageGroup({
  group,
  seenId,
  tabStopId,
}: {
  group: BubbleGroup
  /** The user's last message that was seen, if it is in this group. */
  seenId: string | undefined
  /** The message whose menu button is in the tab order, if it is in this group. */
  tabStopId: string | undefined
}) {
  const { me, name } = useThreadActions()
  const own = group.senderId === me
  const last = group.bubbles.at(-1)
  if (!last) return null
  return (
    <Box
      position="relative"
      alignSelf={own ? 'flex-end' : 'flex-start'}
      maxWidth={{ base: '94%', md: 'min(82%, 30rem)' }}
      // Touch screens show no menu button beside the message.
      css={{ '@media (hover: none)': { maxWidth: 'min(82%, 30rem)' } }}
      display="flex"
      flexDirection="column"
      gap="1"
      // Leaves the same gap to the group above as between the messages of a group. The rows are 1rem apart.
      marginTop={group.joinsPrevious ? '-3' : undefined}
    >
      {/* Visually, the side and the color show whose messages they are. */}
      <VisuallyHidden>{own ? t`You:` : t`${name}:`}</VisuallyHidden>
      {group.bubbles.map((bubble) => (
        <Fragment key={bubble.id}>
          <MessageBubble
            bubble={bubble}
            own={own}
            tail={bubble === last && !group.joinsNext}
            isTabStop={bubble.id === tabStopId}
          />
          {showsTimestamp(bubble, group, seenId) && (
            <StatusLine bubble={bubble} own={own} showSeen={bubble.id === seenId} />
          )}
        </Fragment>
      ))}
    </Box>
  )
}

/** Shows when the message was sent and its delivery status. */
function StatusLine({ bubble, own, showSeen }: { bubble: Bubble; own: boolean; showSeen: boolean }) {
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
        {bubble.state === 'pending' ? t`Sending…` : <MessageTime at={bubble.createdAt} />}
        {showSeen && ` · ${t({ message: 'Seen', context: 'message' })}`}
      </span>
      {own && !bubble.deleted && <DeliveryIcon bubble={bubble} isSeenVisible={showSeen} />}
    </Box>
  )
}

const Mark = chakra('span', { base: { '& svg': { boxSize: '4' } } })

/** Shows the delivery status of the user's own message: pending, sent or seen. */
function DeliveryIcon({ bubble, isSeenVisible }: { bubble: Bubble; isSeenVisible: boolean }) {
  if (bubble.state === 'pending') {
    return (
      <Mark data-mark="pending">
        <ClockIcon />
      </Mark>
    )
  }
  return (
    <Mark data-mark={bubble.isRead ? 'seen' : 'sent'}>
      {bubble.isRead ? <CheckTwiceIcon /> : <CheckIcon />}
      {!(bubble.isRead && isSeenVisible) && (
        <VisuallyHidden>
          {bubble.isRead
            ? t({ message: 'Seen', context: 'message' })
            : t({ message: 'Sent', context: 'message' })}
        </VisuallyHidden>
      )}
    </Mark>
  )
}
