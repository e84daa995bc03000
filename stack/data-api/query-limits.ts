/** A Data API query as parsed by `@supabase/lite`. Only the properties that are checked are typed. */
export interface Query {
  type?: string
  from?: string
  /** The embedded tables, by their name in the response. If this name is an alias, `from` is the table's own name. */
  join?: Record<string, { from?: string }>
  select?: (string | Record<string, unknown>)[]
  where?: unknown
  order?: { column: string }[]
  limit?: number
  offset?: number
  /** The rows that the query writes. */
  values?: unknown
  /** The preferences in the `Prefer` header, and the columns that an insert writes. */
  $meta?: { return?: string; handling?: string; maxAffected?: number; missing?: string; columns?: string[] }
}

/** The maximum number of embedded tables in a query, and the maximum depth of their nesting. */
const maxEmbeddedTables = 6
const maxEmbeddedDepth = 2

/**
 * The maximum number of embedded rows in a response. Each level of embedding multiplies the rows of its parent. A row
 * can contain 20 kB of text, and the response is built in memory before its size is known.
 */
const maxEmbeddedRows = 1000
/** The maximum number of rows that a write may return. */
const maxReturnedRows = 1000

/**
 * The maximum number of values that a query may write: the driver rejects 65,534 or more parameters. Rows that lack
 * columns are filled in before the statement is built, so without this limit a small request could block the process
 * for a minute.
 */
const maxWrittenValues = 65_533

/**
 * The filters that visitors (the `anon` role) may use. The other filters match patterns, or the contents of text,
 * arrays or JSON, for which almost no column has an index.
 */
const visitorFilters = new Set([
  '$eq',
  '$neq',
  '$gt',
  '$gte',
  '$lt',
  '$lte',
  '$in',
  '$is',
  '$not',
  '$and',
  '$or',
])

/**
 * Matches the filters that are always rejected, such as $regex and $iregexAny: a regular expression can take
 * exponential time and a gigabyte of memory even on a short string.
 */
const regexFilterName = /regex/i

/** What a query's limits depend on. */
export interface QueryContext {
  /** The maximum number of rows of the queried table in a response to a read, or to a write that embeds tables. */
  maxRows: number
  isVisitor: boolean
  /** Returns whether a column is part of an index. */
  isIndexed: (table: string, column: string) => boolean
}

/**
 * Lowers the limits in a query so that its response cannot become too large.
 *
 * @returns why the query is rejected, or null if it is allowed
 */
export function limitQuery(query: Query, context: QueryContext): string | null {
  if (countWrittenValues(query) > maxWrittenValues) {
    return `This request writes more than ${maxWrittenValues} values, counting every column of every row. Write fewer rows at a time.`
  }
  // lite would ignore the limit, and change more rows than the client expects.
  if ((query.type === 'update' || query.type === 'delete') && query.limit !== undefined) {
    return 'An update or a delete cannot have a limit. Choose its rows with filters.'
  }
  const tables = countEmbedded(query)
  if (tables > maxEmbeddedTables) {
    return `This query embeds ${tables} tables, but at most ${maxEmbeddedTables} are allowed. Select some of them in another query.`
  }
  const maxRows = isWrite(query) && tables === 0 ? maxReturnedRows : context.maxRows
  const rows = isWrite(query) ? limitReturnedRows(query, maxRows) : Math.min(query.limit ?? maxRows, maxRows)
  if (rows > maxRows) {
    return `This request would return the ${rows} rows that it writes, but ${tables > 0 ? 'with embedded tables ' : ''}at most ${maxRows} can be returned. Write fewer rows at a time, or leave out select().`
  }
  // Only for reads, because lite ignores or rejects the limit of a write.
  if (!isWrite(query)) query.limit = rows
  const filters = new Set(filterNames(query.where))
  const problem =
    checkOrderAndSelect(query, query.from ?? '', context) ??
    limitEmbedded(query, Math.max(1, rows), [], maxEmbeddedRows / Math.max(1, tables), filters, context)
  if (problem) return problem
  if ([...filters].some((name) => regexFilterName.test(name))) {
    return context.isVisitor
      ? 'Regular expressions are not supported.'
      : 'Regular expressions are not supported. Use like or ilike instead.'
  }
  const unsupported = context.isVisitor && [...filters].find((name) => !visitorFilters.has(name))
  return unsupported ? `The filter ${unsupported.slice(1)} requires a signed-in user.` : null
}

const isWrite = ({ type = '' }: Query): boolean =>
  ['insert', 'upsert', 'update', 'delete', 'put'].includes(type)

