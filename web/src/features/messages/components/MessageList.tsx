import { Box } from '@chakra-ui/react'
import { useMemo } from 'react'
import { fullTime, timeAgo } from '@/lib/format'
import { useNow } from '@/lib/useNow'
import { Button } from '@/ui/Button'
import { ChevronDownIcon } from '@/ui/icons'
import { VisuallyHidden } from '@/ui/layout'
import { Spinner } from '@/ui/Spinner'
import { type Bubble, type BubbleGroup, groupBubbles, lastSeenId } from './groups'
import { MessageBubble } from './MessageBubble'
import { TypingDots } from './TypingDots'
import { useThreadScroll } from './useThreadScroll'

interface Older {
  more: boolean
  state: 'idle' | 'loading' | 'failed'
  read: () => void
}

/** The messages of one conversation, the newest at the bottom; older ones come in while scrolling up. */
export function MessageList({
  bubbles,
  me,
  name,
  older,
  typingName,
}: {
  bubbles: Bubble[]
  me: string
  /** The other person's. */
  name: string
  older: Older
  /** Who is typing, if anybody. */
  typingName: string | null
}) {
  const groups = useMemo(() => groupBubbles(bubbles), [bubbles])
  const seenId = lastSeenId(bubbles, me)
  const scroll = useThreadScroll(bubbles, me, older)
  return (
    <Box position="relative" flex="1" minHeight="0">
      <Box
        ref={scroll.scroller}
        onScroll={scroll.onScroll}
        role="group"
        aria-label="Messages"
        tabIndex={0}
        height="100%"
        overflowY="auto"
        overscrollBehavior="contain"
        paddingInline="4"
        paddingBlock="4"
        _focusVisible={{ outlineOffset: '-2px' }}
        // The place is kept by hand, in every browser the same way.
        css={{ overflowAnchor: 'none' }}
      >
        <Box ref={scroll.content} display="flex" flexDirection="column" gap="4">
          {older.more && <OlderEdge older={older} />}
          {groups.map((group) => (
            <Group
              key={group.key}
              group={group}
              own={group.senderId === me}
              writer={group.senderId === me ? 'You' : name}
              seenId={seenId}
            />
          ))}
          {typingName && <TypingDots name={typingName} />}
        </Box>
      </Box>
      {scroll.unseen > 0 && (
        <Box position="absolute" bottom="3" insetInline="0" display="flex" justifyContent="center">
          <Button size="sm" variant="ember" boxShadow="mid" onClick={scroll.toBottom}>
            <ChevronDownIcon />
            {scroll.unseen === 1 ? 'New message' : `${scroll.unseen} new messages`}
          </Button>
        </Box>
      )}
    </Box>
  )
}

function OlderEdge({ older }: { older: Older }) {
  return (
    <Box display="flex" justifyContent="center" minHeight="9" alignItems="center" color="muted">
      {older.state === 'failed' ? (
        <Button size="sm" variant="outline" onClick={older.read}>
          Older messages did not load. Try again
        </Button>
      ) : (
        <Spinner />
      )}
    </Box>
  )
}

function Group({
  group,
  own,
  writer,
  seenId,
}: {
  group: BubbleGroup
  own: boolean
  writer: string
  seenId: string | undefined
}) {
  const now = useNow()
  const last = group.bubbles.at(-1)
  if (!last) return null
  return (
    <Box
      position="relative"
      alignSelf={own ? 'flex-end' : 'flex-start'}
      maxWidth={{ base: '86%', md: '78%' }}
      display="flex"
      flexDirection="column"
      gap="1"
    >
      {/* For the eye the side and the colour say it. */}
      <VisuallyHidden>{writer}:</VisuallyHidden>
      {group.bubbles.map((bubble) => (
        <MessageBubble key={bubble.id} bubble={bubble} own={own} tail={bubble === last} />
      ))}
      {(last.state === 'sent' || last.state === 'pending') && (
        <Box textStyle="caption" color="muted" textAlign={own ? 'end' : 'start'}>
          <time dateTime={last.createdAt} title={fullTime(last.createdAt)}>
            {last.state === 'pending' ? 'Sending…' : timeAgo(last.createdAt, now)}
          </time>
          {seenId !== undefined && group.bubbles.some((bubble) => bubble.id === seenId) && ' · Seen'}
        </Box>
      )}
    </Box>
  )
}
