import { randomUUID } from 'node:crypto'
import { ErrorBody } from '@contract/common.ts'
import { Config, Health } from '@contract/config.ts'
import { Post } from '@contract/post.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, authorizationHeader, call } from '../support/api.ts'
import { runJob } from '../support/run-job.ts'
import { sql, stack } from '../support/stack.ts'
import { createUser, type TestUser } from '../support/users.ts'

const visitor = apiAs(null)
let user: TestUser
let cookie: string

beforeAll(async () => {
  user = await createUser()
  cookie = `ovation-auth=base64-${Buffer.from(JSON.stringify({ access_token: user.token })).toString('base64url')}`
})

const publishWith = (headers: Record<string, string>) =>
  call('POST', '/api/posts', { body: { content: 'From somewhere' }, headers })

describe('without a session', () => {
  it('GET /api/config returns the public client configuration', async () => {
    const { body } = await visitor.get('/api/config', Config)
    expect(body).toMatchObject({
      supabaseUrl: stack.apiUrl,
      supabaseKey: stack.publishableKey,
      captcha: { provider: 'altcha' },
      appName: 'Ovation',
      platformFeePercent: 10,
    })
    expect(JSON.stringify(body)).not.toContain(stack.secretKey)
  })

  it('GET /api/health reports every service as healthy', async () => {
    const { body } = await visitor.get('/api/health', Health)
    expect(body).toEqual({
      status: 'ok',
      checks: { database: 'ok', auth: 'ok', storage: 'ok', realtime: 'ok', dataApi: 'ok' },
    })
  })

  it('GET /api/openapi.json is compressed and has an ETag', async () => {
    const url = `${stack.apiUrl}/api/openapi.json`
    const compressed = await fetch(url, { headers: { 'accept-encoding': 'gzip' } })
    expect(compressed.headers.get('content-encoding')).toBe('gzip')
    expect(Number(compressed.headers.get('content-length'))).toBeLessThan(60_000)
    const plain = await fetch(url, { headers: { 'accept-encoding': 'identity' } })
    expect(plain.headers.get('content-encoding')).toBeNull()
    expect(await compressed.json()).toEqual(await plain.json())
    const etag = compressed.headers.get('etag') ?? ''
    expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304)
  })

  it('GET /api/openapi.json describes every endpoint', async () => {
    const Document = z.looseObject({
      openapi: z.literal('3.1.0'),
      paths: z.record(z.string(), z.record(z.string(), z.looseObject({ responses: z.looseObject({}) }))),
    })
    const { body } = await visitor.get('/api/openapi.json', Document)
    const calls = Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(calls.sort()).toMatchInlineSnapshot(`
      [
        "DELETE /api/account",
        "DELETE /api/admin/openai-key",
        "DELETE /api/admin/users/{id}",
        "DELETE /api/admin/users/{id}/suspend",
        "DELETE /api/auth/access-tokens/{id}",
        "DELETE /api/auth/sessions",
        "DELETE /api/auth/sessions/{id}",
        "DELETE /api/auto-posts/drafts/{id}",
        "DELETE /api/comments/{id}",
        "DELETE /api/creator-pro",
        "DELETE /api/media-gallery/{id}",
        "DELETE /api/messages/{id}",
        "DELETE /api/payouts/methods/{id}",
        "DELETE /api/posts/scheduled/{id}",
        "DELETE /api/posts/{id}",
        "DELETE /api/posts/{id}/pin",
        "DELETE /api/posts/{id}/repost",
        "DELETE /api/subscriptions/{creatorId}",
        "DELETE /api/upload/background-image",
        "DELETE /api/upload/profile-image",
        "DELETE /api/users/{id}/block",
        "GET /api/account/export",
        "GET /api/account/storage",
        "GET /api/admin/audit",
        "GET /api/admin/audit/export",
        "GET /api/admin/audit/status",
        "GET /api/admin/auto-posting/runs",
        "GET /api/admin/auto-posting/today",
        "GET /api/admin/cases",
        "GET /api/admin/cases/{id}",
        "GET /api/admin/jobs",
        "GET /api/admin/openai-key",
        "GET /api/admin/payouts",
        "GET /api/admin/settings",
        "GET /api/admin/stats",
        "GET /api/admin/system",
        "GET /api/admin/users",
        "GET /api/admin/users/{id}",
        "GET /api/admin/whoami",
        "GET /api/analytics/audience/{userId}",
        "GET /api/analytics/export/{userId}",
        "GET /api/analytics/hours/{userId}",
        "GET /api/analytics/monthly/{userId}",
        "GET /api/analytics/overview/{userId}",
        "GET /api/analytics/recent/{userId}",
        "GET /api/analytics/sources/{userId}",
        "GET /api/analytics/top-posts/{userId}",
        "GET /api/auth/access-tokens",
        "GET /api/auth/captcha",
        "GET /api/auth/sessions",
        "GET /api/auth/user",
        "GET /api/auth/verify-reset-token/{token}",
        "GET /api/auto-posts",
        "GET /api/auto-posts/drafts",
        "GET /api/comments/{id}",
        "GET /api/comments/{id}/replies",
        "GET /api/config",
        "GET /api/creator-pro",
        "GET /api/discover/featured-creators",
        "GET /api/discover/posts",
        "GET /api/discover/trending-hashtags",
        "GET /api/earnings/days",
        "GET /api/earnings/goals",
        "GET /api/earnings/overview",
        "GET /api/earnings/transactions",
        "GET /api/earnings/transactions/export",
        "GET /api/health",
        "GET /api/login",
        "GET /api/logout",
        "GET /api/media-gallery",
        "GET /api/media/{id}",
        "GET /api/messages/conversations",
        "GET /api/messages/mass",
        "GET /api/messages/search",
        "GET /api/messages/unread-count",
        "GET /api/messages/welcome",
        "GET /api/messages/{id}",
        "GET /api/messages/{id}/linked-posts/{postId}",
        "GET /api/messages/{id}/reactions",
        "GET /api/messages/{otherUserId}/details",
        "GET /api/messages/{otherUserId}/photos",
        "GET /api/notifications",
        "GET /api/notifications/unread-count",
        "GET /api/payouts",
        "GET /api/payouts/methods",
        "GET /api/payouts/schedule",
        "GET /api/posts",
        "GET /api/posts/new-count",
        "GET /api/posts/scheduled",
        "GET /api/posts/search",
        "GET /api/posts/{id}",
        "GET /api/posts/{id}/comments",
        "GET /api/tips/{id}",
        "GET /api/topics/search",
        "GET /api/topics/{tag}/people",
        "GET /api/topics/{tag}/posts",
        "GET /api/unsubscribe",
        "GET /api/user/account-log",
        "GET /api/user/blocked-users",
        "GET /api/user/creator-updates",
        "GET /api/user/decisions",
        "GET /api/user/follow-requests",
        "GET /api/user/following",
        "GET /api/user/following-users",
        "GET /api/user/liked-posts",
        "GET /api/user/liked-posts/details",
        "GET /api/user/reports",
        "GET /api/user/saved-posts",
        "GET /api/user/subscriptions",
        "GET /api/users",
        "GET /api/users/search",
        "GET /api/users/username-availability",
        "GET /api/users/{identifier}",
        "GET /api/users/{identifier}/posts",
        "GET /api/users/{identifier}/posts/new-count",
        "GET /api/users/{identifier}/reposts",
        "GET /api/users/{identifier}/stats",
        "GET /api/users/{id}/followers",
        "GET /api/users/{id}/following",
        "GET /api/users/{id}/subscription-offer",
        "PATCH /api/admin/settings",
        "PATCH /api/earnings/goals",
        "PATCH /api/messages/{id}",
        "PATCH /api/messages/{otherUserId}/read",
        "PATCH /api/payouts/methods/{id}",
        "PATCH /api/payouts/schedule",
        "PATCH /api/posts/scheduled/{id}",
        "PATCH /api/posts/{id}",
        "PATCH /api/profile",
        "PATCH /api/settings/home",
        "PATCH /api/settings/notifications",
        "PATCH /api/settings/privacy",
        "PATCH /api/settings/security",
        "POST /api/admin/cases/decide",
        "POST /api/admin/cases/{id}/appeal",
        "POST /api/admin/create-post",
        "POST /api/admin/moderate",
        "POST /api/admin/openai-key",
        "POST /api/admin/openai-key/reveal",
        "POST /api/admin/payouts/{id}/details",
        "POST /api/admin/payouts/{id}/settle",
        "POST /api/admin/trigger-auto-posting",
        "POST /api/admin/upload/background-image",
        "POST /api/admin/upload/profile-image",
        "POST /api/admin/users/{id}/approve",
        "POST /api/admin/users/{id}/auto-posting-preview",
        "POST /api/admin/users/{id}/suspend",
        "POST /api/admin/users/{id}/toggle-auto-posting",
        "POST /api/admin/users/{id}/toggle-creator",
        "POST /api/auth/access-tokens",
        "POST /api/auth/change-password",
        "POST /api/auth/confirm-email",
        "POST /api/auth/forgot-password",
        "POST /api/auth/login",
        "POST /api/auth/register",
        "POST /api/auth/resend-confirmation",
        "POST /api/auth/reset-password",
        "POST /api/auth/token",
        "POST /api/auto-posts/drafts/{id}/publish",
        "POST /api/billing/portal",
        "POST /api/comments/{id}/like",
        "POST /api/creator-pro",
        "POST /api/media-gallery",
        "POST /api/media-gallery/{id}/restore",
        "POST /api/messages",
        "POST /api/messages/mark-all-read",
        "POST /api/messages/mass",
        "POST /api/messages/mass/{id}/stop",
        "POST /api/messages/{id}/reactions",
        "POST /api/messages/{id}/unlock",
        "POST /api/notifications/read-all",
        "POST /api/notifications/{id}/read",
        "POST /api/payments/webhook",
        "POST /api/payouts",
        "POST /api/payouts/methods",
        "POST /api/posts",
        "POST /api/posts/scheduled/{id}/publish",
        "POST /api/posts/{id}/comments",
        "POST /api/posts/{id}/like",
        "POST /api/posts/{id}/repost",
        "POST /api/posts/{id}/save",
        "POST /api/posts/{id}/unlock",
        "POST /api/products",
        "POST /api/reports",
        "POST /api/subscriptions",
        "POST /api/unsubscribe",
        "POST /api/upload",
        "POST /api/upload-video",
        "POST /api/upload-video/sign",
        "POST /api/upload-voice",
        "POST /api/upload/background-image",
        "POST /api/upload/profile-image",
        "POST /api/user/decisions/{id}/appeal",
        "POST /api/user/follow-requests/{userId}/accept",
        "POST /api/user/follow-requests/{userId}/decline",
        "POST /api/user/onboarded",
        "POST /api/users/{id}/block",
        "POST /api/users/{id}/follow",
        "POST /api/users/{id}/tip",
        "POST /api/views",
        "PUT /api/admin/users/{id}/profile",
        "PUT /api/messages/welcome",
        "PUT /api/messages/{otherUserId}/note",
        "PUT /api/posts/{id}/pin",
        "PUT /api/users/{id}/post-alerts",
      ]
    `)
  })
})

