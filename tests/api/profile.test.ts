import { OwnUser, UserDetails } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { apiAs, authorizationHeader } from '../support/api.ts'
import { withCreatorProBilling, withoutCreatorProBilling } from '../support/creators.ts'
import { clearRateLimits, exhaustRateLimit, sql, stack } from '../support/stack.ts'
import { createUsers, type TestUser } from '../support/users.ts'

let user: TestUser
let other: TestUser

beforeAll(async () => {
  ;({ user, other } = await createUsers('user', 'other'))
})

const updateProfile = (body: unknown) => apiAs(user).patch('/api/profile', OwnUser, body)
const expectProfileError = (status: number, body: unknown) =>
  apiAs(user).expectError('PATCH', '/api/profile', status, { body })

describe('PATCH /api/profile with isCreator', () => {
  it('takes effect immediately when turned on or off, for the caller only', async () => {
    await withoutCreatorProBilling(async () => {
      expect((await updateProfile({ isCreator: true })).body).toMatchObject({ id: user.id, isCreator: true })
      expect((await updateProfile({ isCreator: true })).body.isCreator).toBe(true)
    })
    expect((await apiAs(other).get(`/api/users/${user.id}`, UserDetails)).body.isCreator).toBe(true)
    expect((await apiAs(other).get(`/api/users/${other.id}`, UserDetails)).body.isCreator).toBe(false)
    expect((await updateProfile({ isCreator: false })).body.isCreator).toBe(false)
  })

  it('rejects invalid values and unknown fields, and requires a session', async () => {
    expect((await expectProfileError(400, {})).message).toBe('Please change at least one setting.')
    for (const body of [
      { isCreator: 'yes' },
      { isCreator: null },
      { isAdmin: true },
      { isCreator: true, isAdmin: true },
      { country: 'ZZ' },
      { country: 'UK' },
    ]) {
      await expectProfileError(400, body)
    }
    await apiAs(null).expectError('PATCH', '/api/profile', 401, { body: { isCreator: true } })
    const [row] = await sql`select is_admin, is_creator from public.profiles where id = ${user.id}`
    expect(row).toEqual({ is_admin: false, is_creator: false })
  })

  it('cannot be bypassed: the Data API rejects a change to is_creator', async () => {
    const response = await fetch(`${stack.apiUrl}/rest/v1/profiles?id=eq.${user.id}`, {
      method: 'PATCH',
      headers: {
        apikey: stack.publishableKey,
        ...authorizationHeader(user),
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ is_creator: true }),
    })
    await response.body?.cancel()
    expect(response.status).toBe(403)
    const [row] = await sql`select is_creator from public.profiles where id = ${user.id}`
    expect(row?.is_creator).toBe(false)
  })

  it('is rejected for a read-only account', async () => {
    await sql`update public.accounts set read_only_reason = 'under 18' where user_id = ${user.id}`
    expect(await expectProfileError(403, { isCreator: true })).toEqual({
      message: 'This account is read-only.',
      code: 'account_read_only',
    })
    // An invalid body causes the same error.
    for (const body of [{}, { isCreator: 'yes' }, { nothing: true }, []]) {
      expect((await expectProfileError(403, body)).code).toBe('account_read_only')
    }
    // Withdrawing consent to auto-posting is the exception.
    expect((await expectProfileError(403, { allowAutoPosting: true })).code).toBe('account_read_only')
    await apiAs(user).patch('/api/profile', OwnUser, { allowAutoPosting: false })
    await sql`update public.accounts set read_only_reason = null where user_id = ${user.id}`
  })

  it('is rejected while creators need Creator Pro', async () => {
    await withCreatorProBilling(async () => {
      expect(await expectProfileError(403, { isCreator: true })).toEqual({
        message: 'Creator accounts require Creator Pro. Upgrade first.',
        code: 'creator_pro_required',
      })
      // An unchanged value is accepted together with other changes.
      expect((await updateProfile({ isCreator: false, bio: 'Hello' })).body.bio).toBe('Hello')
    })
  })

  it('is limited, together with other settings, to 30 changes per minute', async () => {
    await clearRateLimits(user.id, 'settings')
    await exhaustRateLimit('settings', user.id, 30, '1 minute')
    expect((await expectProfileError(429, { isCreator: true })).code).toBe('rate_limited')
    await clearRateLimits(user.id, 'settings')
    const { body } = await withoutCreatorProBilling(() => updateProfile({ isCreator: true }))
    expect(body.isCreator).toBe(true)
    // A second limit applies to all changes to the profile.
    await exhaustRateLimit('profile', user.id, 30, '1 minute')
    expect((await expectProfileError(429, { bio: 'Again' })).code).toBe('rate_limited')
    await clearRateLimits(user.id, 'profile')
  })
})

describe('profile text fields', () => {
  it('reject text that is too long or contains invisible or bidirectional control characters', async () => {
    for (const field of ['studiedAt', 'livesIn', 'fromLocation']) {
      for (const text of ['Par\u200bis', '\u202esiraP', 'Paris\u2066', 'Pa\u00adris', 'x'.repeat(101)]) {
        const { errors } = await expectProfileError(400, { [field]: text })
        expect([text, Object.keys(errors ?? {})]).toEqual([text, [field]])
      }
    }
    const { body } = await updateProfile({
      studiedAt: '  École\u00a0 des arts ',
      livesIn: 'می\u200cروم',
      fromLocation: '🏴‍☠️',
    })
    expect(body).toMatchObject({ studiedAt: 'École des arts', livesIn: 'می\u200cروم', fromLocation: '🏴‍☠️' })
  })

  it('are cleared when the new text is invisible', async () => {
    const invisibleText = '\u200b \u2060\u3164'
    expect((await updateProfile({ bio: 'Visible', livesIn: 'Visible' })).body).toMatchObject({
      bio: 'Visible',
      livesIn: 'Visible',
    })
    expect((await updateProfile({ bio: invisibleText, livesIn: invisibleText })).body).toMatchObject({
      bio: null,
      livesIn: null,
    })
  })
})
