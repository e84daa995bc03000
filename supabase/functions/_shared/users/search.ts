import { z } from '@hono/zod-openapi'
import { PageQuery } from '../contract/common.ts'
import { limits } from '../contract/limits.ts'
import { SearchQuery } from '../contract/search.ts'
import type { User } from '../contract/user.ts'
import { decodeHex, encodeHex, isValidTimestamp, type Page, type PageRow, toPage } from '../db/page.ts'
import { sql } from '../db/sql.ts'
import type { Caller } from '../http/caller.ts'
import { invalidField } from '../http/errors.ts'
import { asUser } from '../http/run-as.ts'
import { userJoins, userJson } from './presenter.ts'

/** The cursor is longer than in other lists: it contains the sort value of the last result as hex-encoded UTF-8. */
export const UserSearchQuery = PageQuery.extend({
  q: SearchQuery.shape.q,
  cursor: z.string().max(800).optional(),
})
type UserSearchQuery = z.infer<typeof UserSearchQuery>

/** A position in the results: the match rank (0 is the closest, 5 the weakest), the sort value and the user id. */
type SearchCursor = { rank: number; sort: string; id: string | null }

const firstPage: SearchCursor = { rank: -1, sort: '', id: null }
const cursorPattern = /^([0-5])_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_((?:[0-9a-f]{2})*)$/
const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

/** Parses a cursor. @throws ApiError 400 if it is malformed */
function parseCursor(cursor: string | undefined): SearchCursor {
  if (cursor === undefined || cursor === '') return firstPage
  const [, rank, id, hex] = cursorPattern.exec(cursor) ?? []
  const sort = decodeHex(hex ?? '')
  // Results with ranks 3 to 5 are sorted by registration time.
  const isValidTime = timePattern.test(sort) && isValidTimestamp(sort)
  if (!rank || !id || sort.includes('\0') || (Number(rank) >= 3 && !isValidTime)) {
    throw invalidField('cursor', 'This cursor is not valid.')
  }
  return { rank: Number(rank), sort, id }
}

/**
 * Searches users by name, username and bio, closest match first: see `private.search_users`. Word order, case and
 * accents are ignored.
 */
export async function searchUsers(caller: Caller, query: UserSearchQuery): Promise<Page<User>> {
  const { rank, sort, id } = parseCursor(query.cursor)
  const { limit = limits.page.users, offset = 0 } = query
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select ${userJson(caller)} as item,
             found.rank || '_' || found.user_id || '_' || ${encodeHex(sql`found.sort`)} as key
      from private.search_users(
        ${query.q}::text, ${rank}::int, ${sort}::text, ${id}::text::uuid, ${limit + offset + 1}::int
      ) with ordinality found(user_id, rank, sort, place)
      join public.profiles u on u.id = found.user_id ${userJoins(caller)}
      where found.place > ${offset}::int
      order by found.place`,
  )
  return toPage(rows, { limit })
}
