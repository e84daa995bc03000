import { ActiveSession } from '@contract/auth.ts'
import { OwnUser } from '@contract/user.ts'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { connect, subscribed } from '../realtime/support.ts'
import { as, call } from '../support/api.ts'
import { type OwnApi, startApi } from '../support/own-api.ts'
import { createPeople, type Person } from '../support/people.ts'
import { sql, stack } from '../support/stack.ts'

const Sessions = z.array(ActiveSession)
const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36'

let api: OwnApi
let person: Person
let other: Person

beforeAll(async () => {
  api = await startApi({ CAPTCHA_PROVIDER: 'none' })
  ;({ person, other } = await createPeople('person', 'other'))
})

afterAll(() => api?.stop())

type Signed = Person & { sessionId: string }

/** A further session of somebody, as a program or browser of that name opens it from that address. */
async function signInAs(who: Person, userAgent: string, address: string): Promise<Signed> {
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

const refresh = (who: Person) =>
  call('POST', '/auth/v1/token?grant_type=refresh_token', {
    body: { refresh_token: who.refreshToken },
    headers: { apikey: stack.publishableKey },
  })

const list = async (who: Person) => (await as(who).get('/api/auth/sessions', Sessions)).body

describe('an ended session', () => {
  it('ends no other one, though its token is still good', async () => {
    const [thief, owner] = [
      await signInAs(other, chrome, '203.0.113.8'),
      await signInAs(other, chrome, '203.0.113.9'),
    ]
    await as(owner).done('DELETE', `/api/auth/sessions/${thief.sessionId}`)
    await as(thief).refused('DELETE', '/api/auth/sessions', 401)
    await as(thief).refused('DELETE', `/api/auth/sessions/${owner.sessionId}`, 401)
    await as(owner).get('/api/auth/user', OwnUser)
    await as(owner).done('DELETE', `/api/auth/sessions/${owner.sessionId}`)
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
      await as(person).refused('DELETE', `/api/auth/sessions/${id}`, 404)
    }
    await as(other).get('/api/auth/user', OwnUser)
    for (const [method, path] of [
      ['GET', '/api/auth/sessions'],
      ['DELETE', '/api/auth/sessions'],
      ['DELETE', `/api/auth/sessions/${others[0]?.id}`],
    ] as const) {
      await as(null).refused(method, path, 401)
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
    const client = await connect('2.0.0', phone.token)
    const socket = await subscribed(client, `user:${person.id}`, { private: true })
    await as(person).done('DELETE', `/api/auth/sessions/${phone.sessionId}`)
    await as(phone).refused('GET', '/api/auth/user', 401)
    await as(phone).refused('GET', '/api/auth/sessions', 401)
    expect((await refresh(phone)).status).toBe(400)
    await socket.statuses.until(({ status }) => status === 'CLOSED')
    await as(person).refused('DELETE', `/api/auth/sessions/${phone.sessionId}`, 404)
    await as(person).get('/api/auth/user', OwnUser)
  })

  it('can be done with all but the one that asks, and by an account that is read-only', async () => {
    const phone = await signInAs(person, chrome, '203.0.113.7')
    await sql`update public.accounts set read_only_reason = 'under 18' where user_id = ${person.id}`
    const tablet = await signInAs(person, chrome, '203.0.113.8')
    await as(phone).done('DELETE', `/api/auth/sessions/${tablet.sessionId}`)
    await as(phone).done('DELETE', '/api/auth/sessions')
    expect((await list(phone)).map(({ id, current }) => [id, current])).toEqual([[phone.sessionId, true]])
    await as(person).refused('GET', '/api/auth/user', 401)
    await as(other).get('/api/auth/user', OwnUser)
    // One may end the session that one is in.
    await as(phone).done('DELETE', `/api/auth/sessions/${phone.sessionId}`)
    await as(phone).refused('GET', '/api/auth/user', 401)
  })
})
