import type { Size } from './bounds.ts'
import type { ImageType } from './kinds.ts'
import { loadPictures, type Picture, type PictureRefusal, remake } from './picture.ts'

/**
 * One picture for the worker, and what it answers; the two travel with the bytes themselves, not with a copy.
 * `longSide`: pixels that its longer side is to have at most, where that is less than usual.
 */
export type PictureJob = { bytes: Uint8Array<ArrayBuffer>; type: ImageType; size: Size; longSide?: number }
export type PictureAnswer = Picture | PictureRefusal

/** Pictures one after the other, off the thread that answers calls. What goes wrong here ends this worker alone. */
addEventListener('message', (event: MessageEvent<PictureJob>) => {
  void (async () => {
    const { bytes, type, size, longSide } = event.data
    await loadPictures()
    const answer: PictureAnswer = remake(bytes, type, size, longSide)
    postMessage(answer, { transfer: typeof answer === 'string' ? [] : [answer.bytes.buffer] })
  })()
})
