import { randomUUID } from 'node:crypto'
import {
  AccessToken,
  type AccessTokenScope,
  CreatedAccessToken,
  TokenExchangeResponse,
} from '@contract/access-token.ts'
import { Comment } from '@contract/comment.ts'
import { ErrorBody } from '@contract/common.ts'
import { Notification } from '@contract/notification.ts'
import { Post } from '@contract/post.ts'
import { OwnUser } from '@contract/user.ts'
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair } from 'jose'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, authorizationHeader, call } from '../support/api.ts'
import { createPost } from '../support/content-api.ts'
import { startApiServer } from '../support/function-server.ts'
import { waitForMail } from '../support/mail.ts'
import { exhaustRateLimit, sql, stack } from '../support/stack.ts'
import { createTestClient } from '../support/supabase-client.ts'
import { createUser, createUsers, makeAdmin, type TestUser } from '../support/users.ts'

const path = '/api/auth/access-tokens'
const Tokens = z.array(AccessToken)
const all: AccessTokenScope[] = ['read', 'write', 'messages']

let people: Record<'owner' | 'stranger' | 'follower' | 'blocked' | 'admin', TestUser>
let postId: string
/** The owner, authenticated with access tokens that have different scopes. Every token also has `read`. */
let withScopes: Record<'read' | 'write' | 'messages' | 'all', TestUser>

async function createToken(
  user: TestUser,
  scopes: AccessTokenScope[] = [],
  expiresInDays: number | null = 30,
): Promise<TestUser & { tokenId: string }> {
  const body = { name: 'Bot', scopes, expiresInDays, currentPassword: user.password }
  const created = (await apiAs(user).post(path, CreatedAccessToken, body, 201)).body
  return { ...user, token: created.token, tokenId: created.id }
}

/**
 * Exchanges a user's access token for a JWT. Returns a Supabase client that uses the JWT, the user with the JWT as
 * the token, and the response body.
 */
async function exchangeToken(user: TestUser) {
  const { body } = await apiAs(user).post('/api/auth/token', TokenExchangeResponse)
  const client = createTestClient(stack, body.access_token)
  return { client, jwtUser: { ...user, token: body.access_token }, body }
}

beforeAll(async () => {
  people = await createUsers('owner', 'stranger', 'follower', 'blocked', 'admin')
  const { owner, follower, blocked, admin } = people
  await makeAdmin(admin)
  await sql`update public.profiles set visibility = 'followers' where id = ${owner.id}`
  await sql`insert into public.follows (follower_id, followee_id) values (${follower.id}, ${owner.id})`
  await sql`insert into public.blocks (blocker_id, blocked_id) values (${owner.id}, ${blocked.id})`
  postId = (await createPost(owner, 'Hello')).id
  const [read, write, messages, allScopes] = await Promise.all([
    createToken(owner),
    createToken(owner, ['write']),
    createToken(owner, ['messages']),
    createToken(owner, all),
  ])
  withScopes = { read, write, messages, all: allScopes }
})

