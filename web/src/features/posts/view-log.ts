const hour = 60 * 60_000

/** Which posts were seen and are yet to be reported: each once in an hour by the clock, as the server counts them. */
export interface ViewLog {
  /** Notes that somebody saw a post, `now` in milliseconds since 1970. False where this hour knows of it already. */
  note(userId: string, postId: string, now: number): boolean
  /** Takes out what is to be reported, the earliest first, `most` at a time; they are not reported again. */
  take(most: number): string[]
  /** How many wait. */
  waiting(): number
}

export function createViewLog(): ViewLog {
  let owner: string | null = null
  let current = Number.NaN
  const seen = new Set<string>()
  const pending: string[] = []
  return {
    note(userId, postId, now) {
      // Somebody else signed in on the same page: what the one before saw is not theirs.
      if (userId !== owner) {
        owner = userId
        seen.clear()
        pending.length = 0
      }
      const thisHour = Math.floor(now / hour)
      if (thisHour !== current) {
        current = thisHour
        seen.clear()
      }
      if (seen.has(postId)) return false
      seen.add(postId)
      pending.push(postId)
      return true
    },
    take: (most) => pending.splice(0, most),
    waiting: () => pending.length,
  }
}

/** What an IntersectionObserver says of a post: how much of it is on the screen, and how high that is (pixels). */
export interface PostIntersection {
  intersectionRatio: number
  intersectionRect: { height: number }
  rootBounds: { height: number } | null
}

/** At least half of a post is on the screen, or, of one that is higher than two screens, it fills half of the screen. */
export function isPostVisible({
  intersectionRatio,
  intersectionRect,
  rootBounds,
}: PostIntersection): boolean {
  if (intersectionRatio >= 0.5) return true
  return rootBounds !== null && rootBounds.height > 0 && intersectionRect.height >= rootBounds.height / 2
}
