/** Encodes frames once for many clients, and buffers the frames of one channel. */
import type { Frame, Version } from './types.ts'

/** A message to many clients, which is encoded at most once per protocol version. */
export class SharedFrame {
  private readonly encoded = new Map<Version, Frame | null>()

  /**
   * @param droppable whether slow clients may miss the message: true for the broadcasts of clients, which carry only
   *   hints such as "typing"
   * @param messageId the id of a message that is stored in the database and may therefore also have been replayed
   */
  constructor(
    readonly droppable: boolean,
    private readonly encode: (version: Version) => Frame | null,
    readonly messageId: string | null = null,
  ) {}

  /** Returns the frame for `version`, or null if that version cannot express it. */
  for(version: Version): Frame | null {
    let frame = this.encoded.get(version)
    if (frame === undefined) {
      frame = this.encode(version)
      this.encoded.set(version, frame)
    }
    return frame
  }
}

/** Buffers the frames of one channel, in order, while its permissions are checked again or messages are replayed. */
export class FrameBuffer {
  private readonly frames: SharedFrame[] = []

  constructor(private readonly capacity: number) {}

  /**
   * Adds a frame. If the buffer is full, drops this frame if it is droppable, or else the oldest droppable frame.
   *
   * @returns false if the buffer is full and neither this frame nor any buffered frame is droppable
   */
  add(frame: SharedFrame): boolean {
    if (this.frames.length >= this.capacity) {
      if (frame.droppable) return true
      const index = this.frames.findIndex((buffered) => buffered.droppable)
      if (index < 0) return false
      this.frames.splice(index, 1)
    }
    this.frames.push(frame)
    return true
  }

  /** Drops the frames up to and including the last one that matches. */
  dropThroughLast(matches: (frame: SharedFrame) => boolean): void {
    let end = this.frames.length
    for (const frame of this.frames.toReversed()) {
      if (matches(frame)) break
      end -= 1
    }
    this.frames.splice(0, end)
  }

  /** Returns the buffered frames in order. */
  all(): readonly SharedFrame[] {
    return this.frames
  }
}
