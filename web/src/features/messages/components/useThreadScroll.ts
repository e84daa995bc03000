import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Bubble } from '../model/bubbles'

/** Distances in pixels. */
const atEndThreshold = 80
const loadThreshold = 600
const spaceAboveDivider = 56

/** One end of the loaded messages. */
export interface ThreadEdge {
  hasMore: boolean
  state: 'idle' | 'loading' | 'failed'
  load: () => void
}

/** A message to scroll to; a new object for each request. */
export interface ScrollTarget {
  messageId: string
}

/**
 * Controls the scroll position of a thread. While the user is at the end, it stays at the end. Otherwise the topmost
 * visible message stays in place, whatever is loaded, rendered or resized around it.
 */
export function useThreadScroll({
  bubbles,
  me,
  older,
  newer,
  target,
}: {
  bubbles: Bubble[]
  me: string
  older: ThreadEdge
  newer: ThreadEdge
  target: ScrollTarget | null
}) {
  const scrollerRef = useRef<HTMLDivElement>(null)
  const contentRef = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  /** The topmost visible message when the thread was last scrolled, with the scroll position at that time. */
  const anchor = useRef<{ messageId: string; top: number; scrollTop: number } | null>(null)
  const lastId = useRef<string>(undefined)
  const reachedTarget = useRef<ScrollTarget | null>(null)
  /** The user asked for the end of the thread, which the next render displays. */
  const scrollToEndPending = useRef(false)
  const [position, setPosition] = useState({ atEnd: true, awayFromEnd: false })
  const isThreadEnd = !newer.hasMore

  const measure = useCallback(() => {
    const scroller = scrollerRef.current
    if (!scroller) return
    const distance = distanceToEnd(scroller)
    atEnd.current = isThreadEnd && distance < atEndThreshold
    anchor.current = findTopmostMessage(scroller)
    const next = {
      atEnd: atEnd.current,
      awayFromEnd: !isThreadEnd || distance > scroller.clientHeight / 2,
    }
    setPosition((current) =>
      current.atEnd === next.atEnd && current.awayFromEnd === next.awayFromEnd ? current : next,
    )
  }, [isThreadEnd])

  const restorePosition = useCallback(() => {
    const scroller = scrollerRef.current
    if (!scroller) return
    if (atEnd.current) scroller.scrollTop = scroller.scrollHeight
    else if (anchor.current) {
      const message = findMessage(scroller, anchor.current.messageId)
      if (!message) return
      // The scroll event of the user's last step may still be pending. At the end, the browser may have moved the
      // position, because the content became shorter.
      const step = distanceToEnd(scroller) < 1 ? 0 : scroller.scrollTop - anchor.current.scrollTop
      const top = anchor.current.top - step
      scroller.scrollTop += message.getBoundingClientRect().top - scroller.getBoundingClientRect().top - top
      anchor.current = { ...anchor.current, top, scrollTop: scroller.scrollTop }
    }
  }, [])

  const scrollToEnd = useCallback(() => {
    scrollToEndPending.current = !isThreadEnd
    atEnd.current = isThreadEnd
    restorePosition()
    measure()
  }, [restorePosition, measure, isThreadEnd])

  useLayoutEffect(() => {
    const scroller = scrollerRef.current
    const last = bubbles.at(-1)
    if (!scroller || !last) return
    const isFirstRender = lastId.current === undefined
    const hasNewOwnMessage = last.id !== lastId.current && last.senderId === me && last.state !== 'sent'
    lastId.current = last.id
    const targetElement =
      target && reachedTarget.current !== target ? findMessage(scroller, target.messageId) : null
    if (targetElement) {
      reachedTarget.current = target
      atEnd.current = false
      highlightMessage(scroller, targetElement)
      measure()
      return
    }
    if (isFirstRender) {
      const divider = scroller.querySelector<HTMLElement>('[data-unread]')
      scroller.scrollTop = scroller.scrollHeight
      if (divider) {
        scroller.scrollTop = Math.min(scroller.scrollTop, offsetTop(scroller, divider) - spaceAboveDivider)
      }
      measure()
      return
    }
    if (isThreadEnd && (hasNewOwnMessage || scrollToEndPending.current)) {
      atEnd.current = true
      scrollToEndPending.current = false
    }
    restorePosition()
    measure()
  }, [bubbles, target, me, restorePosition, measure, isThreadEnd])

  // Heights also change without new messages: images and fonts load, the on-screen keyboard opens, blocks render.
  useEffect(() => {
    const observer = new ResizeObserver(restorePosition)
    for (const element of [scrollerRef.current, contentRef.current]) if (element) observer.observe(element)
    return () => observer.disconnect()
  }, [restorePosition])

  const loadNearEdges = useCallback(() => {
    const scroller = scrollerRef.current
    if (!scroller) return
    if (scroller.scrollTop < loadThreshold && older.hasMore && older.state === 'idle') older.load()
    if (distanceToEnd(scroller) < loadThreshold && newer.hasMore && newer.state === 'idle') newer.load()
  }, [older, newer])

  // Runs without a scroll event too: a thread may be too short to scroll, or open at an edge.
  useEffect(loadNearEdges, [loadNearEdges])

  const onScroll = useCallback(() => {
    measure()
    loadNearEdges()
  }, [measure, loadNearEdges])

  return { scrollerRef, contentRef, onScroll, scrollToEnd, restorePosition, ...position }
}

function distanceToEnd(scroller: HTMLElement): number {
  return scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight
}

/** Returns the distance in pixels between the top of the scrolled content and an element in it. */
function offsetTop(scroller: HTMLElement, element: HTMLElement): number {
  return element.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop
}

function findMessage(scroller: HTMLElement, messageId: string): HTMLElement | null {
  return scroller.querySelector<HTMLElement>(`[data-message="${CSS.escape(messageId)}"]`)
}

/** Returns the topmost visible message and its distance in pixels to the top edge, by binary search. */
function findTopmostMessage(
  scroller: HTMLElement,
): { messageId: string; top: number; scrollTop: number } | null {
  const messages = scroller.querySelectorAll<HTMLElement>('[data-message]')
  const edge = scroller.getBoundingClientRect().top
  let [low, high] = [0, messages.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((messages[middle]?.getBoundingClientRect().bottom ?? 0) > edge) high = middle
    else low = middle + 1
  }
  const message = messages[low]
  const messageId = message?.dataset.message
  return message && messageId
    ? { messageId, top: message.getBoundingClientRect().top - edge, scrollTop: scroller.scrollTop }
    : null
}

/** Scrolls a message to the middle, highlights it briefly and focuses it. */
function highlightMessage(scroller: HTMLElement, message: HTMLElement): void {
  const space = Math.max(0, scroller.clientHeight - message.offsetHeight) / 2
  scroller.scrollTop = offsetTop(scroller, message) - space
  message.removeAttribute('data-highlight')
  // Forces a reflow, which restarts the transition if the message was just highlighted.
  void message.offsetWidth
  message.setAttribute('data-highlight', '')
  setTimeout(() => message.removeAttribute('data-highlight'), 2000)
  message.focus({ preventScroll: true })
}
