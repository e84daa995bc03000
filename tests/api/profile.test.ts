import { OwnUser, UserDetails } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { apiAs } from '../support/api.ts'
import { clearRateLimits, exhaustRateLimit, sql, stack } from '../support/stack.ts'
import { createUsers, type TestUser } from '../support/users.ts'

let person: TestUser
let other: TestUser

beforeAll(async () => {
  ;({ person, other } = await createUsers('person', 'other'))
})

const change = (body: unknown) => apiAs(person).patch('/api/profile', OwnUser, body)
const refused = (status: number, body: unknown) =>
  apiAs(person).expectError('PATCH', '/api/profile', status, { body })

describe('the Creator Account switch', () => {
  it('takes effect at once, both ways, for its owner alone', async () => {
    expect((await change({ isCreator: true })).body).toMatchObject({ id: person.id, isCreator: true })
    expect((await change({ isCreator: true })).body.isCreator).toBe(true)
    expect((await apiAs(other).get(`/api/users/${person.id}`, UserDetails)).body.isCreator).toBe(true)
    expect((await apiAs(other).get(`/api/users/${other.id}`, UserDetails)).body.isCreator).toBe(false)
    expect((await change({ isCreator: false })).body.isCreator).toBe(false)
  })

  it('takes nothing else, and is for people', async () => {
    expect((await refused(400, {})).message).toBe('Please change at least one setting.')
    for (const body of [
      { isCreator: 'yes' },
      { isCreator: null },
      { isAdmin: true },
      { isCreator: true, isAdmin: true },
      { country: 'ZZ' },
      { country: 'UK' },
    ]) {
      await refused(400, body)
    }
    await apiAs(null).expectError('PATCH', '/api/profile', 401, { body: { isCreator: true } })
    const [row] = await sql`select is_admin, is_creator from public.profiles where id = ${person.id}`
    expect(row).toEqual({ is_admin: false, is_creator: false })
  })

  it('is no column that the Data API writes', async () => {
    const response = await fetch(`${stack.apiUrl}/rest/v1/profiles?id=eq.${person.id}`, {
      method: 'PATCH',
      headers: {
        apikey: stack.publishableKey,
        Authorization: `Bearer ${person.token}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ is_creator: true }),
    })
    await response.body?.cancel()
    expect(response.status).toBe(403)
    const [row] = await sql`select is_creator from public.profiles where id = ${person.id}`
    expect(row?.is_creator).toBe(false)
  })

  it('is not for a read-only account', async () => {
    await sql`update public.accounts set read_only_reason = 'under 18' where user_id = ${person.id}`
    expect(await refused(403, { isCreator: true })).toEqual({
      message: 'This account is read-only.',
      code: 'account_read_only',
    })
    // Whatever it sent: it hears so before it hears what is wrong with that.
    for (const body of [{}, { isCreator: 'yes' }, { nothing: true }, []]) {
      expect((await refused(403, body)).code).toBe('account_read_only')
    }
    // But for taking back what it agreed to.
    expect((await refused(403, { allowAutoPosting: true })).code).toBe('account_read_only')
    await apiAs(person).patch('/api/profile', OwnUser, { allowAutoPosting: false })
    await sql`update public.accounts set read_only_reason = null where user_id = ${person.id}`
  })

  it('leads nowhere while Creator Pro is to be paid for', async () => {
    const billing = (on: boolean) => sql`select private.set_setting('creator_pro_billing', ${sql.json(on)})`
    await billing(true)
    try {
      expect(await refused(403, { isCreator: true })).toEqual({
        message: 'Creator accounts come with Creator Pro. Upgrade first.',
        code: 'creator_pro_required',
      })
      // What it is already may stand in a form that changes something else.
      expect((await change({ isCreator: false, bio: 'Hello' })).body.bio).toBe('Hello')
    } finally {
      await billing(false)
    }
  })

  it('is counted with the other settings: 30 a minute', async () => {
    await clearRateLimits(person.id, 'settings')
    await exhaustRateLimit('settings', person.id, 30, '1 minute')
    expect((await refused(429, { isCreator: true })).code).toBe('rate_limited')
    await clearRateLimits(person.id, 'settings')
    expect((await change({ isCreator: true })).body.isCreator).toBe(true)
    await exhaustRateLimit('profile', person.id, 30, '1 minute')
    expect((await refused(429, { bio: 'Again' })).code).toBe('rate_limited')
    await clearRateLimits(person.id, 'profile')
  })
})

describe('lines about somebody', () => {
  it('hide no signs and turn nothing around, as names', async () => {
    for (const field of ['studiedAt', 'livesIn', 'fromLocation']) {
      for (const text of ['Par\u200bis', '\u202esiraP', 'Paris\u2066', 'Pa\u00adris', 'x'.repeat(101)]) {
        const { errors } = await refused(400, { [field]: text })
        expect([text, Object.keys(errors ?? {})]).toEqual([text, [field]])
      }
    }
    const { body } = await change({
      studiedAt: '  École\u00a0 des arts ',
      livesIn: 'می\u200cروم',
      fromLocation: '🏴‍☠️',
    })
    expect(body).toMatchObject({ studiedAt: 'École des arts', livesIn: 'می\u200cروم', fromLocation: '🏴‍☠️' })
  })

  it('are cleared by a text that shows nothing, as a bio is', async () => {
    const nothing = '\u200b \u2060\u3164'
    expect((await change({ bio: 'Told', livesIn: 'Told' })).body).toMatchObject({
      bio: 'Told',
      livesIn: 'Told',
    })
    expect((await change({ bio: nothing, livesIn: nothing })).body).toMatchObject({
      bio: null,
      livesIn: null,
    })
  })
})
