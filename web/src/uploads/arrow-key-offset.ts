import type { KeyboardEvent } from 'react'

const directions: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/**
 * How far an arrow key moves, in pixels to the right and down: by 1, by 10 with Shift, by 100 with Ctrl or, as a Mac
 * keeps Ctrl and the arrows to itself, Option. Null for any other key.
 */
export function arrowKeyOffset(
  event: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey'>,
) {
  const direction = directions[event.key]
  // The browser's own: back and forward.
  if (!direction || event.metaKey) return null
  const step = event.ctrlKey || event.altKey ? 100 : event.shiftKey ? 10 : 1
  return { x: direction[0] * step, y: direction[1] * step }
}

/**
 * Moves the picture of an editor. It takes no position from outside but a pointer's: so this is what it sees of one.
 *
 * @param canvas the editor's
 */
export function moveImage(canvas: HTMLCanvasElement, { x, y }: { x: number; y: number }): void {
  canvas.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, cancelable: true }))
  for (const [clientX, clientY] of [
    [0, 0],
    [x, y],
  ]) {
    document.dispatchEvent(new MouseEvent('mousemove', { clientX, clientY, cancelable: true }))
  }
  document.dispatchEvent(new MouseEvent('mouseup'))
}
