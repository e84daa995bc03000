import { Box } from '@chakra-ui/react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '@/ui/Button'
import { ChevronDownIcon } from '@/ui/icons'
import { Spinner } from '@/ui/Spinner'
import { type Bubble, lastSeenId } from '../model/bubbles'
import { groupIntoBlocks, messageIdsInBlock, type RowBlock, threadRows } from '../model/thread-rows'
import { MessageActions } from './MessageActions'
import { ThreadBlock } from './ThreadBlock'
import { TypingIndicator } from './TypingIndicator'
import { type ScrollTarget, type ThreadEdge, useThreadScroll } from './useThreadScroll'
import { useVisibleBlocks } from './useVisibleBlocks'

/** Blocks at the end that are drawn before anybody looked where the visible part is. */
const drawnAtEnd = 3

/** The messages of one conversation, the newest at the bottom; more come in while scrolling. */
export function MessageList({
  bubbles,
  me,
  otherUserId,
  name,
  canMessage,
  older,
  newer,
  unreadId,
  live,
  target,
  onGoTo,
  onLatest,
  typingName,
}: {
  bubbles: Bubble[]
  me: string
  otherUserId: string
  /** The other person's. */
  name: string
  canMessage: boolean
  older: ThreadEdge
  /** `more` where an older stretch is open instead of the thread's end. */
  newer: ThreadEdge
  /** The first message that was unread when the thread was opened. */
  unreadId: string | undefined
  /** The end of the thread, also while an older stretch is open. */
  live: Bubble[]
  /** The message to go to. */
  target: ScrollTarget | null
  onGoTo: (messageId: string) => void
  /** Back from an older stretch to the end of the thread. */
  onLatest: () => void
  /** Who is typing, if anybody. */
  typingName: string | null
}) {
  const drawn = useRef<RowBlock[]>([])
  const blocks = useMemo(
    () => groupIntoBlocks(threadRows(bubbles, unreadId), drawn.current),
    [bubbles, unreadId],
  )
  useEffect(() => {
    drawn.current = blocks
  }, [blocks])
  const seenId = lastSeenId(bubbles, me)
  const reachableId = bubbles.findLast((bubble) => bubble.message && !bubble.deleted)?.id
  const scroll = useThreadScroll({ bubbles, me, older, newer, target })
  const unseen = useUnseen(live, me, scroll.atEnd)
  const nearness = useVisibleBlocks(scroll.scroller)
  const toLatest = () => {
    scroll.toEnd()
    if (newer.more) onLatest()
  }
  return (
    <Box position="relative" flex="1" minHeight="0" data-thread>
      <Box
        ref={scroll.scroller}
        onScroll={scroll.onScroll}
        role="group"
        aria-label="Messages"
        tabIndex={0}
        height="100%"
        overflowY="auto"
        overscrollBehavior="contain"
        paddingInline={{ base: '3', md: '4' }}
        paddingBlock="4"
        _focusVisible={{ outlineOffset: '-2px' }}
        // The place is kept by hand, in every browser the same way.
        css={{ overflowAnchor: 'none' }}
      >
        <MessageActions
          me={me}
          otherUserId={otherUserId}
          name={name}
          canMessage={canMessage}
          bubbles={bubbles}
          onGoTo={onGoTo}
        >
          <Box ref={scroll.content} display="flex" flexDirection="column" gap="4">
            {older.more && <EdgeLine edge={older} text="Older messages did not load. Try again" />}
            {blocks.map((block, at) => (
              <ThreadBlock
                key={block.key}
                block={block}
                nearness={nearness}
                drawn={at >= blocks.length - drawnAtEnd || holds(block, target?.id)}
                seenId={holds(block, seenId) ? seenId : undefined}
                reachableId={holds(block, reachableId) ? reachableId : undefined}
              />
            ))}
            {newer.more && <EdgeLine edge={newer} text="Newer messages did not load. Try again" />}
            {typingName && !newer.more && <TypingIndicator name={typingName} />}
          </Box>
        </MessageActions>
      </Box>
      {(scroll.away || unseen > 0) && (
        <Box position="absolute" bottom="3" insetInline="0" display="flex" justifyContent="center">
          <Button
            size="sm"
            variant={unseen > 0 ? 'ember' : 'outline'}
            bg={unseen > 0 ? undefined : 'raised'}
            boxShadow="mid"
            onClick={toLatest}
          >
            <ChevronDownIcon />
            {unseen === 0 ? 'Jump to latest' : unseen === 1 ? 'New message' : `${unseen} new messages`}
          </Button>
        </Box>
      )}
    </Box>
  )
}

/** How many messages of the other's have come below what was seen. */
function useUnseen(live: Bubble[], me: string, atEnd: boolean): number {
  const newest = live.findLast((bubble) => bubble.seq !== null)?.seq ?? 0
  const [seen, setSeen] = useState(newest)
  if (atEnd && seen !== newest) setSeen(newest)
  return live.filter((bubble) => (bubble.seq ?? 0) > seen && bubble.senderId !== me).length
}

function holds(block: RowBlock, id: string | undefined): boolean {
  return id !== undefined && messageIdsInBlock(block).includes(id)
}

function EdgeLine({ edge, text }: { edge: ThreadEdge; text: string }) {
  return (
    <Box display="flex" justifyContent="center" minHeight="9" alignItems="center" color="muted">
      {edge.state === 'failed' ? (
        <Button size="sm" variant="outline" onClick={edge.read}>
          {text}
        </Button>
      ) : (
        <Spinner />
      )}
    </Box>
  )
}
