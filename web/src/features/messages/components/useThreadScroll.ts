import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type Bubble, newFromOther } from './groups'

/** Pixels: how near the end still counts as at the end, and how near the top older messages are fetched. */
const nearEnd = 80
const nearTop = 240

/**
 * Keeps a thread where its reader is: at the end while they are there, on the same message while older ones come in
 * above, and counting what arrives below while they read further up.
 */
export function useThreadScroll(
  bubbles: Bubble[],
  me: string,
  older: { more: boolean; state: string; read: () => void },
) {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const before = useRef<{ height: number; bubbles: Bubble[] }>({ height: 0, bubbles: [] })
  const [unseen, setUnseen] = useState(0)

  const toBottom = useCallback(() => {
    const element = scroller.current
    if (element) element.scrollTop = element.scrollHeight
    atEnd.current = true
    setUnseen(0)
  }, [])

  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const last = bubbles.at(-1)
    const previous = before.current
    const grewAbove = previous.bubbles.length > 0 && bubbles[0]?.id !== previous.bubbles[0]?.id
    const grewBelow = last !== undefined && last.id !== previous.bubbles.at(-1)?.id
    if (grewAbove && !atEnd.current) {
      element.scrollTop += element.scrollHeight - previous.height
    } else if (atEnd.current || (grewBelow && last.senderId === me)) {
      toBottom()
    } else {
      const fresh = newFromOther(previous.bubbles, bubbles, me).length
      if (fresh > 0) setUnseen((count) => count + fresh)
    }
    before.current = { height: element.scrollHeight, bubbles }
  }, [bubbles, me, toBottom])

  // What changes the height without changing the messages: the keyboard of a phone, the typing indicator, fonts.
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      const element = scroller.current
      if (!element) return
      if (atEnd.current) element.scrollTop = element.scrollHeight
      before.current.height = element.scrollHeight
    })
    for (const element of [scroller.current, content.current]) if (element) observer.observe(element)
    return () => observer.disconnect()
  }, [])

  const { more, state, read } = older
  const onScroll = () => {
    const element = scroller.current
    if (!element) return
    atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < nearEnd
    if (atEnd.current) setUnseen(0)
    if (element.scrollTop < nearTop && more && state === 'idle') read()
  }

  // A thread too short to scroll cannot be scrolled up.
  useEffect(() => {
    const element = scroller.current
    if (element && more && state === 'idle' && element.scrollHeight <= element.clientHeight) read()
  }, [more, state, read])

  return { scroller, content, onScroll, toBottom, unseen }
}
