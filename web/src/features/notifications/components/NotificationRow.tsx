import { Box, chakra } from '@chakra-ui/react'
import type { LenientNotification, NotificationComment } from '@contract/notification.ts'
import type { FollowCard, UserCard } from '@contract/user.ts'
import { t } from '@lingui/core/macro'
import { Fragment, type MouseEvent, type ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { dollars } from '@/lib/format'
import { openedFromNotification } from '@/lib/previous-path'
import { displayName } from '@/lib/text'
import { notificationText } from '@/locales/notification-text'
import { Avatar } from '@/ui/Avatar'
import { Button } from '@/ui/Button'
import { VisuallyHidden } from '@/ui/layout'
import { CompactAge } from '@/ui/TimeAgo'
import { userTextLine } from '@/ui/UserText'
import { useAnswerFollowRequest } from '../api'
import { notificationKindStyle } from './notification-kinds'

/** Functions that render controls of other features. */
export interface NotificationActions {
  /** The button for following a new follower back. */
  followButton: (user: FollowCard) => ReactNode
  /** The buttons for liking a comment and replying to it. */
  commentActions: (comment: NotificationComment, author: UserCard) => ReactNode
}

/** Shows a notification as a link to its subject. An unread one has a dot; opening it marks it as read. */
export function NotificationRow({
  notification,
  actions: { followButton, commentActions },
  onRead,
  onNavigate,
}: {
  notification: LenientNotification
  actions: NotificationActions
  /** Called when an unread notification is opened, in this or another tab, or when one of its buttons is pressed. */
  onRead: () => void
  /** Called when the notification, or a link below it, is opened in this tab. */
  onNavigate?: () => void
}) {
  const { kind, relatedUser, follower, comment, isRead, href } = notification
  const handleOpen = (event: MouseEvent) => {
    if (!isRead) onRead()
    if (opensInThisTab(event)) onNavigate?.()
  }
  return (
    <Box display="flex" flexWrap="wrap" alignItems="center" borderBottomWidth="1px">
      <RowLink
        to={href}
        state={openedFromNotification}
        onClick={handleOpen}
        onAuxClick={(event) => event.button === 1 && handleOpen(event)}
      >
        {!isRead && <UnreadDot aria-hidden />}
        <NotificationAvatar notification={notification} />
        <NotificationText notification={notification} />
        {notification.post && <PostThumbnail post={notification.post} />}
        {!isRead && <VisuallyHidden>{t`Unread`}</VisuallyHidden>}
      </RowLink>
      {follower && <Box paddingInlineEnd="4">{followButton(follower)}</Box>}
      {comment && relatedUser && (
        <Box
          {...belowText}
          position="relative"
          // Compensates for the buttons, which are taller than their labels.
          marginTop={{ base: '-3.5', md: '-2' }}
          paddingBottom={{ base: '0', md: '1' }}
          onClick={(event) => {
            if (event.target instanceof Element && event.target.closest('a')) handleOpen(event)
            else if (!isRead) onRead()
          }}
        >
          {commentActions(comment, relatedUser)}
        </Box>
      )}
      {kind === 'follow_request' && relatedUser && <FollowRequestButtons userId={relatedUser.id} />}
    </Box>
  )
}

/**
 * Shows the users of a group and, below them, the title of the notification (or its message, if notifications of its
 * kind have no title) and the amount paid. Below them are the message, if there is a title, and a line with the time
 * and an excerpt of the comment or post. The time starts that line, so that it is in the same place in every row, with
 * or without a picture or a button.
 */
function NotificationText({ notification }: { notification: LenientNotification }) {
  const { kind, relatedUser, commentText, post } = notification
  const { title, message } = notificationText(notification)
  const { hasTitle } = notificationKindStyle(kind)
  // `commentText` is by the user who is named first.
  const excerpt = commentText || post?.text
  return (
    <Box flex="1" minWidth="0" alignSelf="center" overflowWrap="anywhere">
      {isGroup(notification) && <Faces users={notification.actors} />}
      <Box lineHeight="1.4">
        {hasTitle ? (
          <Name>{title}</Name>
        ) : (
          // Without the final period, like a title.
          <IsolatedText text={message.replace(/\.$/, '')} hasName={relatedUser !== null} />
        )}
        <SaleAmount notification={notification} />
      </Box>
      {hasTitle && (
        <Box textStyle="small">
          <IsolatedText text={message} />
        </Box>
      )}
      <Box display="flex" gap="1" textStyle="small" color="muted">
        <Box as="span" flexShrink="0" whiteSpace="nowrap">
          <CompactAge at={notification.createdAt} />
        </Box>
        {excerpt && (
          <>
            <span aria-hidden>·</span>
            <Box minWidth="0" lineClamp="1" {...userTextLine}>
              {excerpt}
            </Box>
          </>
        )}
      </Box>
    </Box>
  )
}

const isGroup = ({ actors }: LenientNotification) => actors.length > 1

/** Shows up to four users in a line, each partly covering the one before. Hidden from screen readers, like avatars. */
function Faces({ users }: { users: readonly UserCard[] }) {
  return (
    <Box aria-hidden display="flex" marginBottom="1">
      {users.slice(0, 4).map((user) => (
        <Box
          as="span"
          key={user.id}
          data-face
          display="flex"
          position="relative"
          borderRadius="full"
          boxShadow="0 0 0 2px {colors.surface}"
          css={{ '& + &': { marginInlineStart: '-1.5' } }}
        >
          <Avatar user={{ ...user, displayName: displayName(user), isCreator: false }} size="face" />
        </Box>
      ))}
    </Box>
  )
}

/** Shows the picture of the post, or the blurred placeholder if the post is locked, or nothing if there is neither. */
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

const UnreadDot = chakra('span', {
  base: {
    position: 'absolute',
    insetStart: '1',
    // The middle of the avatar.
    top: '8',
    transform: 'translateY(-50%)',
    width: '2',
    height: '2',
    borderRadius: 'full',
    bg: 'ember.solid',
  },
})

/** Shows what was paid, before fees. Shows nothing for a tip, because its message already contains the amount. */
function SaleAmount({ notification: { kind, amount } }: { notification: LenientNotification }) {
  if (amount === null || kind === 'tip') return null
  const paid = dollars(amount)
  return (
    <>
      {' '}
      <Box
        as="span"
        fontWeight="semibold"
        fontVariantNumeric="tabular-nums"
        whiteSpace="nowrap"
        color="gold.text"
      >
        {t`${paid} paid`}
      </Box>
    </>
  )
}

const Name = chakra('b', { base: { fontWeight: 'semibold' } })

/**
 * Shows text in which `isolateBidi` has isolated the parts that may be in a right-to-left script, such as names.
 *
 * @param hasName true if the first of these parts is the name of the related user, which is then emphasized
 */
function IsolatedText({ text, hasName = false }: { text: string; hasName?: boolean }) {
  // The parts with odd indexes were between an opening and a closing isolate.
  return text.split(/[\u2068\u2069]/).map((part, index) => {
    if (index % 2 === 0) return part
    const isolated = <bdi>{part}</bdi>
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no state
    return <Fragment key={index}>{hasName && index === 1 ? <Name>{isolated}</Name> : isolated}</Fragment>
  })
}

const RowLink = chakra(Link, {
  base: {
    display: 'flex',
    gap: '3',
    flex: '1',
    minWidth: '15rem',
    position: 'relative',
    paddingInline: '4',
    paddingBlock: '2.5',
    color: 'text',
    textDecoration: 'none',
    _hover: { bg: 'hover' },
    _focusVisible: { outlineOffset: '-2px' },
  },
})

/** Returns whether a click opens the link in this tab. */
const opensInThisTab = (event: MouseEvent) =>
  event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)

