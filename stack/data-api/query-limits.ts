/** A query of the Data API as lite has parsed it. Only the parts that are checked are typed. */
export interface Query {
  from?: string
  select?: (string | Record<string, unknown>)[]
  where?: unknown
  order?: { column: string }[]
  limit?: number
}

/** How many tables a query may embed, and how deeply they may be nested. */
const maxEmbeddedTables = 6
const maxEmbeddedDepth = 2

/** How many rows a response may contain in total. Every level of embedded lists multiplies the rows of its parent. */
const maxRowsInTotal = 10_000

/** The filters that visitors may use. All others match patterns or contents, which no index of these tables supports. */
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

/** Regular expressions can take exponential time for a short text, so nobody may use them. */
const regularExpressions = ['$regex', '$iregex']

export interface QueryLimits {
  /** The largest number of rows of the queried table in one response. */
  maxRows: number
  isVisitor: boolean
  /** Returns whether a column is part of an index. */
  isIndexed: (table: string, column: string) => boolean
}

/**
 * Lowers the limits in a query so that its response has at most `maxRowsInTotal` rows.
 *
 * @returns why the query is rejected, or null if it is allowed
 */
export function limitQuery(query: Query, limits: QueryLimits): string | null {
  query.limit = Math.min(query.limit ?? limits.maxRows, limits.maxRows)
  const filters = new Set(filterNames(query.where))
  const embedded = { tables: 0 }
  const problem =
    (query.from ? checkOrder(query, query.from, limits) : null) ??
    limitEmbedded(query, Math.max(1, query.limit), 1, embedded, filters, limits)
  if (problem) return problem
  if (regularExpressions.some((name) => filters.has(name))) return 'Regular expressions are not supported.'
  const unsupported = limits.isVisitor && [...filters].find((name) => !visitorFilters.has(name))
  return unsupported ? `The filter ${unsupported.slice(1)} requires a signed-in user.` : null
}

function limitEmbedded(
  query: Query,
  parentRows: number,
  depth: number,
  embedded: { tables: number },
  filters: Set<string>,
  limits: QueryLimits,
): string | null {
  const children = embeddedQueries(query)
  if (children.length === 0) return null
  embedded.tables += children.length
  if (depth > maxEmbeddedDepth)
    return `A query may nest embedded tables at most ${maxEmbeddedDepth} levels deep.`
  if (embedded.tables > maxEmbeddedTables) return `A query may embed at most ${maxEmbeddedTables} tables.`
  const share = Math.max(1, Math.floor(maxRowsInTotal / parentRows / children.length))
  for (const [table, child] of children) {
    child.limit = Math.min(child.limit ?? share, share)
    for (const name of filterNames(child.where)) filters.add(name)
    const problem =
      checkOrder(child, child.from ?? table, limits) ??
      limitEmbedded(child, parentRows * Math.max(1, child.limit), depth + 1, embedded, filters, limits)
    if (problem) return problem
  }
  return null
}

/** Returns the embedded queries with the names under which they are selected. */
function embeddedQueries(query: Query): [string, Query][] {
  return (query.select ?? [])
    .flatMap((item) => (typeof item === 'string' ? [] : Object.entries(item)))
    .filter((entry): entry is [string, Query] => {
      const value = entry[1]
      return typeof value === 'object' && value !== null && Array.isArray((value as Query).select)
    })
}

function checkOrder(query: Query, table: string, { isVisitor, isIndexed }: QueryLimits): string | null {
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
