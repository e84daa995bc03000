import { sql } from '../db/sql.ts'
import { payoutMethodUsableFrom } from '../earnings/queries.ts'
import { userCardFields } from '../users/presenter.ts'

const payoutFields = sql`
  'id', o.id, 'kind', o.kind, 'amount', o.amount_cents / 100.0, 'methodType', o.method_type,
  'methodName', o.method_name, 'methodDetails', o.method_masked, 'state', o.state, 'createdAt', o.created_at,
  'settledAt', o.settled_at, 'reference', o.reference, 'failure', o.failure, 'isTest', o.is_test`

/** SQL for a `Payout` as JSON text, read from the payout `o`. */
export const payoutJson = sql`json_build_object(${payoutFields})::text`

/** SQL for an `AdminPayout` as JSON text, read from the payout `o` and its user's profile `u`, which may be missing. */
export const adminPayoutJson = sql`json_build_object(${payoutFields}, 'personId', o.user_id,
  'person', case when u.id is not null then json_build_object(${userCardFields}) end)::text`

/** SQL for a `PayoutMethod` as JSON text, read from the payout method `m`. */
export const payoutMethodJson = sql`json_build_object(
  'id', m.id, 'type', m.type, 'name', m.name, 'details', m.masked, 'isDefault', m.is_default,
  'usableFrom', ${payoutMethodUsableFrom})::text`
