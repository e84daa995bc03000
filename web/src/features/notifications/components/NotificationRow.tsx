import { Box, chakra } from '@chakra-ui/react'
import type { LenientNotification } from '@contract/notification.ts'
import { t } from '@lingui/core/macro'
import type { MouseEvent } from 'react'
import { Link } from 'react-router-dom'
import { compactNumber } from '@/lib/format'
import { displayName } from '@/lib/text'
import { fullTime, timeAgo, useNow } from '@/lib/time'
import { notificationText } from '@/locales/notification-text'
import { Avatar } from '@/ui/Avatar'
import { Button } from '@/ui/Button'
import { VisuallyHidden } from '@/ui/layout'
import { useAnswerFollowRequest } from '../api'
import { notificationKindStyle } from './notification-kinds'

/** Shows a notification as a link to its subject. An unread one has a dot; opening it marks it as read. */
export function NotificationRow({
  notification,
  onRead,
  onNavigate,
}: {
  notification: LenientNotification
  /** Called when an unread notification is opened, in this or another tab. */
  onRead: () => void
  /** Called when the notification is opened in this tab. */
  onNavigate?: () => void
}) {
  const { kind, relatedUser, isRead, href } = notification
  const handleOpen = (event: MouseEvent) => {
    if (!isRead) onRead()
    if (opensInThisTab(event)) onNavigate?.()
  }
  return (
    <Box borderBottomWidth="1px" borderColor="hairline" bg={isRead ? undefined : 'ember.wash'}>
      <RowLink to={href} onClick={handleOpen} onAuxClick={(event) => event.button === 1 && handleOpen(event)}>
        <NotificationAvatar notification={notification} />
        <NotificationText notification={notification} />
        {!isRead && <UnreadDot />}
      </RowLink>
      {kind === 'follow_request' && relatedUser && <FollowRequestButtons userId={relatedUser.id} />}
    </Box>
  )
}

function NotificationText({ notification }: { notification: LenientNotification }) {
  const now = useNow()
  const { kind, relatedUser, createdAt } = notification
  const { title, message } = notificationText(notification)
  const { icon, color } = notificationKindStyle(kind)
  return (
    <Box flex="1" minWidth="0">
      <Box display="flex" alignItems="center" gap="1.5" textStyle="label">
        {relatedUser && (
          <Box as="span" aria-hidden color={color}>
            {icon}
          </Box>
        )}
        {title}
      </Box>
      <Box textStyle="small" overflowWrap="anywhere">
        <IsolatedText text={message} />
      </Box>
      <Box textStyle="caption" color="muted" marginTop="0.5">
        <time dateTime={createdAt} title={fullTime(createdAt)}>
          {timeAgo(createdAt, now)}
        </time>
      </Box>
    </Box>
  )
}

function UnreadDot() {
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
      <VisuallyHidden>{t`Unread`}</VisuallyHidden>
    </Box>
  )
}

/** Shows text in which `isolateBidi` has isolated names, which may be in a right-to-left script. */
function IsolatedText({ text }: { text: string }) {
  // The parts with odd numbers were between an opening and a closing character.
  return text.split(/[\u2068\u2069]/).map((part, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no state
    index % 2 === 0 ? part : <bdi key={index}>{part}</bdi>,
  )
}

const RowLink = chakra(Link, {
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

/** Returns whether a click opens the link in this tab. */
const opensInThisTab = (event: MouseEvent) =>
  event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)

/**
 * Shows the avatar of the user who caused the notification, with the number of other users. Without a user, shows the
 * icon of the kind. Hidden from screen readers because the text names the user.
 */
function NotificationAvatar({ notification }: { notification: LenientNotification }) {
  const { relatedUser, othersCount, kind } = notification
  if (!relatedUser) return <IconDisc aria-hidden>{notificationKindStyle(kind).icon}</IconDisc>
  const { profileImageUrl, isCreator } = relatedUser
  const user = { displayName: displayName(relatedUser), profileImageUrl, isCreator }
  if (othersCount === 0) return <Avatar user={user} />
  return (
    <Box as="span" position="relative" width="11" height="11" flexShrink={0} aria-hidden>
      <Avatar user={user} />
      <OthersCount>+{compactNumber(othersCount)}</OthersCount>
    </Box>
  )
}

const IconDisc = chakra('span', {
  base: {
    display: 'grid',
    placeItems: 'center',
    width: '11',
    height: '11',
    borderRadius: 'full',
    bg: 'pressed',
    color: 'muted',
    fontSize: 'xl',
  },
})

const OthersCount = chakra('span', {
  base: {
    position: 'absolute',
    insetEnd: '-1.5',
    bottom: '-1',
    display: 'grid',
    placeItems: 'center',
    minWidth: '1.375rem',
    height: '1.375rem',
    paddingInline: '1',
    borderRadius: 'full',
    bg: 'inverse',
    color: 'onInverse',
    fontSize: '0.6875rem',
    fontWeight: 'semibold',
    fontVariantNumeric: 'tabular-nums',
    outline: '2px solid',
    outlineColor: 'raised',
  },
})

function FollowRequestButtons({ userId }: { userId: string }) {
  const answerRequest = useAnswerFollowRequest()
  return (
    <Box
      display="flex"
      flexWrap="wrap"
      gap="2"
      paddingInline="4"
      paddingBlock="3"
      paddingInlineStart="4.5rem"
    >
      <Button
        size="sm"
        variant="tinted"
        disabled={answerRequest.isPending}
        onClick={() => answerRequest.mutate({ userId, accept: true })}
      >
        {t`Accept`}
      </Button>
      <Button
        size="sm"
        variant="outline"
        disabled={answerRequest.isPending}
        onClick={() => answerRequest.mutate({ userId, accept: false })}
      >
        {t`Decline`}
      </Button>
    </Box>
  )
}
