import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import {
  Admission,
  type AdmissionLimits,
  type Caller,
  user,
  visitor,
} from '../../stack/data-api/admission.ts'
import { RateLimiter, RefusalDelay } from '../../stack/shared/rate-limiter.ts'
import { keepCollectingGarbage } from '../support/garbage.ts'

const limits: AdmissionLimits = {
  running: { visitor: 2, user: 3 },
  runningPerCaller: 2,
  waiting: 2,
  waitingPerCaller: 1,
  maxWaitMs: 1000,
  minRequestMs: 0,
  callerTime: { visitor: { perSecond: 100, burst: 500 }, user: { perSecond: 100, burst: 500 } },
  totalTime: { visitor: { perSecond: 200, burst: 5000 }, user: { perSecond: 200, burst: 5000 } },
}
const createAdmission = () => new Admission(limits, true, new RefusalDelay(1))
const neverAborted = new AbortController().signal

/** Waits until the caller is admitted, and returns a function that ends the request. */
async function enter(admission: Admission, caller: Caller): Promise<() => void> {
  const leave = await admission.enter(caller, neverAborted)
  if (typeof leave === 'string') throw new Error(leave)
  return leave
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('admission to the Data API', () => {
  test('counts a user’s access tokens together, but separately from the user’s sessions', () => {
    const claims = (id: string) => ({ sub: 'a', session_id: id, token_scopes: ['read'] })
    expect(user('a', claims('first'))).toEqual(user('a', claims('second')))
    const { id } = user('a', { sub: 'a', session_id: 'x' })
    expect([id, user('a').id]).toEqual(['a', 'a'])
    expect(user('a', claims('first')).id).not.toBe(id)
  })

  test('lets a caller run two requests, queues a third and refuses a fourth', async () => {
    const admission = createAdmission()
    const leaves = [await enter(admission, user('a')), await enter(admission, user('a'))]
    const third = enter(admission, user('a'))
    expect(await admission.enter(user('a'), neverAborted)).toBe('busy')
    leaves[0]?.()
    await third
  })

  test('keeps slots free for users while visitors use all of theirs', async () => {
    const admission = createAdmission()
    for (const id of ['a', 'b']) await enter(admission, visitor(id))
    const waiting = ['c', 'd'].map((id) => enter(admission, visitor(id)))
    expect(await admission.enter(visitor('e'), neverAborted)).toBe('busy')
    await enter(admission, user('f'))
    for (const wait of waiting) await expect(wait).rejects.toThrow('busy')
  })

  test('refuses a request that has waited too long, even if garbage is collected while it waits', async () => {
    const admission = createAdmission()
    for (const id of ['a', 'b']) await enter(admission, visitor(id))
    const stopCollecting = keepCollectingGarbage()
    try {
      expect(await admission.enter(visitor('c'), neverAborted)).toBe('busy')
    } finally {
      stopCollecting()
    }
  }, 5000)

  test('refuses a request whose client disconnects, and frees its place in the queue', async () => {
    const admission = createAdmission()
    const leaves = await Promise.all(['a', 'b'].map((id) => enter(admission, visitor(id))))
    const client = new AbortController()
    const waiting = admission.enter(visitor('c'), client.signal)
    client.abort()
    expect(await waiting).toBe('busy')
    for (const leave of leaves) leave()
    await enter(admission, visitor('c'))
  })

  test('refuses only the caller who has used up their time, until some time has been refilled', async () => {
    const admission = createAdmission()
    const leave = await enter(admission, user('a'))
    vi.advanceTimersByTime(1000)
    leave()
    expect(await admission.enter(user('a'), neverAborted)).toBe('rate_limited')
    ;(await enter(admission, user('b')))()
    // The debt is 500 ms, and 100 ms are refilled per second.
    vi.advanceTimersByTime(4900)
    expect(await admission.enter(user('a'), neverAborted)).toBe('rate_limited')
    vi.advanceTimersByTime(200)
    await enter(admission, user('a'))
  })

  test('charges a caller for each of the requests that ran at the same time', async () => {
    const admission = createAdmission()
    const leaves = [await enter(admission, user('a')), await enter(admission, user('a'))]
    vi.advanceTimersByTime(1000)
    leaves[0]?.()
    vi.advanceTimersByTime(10)
    leaves[1]?.()
    // Together, the two requests used about 2,000 ms. The debt is 1,500 ms, and 100 ms are refilled per second.
    vi.advanceTimersByTime(14_900)
    expect(await admission.enter(user('a'), neverAborted)).toBe('rate_limited')
    vi.advanceTimersByTime(300)
    await enter(admission, user('a'))
  })

  test('refuses every visitor when all visitors together have used up their time', async () => {
    const admission = new Admission(
      { ...limits, callerTime: { ...limits.callerTime, visitor: { perSecond: 0, burst: 10_000 } } },
      true,
      new RefusalDelay(1),
    )
    const leave = await enter(admission, visitor('a'))
    vi.advanceTimersByTime(6100)
    leave()
    expect(await admission.enter(visitor('b'), neverAborted)).toBe('rate_limited')
    await enter(admission, user('a'))
  })

  test('does not limit time if rate limits are off', async () => {
    const admission = new Admission(limits, false)
    const leave = await enter(admission, user('a'))
    vi.advanceTimersByTime(60_000)
    leave()
    await enter(admission, user('a'))
  })
})

describe('a rate limiter', () => {
  test('allows a burst, then its rate, per caller', () => {
    const limiter = new RateLimiter(2, 3)
    expect([1, 2, 3, 4].map(() => limiter.take('a'))).toEqual([true, true, true, false])
    expect(limiter.take('b')).toBe(true)
    vi.advanceTimersByTime(500)
    expect([1, 2].map(() => limiter.take('a'))).toEqual([true, false])
    vi.advanceTimersByTime(60_000)
    expect([1, 2, 3, 4].map(() => limiter.take('a'))).toEqual([true, true, true, false])
  })

  test('caps the debt at `maxDebt`, and never reduces an existing debt', () => {
    const limiter = new RateLimiter(10, 20)
    for (let call = 0; call < 50; call++) limiter.spend('a', 10, 10)
    vi.advanceTimersByTime(1000)
    expect(limiter.take('a', 0)).toBe(true)
    expect(limiter.take('a')).toBe(false)
    limiter.spend('a', 30)
    limiter.spend('a', 1, 1)
    vi.advanceTimersByTime(2900)
    expect(limiter.take('a', 0)).toBe(false)
    vi.advanceTimersByTime(200)
    expect(limiter.take('a', 0)).toBe(true)
  })
})
