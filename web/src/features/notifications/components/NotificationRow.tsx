import { Box, chakra } from '@chakra-ui/react'
import type { LenientNotification } from '@contract/notification.ts'
import type { FollowCard, UserCard } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import type { MouseEvent, ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { displayName } from '@/lib/text'
import { fullTime, timeAgo, useNow } from '@/lib/time'
import { notificationText } from '@/locales/notification-text'
import { Avatar } from '@/ui/Avatar'
import { Button } from '@/ui/Button'
import { VisuallyHidden } from '@/ui/layout'
import { userTextLine } from '@/ui/UserText'
import { useAnswerFollowRequest } from '../api'
import { notificationKindStyle } from './notification-kinds'

export type RenderFollowButton = (user: FollowCard) => ReactNode

/** Shows a notification as a link to its subject. An unread one has a dot; opening it marks it as read. */
export function NotificationRow({
  notification,
  followButton,
  onRead,
  onNavigate,
}: {
  notification: LenientNotification
  followButton: RenderFollowButton
  /** Called when an unread notification is opened, in this or another tab. */
  onRead: () => void
  /** Called when the notification is opened in this tab. */
  onNavigate?: () => void
}) {
  const { kind, relatedUser, follower, isRead, href } = notification
  const handleOpen = (event: MouseEvent) => {
    if (!isRead) onRead()
    if (opensInThisTab(event)) onNavigate?.()
  }
  return (
    <Box display="flex" flexWrap="wrap" alignItems="center" borderBottomWidth="1px" borderColor="hairline">
      <RowLink to={href} onClick={handleOpen} onAuxClick={(event) => event.button === 1 && handleOpen(event)}>
        <NotificationAvatar notification={notification} />
        <NotificationText notification={notification} />
        {notification.post && <PostThumbnail post={notification.post} />}
        <UnreadDot isRead={isRead} />
      </RowLink>
      {follower && <Box paddingInlineEnd="4">{followButton(follower)}</Box>}
      {kind === 'follow_request' && relatedUser && <FollowRequestButtons userId={relatedUser.id} />}
    </Box>
  )
}

function NotificationText({ notification }: { notification: LenientNotification }) {
  const now = useNow()
  const { kind, relatedUser, othersCount, createdAt } = notification
  const { title, message } = notificationText(notification)
  const { icon, color } = notificationKindStyle(kind)
  const excerpt =
    othersCount === 0 && notification.commentText ? notification.commentText : notification.post?.text
  return (
    <Box flex="1" minWidth="0">
      <Box display="flex" alignItems="center" gap="1.5" textStyle="label">
        {relatedUser && (
          <Box as="span" aria-hidden color={color}>
            {icon}
          </Box>
        )}
        {title}
        <Box
          textStyle="caption"
          fontWeight="normal"
          color="muted"
          marginInlineStart="auto"
          whiteSpace="nowrap"
        >
          <time dateTime={createdAt} title={fullTime(createdAt)}>
            {timeAgo(createdAt, now)}
          </time>
        </Box>
      </Box>
      <Box textStyle="small" overflowWrap="anywhere">
        <IsolatedText text={message} />
      </Box>
      {excerpt && (
        <Box textStyle="small" color="muted" lineClamp="1" overflowWrap="anywhere" {...userTextLine}>
          {excerpt}
        </Box>
      )}
    </Box>
  )
}

/**
 * Shows the latest two or three users of a group in the space of one avatar. Hidden from screen readers because the
 * text names them.
 */
function Faces({ users }: { users: readonly UserCard[] }) {
  const isPair = users.length === 2
  const places = isPair ? ['start', 'end'] : ['start center', 'end start', 'end end']
  return (
    <Box display="grid" width="11" height="11" flexShrink={0} aria-hidden>
      {users.map((user, index) => (
        <Box
          as="span"
          key={user.id}
          display="flex"
          gridArea="1 / 1"
          placeSelf={places[index]}
          borderRadius="full"
          outline="2px solid"
          outlineColor="surface"
        >
          <Avatar
            user={{ ...user, displayName: displayName(user), isCreator: false }}
            size={isPair ? 'sm' : 'xs'}
          />
        </Box>
      ))}
    </Box>
  )
}

/** Shows the picture of the post, or the blurred placeholder if the post is locked. */
function PostThumbnail({ post }: { post: NonNullable<LenientNotification['post']> }) {
  const source = post.imageUrl ?? post.placeholder
  if (!source) return null
  return (
    <chakra.img
      src={source}
      alt=""
      loading="lazy"
      decoding="async"
      width="11"
      height="11"
      flexShrink="0"
      objectFit="cover"
      borderRadius="sm"
      bg="sunken"
    />
  )
}

/** Keeps its place when the notification has been read, so that the texts of all rows align. */
function UnreadDot({ isRead }: { isRead: boolean }) {
  return (
    <Box
      as="span"
      width="2.5"
      height="2.5"
      marginTop="1.5"
      borderRadius="full"
      bg={isRead ? undefined : 'ember.solid'}
      flexShrink={0}
    >
      {!isRead && <VisuallyHidden>{t`Unread`}</VisuallyHidden>}
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
    flex: '1',
    minWidth: '15rem',
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

/** Shows the user or users who caused the notification or, if there are none, the icon of the kind. */
function NotificationAvatar({ notification }: { notification: LenientNotification }) {
  const { relatedUser, actors, kind } = notification
  if (!relatedUser) {
    const { icon, color } = notificationKindStyle(kind)
    return (
      <IconDisc aria-hidden color={color}>
        {icon}
      </IconDisc>
    )
  }
  if (actors.length > 1) return <Faces users={actors} />
  const { profileImageUrl, isCreator } = relatedUser
  return <Avatar user={{ displayName: displayName(relatedUser), profileImageUrl, isCreator }} />
}

const IconDisc = chakra('span', {
  base: {
    display: 'grid',
    placeItems: 'center',
    width: '11',
    height: '11',
    borderRadius: 'full',
    flexShrink: 0,
    bg: 'sunken',
    fontSize: 'xl',
  },
})

function FollowRequestButtons({ userId }: { userId: string }) {
  const answerRequest = useAnswerFollowRequest()
  return (
    <Box
      display="flex"
      flexWrap="wrap"
      gap="2"
      width="100%"
      paddingInlineEnd="4"
      paddingBottom="3"
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
