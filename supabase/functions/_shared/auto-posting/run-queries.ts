import { z } from 'zod'
import { asService } from '../http/run-as.ts'
import type { CreatorContext } from './prompt.ts'
import type { Usage } from './provider.ts'
import type { WriteResult } from './write-post.ts'

// These queries run as the service role: the job that writes for a creator does not have their session.

/**
 * A slot (a time at which a creator's post is due) that this worker has claimed. `nth` is its number among the
 * creator's slots on that day, starting at 1.
 */
export type Slot = { day: string; nth: number; token: string }
/** Why a run may not begin. */
export type Refusal = 'not_wanted' | 'slot_taken' | 'cost_cap' | 'post_cap' | 'creator_cap' | 'busy'
/** Whether a run is for a slot, for a round that an admin starts (`test`), or for a preview. */
export type RunKind = 'slot' | 'test' | 'preview'
type EndedRun = { outcome: string; postId: string | null; draftId: string | null; detail: string | null }

const Rules = z.object({
  model: z.string().min(1),
  inputPrice: z.number().min(0),
  outputPrice: z.number().min(0),
  bannedWords: z.array(z.string()),
})
export type Rules = z.infer<typeof Rules>

/** Returns the model, prices and banned words that admins configured. */
export async function readRules(): Promise<Rules> {
  const [row] = await asService(
    (tx) => tx<{ rules: string }[]>`select private.auto_posting_rules()::text as rules`,
  )
  return Rules.parse(JSON.parse(row?.rules ?? 'null'))
}

const CreatorContextRow = z.object({
  name: z.string(),
  bio: z.string().nullable(),
  posts: z.array(z.string()),
  recent: z.array(z.string()),
})

/**
 * Returns the data about a creator that auto-posting may use. Returns null if the creator has not agreed or their
 * account was deleted.
 */
export async function readCreatorContext(userId: string): Promise<CreatorContext | null> {
  const [row] = await asService(
    (tx) => tx<{ context: string | null }[]>`
      select private.auto_posting_context(${userId}::text::uuid)::text as context`,
  )
  return row?.context ? CreatorContextRow.parse(JSON.parse(row.context)) : null
}

/** Claims up to `limit` slots that are due at `now`, each for the duration of a lease. */
export async function claimSlots(now: Date, limit: number): Promise<{ userId: string; slot: Slot }[]> {
  const rows = await asService(
    (tx) => tx<{ userId: string; day: string; nth: number; token: string }[]>`
      select creator_id::text as "userId", slot_day::text as day, slot_nth::integer as nth, slot_token::text as token
      from private.claim_auto_slots(${now.toISOString()}::text::timestamptz, ${limit}::integer)`,
  )
  return rows.map(({ userId, ...slot }) => ({ userId, slot }))
}

/**
 * Releases a claimed slot.
 *
 * @param retry whether to try the slot again later if it has tries left; otherwise the slot fails
 * @param countsAsTry false if the slot only had to wait, which does not use up one of its three tries
 */
export async function releaseSlot(
  userId: string,
  { day, nth, token }: Slot,
  now: Date,
  { retry, countsAsTry = true }: { retry: boolean; countsAsTry?: boolean },
): Promise<void> {
  await asService(
    (tx) => tx`
      select private.release_auto_slot(${userId}::text::uuid, ${day}::text::date, ${nth}::integer::smallint,
        ${token}::text::uuid, ${now.toISOString()}::text::timestamptz, ${retry}::boolean, ${countsAsTry}::boolean)`,
  )
}

/**
 * Returns the creators who agreed to auto-posting and for whom it is on: first those without any auto-post, then those
 * whose last auto-post is the oldest.
 */
export async function readActiveCreators(limit: number): Promise<string[]> {
  const rows = await asService(
    (tx) => tx<{ userId: string }[]>`
      select creator_id::text as "userId" from private.auto_posting_users(${limit}::integer) creator_id`,
  )
  return rows.map(({ userId }) => userId)
}

type NewRun = {
  userId: string
  kind: RunKind
  now: Date
  model: string
  /**
   * The most that the run may cost, in millionths of a US dollar. This amount counts against the daily limit until the
   * run ends.
   */
  reservedCostMicros: number
  slot: Slot | null
}

/** Begins a run. Returns its id, or why it may not begin. */
export async function beginRun({ userId, kind, now, model, reservedCostMicros, slot }: NewRun) {
  const [row] = await asService(
    (tx) => tx<{ run: string | null; refusal: Refusal | null }[]>`
      select run_id::text as run, refusal from private.begin_auto_run(
        ${userId}::text::uuid, ${kind}::text, ${now.toISOString()}::text::timestamptz, ${model}::text,
        ${reservedCostMicros}::bigint, ${slot?.day ?? null}::text::date, ${slot?.nth ?? null}::integer::smallint,
        ${slot?.token ?? null}::text::uuid)`,
  )
  return { run: row?.run ?? null, refusal: row?.refusal ?? null }
}

type FinishedRun = {
  run: string
  userId: string
  written: WriteResult
  used: Usage
  now: Date
  slot: Slot | null
  outcome: string
}

/**
 * Ends a run and, in the same transaction, publishes its text or stores it as a draft, unless the run is a preview. If
 * the run failed, its slot is retried later, up to three tries in all. If the checks rejected the text, the slot fails.
 */
export async function endRun({
  run,
  userId,
  written,
  used,
  now,
  slot,
  outcome,
}: FinishedRun): Promise<EndedRun> {
  const { content, detail, prompt, answer } = written
  const record = JSON.stringify({ ...used, prompt, answer })
  const endedAt = now.toISOString()
  const [, , [row]] = await asService((tx) => [
    tx`select private.end_auto_run(${run}::text::uuid, ${outcome}::text, ${detail}::text, ${content}::text,
      ${record}::text::jsonb, ${endedAt}::text::timestamptz, ${slot?.token ?? null}::text::uuid)`,
    tx`select private.release_auto_slot(${userId}::text::uuid, ${slot?.day ?? null}::text::date,
        ${slot?.nth ?? null}::integer::smallint, ${slot?.token ?? null}::text::uuid, ${endedAt}::text::timestamptz,
        ${written.outcome === 'failed'}::boolean)
      where ${slot !== null && content === null}::boolean`,
    tx<EndedRun[]>`
      select r.outcome, r.post_id::text as "postId", r.draft_id::text as "draftId", r.detail
      from public.auto_post_runs r where r.id = ${run}::text::uuid`,
  ])
  // There is no row if the account was deleted in the meantime, and its runs with it.
  return row ?? { outcome: 'lost', postId: null, draftId: null, detail: 'The account was deleted.' }
}
