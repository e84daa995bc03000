import type {
  AdminStats,
  AdminUser,
  AdminUsersQuery,
  InstanceSettings,
  InstanceSettingsRequest,
} from '../contract/admin.ts'
import { limits } from '../contract/limits.ts'
import { decodeHex, encodeHex, type Page, type PageRow, parseCursor, toPage } from '../db/page.ts'
import { type JsonText, type Sql, sql } from '../db/sql.ts'
import { runInBackground } from '../http/background.ts'
import type { Caller } from '../http/caller.ts'
import { invalidField, requireRow } from '../http/errors.ts'
import { asUser } from '../http/run-as.ts'
import { userNotFound } from '../users/queries.ts'
import { refreshRestrictions } from './refresh-restrictions.ts'
import { adminUserJoins, adminUserJson } from './user-presenter.ts'

/** Selects the `AdminUser` with this id: one row, or none. */
export const selectAdminUser = (tx: Sql, id: string) => tx<{ item: JsonText<AdminUser> }[]>`
  select ${adminUserJson} as item from public.profiles u ${adminUserJoins} where u.id = ${id}::text::uuid`

/**
 * Returns the user that `selectAdminUser` found.
 *
 * @throws ApiError 404 if it found none
 */
export function requireFound(rows: readonly { item: JsonText<AdminUser> }[]): JsonText<AdminUser> {
  if (!rows[0]) throw userNotFound()
  return rows[0].item
}

/** A position in the list: the time or the normalized name by which the list is sorted, and the user's id. */
type ListCursor = { key: string; id: string }

const nameCursorPattern = /^name_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_((?:[0-9a-f]{2})*)$/

/**
 * Parses a list cursor. Returns null for the first page.
 *
 * @throws ApiError 400 if it is malformed or was issued for a different order
 */
function parseListCursor(cursor: string | undefined, isByName: boolean): ListCursor | null {
  if (!cursor) return null
  const [, id, hex] = nameCursorPattern.exec(cursor) ?? []
  const time = parseCursor(cursor)
  const name = decodeHex(hex ?? '')
  if (isByName && id && !name.includes('\0')) return { key: name, id }
  if (!isByName && time) return { key: time.at, id: time.id }
  throw invalidField('cursor', 'This cursor is not valid.')
}

/**
 * Returns a page of the users that match the query, newest first by default, and the total number of matching users.
 *
 * @throws ApiError 400 for an invalid cursor; 401; 403 if the caller is not an admin
 */
export async function listUsers(
  caller: Caller,
  query: AdminUsersQuery,
): Promise<Page<AdminUser> & { total: number }> {
  const { search = '', filter = 'all', sort = 'newest', limit = limits.page.adminUsers, offset = 0 } = query
  const isByName = sort === 'name' || sort === 'name_desc'
  const after = parseListCursor(query.cursor, isByName)
  const key = isByName
    ? sql`'name_' || f.user_id || '_' || ${encodeHex(sql`f.sort_key`)}`
    : sql`f.sort_key || '_' || f.user_id`
  const [[counted], rows] = await asUser(caller, (tx) => [
    tx<{ total: number }[]>`select private.count_accounts(${search}::text, ${filter}::text) as total`,
    tx<PageRow[]>`
      select ${adminUserJson} as item, ${key} as key
      from private.search_accounts(
        ${search}::text, ${filter}::text, ${sort}::text, ${after?.key ?? null}::text,
        ${after?.id ?? null}::text::uuid, ${offset}::integer, ${limit + 1}::integer
      ) with ordinality f(user_id, sort_key, place)
      join public.profiles u on u.id = f.user_id ${adminUserJoins}
      order by f.place`,
  ])
  return { ...toPage<AdminUser>(rows, { limit }), total: counted?.total ?? 0 }
}

/**
 * Returns a user with all details that admins may see.
 *
 * @throws ApiError 401, 403, 404
 */
export async function readUser(caller: Caller, id: string): Promise<JsonText<AdminUser>> {
  const [, rows] = await asUser(caller, (tx) => [tx`select private.require_admin()`, selectAdminUser(tx, id)])
  return requireFound(rows)
}

/**
 * Returns the numbers of users, sign-ups, open cases, open appeals and pending payouts.
 *
 * @throws ApiError 401, 403
 */
export async function readStats(caller: Caller): Promise<JsonText<AdminStats>> {
  const rows = await asUser(
    caller,
    (tx) => tx<{ item: string }[]>`select private.platform_counts()::text as item`,
  )
  return requireRow(rows).item
}

const selectSettings = (tx: Sql) => tx<{ item: JsonText<InstanceSettings> }[]>`
  select json_build_object(
    'requireApproval', coalesce(s.settings -> 'require_approval', 'false'),
    'signInAfterRegistration', coalesce(s.settings -> 'sign_in_after_registration', 'false'),
    'creatorProBilling', coalesce(s.settings -> 'creator_pro_billing', 'false'),
    'bannedWords', s.settings -> 'banned_words', 'autoPosting', s.settings -> 'auto_posting')::text as item
  from (select private.instance_settings() as settings) s`

/**
 * Returns the settings of this instance.
 *
 * @throws ApiError 401, 403
 */
export async function readSettings(caller: Caller): Promise<JsonText<InstanceSettings>> {
  return requireRow(await asUser(caller, selectSettings)).item
}

/**
 * Changes the given settings and returns all of them.
 *
 * @throws ApiError 400 if the posting hours do not end after they begin; 401; 403 if the caller is not an admin
 */
export async function changeSettings(
  caller: Caller,
  {
    requireApproval,
    signInAfterRegistration,
    creatorProBilling,
    bannedWords,
    autoPosting,
  }: InstanceSettingsRequest,
): Promise<JsonText<InstanceSettings>> {
  const changes = JSON.stringify({
    require_approval: requireApproval,
    sign_in_after_registration: signInAfterRegistration,
    creator_pro_billing: creatorProBilling,
    banned_words: bannedWords,
    auto_posting: autoPosting,
  })
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.update_instance_settings(${changes}::text::jsonb)`,
    selectSettings(tx),
  ])
  // If `requireApproval` changed, a trigger has refreshed the restrictions of a first batch of accounts. The other
  // accounts follow in the background.
  if (requireApproval !== undefined) runInBackground(refreshRestrictions(), 'restrictions_not_refreshed')
  return requireRow(rows).item
}
