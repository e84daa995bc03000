import { Box, chakra } from '@chakra-ui/react'
import type { Conversation } from '@contract/message.ts'
import { fullTime, timeAgo } from '@/lib/format'
import { shortTimeAgo } from '@/lib/short-time-ago'
import { displayName } from '@/lib/text'
import { useNow } from '@/lib/time'
import { Avatar } from '@/ui/Avatar'
import { ImageIcon } from '@/ui/icons'
import { VisuallyHidden } from '@/ui/layout'
import { userTextLine } from '@/ui/user-text-styles'
import { lastMessagePreview } from './last-message-preview'
import { OnlineIndicator } from './OnlineIndicator'
import { conversationRowAttribute } from './usePanelFocus'

/** The height of a row: all are alike, so that a long list knows where each of them stands. */
export const rowHeightRem = 4.5

const RowButton = chakra('button', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '3',
    width: '100%',
    containerType: 'inline-size',
    height: `${rowHeightRem}rem`,
    paddingInline: '4',
    textAlign: 'start',
    cursor: 'pointer',
    _hover: { bg: 'hover' },
    '&[aria-current=true]': { bg: 'ember.wash' },
    _focusVisible: { outlineOffset: '-2px' },
  },
})

/** In a column as narrow as beside an open conversation on a tablet, the whole time would leave no room for the name. */
const narrow = '@container (max-width: 17rem)'
const Long = chakra('span', { base: { [narrow]: { srOnly: true } } })
const Short = chakra('span', { base: { display: 'none', [narrow]: { display: 'inline' } } })

/** One conversation: who, whether they are online, the last message, when, and a dot while something is unread. */
export function ConversationRow({
  conversation,
  me,
  selected = false,
  onSelect,
}: {
  conversation: Conversation
  /** The signed-in person's id. */
  me: string
  selected?: boolean
  onSelect: (userId: string) => void
}) {
  const now = useNow()
  const { otherUser, otherUserId, lastMessage, isRead, unreadCount, presence } = conversation
  const name = displayName(otherUser)
  return (
    <RowButton
      type="button"
      aria-current={selected || undefined}
      onClick={() => onSelect(otherUserId)}
      {...conversationRowAttribute(otherUserId)}
    >
      <Box display="grid" position="relative" flexShrink={0}>
        <Avatar person={{ ...otherUser, displayName: name }} />
        {presence.online && <OnlineIndicator />}
      </Box>
      <Box flex="1" minWidth="0">
        <Box display="flex" alignItems="baseline" gap="2">
          <Box as="span" textStyle="label" flex="1" minWidth="0" truncate {...userTextLine}>
            {name}
          </Box>
          {presence.online && <VisuallyHidden>Online</VisuallyHidden>}
          <Box
            as="span"
            textStyle="caption"
            color="muted"
            flexShrink={0}
            title={lastMessage ? fullTime(lastMessage.createdAt) : undefined}
          >
            <Long>{timeAgo(lastMessage?.createdAt, now)}</Long>
            <Short aria-hidden>{shortTimeAgo(lastMessage?.createdAt, now)}</Short>
          </Box>
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
            {lastMessage?.senderId === me && <chakra.span whiteSpace="pre">You: </chakra.span>}
            {lastMessage?.hasImage && (
              <Box as="span" aria-hidden flexShrink={0} alignSelf="center" marginInlineEnd="1">
                <ImageIcon />
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
              {lastMessagePreview(lastMessage)}
            </Box>
          </Box>
          {!isRead && (
            <Box as="span" width="2.5" height="2.5" borderRadius="full" bg="ember.solid" flexShrink={0}>
              <VisuallyHidden>{unreadCount > 0 ? `${unreadCount} unread` : 'Unread'}</VisuallyHidden>
            </Box>
          )}
        </Box>
      </Box>
    </RowButton>
  )
}
