import { createEmailToken, sendConfirmationLink } from '../auth/email-confirmation.ts'
import { sendEmailChangeNotice } from '../auth/mails.ts'
import type { ProfileRequest } from '../contract/settings.ts'
import type { OwnUser } from '../contract/user.ts'
import type { JsonText, Sql } from '../db/sql.ts'
import { runInBackground } from '../http/background.ts'
import type { Caller } from '../http/caller.ts'
import { ApiError } from '../http/errors.ts'
import { asUser } from '../http/run-as.ts'
import { isMailEnabled } from '../mail/send-mail.ts'
import { consumeTakenEmailLimit } from '../rate-limits.ts'
import { requireOwnUser, selectOwnUser } from './queries.ts'

const toColumnName = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/**
 * Converts fields to the JSON that the database's profile functions expect: values keyed by column name, without
 * `undefined`.
 */
export function toColumnJson(fields: Record<string, unknown>): string {
  const defined = Object.entries(fields).filter(([, value]) => value !== undefined)
  return JSON.stringify(Object.fromEntries(defined.map(([field, value]) => [toColumnName(field), value])))
}

/**
 * Updates the caller's profile; omitted fields stay unchanged. Returns the updated record. A new email address replaces
 * the old one only after the user opens the link that is sent to it.
 *
 * @throws ApiError 400 if a name or the age is not allowed; 403 if the account is read-only, or a creator account
 *   requires payment; 409 if the username or email address is taken; 429; 503 if the email address is new and mail
 *   is disabled
 */
export async function updateProfile(caller: Caller, fields: ProfileRequest): Promise<JsonText<OwnUser>> {
  const { email, ...profile } = fields
  const changes = toColumnJson(profile)
  if (email === undefined) {
    const [, rows] = await asUser(caller, (tx) => [
      editProfile(tx, changes),
      selectOwnUser(tx, caller.userId),
    ])
    return requireOwnUser(rows)
  }
  if (!isMailEnabled) await rejectNewEmail(caller, email)
  const token = createEmailToken()
  const [[account], , [emailChange], rows] = await limitTakenEmails(caller, () =>
    asUser(caller, (tx) => [
      selectEmail(tx, caller),
      editProfile(tx, changes),
      tx<{ mailed: boolean }[]>`select private.begin_email_change(${email}::text, ${token}::text) as mailed`,
      selectOwnUser(tx, caller.userId),
    ]),
  )
  if (emailChange?.mailed && account) {
    runInBackground(sendConfirmationLink(email, token, 'change'), 'email_change_mail_failed')
    // An unconfirmed address may belong to somebody else, who must not learn the new one.
    if (account.confirmed) {
      runInBackground(sendEmailChangeNotice(account.email, email), 'email_change_mail_failed')
    }
  }
  return requireOwnUser(rows)
}

const editProfile = (tx: Sql, changes: string) => tx`
  select private.update_own_profile(${changes}::text::jsonb) where ${changes}::text <> '{}'`

const selectEmail = (tx: Sql, { userId }: Caller) => tx<{ email: string; confirmed: boolean }[]>`
  select a.email, a.email_confirmed_at is not null as confirmed
  from public.accounts a where a.user_id = ${userId}::text::uuid`

/**
 * Rejects a new email address, because it could not be confirmed without mail. Accepts the current one, because the
 * form always submits it.
 */
async function rejectNewEmail(caller: Caller, email: string): Promise<void> {
  const [account] = await asUser(caller, (tx) => selectEmail(tx, caller))
  if (account?.email.toLowerCase() === email) return
  throw new ApiError(
    503,
    "You can't change your email address because this site doesn't send mail. Nothing was saved.",
  )
}

/** Runs `update`. Limits how often a caller can learn from it that an email address belongs to another account. */
async function limitTakenEmails<T>(caller: Caller, update: () => Promise<T>): Promise<T> {
  try {
    return await update()
  } catch (error) {
    if (error instanceof ApiError && error.code === 'email_taken') await consumeTakenEmailLimit(caller.userId)
    throw error
  }
}
