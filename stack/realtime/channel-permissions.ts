/** Checks what the client of one channel may read and write, and caches the results. */
import type { Identity } from '../shared/authenticator.ts'
import type { ReplayRequest } from './join.ts'
import type { PermissionChecker } from './permission-checker.ts'
import type { StoredMessage } from './stored-message.ts'
import type { Extension } from './types.ts'

export class ChannelPermissions {
  private readonly checked = new Set<Extension>(['broadcast'])
  private readable = new Set<Extension>()
  private readonly writable = new Map<Extension, boolean>()
  private invalidations = 0

  constructor(
    private readonly checker: PermissionChecker,
    private readonly topic: string,
    public identity: Identity,
  ) {}

  /** Includes presence in later checks, which otherwise cover only broadcast. */
  includePresence(): void {
    this.checked.add('presence')
  }

  /** Returns whether checks include presence. */
  includesPresence(): boolean {
    return this.checked.has('presence')
  }

  /** Replaces the identity, and invalidates the cached permissions. */
  changeIdentity(identity: Identity): void {
    this.identity = identity
    this.invalidate()
  }

  /** Clears the cached write permissions. Checks that are in progress are repeated. */
  invalidate(): void {
    this.invalidations += 1
    this.writable.clear()
  }

  /** The number of invalidations so far. A check that began in an earlier epoch is stale. */
  get epoch(): number {
    return this.invalidations
  }

  canRead(extension: Extension): boolean {
    return this.readable.has(extension)
  }

  /** Returns whether the client may join, which requires permission to read at least one extension. */
  canJoin(): boolean {
    return this.readable.size > 0
  }

  /**
   * Checks what may be read.
   *
   * @returns whether a permission was lost
   * @throws Error when the database is not available
   */
  async evaluate(): Promise<boolean> {
    const before = this.readable
    this.readable = await this.repeatUntilCurrent(() =>
      this.checker.readableExtensions(this.identity, this.topic, [...this.checked]),
    )
    return [...before].some((extension) => !this.readable.has(extension))
  }

  /**
   * Returns whether `extension` may be written: synchronously if the result is cached, otherwise as a promise, which
   * rejects when the database is not available.
   */
  canWrite(extension: Extension): boolean | Promise<boolean> {
    const cached = this.writable.get(extension)
    if (cached !== undefined) return cached
    return this.repeatUntilCurrent(() => this.checker.canWrite(this.identity, this.topic, extension)).then(
      (allowed) => {
        this.writable.set(extension, allowed)
        return allowed
      },
    )
  }

  /** Returns the messages to replay. @throws Error when they cannot be read */
  replay(request: ReplayRequest): Promise<StoredMessage[]> {
    return this.checker.newestMessages(this.identity, this.topic, request)
  }

  /** Repeats a check if the permissions are invalidated while it runs. */
  private async repeatUntilCurrent<T>(check: () => Promise<T>): Promise<T> {
    for (;;) {
      const { epoch } = this
      const result = await check()
      if (epoch === this.epoch) return result
    }
  }
}
