import type { Context, TypedResponse } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { JSONParsed } from 'hono/utils/types'
import type { ZodType } from 'zod'
import { nextCursorHeader } from '../contract/common.ts'

/** JSON text that the database made, of the shape `T`. */
export type JsonText<T> = string & { readonly json?: T }

/** One answer of a route, for `createRoute`. */
export const answers = <Schema extends ZodType>(schema: Schema, description: string) => ({
  description,
  content: { 'application/json': { schema } },
})

/** The JSON body of a route, for `createRoute`. */
export const takes = <Schema extends ZodType>(schema: Schema) => ({
  body: { required: true, content: { 'application/json': { schema } } },
})

/** Passes JSON on as the database made it, without reading it. */
export function passJson<T, Status extends ContentfulStatusCode>(
  c: Context,
  text: JsonText<T>,
  status: Status,
) {
  const response: Response = c.body(text, status, { 'Content-Type': 'application/json' })
  return response as Response & TypedResponse<JSONParsed<T>, Status, 'json'>
}

/** A page of a list, as text, and where the next one begins. */
export type Page<T> = { items: JsonText<T[]>; next: string | null }

/** Answers a page; where more follow, the header says how to go on. */
export function passPage<T>(c: Context, page: Page<T>) {
  if (page.next !== null) c.header(nextCursorHeader, page.next)
  return passJson(c, page.items, 200)
}
