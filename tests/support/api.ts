import { ErrorBody } from '@contract/common.ts'
import { nextCursorHeader } from '@contract/headers.ts'
import { expect } from 'vitest'
import type { ZodType } from 'zod'
import { stack } from './stack.ts'
import type { TestUser } from './users.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT'
type Options = { body?: unknown; headers?: Record<string, string>; form?: FormData }
type CheckedResponse<T> = { status: number; body: T; headers: Headers; next: string | null }

/** Sends a request: a form as multipart data, a string body unchanged, and any other body as JSON. */
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

/** Returns the `Authorization` header for a user, or no header for a visitor. */
export const authorizationHeader = (user: Pick<TestUser, 'token'> | null): Record<string, string> =>
  user ? { Authorization: `Bearer ${user.token}` } : {}

/** Returns the HTTP status of a GET request as a user, or as a visitor if `user` is null. */
export async function getStatus(user: TestUser | null, path: string): Promise<number> {
  const response = await call('GET', path, { headers: authorizationHeader(user) })
  await response.body?.cancel()
  return response.status
}

/**
 * Returns an API client for a user, or for a visitor when `user` is null. Every response must have the expected status
 * and match its contract schema exactly: a field that the contract does not list fails the test.
 */
export function apiAs(user: TestUser | null) {
  const headersWith = (extra: Record<string, string> = {}) => ({
    ...authorizationHeader(user),
    ...extra,
  })

  async function checkedRequest<T>(
    method: Method,
    path: string,
    schema: ZodType<T>,
    status: number,
    options: Options,
  ) {
    const response = await call(method, path, { ...options, headers: headersWith(options.headers) })
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
      checkedRequest('GET', path, schema, 200, options),
    post: <T>(path: string, schema: ZodType<T>, body?: unknown, status = 200) =>
      checkedRequest('POST', path, schema, status, body === undefined ? {} : { body }),
    patch: <T>(path: string, schema: ZodType<T>, body?: unknown) =>
      checkedRequest('PATCH', path, schema, 200, body === undefined ? {} : { body }),
    put: <T>(path: string, schema: ZodType<T>, body: unknown) =>
      checkedRequest('PUT', path, schema, 200, { body }),
    delete: <T>(path: string, schema: ZodType<T>) => checkedRequest('DELETE', path, schema, 200, {}),
    /** Sends a request whose response must be a 204 with an empty body. */
    async expectNoContent(method: Method, path: string, body?: unknown): Promise<void> {
      const response = await call(method, path, {
        headers: headersWith(),
        ...(body === undefined ? {} : { body }),
      })
      expect({ status: response.status, body: await response.text() }).toEqual({ status: 204, body: '' })
    },
    /** Sends a request that must fail with this status, and returns the error body. A 429 must have `Retry-After`. */
    expectError: async (method: Method, path: string, status: number, options: Options = {}) => {
      const { body, headers } = await checkedRequest(method, path, ErrorBody, status, options)
      if (status === 429) expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0)
      return body
    },
    /** Returns every item of a list by following its cursors. */
    async getAllPages<T>(path: string, schema: ZodType<T[]>): Promise<T[]> {
      const items: T[] = []
      let next: string | null = ''
      while (next !== null) {
        const separator = path.includes('?') ? '&' : '?'
        const page: CheckedResponse<T[]> = await checkedRequest(
          'GET',
          next === '' ? path : `${path}${separator}cursor=${encodeURIComponent(next)}`,
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