describe('the origin check for writes', () => {
  it('accepts requests from the site itself, requests from non-browser clients and requests with a bearer token', async () => {
    const sameOrigin = { Cookie: cookie, Origin: stack.apiUrl }
    const accepted: Record<string, string>[] = [
      sameOrigin,
      { ...sameOrigin, 'Sec-Fetch-Site': 'same-origin' },
      { Cookie: cookie },
      { Cookie: cookie, 'Sec-Fetch-Site': 'none' },
      authorizationHeader(user),
      { ...authorizationHeader(user), 'Sec-Fetch-Site': 'cross-site' },
    ]
    for (const headers of accepted) {
      expect([headers, (await publishWith(headers)).status]).toEqual([headers, 201])
    }
  })

  it('rejects requests from other sites', async () => {
    const crossSite: Record<string, string>[] = [
      { Cookie: cookie, Origin: 'https://evil.test' },
      { Cookie: cookie, Origin: `${stack.apiUrl}.evil.test` },
      { Cookie: cookie, Origin: 'null' },
      { Cookie: cookie, 'Sec-Fetch-Site': 'cross-site' },
      { Cookie: cookie, 'Sec-Fetch-Site': 'same-site' },
    ]
    for (const headers of crossSite) {
      const response = await publishWith(headers)
      const body = ErrorBody.parse(await response.json())
      expect([headers, response.status, body.code]).toEqual([headers, 403, 'origin_refused'])
    }
    await visitor.expectError('POST', '/api/auth/login', 403, {
      body: {},
      headers: { Origin: 'https://evil.test' },
    })
  })
})

