import { Box, chakra } from '@chakra-ui/react'
import { plural, t } from '@lingui/core/macro'
import {
  type FocusEvent,
  memo,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Button } from '@/ui/Button'
import { ChevronDownIcon } from '@/ui/icons'
import { Spinner } from '@/ui/Skeleton'
import { type Bubble, lastSeenId } from '../model/bubbles'
import {
  groupIntoBlocks,
  isSameBlock,
  messageIdsInBlock,
  type RowBlock,
  threadRows,
} from '../model/thread-rows'
import { MessageGroup } from './MessageGroup'
import { MessageActionsProvider } from './MessageMenu'
import { DayDivider, UnreadDivider } from './ThreadDividers'
import { TypingIndicator } from './TypingIndicator'
import { type ScrollTarget, type ThreadEdge, useThreadScroll } from './useThreadScroll'

/** The number of blocks at the end that render before the visible area is known. */
const blocksRenderedAtEnd = 3

/** Shows the messages of a conversation, newest at the bottom; loads more while the user scrolls. */
export function MessageList({
  bubbles,
  liveBubbles,
  me,
  otherUserId,
  name,
  canMessage,
  older,
  newer,
  unreadId,
  target,
  onGoToMessage,
  onReturnToEnd,
  typingName,
}: {
  bubbles: Bubble[]
  /** The bubbles of the live thread, even while a window of older messages is open. */
  liveBubbles: Bubble[]
  me: string
  otherUserId: string
  /** The other user's name. */
  name: string
  canMessage: boolean
  older: ThreadEdge
  /** `hasMore` is true while a window of older messages is open. */
  newer: ThreadEdge
  /** The first message that was unread when the thread was opened. */
  unreadId: string | undefined
  /** The message to scroll to. */
  target: ScrollTarget | null
  onGoToMessage: (messageId: string) => void
  /** Closes the window of older messages. */
  onReturnToEnd: () => void
  /** The other user's name while they are typing. */
  typingName: string | null
}) {
  const previousBlocks = useRef<RowBlock[]>([])
  const blocks = useMemo(
    () => groupIntoBlocks(threadRows(bubbles, unreadId), previousBlocks.current),
    [bubbles, unreadId],
  )
  useEffect(() => {
    previousBlocks.current = blocks
  }, [blocks])
  const isFirstRender = previousBlocks.current.length === 0
  const seenId = lastSeenId(bubbles, me)
  const tabStopId = bubbles.findLast((bubble) => bubble.message && !bubble.deleted)?.id
  const scroll = useThreadScroll({ bubbles, me, older, newer, target })
  const newCount = useNewMessageCount(liveBubbles, me, scroll.atEnd)
  const visibleBlocks = useVisibleBlocks(scroll.scrollerRef)
  const goToLatest = () => {
    scroll.scrollToEnd()
    if (newer.hasMore) onReturnToEnd()
  }
  return (
    <Box position="relative" flex="1" minHeight="0" data-thread>
      <Box
        ref={scroll.scrollerRef}
        onScroll={scroll.onScroll}
        role="group"
        aria-label={t`Messages`}
        tabIndex={0}
        height="100%"
        overflowY="auto"
        overscrollBehavior="contain"
        padding="4"
        _focusVisible={{ outlineOffset: '-2px' }}
        // `useThreadScroll` keeps the position instead: not every browser has scroll anchoring.
        css={{ overflowAnchor: 'none' }}
      >
        <MessageActionsProvider
          me={me}
          otherUserId={otherUserId}
          name={name}
          canMessage={canMessage}
          bubbles={bubbles}
          onGoToMessage={onGoToMessage}
        >
          <Box ref={scroll.contentRef} display="flex" flexDirection="column" gap="4">
            {older.hasMore && (
              <EdgeStatus edge={older} retryLabel={t`Couldn't load older messages. Try again`} />
            )}
            {blocks.map((block, index) => (
              <ThreadBlock
                key={block.key}
                block={block}
                visibleBlocks={visibleBlocks}
                alwaysRender={
                  index >= blocks.length - blocksRenderedAtEnd ||
                  containsMessage(block, target?.messageId) ||
                  (isFirstRender && block.rows.some((row) => row.kind === 'unread'))
                }
                onRender={scroll.restorePosition}
                seenId={containsMessage(block, seenId) ? seenId : undefined}
                tabStopId={containsMessage(block, tabStopId) ? tabStopId : undefined}
              />
            ))}
            {newer.hasMore && (
              <EdgeStatus edge={newer} retryLabel={t`Couldn't load newer messages. Try again`} />
            )}
            {typingName && !newer.hasMore && <TypingIndicator name={typingName} />}
          </Box>
        </MessageActionsProvider>
      </Box>
      {(scroll.awayFromEnd || newCount > 0) && (
        <Box position="absolute" bottom="3" insetInline="0" display="flex" justifyContent="center">
          <Button
            size="sm"
            variant={newCount > 0 ? 'ember' : 'outline'}
            bg={newCount > 0 ? undefined : 'raised'}
            boxShadow="mid"
            onClick={goToLatest}
          >
            <ChevronDownIcon />
            {newCount === 0
              ? t`Jump to latest`
              : t`${plural(newCount, { one: '# new message', other: '# new messages' })}`}
          </Button>
        </Box>
      )}
    </Box>
  )
}

