import type { DiscoverPostsQuery } from '../contract/discover.ts'
import { limits } from '../contract/limits.ts'
import type {
  Feed,
  LikeResponse,
  NewPost,
  Post,
  PostChanges,
  PostKind,
  RepostResponse,
} from '../contract/post.ts'
import {
  afterCursor,
  cursorKey,
  limitClause,
  type Page,
  type PageRange,
  type PageRow,
  toPage,
} from '../db/page.ts'
import { type JsonText, type Sql, type SqlFragment, sql } from '../db/sql.ts'
import type { Caller } from '../http/caller.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { asCaller, asUser } from '../http/run-as.ts'
import { finalizeVideoUpload } from '../media/direct-video-upload.ts'
import { mediaIdFromUrl } from '../media/media-url.ts'
import { announcePostsInBackground } from '../notifications/announce-posts.ts'
import { matchesIdentifier, userNotFound } from '../users/queries.ts'
import { postJoins, postJson, repostedBy } from './presenter.ts'

const postNotFound = () => notFound('Post not found')

/** Selects one post as the caller may see it, and whether the caller wrote it. */
export const selectPost = (tx: Sql, caller: Caller | null, id: string) => tx<
  { item: JsonText<Post>; mine: boolean }[]
>`
  select ${postJson(caller)} as item, ${caller ? sql`p.author_id = ${caller.userId}::text::uuid` : sql`false`} as mine
  from public.posts p ${postJoins(caller)}
  where p.id = ${id}::text::uuid`

/**
 * Returns one post as the caller may see it.
 *
 * @throws ApiError 404
 */
export async function readPost(caller: Caller | null, id: string): Promise<JsonText<Post>> {
  const rows = await asCaller(caller, (tx) => selectPost(tx, caller, id))
  if (!rows[0]) throw postNotFound()
  return rows[0].item
}

/**
 * Checks that the caller may publish posts or, if `isPremium` is true, premium posts.
 *
 * @throws ApiError 403
 */
export async function requireCanPublish(caller: Caller, isPremium: boolean): Promise<void> {
  await asUser(caller, (tx) => tx`select private.require_can_publish(${isPremium}::boolean)`)
}

/**
 * Checks that the caller may edit a post: they wrote it, moderators have not hidden it, and their account is not
 * read-only.
 *
 * @throws ApiError 403, 404
 */
export async function requireCanEditPost(caller: Caller, id: string): Promise<void> {
  await asUser(caller, (tx) => tx`select private.require_can_edit_post(${id}::text::uuid)`)
}

/**
 * Returns a new post as the database functions expect it, with the ids of its uploads. Checks a video that was sent
 * directly to Storage.
 *
 * @throws ApiError 400 if the caller cannot use an upload; 403 if the caller is not allowed to publish the post; 413,
 *   415, 429 or 503 for a video that was sent directly to Storage
 */
export async function preparePost(
  caller: Caller,
  { id = crypto.randomUUID(), isPremium, premiumPrice, imageUrl, videoUrl, posterUrl, ...post }: NewPost,
) {
  const image = mediaIdFromUrl('imageUrl', imageUrl)
  const video = mediaIdFromUrl('videoUrl', videoUrl)
  const poster = video && mediaIdFromUrl('posterUrl', posterUrl)
  if (video) {
    // Permission is checked before `finalizeVideoUpload` moves or deletes the uploaded file.
    await requireCanPublish(caller, isPremium)
    await finalizeVideoUpload(caller, video)
  }
  const price = isPremium ? (premiumPrice ?? limits.premiumPrice.default).toFixed(2) : null
  return {
    id,
    isIncluded: isPremium && post.includedInSubscription,
    showsUnlocks: isPremium && post.showUnlocks,
    quotedPostId: post.quotedPostId ?? null,
    /** The last arguments of the functions that store a post. */
    values: sql`${post.content}::text, ${price}::text::numeric, ${post.teaser ?? null}::text, ${image}::text::uuid,
      ${video}::text::uuid, ${poster}::text::uuid, ${post.altText ?? null}::text`,
  }
}

