import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { notFound } from './errors.ts'

/** An id in a path or a query; the database compares some of them as text, so they come in one spelling. */
export const PathId = z.uuid().toLowerCase()

/**
 * The `id` in a path, for what is asked before the path was checked.
 *
 * @throws ApiError 404 when it is none
 */
export function idIn(c: Context): string {
  const { success, data } = PathId.safeParse(c.req.param('id'))
  if (!success) throw notFound()
  return data
}

export const IdParam = z.object({ id: PathId })

/** Who is meant in a path: an id, or a username in any case. */
export const IdentifierParam = z.object({
  identifier: z.string().regex(/^([A-Za-z0-9_]{3,30}|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})$/),
})
