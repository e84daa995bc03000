import { limits } from '../contract/limits.ts'
import type {
  CreatorUpdate,
  FollowResponse,
  FollowStatus,
  PostAlerts,
  User,
  UserCard,
} from '../contract/user.ts'
import {
  afterCursor,
  cursorKey,
  limitClause,
  type Page,
  type PageRange,
  type PageRow,
  toPage,
} from '../db/page.ts'
import { type JsonText, sql, toJsonArray } from '../db/sql.ts'
import type { Caller } from '../http/caller.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { asService, asUser, requireSession } from '../http/run-as.ts'
import { postJoins } from '../posts/presenter.ts'
import { userCardFields, userCardFieldsForUser, userJoins, userJson } from './presenter.ts'
import { userNotFound } from './queries.ts'

/**
 * Follows a user or requests to follow them, or undoes either. `followersCount` is omitted if it is hidden from the
 * caller.
 *
 * @throws ApiError 400 if the user is the caller; 403 if the account is read-only, unless the call undoes a follow or
 *   request; 404 if the caller cannot see the user; 429
 */
export async function toggleFollow(caller: Caller, id: string): Promise<FollowResponse> {
  const [[toggled], [counts]] = await asUser(caller, (tx) => [
    tx<{ status: FollowStatus }[]>`select public.toggle_follow(${id}::text::uuid) as status`,
    tx<{ followers: number }[]>`
      select c.followers from public.profile_counts c where c.user_id = ${id}::text::uuid`,
  ])
  const status = toggled?.status ?? 'none'
  return {
    status,
    following: status === 'following',
    ...(counts ? { followersCount: counts.followers } : {}),
  }
}

/**
 * Sets which new posts by a followed user the caller wants to be notified about.
 *
 * @throws ApiError 404 if the caller does not follow the user; 429
 */
export async function setPostAlerts(caller: Caller, id: string, postAlerts: PostAlerts): Promise<void> {
  const { count } = await asUser(
    caller,
    (tx) => tx`
      insert into public.post_alerts (user_id, author_id, level)
      select f.follower_id, f.followee_id, ${postAlerts}::text from public.follows f
      where f.follower_id = ${caller.userId}::text::uuid and f.followee_id = ${id}::text::uuid
      on conflict (user_id, author_id) do update set level = excluded.level`,
  )
  if (count === 0) throw notFound("You don't follow this user.")
}

/**
 * Accepts a user's request to follow the caller.
 *
 * @throws ApiError 403 if the account is read-only; 404 if there is no such request
 */
export async function acceptFollowRequest(caller: Caller, followerId: string): Promise<void> {
  const [row] = await asUser(
    caller,
    (tx) => tx<{ done: boolean }[]>`select private.accept_follow_request(${followerId}::text::uuid) as done`,
  )
  if (!row?.done) throw followRequestNotFound()
}

/**
 * Declines a user's request to follow the caller.
 *
 * @throws ApiError 404 if there is no such request
 */
export async function declineFollowRequest(caller: Caller, followerId: string): Promise<void> {
  const { count } = await asUser(
    caller,
    (tx) => tx`
      delete from public.follow_requests r
      where r.follower_id = ${followerId}::text::uuid and r.followee_id = ${caller.userId}::text::uuid`,
  )
  if (count === 0) throw followRequestNotFound()
}

const followRequestNotFound = () => notFound('Follow request not found.')

/**
 * Blocks a user. Idempotent.
 *
 * @throws ApiError 400 if the user is the caller; 404 if the user does not exist
 */
export async function blockUser(caller: Caller, id: string): Promise<void> {
  if (id.toLowerCase() === caller.userId) throw new ApiError(400, 'You cannot block yourself.')
  try {
    await asUser(
      caller,
      (tx) => tx`insert into public.blocks (blocker_id, blocked_id)
                 values (${caller.userId}::text::uuid, ${id}::text::uuid) on conflict do nothing`,
    )
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) throw userNotFound()
    throw error
  }
}

/** Removes the caller's block of a user. Idempotent. */
export async function unblockUser(caller: Caller, id: string): Promise<void> {
  await asUser(
    caller,
    (tx) => tx`delete from public.blocks b
               where b.blocker_id = ${caller.userId}::text::uuid and b.blocked_id = ${id}::text::uuid`,
  )
}

/** Lists the users whom the caller has blocked, latest first. */
export async function listBlockedUsers(caller: Caller, range: PageRange): Promise<Page<UserCard>> {
  await requireSession(caller)
  // Runs as the service role, because a block hides the two users from each other, but the caller must see whom they
  // blocked.
  const rows = await asService(
    (tx) => tx<PageRow[]>`
      select json_build_object(${userCardFields})::text as item,
             ${cursorKey(sql`b.created_at`, sql`b.blocked_id`)} as key
      from public.blocks b join public.profiles u on u.id = b.blocked_id
      where b.blocker_id = ${caller.userId}::text::uuid
      ${afterCursor(range, sql`b.created_at`, sql`b.blocked_id`)}
      order by b.created_at desc, b.blocked_id desc ${limitClause(range)}`,
  )
  return toPage(rows, range)
}

