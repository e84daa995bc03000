import { type PointerEvent, useEffect, useRef } from 'react'

/** Milliseconds a finger rests, and pixels it may stray meanwhile. */
const rests = 450
const strays = 10

/** For an element that a finger can hold down: `onHold` hears it. A mouse and a pen select text as ever. */
export function useLongPress(onHold: (element: HTMLElement) => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const from = useRef({ x: 0, y: 0 })
  const stop = () => clearTimeout(timer.current)
  useEffect(() => () => clearTimeout(timer.current), [])
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      stop()
      if (event.pointerType !== 'touch') return
      const element = event.currentTarget
      from.current = { x: event.clientX, y: event.clientY }
      timer.current = setTimeout(() => {
        // Lifting the finger must not press what lies under it, nor close what has just opened.
        element.addEventListener('touchend', (end) => end.preventDefault(), { once: true, passive: false })
        onHold(element)
      }, rests)
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (Math.hypot(event.clientX - from.current.x, event.clientY - from.current.y) > strays) stop()
    },
    onPointerUp: stop,
    onPointerCancel: stop,
  }
}
