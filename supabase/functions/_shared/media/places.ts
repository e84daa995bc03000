import { ApiError, unavailable } from '../http/errors.ts'

/**
 * Pictures at the same time at most: of one account, from the first byte of a call on, and of everybody, once they have
 * arrived. How slowly somebody sends is nothing that others wait for.
 */
const most = { one: 4, all: 32 }

const taken = new Map<string, number>()
let arrived = 0

/** A place for one upload. */
type Place = {
  /**
   * The picture has arrived, and lies in memory.
   *
   * @throws ApiError 503 when too many of everybody's do
   */
  arrive(): void
  /** Gives the place back. */
  leave(): void
}

/**
 * Takes a place for one upload.
 *
 * @throws ApiError 429 when this account has enough of them under way
 */
export function takePlace(userId: string): Place {
  const own = taken.get(userId) ?? 0
  if (own >= most.one) {
    throw new ApiError(429, 'Too many requests. Please wait a moment and try again.', { retryAfter: 5 })
  }
  taken.set(userId, own + 1)
  let isHere = false
  return {
    arrive: () => {
      if (arrived >= most.all) throw unavailable(new Error('Too many pictures are taken in at once'))
      arrived += 1
      isHere = true
    },
    leave: () => {
      if (isHere) arrived -= 1
      const left = (taken.get(userId) ?? 1) - 1
      if (left > 0) taken.set(userId, left)
      else taken.delete(userId)
    },
  }
}
