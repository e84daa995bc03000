import { CreatorPro } from '@contract/payment.ts'
import { Post } from '@contract/post.ts'
import { OwnUser } from '@contract/user.ts'
import { expect, it } from 'vitest'
import { as } from '../support/api.ts'
import { billing } from '../support/billing.ts'
import { runJob } from '../support/job.ts'
import { paidBy } from '../support/paying.ts'
import { createPeople, type Person } from '../support/people.ts'
import { sql, stack, useUp } from '../support/stack.ts'

const read = async (who: Person) => (await as(who).get('/api/creator-pro', CreatorPro)).body
const upgrade = async (who: Person, status = 201) =>
  (await as(who).post('/api/creator-pro', CreatorPro, undefined, status)).body
const isCreator = async (who: Person) =>
  (await sql`select is_creator from public.profiles where id = ${who.id}`)[0]?.is_creator
const letEnd = (who: Person, long = '1 second') => sql`
  update public.creator_plans set started_at = now() - ${long}::interval - interval '1 month',
    period_end = now() - ${long}::interval, renewal_begun_at = null
  where user_id = ${who.id} and state = 'active'`
const renew = async () => {
  expect((await runJob('renewals')).status).toBe(200)
}
const month = { kind: 'creator_pro', state: 'paid', booked: [-1999, 1999] }

it('nothing is to be paid where creators do not pay', async () => {
  const { one } = await createPeople('one')
  expect(await read(one)).toEqual({ billing: false, price: 19.99, plan: null, lapsedAt: null, portal: false })
  expect((await as(one).refused('POST', '/api/creator-pro', 409)).code).toBe('conflict')
  await as(one).refused('DELETE', '/api/creator-pro', 404)
  for (const method of ['GET', 'POST', 'DELETE'] as const)
    await as(null).refused(method, '/api/creator-pro', 401)
  await as(null).refused('POST', '/api/billing/portal', 401)
  await as(one).refused('POST', '/api/billing/portal', 404)
  await useUp('portal', one.id, 20, '1 minute')
  await as(one).refused('POST', '/api/billing/portal', 429)
  expect(await paidBy(one)).toEqual([])
})

it('Creator Pro is paid once a month, cancelled and resumed, and lapses without taking what was made', async () => {
  const { one, other } = await createPeople('one', 'other')
  await billing(async () => {
    const become = (to: boolean) => as(one).patch('/api/profile', OwnUser, { isCreator: to })
    const refused = await as(one).refused('PATCH', '/api/profile', 403, { body: { isCreator: true } })
    expect(refused.code).toBe('creator_pro_required')

    const calls = await Promise.all(
      Array.from({ length: 4 }, () =>
        fetch(`${stack.apiUrl}/api/creator-pro`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${one.token}` },
        }),
      ),
    )
    expect(calls.map(({ status }) => status).filter((status) => status !== 200 && status !== 201)).toEqual([])
    expect([await paidBy(one), await isCreator(one)]).toEqual([[month], true])
    expect(await read(one)).toMatchObject({
      billing: true,
      plan: { state: 'active', cancelled: false },
      portal: false,
    })
    // Paid for, it can be switched off and on again.
    await become(false)
    expect((await become(true)).body.isCreator).toBe(true)
    const post = { content: 'Made with it', isPremium: true, premiumPrice: 3 }
    const { id } = (await as(one).post('/api/posts', Post, post, 201)).body

    await as(one).done('DELETE', '/api/creator-pro')
    expect((await read(one)).plan?.cancelled).toBe(true)
    expect((await upgrade(one, 200)).plan?.cancelled).toBe(false)
    await letEnd(one)
    await Promise.all([renew(), renew()])
    expect(await paidBy(one)).toEqual([month, month])
    expect(new Date((await read(one)).plan?.periodEnd ?? 0).getTime()).toBeGreaterThan(Date.now())

    await as(one).done('DELETE', '/api/creator-pro')
    await letEnd(one)
    const over = await read(one)
    expect([over.plan, Date.parse(over.lapsedAt ?? '') < Date.now()]).toEqual([null, true])
    await renew()
    const [row] = await sql<{ at: Date }[]>`
      select ended_at as at from public.creator_plans where user_id = ${one.id}`
    expect(Date.parse((await read(one)).lapsedAt ?? '')).toBe(row?.at.getTime())
    expect([await isCreator(one), await paidBy(one)]).toEqual([false, [month, month]])
    expect((await as(other).get(`/api/posts/${id}`, Post)).body).toMatchObject({
      isPremium: true,
      locked: true,
    })
    const told =
      await sql`select from public.notifications where user_id = ${one.id} and kind = 'creator_pro'`
    expect(told).toHaveLength(1)
    expect(await upgrade(one)).toMatchObject({ plan: { state: 'active' }, lapsedAt: null })
    expect(await isCreator(one)).toBe(true)
    expect((await paidBy(one)).length).toBe(3)
  })
})
