import { nextCursorHeader } from '@contract/common.ts'
import { ErrorBody } from '@contract/errors.ts'
import { expect } from 'vitest'
import type { ZodType } from 'zod'
import type { Person } from './people.ts'
import { stack } from './stack.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT'
type Options = { body?: unknown; headers?: Record<string, string>; form?: FormData }
type Answer<T> = { status: number; body: T; headers: Headers; next: string | null }

/** Sends one call as it is; a body that is no string travels as JSON, a form as it is. */
export async function call(
  method: Method,
  path: string,
  { body, headers = {}, form }: Options = {},
): Promise<Response> {
  if (form) return await fetch(`${stack.apiUrl}${path}`, { method, redirect: 'manual', headers, body: form })
  const json = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  return await fetch(`${stack.apiUrl}${path}`, {
    method,
    redirect: 'manual',
    headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
    ...(json === undefined ? {} : { body: json as string }),
  })
}

/**
 * Calls as somebody (a visitor without a person). An answer must have the expected status and be exactly what its
 * schema of the contract describes: a field that the contract does not list fails the test.
 */
export function as(person: Person | null) {
  const headers = (given: Record<string, string> = {}) => ({
    ...(person ? { Authorization: `Bearer ${person.token}` } : {}),
    ...given,
  })

  async function checked<T>(
    method: Method,
    path: string,
    schema: ZodType<T>,
    status: number,
    options: Options,
  ) {
    const response = await call(method, path, { ...options, headers: headers(options.headers) })
    const body: unknown = await response.json()
    expect({ status: response.status, body }).toEqual({ status, body })
    expect(body).toStrictEqual(schema.parse(body))
    return {
      status,
      body: body as T,
      headers: response.headers,
      next: response.headers.get(nextCursorHeader),
    }
  }

  return {
    get: <T>(path: string, schema: ZodType<T>, options: Options = {}) =>
      checked('GET', path, schema, 200, options),
    post: <T>(path: string, schema: ZodType<T>, body?: unknown, status = 200) =>
      checked('POST', path, schema, status, body === undefined ? {} : { body }),
    patch: <T>(path: string, schema: ZodType<T>, body?: unknown) =>
      checked('PATCH', path, schema, 200, body === undefined ? {} : { body }),
    put: <T>(path: string, schema: ZodType<T>, body: unknown) => checked('PUT', path, schema, 200, { body }),
    /** A call that answers nothing but that it is done. */
    async done(method: Method, path: string, body?: unknown): Promise<void> {
      const response = await call(method, path, {
        headers: headers(),
        ...(body === undefined ? {} : { body }),
      })
      expect({ status: response.status, body: await response.text() }).toEqual({ status: 204, body: '' })
    },
    /** A call that is refused; answers its body, which must be an error of the contract's shape. */
    refused: async (method: Method, path: string, status: number, options: Options = {}) => {
      const { body, headers: given } = await checked(method, path, ErrorBody, status, options)
      if (status === 429) expect(Number(given.get('Retry-After'))).toBeGreaterThan(0)
      return body
    },
    /** Every item of a list, page by page. */
    async all<T>(path: string, schema: ZodType<T[]>): Promise<T[]> {
      const items: T[] = []
      let next: string | null = ''
      while (next !== null) {
        const sign = path.includes('?') ? '&' : '?'
        const page: Answer<T[]> = await checked(
          'GET',
          next === '' ? path : `${path}${sign}cursor=${encodeURIComponent(next)}`,
          schema,
          200,
          {},
        )
        items.push(...page.body)
        next = page.next
      }
      return items
    },
  }
}