/** Returns the number of messages that the other user has sent since the user was last at the end of the thread. */
function useNewMessageCount(liveBubbles: Bubble[], me: string, atEnd: boolean): number {
  const newestSeq = liveBubbles.findLast((bubble) => bubble.seq !== null)?.seq ?? 0
  const [seenSeq, setSeenSeq] = useState(newestSeq)
  if (atEnd && seenSeq !== newestSeq) setSeenSeq(newestSeq)
  return liveBubbles.filter((bubble) => (bubble.seq ?? 0) > seenSeq && bubble.senderId !== me).length
}

function containsMessage(block: RowBlock, id: string | undefined): boolean {
  return id !== undefined && messageIdsInBlock(block).includes(id)
}

function EdgeStatus({ edge, retryLabel }: { edge: ThreadEdge; retryLabel: string }) {
  return (
    <Box display="flex" justifyContent="center" minHeight="9" alignItems="center" color="muted">
      {edge.state === 'failed' ? (
        <Button size="sm" variant="outline" onClick={edge.load}>
          {retryLabel}
        </Button>
      ) : (
        <Spinner />
      )}
    </Box>
  )
}

const BlockContainer = chakra('div', { base: { display: 'flex', flexDirection: 'column', gap: '4' } })

/** Pixels: the height reserved for a message that has never been rendered. */
const estimatedMessageHeight = 64

/**
 * Renders the rows of a block that is near the visible area. Otherwise, only reserves their height, so that long
 * threads scroll smoothly. A block that contains the focus stays rendered.
 */
const ThreadBlock = memo(
  function ThreadBlock({
    block,
    visibleBlocks,
    alwaysRender,
    onRender,
    seenId,
    tabStopId,
  }: {
    block: RowBlock
    visibleBlocks: VisibleBlocks
    /** True for the end of the thread, the message to scroll to and, when the thread opens, the unread divider. */
    alwaysRender: boolean
    /** Called after the rows have replaced the reserved height, or the height has replaced the rows. */
    onRender: () => void
    seenId: string | undefined
    tabStopId: string | undefined
  }) {
    const containerRef = useRef<HTMLDivElement>(null)
    const [isNear, setIsNear] = useState(alwaysRender)
    const [hasFocus, setHasFocus] = useState(false)
    const isRendered = isNear || alwaysRender || hasFocus
    const { heights, observe } = visibleBlocks
    const wasRendered = useRef(isRendered)
    // A ResizeObserver would be too late: during continuous scrolling, a scroll handler measures the new layout first.
    useLayoutEffect(() => {
      if (wasRendered.current !== isRendered) onRender()
      wasRendered.current = isRendered
    }, [isRendered, onRender])
    useEffect(() => (containerRef.current ? observe(containerRef.current, setIsNear) : undefined), [observe])
    useEffect(() => {
      const element = containerRef.current
      if (!element || !isRendered) return
      const observer = new ResizeObserver(() => heights.set(block.key, element.offsetHeight))
      observer.observe(element)
      return () => observer.disconnect()
    }, [isRendered, heights, block.key])
    const onBlur = (event: FocusEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget)) setHasFocus(false)
    }
    const height = heights.get(block.key) ?? block.messages * estimatedMessageHeight
    return (
      <BlockContainer
        ref={containerRef}
        data-block={block.key}
        onFocus={() => setHasFocus(true)}
        onBlur={onBlur}
        style={isRendered ? undefined : { height }}
      >
        {isRendered &&
          block.rows.map((row) => {
            if (row.kind === 'day') return <DayDivider key={row.key} time={row.time} />
            if (row.kind === 'unread') return <UnreadDivider key={row.key} />
            return <MessageGroup key={row.key} group={row.group} seenId={seenId} tabStopId={tabStopId} />
          })}
      </BlockContainer>
    )
  },
  (before, after) =>
    before.visibleBlocks === after.visibleBlocks &&
    before.alwaysRender === after.alwaysRender &&
    before.onRender === after.onRender &&
    before.seenId === after.seenId &&
    before.tabStopId === after.tabStopId &&
    isSameBlock(before.block, after.block),
)

interface VisibleBlocks {
  /** The last measured height of each block by its key, in pixels. */
  heights: Map<number, number>
  /** Reports to `onChange` whether the element is near the visible area. Returns a function that stops observing it. */
  observe: (element: Element, onChange: (isNear: boolean) => void) => () => void
}

/** Pixels above and below the visible area within which blocks render. */
const renderMargin = 1200

/** Observes which blocks in `scrollerRef` are near the visible area. Returns a stable object. */
function useVisibleBlocks(scrollerRef: RefObject<HTMLElement | null>): VisibleBlocks {
  const observerRef = useRef<IntersectionObserver>(undefined)
  useEffect(() => () => observerRef.current?.disconnect(), [])
  return useMemo(() => {
    const listeners = new WeakMap<Element, (isNear: boolean) => void>()
    const notify = (entries: IntersectionObserverEntry[]) => {
      for (const { target, isIntersecting } of entries) listeners.get(target)?.(isIntersecting)
    }
    return {
      heights: new Map(),
      observe: (element, onChange) => {
        // Created by the first block, because the scroller is mounted by then.
        observerRef.current ??= new IntersectionObserver(notify, {
          root: scrollerRef.current,
          rootMargin: `${renderMargin}px 0px`,
        })
        const observer = observerRef.current
        listeners.set(element, onChange)
        observer.observe(element)
        return () => {
          observer.unobserve(element)
          listeners.delete(element)
        }
      },
    }
  }, [scrollerRef])
}