describe(path, () => {
  it('requires the password, shows the secret once and stores only its hash', async () => {
    const { stranger: user } = people
    const body = { name: ' Deploy bot ', scopes: ['write'], expiresInDays: 90, currentPassword: 'wrong' }
    const error = await apiAs(user).expectError('POST', path, 401, { body })
    expect(error).toMatchObject({
      code: 'invalid_credentials',
      errors: { currentPassword: ['Incorrect password.'] },
    })
    const sessions = async () => (await sql`select from auth.sessions where user_id = ${user.id}`).length
    const before = await sessions()
    const created = (
      await apiAs(user).post(path, CreatedAccessToken, { ...body, currentPassword: user.password }, 201)
    ).body
    expect(await sessions()).toBe(before)
    expect(created).toMatchObject({ name: 'Deploy bot', scopes: ['read', 'write'], lastUsedAt: null })
    expect(created.token).toMatch(/^ovp_[\w-]{43}$/)
    const days = (Date.parse(created.expiresAt ?? '') - Date.now()) / 86_400_000
    expect(days).toBeCloseTo(90, 1)
    const [stored] = await sql<{ row: string; token_hash: Buffer }[]>`
      select t::text as row, token_hash from private.access_tokens t where user_id = ${user.id}`
    expect(stored?.row).not.toContain(created.token)
    expect(stored?.token_hash).toHaveLength(32)

    await apiAs({ ...user, token: created.token }).get('/api/auth/user', OwnUser)
    const [listed, ...others] = (await apiAs(user).get(path, Tokens)).body
    expect(others).toEqual([])
    expect(Date.now() - Date.parse(listed?.lastUsedAt ?? '')).toBeLessThan(60_000)

    const mail = await waitForMail(user.email, 1, 'New access token for Ovation')
    expect(mail.text).toContain('Programs that use it can read what you can see and make changes.')
    expect(mail.text).toContain(`${stack.apiUrl}/settings/developer`)
    const notifications = (await apiAs(user).get('/api/notifications', z.array(Notification))).body
    expect(notifications.find(({ kind }) => kind === 'access_token')).toMatchObject({
      title: 'New access token',
      message: 'The access token “Deploy bot” was created for your account.',
      href: '/settings/developer',
      details: { accessToken: 'Deploy bot' },
    })
    const exported = await call('GET', '/api/account/export', {
      headers: authorizationHeader(user),
    })
    const text = await exported.text()
    expect(JSON.parse(text)).toMatchObject({
      notes: { accessTokens: [{ name: 'Deploy bot', scopes: ['read', 'write'] }] },
    })
    expect(text).not.toContain(created.token)
    expect(text).not.toContain(stored?.token_hash.toString('hex'))
  })

  it('rejects invalid requests and read-only accounts', async () => {
    const valid = { name: 'Bot', scopes: [], expiresInDays: null, currentPassword: 'x' }
    for (const change of [
      { name: ' ' },
      { name: 'x'.repeat(61) },
      { scopes: ['admin'] },
      { expiresInDays: 31 },
    ]) {
      await apiAs(people.owner).expectError('POST', path, 400, { body: { ...valid, ...change } })
    }
    await sql`update public.accounts set read_only_reason = 'Test' where user_id = ${people.blocked.id}`
    const body = { ...valid, currentPassword: people.blocked.password }
    await apiAs(people.blocked).expectError('POST', path, 403, { body })
    await sql`update public.accounts set read_only_reason = null where user_id = ${people.blocked.id}`
  })

  it("requires a session of the tokens' owner, and rejects access tokens", async () => {
    const { owner, stranger, follower, blocked, admin } = people
    const { tokenId } = await createToken(owner)
    const body = { name: 'Bot', scopes: [], expiresInDays: 30, currentPassword: owner.password }
    for (const token of [withScopes.read, withScopes.all, (await exchangeToken(withScopes.all)).jwtUser]) {
      for (const [method, url] of [
        ['GET', path],
        ['POST', path],
        ['DELETE', `${path}/${tokenId}`],
      ] as const) {
        const options = method === 'POST' ? { body } : {}
        const error = await apiAs(token).expectError(method, url, 403, options)
        expect(error.code).toBe('insufficient_scope')
      }
    }
    for (const [user, status] of [
      [null, 401],
      [stranger, 404],
      [follower, 404],
      [blocked, 404],
      [admin, 404],
    ] as const) {
      await apiAs(user).expectError('DELETE', `${path}/${tokenId}`, status)
    }
    await apiAs(null).expectError('GET', path, 401)
    await apiAs(owner).expectNoContent('DELETE', `${path}/${tokenId}`)
    await apiAs(owner).expectError('DELETE', `${path}/${tokenId}`, 404)
  })
})