/** Lists the ids of the users whom the caller follows, latest first. */
export async function listFollowingIds(caller: Caller, range: PageRange): Promise<Page<string>> {
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select to_json(e.followee_id)::text as item, ${cursorKey(sql`e.created_at`, sql`e.followee_id`)} as key
      from public.follows e
      where e.follower_id = ${caller.userId}::text::uuid
      ${afterCursor(range, sql`e.created_at`, sql`e.followee_id`)}
      order by e.created_at desc, e.followee_id desc ${limitClause(range)}`,
  )
  return toPage(rows, range)
}

/** Lists the users whom the caller follows: creators before other users, the latest follow first in both groups. */
export async function listFollowingUsers(caller: Caller, range: PageRange): Promise<Page<User>> {
  const { after } = range
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select ${userJson(caller)} as item,
             ${cursorKey(sql`e.created_at`, sql`u.id`)} || '_' || u.is_creator::int as key
      from public.follows e join public.profiles u on u.id = e.followee_id ${userJoins(caller)}
      where e.follower_id = ${caller.userId}::text::uuid
      ${
        after
          ? sql`and (u.is_creator::int, e.created_at, u.id)
                  < (${after.rank}::int, ${after.at}::text::timestamptz, ${after.id}::text::uuid)`
          : sql``
      }
      order by u.is_creator::int desc, e.created_at desc, u.id desc ${limitClause(range)}`,
  )
  return toPage(rows, range)
}

/**
 * Lists the creators whom the caller follows or is subscribed to and who posted recently, newest post first; see
 * `private.list_creator_updates`. The policies decide what the caller sees of the newest posts.
 *
 * @param maxRows the maximum number of creators
 */
export async function listCreatorUpdates(
  caller: Caller,
  maxRows: number,
): Promise<JsonText<CreatorUpdate[]>> {
  const rows = await asUser(
    caller,
    (tx) => tx<{ item: JsonText<CreatorUpdate> }[]>`
      select json_build_object(
        'user', json_build_object(${userCardFieldsForUser}), 'latestPostAt', found.latest_post_at,
        'latestPost', json_build_object(
          'id', p.id, 'isPremium', p.is_premium, 'locked', p.is_premium and paid.post_id is null,
          'text', left(coalesce(
            p.product ->> 'name', nullif(paid.content, ''), nullif(p.content, ''), p.teaser, ''), ${limits.creatorUpdateText}::int),
          'mediaType', p.media_type, 'placeholder', p.placeholder,
          'imageUrl', '/api/media/' || case p.media_type
            when 'image' then coalesce(paid.media_id, p.media_id)
            when 'video' then coalesce(paid.poster_id, p.poster_id) end))::text as item
      from private.list_creator_updates(${maxRows}::int) found
      cross join lateral (
        select p.* from public.posts p
        where p.author_id = found.user_id and p.created_at = found.latest_post_at and p.hidden is null
        order by p.id desc limit 1
      ) p ${postJoins(caller)}
      order by found.latest_post_at desc, found.user_id`,
  )
  return toJsonArray(rows)
}

/** Lists the users with a pending request to follow the caller, latest first. */
export async function listFollowRequests(caller: Caller, range: PageRange): Promise<Page<User>> {
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select ${userJson(caller)} as item, ${cursorKey(sql`e.created_at`, sql`u.id`)} as key
      from public.follow_requests e join public.profiles u on u.id = e.follower_id ${userJoins(caller)}
      where e.followee_id = ${caller.userId}::text::uuid
      ${afterCursor(range, sql`e.created_at`, sql`u.id`)}
      order by e.created_at desc, u.id desc ${limitClause(range)}`,
  )
  return toPage(rows, range)
}

/**
 * Lists a user's followers, or the users whom this user follows, latest first. The inner query applies the limit before
 * the joins, so that skipped rows are not joined.
 *
 * @throws ApiError 403 if the caller may not see the list; 404 if the caller cannot see the user
 */
export async function listFollows(
  caller: Caller,
  id: string,
  side: 'followers' | 'following',
  range: PageRange,
): Promise<Page<User>> {
  const { after } = range
  const [[profile], rows] = await asUser(caller, (tx) => [
    tx<{ shown: boolean }[]>`
        select private.can_view_profile_counts(u.id) as shown from public.profiles u where u.id = ${id}::text::uuid`,
    // The policy on `follows` shows users only their own rows. The function below runs with its owner's privileges and
    // itself checks whether the caller may see the list.
    tx<PageRow[]>`
        select ${userJson(caller)} as item, ${cursorKey(sql`e.since`, sql`u.id`)} as key
        from (
          select f.* from private.list_follows(
            ${id}::text::uuid, ${side}::text, ${after?.at ?? null}::text::timestamptz, ${after?.id ?? null}::text::uuid,
            ${range.offset + range.limit + 1}::int) f
          order by f.since desc, f.user_id desc ${limitClause(range)}
        ) e
        join public.profiles u on u.id = e.user_id ${userJoins(caller)}
        order by e.since desc, u.id desc`,
  ])
  if (!profile) throw userNotFound()
  if (!profile.shown) throw new ApiError(403, 'This user keeps this list private.')
  return toPage(rows, range)
}