describe('responses', () => {
  it('are not cached by default', async () => {
    for (const path of ['/api/posts', '/api/config', '/api/auth/user', '/api/nowhere']) {
      const { headers } = await call('GET', path)
      expect(headers.get('Cache-Control')).toBe('private, no-store')
      expect(headers.get('Vary')).toContain('Cookie')
      expect(headers.get('Content-Type')).toMatch(/^application\/json/)
    }
  })

  it('are JSON for unknown paths', async () => {
    expect(await visitor.expectError('GET', '/api/nowhere', 404)).toEqual({
      message: 'Not found',
      code: 'not_found',
    })
    await visitor.expectError('PUT', '/api/posts', 404)
    await apiAs(user).expectError('DELETE', '/api/config', 404)
  })

  it('are the same as for a visitor if the token is invalid and no session is required', async () => {
    const headers = { Authorization: 'Bearer a.b.c' }
    const { body } = await visitor.get('/api/posts', z.array(Post), { headers })
    expect(body.every((post) => !post.mine)).toBe(true)
    await visitor.get('/api/posts', z.array(Post), {
      headers: { Authorization: `Bearer ${stack.publishableKey}` },
    })
  })
})

describe('a read-only account', () => {
  it('gets 403 on writes and can still read', async () => {
    await sql`update public.accounts set read_only_reason = 'under_age' where user_id = ${user.id}`
    await apiAs(user).expectError('POST', '/api/posts', 403, { body: { content: 'Hello' } })
    await apiAs(user).get('/api/posts', z.array(Post))
    await sql`update public.accounts set read_only_reason = null where user_id = ${user.id}`
  })
})

