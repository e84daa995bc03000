import type {
  AdminCase,
  AdminCaseDetails,
  AdminCasesQuery,
  Decision,
  Report,
  ReportRequest,
} from '../contract/moderation.ts'
import {
  afterCursor,
  cursorKey,
  limitClause,
  type Page,
  type PageRange,
  type PageRow,
  toPage,
} from '../db/page.ts'
import { type JsonText, sql } from '../db/sql.ts'
import type { Caller } from '../http/caller.ts'
import { notFound } from '../http/errors.ts'
import { asUser } from '../http/run-as.ts'
import { adminCaseDetailsJson, adminCaseJoins, adminCaseJson, decisionJson, reportJson } from './presenter.ts'

/**
 * Reports a subject that the caller can see, or a user whom the caller has blocked. Reporting the subject again before
 * a decision only returns the first report.
 *
 * @returns the report; `isNew` is true if this call created it
 * @throws ApiError 400 if the subject is the caller, or their post or comment; 404 if the caller cannot see the subject
 *   (unless it is a user whom they have blocked), or did not receive the message; 429 after too many reports
 */
export async function createReport(
  caller: Caller,
  { kind, id, reason, note }: ReportRequest,
): Promise<{ isNew: boolean; item: JsonText<Report> }> {
  const [row] = await asUser(
    caller,
    (tx) => tx<{ id: string; isNew: boolean }[]>`
      select f.report_id as id, f.is_new as "isNew"
      from private.file_report(${kind}::text, ${id}::text::uuid, ${reason}::text, ${note ?? null}::text) f`,
  )
  // Read by a second statement, because the statement that inserts the report does not see the new row.
  const [stored] = await asUser(
    caller,
    (tx) => tx<{ item: string }[]>`
      select ${reportJson} as item from public.reports r where r.id = ${row?.id ?? null}::text::uuid`,
  )
  if (!row || !stored) throw notFound('Report not found')
  return { isNew: row.isNew, item: stored.item }
}

/** Returns the caller's reports and their outcomes, newest first. */
export async function listReports(caller: Caller, range: PageRange): Promise<Page<Report>> {
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select ${reportJson} as item, ${cursorKey(sql`r.created_at`, sql`r.id`)} as key
      from public.reports r
      where r.reporter_id = ${caller.userId}::text::uuid ${afterCursor(range, sql`r.created_at`, sql`r.id`)}
      order by r.created_at desc, r.id desc ${limitClause(range)}`,
  )
  return toPage(rows, range)
}

/** A condition that selects decisions about the caller. The policy alone is not enough: it shows admins all cases. */
const aboutCaller = ({ userId }: Caller) => sql`
  d.user_id = ${userId}::text::uuid and d.state <> 'open' and d.decision <> 'dismiss'`

/** Returns the decisions about the caller and their content, newest first. */
export async function listDecisions(caller: Caller, range: PageRange): Promise<Page<Decision>> {
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select ${decisionJson} as item, ${cursorKey(sql`d.decided_at`, sql`d.id`)} as key
      from public.moderation_cases d
      where ${aboutCaller(caller)} ${afterCursor(range, sql`d.decided_at`, sql`d.id`)}
      order by d.decided_at desc, d.id desc ${limitClause(range)}`,
  )
  return toPage(rows, range)
}

/**
 * Appeals a decision about the caller. Each decision can be appealed once.
 *
 * @throws ApiError 404 if the decision is not about the caller; 409 `conflict` if they have already appealed or 30 days
 *   have passed; 429 after too many appeals or reports
 */
export async function appealDecision(caller: Caller, id: string, text: string): Promise<JsonText<Decision>> {
  const [, [row]] = await asUser(caller, (tx) => [
    tx`select private.appeal_case(${id}::text::uuid, ${text}::text)`,
    tx<{ item: string }[]>`
      select ${decisionJson} as item from public.moderation_cases d
      where d.id = ${id}::text::uuid and ${aboutCaller(caller)}`,
  ])
  if (!row) throw notFound('Decision not found')
  return row.item
}

