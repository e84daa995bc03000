import type { OwnUser, User, UserDetails, UserStats } from '../contract/user.ts'
import { keyOf, type PageRow, type Range, sql, toPage, window } from '../db/page.ts'
import { asCaller, asService, asUser, type Sql } from '../db/run.ts'
import type { JsonText, Page } from '../http/answers.ts'
import { notFound, unauthorized } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { joined, ownTables, ownUser, user, userDetails } from './columns.ts'

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The condition that `identifier` (an id, or a username in any case) names the profile `u`. */
export const named = (identifier: string) =>
  uuid.test(identifier)
    ? sql`u.id = ${identifier}::text::uuid`
    : sql`lower(u.username) = lower(${identifier}::text)`

export const userNotFound = () => notFound('User not found')

/** The caller's own record. */
export async function readOwnUser(caller: Caller): Promise<JsonText<OwnUser>> {
  const rows = await asUser(caller, (tx) => selectOwnUser(tx, caller.userId))
  if (!rows[0]) throw unauthorized()
  return rows[0].item
}

/** The record of somebody who has just registered. */
export async function readNewUser(id: string): Promise<JsonText<OwnUser>> {
  const rows = await asService('an account that was just made has no session yet', (tx) =>
    selectOwnUser(tx, id),
  )
  if (!rows[0]) throw userNotFound()
  return rows[0].item
}

export const selectOwnUser = (tx: Sql, id: string) => tx<{ item: JsonText<OwnUser> }[]>`
  select ${ownUser} as item from ${ownTables}
  where u.id = ${id}::text::uuid`

/** One person as the caller may see them. */
export async function readUser(caller: Caller | null, identifier: string): Promise<JsonText<UserDetails>> {
  const rows = await asCaller(
    caller,
    (tx) => tx<{ item: JsonText<UserDetails> }[]>`
      select ${userDetails(caller)} as item from public.profiles u ${joined(caller)} where ${named(identifier)}`,
  )
  if (!rows[0]) throw userNotFound()
  return rows[0].item
}

/** Somebody's counts; null where they are hidden from the caller. */
export async function readStats(caller: Caller | null, identifier: string): Promise<UserStats> {
  const rows = await asCaller(
    caller,
    (tx) => tx<UserStats[]>`
      select c.posts, c.followers, c.following, c.subscribers
      from public.profiles u left join public.profile_counts c on c.user_id = u.id
      where ${named(identifier)}`,
  )
  if (!rows[0]) throw userNotFound()
  return rows[0]
}

/**
 * The directory, by sign-up: everybody but the caller and those who do not want to be listed, unless the caller
 * already talks with them. The page is cut before anything is looked up for it: an offset costs the people passed
 * over, not their relations.
 */
export async function listDirectory(caller: Caller, range: Range): Promise<Page<User>> {
  const { after } = range
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select ${user(caller)} as item, ${keyOf(sql`u.created_at`, sql`u.id`)} as key
      from (
        select u.* from public.profiles u
        where u.id <> ${caller.userId}::text::uuid and ${listed(caller)}
        ${after ? sql`and (u.created_at, u.id) > (${after.at}::text::timestamptz, ${after.id}::text::uuid)` : sql``}
        order by u.created_at, u.id ${window(range)}
      ) u ${joined(caller)}
      order by u.created_at, u.id`,
  )
  return toPage(rows, range)
}

const listed = (caller: Caller) => sql`(u.show_in_directory or u.id = ${caller.userId}::text::uuid or exists (
  select from public.conversation_members m where m.user_id = ${caller.userId}::text::uuid and m.other_id = u.id))`
