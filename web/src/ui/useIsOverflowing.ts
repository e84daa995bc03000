import { type RefObject, useEffect, useState } from 'react'

/**
 * Returns whether the element's content is taller than the element. Updates when the element's size or `content`
 * changes.
 */
export function useIsOverflowing(ref: RefObject<HTMLElement | null>, content: string): boolean {
  const [isOverflowing, setOverflowing] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: new content can overflow without a change in size
  useEffect(() => {
    const element = ref.current
    if (!element) return
    // The observer also reports the initial size.
    const observer = new ResizeObserver(() => setOverflowing(element.scrollHeight > element.clientHeight + 1))
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref, content])
  return isOverflowing
}
