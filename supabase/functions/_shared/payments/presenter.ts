import { sql } from '../db/sql.ts'
import { userCardFields } from '../users/presenter.ts'

/**
 * SQL for a `Subscription` as JSON text for its subscriber, read from the subscription `s` and its creator's profile
 * `u`, which is missing if the account was deleted or a block hides it.
 */
export const subscriptionJson = sql`json_build_object(
  'id', s.id, 'creatorId', s.creator_id,
  'creator', case when u.id is not null then json_build_object(${userCardFields}) end,
  'price', s.price_cents / 100.0, 'months', s.months,
  -- Past its period and any grace period, a subscription counts as ended even before the renewals job updates it.
  'state', case when s.state = 'active' and not private.is_subscribed_to(s.creator_id) then 'ended' else s.state end,
  'periodEnd', s.period_end, 'cancelled', s.cancelled_at is not null, 'createdAt', s.created_at)::text`