/**
 * Stores a post. Idempotent: a repeated `id` returns the stored post, with `created` set to false.
 *
 * @throws ApiError 400 if the caller cannot use an upload; 403 if the caller is not allowed to publish the post or to
 *   quote `quotedPostId`; 404 if the caller cannot see the quoted post; 409 if the id is taken; 413, 415 or 503 for a
 *   video that was sent directly to Storage; 429 after too many posts or video checks
 */
export async function createPost(
  caller: Caller,
  post: NewPost,
): Promise<{ created: boolean; item: JsonText<Post> }> {
  const { id, isIncluded, showsUnlocks, quotedPostId, values } = await preparePost(caller, post)
  const [[published], , , [row]] = await asUser(caller, (tx) => [
    tx<{ created: boolean }[]>`
      select ${quotedPostId ? sql`private.publish_quote(${quotedPostId}::text::uuid, ` : sql`private.publish_post(`}
        ${id}::text::uuid, ${values}) as created`,
    tx`select private.set_included_in_subscription(${id}::text::uuid) where ${isIncluded}::boolean`,
    tx`select private.show_unlocks(${id}::text::uuid) where ${showsUnlocks}::boolean`,
    selectPost(tx, caller, id),
  ])
  // The id belongs to a post that the caller did not write or cannot see.
  if (!row?.mine) throw new ApiError(409, 'This ID is already in use.')
  announcePostsInBackground()
  return { created: published?.created ?? false, item: row.item }
}

/**
 * Edits one of the caller's own posts and returns it. Fields that `changes` omits keep their values.
 *
 * @throws ApiError 400, 403, 404, 429
 */
export async function editPost(caller: Caller, id: string, changes: PostChanges): Promise<JsonText<Post>> {
  const [, [row]] = await asUser(caller, (tx) => [
    tx`select private.edit_post(${id}::text::uuid, ${JSON.stringify(changes)}::text::jsonb)`,
    selectPost(tx, caller, id),
  ])
  if (!row) throw postNotFound()
  return row.item
}

/**
 * Pins one of the caller's own posts to the top of their profile, in place of any other, or unpins it.
 *
 * @throws ApiError 403, 404, 429
 */
export async function setPostPinned(caller: Caller, id: string, pinned: boolean): Promise<void> {
  await asUser(caller, (tx) => tx`select private.set_post_pinned(${id}::text::uuid, ${pinned}::boolean)`)
}

/**
 * Counts the posts in one of the caller's feeds that other users published or, in the `following` feed, reposted after
 * `since`, up to `limits.newPostsCountCap`.
 *
 * @param since a time in ISO 8601
 */
export async function countNewPosts(caller: Caller, feed: Feed, since: string): Promise<{ count: number }> {
  const time = sql`${since}::text::timestamptz`
  const maxCount = sql`${limits.newPostsCountCap}::integer`
  const counts: Record<Feed, SqlFragment> = {
    'for-you': sql`select private.count_new_posts(${time}, ${maxCount}) as count`,
    following: sql`select private.count_new_following_posts(${time}, ${maxCount}) as count`,
    subscriptions: sql`
      select count(*)::integer as count from private.list_subscription_posts(${time}, null, null, null, ${maxCount})`,
  }
  const [row] = await asUser(caller, (tx) => tx<{ count: number }[]>`${counts[feed]}`)
  return { count: row?.count ?? 0 }
}

/**
 * Counts one user's posts that the caller may see and that are newer than `since`, up to `limits.newPostsCountCap`. The
 * caller's own posts do not count.
 *
 * @param identifier a user id or a username
 * @param since a time in ISO 8601
 * @throws ApiError 404
 */
export async function countNewPostsByUser(
  caller: Caller | null,
  identifier: string,
  since: string,
): Promise<{ count: number }> {
  const [users, [row]] = await asCaller(caller, (tx) => [
    tx`select from public.profiles u where ${matchesIdentifier(identifier)}`,
    tx<{ count: number }[]>`
      select count(*)::integer as count from (
        select from public.posts p
        where p.author_id = ${visibleAuthor(identifier)}
          and p.author_id is distinct from ${caller?.userId ?? null}::text::uuid
          and p.created_at > ${since}::text::timestamptz
        order by p.created_at desc limit ${limits.newPostsCountCap}::integer) newer`,
  ])
  if (users.count === 0) throw userNotFound()
  return { count: row?.count ?? 0 }
}

/**
 * Deletes one of the caller's own posts.
 *
 * @throws ApiError 403 if another user wrote the post; 404 if the caller cannot see it
 */
export async function deletePost(caller: Caller, id: string): Promise<void> {
  const [{ count }, visiblePosts] = await asUser(caller, (tx) => [
    tx`delete from public.posts p where p.id = ${id}::text::uuid and p.author_id = ${caller.userId}::text::uuid`,
    tx`select from public.posts p where p.id = ${id}::text::uuid`,
  ])
  if (count > 0) return announcePostsInBackground()
  throw visiblePosts.count > 0 ? new ApiError(403, 'Only the author can delete a post.') : postNotFound()
}

/**
 * Likes a post, or removes the caller's like.
 *
 * @throws ApiError 403 if the account is read-only; 404 if there is no such post
 */
export async function toggleLike(caller: Caller, id: string): Promise<LikeResponse> {
  const [row] = await asUser(
    caller,
    (tx) => tx<{ liked: boolean; count: number | null }[]>`
      select t.liked, t.likes_count as count from public.toggle_like(${id}::text::uuid) t`,
  )
  if (!row) throw postNotFound()
  // The count is null when the caller removes a like from a post that they can no longer see.
  return { liked: row.liked, likesCount: row.count ?? 0 }
}

/**
 * Saves a post, or removes it from the caller's saved posts.
 *
 * @throws ApiError 403 if the account is read-only; 404 if there is no such post
 */
export async function toggleSave(caller: Caller, id: string): Promise<{ saved: boolean }> {
  const [row] = await asUser(
    caller,
    (tx) => tx<{ saved: boolean }[]>`select t.saved from public.toggle_save(${id}::text::uuid) t(saved)`,
  )
  if (!row) throw postNotFound()
  return { saved: row.saved }
}

/**
 * Reposts a post, or undoes the caller's repost. Idempotent.
 *
 * @throws ApiError 403 if the post cannot be reposted or the account is read-only; 404 if there is no such post
 */
export async function setReposted(caller: Caller, id: string, reposted: boolean): Promise<RepostResponse> {
  const [row] = await asUser(
    caller,
    (tx) => tx<{ count: number | null }[]>`
      select private.set_reposted(${id}::text::uuid, ${reposted}::boolean) as count`,
  )
  // The count is null when the caller undoes the repost of a post that they can no longer see.
  return { reposted, repostsCount: row?.count ?? 0 }
}

const postTime = sql`p.created_at`
const postId = sql`p.id`

/** Returns a condition that omits posts newer than a time in ISO 8601, or an empty fragment if no time is given. */
const createdUntil = (until: string | undefined) =>
  until === undefined ? sql`` : sql`and p.created_at <= ${until}::text::timestamptz`

/**
 * Returns SQL for the id of the user with this identifier, if the caller may see the user's posts. Visibility is
 * checked once per query: with the policy alone, the query would read and reject every post of a hidden profile.
 */
const visibleAuthor = (identifier: string) => sql`(
  select u.id from public.profiles u where ${matchesIdentifier(identifier)} and private.can_view_profile(u.id))`

/**
 * A condition on the post `p`: its author's content is discoverable. A scalar subquery looks up one row per post; the
 * planner could turn a join into a scan of all profiles.
 */
const isDiscoverable = sql`(select true from private.discoverable_profiles d where d.id = p.author_id)`

/**
 * Lists the posts in the "For you" tab of the home feed, newest first: those by users whose content is discoverable or
 * whom the caller follows, and the caller's own. Omits posts that the caller may not see. Uses one index scan,
 * regardless of the number of posts.
 */
export async function listHomeFeed(
  caller: Caller | null,
  range: PageRange,
  until?: string,
): Promise<Page<Post>> {
  const rows = await asCaller(
    caller,
    (tx) => tx<PageRow[]>`
      select ${postJson(caller)} as item, ${cursorKey(postTime, postId)} as key
      from public.posts p ${postJoins(caller)}
      where (select true from private.discoverable_authors h where h.id = p.author_id)
        ${createdUntil(until)} ${afterCursor(range, postTime, postId)}
      order by p.created_at desc, p.id desc ${limitClause(range)}`,
  )
  return toPage(rows, range)
}

/**
 * Lists the caller's own posts, those of users whom the caller follows, and those that these users reposted, newest
 * first. A post is sorted by the time of its latest such repost or, if there is none, by its own time. Omits posts and
 * reposts that the caller may not see.
 */
export async function listFollowingPosts(
  caller: Caller,
  range: PageRange,
  until?: string,
): Promise<Page<Post>> {
  const { limit, offset, after } = range
  const [reposter, time] = [sql`listed.reposter_id`, sql`listed.listed_at`]
  const repost = sql`case when ${reposter} is not null then ${repostedBy(reposter, time)} end`
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select ${postJson(caller, repost)} as item, ${cursorKey(time, postId)} as key
      from private.list_following_posts(${until ?? null}::text::timestamptz, ${after?.at ?? null}::text::timestamptz,
        ${after?.id ?? null}::text::uuid, ${limit + 1 + offset}::integer) listed
      join public.posts p on p.id = listed.post_id ${postJoins(caller)}
      order by listed.listed_at desc, p.id desc ${limitClause(range)}`,
  )
  return toPage(rows, range)
}

/** Lists the posts of the creators whom the caller is subscribed to, newest first. */
export async function listSubscriptionPosts(
  caller: Caller,
  range: PageRange,
  until?: string,
): Promise<Page<Post>> {
  const { limit, offset, after } = range
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select ${postJson(caller)} as item, ${cursorKey(postTime, postId)} as key
      from private.list_subscription_posts(null, ${until ?? null}::text::timestamptz,
        ${after?.at ?? null}::text::timestamptz, ${after?.id ?? null}::text::uuid, ${limit + 1 + offset}::integer) listed
      join public.posts p on p.id = listed.post_id ${postJoins(caller)}
      order by p.created_at desc, p.id desc ${limitClause(range)}`,
  )
  return toPage(rows, range)
}

/**
 * Lists the posts of other users whose content is discoverable. If `topic` is given, lists only posts whose public text
 * contains that hashtag. Omits posts that the caller may not see. With `sort` 'latest', lists the newest posts first,
 * and scans the same index as `listHomeFeed` or, with a topic, `listPostsByTag`. With 'popular', lists the posts in
 * `private.popular_posts` before the others; in the cursors of these posts, the rank is the post's `place`. If the
 * `trending` job runs while a client is paging through that list, the client can get a post twice or miss one.
 */
export async function listDiscoverablePosts(
  caller: Caller,
  range: PageRange,
  { topic, sort }: Pick<DiscoverPostsQuery, 'topic' | 'sort'>,
): Promise<Page<Post>> {
  const { after } = range
  const isPopular = sort === 'popular'
  const innerLimit = limitClause({ ...range, limit: range.limit + range.offset, offset: 0 })
  const isListed = sql`${isDiscoverable} and p.author_id <> ${caller.userId}::text::uuid`
  const tag = sql`private.normalize_tag(${topic ?? ''}::text)`
  const hasTopic = topic
    ? sql`and exists (select from public.post_tags t where t.post_id = p.id and t.tag = ${tag})`
    : sql``
  const popular = sql`
    (select p.*, popular.place
     from private.popular_posts popular join public.posts p on p.id = popular.post_id
     where popular.place > ${after?.rank ?? 0}::int and ${isListed} ${hasTopic}
     order by popular.place ${innerLimit}) union all`
  const isInPopular = isPopular && (!after || after.rank > 0)
  const [time, id] = topic ? [sql`t.created_at`, sql`t.post_id`] : [postTime, postId]
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select ${postJson(caller)} as item, ${cursorKey(postTime, postId)} || coalesce('_' || p.place, '') as key
      from (
        ${isInPopular ? popular : sql``}
        (select p.*, null::integer as place
         from ${topic ? sql`public.post_tags t join public.posts p on p.id = t.post_id` : sql`public.posts p`}
         where ${isListed} ${topic ? sql`and t.tag = ${tag}` : sql``}
           ${isPopular ? sql`and not exists (select from private.popular_posts x where x.post_id = p.id)` : sql``}
           ${isInPopular ? sql`` : afterCursor(range, time, id)}
         order by ${time} desc, ${id} desc ${innerLimit})
      ) p ${postJoins(caller)}
      order by p.place, p.created_at desc, p.id desc ${limitClause(range)}`,
  )
  return toPage(rows, range)
}

/**
 * Lists one user's posts that the caller may see: the pinned post, regardless of `until`, then the others, newest
 * first. The cursor of the pinned post has rank 1: the page after it starts with the newest of the other posts. If
 * another post is pinned while a client is paging through the list, the client can get a post twice or miss one.
 *
 * @param identifier a user id or a username
 * @throws ApiError 404
 */
export async function listPostsByUser(
  caller: Caller | null,
  identifier: string,
  range: PageRange,
  until?: string,
): Promise<Page<Post>> {
  const unpinnedRange = { ...range, limit: range.limit + range.offset, offset: 0 }
  const [users, rows] = await asCaller(caller, (tx) => [
    tx`select from public.profiles u where ${matchesIdentifier(identifier)}`,
    tx<PageRow[]>`
      with author as (select ${visibleAuthor(identifier)} as id)
      select ${postJson(caller)} as item,
             ${cursorKey(postTime, postId)} || case when p.pinned then '_1' else '' end as key
      from (
        ${range.after ? sql`` : sql`(select p.* from public.posts p where p.author_id = (select id from author) and p.pinned) union all`}
        (select p.* from public.posts p
         where p.author_id = (select id from author) and not p.pinned ${createdUntil(until)}
           ${range.after?.rank === 1 ? sql`` : afterCursor(range, postTime, postId)}
         order by p.created_at desc, p.id desc ${limitClause(unpinnedRange)})
      ) p ${postJoins(caller)}
      order by p.pinned desc, p.created_at desc, p.id desc ${limitClause(range)}`,
  ])
  if (users.count === 0) throw userNotFound()
  return toPage(rows, range)
}

/**
 * Lists one user's posts, newest first: only those of `kind`, if given, and only those whose public text or product
 * name contains all words of `q`. Omits posts that the caller may not see. A page of a search may contain fewer posts
 * than requested, or none, even if it is not the last one: see `private.list_posts_by_user`.
 *
 * @param identifier a user id or a username
 * @param q empty for all posts
 * @throws ApiError 404
 */
export async function filterPostsByUser(
  caller: Caller | null,
  identifier: string,
  range: PageRange,
  { kind, q, until }: { kind: PostKind | undefined; q: string; until: string | undefined },
): Promise<Page<Post>> {
  const { limit, offset, after } = range
  const [users, rows] = await asCaller(caller, (tx) => [
    tx`select from public.profiles u where ${matchesIdentifier(identifier)}`,
    tx<(Omit<PageRow, 'item'> & { item: string | null })[]>`
      select case when p.id is not null then ${postJson(caller)} end as item,
             coalesce(found.next_key, ${cursorKey(postTime, postId)}) as key
      from private.list_posts_by_user(${visibleAuthor(identifier)}, ${kind ?? null}::text, ${q || null}::text,
        ${until ?? null}::text::timestamptz, ${after?.at ?? null}::text::timestamptz,
        ${after?.id ?? null}::text::uuid, ${limit + 1 + offset}::integer) found
      left join (public.posts p ${postJoins(caller)}) on p.id = found.post_id
      where p.id is not null or found.next_key is not null
      order by p.created_at desc nulls last, p.id desc ${limitClause(range)}`,
  ])
  if (users.count === 0) throw userNotFound()
  const page = toPage<Post>(
    rows.filter((row): row is PageRow => row.item !== null),
    range,
  )
  return { ...page, next: page.next ?? rows.find(({ item }) => item === null)?.key ?? null }
}

/**
 * Lists the posts whose public text contains a hashtag and whose author's content is discoverable, newest first. Omits
 * posts that the caller may not see.
 *
 * @param tag case-insensitive
 */
export async function listPostsByTag(
  caller: Caller | null,
  tag: string,
  range: PageRange,
): Promise<Page<Post>> {
  const time = sql`t.created_at`
  const id = sql`t.post_id`
  const rows = await asCaller(
    caller,
    (tx) => tx<PageRow[]>`
      select ${postJson(caller)} as item, ${cursorKey(time, id)} as key
      from public.post_tags t join public.posts p on p.id = t.post_id ${postJoins(caller)}
      where t.tag = private.normalize_tag(${tag}::text) and ${isDiscoverable} ${afterCursor(range, time, id)}
      order by t.created_at desc, t.post_id desc ${limitClause(range)}`,
  )
  return toPage(rows, range)
}

/**
 * Lists the posts that a user reposted, most recently reposted first. Omits posts and reposts that the caller may not
 * see.
 *
 * @param identifier a user id or a username
 * @throws ApiError 404
 */
export async function listReposts(
  caller: Caller | null,
  identifier: string,
  range: PageRange,
): Promise<Page<Post>> {
  const [time, id] = [sql`r.created_at`, sql`r.post_id`]
  const [users, rows] = await asCaller(caller, (tx) => [
    tx`select from public.profiles u where ${matchesIdentifier(identifier)}`,
    tx<PageRow[]>`
      select ${postJson(caller, repostedBy(sql`r.user_id`, time))} as item, ${cursorKey(time, id)} as key
      from public.reposts r join public.posts p on p.id = r.post_id ${postJoins(caller)}
      where r.user_id = ${visibleAuthor(identifier)} ${afterCursor(range, time, id)}
      order by r.created_at desc, r.post_id desc ${limitClause(range)}`,
  ])
  if (users.count === 0) throw userNotFound()
  return toPage(rows, range)
}

/** Lists the posts that the caller saved and can still see, most recently saved first. */
export const listSavedPosts = (caller: Caller, range: PageRange): Promise<Page<Post>> =>
  listPostsFrom(sql`public.saves`, caller, range)

/** Lists the posts that the caller likes and can still see, most recently liked first. */
export const listLikedPosts = (caller: Caller, range: PageRange): Promise<Page<Post>> =>
  listPostsFrom(sql`public.likes`, caller, range)

/** Lists the posts in the caller's rows of `table`, latest row first. The table has one row per user and post. */
async function listPostsFrom(table: SqlFragment, caller: Caller, range: PageRange): Promise<Page<Post>> {
  const [time, id] = [sql`marked.created_at`, sql`marked.post_id`]
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select ${postJson(caller)} as item, ${cursorKey(time, id)} as key
      from ${table} marked join public.posts p on p.id = marked.post_id ${postJoins(caller)}
      where marked.user_id = ${caller.userId}::text::uuid ${afterCursor(range, time, id)}
      order by marked.created_at desc, marked.post_id desc ${limitClause(range)}`,
  )
  return toPage(rows, range)
}

const likedTime = sql`l.created_at`
const likedId = sql`l.post_id`

/** Lists the ids of the posts that the caller likes, most recently liked first. */
export async function listLikedPostIds(caller: Caller, range: PageRange): Promise<Page<string>> {
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select to_json(l.post_id)::text as item, ${cursorKey(likedTime, likedId)} as key
      from public.likes l
      where l.user_id = ${caller.userId}::text::uuid ${afterCursor(range, likedTime, likedId)}
      order by l.created_at desc, l.post_id desc ${limitClause(range)}`,
  )
  return toPage(rows, range)
}
