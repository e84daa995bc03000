import type { FollowAnswer, FollowStatus, User, UserCard } from '../contract/user.ts'
import { keyOf, type PageRow, type Range, sql, toPage, window } from '../db/page.ts'
import { asService, asUser } from '../db/run.ts'
import type { Page } from '../http/answers.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { confirmSession } from '../http/live.ts'
import type { Caller } from '../http/session.ts'
import { card } from './card.ts'
import { joined, user } from './columns.ts'
import { userNotFound } from './queries.ts'

/** Follows, asks to follow, or takes either back; the count is left out where it is hidden from the caller. */
export async function toggleFollow(caller: Caller, id: string): Promise<FollowAnswer> {
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

/** Lets somebody follow the caller who asked to. */
export async function acceptFollowRequest(caller: Caller, follower: string): Promise<void> {
  const [row] = await asUser(
    caller,
    (tx) => tx<{ done: boolean }[]>`select private.accept_follow_request(${follower}::text::uuid) as done`,
  )
  if (!row?.done) throw notFound('There is no such request.')
}

/** Declines somebody's request to follow the caller. */
export async function declineFollowRequest(caller: Caller, follower: string): Promise<void> {
  const { count } = await asUser(
    caller,
    (tx) => tx`
      delete from public.follow_requests r
      where r.follower_id = ${follower}::text::uuid and r.followee_id = ${caller.userId}::text::uuid`,
  )
  if (count === 0) throw notFound('There is no such request.')
}

/** Blocks somebody; doing it again changes nothing. */
export async function block(caller: Caller, id: string): Promise<void> {
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

/** Takes the caller's own block of somebody back; nothing happens when there is none. */
export async function unblock(caller: Caller, id: string): Promise<void> {
  await asUser(
    caller,
    (tx) => tx`delete from public.blocks b
               where b.blocker_id = ${caller.userId}::text::uuid and b.blocked_id = ${id}::text::uuid`,
  )
}

/** Whom the caller has blocked, the latest first. */
export async function listBlocked(caller: Caller, range: Range): Promise<Page<UserCard>> {
  await confirmSession(caller)
  const { after } = range
  const rows = await asService(
    'a block hides both profiles from each other, yet its maker must see whom it names',
    (tx) => tx<PageRow[]>`
      select json_build_object(${card})::text as item, ${keyOf(sql`b.created_at`, sql`b.blocked_id`)} as key
      from public.blocks b join public.profiles u on u.id = b.blocked_id
      where b.blocker_id = ${caller.userId}::text::uuid
      ${
        after
          ? sql`and (b.created_at, b.blocked_id) < (${after.at}::text::timestamptz, ${after.id}::text::uuid)`
          : sql``
      }
      order by b.created_at desc, b.blocked_id desc ${window(range)}`,
  )
  return toPage(rows, range)
}

/** Ids of the people the caller follows, the latest first. */
export async function listFollowingIds(caller: Caller, range: Range): Promise<Page<string>> {
  const { after } = range
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select to_json(e.followee_id)::text as item, ${keyOf(sql`e.created_at`, sql`e.followee_id`)} as key
      from public.follows e
      where e.follower_id = ${caller.userId}::text::uuid
      ${
        after
          ? sql`and (e.created_at, e.followee_id) < (${after.at}::text::timestamptz, ${after.id}::text::uuid)`
          : sql``
      }
      order by e.created_at desc, e.followee_id desc ${window(range)}`,
  )
  return toPage(rows, range)
}

/** The people the caller follows, creators first, then the latest. */
export async function listFollowingUsers(caller: Caller, range: Range): Promise<Page<User>> {
  const { after } = range
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select ${user(caller)} as item,
             ${keyOf(sql`e.created_at`, sql`u.id`)} || '_' || u.is_creator::int as key
      from public.follows e join public.profiles u on u.id = e.followee_id ${joined(caller)}
      where e.follower_id = ${caller.userId}::text::uuid
      ${
        after
          ? sql`and (u.is_creator::int, e.created_at, u.id)
                  < (${after.rank}::int, ${after.at}::text::timestamptz, ${after.id}::text::uuid)`
          : sql``
      }
      order by u.is_creator::int desc, e.created_at desc, u.id desc ${window(range)}`,
  )
  return toPage(rows, range)
}

/** Who asked to follow the caller and waits for an answer, the latest first. */
export async function listFollowRequests(caller: Caller, range: Range): Promise<Page<User>> {
  const { after } = range
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select ${user(caller)} as item, ${keyOf(sql`e.created_at`, sql`u.id`)} as key
      from public.follow_requests e join public.profiles u on u.id = e.follower_id ${joined(caller)}
      where e.followee_id = ${caller.userId}::text::uuid
      ${after ? sql`and (e.created_at, u.id) < (${after.at}::text::timestamptz, ${after.id}::text::uuid)` : sql``}
      order by e.created_at desc, u.id desc ${window(range)}`,
  )
  return toPage(rows, range)
}

/**
 * Who follows somebody, or whom they follow, the latest first.
 *
 * @throws ApiError 404 for nobody the caller may know of, 403 where the person hides it
 */
export async function listFollows(
  caller: Caller,
  id: string,
  side: 'followers' | 'following',
  range: Range,
): Promise<Page<User>> {
  const { after } = range
  const [[person], rows] = await asUser(caller, (tx) => [
    tx<{ shown: boolean }[]>`
        select private.can_view_counts(u.id) as shown from public.profiles u where u.id = ${id}::text::uuid`,
    // The table shows everybody their own edges only; the function knows who shows their lists to whom.
    tx<PageRow[]>`
        select ${user(caller)} as item, ${keyOf(sql`e.since`, sql`u.id`)} as key
        from private.list_follows(
          ${id}::text::uuid, ${side}::text, ${after?.at ?? null}::text::timestamptz, ${after?.id ?? null}::text::uuid,
          ${range.offset + range.limit + 1}::int) e
        join public.profiles u on u.id = e.person_id ${joined(caller)}
        order by e.since desc, u.id desc ${window(range)}`,
  ])
  if (!person) throw userNotFound()
  if (!person.shown) throw new ApiError(403, 'This person does not show this list.')
  return toPage(rows, range)
}
