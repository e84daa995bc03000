import type { AdminCase, AdminCaseDetails, AdminCasesQuery } from '../contract/moderation.ts'
import { keyOf, type PageRow, type Piece, type Range, sql, toPage, window } from '../db/page.ts'
import { asUser, type Sql } from '../db/run.ts'
import type { JsonText, Page } from '../http/answers.ts'
import { notFound } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { card } from '../users/card.ts'
import { behind } from './page.ts'

/** The `UserCard` of somebody; null for nobody, and for an account that is gone. */
const person = (id: Piece) =>
  sql`(select json_build_object(${card}) from public.profiles u where u.id = ${id})`

/** The pairs of an `AdminCase`, of the case `m`, what admins alone see of it (`w`) and what became of its thing (`s`). */
const pairs = sql`
  'id', m.id, 'kind', m.kind, 'subjectId', m.subject_id, 'personId', m.person_id,
  'person', ${person(sql`m.person_id`)}, 'state', m.state, 'snapshots', m.snapshots, 'since', s.since,
  'hidden', s.hidden, 'reports', w.reports,
  'reasons', (select coalesce(json_agg(json_build_object('reason', g.reason, 'count', g.count)
                                       order by g.count desc, g.reason), '[]')
              from (select r.reason, count(*) from public.reports r where r.case_id = m.id group by r.reason) g),
  'createdAt', w.created_at, 'movedAt', m.moved_at, 'decision', m.decision, 'reason', m.reason,
  'decidedBy', ${person(sql`w.decided_by`)}, 'decidedAt', m.decided_at, 'suspendedUntil', m.suspended_until,
  'appeal', m.appeal, 'mayAnswer', m.state = 'appealed' and private.may_answer(w.decided_by, m.person_id),
  'appealedAt', m.appealed_at, 'appealOutcome', m.appeal_outcome,
  'appealAnswer', m.appeal_answer, 'appealDecidedBy', ${person(sql`w.appeal_decided_by`)},
  'priorDecisions', (
    select count(*) from public.moderation_cases o
    where o.person_id = m.person_id and o.id <> m.id and o.decision <> 'dismiss'
      and o.decided_at < coalesce(m.decided_at, now()) and o.appeal_outcome is distinct from 'overturned')`

const joined = sql`
  cross join lateral private.case_inside(m.id) w
  cross join lateral private.case_since(m.id) s`

/**
 * Cases, the last moved first.
 *
 * @throws ApiError 403 for who is no admin
 */
export async function listCases(
  caller: Caller,
  { state, kind, personId }: AdminCasesQuery,
  range: Range,
): Promise<Page<AdminCase>> {
  const chosen = sql`
    ${state ? sql`and m.state = ${state}::text` : sql``} ${kind ? sql`and m.kind = ${kind}::text` : sql``}
    ${personId ? sql`and m.person_id = ${personId}::text::uuid` : sql``}`
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.require_admin()`,
    // The page first, so that nothing is asked about cases that are not on it.
    tx<PageRow[]>`
      select json_build_object(${pairs})::text as item, ${keyOf(sql`m.moved_at`, sql`m.id`)} as key
      from (select m.* from (select ${columns} from public.moderation_cases m) m
            where true ${chosen} ${behind(range, sql`m.moved_at`, sql`m.id`)}
            order by m.moved_at desc, m.id desc ${window(range)}) m
      ${joined}
      order by m.moved_at desc, m.id desc`,
  ])
  return toPage(rows, range)
}

/** What people may read of a case: `*` would ask for more. */
const columns = sql`
  m.id, m.kind, m.subject_id, m.person_id, m.state, m.snapshots, m.moved_at, m.decision, m.reason,
  m.decided_at, m.suspended_until, m.appeal, m.appealed_at, m.appeal_outcome, m.appeal_answer`

/** One case, as the list shows it. */
export const selectCase = (tx: Sql, id: string) => tx<{ item: JsonText<AdminCase> }[]>`
  select json_build_object(${pairs})::text as item
  from public.moderation_cases m ${joined} where m.id = ${id}::text::uuid`

/**
 * One case with its reports, the newest first, and who made them.
 *
 * @throws ApiError 403 for who is no admin, 404
 */
export async function readCase(caller: Caller, id: string): Promise<JsonText<AdminCaseDetails>> {
  const [, [row]] = await asUser(caller, (tx) => [
    tx`select private.require_admin()`,
    tx<{ item: string }[]>`
      select json_build_object(${pairs}, 'reportList', (
        select coalesce(json_agg(json_build_object(
            'id', r.id, 'reporter', ${person(sql`r.reporter_id`)}, 'reason', r.reason, 'note', r.note,
            'createdAt', r.created_at) order by r.created_at desc, r.id desc), '[]')
        from (select * from public.reports r where r.case_id = m.id
              order by r.created_at desc, r.id desc limit ${mostReports}::integer) r))::text as item
      from public.moderation_cases m ${joined} where m.id = ${id}::text::uuid`,
  ])
  if (!row) throw notFound('Case not found')
  return row.item
}

/** Reports of one case that are shown at most, the latest: `reports` counts them all. */
const mostReports = 200
