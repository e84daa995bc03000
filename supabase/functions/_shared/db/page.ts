import { type JsonText, type SqlFragment, sql, toJsonArray } from './sql.ts'

/** The part of a list to read: `limit` items after the cursor `after`, or starting at `offset`. */
export type PageRange = { limit: number; offset: number; after: CursorKey | null }
/** The position of an item in its list: its rank (0 in lists without ranks), time to the microsecond, and id. */
export type CursorKey = { rank: number; at: string; id: string }

const cursorPattern =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z)_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:_(\d{1,9}))?$/

/** Parses a cursor in the format of `cursorKey`, optionally with a rank. Returns null for any other string. */
export function parseCursor(cursor: string): CursorKey | null {
  const [, at, id, rank] = cursorPattern.exec(cursor) ?? []
  return at && id && isValidTimestamp(at) ? { at, id, rank: Number(rank ?? 0) } : null
}

/**
 * Returns whether an ISO 8601 time in UTC is valid in PostgreSQL, which has no year 0000. An impossible day or hour is
 * detected because it changes when it is parsed and formatted again.
 */
export function isValidTimestamp(text: string): boolean {
  const time = new Date(text)
  return (
    !Number.isNaN(time.getTime()) &&
    time.getUTCFullYear() > 0 &&
    time.toISOString().startsWith(text.slice(0, 19))
  )
}

/** Decodes the hex-encoded UTF-8 text in a cursor. */
export const decodeHex = (hex: string) =>
  new TextDecoder().decode(Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)))

/** Returns an SQL expression that hex-encodes text for a cursor. */
export const encodeHex = (text: SqlFragment) => sql`encode(convert_to(${text}, 'UTF8'), 'hex')`

/** A row of a page: the item as JSON text, and its cursor. */
export type PageRow = { item: string; key: string }

/** A page of a list as JSON text, and the cursor of the next page, which is null on the last page. */
export type Page<T> = { items: JsonText<T[]>; next: string | null }

/** Builds a page from rows selected with `limitClause`. Omits the extra row, which only shows that more rows follow. */
export function toPage<T>(rows: readonly PageRow[], { limit }: Pick<PageRange, 'limit'>): Page<T> {
  const page = rows.slice(0, limit)
  return { items: toJsonArray(page), next: rows.length > limit ? (page.at(-1)?.key ?? null) : null }
}

/** Returns an SQL expression for a row's cursor: its time to the microsecond, and its id. */
export const cursorKey = (time: SqlFragment, id: SqlFragment) =>
  sql`to_char(${time} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_' || ${id}`

/**
 * The `limit` clauses for the usual page sizes, with literal numbers. If the limit is a parameter, a generic plan has
 * to guess it and looks more expensive, so PostgreSQL plans the statement again on every call. This doubles the work
 * for the feed.
 */
const literalLimits = new Map([
  [10, sql`limit 11`],
  [20, sql`limit 21`],
  [30, sql`limit 31`],
  [50, sql`limit 51`],
  [1000, sql`limit 1001`],
])

/** Returns the `limit` clause for a page. It selects one extra row, which shows whether another page follows. */
export const limitClause = ({ limit, offset }: PageRange) => {
  const literal = offset === 0 ? literalLimits.get(limit) : undefined
  return literal ?? sql`limit ${limit + 1} offset ${offset}`
}

/**
 * Returns the condition that selects the rows after the cursor of the range, in a list that is sorted by `time` and
 * `id`. Empty without a cursor.
 */
export const afterCursor = (
  { after }: PageRange,
  time: SqlFragment,
  id: SqlFragment,
  sort: 'newest' | 'oldest' = 'newest',
) =>
  after
    ? sql`and (${time}, ${id}) ${sort === 'oldest' ? sql`>` : sql`<`}
        (${after.at}::text::timestamptz, ${after.id}::text::uuid)`
    : sql``
