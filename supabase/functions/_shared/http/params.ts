import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { PageQuery } from '../contract/common.ts'
import { isValidTimestamp, type PageRange, parseCursor } from '../db/page.ts'
import { invalidField, notFound } from './errors.ts'

/** An id in a path or a query. It is converted to lower case, because the database compares some ids as text. */
export const PathId = z.uuid().toLowerCase()

/**
 * Returns the `id` in the path, for `requireUserAnd` checks: their context has no typed path parameters.
 *
 * @throws ApiError 404 if it is not a UUID
 */
export function pathId(c: Context): string {
  const { success, data } = PathId.safeParse(c.req.param('id'))
  if (!success) throw notFound()
  return data
}

export const IdParam = z.object({ id: PathId })

/** A user in a path: an id or a username, in upper or lower case. */
export const IdentifierParam = z.object({
  identifier: z.string().regex(/^([A-Za-z0-9_]{3,30}|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$/),
})

/**
 * Returns the part of a list that a query requests.
 *
 * @param defaultLimit items per page if the query has no `limit`
 * @throws ApiError 400 for a malformed cursor
 */
export function pageRange(query: PageQuery, defaultLimit: number): PageRange {
  const range = { limit: query.limit ?? defaultLimit, offset: query.offset ?? 0, after: null }
  if (query.cursor === undefined || query.cursor === '') return range
  const after = parseCursor(query.cursor)
  if (!after) throw invalidField('cursor', 'This cursor is not valid.')
  return { ...range, after }
}

/** Returns a time from the query string or the body. @throws ApiError 400 for the year 0000, which PostgreSQL rejects */
export function validTime<T extends string | undefined>(field: string, time: T): T {
  if (time !== undefined && !isValidTimestamp(new Date(time).toISOString()))
    throw invalidField(field, 'This is not a valid time.')
  return time
}
