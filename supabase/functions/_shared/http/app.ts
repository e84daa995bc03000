import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { type ZodError, type ZodType, z } from 'zod'
import { checkAccessToken } from './access-token.ts'
import { type Caller, findCaller } from './caller.ts'
import { answerCors } from './cors.ts'
import { handleError } from './error-handler.ts'
import { ApiError, bodyTooLarge, invalidField, notFound, unauthorized } from './errors.ts'
import { logAccess } from './log.ts'
import { checkOrigin } from './origin.ts'
import { currentRequest, trackRequest } from './request-context.ts'
import { requireSession } from './run-as.ts'

/**
 * The variables of a request. `caller` is null for a visitor. On routes that only signed-in users may call, `user` is
 * set and is the same as `caller`. `authorize` is the check passed to `requireUserAnd`, if the route uses it.
 */
export type ApiEnv = { Variables: { caller: Caller | null; user?: Caller; authorize?: () => Promise<void> } }
/** The variables of a request to a route with `requireUser`. */
type UserEnv = { Variables: { caller: Caller | null; user: Caller; authorize?: () => Promise<void> } }

const maxBodyBytes = 100 * 1024

/**
 * Rejects a body that is too large, even if the request has no Content-Length header. On a route for signed-in users,
 * use it after the check that the caller is signed in.
 */
export const limitBody = bodyLimit({
  maxSize: maxBodyBytes,
  onError: () => {
    throw bodyTooLarge()
  },
})

// Messages for validation rules without a custom message. zod's defaults are written for programmers.
z.config({
  customError: (issue) => {
    switch (issue.code) {
      case 'unrecognized_keys':
        return `Unknown field: ${issue.keys.join(', ')}.`
      case 'too_small':
        return 'This value is too small or too short.'
      case 'too_big':
        return 'This value is too large or too long.'
      default:
        return 'This value is not valid.'
    }
  },
})

const security: Record<string, string[]>[] = [{ bearer: [] }, { cookie: [] }]

function setUser(c: Context<UserEnv>) {
  const { caller } = c.var
  if (!caller) throw unauthorized()
  c.set('user', caller)
}

const requireUserMiddleware = createMiddleware<UserEnv>(async (c, next) => {
  setUser(c)
  return await limitBody(c, next)
})

/** Route options for signed-in users only. Visitors get 401 before the body is read. */
export const requireUser = { middleware: requireUserMiddleware, security }

/**
 * Like `requireUser`, for a route that only some users may call: all others get 401, 403 or 404 even if their body is
 * not JSON or does not match its schema. `authorize` throws that error. It runs only if the body is invalid; otherwise,
 * the handler's statements check access.
 */
export const requireUserAnd = (authorize: (user: Caller, c: Context) => Promise<void>) => ({
  middleware: createMiddleware<UserEnv>(async (c, next) => {
    setUser(c)
    c.set('authorize', () => authorize(c.var.user, c))
    return await limitBody(c, next)
  }),
  security,
})

/** Like `requireUser`, for a route that accepts uploads and limits the size of its body itself. */
export const requireUserForUpload = {
  middleware: createMiddleware<UserEnv>(async (c, next) => {
    setUser(c)
    await next()
  }),
  security,
}

/**
 * Creates the app of an edge function. The app answers preflight requests, checks the Origin header, identifies the
 * caller and sends error responses. The edge function adds its routes.
 */
export function createApp(basePath: `/${string}`) {
  const app = new OpenAPIHono<ApiEnv>({ defaultHook: rejectInvalid }).basePath(basePath)
  app.onError(handleError)
  app.notFound((c) => handleError(notFound(), c))
  app.use(answerCors)
  app.use(async (c, next) => {
    c.header('Cache-Control', 'private, no-store')
    c.header('Vary', 'Cookie, Authorization, Origin')
    checkOrigin(c.req.raw)
    const found = findCaller(c.req.raw.headers)
    const caller = found instanceof Promise ? await found : found
    if (caller?.access) await checkAccessToken(caller, c.req.method, c.req.path)
    c.set('caller', caller)
    const request = currentRequest()
    if (request && c.var.caller) request.caller = 'user'
    await next()
    // After `next`, `routePath` is the path of the handler that ran last.
    if (request) request.route = c.req.routePath
  })
  return app
}

/**
 * Returns the default export of an edge function. Tracks each request, except in the embedded stack, where the gateway
 * tracks it.
 */
export const serveApp = ({ fetch }: Pick<ReturnType<typeof createApp>, 'fetch'>) => ({
  fetch: (request: Request): Response | Promise<Response> =>
    currentRequest() ? fetch(request) : trackRequest(request, '/*', () => fetch(request), logAccess),
})

/** Creates a router for the routes of one resource. */
export const createRouter = () => new OpenAPIHono<ApiEnv>({ defaultHook: rejectInvalid })

type Validation = { target: string } & (
  | { success: true; data: unknown }
  | { success: false; error: ZodError }
)

async function rejectInvalid(result: Validation, c: Context<ApiEnv>) {
  const unstorable = result.success ? findUnstorableText(result.data) : null
  if (result.success && unstorable === null) return
  await requireSession(c.var.user)
  if (result.target === 'json') await c.var.authorize?.()
  // No resource has a malformed id, so the response is the same as for an unknown id.
  if (result.target === 'param') throw notFound()
  if (!result.success) throw validationError(result.error)
  throw unstorableTextError(unstorable ?? '')
}

/**
 * Validates the text fields of a multipart form, which the handler reads itself, with the same rules as a JSON body.
 *
 * @throws ApiError 400
 */
export function parseFormFields<T>(schema: ZodType<T>, fields: Readonly<Record<string, string>>): T {
  const { success, data, error } = schema.safeParse(fields)
  if (!success) throw validationError(error)
  const unstorable = findUnstorableText(data)
  if (unstorable !== null) throw unstorableTextError(unstorable)
  return data
}

const unstorableTextError = (field: string) =>
  invalidField(field, 'This text contains characters that cannot be stored.')

/**
 * Returns the path of the first field whose text the database cannot store, or null. The database cannot store a NUL,
 * and a lone surrogate would silently become another character.
 */
function findUnstorableText(data: unknown, field = ''): string | null {
  if (typeof data === 'string') return data.includes('\0') || !data.isWellFormed() ? field : null
  if (typeof data !== 'object' || data === null) return null
  for (const [key, value] of Object.entries(data)) {
    const found = findUnstorableText(value, field === '' ? key : `${field}.${key}`)
    if (found !== null) return found
  }
  return null
}

function validationError(error: ZodError): ApiError {
  const errors: Record<string, string[]> = {}
  for (const issue of error.issues) {
    const field = issue.path.join('.')
    if (field === '') continue
    errors[field] ??= []
    errors[field].push(issue.message)
  }
  const message = error.issues[0]?.message ?? 'This request is not valid.'
  return new ApiError(400, message, Object.keys(errors).length > 0 ? { errors } : {})
}
