import { sendEmailChangedNotice } from '../auth/mails.ts'
import type {
  AdminProfileRequest,
  AdminUser,
  RemoveUserRequest,
  SuspendUserRequest,
} from '../contract/admin.ts'
import type { JsonText } from '../db/sql.ts'
import { setStatementTimeout } from '../db/statement-timeout.ts'
import { env } from '../env.ts'
import { runInBackground } from '../http/background.ts'
import type { Caller } from '../http/caller.ts'
import { ApiError } from '../http/errors.ts'
import { asUser } from '../http/run-as.ts'
import { isMailEnabled, sendMail } from '../mail/send-mail.ts'
import { renderMail } from '../mail/template.ts'
import { withoutOwnOrigin } from '../media/media-url.ts'
import { sendAccountRemovedMail } from '../moderation/account-removed-mail.ts'
import { toColumnJson } from '../users/update-profile.ts'
import { requireFound, selectAdminUser } from './queries.ts'

/**
 * Approves an account. Repeating the call has no effect.
 *
 * @throws ApiError 401; 403 if the caller is not an admin, or `target_is_admin` if the user is one; 404 if there is no
 *   such user
 */
export async function approveUser(caller: Caller, id: string): Promise<JsonText<AdminUser>> {
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.approve_account(${id}::text::uuid)`,
    selectAdminUser(tx, id),
  ])
  return requireFound(rows)
}

/**
 * Gives a user creator status, or takes it away.
 *
 * @param isCreator the new state; undefined toggles the current one
 * @throws ApiError 401; 403 if the caller is not an admin, or `target_is_admin` if the user is one; 404 if there is no
 *   such user
 */
export async function setCreator(
  caller: Caller,
  id: string,
  isCreator: boolean | undefined,
): Promise<JsonText<AdminUser>> {
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.set_creator(${id}::text::uuid, ${isCreator ?? null}::boolean)`,
    selectAdminUser(tx, id),
  ])
  return requireFound(rows)
}

/**
 * Makes an account read-only for a number of days, or until the suspension is lifted. This is a moderation decision:
 * the user sees the reason and may appeal.
 *
 * @throws ApiError 401; 403 if the caller is not an admin, or `target_is_admin` if the user is one; 404 if there is no
 *   such user
 */
export async function suspendUser(
  caller: Caller,
  id: string,
  { reason, days }: SuspendUserRequest,
): Promise<JsonText<AdminUser>> {
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.suspend_user(${id}::text::uuid, ${reason}::text, ${days}::integer)`,
    selectAdminUser(tx, id),
  ])
  return requireFound(rows)
}

/**
 * Lifts a suspension early. Has no effect if the user is not suspended.
 *
 * @throws ApiError 401; 403 if the caller is not an admin, or `target_is_admin` if the user is one; 404 if there is no
 *   such user
 */
export async function unsuspendUser(caller: Caller, id: string): Promise<JsonText<AdminUser>> {
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.lift_suspension(${id}::text::uuid)`,
    selectAdminUser(tx, id),
  ])
  return requireFound(rows)
}

/**
 * Deletes an account, bans its email address and notifies the user by email.
 *
 * @throws ApiError 401; 403 if the caller is not an admin, or `target_is_admin` if the user is one; 404 if there is no
 *   such user; 409 `balance_left` if the user has a balance of at least the minimum payout, unless `giveUpBalance`
 *   forfeits it
 */
export async function removeUser(
  caller: Caller,
  id: string,
  { reason, giveUpBalance = false }: Partial<RemoveUserRequest>,
): Promise<void> {
  const [, [removed]] = await withAdminBalanceError(() =>
    asUser(caller, (tx) => [
      setStatementTimeout(tx),
      tx<{ email: string | null }[]>`
        select private.remove_user(${id}::text::uuid, ${reason ?? null}::text, ${giveUpBalance}::boolean) as email`,
    ]),
  )
  if (removed?.email) sendAccountRemovedMail(removed.email, reason ?? null)
}

/**
 * Runs `work`. Rewords the `balance_left` error for the admin, because the database's message addresses the account
 * owner.
 */
export async function withAdminBalanceError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'balance_left') throw error
    const [balance = 'a balance'] = /\$[\d.]+/.exec(error.message) ?? []
    const message = `This user still has ${balance}. Pay it out first, or forfeit it for them.`
    throw new ApiError(409, message, { code: error.code, cause: error })
  }
}

/**
 * Changes a user's profile. The profile of an admin can be changed too, except for its email address. A new email
 * address takes effect immediately. The new address gets an email, and so does the old one if it was confirmed.
 *
 * @throws ApiError 400 for a name or email address that is not allowed, or `media_not_usable` for an image that is
 *   neither the current one nor one of the caller's uploads; 401; 403 if the caller is not an admin, or
 *   `target_is_admin` for the email address of an admin; 404 if there is no such user; 409 `username_taken` or
 *   `email_taken`
 */
export async function editUser(
  caller: Caller,
  id: string,
  fields: AdminProfileRequest,
): Promise<JsonText<AdminUser>> {
  const { showProfileInDirectory, makeProfileDiscoverable, profileImageUrl, backgroundImageUrl, ...rest } =
    fields
  const changes = toColumnJson({
    ...rest,
    showInDirectory: showProfileInDirectory,
    contentDiscoverable: makeProfileDiscoverable,
    profileImageUrl: toRelativeUrl(profileImageUrl),
    backgroundImageUrl: toRelativeUrl(backgroundImageUrl),
  })
  const [[edited], rows] = await asUser(caller, (tx) => [
    tx<{ previousEmail: string | null; confirmed: boolean | null }[]>`
      select private.update_user_profile(${id}::text::uuid, ${changes}::text::jsonb) as "previousEmail",
        (select a.email_confirmed_at is not null from public.accounts a
         where a.user_id = ${id}::text::uuid) as confirmed`,
    selectAdminUser(tx, id),
  ])
  const item = requireFound(rows)
  if (edited?.previousEmail) {
    // An unconfirmed address may belong to somebody else, who must not learn the new one.
    if (edited.confirmed) {
      runInBackground(sendEmailChangedNotice(edited.previousEmail, fields.email), 'email_change_mail_failed')
    }
    runInBackground(sendEmailAssignedNotice(fields.email), 'email_change_mail_failed')
  }
  return item
}

/** Removes this site's origin from a file URL, because profiles store paths. An empty URL becomes null. */
function toRelativeUrl(url: string | null | undefined): string | null | undefined {
  return url === '' ? null : url && withoutOwnOrigin(url)
}

/**
 * Sends an email to an address that an admin assigned to an account. Nobody has confirmed the address, so the email
 * explains what to do if this was a mistake. Does nothing if mail is disabled.
 *
 * @throws Error if the email could not be sent
 */
async function sendEmailAssignedNotice(to: string): Promise<void> {
  if (!isMailEnabled) return
  await sendMail(
    renderMail(to, {
      subject: `This is now the email address of your ${env.appName} account`,
      heading: 'Your email address was changed',
      lines: [
        { text: `An admin made this the email address of your ${env.appName} account.` },
        { text: 'From now on, use it to sign in. Emails about your account come here.' },
      ],
      button: { text: `Open ${env.appName}`, href: '/' },
      notes: [{ text: "Don't have an account, or didn't want this? Reply to this email." }],
    }),
  )
}
