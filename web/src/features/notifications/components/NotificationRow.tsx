import { Box, chakra } from '@chakra-ui/react'
import type { Notification } from '@contract/notification.ts'
import type { MouseEvent } from 'react'
import { Link } from 'react-router-dom'
import { withoutBidiControls } from '@/lib/bidi'
import { fullTime, timeAgo } from '@/lib/format'
import { displayName } from '@/lib/text'
import { useNow } from '@/lib/time'
import { VisuallyHidden } from '@/ui/layout'
import { FollowRequestButtons } from './FollowRequestButtons'
import { NotificationAvatar } from './NotificationAvatar'
import { notificationKinds } from './notification-kinds'

const Row = chakra(Link, {
  base: {
    display: 'flex',
    gap: '3',
    paddingInline: '4',
    paddingBlock: '3',
    color: 'text',
    textDecoration: 'none',
    _hover: { bg: 'hover' },
    _focusVisible: { outlineOffset: '-2px' },
  },
})

/** Opened in this tab, not in another one. */
const opensHere = (event: MouseEvent) =>
  event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)

/** One notification: a link to what it is about. An unread one has a dot, and following it marks it read. */
export function NotificationRow({
  notification,
  onRead,
  onLeave,
}: {
  notification: Notification
  /** An unread one was opened, here or in another tab. */
  onRead: () => void
  /** It was followed in this tab. */
  onLeave?: () => void
}) {
  const { kind, relatedUser, isRead, href } = notification
  const follow = (event: MouseEvent) => {
    if (!isRead) onRead()
    if (opensHere(event)) onLeave?.()
  }
  return (
    <Box borderBottomWidth="1px" borderColor="hairline" bg={isRead ? undefined : 'ember.wash'}>
      <Row to={href} onClick={follow} onAuxClick={(event) => event.button === 1 && follow(event)}>
        <NotificationAvatar notification={notification} />
        <Words notification={notification} />
        {!isRead && <Dot />}
      </Row>
      {kind === 'follow_request' && relatedUser && <FollowRequestButtons userId={relatedUser.id} />}
    </Box>
  )
}

function Words({ notification }: { notification: Notification }) {
  const now = useNow()
  const { kind, relatedUser, title, message, createdAt } = notification
  const look = notificationKinds[kind]
  return (
    <Box flex="1" minWidth="0">
      <Box display="flex" alignItems="center" gap="1.5" textStyle="label">
        {relatedUser && (
          <Box as="span" aria-hidden color={look.color}>
            {look.icon}
          </Box>
        )}
        {title}
      </Box>
      <Box textStyle="small" overflowWrap="anywhere">
        <Told message={message} name={displayName(relatedUser)} />
      </Box>
      <Box textStyle="caption" color="muted" marginTop="0.5">
        <time dateTime={createdAt} title={fullTime(createdAt)}>
          {timeAgo(createdAt, now)}
        </time>
      </Box>
    </Box>
  )
}

function Dot() {
  return (
    <Box
      as="span"
      width="2.5"
      height="2.5"
      marginTop="1.5"
      borderRadius="full"
      bg="ember.solid"
      flexShrink={0}
    >
      <VisuallyHidden>Unread</VisuallyHidden>
    </Box>
  )
}

/** What happened. Who did it is named by the server's sentence, and held together there whichever way it is written. */
function Told({ message, name }: { message: string; name: string }) {
  const text = withoutBidiControls(message)
  if (!text.startsWith(name)) return text
  return (
    <>
      <bdi>{name}</bdi>
      {text.slice(name.length)}
    </>
  )
}
