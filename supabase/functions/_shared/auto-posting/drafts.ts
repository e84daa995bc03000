import type { AutoDraft, AutoPostingState } from '../contract/auto-posting.ts'
import type { Post } from '../contract/post.ts'
import { keyOf, type PageRow, type Range, sql, toPage, window } from '../db/page.ts'
import { asUser } from '../db/run.ts'
import type { JsonText, Page } from '../http/answers.ts'
import { notFound } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { selectPost } from '../posts/queries.ts'

/** How auto-posting stands with the caller. */
export async function readState(caller: Caller): Promise<JsonText<AutoPostingState>> {
  const [row] = await asUser(
    caller,
    (tx) => tx<{ state: string | null }[]>`
      select private.auto_posting_of(${caller.userId}::text::uuid)::text as state`,
  )
  if (!row?.state) throw notFound()
  return row.state
}

/** An `AutoDraft` as JSON text, of the draft `f`. */
const item = sql`json_build_object(
  'id', f.id, 'content', f.content, 'state', f.state, 'createdAt', f.created_at, 'decidedAt', f.decided_at,
  'expiresAt', f.created_at + interval '3 days')::text`

/** What was written for the caller, the newest first. */
export async function listDrafts(caller: Caller, range: Range): Promise<Page<AutoDraft>> {
  const { after } = range
  const behind = after
    ? sql`and (f.created_at, f.id) < (${after.at}::text::timestamptz, ${after.id}::text::uuid)`
    : sql``
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select ${item} as item, ${keyOf(sql`f.created_at`, sql`f.id`)} as key
      from public.auto_drafts f
      where f.user_id = ${caller.userId}::text::uuid ${behind}
      order by f.created_at desc, f.id desc ${window(range)}`,
  )
  return toPage(rows, range)
}

/**
 * Publishes one of the caller's drafts; again, it answers the same post.
 *
 * @param content as its creator changed it; as it was written when left out
 * @throws ApiError 403 for who may not post, 404, 409 when it was discarded or has expired
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
  return row.item
}

/** Refuses whoever may not post, whatever they sent. */
export async function requirePublish(caller: Caller): Promise<void> {
  await asUser(caller, (tx) => tx`select private.require_publish(false)`)
}

/**
 * Discards one of the caller's drafts; again, it changes nothing.
 *
 * @throws ApiError 404
 */
export async function discardDraft(caller: Caller, id: string): Promise<void> {
  await asUser(caller, (tx) => tx`select private.discard_draft(${id}::text::uuid)`)
}
