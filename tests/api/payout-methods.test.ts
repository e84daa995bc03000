import { randomUUID } from 'node:crypto'
import { EarningsOverview, PayoutMethod, PayoutSchedule } from '@contract/earnings.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, authorizationHeader, call } from '../support/api.ts'
import { backdateEarnings } from '../support/creators.ts'
import { fetchMails, waitForMail } from '../support/mail.ts'
import { exhaustRateLimit, sql, stack } from '../support/stack.ts'
import { createUser, createUsers, makeAdmin, makeCreator, type TestUser } from '../support/users.ts'

const methodsPath = '/api/payouts/methods'
const bank = { type: 'bank', holder: 'Cleo Creator', account: 'DE89 3704 0044 0532 0130 00' } as const
const paypal = { type: 'paypal', email: 'cleo.creator@example.com' } as const
let creator: TestUser
let fan: TestUser
let admin: TestUser

beforeAll(async () => {
  ;({ creator, fan, admin } = await createUsers('creator', 'fan', 'admin'))
  await makeCreator(creator)
  await makeAdmin(admin)
})

const listMethods = async () => (await apiAs(creator).get(methodsPath, z.array(PayoutMethod))).body
const readSecrets = async () => {
  const rows = await sql<{ secret: string }[]>`
    select d.secret from private.payout_method_details d join public.payout_methods m on m.id = d.method_id
    where m.user_id = ${creator.id}`
  return rows.map((row) => row.secret)
}

