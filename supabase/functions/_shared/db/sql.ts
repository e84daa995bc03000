import postgres, { type PendingQuery, type Row } from 'postgres'

/**
 * The type of the template tags for SQL. A transaction's tag runs a statement; `sql` builds a fragment for use inside
 * one. Interpolated values are sent as parameters and never become part of the statement's text.
 */
export type Sql = postgres.Sql

/** JSON text, usually built by the database, that represents a value of type `T`. */
export type JsonText<T> = string & { readonly json?: T }

/** Joins the items of rows into a JSON array. */
export const toJsonArray = <T>(rows: readonly { item: JsonText<T> }[]): JsonText<T[]> =>
  `[${rows.map((row) => row.item).join(',')}]`

/** Builds a fragment for use inside statements. Never await a fragment: this client is not connected to a database. */
export const sql: Sql = postgres({ max: 1, fetch_types: false })

/** A fragment built by `sql`. The union covers calls with a type argument and calls without one. */
export type SqlFragment = ReturnType<typeof sql> | PendingQuery<Row[]>
