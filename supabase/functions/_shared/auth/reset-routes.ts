import { createRoute, z } from '@hono/zod-openapi'
import {
  ForgotPasswordRequest,
  ResetLinkAnswer,
  ResetPasswordRequest,
  resetLinkInvalid,
  Told,
} from '../contract/auth.ts'
import { answers, takes } from '../http/answers.ts'
import { createRouter, limitedBody } from '../http/app.ts'
import { clientOf } from './client.ts'
import { likeAnyOther } from './link-token.ts'
import { isResetLinkGood, requestReset, resetPassword } from './reset.ts'

const tags = ['Accounts']

const TokenParam = z.object({ token: z.string().transform(likeAnyOther) })
const ResetForm = ResetPasswordRequest.extend({
  token: z.string('No reset token found').min(1, 'No reset token found').transform(likeAnyOther),
})

export const resetRoutes = createRouter()

resetRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/auth/forgot-password',
    tags,
    summary: 'Ask for a mail with a link for a new password; the answer is the same for every address',
    middleware: limitedBody,
    request: takes(ForgotPasswordRequest),
    responses: { 200: answers(Told, 'It was sent, if anybody has this address') },
  }),
  async (c) => {
    await requestReset(c.req.valid('json').email, clientOf(c.req.raw.headers))
    return c.json({ message: 'If the email exists, a password reset link has been sent.' }, 200)
  },
)

resetRoutes.openapi(
  createRoute({
    method: 'get',
    path: '/auth/verify-reset-token/{token}',
    tags,
    summary: 'Whether the link of a reset mail can be used; looking does not spend it',
    request: { params: TokenParam },
    responses: { 200: answers(ResetLinkAnswer, 'Whether it can') },
  }),
  async (c) => {
    const valid = await isResetLinkGood(c.req.valid('param').token, clientOf(c.req.raw.headers))
    return c.json({ valid, message: valid ? '' : resetLinkInvalid }, 200)
  },
)

resetRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/auth/reset-password',
    tags,
    summary: 'Set a new password with the link of a reset mail; every session of the person ends',
    middleware: limitedBody,
    request: takes(ResetForm),
    responses: { 200: answers(Told, 'It is set') },
  }),
  async (c) => {
    await resetPassword(c.req.valid('json'), clientOf(c.req.raw.headers))
    return c.json({ message: 'Password reset successful' }, 200)
  },
)
