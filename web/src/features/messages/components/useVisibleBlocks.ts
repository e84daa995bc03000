import { type RefObject, useEffect, useMemo, useRef } from 'react'

/** Which blocks of a thread are near its visible part, and how high they were when they were drawn last. */
export interface VisibleBlocks {
  heights: Map<number, number>
  /** Tells `onNear` whether the element is near, now and whenever that changes, until what it gives is called. */
  watch: (element: Element, onNear: (near: boolean) => void) => () => void
}

/** Pixels above and below the visible part within which blocks are drawn. */
const margin = 1200

/** Watches the blocks within `scroller`. The same object for as long as the thread is open. */
export function useVisibleBlocks(scroller: RefObject<HTMLElement | null>): VisibleBlocks {
  const observer = useRef<IntersectionObserver>(undefined)
  useEffect(() => () => observer.current?.disconnect(), [])
  return useMemo(() => {
    const listeners = new WeakMap<Element, (near: boolean) => void>()
    const tell = (entries: IntersectionObserverEntry[]) => {
      for (const { target, isIntersecting } of entries) listeners.get(target)?.(isIntersecting)
    }
    return {
      heights: new Map(),
      watch: (element, onNear) => {
        // Made by the first block: the scroller is there by then.
        observer.current ??= new IntersectionObserver(tell, {
          root: scroller.current,
          rootMargin: `${margin}px 0px`,
        })
        const watching = observer.current
        listeners.set(element, onNear)
        watching.observe(element)
        return () => {
          watching.unobserve(element)
          listeners.delete(element)
        }
      },
    }
  }, [scroller])
}
