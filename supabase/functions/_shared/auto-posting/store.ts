import { z } from 'zod'
import { asService } from '../db/run.ts'
import type { Material } from './prompt.ts'
import type { Used } from './provider.ts'
import type { Written } from './write.ts'

/** A slot that a worker holds. */
export type Slot = { day: string; nth: number; token: string }
/** Why a run may not begin. */
export type Refusal = 'not_wanted' | 'slot_taken' | 'cost_cap' | 'post_cap' | 'creator_cap' | 'busy'
export type RunKind = 'slot' | 'test' | 'preview'
/** What became of a run. */
export type Ended = { outcome: string; postId: string | null; draftId: string | null; detail: string | null }

const Rules = z.object({
  model: z.string().min(1),
  inputPrice: z.number().min(0),
  outputPrice: z.number().min(0),
  bannedWords: z.array(z.string()),
})
export type Rules = z.infer<typeof Rules>

const why = 'a program that writes in somebody’s name has no session of theirs'

/** What the program goes by, as admins set it. */
export async function readRules(): Promise<Rules> {
  const [row] = await asService(
    why,
    (tx) => tx<{ rules: string }[]>`select private.auto_rules()::text as rules`,
  )
  return Rules.parse(JSON.parse(row?.rules ?? 'null'))
}

const MaterialRow = z.object({
  name: z.string(),
  bio: z.string().nullable(),
  posts: z.array(z.string()),
  recent: z.array(z.string()),
})

/** What may be told of a person; null when they have not agreed, or are gone. */
export async function readMaterial(person: string): Promise<Material | null> {
  const [row] = await asService(
    why,
    (tx) =>
      tx<
        { material: string | null }[]
      >`select private.auto_material(${person}::text::uuid)::text as material`,
  )
  return row?.material ? MaterialRow.parse(JSON.parse(row.material)) : null
}

/** Up to `most` slots that are due at `at`, held for the time of a lease. */
export async function claimSlots(at: Date, most: number): Promise<{ person: string; slot: Slot }[]> {
  const rows = await asService(
    why,
    (tx) => tx<{ person: string; day: string; nth: number; token: string }[]>`
      select person::text as person, slot_day::text as day, slot_nth::integer as nth, slot_token::text as token
      from private.claim_auto_slots(${at.toISOString()}::text::timestamptz, ${most}::integer)`,
  )
  return rows.map(({ person, ...slot }) => ({ person, slot }))
}

/**
 * Gives a held slot up, or with `again` puts it off for a while.
 *
 * @param tried false: it only had to wait, so that it keeps all its tries
 */
export async function releaseSlot(
  person: string,
  { day, nth, token }: Slot,
  at: Date,
  again: boolean,
  tried = true,
) {
  await asService(
    why,
    (
      tx,
    ) => tx`select private.release_auto_slot(${person}::text::uuid, ${day}::text::date, ${nth}::integer::smallint,
      ${token}::text::uuid, ${at.toISOString()}::text::timestamptz, ${again}::boolean, ${tried}::boolean)`,
  )
}

/** Whom a round is for that does not wait for slots. */
export async function readPosters(most: number): Promise<string[]> {
  const rows = await asService(
    why,
    (tx) =>
      tx<
        { person: string }[]
      >`select person::text as person from private.auto_posters(${most}::integer) person`,
  )
  return rows.map(({ person }) => person)
}

type Beginning = {
  person: string
  kind: RunKind
  at: Date
  model: string
  /** Millionths of a US dollar that it costs at most. */
  keepAside: number
  slot: Slot | null
}

/** Begins a run: its id, or why it may not be. */
export async function beginRun({ person, kind, at, model, keepAside, slot }: Beginning) {
  const [row] = await asService(
    why,
    (tx) => tx<{ run: string | null; refusal: Refusal | null }[]>`
      select run::text as run, refusal from private.begin_auto_run(
        ${person}::text::uuid, ${kind}::text, ${at.toISOString()}::text::timestamptz, ${model}::text,
        ${keepAside}::bigint, ${slot?.day ?? null}::text::date, ${slot?.nth ?? null}::integer::smallint,
        ${slot?.token ?? null}::text::uuid)`,
  )
  return { run: row?.run ?? null, refusal: row?.refusal ?? null }
}

type Ending = {
  run: string
  person: string
  written: Written
  used: Used
  at: Date
  slot: Slot | null
  cameTo: string
}

/**
 * Ends a run, publishing what was written or keeping it as a draft in the same moment. A slot of which
 * nothing came is put off for a while where the provider failed, three times at most, and else given up.
 */
export async function endRun({ run, person, written, used, at, slot, cameTo }: Ending): Promise<Ended> {
  const { content, detail, prompt, answer } = written
  const record = JSON.stringify({ ...used, prompt, answer })
  const time = at.toISOString()
  const [, , [row]] = await asService(why, (tx) => [
    tx`select private.end_auto_run(${run}::text::uuid, ${cameTo}::text, ${detail}::text, ${content}::text,
      ${record}::text::jsonb, ${time}::text::timestamptz, ${slot?.token ?? null}::text::uuid)`,
    tx`select private.release_auto_slot(${person}::text::uuid, ${slot?.day ?? null}::text::date,
        ${slot?.nth ?? null}::integer::smallint, ${slot?.token ?? null}::text::uuid, ${time}::text::timestamptz,
        ${written.outcome === 'failed'}::boolean)
      where ${slot !== null && content === null}::boolean`,
    tx<Ended[]>`
      select r.outcome, r.post_id::text as "postId", r.draft_id::text as "draftId", r.detail
      from public.auto_runs r where r.id = ${run}::text::uuid`,
  ])
  // The person went meanwhile, and their runs with them.
  return row ?? { outcome: 'lost', postId: null, draftId: null, detail: 'The account is gone.' }
}
