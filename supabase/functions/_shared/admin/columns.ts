import type { AdminUser } from '../contract/admin.ts'
import { sql } from '../db/page.ts'
import type { Sql } from '../db/run.ts'
import type { JsonText } from '../http/answers.ts'
import { card } from '../users/card.ts'
import { about, shownProfile } from '../users/columns.ts'

/**
 * What an `AdminUser` is read from, beside the profile `u`. Policies let nobody but admins read all of it. `offset 0`
 * keeps the function from being called again for each part of its answer.
 */
export const joined = sql`
  join public.profile_details d on d.user_id = u.id
  join public.accounts a on a.user_id = u.id
  join public.profile_about o on o.user_id = u.id
  cross join lateral (select private.auto_posting_of(u.id) as state offset 0) x`

/** An `AdminUser` as JSON text, of these. */
export const adminUser = sql`(
  jsonb_build_object(${shownProfile},
    'email', a.email, 'phoneNumber', a.phone_number, 'country', o.country,
    'showProfileInDirectory', u.show_in_directory, 'makeProfileDiscoverable', u.content_discoverable,
    'autoPostingEnabled', x.state -> 'enabled', 'autoPostingFrequency', x.state -> 'frequency',
    'lastAutoPost', x.state -> 'lastAutoPost', 'autoPostingAgreed', x.state -> 'agreed',
    'awaitingConsent', (x.state ->> 'enabled')::boolean and not (x.state ->> 'agreed')::boolean,
    'approvedAt', a.approved_at,
    'approvedBy', (select json_build_object(${card}) from public.profiles u where u.id = private.approver_of(a.user_id)),
    'suspended', a.suspended_at is not null, 'suspendedUntil', a.suspended_until,
    'readOnlyReason', a.read_only_reason)
  || jsonb_build_object(${about}))::text`

/** One person, as admins see them. */
export const selectAdminUser = (tx: Sql, id: string) => tx<{ item: JsonText<AdminUser> }[]>`
  select ${adminUser} as item from public.profiles u ${joined} where u.id = ${id}::text::uuid`
