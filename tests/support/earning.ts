import { TipAnswer } from '@contract/payment.ts'
import { as } from './api.ts'
import type { Person } from './people.ts'
import { sql } from './stack.ts'

/** Tips a creator through the payments of the instance; US dollars. */
export const tip = (fan: Person, creator: Person, amount: number, note?: string) =>
  as(fan).post(`/api/users/${creator.id}/tip`, TipAnswer, { amount, ...(note ? { note } : {}) }, 201)

/**
 * Lets what somebody earned so far have been earned so long ago, and their payout methods been changed then: triggers,
 * which keep the ledger from changing, are off for this one transaction. Their schedule stays: jobs run meanwhile.
 */
export const letPass = (person: Person, long: string) =>
  sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`
      update public.ledger_transactions
      set created_at = created_at - ${long}::interval, clears_at = clears_at - ${long}::interval
      where person_id = ${person.id}`
    await tx`delete from public.earning_days where person_id = ${person.id}`
    await tx`
      insert into public.earning_days (person_id, day, source, gross_cents, fee_cents, sales)
      select person_id, (created_at at time zone 'UTC')::date, source, sum(gross_cents), sum(fee_cents),
             sum(sign(gross_cents))
      from public.ledger_transactions where person_id = ${person.id} and source is not null group by 1, 2, 3`
    await tx`
      update public.payout_methods set changed_at = changed_at - ${long}::interval where user_id = ${person.id}`
  })

export const makeCreator = (...people: Person[]) =>
  sql`update public.profiles set is_creator = true where id = any (${people.map(({ id }) => id)})`
