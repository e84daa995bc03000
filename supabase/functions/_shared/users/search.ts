import { z } from '@hono/zod-openapi'
import { PageQuery } from '../contract/common.ts'
import { limits } from '../contract/limits.ts'
import type { User } from '../contract/user.ts'
import { isTime, type PageRow, toPage } from '../db/page.ts'
import { asUser } from '../db/run.ts'
import type { Page } from '../http/answers.ts'
import { invalidField } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { joined, user } from './columns.ts'

/** Its cursor is longer than others': it holds what the last person was sorted by, as hex of UTF-8. */
export const SearchQuery = PageQuery.extend({
  q: z.string().trim().max(limits.searchQuery.max).default(''),
  cursor: z.string().max(800).optional(),
})
type SearchQuery = z.infer<typeof SearchQuery>

/** The place of a person in the found: how close they are (0 to 3), what they are sorted by, their id. */
type Place = { rank: number; sort: string; id: string | null }

const start: Place = { rank: -1, sort: '', id: null }
const cursorPattern = /^([0-3])_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})_((?:[0-9a-f]{2})*)$/
const momentPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

/** @throws ApiError 400 for a cursor that no search gave out */
function placeOf(cursor: string | undefined): Place {
  if (cursor === undefined || cursor === '') return start
  const [, rank, id, hex] = cursorPattern.exec(cursor) ?? []
  const sort = decode(hex ?? '')
  const isMoment = momentPattern.test(sort) && isTime(sort)
  if (!rank || !id || sort.includes('\0') || (rank === '3' && !isMoment)) {
    throw invalidField('cursor', 'This cursor is not valid.')
  }
  return { rank: Number(rank), sort, id }
}

const decode = (hex: string) =>
  new TextDecoder().decode(Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)))

/**
 * People by name or username, the closest first: usernames, then names that begin with the text, then all others with
 * each of its words, in any order, without regard to accents.
 */
export async function searchPeople(caller: Caller, query: SearchQuery): Promise<Page<User>> {
  const { rank, sort, id } = placeOf(query.cursor)
  const { limit = limits.page.users, offset = 0 } = query
  const rows = await asUser(
    caller,
    (tx) => tx<PageRow[]>`
      select ${user(caller)} as item,
             found.rank || '_' || found.person_id || '_' || encode(convert_to(found.sort, 'UTF8'), 'hex') as key
      from private.find_people(
        ${query.q}::text, ${rank}::int, ${sort}::text, ${id}::text::uuid, ${limit + offset + 1}::int
      ) with ordinality found(person_id, rank, sort, place)
      join public.profiles u on u.id = found.person_id ${joined(caller)}
      where found.place > ${offset}::int
      order by found.place`,
  )
  return toPage(rows, { limit, offset, after: null })
}
