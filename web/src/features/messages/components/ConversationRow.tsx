import { Box, chakra } from '@chakra-ui/react'
import type { Conversation } from '@contract/message.ts'
import { plural, t } from '@lingui/core/macro'
import { formatCount } from '@/lib/format'
import { displayName } from '@/lib/text'
import { compactAge, fullTime, timeAgo, useNow } from '@/lib/time'
import { Avatar } from '@/ui/Avatar'
import { ImageIcon, LockIcon, MicrophoneIcon, StarIcon } from '@/ui/icons'
import { VisuallyHidden } from '@/ui/layout'
import { Loading, Skeleton, SkeletonCircle } from '@/ui/Skeleton'
import { userTextLine } from '@/ui/UserText'
import { contentPreview } from '../model/post-link'
import { conversationRowAttribute } from './usePanelFocus'

/** All rows have the same height, so that a virtualized list can calculate their positions. */
export const rowHeightRem = 4.5

const RowButton = chakra('button', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '3',
    width: '100%',
    height: `${rowHeightRem}rem`,
    paddingInline: '4',
    textAlign: 'start',
    cursor: 'pointer',
    _hover: { bg: 'hover' },
    '&[aria-current=true]': { bg: 'ember.wash', _hover: { bg: 'ember.wash' } },
    _focusVisible: { outlineOffset: '-2px' },
  },
})

const UnreadCount = chakra('span', {
  base: {
    display: 'grid',
    placeItems: 'center',
    flexShrink: 0,
    minWidth: '5',
    height: '5',
    paddingInline: '1.5',
    borderRadius: 'full',
    bg: 'ember.solid',
    color: 'ember.on',
    fontSize: 'xs',
    fontWeight: 'semibold',
    lineHeight: '1',
    fontVariantNumeric: 'tabular-nums',
  },
})
/** Above this number the badge shows "99+", because a longer number would leave less space for the text. */
const maxVisibleUnread = 99

/** Shows a conversation: the other user and their presence, the last message and its time, and the unread count. */
export function ConversationRow({
  conversation,
  me,
  selected = false,
  onSelect,
}: {
  conversation: Conversation
  /** The current user's id. */
  me: string
  selected?: boolean
  onSelect: (userId: string) => void
}) {
  const now = useNow()
  const { otherUser, otherUserId, lastMessage, isRead, unreadCount, isSubscriber, presence, hasWritten } =
    conversation
  const hasOnlyMassMessages = !lastMessage && hasWritten
  const name = displayName(otherUser)
  return (
    <RowButton
      type="button"
      aria-current={selected || undefined}
      onClick={() => onSelect(otherUserId)}
      {...conversationRowAttribute(otherUserId)}
    >
      <Box display="grid" position="relative" flexShrink={0}>
        <Avatar user={{ ...otherUser, displayName: name }} />
        {presence.online && <OnlineIndicator />}
      </Box>
      <Box flex="1" minWidth="0">
        <Box display="flex" alignItems="baseline" gap="2">
          <Box
            as="span"
            textStyle="label"
            fontWeight={isRead ? 'medium' : 'bold'}
            minWidth="0"
            truncate
            {...userTextLine}
          >
            {name}
          </Box>
          {isSubscriber && (
            <Box as="span" color="gold.text" flexShrink={0} alignSelf="center" title={t`Subscriber`}>
              <StarIcon filled />
              <VisuallyHidden>{t`Subscriber`}</VisuallyHidden>
            </Box>
          )}
          {presence.online && <VisuallyHidden>{t`Online`}</VisuallyHidden>}
          {!hasOnlyMassMessages && (
            <Box
              as="span"
              textStyle="caption"
              color="muted"
              flexShrink={0}
              marginInlineStart="auto"
              title={lastMessage ? fullTime(lastMessage.createdAt) : undefined}
            >
              <VisuallyHidden>{timeAgo(lastMessage?.createdAt, now)}</VisuallyHidden>
              <span aria-hidden>{compactAge(lastMessage?.createdAt, now)}</span>
            </Box>
          )}
        </Box>
        <Box display="flex" alignItems="center" gap="2" marginTop="0.5">
          <Box
            as="span"
            textStyle="small"
            display="flex"
            flex="1"
            minWidth="0"
            color={isRead ? 'muted' : 'text'}
            fontWeight={isRead ? 'normal' : 'semibold'}
          >
            {lastMessage?.senderId === me && <chakra.span whiteSpace="pre">{t`You:`} </chakra.span>}
            {lastMessage && (lastMessage.hasImage || lastMessage.voiceSeconds !== null) && (
              <Box as="span" aria-hidden flexShrink={0} alignSelf="center" marginInlineEnd="1">
                {lastMessage.isLocked ? (
                  <LockIcon />
                ) : lastMessage.hasImage ? (
                  <ImageIcon />
                ) : (
                  <MicrophoneIcon />
                )}
              </Box>
            )}
            <Box
              as="span"
              flex="1"
              minWidth="0"
              truncate
              fontStyle={lastMessage?.deleted ? 'italic' : undefined}
              {...userTextLine}
            >
              {hasOnlyMassMessages ? t`Message to all subscribers` : lastMessagePreview(lastMessage)}
            </Box>
          </Box>
          {!isRead && (
            <>
              <UnreadCount aria-hidden>
                {unreadCount > maxVisibleUnread
                  ? `${formatCount(maxVisibleUnread)}+`
                  : formatCount(unreadCount)}
              </UnreadCount>
              <VisuallyHidden>
                {t`${plural(unreadCount, { one: '# unread message', other: '# unread messages' })}`}
              </VisuallyHidden>
            </>
          )}
        </Box>
      </Box>
    </RowButton>
  )
}

/** Returns the text that the list shows for a conversation's last message. */
export function lastMessagePreview(last: Conversation['lastMessage']): string {
  if (last?.deleted) return t`Message deleted`
  return (
    contentPreview(last?.content ?? '', last?.voiceSeconds) ||
    (last?.isLocked ? t`Locked photo` : last?.hasImage ? t`Photo` : t`No message content`)
  )
}

/**
 * Shows on an avatar that the user is online. Hidden from screen readers, because the caller also states this as text.
 */
export function OnlineIndicator() {
  return (
    <Box
      as="span"
      aria-hidden
      position="absolute"
      insetEnd="0.5"
      bottom="0.5"
      width="2.5"
      height="2.5"
      borderRadius="full"
      bg="success.solid"
      outline="2px solid"
      outlineColor="surface"
    />
  )
}

export function ConversationSkeleton() {
  return (
    <Loading label={t`Loading conversations`}>
      {['70%', '45%', '60%', '52%'].map((width) => (
        <Box key={width} display="flex" gap="3" alignItems="center" paddingInline="4" paddingBlock="3">
          <SkeletonCircle />
          <Box flex="1">
            <Skeleton height="3.5" width="50%" />
            <Skeleton height="3" width={width} marginTop="2" />
          </Box>
        </Box>
      ))}
    </Loading>
  )
}
