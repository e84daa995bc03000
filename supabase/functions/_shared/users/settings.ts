import type { PrivacyRequest, ProfileRequest } from '../contract/settings.ts'
import type { OwnUser } from '../contract/user.ts'
import { asUser } from '../db/run.ts'
import type { JsonText } from '../http/answers.ts'
import { unauthorized } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { selectOwnUser } from './queries.ts'

/** Changes what is named of the caller's privacy, leaves the rest, and answers the record after it. */
export async function changePrivacy(caller: Caller, fields: PrivacyRequest): Promise<JsonText<OwnUser>> {
  const [, rows] = await asUser(caller, (tx) => [
    tx`update public.profiles u set
           visibility = coalesce(${fields.profileVisibility ?? null}::text, u.visibility),
           allow_direct_messages =
             coalesce(${fields.allowDirectMessages ?? null}::boolean, u.allow_direct_messages),
           show_follower_count = coalesce(${fields.showFollowerCount ?? null}::boolean, u.show_follower_count),
           content_discoverable = coalesce(${fields.contentDiscoverable ?? null}::boolean, u.content_discoverable),
           show_in_directory = coalesce(${fields.showProfileInDirectory ?? null}::boolean, u.show_in_directory)
         where u.id = ${caller.userId}::text::uuid`,
    selectOwnUser(tx, caller.userId),
  ])
  if (!rows[0]) throw unauthorized()
  return rows[0].item
}

/**
 * Changes what is named of the caller's profile, leaves the rest, and answers the record after it.
 *
 * @throws ApiError 403 for a read-only account, or where the Creator Account is to be paid for
 */
export async function changeProfile(caller: Caller, fields: ProfileRequest): Promise<JsonText<OwnUser>> {
  const creator = fields.isCreator ?? null
  const [, rows] = await asUser(caller, (tx) => [
    tx`select private.set_creator(${creator}::boolean) where ${creator}::boolean is not null`,
    selectOwnUser(tx, caller.userId),
  ])
  if (!rows[0]) throw unauthorized()
  return rows[0].item
}
