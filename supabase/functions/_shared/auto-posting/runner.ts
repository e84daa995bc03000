import type { AutoPreview } from '../contract/auto-posting.ts'
import type { Caller } from '../http/caller.ts'
import { ApiError } from '../http/errors.ts'
import { log } from '../http/log.ts'
import { asUser } from '../http/run-as.ts'
import { forEachConcurrently } from '../jobs/for-each-concurrently.ts'
import { keyMissing, readUsableKey } from './ai-key.ts'
import {
  type Batch,
  executeRun,
  internalErrorDetail,
  type RunResult,
  runTimeLimitMs,
  skippedRun,
} from './run.ts'
import {
  claimSlots,
  type RunKind,
  readActiveCreators,
  readRules,
  releaseSlot,
  type Slot,
} from './run-queries.ts'

/** Maximum number of parallel runs. The provider limits requests per minute, and the database limits connections. */
const concurrency = 4
/** Maximum number of slots per job run. The next job run, five minutes later, continues with the rest. */
const maxSlots = 20
/**
 * After this time a job run claims no more slots, so that it responds within the 150 s limit of a hosted function even
 * if the last runs use all of their time.
 */
const jobTimeLimitMs = 90_000
/** A run in a round (`runRound`) starts only if at least this much time is left. */
const minRunMs = 10_000
const maxCreatorsPerRound = 1000

/** Reads the key and the rules for a batch of runs. Returns null if there is no usable key. */
async function openBatch(now: () => Date, evenIfKeyRejected: boolean): Promise<Batch | null> {
  const [key, rules] = await Promise.all([readUsableKey(evenIfKeyRejected), readRules()])
  return key && { key, rules, now, haltedBy: null }
}

/** The number of slots that ended with each outcome. */
export type OutcomeCounts = Record<
  'published' | 'drafted' | 'refused' | 'failed' | 'lost' | 'skipped',
  number
>

/**
 * Writes the posts that are due. Several workers may do this at the same time: each slot can be claimed by only one of
 * them.
 *
 * @param startedAt the current time. Later times are derived from it with a monotonic clock, so changes to the system
 *   clock have no effect
 * @throws ApiError 409 if the key cannot be decrypted
 */
export async function runDueSlots(startedAt: Date): Promise<OutcomeCounts> {
  const start = performance.now()
  const counts: OutcomeCounts = { published: 0, drafted: 0, refused: 0, failed: 0, lost: 0, skipped: 0 }
  const batch = await openBatch(() => new Date(startedAt.getTime() + performance.now() - start), false)
  // Without a key, no slots are claimed. Slots that remain unclaimed for 3 hours are later marked as missed.
  if (!batch) return counts
  for (
    let slotCount = 0;
    slotCount < maxSlots && !batch.haltedBy && performance.now() - start < jobTimeLimitMs;
  ) {
    const claimed = await claimSlots(batch.now(), Math.min(concurrency, maxSlots - slotCount))
    if (claimed.length === 0) break
    slotCount += claimed.length
    const results = await Promise.all(
      claimed.map(({ userId, slot }) =>
        runSafely(batch, userId, 'slot', performance.now() + runTimeLimitMs, slot),
      ),
    )
    for (const { outcome } of results) counts[outcome === 'previewed' ? 'skipped' : outcome]++
  }
  return counts
}

/** Executes a run. An internal error fails only this run. */
async function runSafely(
  batch: Batch,
  userId: string,
  kind: RunKind,
  deadline: number,
  slot: Slot | null = null,
): Promise<RunResult> {
  try {
    return await executeRun(batch, userId, kind, deadline, slot)
  } catch (error) {
    const name = error instanceof Error ? error.name : 'unknown'
    log('error', 'auto_run_failed', { userId, kind, error: name })
    // If releasing fails too, the slot can be claimed again when its lease expires.
    if (slot) {
      await releaseSlot(userId, slot, batch.now(), { retry: true }).catch(() =>
        log('warn', 'auto_slot_release_failed', { userId }),
      )
    }
    return { ...skippedRun(userId, internalErrorDetail), outcome: 'failed' }
  }
}

/**
 * Writes a post now for every creator who agreed to auto-posting and for whom it is on, up to `maxCreatorsPerRound`,
 * regardless of their schedule but within the daily limits. When the time runs out, or after an error that would make
 * every other run fail too, the remaining creators are skipped.
 *
 * @throws ApiError 409 `ai_key_missing`, or if the key cannot be decrypted
 */
export async function runRound(): Promise<
  Pick<RunResult, 'userId' | 'outcome' | 'postId' | 'draftId' | 'detail'>[]
> {
  const deadline = performance.now() + runTimeLimitMs
  const batch = await openBatch(() => new Date(), true)
  if (!batch) throw keyMissing()
  const creators = await readActiveCreators(maxCreatorsPerRound)
  const results = new Map<string, RunResult>()
  await forEachConcurrently(creators, concurrency, async (userId) => {
    if (batch.haltedBy || deadline - performance.now() < minRunMs) return
    results.set(userId, await runSafely(batch, userId, 'test', deadline))
  })
  const skippedDetail = batch.haltedBy?.message ?? 'There was no time left in this round.'
  return creators.map((userId) => results.get(userId) ?? skippedRun(userId, skippedDetail))
}

/**
 * Checks that the caller may write a sample post for the user.
 *
 * @throws ApiError 403 if the caller is not an admin, or the user is an admin or not a creator; 404 if there is
 *   no such user
 */
async function requireCanPreview(caller: Caller, userId: string): Promise<void> {
  const [, [profile]] = await asUser(caller, (tx) => [
    tx`select private.require_manageable(${userId}::text::uuid)`,
    tx<{ isCreator: boolean }[]>`
      select p.is_creator as "isCreator" from public.profiles p where p.id = ${userId}::text::uuid`,
  ])
  if (!profile?.isCreator)
    throw new ApiError(403, 'Auto-posting is for creators only.', { code: 'creators_only' })
}

/**
 * Writes a sample post for a creator. The post is not published, but the run is recorded like any other.
 *
 * @throws ApiError 403 if the caller is not an admin, or the user is an admin or not a creator; 404 if there is
 *   no such user; 409 if there is no key, the key cannot be decrypted, the provider rejected it, or the daily cost
 *   limit is reached; 502 if no response was usable; 503 if the provider failed
 */
export async function previewPost(caller: Caller, userId: string): Promise<AutoPreview> {
  await requireCanPreview(caller, userId)
  const deadline = performance.now() + runTimeLimitMs
  const batch = await openBatch(() => new Date(), true)
  if (!batch) throw keyMissing()
  const result = await executeRun(batch, userId, 'preview', deadline)
  const { content, costMicros, basedOn, outcome } = result
  if (content !== null && outcome === 'previewed') {
    return { content, model: batch.rules.model, cost: costMicros / 1_000_000, basedOn }
  }
  throw previewError(result)
}

function previewError({ detail, refusal, error, outcome }: RunResult): ApiError {
  const message = detail ?? 'No post was written.'
  if (refusal) return new ApiError(409, message, { code: 'cost_cap_reached' })
  if (error?.isKeyRejected) return new ApiError(409, message, { code: 'ai_key_refused' })
  if (outcome === 'refused') {
    return new ApiError(502, `The AI did not write a usable post. ${message}`, { code: 'ai_answer_unusable' })
  }
  return new ApiError(503, message, { code: 'ai_unavailable' })
}