describe('payout methods', () => {
  it('are available to creators only, whatever the request body contains', async () => {
    const requests = [
      ['GET', methodsPath],
      ['POST', methodsPath],
      ['PATCH', `${methodsPath}/${randomUUID()}`],
      ['GET', '/api/payouts/schedule'],
      ['PATCH', '/api/payouts/schedule'],
      ['GET', '/api/payouts'],
      ['POST', '/api/payouts'],
    ] as const
    for (const [method, path] of requests) {
      const options = method === 'GET' ? {} : { body: { nonsense: true } }
      expect((await apiAs(null).expectError(method, path, 401, options)).code, path).toBe('unauthorized')
      expect((await apiAs(fan).expectError(method, path, 403, options)).code, path).toBe('creators_only')
    }
    await apiAs(fan).expectError('DELETE', `${methodsPath}/${randomUUID()}`, 404)
  })

  it('require valid details and a name', async () => {
    const invalidDetails: [Record<string, unknown>, string][] = [
      [{ ...bank, account: 'DE89 3704 0044 0532 0130 01' }, 'Please enter a valid IBAN or account number.'],
      [{ ...bank, account: '12-3' }, 'Please enter a valid IBAN or account number.'],
      [{ ...bank, account: '123456789' }, 'Please enter the routing number or BIC of this account.'],
      [{ ...bank, routing: '12' }, 'Please enter a valid routing number or BIC.'],
      [{ ...bank, holder: ' ' }, 'Please enter the account holder.'],
      [{ type: 'paypal', email: 'nobody' }, 'Please enter a valid email address'],
    ]
    for (const [details, message] of invalidDetails) {
      const body = { name: 'Mine', details }
      expect((await apiAs(creator).expectError('POST', methodsPath, 400, { body })).message).toBe(message)
    }
    expect(
      (await apiAs(creator).expectError('POST', methodsPath, 400, { body: { name: ' ', details: bank } }))
        .message,
    ).toBe('Please name this payout method.')
    expect(await listMethods()).toEqual([])
  })

  it('show only masked details, and are encrypted in the database', async () => {
    const before = Date.now()
    const added = (
      await apiAs(creator).post(methodsPath, PayoutMethod, { name: 'My bank', details: bank }, 201)
    ).body
    expect(added).toMatchObject({ type: 'bank', name: 'My bank', details: '•••• 3000', isDefault: true })
    const days = (Date.parse(added.usableFrom) - before) / 86_400_000
    expect(days).toBeGreaterThan(4.99)
    expect(days).toBeLessThan(5.01)
    const second = { name: 'PayPal', details: paypal, isDefault: true }
    expect((await apiAs(creator).post(methodsPath, PayoutMethod, second, 201)).body).toMatchObject({
      details: 'c•••@example.com',
      isDefault: true,
    })
    expect((await listMethods()).map(({ name, isDefault }) => [name, isDefault])).toEqual([
      ['PayPal', true],
      ['My bank', false],
    ])
    const secrets = await readSecrets()
    expect(secrets).toHaveLength(2)
    for (const secret of secrets) {
      expect(secret).toMatch(/^v2\.[0-9a-f]{8}\.[\w-]{16}\.[\w-]{40,}$/)
      expect(Buffer.from(secret.split('.')[3] ?? '', 'base64url').toString('latin1')).not.toMatch(
        /DE89|cleo/i,
      )
    }
    const response = await call('GET', '/rest/v1/payout_methods?select=*', {
      headers: { apikey: stack.publishableKey, ...authorizationHeader(creator) },
    })
    expect(await response.text()).not.toMatch(/DE89|37040044|cleo\.creator/i)
    const mail = await waitForMail(creator.email, 2, 'A payout method was added')
    expect(mail.text).toMatch(/PayPal c•••@example\.com|My bank •••• 3000/)
    expect(mail.text).toContain("we won't send payouts to it for 5 days.")
  })

  it('are stored once when a request with the same ID is repeated', async () => {
    const other = await createUser()
    await makeCreator(other)
    const body = { id: randomUUID(), name: 'Sent again', details: bank }
    const first = (await apiAs(other).post(methodsPath, PayoutMethod, body, 201)).body
    expect(first.id).toBe(body.id)
    expect((await apiAs(other).post(methodsPath, PayoutMethod, body, 200)).body).toEqual(first)
    for (const change of [{ name: 'Another' }, { details: paypal }]) {
      await apiAs(other).expectError('POST', methodsPath, 409, { body: { ...body, ...change } })
    }
    await apiAs(creator).expectError('POST', methodsPath, 409, { body })
    expect((await apiAs(other).get(methodsPath, z.array(PayoutMethod))).body).toEqual([first])
    await apiAs(other).post(methodsPath, PayoutMethod, { ...body, id: randomUUID() }, 201)
    expect(await waitForMail(other.email, 2, 'A payout method was added')).toBeDefined()
    expect(await fetchMails(other.email)).toHaveLength(2)
  })

  it('can be edited, have a new waiting period after their details change, and are limited to five', async () => {
    await backdateEarnings(creator, '6 days')
    const [paypalMethod, bankMethod] = await listMethods()
    const edit = async (body: unknown) =>
      (await apiAs(creator).patch(`${methodsPath}/${bankMethod?.id}`, PayoutMethod, body)).body
    expect(await edit({ name: 'Savings' })).toEqual({ ...bankMethod, name: 'Savings' })
    expect(await edit({ isDefault: true })).toEqual({ ...bankMethod, name: 'Savings', isDefault: true })
    expect((await listMethods()).map(({ isDefault }) => isDefault)).toEqual([true, false])
    const account = { ...bank, account: '000123456789', routing: '021000021' }
    const changed = await edit({ details: account })
    expect(changed).toMatchObject({ name: 'Savings', details: '•••• 6789', isDefault: true })
    expect(Date.parse(changed.usableFrom)).toBeGreaterThan(Date.now() + 4.9 * 86_400_000)
    expect((await waitForMail(creator.email, 3, 'A payout method was changed')).text).toContain('•••• 6789')

    const path = `${methodsPath}/${paypalMethod?.id}`
    await apiAs(fan).expectError('DELETE', path, 404)
    await apiAs(admin).expectError('PATCH', path, 403, { body: { name: 'Theirs' } })
    await apiAs(creator).expectError('PATCH', path, 400, { body: { isDefault: false } })
    for (const name of ['C', 'D', 'E']) {
      await apiAs(creator).post(methodsPath, PayoutMethod, { name, details: paypal }, 201)
    }
    const sixth = { body: { name: 'F', details: paypal } }
    expect((await apiAs(creator).expectError('POST', methodsPath, 409, sixth)).message).toBe(
      'You can have at most 5 payout methods.',
    )
    // Deleting the default method makes another method the default.
    await apiAs(creator).expectNoContent('DELETE', `${methodsPath}/${bankMethod?.id}`)
    expect((await listMethods()).map(({ name, isDefault }) => [name, isDefault])).toEqual([
      ['PayPal', true],
      ['C', false],
      ['D', false],
      ['E', false],
    ])
    expect((await waitForMail(creator.email, 1, 'A payout method was removed')).text).toContain('Savings')
    const emails = await fetchMails(creator.email)
    expect(emails.every(({ text }) => !/DE89|000123456789|cleo\.creator/.test(text))).toBe(true)
    await exhaustRateLimit('payout-methods', creator.id, 20, '1 hour')
    await apiAs(creator).expectError('POST', methodsPath, 429, sixth)
  })

  it('receive weekly payouts unless the creator turns weekly payouts off', async () => {
    const path = '/api/payouts/schedule'
    const getSchedule = async () => (await apiAs(creator).get(path, PayoutSchedule)).body
    const setSchedule = async (weekly: boolean) =>
      (await apiAs(creator).patch(path, PayoutSchedule, { weekly })).body
    expect((await getSchedule()).weekly).toBe(true)
    expect(await setSchedule(false)).toEqual({ weekly: false, nextAt: null, waitsForMethod: false })
    const enabled = await setSchedule(true)
    expect(Math.round((Date.parse(enabled.nextAt ?? '') - Date.now()) / 86_400_000)).toBe(7)
    expect(await setSchedule(true)).toEqual(enabled)
    const getOverview = async () =>
      (await apiAs(creator).get('/api/earnings/overview', EarningsOverview)).body
    expect(await getOverview()).toMatchObject({ nextPayoutAt: enabled.nextAt, nextPayoutAmount: 0 })
    await apiAs(creator).expectError('PATCH', path, 400, { body: { weekly: 'no' } })
    // If a payout is due before the default method is usable, the payout waits, and `nextAt` is the time when the
    // method becomes usable.
    expect(enabled.waitsForMethod).toBe(false)
    await sql`update public.payout_schedules set next_at = now() + interval '1 day' where user_id = ${creator.id}`
    await sql`
      update public.payout_methods set changed_at = now() - interval '1 day' where user_id = ${creator.id} and is_default`
    const [first] = await listMethods()
    expect(await getSchedule()).toEqual({ weekly: true, nextAt: first?.usableFrom, waitsForMethod: true })
    expect(Date.parse(first?.usableFrom ?? '')).toBeGreaterThan(Date.now() + 3.9 * 86_400_000)
    expect((await apiAs(creator).get('/api/earnings/overview', EarningsOverview)).body.nextPayoutAt).toBe(
      first?.usableFrom,
    )
  })
})
