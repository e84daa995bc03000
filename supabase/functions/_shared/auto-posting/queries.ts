import { requireFound, selectAdminUser } from '../admin/queries.ts'
import type { AdminUser } from '../contract/admin.ts'
import {
  type AutoDraft,
  type AutoPostingState,
  AutoPostingToday,
  type AutoRun,
  type ToggleAutoPostingRequest,
} from '../contract/auto-posting.ts'
import type { Post } from '../contract/post.ts'
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
import { notFound, requireRow } from '../http/errors.ts'
import { asUser } from '../http/run-as.ts'
import { announcePostsInBackground } from '../notifications/announce-posts.ts'
import { selectPost } from '../posts/queries.ts'
import { autoRunJson, draftJson } from './presenter.ts'
import { reservedCostMicros } from './run.ts'
import { readRules } from './run-queries.ts'

/** Returns the caller's auto-posting settings, and when their next post is due. */
export async function readState(caller: Caller): Promise<JsonText<AutoPostingState>> {
  const [row] = await asUser(
    caller,
    (tx) => tx<{ state: string | null }[]>`
      select private.auto_posting_status(${caller.userId}::text::uuid)::text as state`,
  )
  if (!row?.state) throw notFound()
  return row.state
}

/** Returns the drafts that were written for the caller, newest first. */
export async function listDrafts(caller: Caller, range: PageRange): Promise<Page<AutoDraft>> {
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select ${draftJson} as item, ${cursorKey(sql`f.created_at`, sql`f.id`)} as key
      from public.auto_post_drafts f
      where f.user_id = ${caller.userId}::text::uuid ${afterCursor(range, sql`f.created_at`, sql`f.id`)}
      order by f.created_at desc, f.id desc ${limitClause(range)}`,
  )
  return toPage(rows, range)
}

/**
 * Publishes one of the caller's drafts. Repeating the call returns the same post.
 *
 * @param content the text as the caller edited it; undefined publishes the draft as written
 * @throws ApiError 403 if the caller may not post; 404 if there is no such draft; 409 if the draft was discarded or has
 *   expired
 */
export async function publishDraft(
  caller: Caller,
  id: string,
  content: string | undefined,
): Promise<JsonText<Post>> {
  const [, [row]] = await asUser(caller, (tx) => [
    tx`select private.publish_draft(${id}::text::uuid, ${content ?? null}::text)`,
    selectPost(tx, caller, id),
  ])
  if (!row) throw notFound('Post not found')
  announcePostsInBackground()
  return row.item
}

/**
 * Discards one of the caller's drafts. Repeating the call has no effect.
 *
 * @throws ApiError 404 if there is no such draft, or it was published or has expired
 */
export async function discardDraft(caller: Caller, id: string): Promise<void> {
  await asUser(caller, (tx) => tx`select private.discard_draft(${id}::text::uuid)`)
}

/**
 * Returns a page of runs, newest first.
 *
 * @param userId the user whose runs to return; undefined returns those of all users
 * @throws ApiError 403 for a caller who is not an admin
 */
export async function listRuns(
  caller: Caller,
  userId: string | undefined,
  range: PageRange,
): Promise<Page<AutoRun>> {
  const userCondition = userId ? sql`and r.user_id = ${userId}::text::uuid` : sql``
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.require_admin()`,
    tx<PageRow[]>`
      select ${autoRunJson} as item, ${cursorKey(sql`r.started_at`, sql`r.id`)} as key
      from public.auto_post_runs r left join public.profiles u on u.id = r.user_id
      where true ${userCondition} ${afterCursor(range, sql`r.started_at`, sql`r.id`)}
      order by r.started_at desc, r.id desc ${limitClause(range)}`,
  ])
  return toPage(rows, range)
}

const Usage = AutoPostingToday.omit({ full: true })

/**
 * Returns how much of today's limits has been used, and whether too little is left for even the cheapest post.
 *
 * @throws ApiError 403 for a caller who is not an admin
 */
export async function readToday(caller: Caller): Promise<AutoPostingToday> {
  const rows = await asUser(
    caller,
    (tx) => tx<{ usage: string }[]>`select private.auto_posting_today()::text as usage`,
  )
  const usage = Usage.parse(JSON.parse(requireRow(rows).usage))
  const remainingMicros = (usage.maxCost - usage.cost) * 1_000_000
  return {
    ...usage,
    full: usage.posts >= usage.maxPosts || remainingMicros < reservedCostMicros(null, await readRules()),
  }
}

/**
 * Turns auto-posting on or off for a creator. A creator who has not agreed is asked to agree, and nothing is posted
 * until they do. Repeating the call has no effect.
 *
 * @param request if `frequency` is omitted, it stays unchanged
 * @throws ApiError 403 if the caller is not an admin; 403 `target_is_admin` if the user is an admin; 403
 *   `creators_only` if auto-posting is turned on for a user who is not a creator; 404 if there is no such user
 */
export async function toggleAutoPosting(
  caller: Caller,
  id: string,
  { enabled, frequency }: ToggleAutoPostingRequest,
): Promise<JsonText<AdminUser>> {
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.set_auto_posting(${id}::text::uuid, ${enabled}::boolean, coalesce(
      ${frequency ?? null}::text, private.auto_posting_status(${id}::text::uuid) ->> 'frequency', 'moderate'))`,
    selectAdminUser(tx, id),
  ])
  return requireFound(rows)
}
