import { CreatorPro } from '@contract/payment.ts'
import { Post } from '@contract/post.ts'
import { OwnUser } from '@contract/user.ts'
import { expect, it } from 'vitest'
import { apiAs } from '../support/api.ts'
import { withCreatorProBilling } from '../support/creators.ts'
import { runJob } from '../support/run-job.ts'
import { exhaustRateLimit, sql, stack } from '../support/stack.ts'
import { listPayments } from '../support/stripe-fixture.ts'
import { createUsers, type TestUser } from '../support/users.ts'

const read = async (who: TestUser) => (await apiAs(who).get('/api/creator-pro', CreatorPro)).body
const upgrade = async (who: TestUser, status = 201) =>
  (await apiAs(who).post('/api/creator-pro', CreatorPro, undefined, status)).body
const isCreator = async (who: TestUser) =>
  (await sql`select is_creator from public.profiles where id = ${who.id}`)[0]?.is_creator
const letEnd = (who: TestUser, long = '1 second') => sql`
  update public.creator_plans set started_at = now() - ${long}::interval - interval '1 month',
    period_end = now() - ${long}::interval, renewal_begun_at = null
  where user_id = ${who.id} and state = 'active'`
const renew = async () => {
  expect((await runJob('renewals')).status).toBe(200)
}
const month = { kind: 'creator_pro', state: 'paid', booked: [-1999, 1999] }

it('nothing is to be paid where creators do not pay', async () => {
  const { one } = await createUsers('one')
  expect(await read(one)).toEqual({ billing: false, price: 19.99, plan: null, lapsedAt: null, portal: false })
  expect((await apiAs(one).expectError('POST', '/api/creator-pro', 409)).code).toBe('conflict')
  await apiAs(one).expectError('DELETE', '/api/creator-pro', 404)
  for (const method of ['GET', 'POST', 'DELETE'] as const)
    await apiAs(null).expectError(method, '/api/creator-pro', 401)
  await apiAs(null).expectError('POST', '/api/billing/portal', 401)
  await apiAs(one).expectError('POST', '/api/billing/portal', 404)
  await exhaustRateLimit('portal', one.id, 20, '1 minute')
  await apiAs(one).expectError('POST', '/api/billing/portal', 429)
  expect(await listPayments(one)).toEqual([])
})

it('Creator Pro is paid once a month, cancelled and resumed, and lapses without taking what was made', async () => {
  const { one, other } = await createUsers('one', 'other')
  await withCreatorProBilling(async () => {
    const become = (to: boolean) => apiAs(one).patch('/api/profile', OwnUser, { isCreator: to })
    const refused = await apiAs(one).expectError('PATCH', '/api/profile', 403, { body: { isCreator: true } })
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
    expect([await listPayments(one), await isCreator(one)]).toEqual([[month], true])
    expect(await read(one)).toMatchObject({
      billing: true,
      plan: { state: 'active', cancelled: false },
      portal: false,
    })
    // Paid for, it can be switched off and on again.
    await become(false)
    expect((await become(true)).body.isCreator).toBe(true)
    const post = { content: 'Made with it', isPremium: true, premiumPrice: 3 }
    const { id } = (await apiAs(one).post('/api/posts', Post, post, 201)).body

    await apiAs(one).expectNoContent('DELETE', '/api/creator-pro')
    expect((await read(one)).plan?.cancelled).toBe(true)
    expect((await upgrade(one, 200)).plan?.cancelled).toBe(false)
    await letEnd(one)
    await Promise.all([renew(), renew()])
    expect(await listPayments(one)).toEqual([month, month])
    expect(new Date((await read(one)).plan?.periodEnd ?? 0).getTime()).toBeGreaterThan(Date.now())

    await apiAs(one).expectNoContent('DELETE', '/api/creator-pro')
    await letEnd(one)
    const over = await read(one)
    expect([over.plan, Date.parse(over.lapsedAt ?? '') < Date.now()]).toEqual([null, true])
    await renew()
    const [row] = await sql<{ at: Date }[]>`
      select ended_at as at from public.creator_plans where user_id = ${one.id}`
    expect(Date.parse((await read(one)).lapsedAt ?? '')).toBe(row?.at.getTime())
    expect([await isCreator(one), await listPayments(one)]).toEqual([false, [month, month]])
    expect((await apiAs(other).get(`/api/posts/${id}`, Post)).body).toMatchObject({
      isPremium: true,
      locked: true,
    })
    const told =
      await sql`select from public.notifications where user_id = ${one.id} and kind = 'creator_pro'`
    expect(told).toHaveLength(1)
    expect(await upgrade(one)).toMatchObject({ plan: { state: 'active' }, lapsedAt: null })
    expect(await isCreator(one)).toBe(true)
    expect((await listPayments(one)).length).toBe(3)
  })
})
