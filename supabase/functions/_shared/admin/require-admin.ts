import { createMiddleware } from 'hono/factory'
import type { Caller } from '../http/caller.ts'
import { unauthorized } from '../http/errors.ts'
import { currentRequest } from '../http/request-context.ts'
import { asUser } from '../http/run-as.ts'

/**
 * Guards every route below `/admin`: visitors get 401, and users who are not admins get 403, before the path, query or
 * body is validated. The database functions check again, in case something other than the API calls them.
 */
export const adminsOnly = createMiddleware<{ Variables: { caller: Caller | null } }>(async (c, next) => {
  const { caller } = c.var
  if (!caller) throw unauthorized()
  await asUser(caller, (tx) => tx`select private.require_admin()`)
  const request = currentRequest()
  if (request) request.caller = 'admin'
  await next()
})
