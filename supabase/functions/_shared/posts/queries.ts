import { limits } from '../contract/limits.ts'
import type { LikeAnswer, NewPost, Post, PostChanges } from '../contract/post.ts'
import { sql } from '../db/page.ts'
import { asCaller, asUser, type Sql } from '../db/run.ts'
import type { JsonText } from '../http/answers.ts'
import { ApiError, notFound } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { settleVideo, uploadIn } from '../media/settle.ts'
import { joined, post } from './presenter.ts'

const postNotFound = () => notFound('Post not found')

/** One post as the caller may see it, and whether it is theirs. */
export const selectPost = (tx: Sql, caller: Caller | null, id: string) => tx<
  { item: JsonText<Post>; mine: boolean }[]
>`
  select ${post(caller)} as item, ${caller ? sql`p.author_id = ${caller.userId}::text::uuid` : sql`false`} as mine
  from public.posts p ${joined(caller)}
  where p.id = ${id}::text::uuid`

/** One post as the caller may see it. */
export async function readPost(caller: Caller | null, id: string): Promise<JsonText<Post>> {
  const rows = await asCaller(caller, (tx) => selectPost(tx, caller, id))
  if (!rows[0]) throw postNotFound()
  return rows[0].item
}

/** Refuses whoever may not publish, or not for money. */
export async function requirePublish(caller: Caller, paid: boolean): Promise<void> {
  await asUser(caller, (tx) => tx`select private.require_publish(${paid}::boolean)`)
}

/** Refuses whoever did not write a post. */
export async function requireAuthor(caller: Caller, id: string): Promise<void> {
  await asUser(caller, (tx) => tx`select private.require_own_post(${id}::text::uuid)`)
}

/** Stores a post once, however often it is sent under the same id. `created` is false for the stored one. */
export async function createPost(
  caller: Caller,
  { id = crypto.randomUUID(), content, isPremium, premiumPrice, teaser, altText, ...rest }: NewPost,
): Promise<{ created: boolean; item: JsonText<Post> }> {
  const image = uploadIn('imageUrl', rest.imageUrl)
  const video = uploadIn('videoUrl', rest.videoUrl)
  const poster = video && uploadIn('posterUrl', rest.posterUrl)
  const price = isPremium ? (premiumPrice ?? limits.premiumPrice.default) : null
  const included = isPremium && rest.includedInSubscription
  if (video) {
    // Before anything of the upload is touched.
    await requirePublish(caller, isPremium)
    await settleVideo(caller, video)
  }
  const [[published], , [row]] = await asUser(caller, (tx) => [
    tx<{ created: boolean }[]>`
      select private.publish_post(
        ${id}::text::uuid, ${content}::text, ${price === null ? null : price.toFixed(2)}::text::numeric,
        ${teaser ?? null}::text, ${image}::text::uuid, ${video}::text::uuid, ${poster}::text::uuid,
        ${altText ?? null}::text) as created`,
    tx`select private.include_post(${id}::text::uuid) where ${included}::boolean`,
    selectPost(tx, caller, id),
  ])
  // The id belongs to somebody else's post, seen or unseen.
  if (!row?.mine) throw new ApiError(409, 'This id is taken.')
  return { created: published?.created ?? false, item: row.item }
}

/** Changes one of the caller's own posts; what is left out stays. */
export async function editPost(caller: Caller, id: string, changes: PostChanges): Promise<JsonText<Post>> {
  const [, [row]] = await asUser(caller, (tx) => [
    tx`select private.edit_post(${id}::text::uuid, ${JSON.stringify(changes)}::text::jsonb)`,
    selectPost(tx, caller, id),
  ])
  if (!row) throw postNotFound()
  return row.item
}

/**
 * How many posts of others there are that are newer than what a page shows, `limits.newPosts` at most.
 *
 * @param since a time in ISO 8601
 */
export async function countNewPosts(caller: Caller, since: string): Promise<{ count: number }> {
  const [row] = await asUser(
    caller,
    (tx) => tx<{ count: number }[]>`
      select private.count_new_posts(${since}::text::timestamptz, ${limits.newPosts}::integer) as count`,
  )
  return { count: row?.count ?? 0 }
}

/** Deletes one of the caller's own posts. */
export async function deletePost(caller: Caller, id: string): Promise<void> {
  const [{ count }, seen] = await asUser(caller, (tx) => [
    tx`delete from public.posts p where p.id = ${id}::text::uuid and p.author_id = ${caller.userId}::text::uuid`,
    tx`select from public.posts p where p.id = ${id}::text::uuid`,
  ])
  if (count > 0) return
  throw seen.count > 0 ? new ApiError(403, 'Only its author can delete a post.') : postNotFound()
}

/** Likes a post or takes the like back. */
export async function toggleLike(caller: Caller, id: string): Promise<LikeAnswer> {
  const [row] = await asUser(
    caller,
    (tx) => tx<{ liked: boolean; count: number | null }[]>`
      select t.liked, t.likes_count as count from public.toggle_like(${id}::text::uuid) t`,
  )
  if (!row) throw postNotFound()
  // The count of a post that was hidden since it was liked is not the caller's to see.
  return { liked: row.liked, likesCount: row.count ?? 0 }
}

/** Saves a post or takes that back. */
export async function toggleSave(caller: Caller, id: string): Promise<{ saved: boolean }> {
  const [row] = await asUser(
    caller,
    (tx) => tx<{ saved: boolean }[]>`select t.saved from public.toggle_save(${id}::text::uuid) t(saved)`,
  )
  if (!row) throw postNotFound()
  return { saved: row.saved }
}
