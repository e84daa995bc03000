import { ActiveSession } from '@contract/auth.ts'
import { OwnUser } from '@contract/user.ts'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { connectClient, subscribeToChannel } from '../realtime/realtime-fixture.ts'
import { apiAs, authorizationHeader, call } from '../support/api.ts'
import { type FunctionServer, startApiServer } from '../support/function-server.ts'
import { sql, stack } from '../support/stack.ts'
import { createUsers, type TestUser } from '../support/users.ts'

const Sessions = z.array(ActiveSession)
const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36'

let api: FunctionServer
let owner: TestUser
let other: TestUser

beforeAll(async () => {
  api = await startApiServer({ CAPTCHA_PROVIDER: 'none' })
  ;({ owner, other } = await createUsers('owner', 'other'))
})

afterAll(() => api?.stop())

type SignedInUser = TestUser & { sessionId: string }

async function signInAs(user: TestUser, userAgent: string, address: string): Promise<SignedInUser> {
  const response = await fetch(`${api.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'User-Agent': userAgent, 'X-Forwarded-For': address },
    body: JSON.stringify({ email: user.email, password: user.password, recaptcha: 'none' }),
  })
  const { session } = (await response.json()) as { session: { access_token: string; refresh_token: string } }
  const token = session.access_token
  const sessionId = String(decodeJwt(token).session_id)
  return { ...user, token, refreshToken: session.refresh_token, sessionId }
}

const refresh = (user: TestUser) =>
  call('POST', '/auth/v1/token?grant_type=refresh_token', {
    body: { refresh_token: user.refreshToken },
    headers: { apikey: stack.publishableKey },
  })

const listSessions = async (user: TestUser) => (await apiAs(user).get('/api/auth/sessions', Sessions)).body

describe('an ended session', () => {
  it('cannot end other sessions, even if its token has not expired', async () => {
    const [endedSession, otherSession] = [
      await signInAs(other, chrome, '203.0.113.8'),
      await signInAs(other, chrome, '203.0.113.9'),
    ]
    await apiAs(otherSession).expectNoContent('DELETE', `/api/auth/sessions/${endedSession.sessionId}`)
    await apiAs(endedSession).expectError('DELETE', '/api/auth/sessions', 401)
    await apiAs(endedSession).expectError('DELETE', `/api/auth/sessions/${otherSession.sessionId}`, 401)
    await apiAs(otherSession).get('/api/auth/user', OwnUser)
    await apiAs(otherSession).expectNoContent('DELETE', `/api/auth/sessions/${otherSession.sessionId}`)
  })
})

describe('GET /api/auth/sessions', () => {
  it('lists the current session first, then the others by last use, each with its address, user agent and times', async () => {
    const phone = await signInAs(owner, chrome, '203.0.113.7')
    const tablet = await signInAs(owner, `\u0081 Tablet \u00ad${'x'.repeat(600)}`, '2001:db8::7')
    const script = await signInAs(owner, '', 'nonsense')
    await sql`update auth.sessions set created_at = now() - interval '2 days' where user_id = ${owner.id}`
    // Refreshing a session moves it up the list and keeps its details.
    expect((await refresh(phone)).status).toBe(200)

    const sessions = await listSessions(tablet)
    expect(sessions.map(({ id, current }) => [id, current])).toEqual([
      [tablet.sessionId, true],
      [phone.sessionId, false],
      ...sessions.slice(2).map(({ id }) => [id, false]),
    ])
    expect(sessions).toHaveLength(4)
    expect(sessions[0]).toMatchObject({ address: '2001:db8::7', userAgent: `Tablet ${'x'.repeat(493)}` })
    expect(sessions[1]).toMatchObject({ address: '203.0.113.7', userAgent: chrome })
    expect(sessions.find(({ id }) => id === script.sessionId)?.address).toBeNull()
    const [createdAt, lastSeenAt] = [sessions[1]?.createdAt ?? '', sessions[1]?.lastSeenAt ?? ''].map(
      Date.parse,
    )
    expect(Date.now() - (lastSeenAt ?? 0)).toBeLessThan(60_000)
    expect(Date.now() - (createdAt ?? 0)).toBeGreaterThan(47 * 3_600_000)
    expect(sessions[2]?.lastSeenAt).toBe(sessions[2]?.createdAt)
  })

  it("lists only the caller's sessions, and DELETE cannot end another user's session", async () => {
    const ownIds = new Set((await listSessions(owner)).map(({ id }) => id))
    const others = await listSessions(other)
    expect(others.filter(({ id }) => ownIds.has(id))).toEqual([])
    for (const id of [others[0]?.id, owner.id, 'nonsense']) {
      await apiAs(owner).expectError('DELETE', `/api/auth/sessions/${id}`, 404)
    }
    await apiAs(other).get('/api/auth/user', OwnUser)
    for (const [method, path] of [
      ['GET', '/api/auth/sessions'],
      ['DELETE', '/api/auth/sessions'],
      ['DELETE', `/api/auth/sessions/${others[0]?.id}`],
    ] as const) {
      await apiAs(null).expectError(method, path, 401)
    }
    const response = await call('POST', '/rest/v1/rpc/list_own_sessions', {
      headers: { apikey: stack.publishableKey, ...authorizationHeader(owner) },
      body: {},
    })
    expect(response.status).toBe(404)
  })
})

describe('DELETE /api/auth/sessions/:id and DELETE /api/auth/sessions', () => {
  it('revoke the access and refresh tokens of a session and close its realtime channel immediately', async () => {
    const phone = await signInAs(owner, chrome, '203.0.113.7')
    const client = await connectClient('2.0.0', phone.token)
    const channel = await subscribeToChannel(client, `user:${owner.id}`, { private: true })
    await apiAs(owner).expectNoContent('DELETE', `/api/auth/sessions/${phone.sessionId}`)
    await apiAs(phone).expectError('GET', '/api/auth/user', 401)
    await apiAs(phone).expectError('GET', '/api/auth/sessions', 401)
    expect((await refresh(phone)).status).toBe(400)
    await channel.statuses.waitFor(({ status }) => status === 'CLOSED')
    await apiAs(owner).expectError('DELETE', `/api/auth/sessions/${phone.sessionId}`, 404)
    await apiAs(owner).get('/api/auth/user', OwnUser)
  })

  it('can end one or all of the other sessions, even if the account is read-only', async () => {
    const phone = await signInAs(owner, chrome, '203.0.113.7')
    await sql`update public.accounts set read_only_reason = 'under 18' where user_id = ${owner.id}`
    const tablet = await signInAs(owner, chrome, '203.0.113.8')
    await apiAs(phone).expectNoContent('DELETE', `/api/auth/sessions/${tablet.sessionId}`)
    await apiAs(phone).expectNoContent('DELETE', '/api/auth/sessions')
    expect((await listSessions(phone)).map(({ id, current }) => [id, current])).toEqual([
      [phone.sessionId, true],
    ])
    await apiAs(owner).expectError('GET', '/api/auth/user', 401)
    await apiAs(other).get('/api/auth/user', OwnUser)
    // A session can end itself.
    await apiAs(phone).expectNoContent('DELETE', `/api/auth/sessions/${phone.sessionId}`)
    await apiAs(phone).expectError('GET', '/api/auth/user', 401)
  })
})
