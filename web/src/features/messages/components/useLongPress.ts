import { type PointerEvent, useEffect, useRef } from 'react'

/** Milliseconds a finger rests, and pixels it may stray meanwhile. */
const rests = 450
const strays = 10

/** For an element that a finger can hold down: `onHold` hears it. A mouse and a pen select text as ever. */
export function useLongPress(onHold: (element: HTMLElement) => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const held = useRef<AbortController>(undefined)
  const from = useRef({ x: 0, y: 0 })
  const stop = () => clearTimeout(timer.current)
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      held.current?.abort()
    },
    [],
  )
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      stop()
      if (event.pointerType !== 'touch') return
      const element = event.currentTarget
      from.current = { x: event.clientX, y: event.clientY }
      timer.current = setTimeout(() => {
        held.current?.abort()
        held.current = holdFinger(element)
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

/**
 * Until the finger is lifted: lifting it must not press what lies under it, nor close what has just opened, and the
 * browser's own menu stays away. The touch may also be taken away, and then nothing is lifted.
 */
function holdFinger(element: HTMLElement): AbortController {
  const held = new AbortController()
  const { signal } = held
  const lift = (event: TouchEvent) => {
    event.preventDefault()
    held.abort()
  }
  element.addEventListener('touchend', lift, { signal, passive: false })
  element.addEventListener('touchcancel', () => held.abort(), { signal })
  document.addEventListener('contextmenu', (event) => event.preventDefault(), { signal, capture: true })
  return held
}
