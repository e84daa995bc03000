import type { PendingQuery, Row } from 'postgres'
import type { PageQuery } from '../contract/common.ts'
import type { JsonText, Page } from '../http/answers.ts'
import { invalidField } from '../http/errors.ts'
import { pieces } from './pool.ts'

/** A piece of a statement, to be put into others; a value in it stays a parameter. Nothing runs by itself. */
export const sql = pieces
/** Such a piece, given on: told what it is for, the tag types it otherwise than it does by itself. */
export type Piece = ReturnType<typeof sql> | PendingQuery<Row[]>

/** Which part of a list to read: `limit` items from behind `after` (or from `offset`). */
export type Range = { limit: number; offset: number; after: Key | null }
/** The place of an item in its list: an optional rank, its time to the microsecond, its id. */
type Key = { rank: number; at: string; id: string }

const keyPattern =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:_(\d))?$/

/**
 * Reads the paging of a call.
 *
 * @param size items on a page when the caller names no number
 * @throws ApiError 400 for a cursor that no list gave out
 */
export function rangeOf(query: PageQuery, size: number): Range {
  const range = { limit: query.limit ?? size, offset: query.offset ?? 0, after: null }
  if (query.cursor === undefined || query.cursor === '') return range
  const [, at, id, rank] = keyPattern.exec(query.cursor) ?? []
  if (!at || !id || !isTime(at)) throw invalidField('cursor', 'This cursor is not valid.')
  return { ...range, after: { at, id, rank: Number(rank ?? 0) } }
}

/** Such a moment (in ISO 8601, UTC) exists: written out again, an impossible day or hour is another one. There was no year 0000. */
export function isTime(text: string): boolean {
  const time = new Date(text)
  return (
    !Number.isNaN(time.getTime()) &&
    time.getUTCFullYear() > 0 &&
    time.toISOString().startsWith(text.slice(0, 19))
  )
}

/** A row of a page: the item as JSON text, and its place in the list as a cursor. */
export type PageRow = { item: string; key: string }

/** `rows` hold one item more than the page, if there is one: it only tells that the list goes on. */
export function toPage<T>(rows: readonly PageRow[], { limit }: Range): Page<T> {
  const shown = rows.length > limit ? rows.slice(0, limit) : rows
  const items: JsonText<T[]> = `[${shown.map((row) => row.item).join(',')}]`
  return { items, next: rows.length > limit ? (shown.at(-1)?.key ?? null) : null }
}

/** The cursor of a row: its time, to the microsecond, and its id. */
export const keyOf = (time: Piece, id: Piece) =>
  sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_' || ${id}`

/**
 * The usual sizes, written out. Behind a parameter the planner guesses how many rows are wanted, thinks a plan for
 * exactly this number much better, and makes a new one at every call: twice the work of the feed's statement.
 */
const usual = new Map([
  [10, sql`limit 11`],
  [20, sql`limit 21`],
  [30, sql`limit 31`],
  [50, sql`limit 51`],
  [1000, sql`limit 1001`],
])

/** The last line of a page's statement: one row more than asked for, so that the caller learns whether more follow. */
export const window = ({ limit, offset }: Range) => {
  const written = offset === 0 ? usual.get(limit) : undefined
  return written ?? sql`limit ${limit + 1} offset ${offset}`
}
