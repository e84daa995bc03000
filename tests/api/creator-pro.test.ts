import { CreatorPro } from '@contract/payment.ts'
import { Post } from '@contract/post.ts'
import { OwnUser } from '@contract/user.ts'
import { expect, it } from 'vitest'
import { apiAs, authorizationHeader } from '../support/api.ts'
import { createPost } from '../support/content-api.ts'
import { withCreatorProBilling } from '../support/creators.ts'
import { runJob } from '../support/run-job.ts'
import { exhaustRateLimit, sql, stack } from '../support/stack.ts'
import { listPayments } from '../support/stripe-fixture.ts'
import { createUsers, type TestUser } from '../support/users.ts'

const getPlan = async (user: TestUser) => (await apiAs(user).get('/api/creator-pro', CreatorPro)).body
const upgrade = async (user: TestUser, status = 201) =>
  (await apiAs(user).post('/api/creator-pro', CreatorPro, undefined, status)).body
const isCreator = async (user: TestUser) =>
  (await sql`select is_creator from public.profiles where id = ${user.id}`)[0]?.is_creator
const endPeriod = (user: TestUser, ago = '1 second') => sql`
  update public.creator_plans set started_at = now() - ${ago}::interval - interval '1 month',
    period_end = now() - ${ago}::interval, renewal_begun_at = null
  where user_id = ${user.id} and state = 'active'`
const runRenewals = async () => {
  expect((await runJob('renewals')).status).toBe(200)
}
const monthlyPayment = { kind: 'creator_pro', state: 'paid', booked: [-1999, 1999] }

it('Creator Pro cannot be bought while its billing is off', async () => {
  const { user } = await createUsers('user')
  expect(await getPlan(user)).toEqual({
    billing: false,
    price: 19.99,
    plan: null,
    lapsedAt: null,
    portal: false,
  })
  expect((await apiAs(user).expectError('POST', '/api/creator-pro', 409)).code).toBe('conflict')
  await apiAs(user).expectError('DELETE', '/api/creator-pro', 404)
  for (const method of ['GET', 'POST', 'DELETE'] as const)
    await apiAs(null).expectError(method, '/api/creator-pro', 401)
  await apiAs(null).expectError('POST', '/api/billing/portal', 401)
  await apiAs(user).expectError('POST', '/api/billing/portal', 404)
  await exhaustRateLimit('portal', user.id, 20, '1 minute')
  await apiAs(user).expectError('POST', '/api/billing/portal', 429)
  expect(await listPayments(user)).toEqual([])
})

it('Creator Pro is billed monthly, can be cancelled and resumed, and lapses without deleting content', async () => {
  const { user, other } = await createUsers('user', 'other')
  await withCreatorProBilling(async () => {
    const setCreator = (enabled: boolean) =>
      apiAs(user).patch('/api/profile', OwnUser, { isCreator: enabled })
    const error = await apiAs(user).expectError('PATCH', '/api/profile', 403, { body: { isCreator: true } })
    expect(error.code).toBe('creator_pro_required')

    const responses = await Promise.all(
      Array.from({ length: 4 }, () =>
        fetch(`${stack.apiUrl}/api/creator-pro`, {
          method: 'POST',
          headers: authorizationHeader(user),
        }),
      ),
    )
    expect(
      responses.map(({ status }) => status).filter((status) => status !== 200 && status !== 201),
    ).toEqual([])
    expect([await listPayments(user), await isCreator(user)]).toEqual([[monthlyPayment], true])
    expect(await getPlan(user)).toMatchObject({
      billing: true,
      plan: { state: 'active', cancelled: false },
      portal: false,
    })
    // While Creator Pro is paid for, the creator account can be switched off and on.
    await setCreator(false)
    expect((await setCreator(true)).body.isCreator).toBe(true)
    const post = { content: 'Made with it', isPremium: true, premiumPrice: 3 }
    const { id } = await createPost(user, post)

    await apiAs(user).expectNoContent('DELETE', '/api/creator-pro')
    expect((await getPlan(user)).plan?.cancelled).toBe(true)
    expect((await upgrade(user, 200)).plan?.cancelled).toBe(false)
    await endPeriod(user)
    await Promise.all([runRenewals(), runRenewals()])
    expect(await listPayments(user)).toEqual([monthlyPayment, monthlyPayment])
    expect(new Date((await getPlan(user)).plan?.periodEnd ?? 0).getTime()).toBeGreaterThan(Date.now())

    await apiAs(user).expectNoContent('DELETE', '/api/creator-pro')
    await endPeriod(user)
    const lapsed = await getPlan(user)
    expect([lapsed.plan, Date.parse(lapsed.lapsedAt ?? '') < Date.now()]).toEqual([null, true])
    await runRenewals()
    const [row] = await sql<{ at: Date }[]>`
      select ended_at as at from public.creator_plans where user_id = ${user.id}`
    expect(Date.parse((await getPlan(user)).lapsedAt ?? '')).toBe(row?.at.getTime())
    expect([await isCreator(user), await listPayments(user)]).toEqual([
      false,
      [monthlyPayment, monthlyPayment],
    ])
    expect((await apiAs(other).get(`/api/posts/${id}`, Post)).body).toMatchObject({
      isPremium: true,
      locked: true,
    })
    const notifications =
      await sql`select from public.notifications where user_id = ${user.id} and kind = 'creator_pro'`
    expect(notifications).toHaveLength(1)
    expect(await upgrade(user)).toMatchObject({ plan: { state: 'active' }, lapsedAt: null })
    expect(await isCreator(user)).toBe(true)
    expect((await listPayments(user)).length).toBe(3)
  })
})
