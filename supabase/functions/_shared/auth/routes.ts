import { createRoute } from '@hono/zod-openapi'
import { makeChallenge } from '../captcha/altcha.ts'
import {
  CaptchaAnswer,
  LoginAnswer,
  LoginRequest,
  RegisterAnswer,
  RegisterRequest,
} from '../contract/auth.ts'
import { safeReturnPath } from '../contract/return-path.ts'
import { OwnUser } from '../contract/user.ts'
import { env } from '../env.ts'
import { answers, type JsonText, passJson, takes } from '../http/answers.ts'
import { createRouter, forPeople, limitedBody } from '../http/app.ts'
import { forgetSession, sessionInCookie } from '../http/cookie.ts'
import { isFromElsewhere } from '../http/origin.ts'
import { readOwnUser } from '../users/queries.ts'
import { clientOf } from './client.ts'
import { emailRoutes } from './email.ts'
import { login } from './login.ts'
import { endRefreshedSession, endSession } from './provider.ts'
import { register } from './register.ts'
import { resetRoutes } from './reset-routes.ts'
import { sessionRoutes } from './session-routes.ts'

const tags = ['Accounts']

export const authRoutes = createRouter()

authRoutes.route('/', resetRoutes)
authRoutes.route('/', emailRoutes)
authRoutes.route('/', sessionRoutes)

authRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/auth/captcha',
    tags,
    summary: 'Which captcha to solve, and for ALTCHA a challenge that is good once and for ten minutes',
    responses: { 200: answers(CaptchaAnswer, 'The captcha') },
  }),
  async (c) => {
    const { provider } = env.captcha
    return c.json(provider === 'altcha' ? { provider, challenge: await makeChallenge() } : { provider }, 200)
  },
)

authRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/auth/register',
    tags,
    summary: 'Make an account',
    middleware: limitedBody,
    request: takes(RegisterRequest),
    responses: { 201: answers(RegisterAnswer, 'The new account') },
  }),
  async (c) => {
    const user = await register(c.req.valid('json'), clientOf(c.req.raw.headers))
    const text: JsonText<{ user: OwnUser }> = `{"user":${user}}`
    return passJson(c, text, 201)
  },
)

authRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/auth/login',
    tags,
    summary: 'Sign in',
    middleware: limitedBody,
    request: takes(LoginRequest),
    responses: { 200: answers(LoginAnswer, 'The person and a session of Supabase Auth') },
  }),
  async (c) => {
    const { user, session } = await login(c.req.valid('json'), clientOf(c.req.raw.headers))
    const text: JsonText<LoginAnswer> = `{"user":${user},"session":${JSON.stringify(session)}}`
    return passJson(c, text, 200)
  },
)

authRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/auth/user',
    tags,
    summary: 'The signed-in person’s own record',
    ...forPeople,
    responses: { 200: answers(OwnUser, 'The record') },
  }),
  async (c) => passJson(c, await readOwnUser(c.var.user), 200),
)

authRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/login',
    tags,
    summary: 'To the sign-in page, which leads back to `next` where that is a screen of this site',
    // Not checked as a request: a wrong one is passed over, since whoever comes here wants to sign in.
    parameters: [{ name: 'next', in: 'query', schema: { type: 'string' } }],
    responses: { 302: { description: 'To /login' } },
  }),
  (c) => {
    const next = safeReturnPath(c.req.query('next'))
    return c.redirect(next ? `/login?next=${encodeURIComponent(next)}` : '/login', 302)
  },
)

authRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/logout',
    tags,
    summary:
      'Ends the session and goes to the landing page; does nothing when another site sent the browser here',
    responses: { 302: { description: 'To /' } },
  }),
  async (c) => {
    const { headers } = c.req.raw
    if (isFromElsewhere(headers)) return c.redirect('/', 302)
    const refreshToken = sessionInCookie(headers.get('cookie'))?.refreshToken
    if (c.var.caller) await endSession(c.var.caller.token)
    else if (refreshToken) await endRefreshedSession(refreshToken)
    forgetSession(c)
    return c.redirect('/', 302)
  },
)
