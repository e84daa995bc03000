import type { KeyboardEvent } from 'react'
import { canvasToJpeg } from './profile-image'

const maxSidePx = 1024
const quality = 0.9

/** The color behind a transparent image, because a JPEG has no transparency. */
export const transparentFill = 'white'

/** A part of an image, as fractions of its width and height. */
export type CropArea = { x: number; y: number; width: number; height: number }

/**
 * Returns a square part of an image as a JPEG.
 *
 * @param area the part, in coordinates of the image before rotation
 * @param rotation degrees clockwise, a multiple of 90
 * @throws Error if the browser cannot draw the image
 */
export async function cropImage(image: HTMLImageElement, area: CropArea, rotation: number): Promise<File> {
  const width = area.width * image.naturalWidth
  const height = area.height * image.naturalHeight
  const side = Math.max(1, Math.min(maxSidePx, Math.round(width)))
  const canvas = document.createElement('canvas')
  canvas.width = side
  canvas.height = side
  const context = canvas.getContext('2d')
  if (!context) throw new Error('The browser provides no 2D canvas context.')
  context.fillStyle = transparentFill
  context.fillRect(0, 0, side, side)
  context.imageSmoothingQuality = 'high'
  context.translate(side / 2, side / 2)
  context.rotate((rotation * Math.PI) / 180)
  const origin = [area.x * image.naturalWidth, area.y * image.naturalHeight] as const
  context.drawImage(image, ...origin, width, height, -side / 2, -side / 2, side, side)
  return await canvasToJpeg(canvas, quality)
}

const directions: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/**
 * Returns how far an arrow key moves the image, in pixels to the right and down: 1, 10 with Shift, 100 with Ctrl or
 * Option (macOS reserves Ctrl with the arrow keys). Returns null for any other key.
 */
export function arrowKeyOffset(
  event: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'altKey' | 'metaKey'>,
) {
  const direction = directions[event.key]
  // With the Command key, the browser goes back or forward.
  if (!direction || event.metaKey) return null
  const step = event.ctrlKey || event.altKey ? 100 : event.shiftKey ? 10 : 1
  return { x: direction[0] * step, y: direction[1] * step }
}

/**
 * Moves the image of a crop editor by simulating a drag, because the editor accepts positions only from a pointer.
 *
 * @param canvas the canvas of the editor
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
