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
 * Controls the scroll position of a thread. While the user is at the end, the thread scrolls to new messages, and the
 * distance to the end stays the same when something is resized. Otherwise the topmost visible message stays in place,
 * whatever is loaded, rendered or resized around it.
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
  /** The distance to the end that the thread keeps while the user is at the end. */
  const endDistance = useRef(0)
  /** The topmost visible message when the thread was last scrolled, with the scroll position at that time. */
  const anchor = useRef<{ messageId: string; top: number; scrollTop: number } | null>(null)
  const lastId = useRef<string>(undefined)
  const reachedTarget = useRef<ScrollTarget | null>(null)
  /** True if the user asked to go to the end of the thread while a window of older messages was open. */
  const scrollToEndPending = useRef(false)
  const [position, setPosition] = useState({ atEnd: true, awayFromEnd: false })
  const isThreadEnd = !newer.hasMore

  const measure = useCallback(() => {
    const scroller = scrollerRef.current
    if (!scroller) return
    const distance = distanceToEnd(scroller)
    atEnd.current = isThreadEnd && distance < atEndThreshold
    endDistance.current = distance
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
    const distance = distanceToEnd(scroller)
    // The user may have scrolled, with the scroll event still pending. If the position is at the end, the browser may
    // have moved it because the content became shorter.
    const step = distance < 1 || !anchor.current ? 0 : scroller.scrollTop - anchor.current.scrollTop
    if (atEnd.current) {
      endDistance.current = distance < 1 ? 0 : Math.max(0, endDistance.current - step)
      moveBy(scroller, distance - endDistance.current)
    } else if (anchor.current) {
      const message = findMessage(scroller, anchor.current.messageId)
      if (!message) return
      anchor.current.top -= step
      const top = message.getBoundingClientRect().top - scroller.getBoundingClientRect().top
      moveBy(scroller, top - anchor.current.top)
    }
    if (anchor.current) anchor.current.scrollTop = scroller.scrollTop
  }, [])

  const scrollToEnd = useCallback(() => {
    const scroller = scrollerRef.current
    scrollToEndPending.current = !isThreadEnd
    if (scroller && isThreadEnd) scroller.scrollTop = scroller.scrollHeight
    measure()
  }, [measure, isThreadEnd])

  useLayoutEffect(() => {
    const scroller = scrollerRef.current
    const last = bubbles.at(-1)
    if (!scroller || !last) return
    const isFirstRender = lastId.current === undefined
    const hasNewMessage = last.id !== lastId.current
    const isOwnNewMessage = hasNewMessage && last.senderId === me && last.state !== 'sent'
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
    if (isThreadEnd && (isOwnNewMessage || scrollToEndPending.current)) {
      scrollToEndPending.current = false
      scroller.scrollTop = scroller.scrollHeight
    } else {
      if (hasNewMessage) endDistance.current = 0
      restorePosition()
    }
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

  // Also runs without a scroll event: a thread may be too short to scroll, or open at an edge.
  useEffect(loadNearEdges, [loadNearEdges])

  const onScroll = useCallback(() => {
    // Something may have been resized before this event. At the end, there is nothing to restore.
    if (scrollerRef.current && distanceToEnd(scrollerRef.current) >= 1) restorePosition()
    measure()
    loadNearEdges()
  }, [restorePosition, measure, loadNearEdges])

  return { scrollerRef, contentRef, onScroll, scrollToEnd, restorePosition, ...position }
}

function distanceToEnd(scroller: HTMLElement): number {
  return scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight
}

/** Scrolls by a distance in pixels, unless it is only a rounding error: setting the position stops touch scrolling. */
function moveBy(scroller: HTMLElement, distance: number): void {
  if (Math.abs(distance) >= 1) scroller.scrollTop += distance
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
