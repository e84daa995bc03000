import { limits } from '../contract/limits.ts'
import type { Decision } from '../contract/moderation.ts'
import { keyOf, type PageRow, type Range, sql, toPage, window } from '../db/page.ts'
import { asUser } from '../db/run.ts'
import type { JsonText, Page } from '../http/answers.ts'
import { notFound } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { behind } from './page.ts'

/** Characters of a thing that are shown of it beside what was decided about it. */
const excerptLength = 300
const appealUntil = sql`d.decided_at + make_interval(days => ${limits.appeal.days}::integer)`

/** A `Decision` as JSON text, of the case `d`. */
const decision = sql`json_build_object(
  'id', d.id, 'kind', d.kind, 'subjectId', d.subject_id, 'decision', d.decision, 'reason', d.reason,
  'excerpt', (select left(coalesce(nullif(s.seen ->> 'content', ''), nullif(s.seen ->> 'teaser', ''),
                                   nullif(s.seen ->> 'bio', '')), ${excerptLength}::integer)
              from (select d.snapshots -> -1 -> 'seen' as seen) s),
  'decidedAt', d.decided_at, 'suspendedUntil', d.suspended_until, 'appeal', d.appeal, 'appealedAt', d.appealed_at,
  'appealOutcome', d.appeal_outcome, 'appealAnswer', d.appeal_answer,
  'mayAppealUntil', case when d.appealed_at is null and ${appealUntil} > now() then ${appealUntil} end)::text`

/** Written out: to an admin the policy would show everybody's. */
const own = ({ userId }: Caller) => sql`
  d.person_id = ${userId}::text::uuid and d.state <> 'open' and d.decision <> 'dismiss'`

/** What was decided about the caller, or something of theirs; the newest first. */
export async function listDecisions(caller: Caller, range: Range): Promise<Page<Decision>> {
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select ${decision} as item, ${keyOf(sql`d.decided_at`, sql`d.id`)} as key
      from public.moderation_cases d
      where ${own(caller)} ${behind(range, sql`d.decided_at`, sql`d.id`)}
      order by d.decided_at desc, d.id desc ${window(range)}`,
  )
  return toPage(rows, range)
}

/**
 * Says that the caller disagrees with a decision, once.
 *
 * @throws ApiError 404 for a decision that is not about them, 409 `conflict` for a second time, or after 30 days, 429
 */
export async function appeal(caller: Caller, id: string, words: string): Promise<JsonText<Decision>> {
  const [, [row]] = await asUser(caller, (tx) => [
    tx`select private.appeal_case(${id}::text::uuid, ${words}::text)`,
    tx<{ item: string }[]>`
      select ${decision} as item from public.moderation_cases d where d.id = ${id}::text::uuid and ${own(caller)}`,
  ])
  if (!row) throw notFound('Decision not found')
  return row.item
}
