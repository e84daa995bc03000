import type { Context, TypedResponse } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { JSONParsed } from 'hono/utils/types'
import type { ZodType } from 'zod'
import { nextCursorHeader } from '../contract/headers.ts'
import type { Page } from '../db/page.ts'
import type { JsonText } from '../db/sql.ts'

/** Describes a route's JSON response, in the form that `createRoute` expects. */
export const jsonResponse = <Schema extends ZodType>(schema: Schema, description: string) => ({
  description,
  content: { 'application/json': { schema } },
})

/** Describes a route's JSON body, in the form that `createRoute` expects. */
export const jsonBody = <Schema extends ZodType>(schema: Schema) => ({
  body: { required: true, content: { 'application/json': { schema } } },
})

/** Like `jsonBody`, for a route whose body may be missing. */
export const optionalJsonBody = <Schema extends ZodType>(schema: Schema) => ({
  body: { required: false, content: { 'application/json': { schema } } },
})

/** Sends JSON text from the database without parsing it. */
export function sendJson<T, Status extends ContentfulStatusCode>(
  c: Context,
  text: JsonText<T>,
  status: Status,
) {
  const response: Response = c.body(text, status, { 'Content-Type': 'application/json' })
  return response as Response & TypedResponse<JSONParsed<T>, Status, 'json'>
}

/** Sends a page of a list, with the cursor of the next page in a header. */
export function sendPage<T>(c: Context, page: Page<T>) {
  if (page.next !== null) c.header(nextCursorHeader, page.next)
  return sendJson(c, page.items, 200)
}
