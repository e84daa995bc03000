import { cursorKey, parseCursor } from '../db/page.ts'
import { type SqlFragment, sql } from '../db/sql.ts'

/** A list in the export, ordered by a key and read page by page. */
export type ExportSource = {
  /** SQL for an item as JSON. */
  item: SqlFragment
  /** The tables, and a `where` clause that selects the user's rows. */
  from: SqlFragment
  /** SQL for an item's key as text. */
  key: SqlFragment
  /** The columns of the key. */
  order: SqlFragment
  /** Returns an SQL condition that selects the items after a key. */
  after: (key: string) => SqlFragment
  /** Set if the list is read as the service role, because the policies hide some of the user's own rows. */
  bypassesPolicies?: true
}

type SourceQuery = Pick<ExportSource, 'item' | 'from' | 'bypassesPolicies'>

/** Returns a list ordered by time, oldest first. Rows with the same time are ordered by `id`. */
export function byTime({
  at,
  id,
  ...query
}: SourceQuery & { at: SqlFragment; id: SqlFragment }): ExportSource {
  return {
    ...query,
    key: cursorKey(at, id),
    order: sql`${at}, ${id}`,
    after: (key) => {
      const after = parseCursor(key)
      return sql`(${at}, ${id}) > (${after?.at ?? ''}::text::timestamptz, ${after?.id ?? ''}::text::uuid)`
    },
  }
}

const byColumn = (column: SqlFragment, type: SqlFragment, query: SourceQuery): ExportSource => ({
  ...query,
  key: sql`${column}::text`,
  order: column,
  after: (key) => sql`${column} > ${key}::text::${type}`,
})

/** Returns a list ordered by a number. */
export const byNumber = ({ number, ...query }: SourceQuery & { number: SqlFragment }) =>
  byColumn(number, sql`bigint`, query)

/** Returns a list with one item per day, oldest first. */
export const byDay = ({ day, ...query }: SourceQuery & { day: SqlFragment }) =>
  byColumn(day, sql`date`, query)

/** Returns a list with one item per user, ordered by user id. */
export const byUser = ({ userId, ...query }: SourceQuery & { userId: SqlFragment }) =>
  byColumn(userId, sql`uuid`, query)
