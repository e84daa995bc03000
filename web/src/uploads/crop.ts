import { canvasToJpeg } from './profile-image'

/** Pixels of a side at most, and the JPEG quality. */
const longest = 1024
const quality = 0.9

/** What lies below a picture that can be seen through: a JPEG has nothing of the kind. */
export const transparentFill = 'white'

/** A part of a picture, in parts of its width and height. */
export type CropArea = { x: number; y: number; width: number; height: number }

/**
 * The square part of a picture, as a JPEG of its own.
 *
 * @param turned degrees clockwise, a multiple of 90; the part is one of the picture as it was before
 * @throws when the browser cannot draw it
 */
export async function cropImage(picture: HTMLImageElement, part: CropArea, turned: number): Promise<File> {
  const width = part.width * picture.naturalWidth
  const height = part.height * picture.naturalHeight
  const side = Math.max(1, Math.min(longest, Math.round(width)))
  const canvas = document.createElement('canvas')
  canvas.width = side
  canvas.height = side
  const context = canvas.getContext('2d')
  if (!context) throw new Error('The browser draws nothing.')
  context.fillStyle = transparentFill
  context.fillRect(0, 0, side, side)
  context.imageSmoothingQuality = 'high'
  context.translate(side / 2, side / 2)
  context.rotate((turned * Math.PI) / 180)
  const from = [part.x * picture.naturalWidth, part.y * picture.naturalHeight] as const
  context.drawImage(picture, ...from, width, height, -side / 2, -side / 2, side, side)
  return await canvasToJpeg(canvas, quality)
}
