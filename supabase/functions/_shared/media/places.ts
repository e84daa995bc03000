import { ApiError, unavailable } from '../http/errors.ts'

/** What is taken in at the same time at most. */
type Most = {
  /** Pictures of one account, from the first byte of a call on. */
  one: number
  /** Pictures of everybody, once they have arrived. How slowly somebody sends is nothing that others wait for. */
  all: number
  /** Bytes of everybody's, from when they arrive until their picture is stored. */
  bytes: number
}

/** A place for one upload. */
type Place = {
  /**
   * So many more bytes of the picture have come in, and lie in memory.
   *
   * @throws ApiError 503 when too many of everybody's do
   */
  hold(bytes: number): void
  /**
   * The picture has arrived.
   *
   * @throws ApiError 503 when too many of everybody's have
   */
  arrive(): void
  /** Gives the place back, and the room. */
  leave(): void
}

/**
 * Places for uploads. What it gives takes one for an account.
 *
 * @throws ApiError 429 when the account has enough of them under way
 */
export function createPlaces(most: Most): (userId: string) => Place {
  const taken = new Map<string, number>()
  let arrived = 0
  let held = 0
  return (userId) => {
    const own = taken.get(userId) ?? 0
    if (own >= most.one) {
      throw new ApiError(429, 'Too many requests. Please wait a moment and try again.', { retryAfter: 5 })
    }
    taken.set(userId, own + 1)
    let isHere = false
    let ownBytes = 0
    return {
      hold: (bytes) => {
        if (held + bytes > most.bytes)
          throw unavailable(new Error('Too much of pictures is coming in at once'))
        held += bytes
        ownBytes += bytes
      },
      arrive: () => {
        if (arrived >= most.all) throw unavailable(new Error('Too many pictures are taken in at once'))
        arrived += 1
        isHere = true
      },
      leave: () => {
        held -= ownBytes
        if (isHere) arrived -= 1
        const left = (taken.get(userId) ?? 1) - 1
        if (left > 0) taken.set(userId, left)
        else taken.delete(userId)
      },
    }
  }
}

export const takePlace = createPlaces({ one: 4, all: 32, bytes: 512 * 1024 * 1024 })
