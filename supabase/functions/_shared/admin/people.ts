import type { AdminUser, AdminUsersQuery } from '../contract/admin.ts'
import { limits } from '../contract/limits.ts'
import { keyOf, type PageRow, rangeOf, sql, toPage } from '../db/page.ts'
import { asUser } from '../db/run.ts'
import type { JsonText, Page } from '../http/answers.ts'
import type { Caller } from '../http/session.ts'
import { userNotFound } from '../users/queries.ts'
import { adminUser, joined, selectAdminUser } from './columns.ts'

/**
 * The people of this instance, the newest first, and how many there are in all that fit.
 *
 * @throws ApiError 401, 403
 */
export async function listPeople(
  caller: Caller,
  query: AdminUsersQuery,
): Promise<Page<AdminUser> & { total: number }> {
  const { search = '', filter = 'all' } = query
  const range = rangeOf(query, limits.page.adminUsers)
  const { after, offset, limit } = range
  const [[counted], rows] = await asUser(caller, (tx) => [
    tx<{ total: number }[]>`select private.count_accounts(${search}::text, ${filter}::text) as total`,
    tx<PageRow[]>`
      select ${adminUser} as item, ${keyOf(sql`f.joined_at`, sql`f.person_id`)} as key
      from private.find_accounts(${search}::text, ${filter}::text, ${after?.at ?? null}::text::timestamptz,
                                 ${after?.id ?? null}::text::uuid, ${offset}::integer, ${limit + 1}::integer) f
      join public.profiles u on u.id = f.person_id ${joined}
      order by f.joined_at desc, f.person_id desc`,
  ])
  return { ...toPage<AdminUser>(rows, range), total: counted?.total ?? 0 }
}

/**
 * One person, with everything that admins may know.
 *
 * @throws ApiError 401, 403, 404
 */
export async function readPerson(caller: Caller, id: string): Promise<JsonText<AdminUser>> {
  const [, rows] = await asUser(caller, (tx) => [tx`select private.require_admin()`, selectAdminUser(tx, id)])
  return onlyPerson(rows)
}

/** @throws ApiError 404 without a row */
export function onlyPerson(rows: readonly { item: JsonText<AdminUser> }[]): JsonText<AdminUser> {
  if (!rows[0]) throw userNotFound()
  return rows[0].item
}
