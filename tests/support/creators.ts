import { TipResponse } from '@contract/payment.ts'
import { apiAs } from './api.ts'
import { sql, withRegistrationLock, withSharedRegistrationLock } from './stack.ts'
import type { TestUser } from './users.ts'

/** Sends a tip through the API and the stack's payment provider. `amount` is in US dollars. */
export const tip = (fan: TestUser, creator: TestUser, amount: number, note?: string) =>
  apiAs(fan).post(`/api/users/${creator.id}/tip`, TipResponse, { amount, ...(note ? { note } : {}) }, 201)

/**
 * Backdates a user's earnings and the last changes to their payout methods by an interval. The triggers that make the
 * ledger append-only are disabled for this transaction. The payout schedule stays the same, because the payouts job
 * could otherwise pay out the earnings during the test.
 */
export const backdateEarnings = (user: TestUser, interval: string) =>
  sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`
      update public.ledger_transactions
      set created_at = created_at - ${interval}::interval, clears_at = clears_at - ${interval}::interval
      where user_id = ${user.id}`
    await tx`delete from public.earning_days where user_id = ${user.id}`
    await tx`
      insert into public.earning_days (user_id, day, source, gross_cents, fee_cents, sales)
      select user_id, (created_at at time zone 'UTC')::date, source, sum(gross_cents), sum(fee_cents),
             sum(sign(gross_cents))
      from public.ledger_transactions where user_id = ${user.id} and source is not null group by 1, 2, 3`
    await tx`
      update public.payout_methods set changed_at = changed_at - ${interval}::interval where user_id = ${user.id}`
  })

const setCreatorProBilling = (enabled: boolean) =>
  sql`select private.set_setting('creator_pro_billing', ${sql.json(enabled)})`

/**
 * Runs `work` with Creator Pro billing enabled and disables billing afterwards. The setting is global, so `work` runs
 * under the exclusive registration lock.
 */
export const withCreatorProBilling = <T>(work: () => Promise<T>): Promise<T> =>
  withRegistrationLock(async () => {
    await setCreatorProBilling(true)
    try {
      return await work()
    } finally {
      await setCreatorProBilling(false)
    }
  })

/** Runs `work` while no other test has Creator Pro billing enabled, so that creator accounts are free. */
export const withoutCreatorProBilling = <T>(work: () => Promise<T>): Promise<T> =>
  withSharedRegistrationLock(work)