describe('a call with an access token', () => {
  it("requires the endpoint's scopes, and is rejected if the endpoint requires a session", async () => {
    const { owner, stranger } = people
    const comment = { content: 'Own comment' }
    const { id: commentId } = (
      await apiAs(owner).post(`/api/posts/${postId}/comments`, Comment, comment, 201)
    ).body
    const [none, read, write] = ['none', 'read', 'write'] as const
    /** The scopes that an endpoint requires. `none` means that no access token can call the endpoint. */
    type RequiredScopes = typeof none | typeof read | typeof write | 'messages' | 'messages write'
    const calls: [RequiredScopes, 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE', string, unknown?][] = [
      [read, 'GET', '/api/auth/user'],
      [read, 'GET', '/api/posts'],
      [read, 'GET', '/api/notifications'],
      [write, 'POST', `/api/posts/${postId}/like`],
      [write, 'POST', `/api/comments/${commentId}/like`],
      [write, 'PUT', `/api/posts/${postId}/pin`],
      [write, 'DELETE', `/api/posts/${postId}/pin`],
      [write, 'PATCH', `/api/posts/${postId}`, { content: 'Edited' }],
      [write, 'POST', `/api/posts/${postId}/comments`, { content: 'Hi' }],
      [write, 'DELETE', `/api/users/${stranger.id}/block`],
      ['messages', 'GET', '/api/messages/conversations'],
      ['messages', 'GET', '/api/messages/unread-count'],
      ['messages', 'GET', `/api/messages/${stranger.id}`],
      ['messages', 'GET', `/api/messages/${stranger.id}/details`],
      ['messages', 'GET', `/api/messages/${stranger.id}/photos`],
      ['messages write', 'PUT', `/api/messages/${stranger.id}/note`, { content: 'Met at the fair' }],
      ['messages write', 'POST', '/api/messages', { receiverId: stranger.id, content: 'Hi' }],
      ['messages write', 'PATCH', `/api/messages/${stranger.id}/read`],
      [none, 'POST', `/api/posts/${postId}/unlock`, {}],
      [none, 'POST', `/api/messages/${stranger.id}/unlock`, { amount: 5 }],
      [none, 'POST', `/api/users/${stranger.id}/tip`, { amount: 5 }],
      [none, 'GET', '/api/auth/sessions'],
      [none, 'DELETE', '/api/auth/sessions'],
      [none, 'POST', '/api/auth/change-password', { currentPassword: 'a', newPassword: 'bbbbbbb' }],
      [none, 'POST', '/api/auth/resend-confirmation'],
      [none, 'PATCH', '/api/profile', { email: 'new@example.test' }],
      [none, 'PATCH', '/api/settings/security', { sessionTimeout: 30 }],
      [none, 'PATCH', '/api/settings/home', { homeTabs: [] }],
      [none, 'GET', '/api/payouts'],
      [none, 'POST', '/api/payouts', { amount: 50 }],
      [none, 'GET', '/api/account/export'],
      [none, 'DELETE', '/api/account', { password: 'x' }],
      [none, 'GET', '/api/admin/users'],
      [none, 'GET', '/api/admin/stats'],
      [none, 'GET', '/api/login'],
      [none, 'GET', '/api/logout'],
      [none, 'GET', '/api/nowhere'],
    ]
    const allowedWith: Record<keyof typeof withScopes, RequiredScopes[]> = {
      read: [read],
      write: [read, write],
      messages: [read, 'messages'],
      all: [read, write, 'messages', 'messages write'],
    }
    for (const [required, method, url, body] of calls) {
      for (const [name, allowed] of Object.entries(allowedWith)) {
        const user = withScopes[name as keyof typeof withScopes]
        const headers = authorizationHeader(user)
        const response = await call(method, url, { headers, ...(body === undefined ? {} : { body }) })
        const label = `${name} ${method} ${url}`
        if (allowed.includes(required)) expect([label, response.ok]).toEqual([label, true])
        else {
          const { code } = ErrorBody.parse(await response.json())
          expect([label, response.status, code]).toEqual([label, 403, 'insufficient_scope'])
        }
      }
    }
  })

  it('has no admin rights, even if the token belongs to an admin', async () => {
    const token = await createToken(people.admin, all)
    await apiAs(token).expectError('GET', '/api/admin/users', 403)
    const { client } = await exchangeToken(token)
    expect((await client.from('audit_entries').select('id')).data).toEqual([])
    expect((await client.from('accounts').select('user_id')).data).toEqual([{ user_id: people.admin.id }])
  })

  it('can read whatever the token’s owner could read without admin rights', async () => {
    const statuses: Record<string, number> = {}
    for (const [name, user] of Object.entries(people)) {
      const token = await createToken(user)
      const { client } = await exchangeToken(token)
      const response = await call('GET', `/api/posts/${postId}`, {
        headers: authorizationHeader(token),
      })
      statuses[name] = response.status
      const { data } = await client.from('posts').select('id').eq('id', postId)
      expect([name, data?.length]).toEqual([name, response.ok ? 1 : 0])
    }
    // An access token gives an admin no admin rights, so the admin cannot read this post.
    expect(statuses).toEqual({ owner: 200, follower: 200, stranger: 404, blocked: 404, admin: 404 })
  })

  it('is not rejected with `insufficient_scope` by GET endpoints that, according to the OpenAPI document, require only `read`', async () => {
    const Document = z.looseObject({
      paths: z.record(
        z.string(),
        z.record(
          z.string(),
          z.looseObject({ security: z.array(z.record(z.string(), z.array(z.string()))).optional() }),
        ),
      ),
    })
    const { paths } = (await apiAs(null).get('/api/openapi.json', Document)).body
    const scopesOf = (method: string, url: string) =>
      paths[url]?.[method]?.security?.find((scheme) => scheme.accessToken)?.accessToken
    expect(scopesOf('post', '/api/messages')).toEqual(['write', 'messages'])
    expect(scopesOf('delete', '/api/account')).toBeUndefined()
    const urls = Object.keys(paths).filter((url) => scopesOf('get', url)?.join() === 'read')
    expect(urls.length).toBeGreaterThan(20)
    for (const url of urls) {
      const filled = url
        .replace('/posts/{id}', `/posts/${postId}`)
        .replace(/\{(id|userId|identifier)\}/, people.owner.id)
        .replace('{tag}', 'music')
      const response = await call('GET', filled, {
        headers: authorizationHeader(withScopes.read),
      })
      const { code } = response.ok ? {} : ErrorBody.parse(await response.json())
      expect([filled, [200, 400, 403, 404].includes(response.status)]).toEqual([filled, true])
      expect([filled, code]).not.toEqual([filled, 'insufficient_scope'])
    }
  })

  it('is rejected if the token is malformed, unknown, expired or revoked', async () => {
    const { owner } = people
    const revoked = await createToken(owner)
    await apiAs(owner).expectNoContent('DELETE', `${path}/${revoked.tokenId}`)
    const expired = await createToken(owner)
    await sql`update private.access_tokens set expires_at = now() where id = ${expired.tokenId}`
    for (const token of ['ovp_x', `ovp_${'a'.repeat(43)}`, revoked.token, expired.token]) {
      // Visitors may read this list, but a request with an invalid token is rejected.
      const error = await apiAs({ ...owner, token }).expectError('GET', '/api/posts', 401)
      expect(error.message).toBe('This access token is not valid, has expired or was revoked.')
    }
  })

  it('is rate limited per token', async () => {
    const [limited, other] = await Promise.all([createToken(people.owner), createToken(people.owner)])
    const { jwtUser } = await exchangeToken(limited)
    await exhaustRateLimit('access_token', limited.tokenId, 300, '1 minute')
    await apiAs(limited).expectError('GET', '/api/posts', 429)
    await apiAs(jwtUser).expectError('GET', '/api/posts', 429)
    await apiAs(other).get('/api/posts', z.array(Post))
    await apiAs(people.owner).get('/api/posts', z.array(Post))
  })
})

