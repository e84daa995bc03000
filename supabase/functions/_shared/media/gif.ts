import type { Size } from './bounds.ts'

/** Pixels of all frames of an animation together at most: they lie in memory side by side while it is checked. */
const mostPixels = 75_000_000
export const mostFrames = 2_000

/** What is left of a GIF, and how many frames it has. */
export type CleanGif = { bytes: Uint8Array<ArrayBuffer>; frames: number }

/**
 * Copies a GIF block by block: frames and their timing as they are, how often it loops, and nothing else. Comments,
 * what programs noted and what follows the end stay behind.
 *
 * @returns 'broken' when it is no GIF, 'pixels' when its frames are too much
 */
export function cleanGif(source: Uint8Array, { width, height }: Size): CleanGif | 'broken' | 'pixels' {
  const walk = new Walk(source)
  // The header, the screen and its colours.
  if (!walk.skip(13) || !walk.skip(coloursIn(source[10]))) return 'broken'
  walk.keep(0)
  let frames = 0
  let pixels = 0
  for (;;) {
    const start = walk.at
    const introducer = walk.byte()
    // A file that was cut off between two blocks gets the end that it lacks.
    if (introducer === undefined || introducer === 0x3b) break
    if (introducer === 0x21) {
      const label = walk.byte()
      const kept = label === 0xf9 || (label === 0xff && walk.isLoop())
      if (label === undefined || !walk.skipBlocks()) return 'broken'
      if (kept) walk.keep(start)
    } else if (introducer === 0x2c) {
      const frame = walk.frame()
      if (!frame || frame.width === 0 || frame.height === 0) return 'broken'
      frames += 1
      pixels += frame.width * frame.height
      if (frames > mostFrames || Math.max(pixels, width * height) > mostPixels) return 'pixels'
      walk.keep(start)
    } else return 'broken'
  }
  return frames === 0 ? 'broken' : { bytes: walk.kept(), frames }
}

/** Bytes of a table of colours, by the flags that announce it. */
const coloursIn = (flags = 0) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)

const loops = new Set(['NETSCAPE2.0', 'ANIMEXTS1.0'])

/** A place in a GIF, and the parts of it that are kept. */
class Walk {
  at = 0
  #parts: Uint8Array[] = []
  readonly #source: Uint8Array

  constructor(source: Uint8Array) {
    this.#source = source
  }

  byte(): number | undefined {
    return this.#source[this.at++]
  }

  /** Goes on; false where the file ends before. */
  skip(bytes: number): boolean {
    this.at += bytes
    return this.at <= this.#source.length
  }

  /** Blocks of data, up to the empty one that ends them. */
  skipBlocks(): boolean {
    for (;;) {
      const length = this.byte()
      if (length === undefined) return false
      if (length === 0) return true
      if (!this.skip(length)) return false
    }
  }

  /** Whether the extension that begins here says how often the animation loops. */
  isLoop(): boolean {
    const name = this.#source.subarray(this.at + 1, this.at + 12)
    // Behind the name, one block of three bytes: a number and its meaning.
    const [length, meaning, , , end] = this.#source.subarray(this.at + 12, this.at + 17)
    return (
      this.#source[this.at] === 11 &&
      loops.has(String.fromCharCode(...name)) &&
      length === 3 &&
      meaning === 1 &&
      end === 0
    )
  }

  /** The size of the frame whose description begins here; null when it is not whole. */
  frame(): Size | null {
    const [, , , , w0 = 0, w1 = 0, h0 = 0, h1 = 0, flags] = this.#source.subarray(this.at, this.at + 9)
    const whole = this.skip(9) && this.skip(coloursIn(flags)) && this.skip(1) && this.skipBlocks()
    return whole ? { width: w0 + w1 * 256, height: h0 + h1 * 256 } : null
  }

  /** Keeps what lies between `start` and here. */
  keep(start: number): void {
    this.#parts.push(this.#source.subarray(start, this.at))
  }

  /** What was kept, with the end behind it. */
  kept(): Uint8Array<ArrayBuffer> {
    const whole = new Uint8Array(this.#parts.reduce((sum, part) => sum + part.length, 1))
    let at = 0
    for (const part of this.#parts) {
      whole.set(part, at)
      at += part.length
    }
    whole[at] = 0x3b
    return whole
  }
}
