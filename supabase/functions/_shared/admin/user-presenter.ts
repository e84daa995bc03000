import { sql } from '../db/sql.ts'
import { aboutFields, profileFields, suspension, userCardOf } from '../users/presenter.ts'

/**
 * The joins that an `AdminUser` needs besides the profile `u`. Row-level security allows only admins to read all of
 * these rows. `offset 0` stops the planner from flattening the subquery, which would call `auto_posting_status` once
 * per field.
 */
export const adminUserJoins = sql`
  join public.profile_details d on d.user_id = u.id
  join public.accounts a on a.user_id = u.id
  join public.profile_about o on o.user_id = u.id
  cross join lateral (select private.auto_posting_status(u.id) as state offset 0) x`

/** SQL for an `AdminUser` as JSON text, built from the profile `u` and `adminUserJoins`. */
export const adminUserJson = sql`(
  jsonb_build_object(${profileFields},
    'email', a.email, 'phoneNumber', a.phone_number, 'country', o.country,
    'showProfileInDirectory', u.show_in_directory, 'makeProfileDiscoverable', u.content_discoverable,
    'autoPostingEnabled', x.state -> 'enabled', 'autoPostingFrequency', x.state -> 'frequency',
    'lastAutoPost', x.state -> 'lastAutoPost', 'autoPostingAgreed', x.state -> 'agreed',
    'awaitingConsent', (x.state ->> 'enabled')::boolean and not (x.state ->> 'agreed')::boolean,
    'approvedAt', a.approved_at, 'approvedBy', ${userCardOf(sql`private.account_approver(a.user_id)`)},
    'suspended', a.suspended_at is not null, 'suspendedUntil', a.suspended_until,
    'readOnlyReason', a.read_only_reason, 'suspension', ${suspension})
  || private.account_activity(u.id)
  || jsonb_build_object(${aboutFields}))::text`
