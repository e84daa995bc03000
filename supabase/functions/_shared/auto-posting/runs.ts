import { AutoPostingToday, type AutoRun } from '../contract/auto-posting.ts'
import { keyOf, type PageRow, type Range, sql, toPage, window } from '../db/page.ts'
import { asUser } from '../db/run.ts'
import type { Page } from '../http/answers.ts'
import { unavailable } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { card } from '../users/card.ts'
import { keptAside } from './run.ts'
import { readRules } from './store.ts'

/** An `AutoRun` as JSON text, of the run `r` and its person's profile `u`. */
const item = sql`json_build_object(
  'id', r.id, 'userId', r.user_id, 'user', case when u.id is not null then json_build_object(${card}) end,
  'kind', r.kind, 'startedAt', r.started_at, 'endedAt', r.ended_at, 'outcome', r.outcome, 'detail', r.detail,
  'model', r.model, 'prompt', r.prompt, 'answer', r.answer, 'inputTokens', r.input_tokens,
  'outputTokens', r.output_tokens, 'cost', r.cost_micros / 1000000.0, 'calls', r.calls,
  'postId', r.post_id, 'draftId', r.draft_id)::text`

const behind = ({ after }: Range) =>
  after ? sql`and (r.started_at, r.id) < (${after.at}::text::timestamptz, ${after.id}::text::uuid)` : sql``

/**
 * Every run, the newest first.
 *
 * @param userId of one person alone
 * @throws ApiError 403 for who is no admin
 */
export async function listRuns(
  caller: Caller,
  userId: string | undefined,
  range: Range,
): Promise<Page<AutoRun>> {
  const ofOne = userId ? sql`and r.user_id = ${userId}::text::uuid` : sql``
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.require_admin()`,
    tx<PageRow[]>`
      select ${item} as item, ${keyOf(sql`r.started_at`, sql`r.id`)} as key
      from public.auto_runs r left join public.profiles u on u.id = r.user_id
      where true ${ofOne} ${behind(range)}
      order by r.started_at desc, r.id desc ${window(range)}`,
  ])
  return toPage(rows, range)
}

const Used = AutoPostingToday.omit({ full: true })

/**
 * How much of today's caps is used, and whether that leaves room for the cheapest post.
 *
 * @throws ApiError 403 for who is no admin
 */
export async function readToday(caller: Caller): Promise<AutoPostingToday> {
  const [row] = await asUser(
    caller,
    (tx) => tx<{ used: string }[]>`select private.auto_posting_today()::text as used`,
  )
  if (!row) throw unavailable()
  const used = Used.parse(JSON.parse(row.used))
  const left = (used.maxCost - used.cost) * 1_000_000
  return { ...used, full: used.posts >= used.maxPosts || left < keptAside(null, await readRules()) }
}