/**
 * Returns how many values a query writes: its rows times its columns. lite fills in missing values if the request lists
 * the columns, and otherwise rejects rows with different columns.
 */
function countWrittenValues({ values, $meta: meta }: Query): number {
  if (!Array.isArray(values)) return 0
  return values.length * (meta?.columns ?? Object.keys(values[0] ?? {})).length
}

/**
 * Limits the number of rows that a write may return.
 *
 * @returns the maximum number of rows that the write can return; more than `limit` for an insert that must be rejected
 */
function limitReturnedRows(query: Query, limit: number): number {
  const { type, values, $meta: meta } = query
  if (meta?.return !== 'representation') return 0
  if (type !== 'update' && type !== 'delete') return Array.isArray(values) ? values.length : 1
  const requested = meta.handling === 'strict' ? meta.maxAffected : undefined
  // A query that affects more rows fails, because it cannot return only some of them.
  query.$meta = { ...meta, handling: 'strict', maxAffected: Math.min(requested ?? limit, limit) }
  return limit
}

/**
 * Lowers the limits of the queries that are embedded in a query, and adds their filters to `filters`.
 *
 * @param parentRows the maximum number of rows into which each table is embedded
 * @param path the names of the tables in which the query is embedded
 * @param rowsPerTable how many rows of each embedded table the response may contain
 * @returns why the query is rejected, or null if it is allowed
 */
function limitEmbedded(
  query: Query,
  parentRows: number,
  path: string[],
  rowsPerTable: number,
  filters: Set<string>,
  context: QueryContext,
): string | null {
  const rowsPerParent = Math.max(1, Math.floor(rowsPerTable / parentRows))
  for (const [name, child] of embeddedQueries(query)) {
    const childPath = [...path, name]
    if (childPath.length > maxEmbeddedDepth) {
      return `This query nests ${childPath.join(' > ')}, but embedded tables may be nested at most ${maxEmbeddedDepth} levels deep. Select ${name} in another query.`
    }
    child.limit = Math.min(child.limit ?? rowsPerParent, rowsPerParent)
    for (const filter of filterNames(child.where)) filters.add(filter)
    const problem =
      checkOrderAndSelect(child, query.join?.[name]?.from ?? name, context) ??
      limitEmbedded(child, parentRows * Math.max(1, child.limit), childPath, rowsPerTable, filters, context)
    if (problem) return problem
  }
  return null
}

/** Returns how many tables a query embeds, at all levels. */
const countEmbedded = (query: Query): number =>
  embeddedQueries(query).reduce((count, [, child]) => count + 1 + countEmbedded(child), 0)

/** Returns each embedded query with its name in the response. */
function embeddedQueries({ select = [] }: Query): [string, Query][] {
  return select.flatMap(toEntries).filter((entry): entry is [string, Query] => isEmbedded(entry[1]))
}

const toEntries = (item: string | Record<string, unknown>): [string, unknown][] =>
  typeof item === 'string' ? [[item, {}]] : Object.entries(item)

const isEmbedded = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Array.isArray((value as Query).select)

function checkOrderAndSelect(query: Query, table: string, context: QueryContext): string | null {
  return checkOrder(query, table, context) ?? checkSelect(query)
}

/** Rejects a query that selects the same column more than once, because its rows could be arbitrarily large. */
function checkSelect({ select = [] }: Query): string | null {
  const columns = new Set<string>()
  for (const [name, value] of select.flatMap(toEntries)) {
    if (isEmbedded(value)) continue
    const { column = name, path = '' } = value as { column?: string; path?: string }
    const source = `${column} ${path}`
    if (columns.has(source))
      return `The column ${column} is selected more than once. Select it once, and copy the value in the client.`
    columns.add(source)
  }
  return null
}

function checkOrder(query: Query, table: string, { isVisitor, isIndexed }: QueryContext): string | null {
  if (!isVisitor) return null
  const column = query.order?.find((term) => !isIndexed(table, term.column))?.column
  return column ? `Sorting by ${column} requires a signed-in user.` : null
}

/** Returns the names of the filters in a condition, such as `$eq`. */
function filterNames(condition: unknown): string[] {
  if (Array.isArray(condition)) return condition.flatMap(filterNames)
  if (typeof condition !== 'object' || condition === null) return []
  return Object.entries(condition).flatMap(([name, value]) => [
    ...(name.startsWith('$') ? [name] : []),
    ...filterNames(value),
  ])
}
