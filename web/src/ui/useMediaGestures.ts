import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/** The scale after a double tap. */
const doubleTapScale = 2.5
const maxScale = 6
/** The longest time between the taps of a double tap, in milliseconds, and the largest distance, in pixels. */
const doubleTapMs = 300
const doubleTapDistance = 30
/** Pixels that a pointer has to move before its direction is known. */
const slop = 8
/** The shortest swipe to a neighbor, and the shortest swipe down that closes the lightbox, in pixels. */
const swipeDistance = 48
const closeDistance = 96
/** The height of the controls at the lower edge of a video, in pixels. A drag there seeks. */
const videoControlsHeight = 80
/** The duration of an animation in milliseconds. */
const durationMs = 180
/** Pixels between an item and its neighbors. */
export const slideGap = 24

interface Point {
  x: number
  y: number
}

export interface MediaGestures {
  /** Zooms in, or back to the whole image. */
  toggleZoom: () => void
  /** Moves the zoomed image. Returns false if it is not zoomed. */
  pan: (dx: number, dy: number) => boolean
}

/**
 * Handles the gestures on a stage with one image or video. A pinch, a double tap and the wheel zoom the image, and a
 * drag pans it while it is zoomed. Otherwise, a horizontal swipe goes to a neighbor, and a swipe down closes the
 * lightbox. Sets the transforms of the elements directly, so that React does not have to render during a gesture. Each
 * item needs its own `itemId`.
 */
export function useMediaGestures(
  {
    stage,
    track,
    media,
    gestures,
  }: {
    /** The element that receives the gestures. */
    stage: RefObject<HTMLElement | null>
    /** The element that moves with a swipe. */
    track: RefObject<HTMLElement | null>
    /** The image that zooms; null for a video. */
    media: RefObject<HTMLElement | null>
    /** Receives the functions that zoom and pan the image. */
    gestures: RefObject<MediaGestures | null>
  },
  options: {
    itemId: string | undefined
    /** Shows the previous item. Undefined if this is the first. */
    onPrevious: (() => void) | undefined
    /** Shows the next item. Undefined if this is the last. */
    onNext: (() => void) | undefined
    onClose: () => void
    onZoomChange: (isZoomed: boolean) => void
  },
): void {
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const { itemId } = options
  // Runs before the next frame, which would otherwise show the new item at the position where the swipe ended.
  useLayoutEffect(() => {
    const stageElement = stage.current
    const trackElement = track.current
    if (itemId === undefined || !stageElement || !trackElement) return
    const listeners = new AbortController()
    gestures.current = handleGestures(stageElement, trackElement, media, latest, listeners.signal)
    return () => {
      listeners.abort()
      gestures.current = null
      latest.current.onZoomChange(false)
    }
  }, [itemId, stage, track, media, gestures])
}

