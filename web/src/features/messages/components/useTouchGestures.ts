import { type MouseEvent, type PointerEvent, useEffect, useRef } from 'react'

const longPressMs = 450
/** The maximum time between the two taps of a double tap, in milliseconds. */
const doubleTapMs = 280
/** Pixels that the finger may move during a press, and between the two taps of a double tap. */
const maxMovement = { press: 10, doubleTap: 30 }

/** Marks a button whose action is delayed until a tap on it can no longer become a double tap. */
export const afterDoubleTapAttribute = { 'data-after-double-tap': '' }
const afterDoubleTap = '[data-after-double-tap]'
/** On these elements, a double tap counts as two taps. */
const singleTapTargets = `a, input, button:not(${afterDoubleTap})`

interface Point {
  x: number
  y: number
}

const distance = (from: Point, to: Point) => Math.hypot(to.x - from.x, to.y - from.y)

/**
 * Returns handlers for touch gestures. The handlers ignore mouse and pen input, which selects text and opens images as
 * usual.
 */
export function useTouchGestures({
  onLongPress,
  onDoubleTap,
}: {
  onLongPress: (element: HTMLElement) => void
  onDoubleTap: () => void
}) {
  const longPressTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const tapTimer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const suppression = useRef<AbortController>(undefined)
  const start = useRef<Point | null>(null)
  const lastTap = useRef<(Point & { time: number }) | null>(null)
  /** True if the next click belongs to a tap that is not the second one of a double tap. */
  const isTapClick = useRef(false)
  const cancel = () => {
    clearTimeout(longPressTimer.current)
    start.current = null
  }
  useEffect(
    () => () => {
      clearTimeout(longPressTimer.current)
      clearTimeout(tapTimer.current)
      suppression.current?.abort()
    },
    [],
  )
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      cancel()
      if (event.pointerType !== 'touch' || !event.isPrimary) {
        isTapClick.current = false
        return
      }
      // Cancels the delayed click of the previous tap: this touch may become the second tap of a double tap. If it is a
      // single tap, it causes a click of its own.
      clearTimeout(tapTimer.current)
      const element = event.currentTarget
      start.current = { x: event.clientX, y: event.clientY }
      longPressTimer.current = setTimeout(() => {
        cancel()
        suppression.current?.abort()
        suppression.current = suppressRelease(element)
        onLongPress(element)
      }, longPressMs)
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (
        start.current &&
        distance(start.current, { x: event.clientX, y: event.clientY }) > maxMovement.press
      )
        cancel()
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const isTap = start.current !== null
      cancel()
      if (!isTap || (event.target instanceof Element && event.target.closest(singleTapTargets))) return
      const tap = { x: event.clientX, y: event.clientY, time: event.timeStamp }
      const previous = lastTap.current
      const isDoubleTap =
        previous !== null &&
        tap.time - previous.time <= doubleTapMs &&
        distance(previous, tap) <= maxMovement.doubleTap
      lastTap.current = isDoubleTap ? null : tap
      isTapClick.current = !isDoubleTap
      if (!isDoubleTap) return
      suppression.current?.abort()
      suppression.current = suppressRelease(event.currentTarget)
      ignoreClicksUntil(event.timeStamp)
      onDoubleTap()
    },
    onPointerCancel: cancel,
    onClickCapture: (event: MouseEvent<HTMLElement>) => {
      const button = event.target instanceof Element && event.target.closest<HTMLElement>(afterDoubleTap)
      if (!button || !isTapClick.current) return
      isTapClick.current = false
      event.preventDefault()
      event.stopPropagation()
      // On a slow device, the click may arrive during the next touch. It is then dropped, because that touch may become
      // the second tap of a double tap.
      if (!start.current) tapTimer.current = setTimeout(() => button.click(), doubleTapMs)
    },
  }
}

/** The maximum delay of the click that follows a tap, in milliseconds. */
const maxClickDelayMs = 1000

/**
 * Ignores late clicks from taps before `time`: on a slow device, such clicks could hit an element that has just
 * appeared.
 */
function ignoreClicksUntil(time: number): void {
  const onClick = (event: Event) => {
    if (event.timeStamp > time) return
    event.preventDefault()
    event.stopPropagation()
  }
  document.addEventListener('click', onClick, true)
  setTimeout(() => document.removeEventListener('click', onClick, true), maxClickDelayMs)
}

/**
 * Until the touch ends or is cancelled, suppresses the browser's context menu and the click that lifting the finger
 * would cause. The click could activate an element that has just appeared under the finger, or close a menu
 * that the long press has opened.
 */
function suppressRelease(element: HTMLElement): AbortController {
  const controller = new AbortController()
  const { signal } = controller
  const onTouchEnd = (event: TouchEvent) => {
    event.preventDefault()
    controller.abort()
  }
  element.addEventListener('touchend', onTouchEnd, { signal, passive: false })
  element.addEventListener('touchcancel', () => controller.abort(), { signal })
  document.addEventListener('contextmenu', (event) => event.preventDefault(), { signal, capture: true })
  return controller
}
