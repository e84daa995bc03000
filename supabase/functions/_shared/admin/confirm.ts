import { createMiddleware } from 'hono/factory'
import { asUser } from '../db/run.ts'
import { unauthorized } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'

/**
 * Who is no admin hears so, whatever they sent.
 *
 * @throws ApiError 401, 403
 */
export async function confirmAdmin(user: Caller): Promise<void> {
  await asUser(user, (tx) => tx`select private.require_admin()`)
}

/**
 * The door of everything below `/admin`, whatever it is: visitors hear 401 and everybody who is no admin 403, before
 * anything of the path, the query or the body is looked at. That it is asked here takes nothing from the functions
 * behind it: they ask again, for whoever gets to them another way.
 */
export const adminsOnly = createMiddleware<{ Variables: { caller: Caller | null } }>(async (c, next) => {
  const { caller } = c.var
  if (!caller) throw unauthorized()
  await confirmAdmin(caller)
  await next()
})