describe('the jobs endpoint', () => {
  const callCleanUp = (headers: Record<string, string>) =>
    fetch(`${stack.jobsUrl}/clean-up`, { method: 'POST', headers })

  it('requires the job secret', async () => {
    const signature = crypto.randomUUID()
    await sql`
      insert into private.spent_captchas (signature, expires_at) values (${signature}, now() - interval '1 minute')`
    const countExpired = async () =>
      (await sql`select from private.spent_captchas where signature = ${signature}`).count
    const unauthorizedHeaders: Record<string, string>[] = [
      {},
      { Authorization: 'Bearer wrong' },
      { Authorization: `Bearer ${stack.secretKey}` },
      authorizationHeader(user),
    ]
    for (const headers of unauthorizedHeaders) {
      const response = await callCleanUp(headers)
      expect([response.status, ErrorBody.parse(await response.json()).code]).toEqual([401, 'unauthorized'])
    }
    expect(await countExpired()).toBe(1)
    const { status, body } = await runJob('clean-up')
    expect(status).toBe(200)
    expect(body).toMatchObject({ deleted: { captchas: expect.any(Number) } })
    expect(await countExpired()).toBe(0)
  })

  it('runs the clean-up job, which deletes a backlog in batches', async () => {
    const id = randomUUID()
    const countRateLimits = async () => {
      const [row] = await sql<{ count: number }[]>`
        select count(*)::int as count from private.rate_limits where bucket = ${id}`
      return row?.count
    }
    await sql`
      insert into private.rate_limits (bucket, subject, window_start, hits)
      select ${id}, n::text, now() - interval '2 days', 1 from generate_series(1, 5000) n`
    // This conversation has no members left.
    await sql`
      insert into public.conversations (id, user_low, user_high)
      values (${id}, '00000000-0000-0000-0000-000000000001', ${id})`
    await sql`insert into private.conversation_checks (conversation_id) values (${id})`
    await sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`
      await tx`
        insert into public.messages (conversation_id, seq, sender_id, receiver_id, content)
        select ${id}, n, ${id}, ${id}, 'Hello' from generate_series(1, 30) n`
    })
    const rollback = new Error('rolled back')
    const attempt = sql.begin(async (tx) => {
      const cleanUp = async (kind: string) =>
        (await tx<{ deleted: number }[]>`select private.clean_up(${kind}, 20) as deleted`)[0]?.deleted
      expect(await cleanUp('rateLimits')).toBe(20)
      // A conversation is deleted only after its messages.
      await cleanUp('conversations')
      expect(await tx`select from public.conversations where id = ${id}`).toHaveLength(1)
      expect(await cleanUp('messages')).toBe(20)
      throw rollback
    })
    await expect(attempt).rejects.toBe(rollback)
    // Other tests delete accounts in parallel, so the job may delete more conversations and messages.
    const { body } = await runJob('clean-up')
    const { deleted } = z.object({ deleted: z.record(z.string(), z.number()) }).parse(body)
    expect(deleted.messages).toBeGreaterThanOrEqual(30)
    expect(deleted.conversations).toBeGreaterThanOrEqual(1)
    expect(await sql`select from public.conversations where id = ${id}`).toHaveLength(0)
    expect(await sql`select from public.messages where conversation_id = ${id}`).toHaveLength(0)
    expect(await countRateLimits()).toBe(0)
  })

  it('is not reachable through the public URL', async () => {
    const response = await call('POST', '/jobs/clean-up', {
      headers: { Authorization: `Bearer ${stack.jobSecret}` },
    })
    expect(response.status).toBe(404)
  })
})