describe('POST /api/auth/token', () => {
  it('returns a JWT that has the token’s scopes and that the Data API accepts', async () => {
    const { stranger } = people
    const { client, body, jwtUser } = await exchangeToken(withScopes.read)
    expect(body.expires_in).toBe(900)
    expect(decodeJwt(body.access_token)).toMatchObject({
      sub: withScopes.read.id,
      role: 'authenticated',
      token_scopes: ['read'],
      exp: body.expires_at,
    })
    expect((await client.from('posts').select('id').eq('id', postId)).data).toEqual([{ id: postId }])
    const refused = [
      await client.from('posts').insert({ id: randomUUID(), author_id: people.owner.id, content: 'x' }),
      await client.from('posts').delete().eq('id', postId),
      await client.from('blocks').insert({ blocker_id: people.owner.id, blocked_id: stranger.id }),
      await client.rpc('toggle_like', { post: postId }),
    ]
    expect(refused.map(({ error, status }) => [status, error?.message])).toEqual(
      refused.map(() => [403, 'This access token is read-only.']),
    )
    await apiAs(jwtUser).get('/api/auth/user', OwnUser)
    await apiAs(jwtUser).expectError('POST', `/api/posts/${postId}/like`, 403)

    const { client: writer } = await exchangeToken(withScopes.write)
    expect(
      (await writer.from('posts').insert({ author_id: people.owner.id, content: 'Bot' })).error,
    ).toBeNull()
    const message = { sender_id: people.owner.id, receiver_id: stranger.id, content: 'Hi' }
    expect((await writer.from('messages').insert(message)).error).not.toBeNull()
    expect((await writer.from('messages').select('id')).data).toEqual([])
    await sql`
      insert into public.user_notes (author_id, user_id, content)
      values (${people.owner.id}, ${stranger.id}, 'A note') on conflict do nothing`
    expect((await writer.from('user_notes').select('content')).data).toEqual([])
    expect((await writer.from('payout_methods').select('id')).data).toEqual([])
    await sql`insert into public.auto_post_drafts (user_id, content) values (${people.owner.id}, 'A draft')`
    expect((await writer.from('auto_post_drafts').select('content')).data).toEqual([])
    // Settings and profiles can be changed only with a session, so that a stolen token cannot turn off login alerts.
    const settings = writer.from('user_settings').update({ login_alerts: false })
    expect((await settings.eq('user_id', people.owner.id)).error?.code).toBe('42501')
    const profile = writer.from('profiles').update({ visibility: 'public' }).eq('id', people.owner.id)
    expect((await profile).error?.code).toBe('42501')
    const { client: chat } = await exchangeToken(withScopes.all)
    expect((await chat.from('messages').insert(message)).error).toBeNull()
    expect((await chat.from('messages').select('id')).data?.length).toBeGreaterThan(0)
    expect((await chat.from('user_notes').select('content')).data).toHaveLength(1)
  })

  it('does not renew a JWT or accept a session', async () => {
    const { jwtUser } = await exchangeToken(withScopes.all)
    await apiAs(jwtUser).expectError('POST', '/api/auth/token', 403)
    await apiAs(people.owner).expectError('POST', '/api/auth/token', 403)
    await apiAs(null).expectError('POST', '/api/auth/token', 401)
  })

  it('returns a JWT that Auth rejects and that becomes invalid when the token is revoked', async () => {
    const { owner } = people
    const token = await createToken(owner, all)
    const { jwtUser, client } = await exchangeToken(token)
    const headers = { ...authorizationHeader(jwtUser), apikey: stack.publishableKey }
    expect((await call('GET', '/auth/v1/user', { headers })).status).toBe(403)
    expect((await call('POST', '/auth/v1/logout?scope=global', { headers })).status).toBe(403)
    await apiAs(owner).get('/api/auth/user', OwnUser)
    await apiAs(owner).expectNoContent('DELETE', `${path}/${token.tokenId}`)
    await apiAs(jwtUser).expectError('GET', '/api/auth/user', 401)
    expect((await client.from('posts').select('id')).data ?? []).toEqual([])
    expect(
      (await client.from('blocks').insert({ blocker_id: owner.id, blocked_id: people.stranger.id })).error,
    ).not.toBeNull()
  })

  it('returns a JWT that cannot join Realtime topics or use Storage', async () => {
    const { owner, stranger } = people
    const { client } = await exchangeToken(withScopes.all)
    const session = createTestClient(stack, owner.token)
    // An earlier test started the conversation between the owner and the stranger.
    const topics = [
      `user:${owner.id}`,
      `conversation:${[owner.id, stranger.id].sort().join(':')}`,
      `post:${postId}`,
    ]
    const join = async (joiningClient: typeof client, topic: string) => {
      await joiningClient.realtime.setAuth()
      return await new Promise<string>((resolve) => {
        joiningClient.channel(topic, { config: { private: true } }).subscribe((state) => resolve(state))
      })
    }
    for (const topic of topics) {
      expect([topic, await join(session, topic), await join(client, topic)]).toEqual([
        topic,
        'SUBSCRIBED',
        'CHANNEL_ERROR',
      ])
    }
    await Promise.all([session.removeAllChannels(), client.removeAllChannels()])
    for (const bucket of ['media', 'avatars']) {
      const uploaded = await client.storage.from(bucket).upload(`${owner.id}/x.png`, new Blob(['x']))
      expect(uploaded.error).not.toBeNull()
      expect((await client.storage.from(bucket).list(owner.id)).data ?? []).toEqual([])
    }
  })

  it('signs the JWT with JWT_SIGNING_KEY in projects with asymmetric keys', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
    const kid = randomUUID()
    const server = await startApiServer({
      JWT_SECRET: '',
      JWT_SIGNING_KEY: JSON.stringify([{ ...(await exportJWK(privateKey)), alg: 'ES256', kid }]),
      SUPABASE_JWKS: JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256', kid }] }),
    })
    try {
      const request = (method: string, url: string, token: string) =>
        fetch(`${server.url}${url}`, { method, headers: { Authorization: `Bearer ${token}` } })
      const response = await request('POST', '/api/auth/token', withScopes.read.token)
      const { access_token: jwt } = TokenExchangeResponse.parse(await response.json())
      expect(decodeProtectedHeader(jwt)).toMatchObject({ alg: 'ES256', kid })
      expect((await request('GET', '/api/auth/user', jwt)).status).toBe(200)
      expect((await request('POST', `/api/posts/${postId}/like`, jwt)).status).toBe(403)
    } finally {
      server.stop()
    }
  })
})

