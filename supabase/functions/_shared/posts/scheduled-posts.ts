import type { NewPost, Post } from '../contract/post.ts'
import type { ScheduledPost, ScheduledPostChanges } from '../contract/scheduled-post.ts'
import { type JsonText, type Sql, sql } from '../db/sql.ts'
import type { Caller } from '../http/caller.ts'
import { notFound, requireRow } from '../http/errors.ts'
import { log } from '../http/log.ts'
import { asService, asUser } from '../http/run-as.ts'
import { announcePostsInBackground } from '../notifications/announce-posts.ts'
import { preparePost, selectPost } from './queries.ts'

const scheduledPostNotFound = () => notFound('Scheduled post not found')

/** SQL for a `ScheduledPost` as JSON, built from the scheduled post `s`, its upload `m` and its `poster`. */
const scheduledPostJson = sql`json_build_object(
  'id', s.id, 'content', s.content, 'teaser', s.teaser, 'mediaType', m.kind,
  'imageUrl', case when m.kind = 'image' then '/api/media/' || m.id end,
  'videoUrl', case when m.kind = 'video' then '/api/media/' || m.id end,
  'posterUrl', '/api/media/' || s.poster_id, 'altText', s.alt_text,
  'placeholder', coalesce(m.placeholder, poster.placeholder), 'mediaDuration', m.duration_seconds,
  'isPremium', s.premium_price is not null, 'premiumPrice', s.premium_price,
  'includedInSubscription', s.included_in_subscription, 'showUnlocks', s.show_unlocks,
  'quotedPostId', s.quoted_post_id, 'publishAt', s.publish_at, 'failure', s.failure, 'createdAt', s.created_at)`

const scheduledPosts = sql`public.scheduled_posts s
  left join public.media m on m.id = s.media_id left join public.media poster on poster.id = s.poster_id`

const selectScheduledPost = (tx: Sql, id: string) => tx<{ item: JsonText<ScheduledPost> }[]>`
  select ${scheduledPostJson}::text as item from ${scheduledPosts} where s.id = ${id}::text::uuid`

/** Returns the caller's scheduled posts, the earliest first. There are at most `limits.scheduledPosts.max`. */
export async function listScheduledPosts(caller: Caller): Promise<JsonText<ScheduledPost[]>> {
  const rows = await asUser(
    caller,
    (tx) => tx<{ items: JsonText<ScheduledPost[]> }[]>`
      select coalesce(json_agg(${scheduledPostJson} order by s.publish_at, s.id), '[]')::text as items
      from ${scheduledPosts} where s.author_id = ${caller.userId}::text::uuid`,
  )
  return requireRow(rows).items
}

/**
 * Schedules a post. Idempotent: a repeated `id` returns the stored post, or the published post if it has been published
 * since the first request.
 *
 * @param publishAt a time in ISO 8601
 * @throws ApiError as for a post that is published immediately; also 400 for a time that is too early or too late, and
 *   409 if the caller has too many scheduled posts
 */
export async function schedulePost(
  caller: Caller,
  post: NewPost,
  publishAt: string,
): Promise<{ published: false; item: JsonText<ScheduledPost> } | { published: true; item: JsonText<Post> }> {
  const { id, isIncluded, showsUnlocks, quotedPostId, values } = await preparePost(caller, post)
  const [, [scheduled], [published]] = await asUser(caller, (tx) => [
    tx`select private.schedule_post(
         ${id}::text::uuid, ${publishAt}::text::timestamptz, ${quotedPostId}::text::uuid, ${values},
         ${isIncluded}::boolean, ${showsUnlocks}::boolean)`,
    selectScheduledPost(tx, id),
    selectPost(tx, caller, id),
  ])
  if (scheduled) return { published: false, item: scheduled.item }
  // The published post may have been removed by moderators since then.
  if (!published) throw scheduledPostNotFound()
  return { published: true, item: published.item }
}

/**
 * Edits one of the caller's scheduled posts and returns it. Fields that `changes` omits keep their values.
 *
 * @throws ApiError 400, 403, 404, 429
 */
export async function editScheduledPost(
  caller: Caller,
  id: string,
  changes: ScheduledPostChanges,
): Promise<JsonText<ScheduledPost>> {
  const [, [row]] = await asUser(caller, (tx) => [
    tx`select private.edit_scheduled_post(${id}::text::uuid, ${JSON.stringify(changes)}::text::jsonb)`,
    selectScheduledPost(tx, id),
  ])
  if (!row) throw scheduledPostNotFound()
  return row.item
}

/**
 * Publishes one of the caller's scheduled posts now. Idempotent.
 *
 * @throws ApiError 400, 403, 404, 429
 */
export async function publishScheduledPost(caller: Caller, id: string): Promise<JsonText<Post>> {
  const [, [row]] = await asUser(caller, (tx) => [
    tx`select private.publish_scheduled_post(${id}::text::uuid)`,
    selectPost(tx, caller, id),
  ])
  if (!row) throw scheduledPostNotFound()
  announcePostsInBackground()
  return row.item
}

/**
 * Deletes one of the caller's scheduled posts.
 *
 * @throws ApiError 404
 */
export async function deleteScheduledPost(caller: Caller, id: string): Promise<void> {
  const { count } = await asUser(
    caller,
    (tx) => tx`
      delete from public.scheduled_posts s
      where s.id = ${id}::text::uuid and s.author_id = ${caller.userId}::text::uuid`,
  )
  if (count === 0) throw scheduledPostNotFound()
}

/** After this time, a run publishes no more posts. The next run of the `scheduled-posts` job continues. */
const maxDurationMs = 50_000

/**
 * Publishes the posts that are due, in order of their scheduled times, each in a transaction of its own. A post that
 * temporarily cannot be published (for example, because the author's account is being deleted) is left for the next
 * run.
 */
export async function publishDuePosts(): Promise<{ published: number; failed: number; postponed: number }> {
  const deadline = Date.now() + maxDurationMs
  const result = { published: 0, failed: 0, postponed: 0 }
  const skippedIds: string[] = []
  while (Date.now() < deadline) {
    const [next] = await asService(
      (tx) => tx<{ id: string | null }[]>`
        select private.next_due_post(${`{${skippedIds.join(',')}}`}::text::uuid[])::text as id`,
    )
    if (!next?.id) break
    const outcome = await publishDuePost(next.id)
    if (outcome === 'postponed') skippedIds.push(next.id)
    result[outcome] += 1
  }
  if (result.published > 0) announcePostsInBackground()
  return result
}

async function publishDuePost(id: string): Promise<'published' | 'failed' | 'postponed'> {
  try {
    const [row] = await asService(
      (tx) => tx<{ outcome: string }[]>`select private.publish_due_post(${id}::text::uuid) as outcome`,
    )
    return row?.outcome === 'published' || row?.outcome === 'failed' ? row.outcome : 'postponed'
  } catch (error) {
    log('warn', 'scheduled_post_postponed', { postId: id, kind: error instanceof Error ? error.name : '' })
    return 'postponed'
  }
}
