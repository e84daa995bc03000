import { createMiddleware } from 'hono/factory'
import type { Caller } from '../http/caller.ts'
import { unauthorized } from '../http/errors.ts'
import { currentRequest } from '../http/request-context.ts'
import { asUser } from '../http/run-as.ts'

/**
 * Checks that the caller is an admin.
 *
 * @throws ApiError 401; 403 if they are not
 */
export async function requireAdmin(user: Caller): Promise<void> {
  await asUser(user, (tx) => tx`select private.require_admin()`)
}

/**
 * Guards every route below `/admin`: visitors get 401, and users who are not admins get 403, before the path, query or
 * body is validated. The database functions check again, in case something other than the API calls them.
 */
export const adminsOnly = createMiddleware<{ Variables: { caller: Caller | null } }>(async (c, next) => {
  const { caller } = c.var
  if (!caller) throw unauthorized()
  await requireAdmin(caller)
  const request = currentRequest()
  if (request) request.caller = 'admin'
  await next()
})
