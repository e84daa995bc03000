import { z } from 'zod'
import type { UserStorage } from '@/lib/storage'
import { uuidTime, uuidv7 } from '@/lib/uuid'

/** Milliseconds in which a tip without an answer is the same one when it is sent again. */
const keptFor = 10 * 60_000
const Kept = z.object({ said: z.string(), id: z.string() })

const nameOf = (to: { creatorId: string; postId: string | undefined }) =>
  `tip:${to.creatorId}:${to.postId ?? ''}`

/**
 * The id of a tip that is about to be sent: that of the same one (to the same creator, for the same post, the same
 * `said`) that has no answer yet, from any tab of this browser and before any reload, or else a new one. The server
 * takes the money of an id once.
 */
export function getOrCreateTipId(
  kept: UserStorage,
  to: { creatorId: string; postId: string | undefined },
  said: string,
): string {
  const last = read(kept.get(nameOf(to)))
  if (last?.said === said && Date.now() - uuidTime(last.id) < keptFor) return last.id
  const id = uuidv7()
  kept.set(nameOf(to), JSON.stringify({ said, id }))
  return id
}

/** The server has answered: the same tip sent again is another one. */
export function clearTipId(
  kept: UserStorage,
  to: { creatorId: string; postId: string | undefined },
  id: string,
): void {
  if (read(kept.get(nameOf(to)))?.id === id) kept.remove(nameOf(to))
}

function read(text: string | null): z.infer<typeof Kept> | undefined {
  try {
    return Kept.safeParse(JSON.parse(text ?? 'null')).data
  } catch {
    return undefined
  }
}
