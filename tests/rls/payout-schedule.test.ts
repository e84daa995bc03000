import type postgres from 'postgres'
import { afterAll, expect, it } from 'vitest'
import { payOut, rich } from './payouts.ts'
import { as, owner, type Person, person, refusal } from './support.ts'

afterAll(() => owner.end())

/** Makes what is due in a transaction that is taken back: it would be made for everybody else who is there, too. */
async function makePayouts(
  people: Person[],
  since: string,
  look: (tx: postgres.TransactionSql) => Promise<void>,
) {
  const undone = new Error('taken back')
  const ids = people.map(({ id }) => id)
  const attempt = owner.begin(async (tx) => {
    await tx`update public.payout_schedules set next_at = now() + interval '1 day'`
    await tx`update public.payout_schedules set next_at = now() - ${since}::interval where user_id = any (${ids})`
    await look(tx)
    throw undone
  })
  await expect(attempt).rejects.toBe(undone)
}
const make = async (tx: postgres.TransactionSql) => {
  const [row] = await tx<{ made: number }[]>`select private.make_scheduled_payouts(100) as made`
  return row?.made
}

it('pays all that is available out, once for all the weeks that nobody looked', async () => {
  const { creator } = await rich(12345)
  await makePayouts([creator], '15 days', async (tx) => {
    expect(await make(tx)).toBe(1)
    const made = await tx`
      select kind, amount_cents::int as cents, method_name as name, state from public.payouts
      where person_id = ${creator.id}`
    expect(made.map((row) => Object.values(row))).toEqual([['scheduled', 12345, 'Bank', 'requested']])
    const [next] = await tx<{ days: number }[]>`
      select extract(epoch from next_at - now())::float8 / 86400 as days from public.payout_schedules
      where user_id = ${creator.id}`
    expect(next?.days).toBeCloseTo(6, 3)
    expect(await make(tx)).toBe(0)
    await tx`set constraints all immediate`
  })
})

it('leaves alone who has too little, no method that may be used, no wish for it, or may do nothing', async () => {
  const all = await Promise.all([9000, 9000, 9000, 9000, 4999, 9000].map((cents) => rich(cents)))
  const [waiting, without, off, readOnly, , paid] = all.map(({ creator }) => creator)
  if (!waiting || !without || !off || !readOnly || !paid) throw new Error('There are six.')
  await owner`update public.payout_methods set changed_at = now() where user_id = ${waiting.id}`
  await owner`delete from public.payout_methods where user_id = ${without.id}`
  await as(off, (tx) => tx`select private.set_payout_schedule(false)`)
  await owner`update public.accounts set read_only_reason = 'under 18' where user_id = ${readOnly.id}`
  await payOut(paid)
  await makePayouts(
    all.map(({ creator }) => creator),
    '1 minute',
    async (tx) => {
      expect(await make(tx)).toBe(0)
    },
  )
  expect(await refusal(as(paid, (tx) => tx`select private.make_scheduled_payouts(1)`))).toBe('42501')
})

it('pays who lapsed, and nobody else who is no creator', async () => {
  const [{ creator }, nobody] = await Promise.all([rich(9000), person()])
  await owner`update public.profiles set is_creator = false where id = ${creator.id}`
  await makePayouts([creator], '1 minute', async (tx) => {
    expect(await make(tx)).toBe(1)
  })
  await payOut(creator)
  expect(await refusal(payOut(nobody))).toBe('PT403')
})
