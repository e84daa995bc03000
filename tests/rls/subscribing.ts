import type postgres from 'postgres'
import { expect } from 'vitest'
import { settle } from './money.ts'
import { as, owner, type Person, person } from './support.ts'

/** A creator, and somebody who may subscribe to them. */
export const pair = async () => {
  const [creator, fan] = await Promise.all([person({ creator: true }), person()])
  return { creator, fan }
}
/** Begins to subscribe as somebody; null where nothing is to be paid. */
export const begin = (who: Person, creator: Person) =>
  as(who, async (tx) => {
    const [row] = await tx<{ payment: string | null }[]>`
      select private.begin_subscription(${creator.id}, 'test') as payment`
    return row?.payment ?? null
  })
export const subscribe = async (who: Person, creator: Person) => {
  const payment = await begin(who, creator)
  if (payment === null) throw new Error('There was nothing to pay.')
  expect(await settle(payment)).toBe(true)
  return payment
}
export const cancel = (who: Person, creator: Person) =>
  as(who, (tx) => tx`select private.cancel_subscription(${creator.id})`)
export const isOpen = async (who: Person, creator: Person) => {
  const [row] = await as(
    who,
    (tx) => tx<{ open: boolean }[]>`select private.subscribes_to(${creator.id}) as open`,
  )
  return row?.open
}
export const held = async (fan: Person, creator: Person) => {
  const rows = await owner<{ id: string; state: string; cancelled: boolean; periods: number; ends: Date }[]>`
    select id, state, cancelled_at is not null as cancelled, periods, period_end as ends
    from public.subscriptions where subscriber_id = ${fan.id} and creator_id = ${creator.id} order by created_at`
  return rows
}
/** Lets somebody's period have ended so long ago, and what was begun and paid fit to that. */
export const letEnd = (fan: Person, long: string) => owner`
  with over as (
    update public.subscriptions set period_end = now() - ${long}::interval, renewal_begun_at = null
    where subscriber_id = ${fan.id} and state = 'active' returning id, period_end)
  update public.payments p
  set period_start = case when p.state = 'pending' then over.period_end else p.period_start - interval '40 days' end
  from over where p.subscription_id = over.id`
export const count = async (creator: Person) =>
  (await owner`select subscribers from public.profile_counts where user_id = ${creator.id}`)[0]?.subscribers

/** How many wait for what a transaction holds, or for somebody who does. */
export const waiting = async (tx: postgres.TransactionSql) => {
  const [me] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
  const pid = me?.pid ?? 0
  const rows = await owner`
    select from pg_stat_activity a cross join lateral unnest(pg_blocking_pids(a.pid)) as b (pid)
    where b.pid = ${pid} or ${pid} = any (pg_blocking_pids(b.pid))`
  return rows.length
}
/** Waits until somebody waits for what a transaction holds. */
export const expectWaiting = (tx: postgres.TransactionSql) =>
  expect.poll(() => waiting(tx), { interval: 20, timeout: 5000 }).toBeGreaterThan(0)