it("tokens of a blocked or read-only user are rejected wherever the user's session is rejected, and a suspension invalidates them", async () => {
  const [user, other, blocker] = await Promise.all([createUser(), createUser(), createUser()])
  const token = await createToken(user, all)
  await sql`insert into public.blocks (blocker_id, blocked_id) values (${blocker.id}, ${user.id})`
  const outcomes = async (caller: TestUser) =>
    await Promise.all(
      [
        ['/api/posts', { content: 'Hi' }],
        [`/api/posts/${postId}/like`],
        [`/api/users/${other.id}/follow`],
        [`/api/users/${blocker.id}/follow`],
        ['/api/messages', { receiverId: other.id, content: 'Hi' }],
        ['/api/messages', { receiverId: blocker.id, content: 'Hi' }],
      ].map(async ([url, body]) => {
        const headers = authorizationHeader(caller)
        const response = await call('POST', String(url), { headers, body })
        const { code, message } = ErrorBody.partial().parse(await response.json())
        return [url, response.status, code, message]
      }),
    )
  expect((await outcomes(token)).filter(([, status]) => Number(status) >= 400)).toEqual(
    (await outcomes(user)).filter(([, status]) => Number(status) >= 400),
  )
  await sql`update public.accounts set read_only_reason = 'Test' where user_id = ${user.id}`
  const refused = await outcomes(token)
  expect(refused.every(([, status]) => status === 403 || status === 404)).toBe(true)
  expect(refused).toEqual(await outcomes(user))
  await apiAs(token).get('/api/auth/user', OwnUser)
  await sql`update public.accounts set suspended_at = now(), suspension_reason = 'Spam' where user_id = ${user.id}`
  await apiAs(token).expectError('GET', '/api/auth/user', 401)
  await apiAs(user).get('/api/auth/user', OwnUser)
})

