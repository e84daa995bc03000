import postgres, { type PendingQuery, type Row } from 'postgres'

/**
 * The template tag that builds the statements of a transaction. Interpolated values are sent as parameters, never as
 * text.
 */
export type Sql = postgres.Sql

/** JSON text, usually built by the database, that represents a value of type `T`. */
export type JsonText<T> = string & { readonly json?: T }

/** Joins the items of rows into a JSON array. */
export const toJsonArray = <T>(rows: readonly { item: JsonText<T> }[]): JsonText<T[]> =>
  `[${rows.map((row) => row.item).join(',')}]`

/**
 * Builds a fragment for use inside statements. Interpolated values stay parameters; a fragment never runs by itself.
 */
export const sql: Sql = postgres({ max: 1, fetch_types: false })

/** A fragment built by `sql`: the type that `sql` returns, or the one that the driver accepts inside statements. */
export type SqlFragment = ReturnType<typeof sql> | PendingQuery<Row[]>
