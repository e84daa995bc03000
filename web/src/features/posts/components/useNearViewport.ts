import { type RefObject, startTransition, useEffect, useRef, useState } from 'react'

/** How far above and below the window things are drawn: two windows, which a fast reader does not outrun. */
const margin = '200% 0px'
const listeners = new Map<Element, (near: boolean) => void>()

/** One observer for all: hundreds of them would each look at the page on their own. */
let shared: IntersectionObserver | undefined
function observer(): IntersectionObserver {
  shared ??= new IntersectionObserver(
    (entries) => {
      for (const entry of entries) if (isInSight(entry)) tell(entry)
      // Drawing the others may be cut into pieces: scrolling comes first.
      startTransition(() => {
        for (const entry of entries) if (!isInSight(entry)) tell(entry)
      })
    },
    { rootMargin: margin },
  )
  return shared
}

function tell(entry: IntersectionObserverEntry): void {
  listeners.get(entry.target)?.(entry.isIntersecting)
}

function isInSight({ boundingClientRect: { top, bottom } }: IntersectionObserverEntry): boolean {
  return bottom > 0 && top < window.innerHeight
}

/** Whether the element is near the window, as last looked; `initially` until then. */
export function useNearViewport(element: RefObject<HTMLElement | null>, initially: boolean): boolean {
  const [near, setNear] = useState(initially)
  useEffect(() => {
    const box = element.current
    if (!box) return
    listeners.set(box, setNear)
    observer().observe(box)
    return () => {
      observer().unobserve(box)
      listeners.delete(box)
    }
  }, [element])
  return near
}

/** Remembers in `heights` how high the element is, for as long as `drawn`; a placeholder's height is no news. */
export function useRememberedHeight(
  element: RefObject<HTMLElement | null>,
  drawn: boolean,
  remember: (height: number) => void,
): void {
  const latest = useRef(remember)
  useEffect(() => {
    latest.current = remember
  }, [remember])
  useEffect(() => {
    const box = element.current
    if (!box || !drawn) return
    const sizes = new ResizeObserver(([entry]) => {
      const height = entry?.borderBoxSize[0]?.blockSize ?? 0
      if (height > 0) latest.current(height)
    })
    sizes.observe(box)
    return () => sizes.disconnect()
  }, [element, drawn])
}