const IconDisc = chakra('span', {
  base: { display: 'grid', placeItems: 'center', borderRadius: 'full' },
  variants: {
    shape: {
      avatar: { width: '11', height: '11', fontSize: 'xl' },
      /** On the corner of an avatar. */
      badge: {
        position: 'absolute',
        insetEnd: '-0.5',
        bottom: '-0.5',
        width: '1.125rem',
        height: '1.125rem',
        fontSize: 'xs',
        outline: '2px solid',
        outlineColor: 'surface',
      },
    },
    tone: {
      ember: { bg: 'ember.wash', color: 'ember.text' },
      gold: { bg: 'gold.wash', color: 'gold.text' },
      neutral: { bg: 'sunken', color: 'muted' },
    },
  },
  compoundVariants: [
    { shape: 'badge', tone: 'ember', css: { bg: 'ember.solid', color: 'ember.on' } },
    { shape: 'badge', tone: 'gold', css: { bg: 'gold.solid', color: 'gold.on' } },
  ],
})

/**
 * Shows the user who caused the notification, with the icon of its kind; without a user or for a group, only the icon.
 * Hidden from screen readers because the text names the users.
 */
function NotificationAvatar({ notification }: { notification: LenientNotification }) {
  const { relatedUser, kind } = notification
  const { icon, tone } = notificationKindStyle(kind)
  const user = isGroup(notification) ? null : relatedUser
  return (
    <Box aria-hidden display="grid" position="relative" width="11" height="11" flexShrink={0}>
      {user && <Avatar user={{ ...user, displayName: displayName(user) }} />}
      <IconDisc shape={user ? 'badge' : 'avatar'} tone={tone}>
        {icon}
      </IconDisc>
    </Box>
  )
}

/** The position of buttons below the text of a notification. */
const belowText = { width: '100%', paddingInlineStart: '4.5rem', paddingInlineEnd: '4' } as const

function FollowRequestButtons({ userId }: { userId: string }) {
  const answerRequest = useAnswerFollowRequest()
  return (
    <Box {...belowText} display="flex" flexWrap="wrap" gap="2" paddingBottom="3">
      <Button
        size="sm"
        variant="inverse"
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
