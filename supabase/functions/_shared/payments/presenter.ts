import { sql } from '../db/sql.ts'
import { userCardFields } from '../users/presenter.ts'

/**
 * SQL for a `Subscription` as JSON text for its subscriber, read from the subscription `s` and its creator's profile
 * `u`, which is missing if the subscriber may not view it.
 */
export const subscriptionJson = sql`json_build_object(
  'id', s.id, 'creatorId', s.creator_id,
  'creator', case when u.id is not null then json_build_object(${userCardFields}) end,
  'price', s.price_cents / 100.0,
  -- A subscription past its end counts as ended even before the renewals job has updated its row.
  'state', case when s.state = 'active' and not private.is_subscribed_to(s.creator_id) then 'ended' else s.state end,
  'periodEnd', s.period_end, 'cancelled', s.cancelled_at is not null, 'createdAt', s.created_at)::text`
