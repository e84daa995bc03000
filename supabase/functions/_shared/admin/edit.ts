import { tellOfNewAddress } from '../auth/email-mail.ts'
import type { AdminProfileRequest, AdminUser } from '../contract/admin.ts'
import { asUser } from '../db/run.ts'
import { env } from '../env.ts'
import type { JsonText } from '../http/answers.ts'
import { inBackground } from '../http/background.ts'
import type { Caller } from '../http/session.ts'
import { toColumns } from '../users/profile.ts'
import { selectAdminUser } from './columns.ts'
import { tellOfGivenAddress } from './mails.ts'
import { onlyPerson } from './people.ts'

/**
 * Changes somebody's profile, that of another admin too. Another mail address counts at once: the old one and the new
 * one hear so.
 *
 * @throws ApiError 400 for a name that is not given away, and `media_not_usable` for a picture that is neither the
 *   present one nor an upload of the caller's, 401, 403 for who is no admin, 404, 409 `username_taken`, `email_taken`
 */
export async function editPerson(
  caller: Caller,
  id: string,
  fields: AdminProfileRequest,
): Promise<JsonText<AdminUser>> {
  const { showProfileInDirectory, makeProfileDiscoverable, profileImageUrl, backgroundImageUrl, ...rest } =
    fields
  const changes = toColumns({
    ...rest,
    showInDirectory: showProfileInDirectory,
    contentDiscoverable: makeProfileDiscoverable,
    profileImageUrl: withoutSite(profileImageUrl),
    backgroundImageUrl: withoutSite(backgroundImageUrl),
  })
  const [[edited], rows] = await asUser(caller, (tx) => [
    tx<{ before: string | null }[]>`
      select private.edit_person(${id}::text::uuid, ${changes}::text::jsonb) as before`,
    selectAdminUser(tx, id),
  ])
  const item = onlyPerson(rows)
  if (edited?.before) {
    inBackground(tellOfNewAddress(edited.before, fields.email), 'email_change_mail_failed')
    inBackground(tellOfGivenAddress(fields.email), 'email_change_mail_failed')
  }
  return item
}

/** An address of a file, as profiles keep it: without this site before it. An empty one is none. */
function withoutSite(address: string | null | undefined): string | null | undefined {
  if (!address) return address === '' ? null : address
  const origin = [...env.origins].find((one) => address.startsWith(`${one}/`)) ?? ''
  return address.slice(origin.length)
}
