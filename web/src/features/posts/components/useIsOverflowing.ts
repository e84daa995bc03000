import { type RefObject, useEffect, useState } from 'react'

/** Whether the element holds more than it shows, at any width; looked at anew when its size or `content` changes. */
export function useIsOverflowing(element: RefObject<HTMLElement | null>, content: string): boolean {
  const [overflows, setOverflows] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text can overflow without another size
  useEffect(() => {
    const box = element.current
    if (!box) return
    // The observer speaks once at the start, and for a card out of sight only when it is drawn.
    const observer = new ResizeObserver(() => setOverflows(box.scrollHeight > box.clientHeight + 1))
    observer.observe(box)
    return () => observer.disconnect()
  }, [element, content])
  return overflows
}
