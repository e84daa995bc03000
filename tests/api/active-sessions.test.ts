import { ActiveSession } from '@contract/auth.ts'
import { OwnUser } from '@contract/user.ts'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { connectClient, subscribeToChannel } from '../realtime/realtime-fixture.ts'
import { apiAs, call } from '../support/api.ts'
import { type FunctionServer, startApiServer } from '../support/function-server.ts'
import { sql, stack } from '../support/stack.ts'
import { createUsers, type TestUser } from '../support/users.ts'

const Sessions = z.array(ActiveSession)
const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36'

let api: FunctionServer
let person: TestUser
let other: TestUser

beforeAll(async () => {
  api = await startApiServer({ CAPTCHA_PROVIDER: 'none' })
  ;({ person, other } = await createUsers('person', 'other'))
})

afterAll(() => api?.stop())

type Signed = TestUser & { sessionId: string }

/** A further session of somebody, as a program or browser of that name opens it from that address. */
async function signInAs(who: TestUser, userAgent: string, address: string): Promise<Signed> {
  const response = await fetch(`${api.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'User-Agent': userAgent, 'X-Forwarded-For': address },
    body: JSON.stringify({ email: who.email, password: who.password, recaptcha: 'none' }),
  })
  const { session } = (await response.json()) as { session: { access_token: string; refresh_token: string } }
  const token = session.access_token
  const sessionId = String(decodeJwt(token).session_id)
  return { ...who, token, refreshToken: session.refresh_token, sessionId }
}

const refresh = (who: TestUser) =>
  call('POST', '/auth/v1/token?grant_type=refresh_token', {
    body: { refresh_token: who.refreshToken },
    headers: { apikey: stack.publishableKey },
  })

const list = async (who: TestUser) => (await apiAs(who).get('/api/auth/sessions', Sessions)).body

describe('an ended session', () => {
  it('ends no other one, though its token is still good', async () => {
    const [thief, owner] = [
      await signInAs(other, chrome, '203.0.113.8'),
      await signInAs(other, chrome, '203.0.113.9'),
    ]
    await apiAs(owner).expectNoContent('DELETE', `/api/auth/sessions/${thief.sessionId}`)
    await apiAs(thief).expectError('DELETE', '/api/auth/sessions', 401)
    await apiAs(thief).expectError('DELETE', `/api/auth/sessions/${owner.sessionId}`, 401)
    await apiAs(owner).get('/api/auth/user', OwnUser)
    await apiAs(owner).expectNoContent('DELETE', `/api/auth/sessions/${owner.sessionId}`)
  })
})

describe('the list of sessions', () => {
  it('says where and when one signed in, the asking session first, then the last used', async () => {
    const phone = await signInAs(person, chrome, '203.0.113.7')
    const tablet = await signInAs(person, `\u0081 Tablet \u00ad${'x'.repeat(600)}`, '2001:db8::7')
    const script = await signInAs(person, '', 'nonsense')
    await sql`update auth.sessions set created_at = now() - interval '2 days' where user_id = ${person.id}`
    // Using a session again moves it up, and keeps what is known of it.
    expect((await refresh(phone)).status).toBe(200)

    const sessions = await list(tablet)
    expect(sessions.map(({ id, current }) => [id, current])).toEqual([
      [tablet.sessionId, true],
      [phone.sessionId, false],
      ...sessions.slice(2).map(({ id }) => [id, false]),
    ])
    expect(sessions).toHaveLength(4)
    expect(sessions[0]).toMatchObject({ address: '2001:db8::7', userAgent: `Tablet ${'x'.repeat(493)}` })
    expect(sessions[1]).toMatchObject({ address: '203.0.113.7', userAgent: chrome })
    expect(sessions.find(({ id }) => id === script.sessionId)?.address).toBeNull()
    const [used, seen] = [sessions[1]?.createdAt ?? '', sessions[1]?.lastSeenAt ?? ''].map(Date.parse)
    expect(Date.now() - (seen ?? 0)).toBeLessThan(60_000)
    expect(Date.now() - (used ?? 0)).toBeGreaterThan(47 * 3_600_000)
    expect(sessions[2]?.lastSeenAt).toBe(sessions[2]?.createdAt)
  })

  it('is one’s own: nobody sees, guesses or ends another’s', async () => {
    const own = new Set((await list(person)).map(({ id }) => id))
    const others = await list(other)
    expect(others.filter(({ id }) => own.has(id))).toEqual([])
    for (const id of [others[0]?.id, person.id, 'nonsense']) {
      await apiAs(person).expectError('DELETE', `/api/auth/sessions/${id}`, 404)
    }
    await apiAs(other).get('/api/auth/user', OwnUser)
    for (const [method, path] of [
      ['GET', '/api/auth/sessions'],
      ['DELETE', '/api/auth/sessions'],
      ['DELETE', `/api/auth/sessions/${others[0]?.id}`],
    ] as const) {
      await apiAs(null).expectError(method, path, 401)
    }
    const direct = await call('POST', '/rest/v1/rpc/own_sessions', {
      headers: { apikey: stack.publishableKey, Authorization: `Bearer ${person.token}` },
      body: {},
    })
    expect(direct.status).toBe(404)
  })
})

describe('ending a session', () => {
  it('takes its rights, its refresh token and its socket at once', async () => {
    const phone = await signInAs(person, chrome, '203.0.113.7')
    const client = await connectClient('2.0.0', phone.token)
    const socket = await subscribeToChannel(client, `user:${person.id}`, { private: true })
    await apiAs(person).expectNoContent('DELETE', `/api/auth/sessions/${phone.sessionId}`)
    await apiAs(phone).expectError('GET', '/api/auth/user', 401)
    await apiAs(phone).expectError('GET', '/api/auth/sessions', 401)
    expect((await refresh(phone)).status).toBe(400)
    await socket.statuses.waitFor(({ status }) => status === 'CLOSED')
    await apiAs(person).expectError('DELETE', `/api/auth/sessions/${phone.sessionId}`, 404)
    await apiAs(person).get('/api/auth/user', OwnUser)
  })

  it('can be done with all but the one that asks, and by an account that is read-only', async () => {
    const phone = await signInAs(person, chrome, '203.0.113.7')
    await sql`update public.accounts set read_only_reason = 'under 18' where user_id = ${person.id}`
    const tablet = await signInAs(person, chrome, '203.0.113.8')
    await apiAs(phone).expectNoContent('DELETE', `/api/auth/sessions/${tablet.sessionId}`)
    await apiAs(phone).expectNoContent('DELETE', '/api/auth/sessions')
    expect((await list(phone)).map(({ id, current }) => [id, current])).toEqual([[phone.sessionId, true]])
    await apiAs(person).expectError('GET', '/api/auth/user', 401)
    await apiAs(other).get('/api/auth/user', OwnUser)
    // One may end the session that one is in.
    await apiAs(phone).expectNoContent('DELETE', `/api/auth/sessions/${phone.sessionId}`)
    await apiAs(phone).expectError('GET', '/api/auth/user', 401)
  })
})
