import type { Report, ReportRequest } from '../contract/moderation.ts'
import { keyOf, type PageRow, type Range, sql, toPage, window } from '../db/page.ts'
import { asUser } from '../db/run.ts'
import type { JsonText, Page } from '../http/answers.ts'
import { notFound } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { behind } from './page.ts'

/** A `Report` as JSON text, of the row `r`. */
const report = sql`json_build_object(
  'id', r.id, 'kind', r.kind, 'subjectId', r.subject_id, 'reason', r.reason, 'note', r.note,
  'createdAt', r.created_at, 'outcome', r.outcome, 'decidedAt', r.decided_at)::text`

/**
 * Reports what the caller sees. The same thing again, while nobody has looked at it, is the report of before: `made`
 * is false then, and what was said first stays.
 *
 * @throws ApiError 400 for what is the caller's own, 404 for what they cannot see, 429
 */
export async function fileReport(
  caller: Caller,
  { kind, id, reason, note }: ReportRequest,
): Promise<{ made: boolean; item: JsonText<Report> }> {
  const [row] = await asUser(
    caller,
    (tx) => tx<{ id: string; made: boolean }[]>`
      select f.report as id, f.made
      from private.file_report(${kind}::text, ${id}::text::uuid, ${reason}::text, ${note ?? null}::text) f`,
  )
  // A second statement: the one that stored it does not see its row.
  const [stored] = await asUser(
    caller,
    (tx) => tx<{ item: string }[]>`
      select ${report} as item from public.reports r where r.id = ${row?.id ?? null}::text::uuid`,
  )
  if (!row || !stored) throw notFound('Report not found')
  return { made: row.made, item: stored.item }
}

/** The caller's own reports, and what became of each; the newest first. */
export async function listReports(caller: Caller, range: Range): Promise<Page<Report>> {
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select ${report} as item, ${keyOf(sql`r.created_at`, sql`r.id`)} as key
      from public.reports r
      where r.reporter_id = ${caller.userId}::text::uuid ${behind(range, sql`r.created_at`, sql`r.id`)}
      order by r.created_at desc, r.id desc ${window(range)}`,
  )
  return toPage(rows, range)
}