it('a password change revokes all access tokens', async () => {
  const user = await createUser()
  const token = await createToken(user, ['read'], null)
  expect(token.tokenId).toBeTruthy()
  const body = { currentPassword: user.password, newPassword: 'another horse' }
  await apiAs(user).expectNoContent('POST', '/api/auth/change-password', body)
  await apiAs(token).expectError('GET', '/api/auth/user', 401)
})

describe('requests from other origins', () => {
  const other = 'https://bots.example.test'

  it('are accepted with a token and without the session cookie', async () => {
    const body = { content: 'Hi' }
    const url = `/api/posts/${postId}/comments`
    const headers = { ...authorizationHeader(withScopes.write), Origin: other }
    expect((await call('POST', url, { body, headers })).status).toBe(201)
    const session = { access_token: people.owner.token }
    const cookie = `ovation-auth=base64-${Buffer.from(JSON.stringify(session)).toString('base64url')}`
    for (const refused of [
      { Cookie: cookie, Origin: other },
      { ...headers, Cookie: cookie },
    ]) {
      expect((await call('POST', url, { body, headers: refused })).status).toBe(403)
    }
  })

  it('get CORS headers from the API only if their origin is configured, and always from the Data API', async () => {
    const preflight = (url: string, origin: string) =>
      fetch(url, {
        method: 'OPTIONS',
        headers: {
          Origin: origin,
          'Access-Control-Request-Method': 'PATCH',
          'Access-Control-Request-Headers': 'authorization,content-type',
        },
      })
    const api = await startApiServer({ ALLOWED_ORIGINS: `${other}/, https://app.example.test` })
    try {
      const allowed = await preflight(`${api.url}/api/profile`, other)
      expect(allowed.status).toBe(204)
      expect(Object.fromEntries(allowed.headers)).toMatchObject({
        'access-control-allow-origin': other,
        'access-control-allow-headers': 'authorization,content-type',
        'access-control-allow-methods': expect.stringContaining('PATCH'),
      })
      expect(allowed.headers.get('access-control-allow-credentials')).toBeNull()
      const response = await fetch(`${api.url}/api/auth/user`, {
        headers: { Origin: other, ...authorizationHeader(withScopes.read) },
      })
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, other])
      const failed = await fetch(`${api.url}/api/auth/user`, { headers: { Origin: other } })
      expect([failed.status, failed.headers.get('access-control-allow-origin')]).toEqual([401, other])
      const denied = await preflight(`${api.url}/api/profile`, 'https://evil.test')
      expect([denied.status, denied.headers.get('access-control-allow-origin')]).toEqual([204, null])
    } finally {
      api.stop()
    }
    // The Data API does not read cookies, so it allows every origin, as PostgREST does.
    const data = await preflight(`${stack.apiUrl}/rest/v1/posts`, other)
    expect([data.ok, data.headers.get('access-control-allow-origin')]).toEqual([true, '*'])
    const own = await preflight(`${stack.apiUrl}/api/profile`, stack.apiUrl)
    expect(own.headers.get('access-control-allow-origin')).toBe(stack.apiUrl)
  })
})

describe('functions.invoke', () => {
  it('calls the API, as on Supabase', async () => {
    const { client } = await exchangeToken(withScopes.write)
    const own = await client.functions.invoke('api/auth/user', { method: 'GET' })
    expect([own.error, own.data?.id]).toEqual([null, people.owner.id])
    const comment = await client.functions.invoke(`api/posts/${postId}/comments`, { body: { content: 'Hi' } })
    expect([comment.error, comment.data?.content]).toEqual([null, 'Hi'])
    const anonymous = createTestClient(stack)
    expect((await anonymous.functions.invoke('api/posts?limit=1', { method: 'GET' })).error).toBeNull()
    expect((await call('POST', '/functions/v1/jobs/clean-up')).status).toBe(404)
  })
})
