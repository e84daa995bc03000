import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createMiddleware } from 'hono/factory'
import { type ZodError, type ZodType, z } from 'zod'
import { ApiError, invalidField, notFound, unauthorized } from './errors.ts'
import { answerError } from './failure.ts'
import { confirmSession } from './live.ts'
import { checkOrigin } from './origin.ts'
import { type Caller, findCaller } from './session.ts'

/** What every call knows: its caller, null for a visitor; and that caller again where only people may call. */
export type ApiEnv = { Variables: { caller: Caller | null; user?: Caller; refuse?: () => Promise<void> } }
/** What a call behind `signedIn` knows. */
type SignedInEnv = { Variables: { caller: Caller | null; user: Caller; refuse?: () => Promise<void> } }

/** Bytes of a JSON body at most. */
const maxBody = 100 * 1024

/** Refuses a body that is too large, announced or not. Stands behind the check of the session. */
export const limitedBody = bodyLimit({
  maxSize: maxBody,
  onError: () => {
    throw new ApiError(413, 'The body may have at most 100 kB.')
  },
})

// What a rule without words of its own says: not the library's, which are for programmers.
z.config({
  customError: (issue) => {
    switch (issue.code) {
      case 'unrecognized_keys':
        return `There is no field ${issue.keys.join(', ')} here.`
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

function requireCaller(c: Context<SignedInEnv>) {
  const { caller } = c.var
  if (!caller) throw unauthorized()
  c.set('user', caller)
}

/** Lets signed-in people pass, before anything of the body is looked at. */
const signedIn = createMiddleware<SignedInEnv>(async (c, next) => {
  requireCaller(c)
  return await limitedBody(c, next)
})

/** The parts of a route that only signed-in people may call. */
export const forPeople = { middleware: signedIn, security }

/**
 * The same for a call that not all people may make. Whoever may not hears so whatever they sent: `refuse` throws it, and
 * is asked only when the body is refused anyway. A body in order is for the call's own statements to judge.
 */
export const forPeopleBut = (refuse: (user: Caller, c: Context) => Promise<void>) => ({
  middleware: createMiddleware<SignedInEnv>(async (c, next) => {
    requireCaller(c)
    c.set('refuse', () => refuse(c.var.user, c))
    return await limitedBody(c, next)
  }),
  security,
})

/** The same as `forPeople` for a route that takes files, and sees to the size of its body itself. */
export const forSenders = {
  middleware: createMiddleware<SignedInEnv>(async (c, next) => {
    requireCaller(c)
    await next()
  }),
  security,
}

/**
 * The application of one function: who calls, from where, and what they hear when something goes wrong. Routes are
 * added by the function itself.
 */
export function createApp(basePath: `/${string}`) {
  const app = new OpenAPIHono<ApiEnv>({ defaultHook: refuseInvalid }).basePath(basePath)
  app.onError(answerError)
  app.notFound((c) => answerError(notFound(), c))
  app.use(async (c, next) => {
    c.header('Cache-Control', 'private, no-store')
    c.header('Vary', 'Cookie, Authorization')
    checkOrigin(c.req.raw)
    const found = findCaller(c.req.raw.headers)
    c.set('caller', found instanceof Promise ? await found : found)
    await next()
  })
  return app
}

/** A router for the calls of one resource, to be mounted on the application. */
export const createRouter = () => new OpenAPIHono<ApiEnv>({ defaultHook: refuseInvalid })

type Validation = { target: string } & (
  | { success: true; data: unknown }
  | { success: false; error: ZodError }
)

async function refuseInvalid(result: Validation, c: Context<ApiEnv>) {
  const unstorable = result.success ? findUnstorable(result.data) : null
  if (result.success && unstorable === null) return
  await confirmSession(c.var.user)
  if (result.target === 'json') await c.var.refuse?.()
  // A path with an impossible id names nothing.
  if (result.target === 'param') throw notFound()
  if (!result.success) throw invalid(result.error)
  throw unstorableField(unstorable ?? '')
}

/**
 * The texts of a form, which is read by the call itself, as the rules of any other body want them.
 *
 * @throws ApiError 400
 */
export function checkTexts<T>(schema: ZodType<T>, texts: Readonly<Record<string, string>>): T {
  const { success, data, error } = schema.safeParse(texts)
  if (!success) throw invalid(error)
  const unstorable = findUnstorable(data)
  if (unstorable !== null) throw unstorableField(unstorable)
  return data
}

const unstorableField = (field: string) =>
  invalidField(field, 'This text holds characters that cannot be stored.')

/**
 * The field with a text that the database cannot hold, null without one: a NUL, or half of a character (which would
 * silently become another).
 */
function findUnstorable(data: unknown, field = ''): string | null {
  if (typeof data === 'string') return data.includes('\0') || !data.isWellFormed() ? field : null
  if (typeof data !== 'object' || data === null) return null
  for (const [key, value] of Object.entries(data)) {
    const found = findUnstorable(value, field === '' ? key : `${field}.${key}`)
    if (found !== null) return found
  }
  return null
}

function invalid(error: ZodError): ApiError {
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
