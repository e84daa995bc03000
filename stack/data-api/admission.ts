import { RateLimiter, RefusalDelay } from '../shared/rate-limiter.ts'

/** Who sent a request. For a user, `id` begins with the user's ID. For a visitor, it is the visitor's network. */
export interface Caller {
  kind: 'visitor' | 'user'
  id: string
}

export const visitor = (network: string): Caller => ({ kind: 'visitor', id: network })

/**
 * Returns the caller for a user. All personal access tokens of a user share one caller, so that creating more tokens
 * does not raise the limits. The user's browser sessions are a separate caller.
 *
 * @param claims the claims in the request's JWT
 */
export function user(id: string, claims?: unknown): Caller {
  const hasToken = typeof claims === 'object' && claims !== null && 'token_scopes' in claims
  return { kind: 'user', id: hasToken ? `${id} access tokens` : id }
}

export interface AdmissionLimits {
  /** How many requests may run at the same time, per kind of caller. */
  running: Record<Caller['kind'], number>
  runningPerCaller: number
  /** How many requests may wait for a free slot, per kind of caller. */
  waiting: number
  waitingPerCaller: number
  maxWaitMs: number
  /** A request counts as at least this many milliseconds of running time: even a rejected one has to be parsed. */
  minRequestMs: number
  /** How many milliseconds of running time one caller gets per second, and how many it can accumulate. */
  callerTime: Record<Caller['kind'], TimeLimit>
  /** The same limits for all callers of a kind together. */
  totalTime: Record<Caller['kind'], TimeLimit>
}

interface TimeLimit {
  perSecond: number
  burst: number
}

/**
 * Returns the limits for a machine with this many cores. The Data API may use about `percent` of each core's time:
 * users two thirds of that, visitors one third. A single caller may use at most the share of its kind on one core.
 */
export const admissionLimits = (cores: number, percent: number): AdmissionLimits => ({
  running: { visitor: 2, user: 6 },
  runningPerCaller: 4,
  waiting: 64,
  waitingPerCaller: 16,
  maxWaitMs: 2000,
  minRequestMs: 2,
  callerTime: { visitor: timeLimit(percent / 3, 100), user: timeLimit((percent / 3) * 2, 100) },
  totalTime: {
    visitor: timeLimit((percent / 3) * cores, 100 / cores),
    user: timeLimit((percent / 3) * 2 * cores, 200 / cores),
  },
})

/** Allows `percent` of a core's time. Unused time accumulates for up to `seconds`. */
const timeLimit = (percent: number, seconds: number): TimeLimit => ({
  perSecond: percent * 10,
  burst: percent * 10 * seconds,
})

/**
 * Why a request may not run: the caller or all callers of its kind together have used up their time, or the Data API is
 * busy.
 */
export type Refusal = 'rate_limited' | 'busy'

/** Decides which requests may run, so that no caller slows down the others or the rest of the platform. */
export class Admission {
  readonly #callerTime: Record<Caller['kind'], RateLimiter>
  readonly #totalTime: Record<Caller['kind'], RateLimiter>
  readonly #slots: Record<Caller['kind'], Slots>
  readonly #callerSlots = new Map<string, Slots>()

  /** @param isTimeLimited false if rate limits are off */
  constructor(
    private readonly limits: AdmissionLimits,
    private readonly isTimeLimited: boolean,
    private readonly refusalDelay = new RefusalDelay(),
  ) {
    const { callerTime, totalTime, running, waiting } = limits
    const createLimiter = ({ perSecond, burst }: TimeLimit) => new RateLimiter(perSecond, burst)
    this.#callerTime = { visitor: createLimiter(callerTime.visitor), user: createLimiter(callerTime.user) }
    this.#totalTime = { visitor: createLimiter(totalTime.visitor), user: createLimiter(totalTime.user) }
    this.#slots = {
      visitor: new Slots(running.visitor, waiting),
      user: new Slots(running.user, waiting),
    }
  }

  /**
   * Waits until a request may run.
   *
   * @returns a function to call once when the request has ended, or why it may not run
   */
  async enter({ kind, id }: Caller, signal: AbortSignal): Promise<(() => void) | Refusal> {
    if (signal.aborted) return 'busy'
    if (this.isTimeLimited && !(this.#callerTime[kind].take(id, 0) && this.#totalTime[kind].take(kind, 0))) {
      await this.refusalDelay.wait(signal)
      return 'rate_limited'
    }
    const { runningPerCaller, waitingPerCaller, maxWaitMs } = this.limits
    const ownSlots = this.#callerSlots.get(id) ?? new Slots(runningPerCaller, waitingPerCaller)
    this.#callerSlots.set(id, ownSlots)
    const releaseOwnSlot = () => {
      ownSlots.release()
      if (ownSlots.isUnused) this.#callerSlots.delete(id)
    }
    // Not `AbortSignal.timeout`: Node.js, in which the tests run, can garbage-collect such a signal before it fires if
    // it is passed to `AbortSignal.any` (nodejs/node#57736).
    const timeout = new AbortController()
    const timer = setTimeout(() => timeout.abort(), maxWaitMs)
    try {
      const waitSignal = AbortSignal.any([signal, timeout.signal])
      if (!(await ownSlots.take(waitSignal))) return 'busy'
      if (!(await this.#slots[kind].take(waitSignal))) {
        releaseOwnSlot()
        return 'busy'
      }
    } finally {
      clearTimeout(timer)
    }
    const startedAt = performance.now()
    return () => {
      const elapsedMs = Math.max(performance.now() - startedAt, this.limits.minRequestMs)
      this.#callerTime[kind].spend(id, elapsedMs)
      this.#totalTime[kind].spend(kind, elapsedMs)
      this.#slots[kind].release()
      releaseOwnSlot()
    }
  }
}

/** A semaphore with a bounded queue. */
class Slots {
  #used = 0
  readonly #queue = new Set<() => void>()

  constructor(
    private readonly size: number,
    private readonly maxWaiting: number,
  ) {}

  get isUnused(): boolean {
    return this.#used === 0 && this.#queue.size === 0
  }

  /** Returns true once the caller has a slot, or false if the signal aborts first or the queue is full. */
  async take(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false
    if (this.#used < this.size) {
      this.#used++
      return true
    }
    if (this.#queue.size >= this.maxWaiting) return false
    return await new Promise((resolve) => {
      const onSlot = () => {
        signal.removeEventListener('abort', onAbort)
        resolve(true)
      }
      const onAbort = () => {
        this.#queue.delete(onSlot)
        resolve(false)
      }
      this.#queue.add(onSlot)
      signal.addEventListener('abort', onAbort, { once: true })
    })
  }

  /** Passes the slot to the request that has waited longest, or frees it. */
  release(): void {
    const [next] = this.#queue
    if (next) {
      this.#queue.delete(next)
      next()
    } else this.#used--
  }
}
