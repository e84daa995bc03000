import { ApiError, unavailable } from '../http/errors.ts'

/** Pictures that are taken in at the same time at most, by everybody and by one account: each lies in memory. */
const most = { all: 32, one: 4 }

const taken = new Map<string, number>()
let all = 0

/**
 * Takes a place for one upload.
 *
 * @returns gives the place back
 * @throws ApiError 429 when this account has enough of them under way, 503 when everybody together has
 */
export function takePlace(userId: string): () => void {
  const own = taken.get(userId) ?? 0
  if (own >= most.one) {
    throw new ApiError(429, 'Too many requests. Please wait a moment and try again.', { retryAfter: 5 })
  }
  if (all >= most.all) throw unavailable(new Error('Too many pictures are taken in at once'))
  taken.set(userId, own + 1)
  all += 1
  return () => {
    all -= 1
    const left = (taken.get(userId) ?? 1) - 1
    if (left > 0) taken.set(userId, left)
    else taken.delete(userId)
  }
}
