import { askForConfirmation, tellOfWantedAddress } from '../auth/email-mail.ts'
import type { ProfileRequest } from '../contract/settings.ts'
import type { OwnUser } from '../contract/user.ts'
import { asService, asUser, type Sql } from '../db/run.ts'
import type { JsonText } from '../http/answers.ts'
import { inBackground } from '../http/background.ts'
import { ApiError, unauthorized } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { takeTakenAddress } from '../limits/queries.ts'
import { mailIsOn } from '../mail/port.ts'
import { selectOwnUser } from './queries.ts'

/** The names of fields as the database has them. */
const toColumn = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** What is to change, as `private.write_profile` takes it: by column, with what is left out left out. */
export function toColumns(fields: Record<string, unknown>): string {
  const named = Object.entries(fields).filter(([, value]) => value !== undefined)
  return JSON.stringify(Object.fromEntries(named.map(([field, value]) => [toColumn(field), value])))
}

/**
 * Changes what is named of the caller's profile, leaves the rest, and answers the record after it. Another mail address
 * is only asked for: it takes the place of the old one once the link that is mailed to it is followed.
 *
 * @throws ApiError 400 for a name that is not given away, 403 for a read-only account, or where the Creator Account is
 *   to be paid for, 409 for a username or address that somebody has, 429, 503 for another address where no mail leaves
 */
export async function changeProfile(caller: Caller, fields: ProfileRequest): Promise<JsonText<OwnUser>> {
  const { email, ...profile } = fields
  const changes = toColumns(profile)
  if (email === undefined) {
    const [, rows] = await asUser(caller, (tx) => [
      editProfile(tx, changes),
      selectOwnUser(tx, caller.userId),
    ])
    return itemOf(rows)
  }
  if (!mailIsOn) await refuseAnotherAddress(caller, email)
  const token = makeToken()
  const [[account], , [begun], rows] = await telling(caller, () =>
    asUser(caller, (tx) => [
      selectAddress(tx, caller),
      editProfile(tx, changes),
      tx<{ mailed: boolean }[]>`select private.begin_email_change(${email}::text, ${token}::text) as mailed`,
      selectOwnUser(tx, caller.userId),
    ]),
  )
  if (begun?.mailed && account) {
    inBackground(mailLink(email, token), 'email_change_mail_failed')
    inBackground(tellOfWantedAddress(account.email, email), 'email_change_mail_failed')
  }
  return itemOf(rows)
}

/** Sends the link; where that is not possible the address is no longer wanted, so that it can be asked for again. */
async function mailLink(email: string, token: string): Promise<void> {
  try {
    await askForConfirmation(email, token)
  } catch (error) {
    await asService(
      'the mail goes its way behind the answer, when the session may be over',
      (tx) => tx`select private.drop_email_change(${token}::text)`,
    )
    throw error
  }
}

const editProfile = (tx: Sql, changes: string) => tx`
  select private.edit_profile(${changes}::text::jsonb) where ${changes}::text <> '{}'`

const selectAddress = (tx: Sql, { userId }: Caller) => tx<{ email: string }[]>`
  select a.email from public.accounts a where a.user_id = ${userId}::text::uuid`

/** The one row of somebody's record. */
function itemOf(rows: { item: JsonText<OwnUser> }[]): JsonText<OwnUser> {
  if (!rows[0]) throw unauthorized()
  return rows[0].item
}

/** Nobody could confirm another address: their own may be named, as a whole form does. */
async function refuseAnotherAddress(caller: Caller, wanted: string): Promise<void> {
  const [account] = await asUser(caller, (tx) => selectAddress(tx, caller))
  if (account?.email.toLowerCase() === wanted) return
  throw new ApiError(
    503,
    'Your email address cannot be changed here, because this site sends no mail. Nothing was saved.',
  )
}

/** Who hears too often that somebody has an address hears nothing more. */
async function telling<T>(caller: Caller, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError && error.code === 'email_taken') await takeTakenAddress(caller.userId)
    throw error
  }
}

/** 32 random bytes, as an address can carry them. */
function makeToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
