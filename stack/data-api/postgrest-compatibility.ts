import type { Query } from './query-limits.ts'

// Compensates for differences between lite and PostgREST. See docs/decisions/040-data-api-like-postgrest.md.

/**
 * Rewrites requests that lite handles differently from PostgREST:
 *
 * - `HEAD` on a function becomes `GET`, because lite would treat the arguments as filters.
 * - The `Range` header becomes the query parameters `offset` and `limit`, because lite would apply the header after the
 *   limits have been checked. If the request already has one of these parameters, the header is ignored.
 */
export function replaceHeadAndRange(request: Request): Request {
  const url = new URL(request.url)
  const method =
    request.method === 'HEAD' && url.pathname.startsWith('/rest/v1/rpc/') ? 'GET' : request.method
  const range = method === 'GET' || method === 'HEAD' ? parseRange(request.headers.get('range')) : null
  if (method === request.method && !range) return request
  const headers = new Headers(request.headers)
  if (range) {
    headers.delete('range')
    if (!url.searchParams.has('limit') && !url.searchParams.has('offset')) {
      url.search += `${url.search ? '&' : '?'}${range}`
    }
  }
  return new Request(url, { method, headers, signal: request.signal })
}

/**
 * Replaces a request for an estimated count with one for the exact count. The planner estimates from statistics over
 * all rows, including those hidden by row-level security, so repeated filtered estimates would reveal hidden values.
 */
export function forceExactCount(request: Request): Request {
  const prefer = request.headers.get('prefer')
  if (!prefer || !/count\s*=\s*(planned|estimated)/i.test(prefer)) return request
  const headers = new Headers(request.headers)
  headers.set('prefer', prefer.replace(/count\s*=\s*(planned|estimated)/gi, 'count=exact'))
  return new Request(request, { headers })
}

/** Returns the query parameters for a `Range` header, or null if there is no header or lite rejects it. */
function parseRange(header: string | null): string | null {
  const [, first, last] = header?.match(/^(\d+)-(\d*)$/) ?? []
  if (!first || (last && Number(last) < Number(first))) return null
  const limit = last ? `&limit=${Number(last) - Number(first) + 1}` : ''
  return `offset=${Number(first)}${limit}`
}

/**
 * Fills in the columns that are missing from some rows of a bulk insert. The value is null or, if the request prefers
 * `missing=default`, the column's default. On its own, lite would always store the default but return null.
 */
export function fillMissingColumns({ type = '', values, $meta: meta }: Query): void {
  if (!meta?.columns || !['insert', 'upsert', 'put'].includes(type)) return
  for (const row of Array.isArray(values) ? values : [values]) {
    if (typeof row !== 'object' || row === null || Array.isArray(row)) continue
    // lite stores the default of a column whose value is undefined.
    const missing = meta.columns.filter((column) => !Object.hasOwn(row, column))
    for (const column of missing) row[column] = meta.missing === 'default' ? undefined : null
  }
}

/**
 * Converts JSON arrays to array literals if they are written to array columns. On its own, lite can write arrays
 * of only some types, and cannot write arrays that contain null.
 */
export function writeArrayLiterals({ from, type = '', values }: Query, arrays: Set<string>): void {
  if (!['insert', 'upsert', 'update', 'put'].includes(type)) return
  for (const row of Array.isArray(values) ? values : [values]) {
    if (typeof row !== 'object' || row === null) continue
    for (const [column, value] of Object.entries(row)) {
      if (Array.isArray(value) && arrays.has(`${from}.${column}`)) row[column] = toArrayLiteral(value)
    }
  }
}

function toArrayLiteral(values: unknown[]): string {
  const items = values.map((value) => {
    if (value === null) return 'NULL'
    if (Array.isArray(value)) return toArrayLiteral(value)
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
    return `"${text.replace(/["\\]/g, '\\$&')}"`
  })
  return `{${items.join(',')}}`
}

/** Adds the missing fields of a PostgREST error to an error response, because clients read them. */
export async function completeError(response: Response): Promise<Response> {
  if (response.status < 400 || !response.headers.get('content-type')?.includes('json')) return response
  const text = await response.text()
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  const { status } = response
  try {
    return Response.json({ code: null, details: null, hint: null, ...JSON.parse(text) }, { status, headers })
  } catch {
    return new Response(text, { status, headers })
  }
}

/** A PostgreSQL error, as the driver throws it. */
interface DatabaseError {
  severity: string
  code: string
  message: string
  detail?: string
  hint?: string
}

/** The error classes for which both PostgREST and lite return 403 or 5xx. */
const serverErrors = /^(08|09|0L|0P|25|28|2D|38|39|3B|40|53|54|55|57|58|F0|HV|P0|XX)/

/** The errors for which lite already returns PostgREST's status and code. */
const handledByLite = /^(2[12]|42|PT|PGRST$|23502$|23503$|23505$)/

/** The messages of these errors contain the names of constraints. */
const violations = new Set(['23514', '23P01'])

/**
 * Converts a database error to one with PostgREST's status and code. lite returns 500 for codes that it does not know,
 * for example for an exception that a trigger raises.
 *
 * @returns the error itself, or an error like the one that `raise sqlstate 'PGRST'` raises, from which lite takes the
 *   whole response
 */
export function toPostgrestError(error: unknown): unknown {
  if (!isDatabaseError(error)) return error
  const { code, message, detail: details = null, hint = null } = error
  if (handledByLite.test(code) || (serverErrors.test(code) && code !== 'P0001')) return error
  const body = violations.has(code)
    ? { code, message: 'This value is not allowed.', details: null, hint: null }
    : { code, message, details, hint }
  return {
    code: 'PGRST',
    message: JSON.stringify(body),
    detail: JSON.stringify({ status: 400, headers: {} }),
  }
}

const isDatabaseError = (error: unknown): error is DatabaseError =>
  error instanceof Error && 'severity' in error && 'code' in error && typeof error.code === 'string'
