import { Box } from '@chakra-ui/react'
import type { Conversation } from '@contract/message.ts'
import { t } from '@lingui/core/macro'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { ConversationRow, rowHeightRem } from './ConversationRow'

/** A virtualized list of conversations: renders only the rows near the viewport, because a list can have thousands. */
export function VirtualConversationList({
  items,
  complete,
  me,
  selected,
  onSelect,
}: {
  items: Conversation[]
  /** True if `items` is the whole list, without further pages on the server. */
  complete: boolean
  me: string
  selected: string | null
  onSelect: (userId: string) => void
}) {
  const listRef = useRef<HTMLUListElement>(null)
  const { first, end } = useRowsInView(listRef, items.length, rowHeightRem)
  // The focused row stays rendered when it is scrolled out of view, so that it keeps focus.
  const [focusedId, setFocusedId] = useState<string | null>(null)
  const renderedRows = items.flatMap((conversation, index) => {
    const isRendered = (index >= first && index < end) || conversation.otherUserId === focusedId
    return isRendered ? [{ conversation, index }] : []
  })
  return (
    <Box
      asChild
      position="relative"
      listStyleType="none"
      style={{ height: `${items.length * rowHeightRem}rem` }}
    >
      <ul ref={listRef} aria-label={t`Conversations`} onBlur={() => setFocusedId(null)}>
        {renderedRows.map(({ conversation, index }) => (
          <Box
            asChild
            key={conversation.otherUserId}
            position="absolute"
            insetInline="0"
            style={{ top: `${index * rowHeightRem}rem` }}
          >
            <li
              aria-setsize={complete ? items.length : -1}
              aria-posinset={index + 1}
              onFocus={() => setFocusedId(conversation.otherUserId)}
            >
              <ConversationRow
                conversation={conversation}
                me={me}
                selected={conversation.otherUserId === selected}
                onSelect={onSelect}
              />
            </li>
          </Box>
        ))}
      </ul>
    </Box>
  )
}

/** The number of rows rendered beyond each edge of the viewport, for fast scrolling and for the Tab key. */
const overscan = 8

/** The rows from `first` up to but not including `end`. */
interface RowRange {
  first: number
  end: number
}

/**
 * Returns the rows near the viewport; all rows have the same height.
 *
 * @param top the top of the list relative to the viewport in pixels, negative if it is above the viewport
 */
export function rowsNearViewport(
  top: number,
  viewHeight: number,
  rowHeight: number,
  count: number,
): RowRange {
  const first = Math.floor(-top / rowHeight) - overscan
  const end = Math.ceil((viewHeight - top) / rowHeight) + overscan
  return { first: Math.min(Math.max(first, 0), count), end: Math.min(Math.max(end, 0), count) }
}

/** Returns which rows of a list to render, depending on the list's position in its scroll container. */
function useRowsInView(listRef: RefObject<HTMLElement | null>, count: number, heightRem: number): RowRange {
  const [rows, setRows] = useState<RowRange>({ first: 0, end: Math.min(count, 3 * overscan) })
  useEffect(() => {
    const list = listRef.current
    const scroller = list && findScroller(list)
    if (!list || !scroller) return
    const update = () => {
      const rowHeight = heightRem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
      const viewport = scroller.getBoundingClientRect()
      const top = list.getBoundingClientRect().top - viewport.top
      const next = rowsNearViewport(top, viewport.height, rowHeight, count)
      setRows((current) => (current.first === next.first && current.end === next.end ? current : next))
    }
    update()
    const observer = new ResizeObserver(update)
    observer.observe(scroller)
    observer.observe(list)
    // Renders before the next paint. Otherwise fast scrolling would show an empty list.
    const onScroll = () => flushSync(update)
    scroller.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      observer.disconnect()
      scroller.removeEventListener('scroll', onScroll)
    }
  }, [listRef, count, heightRem])
  return rows
}

/** Returns the nearest ancestor that scrolls vertically. */
function findScroller(element: HTMLElement): HTMLElement | null {
  for (let ancestor = element.parentElement; ancestor; ancestor = ancestor.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(ancestor).overflowY)) return ancestor
  }
  return null
}
