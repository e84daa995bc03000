import { createRoute, z } from '@hono/zod-openapi'
import { createAltchaChallenge } from '../captcha/altcha.ts'
import {
  AccessToken,
  CreateAccessTokenRequest,
  CreatedAccessToken,
  TokenExchangeResponse,
} from '../contract/access-token.ts'
import { ConfirmEmailRequest, ConfirmEmailResponse } from '../contract/account.ts'
import {
  ActiveSession,
  CaptchaResponse,
  ChangePasswordRequest,
  ForgotPasswordRequest,
  LoginRequest,
  LoginResponse,
  MessageResponse,
  RegisterRequest,
  RegisterResponse,
  ResetLinkResponse,
  ResetPasswordRequest,
  resetLinkInvalid,
} from '../contract/auth.ts'
import { safeReturnPath } from '../contract/return-path.ts'
import { OwnUser } from '../contract/user.ts'
import type { JsonText } from '../db/sql.ts'
import { env } from '../env.ts'
import { createRouter, limitBody, requireUser } from '../http/app.ts'
import { isCrossSite } from '../http/origin.ts'
import { IdParam } from '../http/params.ts'
import { jsonBody, jsonResponse, sendJson } from '../http/responses.ts'
import { clearSessionCookie, readSessionCookie } from '../http/session-cookie.ts'
import { readOwnUser } from '../users/queries.ts'
import {
  createAccessToken,
  exchangeAccessToken,
  listAccessTokens,
  revokeAccessToken,
} from './access-tokens.ts'
import { readClientInfo } from './client-info.ts'
import { confirmEmail, resendConfirmation } from './email-confirmation.ts'
import { changePassword } from './password-change.ts'
import { requestPasswordReset, resetPassword } from './password-reset.ts'
import * as queries from './queries.ts'
import { register } from './register.ts'
import { signIn } from './sign-in.ts'
import { signOut, signOutWithRefreshToken } from './supabase-auth.ts'

const tags = ['Accounts']

/** Turns a malformed token into an empty one, which gets the same response as an unknown token. */
const normalizeToken = (token: string) => (/^[A-Za-z0-9_-]{1,200}$/.test(token) ? token : '')

const TokenParam = z.object({ token: z.string().transform(normalizeToken) })
const ResetPasswordBody = ResetPasswordRequest.extend({
  token: z.string('No reset token found').min(1, 'No reset token found').transform(normalizeToken),
})
const ConfirmEmailBody = ConfirmEmailRequest.extend({
  token: ConfirmEmailRequest.shape.token.transform(normalizeToken),
})

export const authRoutes = createRouter()

authRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/auth/forgot-password',
    tags,
    summary: 'Request a password reset email; the response is the same for every email address',
    middleware: limitBody,
    request: jsonBody(ForgotPasswordRequest),
    responses: {
      200: jsonResponse(MessageResponse, 'The email is sent if the address belongs to an account'),
    },
  }),
  async (c) => {
    await requestPasswordReset(c.req.valid('json').email, readClientInfo(c.req.raw.headers))
    return c.json({ message: 'If the email exists, a password reset link has been sent.' }, 200)
  },
)

authRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/auth/verify-reset-token/{token}',
    tags,
    summary: 'Check whether a password reset token is valid, without using it up',
    request: { params: TokenParam },
    responses: { 200: jsonResponse(ResetLinkResponse, 'Whether the token is valid') },
  }),
  async (c) => {
    const { network } = readClientInfo(c.req.raw.headers)
    const valid = await queries.isResetTokenValid(c.req.valid('param').token, network)
    return c.json({ valid, message: valid ? '' : resetLinkInvalid }, 200)
  },
)

authRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/auth/reset-password',
    tags,
    summary: 'Set a new password with a password reset token; all sessions of the user end',
    middleware: limitBody,
    request: jsonBody(ResetPasswordBody),
    responses: { 200: jsonResponse(MessageResponse, 'The new password is set') },
  }),
  async (c) => {
    await resetPassword(c.req.valid('json'), readClientInfo(c.req.raw.headers))
    return c.json({ message: 'Password reset successful' }, 200)
  },
)

authRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/auth/confirm-email',
    tags,
    summary:
      'Confirm an email address with the token sent to it; the token expires in 24 hours and works once',
    middleware: limitBody,
    request: jsonBody(ConfirmEmailBody),
    responses: { 200: jsonResponse(ConfirmEmailResponse, 'The confirmed email address') },
  }),
  async (c) => {
    const { network } = readClientInfo(c.req.raw.headers)
    return c.json({ email: await confirmEmail(c.req.valid('json').token, network) }, 200)
  },
)

authRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/auth/resend-confirmation',
    tags,
    summary:
      'Send a new confirmation link to your pending or unconfirmed email address; earlier links stop working',
    ...requireUser,
    responses: {
      204: { description: 'The email is being sent, unless there is no address to confirm' },
    },
  }),
  async (c) => {
    await resendConfirmation(c.var.user)
    return c.body(null, 204)
  },
)

authRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/auth/change-password',
    tags,
    summary: 'Change your password; all of your sessions except the current one end',
    ...requireUser,
    request: jsonBody(ChangePasswordRequest),
    responses: { 204: { description: 'The new password is set' } },
  }),
  async (c) => {
    await changePassword(c.var.user, c.req.valid('json'), readClientInfo(c.req.raw.headers))
    return c.body(null, 204)
  },
)

authRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/auth/sessions',
    tags,
    summary: 'List your sessions: the current one, then the others, most recently used first',
    ...requireUser,
    responses: { 200: jsonResponse(z.array(ActiveSession), 'At most 100 sessions') },
  }),
  async (c) => sendJson(c, await queries.listSessions(c.var.user), 200),
)

authRoutes.openapi(
  createRoute({
    method: 'delete',
    path: '/auth/sessions/{id}',
    tags,
    summary: 'End one of your sessions',
    ...requireUser,
    request: { params: IdParam },
    responses: { 204: { description: 'The session has ended' } },
  }),
  async (c) => {
    await queries.revokeSession(c.var.user, c.req.valid('param').id)
    return c.body(null, 204)
  },
)

authRoutes.openapi(
  createRoute({
    method: 'delete',
    path: '/auth/sessions',
    tags,
    summary: 'End all of your sessions except the current one',
    ...requireUser,
    responses: { 204: { description: 'The sessions have ended' } },
  }),
  async (c) => {
    await queries.revokeOtherSessions(c.var.user)
    return c.body(null, 204)
  },
)

authRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/auth/access-tokens',
    tags,
    summary: 'List your personal access tokens, newest first',
    ...requireUser,
    responses: { 200: jsonResponse(z.array(AccessToken), 'Your access tokens, without their secrets') },
  }),
  async (c) => sendJson(c, await listAccessTokens(c.var.user), 200),
)

authRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/auth/access-tokens',
    tags,
    summary: 'Create a personal access token; you can have at most 20',
    ...requireUser,
    request: jsonBody(CreateAccessTokenRequest),
    responses: {
      201: jsonResponse(CreatedAccessToken, 'The access token. Its secret, `token`, is not shown again'),
    },
  }),
  async (c) => {
    const client = readClientInfo(c.req.raw.headers)
    return c.json(await createAccessToken(c.var.user, c.req.valid('json'), client), 201)
  },
)

authRoutes.openapi(
  createRoute({
    method: 'delete',
    path: '/auth/access-tokens/{id}',
    tags,
    summary: 'Revoke one of your personal access tokens',
    ...requireUser,
    request: { params: IdParam },
    responses: { 204: { description: 'The access token is revoked' } },
  }),
  async (c) => {
    await revokeAccessToken(c.var.user, c.req.valid('param').id)
    return c.body(null, 204)
  },
)

authRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/auth/token',
    tags,
    summary: 'Exchange the personal access token in `Authorization` for a JWT that the Data API accepts',
    description:
      'The JWT has the scopes of the access token, is valid for at most 15 minutes, and stops working when the access token is revoked.',
    ...requireUser,
    responses: { 200: jsonResponse(TokenExchangeResponse, 'The JWT') },
  }),
  async (c) => c.json(await exchangeAccessToken(c.var.user), 200),
)

authRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/auth/captcha',
    tags,
    summary:
      'Get the captcha provider and, for ALTCHA, a challenge that works once and expires in 10 minutes',
    responses: { 200: jsonResponse(CaptchaResponse, 'The captcha') },
  }),
  async (c) => {
    const { provider } = env.captcha
    return c.json(
      provider === 'altcha' ? { provider, challenge: await createAltchaChallenge() } : { provider },
      200,
    )
  },
)

authRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/auth/register',
    tags,
    summary: 'Create an account',
    middleware: limitBody,
    request: jsonBody(RegisterRequest),
    responses: { 201: jsonResponse(RegisterResponse, 'The new account') },
  }),
  async (c) => {
    const { user, session } = await register(c.req.valid('json'), readClientInfo(c.req.raw.headers))
    const sessionField = session ? `,"session":${JSON.stringify(session)}` : ''
    const text: JsonText<RegisterResponse> = `{"user":${user}${sessionField}}`
    return sendJson(c, text, 201)
  },
)

authRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/auth/login',
    tags,
    summary: 'Sign in',
    middleware: limitBody,
    request: jsonBody(LoginRequest),
    responses: { 200: jsonResponse(LoginResponse, 'The user and a Supabase Auth session') },
  }),
  async (c) => {
    const { user, session } = await signIn(c.req.valid('json'), readClientInfo(c.req.raw.headers))
    const text: JsonText<LoginResponse> = `{"user":${user},"session":${JSON.stringify(session)}}`
    return sendJson(c, text, 200)
  },
)

authRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/auth/user',
    tags,
    summary: 'Get your own user data',
    ...requireUser,
    responses: { 200: jsonResponse(OwnUser, 'Your user data') },
  }),
  async (c) => sendJson(c, await readOwnUser(c.var.user), 200),
)

authRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/login',
    tags,
    summary:
      'Redirect to the sign-in page, which then sends the user to `next` if that is a page on this site',
    // Documented but not validated: an invalid value is ignored, so that the user can still sign in.
    parameters: [{ name: 'next', in: 'query', schema: { type: 'string' } }],
    responses: { 302: { description: 'Redirect to /login' } },
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
      'End the session and redirect to the landing page; a request from another site does not end the session',
    responses: { 302: { description: 'Redirect to /' } },
  }),
  async (c) => {
    const { headers } = c.req.raw
    if (isCrossSite(headers)) return c.redirect('/', 302)
    const refreshToken = readSessionCookie(headers.get('cookie'))?.refreshToken
    if (c.var.caller) await signOut(c.var.caller.token)
    else if (refreshToken) await signOutWithRefreshToken(refreshToken)
    clearSessionCookie(c)
    return c.redirect('/', 302)
  },
)
