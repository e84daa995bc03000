/** What waits for a channel's rights while they are asked again. */
import type { SharedFrame } from './registry.ts'

/** Frames in their order, `most` at once. Hints that may be lost make room for what may not. */
export class HeldFrames {
  private readonly frames: SharedFrame[] = []

  constructor(private readonly most: number) {}

  /** Keeps a frame; false where one that must not be lost finds no room. */
  keep(frame: SharedFrame): boolean {
    if (this.frames.length >= this.most) {
      if (frame.droppable) return true
      const hint = this.frames.findIndex((held) => held.droppable)
      if (hint < 0) return false
      this.frames.splice(hint, 1)
    }
    this.frames.push(frame)
    return true
  }

  /** All that was kept, in the order in which it came. */
  all(): readonly SharedFrame[] {
    return this.frames
  }
}