function handleGestures(
  stage: HTMLElement,
  track: HTMLElement,
  media: RefObject<HTMLElement | null>,
  latest: RefObject<Parameters<typeof useMediaGestures>[1]>,
  signal: AbortSignal,
): MediaGestures {
  const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)')
  const pointers = new Map<number, Point>()
  let view = { scale: 1, x: 0, y: 0 }
  let transformed: HTMLElement | null = null
  let direction: 'pan' | 'horizontal' | 'vertical' | null = null
  let start: Point = { x: 0, y: 0 }
  let lastTap: (Point & { at: number }) | null = null

  const animate = (element: HTMLElement, isAnimated: boolean) => {
    element.style.transition =
      isAnimated && !reducedMotion.matches
        ? `transform ${durationMs}ms ease-out, opacity ${durationMs}ms`
        : ''
  }
  const moveTrack = (x: number, y: number, isAnimated = false) => {
    animate(track, isAnimated)
    track.style.transform = x || y ? `translate(${x}px, ${y}px)` : ''
    track.style.opacity = y > 0 ? String(Math.max(0.3, 1 - y / stage.clientHeight)) : ''
  }
  /** Applies a view, limited so that a zoomed image covers the stage as far as it can. */
  const setView = (next: typeof view, isAnimated = false) => {
    const element = media.current
    if (!element) return
    const scale = Math.min(maxScale, Math.max(1, next.scale))
    const limitX = Math.max(0, (element.offsetWidth * scale - stage.clientWidth) / 2)
    const limitY = Math.max(0, (element.offsetHeight * scale - stage.clientHeight) / 2)
    const clamp = (value: number, limit: number) => Math.min(limit, Math.max(-limit, value))
    const wasZoomed = view.scale > 1
    view = { scale, x: clamp(next.x, limitX), y: clamp(next.y, limitY) }
    transformed = element
    animate(element, isAnimated)
    element.style.transform = scale > 1 ? `translate(${view.x}px, ${view.y}px) scale(${scale})` : ''
    if (wasZoomed !== scale > 1) latest.current.onZoomChange(scale > 1)
  }
  /** Changes the scale and keeps the point of the image that is at `center` in place. */
  const zoomAt = (scale: number, center: Point, isAnimated = false) => {
    const box = stage.getBoundingClientRect()
    const x = center.x - box.left - box.width / 2
    const y = center.y - box.top - box.height / 2
    const ratio = Math.min(maxScale, Math.max(1, scale)) / view.scale
    setView({ scale, x: x - (x - view.x) * ratio, y: y - (y - view.y) * ratio }, isAnimated)
  }
  const stageCenter = (): Point => {
    const box = stage.getBoundingClientRect()
    return { x: box.left + box.width / 2, y: box.top + box.height / 2 }
  }
  const toggleZoom = (center = stageCenter()) => zoomAt(view.scale > 1 ? 1 : doubleTapScale, center, true)

  const spread = () => {
    const [a, b] = [...pointers.values()]
    if (!a || !b) return null
    return { distance: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }
  }

  const onPointerDown = (event: PointerEvent) => {
    const { target, clientX: x, clientY: y } = event
    if (event.button !== 0 || !(target instanceof Element) || target.closest('button, a')) return
    const isVideo = target instanceof HTMLVideoElement
    if (
      isVideo &&
      (event.pointerType === 'mouse' || y > target.getBoundingClientRect().bottom - videoControlsHeight)
    )
      return
    pointers.set(event.pointerId, { x, y })
    // The events of a captured pointer would not reach the controls of a video.
    if (!isVideo) stage.setPointerCapture(event.pointerId)
    start = { x, y }
    direction = null
    if (pointers.size === 2) moveTrack(0, 0)
  }
  const onPointerMove = (event: PointerEvent) => {
    const before = pointers.get(event.pointerId)
    if (!before) return
    const point = { x: event.clientX, y: event.clientY }
    const spreadBefore = spread()
    pointers.set(event.pointerId, point)
    const spreadNow = spread()
    if (spreadBefore && spreadNow) {
      direction = 'pan'
      zoomAt((view.scale * spreadNow.distance) / Math.max(1, spreadBefore.distance), spreadNow)
      setView({ ...view, x: view.x + spreadNow.x - spreadBefore.x, y: view.y + spreadNow.y - spreadBefore.y })
      return
    }
    const [dx, dy] = [point.x - start.x, point.y - start.y]
    if (!direction) {
      if (Math.hypot(dx, dy) < slop) return
      if (view.scale > 1) direction = 'pan'
      // A drag with a mouse is not a swipe: mouse users have buttons and keys to go to a neighbor.
      else if (event.pointerType === 'mouse') return
      else direction = Math.abs(dx) > Math.abs(dy) ? 'horizontal' : 'vertical'
    }
    if (direction === 'pan')
      setView({ ...view, x: view.x + point.x - before.x, y: view.y + point.y - before.y })
    else if (direction === 'vertical') moveTrack(0, Math.max(0, dy))
    else {
      const hasNeighbor = Boolean(dx < 0 ? latest.current.onNext : latest.current.onPrevious)
      moveTrack(hasNeighbor ? dx : dx / 4, 0)
    }
  }
  const onPointerUp = (event: PointerEvent) => {
    if (!pointers.delete(event.pointerId)) return
    const [dx, dy] = [event.clientX - start.x, event.clientY - start.y]
    const swipe = direction
    // After a pinch, the remaining finger pans.
    if (pointers.size > 0) return
    direction = null
    if (event.type === 'pointercancel') moveTrack(0, 0, true)
    else if (swipe === 'horizontal') endSwipe(dx)
    else if (swipe === 'vertical') {
      if (dy > closeDistance) latest.current.onClose()
      else moveTrack(0, 0, true)
    } else if (!swipe && Math.hypot(dx, dy) < slop) onTap(event)
  }
  const endSwipe = (dx: number) => {
    const go =
      Math.abs(dx) < swipeDistance ? undefined : dx < 0 ? latest.current.onNext : latest.current.onPrevious
    if (!go) return moveTrack(0, 0, true)
    moveTrack(Math.sign(dx) * (stage.clientWidth + slideGap), 0, true)
    setTimeout(() => !signal.aborted && go(), reducedMotion.matches ? 0 : durationMs)
  }
  const onTap = (event: PointerEvent) => {
    const { target, clientX: x, clientY: y, timeStamp: at } = event
    const isDouble =
      lastTap && at - lastTap.at < doubleTapMs && Math.hypot(x - lastTap.x, y - lastTap.y) < doubleTapDistance
    lastTap = isDouble ? null : { x, y, at }
    if (isDouble) toggleZoom({ x, y })
    // A click beside the image closes the lightbox, as with any dialog. The target of a captured pointer is the stage.
    else if (event.pointerType === 'mouse' && target === stage && !isOnMedia({ x, y }))
      latest.current.onClose()
  }
  const isOnMedia = ({ x, y }: Point) =>
    [...track.querySelectorAll('img, video')].some((element) => {
      const box = element.getBoundingClientRect()
      return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom
    })
  const onWheel = (event: WheelEvent) => {
    if (!media.current) return
    // Otherwise, the browser would zoom the page on a trackpad pinch.
    event.preventDefault()
    const speed = event.ctrlKey ? 0.01 : 0.0025
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 16 : event.deltaY
    zoomAt(view.scale * Math.exp(-pixels * speed), { x: event.clientX, y: event.clientY })
  }

  moveTrack(0, 0)
  // When another item is shown, the image of this one moves off the screen and must not stay zoomed.
  signal.addEventListener('abort', () => transformed?.style.removeProperty('transform'))
  stage.addEventListener('pointerdown', onPointerDown, { signal })
  stage.addEventListener('pointermove', onPointerMove, { signal })
  stage.addEventListener('pointerup', onPointerUp, { signal })
  stage.addEventListener('pointercancel', onPointerUp, { signal })
  stage.addEventListener('wheel', onWheel, { signal, passive: false })
  return {
    toggleZoom: () => toggleZoom(),
    pan: (dx, dy) => {
      if (view.scale === 1) return false
      setView({ ...view, x: view.x + dx, y: view.y + dy }, true)
      return true
    },
  }
}
