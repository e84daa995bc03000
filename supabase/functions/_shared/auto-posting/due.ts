import { log } from '../http/log.ts'
import { keyMissing, workingKey } from './key.ts'
import { type Outcome, ourFault, type Round, runOne, runTime, skipped } from './run.ts'
import { claimSlots, type RunKind, readPosters, readRules, releaseSlot, type Slot } from './store.ts'

/** Runs that go on at once: the provider counts requests a minute, and the database its connections. */
const atOnce = 4
/** Slots of one turn at most. The next one, five minutes later, goes on. */
const mostSlots = 20
/** Milliseconds after which a turn takes no more: with the last runs it answers within the 150 s of a hosted function. */
const turnTime = 90_000
/** A run that is not given as long as this is not begun. */
const leastTime = 10_000
/** Creators of one round at most. */
const mostPosters = 1000

async function openRound(clock: () => Date, evenIfRefused: boolean): Promise<Round | null> {
  const [key, rules] = await Promise.all([workingKey(evenIfRefused), readRules()])
  return key && { key, rules, now: clock, halted: null }
}

/** How often each outcome came. */
export type Tally = Record<'published' | 'drafted' | 'refused' | 'failed' | 'lost' | 'skipped', number>

/**
 * Writes what is due. Several may run at once, on one machine or many: each slot is one worker's.
 *
 * @param at what the clock says: time goes on from there, as it is measured and not as the clock may be set
 * @throws ApiError 409 when the key cannot be read
 */
export async function runDue(at: Date): Promise<Tally> {
  const began = performance.now()
  const tally: Tally = { published: 0, drafted: 0, refused: 0, failed: 0, lost: 0, skipped: 0 }
  const round = await openRound(() => new Date(at.getTime() + performance.now() - began), false)
  // Slots are not even taken: those that come due until there is a key are missed.
  if (!round) return tally
  for (let taken = 0; taken < mostSlots && !round.halted && performance.now() - began < turnTime; ) {
    const claimed = await claimSlots(round.now(), Math.min(atOnce, mostSlots - taken))
    if (claimed.length === 0) break
    taken += claimed.length
    const outcomes = await Promise.all(
      claimed.map(({ person, slot }) => runSafely(round, person, 'slot', performance.now() + runTime, slot)),
    )
    for (const { outcome } of outcomes) tally[outcome === 'previewed' ? 'skipped' : outcome]++
  }
  return tally
}

/** A run whose fault is its own: it counts as a failed one, and those of others go on. */
async function runSafely(
  round: Round,
  person: string,
  kind: RunKind,
  deadline: number,
  slot: Slot | null = null,
): Promise<Outcome> {
  try {
    return await runOne(round, person, kind, deadline, slot)
  } catch (error) {
    const name = error instanceof Error ? error.name : 'unknown'
    log('error', 'auto_run_failed', { userId: person, kind, error: name })
    // Where that fails too, the slot is taken again once its lease is over.
    if (slot) {
      await releaseSlot(person, slot, round.now(), true).catch(() =>
        log('warn', 'auto_slot_not_released', { userId: person }),
      )
    }
    return { ...skipped(person, ourFault), outcome: 'failed' }
  }
}

/**
 * One round now, for everyone enabled and agreed: past the slots, within the caps. Whoever there was no time for, or
 * whom nothing could come of any more, is skipped.
 *
 * @throws ApiError 409 `ai_key_missing`, or when the key cannot be read
 */
export async function runRound(): Promise<
  Pick<Outcome, 'userId' | 'outcome' | 'postId' | 'draftId' | 'detail'>[]
> {
  const deadline = performance.now() + runTime
  const round = await openRound(() => new Date(), true)
  if (!round) throw keyMissing()
  const posters = await readPosters(mostPosters)
  const results = new Map<string, Outcome>()
  const waiting = posters.values()
  const work = async () => {
    for (const person of waiting) {
      if (round.halted || deadline - performance.now() < leastTime) return
      results.set(person, await runSafely(round, person, 'test', deadline))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  const rest = round.halted?.message ?? 'There was no time left in this round.'
  return posters.map((userId) => results.get(userId) ?? skipped(userId, rest))
}

/**
 * A draft for one person that is published nowhere.
 *
 * @throws ApiError 409 `ai_key_missing`
 */
export async function runPreview(userId: string): Promise<Outcome & { model: string }> {
  const deadline = performance.now() + runTime
  const round = await openRound(() => new Date(), true)
  if (!round) throw keyMissing()
  return { ...(await runOne(round, userId, 'preview', deadline)), model: round.rules.model }
}
