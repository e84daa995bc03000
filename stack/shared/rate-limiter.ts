import { setTimeout as delay } from 'node:timers/promises'

/**
 * A token bucket, which allows `perSecond` events on average and bursts of up to `burst` events. The bucket is refilled
 * when it is used, so an idle client costs nothing.
 */
export class TokenBucket {
  private tokens: number
  private refilledAt = performance.now()

  constructor(
    private readonly perSecond: number,
    private readonly burst = perSecond,
  ) {
    this.tokens = burst
  }

  /** Takes `count` tokens. If there are not enough, takes none and returns false. */
  take(count = 1): boolean {
    const now = performance.now()
    this.tokens = Math.min(this.burst, this.tokens + ((now - this.refilledAt) / 1000) * this.perSecond)
    this.refilledAt = now
    if (this.tokens < count) return false
    this.tokens -= count
    return true
  }

  /**
   * Takes `count` tokens even if there are not enough. `take` then returns false until the debt is repaid.
   *
   * @param maxDebt the largest debt that this call may leave, so that many calls do not lock a client out for long
   */
  spend(count: number, maxDebt = Number.POSITIVE_INFINITY): void {
    this.take(0)
    this.tokens = Math.min(this.tokens, Math.max(this.tokens - count, -maxDebt))
  }
}

const maxCallers = 10_000

/** One token bucket per caller. When there are too many, the least recently used one is evicted. */
export class RateLimiter {
  private readonly buckets = new Map<string, TokenBucket>()

  constructor(
    private readonly perSecond: number,
    private readonly burst = perSecond,
  ) {}

  /** Takes `count` tokens from the bucket of `caller`. If there are not enough, takes none and returns false. */
  take(caller: string, count = 1): boolean {
    return this.burst === Number.POSITIVE_INFINITY || this.bucketOf(caller).take(count)
  }

  /** Takes `count` tokens from the bucket of `caller`, even if there are not enough. See `TokenBucket.spend`. */
  spend(caller: string, count: number, maxDebt?: number): void {
    this.bucketOf(caller).spend(count, maxDebt)
  }

  private bucketOf(caller: string): TokenBucket {
    const bucket = this.buckets.get(caller) ?? new TokenBucket(this.perSecond, this.burst)
    this.buckets.delete(caller)
    this.buckets.set(caller, bucket)
    if (this.buckets.size > maxCallers) {
      const oldest = this.buckets.keys().next()
      if (!oldest.done) this.buckets.delete(oldest.value)
    }
    return bucket
  }
}

/**
 * Holds back responses to callers who are over a limit, which slows down a flood of requests. At most `maxHeld`
 * responses are held back at the same time. Further ones are sent immediately.
 */
export class RefusalDelay {
  #held = 0

  constructor(
    private readonly delayMs = 1000,
    private readonly maxHeld = 1000,
  ) {}

  /** Waits until the response may be sent, or the client disconnects. */
  async wait(signal: AbortSignal): Promise<void> {
    if (this.#held >= this.maxHeld) return
    this.#held += 1
    await delay(this.delayMs, undefined, { signal }).catch(() => undefined)
    this.#held -= 1
  }
}
