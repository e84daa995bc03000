import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Bubble } from '../model/bubbles'

/** Pixels: how near the end still counts as at the end, how near an edge more is fetched, and the air above a divider. */
const nearEnd = 80
const nearEdge = 600
const air = 56

/** One end of what is loaded: whether more lies beyond, and how to read it. */
export interface ThreadEdge {
  more: boolean
  state: 'idle' | 'loading' | 'failed'
  read: () => void
}

/** A message to show; a new object each time it is gone to. */
export interface ScrollTarget {
  id: string
}

/**
 * Keeps a thread where its reader is: at the end while they are there, and else with the message at the top of the
 * visible part where it is, whatever is loaded, drawn or changes its height around it.
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
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const anchor = useRef<{ id: string; top: number } | null>(null)
  const lastId = useRef<string>(undefined)
  const reached = useRef<ScrollTarget | null>(null)
  /** The end was asked for, and comes with the next messages that are drawn. */
  const endWanted = useRef(false)
  const [place, setPlace] = useState({ atEnd: true, away: false })
  const isEnd = !newer.more

  const look = useCallback(() => {
    const element = scroller.current
    if (!element) return
    const rest = element.scrollHeight - element.scrollTop - element.clientHeight
    atEnd.current = isEnd && rest < nearEnd
    anchor.current = topmost(element)
    const now = { atEnd: atEnd.current, away: !isEnd || rest > element.clientHeight / 2 }
    setPlace((before) => (before.atEnd === now.atEnd && before.away === now.away ? before : now))
  }, [isEnd])

  const settle = useCallback(() => {
    const element = scroller.current
    if (!element) return
    const held = anchor.current
    if (atEnd.current) element.scrollTop = element.scrollHeight
    else if (held) {
      const now = find(element, held.id)?.getBoundingClientRect().top
      if (now !== undefined) element.scrollTop += now - element.getBoundingClientRect().top - held.top
    }
  }, [])

  const toEnd = useCallback(() => {
    endWanted.current = !isEnd
    atEnd.current = isEnd
    settle()
    look()
  }, [settle, look, isEnd])

  useLayoutEffect(() => {
    const element = scroller.current
    const last = bubbles.at(-1)
    if (!element || !last) return
    const isFirst = lastId.current === undefined
    const isOwnNew = last.id !== lastId.current && last.senderId === me && last.state !== 'sent'
    lastId.current = last.id
    const goal = target && reached.current !== target ? find(element, target.id) : null
    if (goal) {
      reached.current = target
      atEnd.current = false
      show(element, goal)
      look()
      return
    }
    if (isFirst) {
      const divider = element.querySelector<HTMLElement>('[data-unread]')
      element.scrollTop = element.scrollHeight
      if (divider) element.scrollTop = Math.min(element.scrollTop, offset(element, divider) - air)
      look()
      return
    }
    if (isEnd && (isOwnNew || endWanted.current)) {
      atEnd.current = true
      endWanted.current = false
    }
    settle()
    look()
  }, [bubbles, target, me, settle, look, isEnd])

  // What changes heights without changing messages: pictures, fonts, a phone's keyboard, blocks that are drawn.
  useEffect(() => {
    const observer = new ResizeObserver(settle)
    for (const element of [scroller.current, content.current]) if (element) observer.observe(element)
    return () => observer.disconnect()
  }, [settle])

  const fetchNear = useCallback(() => {
    const element = scroller.current
    if (!element) return
    const rest = element.scrollHeight - element.scrollTop - element.clientHeight
    if (element.scrollTop < nearEdge && older.more && older.state === 'idle') older.read()
    if (rest < nearEdge && newer.more && newer.state === 'idle') newer.read()
  }, [older, newer])

  // Also where nothing is scrolled: a thread may be too short for it, or open at its very edge.
  useEffect(fetchNear, [fetchNear])

  const onScroll = useCallback(() => {
    look()
    fetchNear()
  }, [look, fetchNear])

  return { scroller, content, onScroll, toEnd, ...place }
}

/** Where an element lies in what is scrolled, in pixels from its top. */
function offset(scroller: HTMLElement, element: HTMLElement): number {
  return element.getBoundingClientRect().top - scroller.getBoundingClientRect().top + scroller.scrollTop
}

function find(scroller: HTMLElement, id: string): HTMLElement | null {
  return scroller.querySelector<HTMLElement>(`[data-message="${CSS.escape(id)}"]`)
}

/** The message at the top of the visible part, and how far below the edge it begins. */
function topmost(scroller: HTMLElement): { id: string; top: number } | null {
  const messages = scroller.querySelectorAll<HTMLElement>('[data-message]')
  const edge = scroller.getBoundingClientRect().top
  let [low, high] = [0, messages.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((messages[middle]?.getBoundingClientRect().bottom ?? 0) > edge) high = middle
    else low = middle + 1
  }
  const found = messages[low]
  const id = found?.dataset.message
  return found && id ? { id, top: found.getBoundingClientRect().top - edge } : null
}

/** Brings a message to the middle, lights it up for a moment and gives it the focus. */
function show(scroller: HTMLElement, message: HTMLElement): void {
  const room = Math.max(0, scroller.clientHeight - message.offsetHeight) / 2
  scroller.scrollTop = offset(scroller, message) - room
  message.removeAttribute('data-lit')
  // Restarts the animation where it was lit just before.
  void message.offsetWidth
  message.setAttribute('data-lit', '')
  setTimeout(() => message.removeAttribute('data-lit'), 2000)
  message.focus({ preventScroll: true })
}
