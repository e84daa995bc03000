import { createRoute } from '@hono/zod-openapi'
import { ConfirmEmailAnswer, ConfirmEmailRequest, confirmLinkInvalid } from '../contract/account.ts'
import { asService } from '../db/run.ts'
import { answers, takes } from '../http/answers.ts'
import { createRouter, limitedBody } from '../http/app.ts'
import { inBackground } from '../http/background.ts'
import { ApiError, invalidField } from '../http/errors.ts'
import { obey } from '../limits/queries.ts'
import { clientOf } from './client.ts'
import { tellOfNewAddress } from './email-mail.ts'
import { likeAnyOther } from './link-token.ts'

type Confirmed = { wait: number; old_email: string | null; new_email: string | null }

/**
 * Spends the link of the mail to a new address: from now on it is the account's, and the old one hears so. A wrong link
 * counts against the network address, 30 an hour.
 *
 * @returns the new address
 * @throws ApiError 400 `email_token_invalid`, 409 `email_taken`, 429
 */
async function confirmEmail(token: string, network: string): Promise<string> {
  const rows = await spend(token, network)
  obey(rows)
  const { old_email: before, new_email: now } = rows[0] ?? {}
  if (!now) throw invalidField('token', confirmLinkInvalid, 'email_token_invalid')
  if (before) inBackground(tellOfNewAddress(before, now), 'email_change_mail_failed')
  return now
}

async function spend(token: string, network: string): Promise<Confirmed[]> {
  try {
    return await asService(
      'whoever follows the link need not be signed in where they read their mail',
      (tx) => tx<Confirmed[]>`
        select c.wait, c.old_email, c.new_email
        from private.confirm_email_change(${token}::text, ${network}::text) c`,
    )
  } catch (error) {
    // Somebody who registered at this moment came first: the index says so where nobody could ask it before.
    if (!(error instanceof ApiError) || error.status !== 409) throw error
    throw invalidField('token', 'Email is already registered', 'email_taken')
  }
}

const ConfirmForm = ConfirmEmailRequest.extend({
  token: ConfirmEmailRequest.shape.token.transform(likeAnyOther),
})

export const emailRoutes = createRouter()

emailRoutes.openapi(
  createRoute({
    method: 'post',
    path: '/auth/confirm-email',
    tags: ['Accounts'],
    summary:
      'Make the address that a mail went to the account’s, with the link in it; good once, for 24 hours',
    middleware: limitedBody,
    request: takes(ConfirmForm),
    responses: { 200: answers(ConfirmEmailAnswer, 'The address') },
  }),
  async (c) => {
    const { network } = clientOf(c.req.raw.headers)
    return c.json({ email: await confirmEmail(c.req.valid('json').token, network) }, 200)
  },
)