/** The columns that the list of cases needs. Selecting `*` would fail, because users may not read all columns. */
const readableColumns = sql`
  m.id, m.kind, m.subject_id, m.user_id, m.state, m.snapshots, m.moved_at, m.decision, m.reason,
  m.decided_at, m.suspended_until, m.appeal, m.appealed_at, m.appeal_outcome, m.appeal_answer`

/**
 * Returns cases, the most recently updated first unless `sort` says otherwise.
 *
 * @throws ApiError 403 if the caller is not an admin
 */
export async function listCases(
  caller: Caller,
  query: AdminCasesQuery,
  range: PageRange,
): Promise<Page<AdminCase>> {
  const { state, kind, personId, sort } = query
  if (sort === 'attention') return listCasesByAttention(caller, query, range)
  const filter = sql`
    ${state ? sql`and m.state = ${state}::text` : sql``} ${kind ? sql`and m.kind = ${kind}::text` : sql``}
    ${personId ? sql`and m.user_id = ${personId}::text::uuid` : sql``}`
  const order = sort === 'oldest' ? sql`m.moved_at, m.id` : sql`m.moved_at desc, m.id desc`
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.require_admin()`,
    // The subquery selects the page first, so that only the cases on the page are joined.
    tx<PageRow[]>`
      select ${adminCaseJson} as item, ${cursorKey(sql`m.moved_at`, sql`m.id`)} as key
      from (select m.* from (select ${readableColumns} from public.moderation_cases m) m
            where true ${filter} ${afterCursor(range, sql`m.moved_at`, sql`m.id`, sort)}
            order by ${order} ${limitClause(range)}) m
      ${adminCaseJoins}
      order by ${order}`,
  ])
  return toPage(rows, range)
}

/** Returns open cases and appeals by number of reports, highest first, and then by waiting time, longest first. */
async function listCasesByAttention(
  caller: Caller,
  { state, kind, personId }: AdminCasesQuery,
  range: PageRange,
): Promise<Page<AdminCase>> {
  const { limit, offset, after } = range
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select ${adminCaseJson} as item,
             ${cursorKey(sql`f.waiting_since`, sql`f.case_id`)} || '_' || f.reports as key
      from private.cases_by_attention(
        ${state ?? null}::text, ${kind ?? null}::text, ${personId ?? null}::text::uuid, ${after?.rank ?? null}::integer,
        ${after?.at ?? null}::text::timestamptz, ${after?.id ?? null}::text::uuid, ${offset}::integer,
        ${limit + 1}::integer
      ) with ordinality f(case_id, reports, waiting_since, place)
      join (select ${readableColumns} from public.moderation_cases m) m on m.id = f.case_id
      ${adminCaseJoins}
      order by f.place`,
  )
  return toPage(rows, range)
}

/**
 * Returns a case, for an admin, with the same fields as in the list of cases.
 *
 * @throws ApiError 404
 */
export async function readCase(caller: Caller, id: string): Promise<JsonText<AdminCase>> {
  const [row] = await asUser(
    caller,
    (tx) => tx<{ item: string }[]>`
      select ${adminCaseJson} as item
      from public.moderation_cases m ${adminCaseJoins} where m.id = ${id}::text::uuid`,
  )
  if (!row) throw notFound('Case not found')
  return row.item
}

/**
 * Returns a case with its latest reports and their reporters, newest first.
 *
 * @throws ApiError 403 if the caller is not an admin; 404 if the case does not exist
 */
export async function readCaseDetails(caller: Caller, id: string): Promise<JsonText<AdminCaseDetails>> {
  const [, [row]] = await asUser(caller, (tx) => [
    tx`select private.require_admin()`,
    tx<{ item: string }[]>`
      select ${adminCaseDetailsJson} as item
      from public.moderation_cases m ${adminCaseJoins} where m.id = ${id}::text::uuid`,
  ])
  if (!row) throw notFound('Case not found')
  return row.item
}
