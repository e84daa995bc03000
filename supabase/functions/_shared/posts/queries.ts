import type { CreatePostRequest, LikeAnswer, Post } from '../contract/post.ts'
import { keyOf, type PageRow, type Range, sql, toPage, window } from '../db/page.ts'
import { asCaller, asUser, type Sql } from '../db/run.ts'
import type { JsonText, Page } from '../http/answers.ts'
import { ApiError, notFound } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { card } from '../users/card.ts'
import { named, userNotFound } from '../users/queries.ts'

const postNotFound = () => notFound('Post not found')

/**
 * What differs by who reads: a visitor has liked nothing, and nothing is theirs. Looked up post by post: `exists`
 * would let the planner read everything that somebody ever liked.
 */
const relation = (caller: Caller | null) =>
  caller
    ? sql`'liked', coalesce((select true from public.likes l
                             where l.post_id = p.id and l.user_id = ${caller.userId}::text::uuid), false),
          'saved', coalesce((select true from public.saves s
                             where s.post_id = p.id and s.user_id = ${caller.userId}::text::uuid), false),
          'locked', ${locked(caller)}, 'mine', p.author_id = ${caller.userId}::text::uuid`
    : sql`'liked', false, 'saved', false, 'locked', ${locked(caller)}, 'mine', false`

const locked = (caller: Caller | null) =>
  caller ? sql`p.is_premium and p.author_id <> ${caller.userId}::text::uuid` : sql`p.is_premium`

/** A `Post` as JSON text, of the post `p` and its author `u`. A locked one carries nothing of what is paid for. */
const post = (caller: Caller | null) => sql`json_build_object(
  'id', p.id, 'userId', p.author_id, 'user', json_build_object(${card}),
  'content', case when ${locked(caller)} then '' else p.content end, 'teaser', p.teaser,
  'imageUrl', null, 'videoUrl', null, 'placeholder', null,
  'isPremium', p.is_premium, 'premiumPrice', p.premium_price,
  'likesCount', p.likes_count, 'commentsCount', p.comments_count, 'createdAt', p.created_at,
  ${relation(caller)})::text`

const older = ({ after }: Range) =>
  after ? sql`and (p.created_at, p.id) < (${after.at}::text::timestamptz, ${after.id}::text::uuid)` : sql``

/** All posts that the caller may see, the newest first. One walk down one index, whatever their number. */
export async function listPosts(caller: Caller | null, range: Range): Promise<Page<Post>> {
  const rows = await asCaller(
    caller,
    (tx) => tx<PageRow[]>`
      select ${post(caller)} as item, ${keyOf(sql`p.created_at`, sql`p.id`)} as key
      from public.posts p join public.profiles u on u.id = p.author_id
      where true ${older(range)}
      order by p.created_at desc, p.id desc ${window(range)}`,
  )
  return toPage(rows, range)
}

/**
 * Posts by others who let theirs be discovered, as far as the caller may see them, the newest first. The same walk as
 * the feed's.
 */
export async function listDiscovered(caller: Caller, range: Range): Promise<Page<Post>> {
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select ${post(caller)} as item, ${keyOf(sql`p.created_at`, sql`p.id`)} as key
      from public.posts p join public.profiles u on u.id = p.author_id
      where u.content_discoverable and p.author_id <> ${caller.userId}::text::uuid ${older(range)}
      order by p.created_at desc, p.id desc ${window(range)}`,
  )
  return toPage(rows, range)
}

/** One person's posts, as far as the caller may see them, the newest first. */
export async function listPostsOf(
  caller: Caller | null,
  identifier: string,
  range: Range,
): Promise<Page<Post>> {
  const [people, rows] = await asCaller(caller, (tx) => [
    tx`select from public.profiles u where ${named(identifier)}`,
    tx<PageRow[]>`
        select ${post(caller)} as item, ${keyOf(sql`p.created_at`, sql`p.id`)} as key
        from public.profiles u join public.posts p on p.author_id = u.id
        where ${named(identifier)} ${older(range)}
        order by p.created_at desc, p.id desc ${window(range)}`,
  ])
  if (people.count === 0) throw userNotFound()
  return toPage(rows, range)
}

/** The posts the caller saved and may still see, the latest saved first. */
export async function listSaved(caller: Caller, range: Range): Promise<Page<Post>> {
  const { after } = range
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select ${post(caller)} as item, ${keyOf(sql`k.created_at`, sql`k.post_id`)} as key
      from public.saves k join public.posts p on p.id = k.post_id join public.profiles u on u.id = p.author_id
      where k.user_id = ${caller.userId}::text::uuid
      ${
        after
          ? sql`and (k.created_at, k.post_id) < (${after.at}::text::timestamptz, ${after.id}::text::uuid)`
          : sql``
      }
      order by k.created_at desc, k.post_id desc ${window(range)}`,
  )
  return toPage(rows, range)
}

/** Ids of the posts the caller likes, the latest first. */
export async function listLikedIds(caller: Caller, range: Range): Promise<Page<string>> {
  const { after } = range
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select to_json(k.post_id)::text as item, ${keyOf(sql`k.created_at`, sql`k.post_id`)} as key
      from public.likes k
      where k.user_id = ${caller.userId}::text::uuid
      ${
        after
          ? sql`and (k.created_at, k.post_id) < (${after.at}::text::timestamptz, ${after.id}::text::uuid)`
          : sql``
      }
      order by k.created_at desc, k.post_id desc ${window(range)}`,
  )
  return toPage(rows, range)
}

const selectPost = (tx: Sql, caller: Caller | null, id: string) => tx<
  { item: JsonText<Post>; mine: boolean }[]
>`
  select ${post(caller)} as item, ${caller ? sql`p.author_id = ${caller.userId}::text::uuid` : sql`false`} as mine
  from public.posts p join public.profiles u on u.id = p.author_id
  where p.id = ${id}::text::uuid`

/** One post as the caller may see it. */
export async function readPost(caller: Caller | null, id: string): Promise<JsonText<Post>> {
  const rows = await asCaller(caller, (tx) => selectPost(tx, caller, id))
  if (!rows[0]) throw postNotFound()
  return rows[0].item
}

/** Stores a post once, however often it is sent under the same id. `created` is false for the stored one. */
export async function createPost(
  caller: Caller,
  { id = crypto.randomUUID(), content }: CreatePostRequest,
): Promise<{ created: boolean; item: JsonText<Post> }> {
  const [{ count }, [row]] = await asUser(caller, (tx) => [
    // A stored post is sent again for free: the trigger that counts posts never sees it.
    tx`insert into public.posts (id, author_id, content)
       select ${id}::text::uuid, ${caller.userId}::text::uuid, ${content}::text
       where not exists (select from public.posts p where p.id = ${id}::text::uuid)
       on conflict (id) do nothing`,
    selectPost(tx, caller, id),
  ])
  // The id belongs to somebody else's post, seen or unseen.
  if (!row?.mine) throw new ApiError(409, 'This id is taken.')
  return { created: count > 0, item: row.item }
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
