import { type RefObject, useEffect, useState } from 'react'

/** Rows drawn beyond either edge, so that a quick scroll and the Tab key find the next ones. */
const beyond = 8

/** From `first` up to, not including, `end`. */
interface Rows {
  first: number
  end: number
}

/** Which rows of equal height lie near what is in sight; `top` is where the list begins, above it below zero. */
export function rowsNearViewport(top: number, viewHeight: number, rowHeight: number, count: number): Rows {
  const first = Math.floor(-top / rowHeight) - beyond
  const end = Math.ceil((viewHeight - top) / rowHeight) + beyond
  return { first: Math.min(Math.max(first, 0), count), end: Math.min(Math.max(end, 0), count) }
}

/**
 * The rows worth drawing of a long list within an element that scrolls. Every row is `rowRem` of the page's text size
 * high: so thousands of them cost no more than a screenful.
 */
export function useRowsInView(list: RefObject<HTMLElement | null>, count: number, rowRem: number): Rows {
  const [rows, setRows] = useState<Rows>({ first: 0, end: Math.min(count, 3 * beyond) })
  useEffect(() => {
    const element = list.current
    const scroller = element && scrollerOf(element)
    if (!element || !scroller) return
    const look = () => {
      const rowHeight = rowRem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
      const frame = scroller.getBoundingClientRect()
      const top = element.getBoundingClientRect().top - frame.top
      const next = rowsNearViewport(top, frame.height, rowHeight, count)
      setRows((now) => (now.first === next.first && now.end === next.end ? now : next))
    }
    look()
    const resized = new ResizeObserver(look)
    resized.observe(scroller)
    resized.observe(element)
    scroller.addEventListener('scroll', look, { passive: true })
    return () => {
      resized.disconnect()
      scroller.removeEventListener('scroll', look)
    }
  }, [list, count, rowRem])
  return rows
}

function scrollerOf(element: HTMLElement): HTMLElement | null {
  for (let at = element.parentElement; at; at = at.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(at).overflowY)) return at
  }
  return null
}
