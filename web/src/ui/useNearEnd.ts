import { type RefObject, useEffect, useRef } from 'react'

/**
 * Calls `load` while the element that gets the ref is within 300 px of the window's lower edge, as long as more is
 * `wanted`.
 */
export function useNearEnd<Mark extends HTMLElement>(
  wanted: boolean,
  load: () => unknown,
): RefObject<Mark | null> {
  const mark = useRef<Mark>(null)
  const latest = useRef(load)
  useEffect(() => {
    latest.current = load
  }, [load])
  useEffect(() => {
    if (!wanted || !mark.current) return
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && void latest.current(),
      { rootMargin: '300px' },
    )
    observer.observe(mark.current)
    return () => observer.disconnect()
  }, [wanted])
  return mark
}
