/** What one joined channel may read and write: asked once, remembered, asked again when told to. */
import type { Identity } from './auth.ts'
import type { Rights } from './rights.ts'
import type { Extension } from './types.ts'

/** The rights of one channel: what the policies say. */
export class ChannelRights {
  private readonly asked = new Set<Extension>(['broadcast'])
  private readable = new Set<Extension>()
  private readonly writable = new Map<Extension, boolean>()
  private changes = 0

  constructor(
    private readonly rights: Rights,
    private readonly topic: string,
    public identity: Identity,
  ) {}

  /** Lets presence be asked about from now on; without it only broadcast is. */
  includePresence(): void {
    this.asked.add('presence')
  }

  /** Whether presence was asked about when reading was last decided. */
  knowsPresence(): boolean {
    return this.asked.has('presence')
  }

  /** Goes on under another token; the old answers count no more. */
  become(identity: Identity): void {
    this.identity = identity
    this.invalidate()
  }

  /** Forgets what may be written and makes answers on their way be asked again. */
  invalidate(): void {
    this.changes += 1
    this.writable.clear()
  }

  /** Counts the changes after which an answer on its way is stale. */
  get epoch(): number {
    return this.changes
  }

  mayRead(extension: Extension): boolean {
    return this.readable.has(extension)
  }

  /** Whether anything at all may be read: without that nobody joins. */
  mayJoin(): boolean {
    return this.readable.size > 0
  }

  /**
   * Asks the policies what may be read. True when something that could be read before no longer can.
   * Throws when the database cannot be asked.
   */
  async evaluate(): Promise<boolean> {
    const before = this.readable
    this.readable = await this.settled(() => this.rights.readable(this.identity, this.topic, [...this.asked]))
    return [...before].some((extension) => !this.readable.has(extension))
  }

  /**
   * Whether `extension` may be written: at once when that is known, else after asking the policies.
   * The promise rejects when the database cannot be asked.
   */
  mayWrite(extension: Extension): boolean | Promise<boolean> {
    const known = this.writable.get(extension)
    if (known !== undefined) return known
    return this.settled(() => this.rights.writable(this.identity, this.topic, extension)).then((allowed) => {
      this.writable.set(extension, allowed)
      return allowed
    })
  }

  /** Asks until no change came between question and answer. */
  private async settled<T>(ask: () => Promise<T>): Promise<T> {
    for (;;) {
      const { epoch } = this
      const answer = await ask()
      if (epoch === this.epoch) return answer
    }
  }
}
