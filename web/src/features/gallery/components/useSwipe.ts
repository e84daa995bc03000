import { type TouchEvent, useRef } from 'react'

/** Pixels that a finger must go to one side, and by how much more than up or down. */
const least = 48
const straight = 1.5

/** The page is made larger: a finger moves what is seen of it. Browsers round the scale. */
const isZoomed = () => (window.visualViewport?.scale ?? 1) > 1.01

/** Tells when a finger is drawn to the left or right. Two fingers are for the browser, to make things larger. */
export function useSwipe({ onLeft, onRight }: { onLeft: () => void; onRight: () => void }) {
  const start = useRef<{ x: number; y: number } | null>(null)
  return {
    onTouchStart: ({ touches }: TouchEvent) => {
      const touch = touches.length === 1 && !isZoomed() ? touches[0] : undefined
      start.current = touch ? { x: touch.clientX, y: touch.clientY } : null
    },
    onTouchEnd: ({ changedTouches }: TouchEvent) => {
      const from = start.current
      const touch = changedTouches[0]
      start.current = null
      if (!from || !touch) return
      const [x, y] = [touch.clientX - from.x, touch.clientY - from.y]
      if (Math.abs(x) < least || Math.abs(x) < Math.abs(y) * straight) return
      if (x < 0) onLeft()
      else onRight()
    },
    onTouchCancel: () => {
      start.current = null
    },
  }
}
