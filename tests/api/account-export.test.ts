import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, authorizationHeader, call } from '../support/api.ts'
import { createPost } from '../support/content-api.ts'
import { createFullAccount, type FullAccount } from '../support/full-account-fixture.ts'
import { clearRateLimits, exhaustRateLimit, sql } from '../support/stack.ts'
import { createUser, makeAdmin, type TestUser } from '../support/users.ts'

let account: FullAccount

beforeAll(async () => {
  account = await createFullAccount()
  const { owner, friend, ids } = account
  await sql`
    insert into public.creator_plans (id, user_id, state, price_cents, ended_at)
    values (${plan}, ${owner.id}, 'ended', 1999, now())`
  await sql`
    insert into public.payments (kind, payer_id, payee_id, plan_id, period_start, about_post_id, note, amount_cents,
      fee_cents, provider, state, refunded_at)
    values ('creator_pro', ${owner.id}, null, ${plan}, now(), null, null, 1999, 0, 'test', 'void', '2026-01-03T00:00Z'),
           ('tip', ${owner.id}, ${friend.id}, null, null, ${ids.friendsPost}, 'A note to be found', 700, 70, 'test',
            'void', null)`
  await sql`insert into public.creator_days (creator_id, day, views) values (${owner.id}, '2026-01-02', 74123)`
  await sql`
    insert into public.post_days (post_id, author_id, day, views) values (${ids.post}, ${owner.id}, '2026-01-02', 4321)`
  await sql`
    insert into private.creator_view_sources (creator_id, day, source, views)
    values (${owner.id}, '2026-01-02', 'search', 74120), (${owner.id}, '2026-01-02', 'message', 3)`
  await sql`
    insert into private.post_views (viewer_id, post_id, hour)
    values (${owner.id}, ${ids.friendsPost}, date_trunc('hour', now(), 'UTC')) on conflict do nothing`
  await sql`
    insert into private.payment_customers (provider, user_id, reference) values ('test', ${owner.id}, ${customer})`
  await sql`insert into private.auto_posting_settings (user_id, frequency) values (${owner.id}, 'high')`
  await sql`
    insert into private.auto_post_slots (user_id, day, nth, due_at, state)
    values (${owner.id}, current_date, 1, now(), 'missed')`
  await sql`
    insert into public.creator_hours (creator_id, day, hour, views)
    values (${owner.id}, '2026-01-02', 5, 74000), (${owner.id}, '2026-01-02', 21, 123)`
  await sql`
    insert into public.posts (author_id, content, hidden) values (${owner.id}, 'Removed, and still theirs', 'removed')`
  const [reportedCase] = await sql<{ id: string }[]>`
    insert into public.moderation_cases (kind, subject_id, user_id) values ('post', ${ids.friendsPost}, ${friend.id})
    returning id`
  await sql`
    insert into public.reports (case_id, reporter_id, kind, subject_id, reason, note)
    values (${reportedCase?.id ?? ''}, ${owner.id}, 'post', ${ids.friendsPost}, 'spam', 'A report to be found')`
  await sql`
    insert into public.moderation_cases (kind, subject_id, user_id, state, decision, reason, decided_at, snapshots)
    values ('post', ${ids.post}, ${owner.id}, 'decided', 'warn', 'A reason to be found', now(),
            '[{"at": "2026-01-04T00:00:00Z", "seen": {"content": "As it was"}}]'),
           ('post', ${ids.post}, ${owner.id}, 'decided', 'dismiss', 'Nobody was told', now(), '[]')`
  await sql`
    insert into public.auto_post_runs (user_id, kind, counted_on, ended_at, outcome, model, answer)
    values (${owner.id}, 'preview', now(), now(), 'previewed', 'a-model', 'An answer from the model')`
  await sql`insert into public.auto_post_drafts (user_id, content) values (${owner.id}, 'A draft to be found')`
  await sql`
    update public.accounts set suspended_at = now(), suspension_reason = 'A suspension to be found', approved_at = now()
    where user_id = ${owner.id}`
  await sql`select private.write_audit_entry(${friend.id}, 'test.done', ${owner.id}, 'A subject to be found', '{"was": 1}')`
})

// This row outlives the account: it is kept until the customer is deleted at the payment provider.
afterAll(() => sql`delete from private.payment_customers where reference = ${customer}`)

const plan = randomUUID()
const customer = `customer-${randomUUID()}`

const Archive = z.looseObject({ complete: z.literal(true) })

async function getArchive(user: TestUser) {
  const response = await call('GET', '/api/account/export', {
    headers: authorizationHeader(user),
  })
  const text = await response.text()
  return { response, text, archive: response.ok ? Archive.parse(JSON.parse(text)) : null }
}

/** Returns the strings that each section of the export must contain. */
const expected = ({ owner, friend, blockedUser, ids, uploads }: FullAccount): Record<string, string[]> => ({
  about: ['"format":1', '"app":"Ovation"'],
  profile: [owner.email, `new-${owner.email}`, 'A bio to be found', 'Marker Town', '+386 1 555 0199', '"SI"'],
  account: [
    ...['"approvedAt":"20', '"suspensionReason":"A suspension to be found"', '"adultConfirmedAt":"20'],
    ...['"followers":1', '"following":1', '"balance":'],
  ],
  notes: [
    'A device to be found',
    '"what":"login"',
    `"email":"new-${owner.email}"`,
    '"lastSeenAt":"20',
    ...['"of":"uploads"', '"of":"sign_in"'],
    `"recentViews":[{"hour":"20`,
    `"postId":"${ids.friendsPost}"`,
    '"discoverScore":',
    `"reference":"${customer}"`,
    '"frequency":"high"',
    '"state":"missed"',
  ],
  sessions: ['"userAgent":', '"address":"127.0.0.1"'],
  posts: [
    'A post to be found',
    '"markertag"',
    'Paid words to be found',
    ids.premium,
    uploads[0] ?? '-',
    'Removed, and still',
    '"viewsByDay":{"2026-01-02":4321}',
  ],
  comments: ['A comment to be found', ids.friendsPost],
  likes: [ids.friendsPost],
  reposts: [ids.friendsPost],
  commentLikes: [ids.comment],
  saves: [ids.friendsPost],
  following: [friend.id, friend.username],
  postAlerts: [friend.id, '"level":"highlights"'],
  followers: [friend.id],
  requestsSent: [friend.id],
  requestsReceived: [friend.id],
  blocked: [blockedUser.id],
  notifications: ['"kind":"like"', '"kind":"comment"', '"kind":"unlock"', friend.id],
  uploads: uploads.map((url) => `${url}"`),
  gallery: ['A title to be found', ids.gallery, uploads[2] ?? '-'],
  unlocks: [ids.friendsPremium],
  payments: [
    ...[ids.friendsPremium, '"amount":5', friend.id],
    ...['"note":"A note to be found"', `"aboutPostId":"${ids.friendsPost}"`, `"planId":"${plan}"`],
    '"givenBackAt":"2026-01-03T00:00:00',
  ],
  ledger: ['"label":"sale","amount":70', '"label":"fee","amount":-7'],
  payoutMethods: ['A method to be found', 'p•••@example.com'],
  payouts: ['"amount":54', '"state":"requested"', 'p•••@example.com'],
  payoutSchedule: ['"weekly":true'],
  goals: ['"subscribers":77', '"monthlyRevenue":5000'],
  subscriptions: ['"pricePerMonth":9.99', friend.id, '"creator":'],
  subscribers: [friend.id, '"subscriber":'],
  scheduledPosts: ['A scheduled post to be found', '"publishAt":"20', '"failure":null'],
  massMessages: ['A mass message to be found', '"sent":1'],
  welcomeMessage: ['A welcome message to be found'],
  privateNotes: ['A private note to be found', friend.id],
  creatorPlans: [plan, '"pricePerMonth":19.99', '"state":"ended"'],
  figures: [
    '"day":"2026-01-02"',
    '"views":74123',
    '"viewsByHour":{"5":74000,"21":123}',
    '"viewsBySource":{"other":3,"search":74120}',
  ],
  audit: ['"action":"test.done"', 'A subject to be found', '"change":{"was":1}'],
  adminActions: [],
  reports: ['A report to be found', ids.friendsPost, '"outcome":null'],
  decisions: ['A reason to be found', '"content":"As it was"', '"decision":"warn"'],
  autoPostRuns: ['An answer from the model', '"outcome":"previewed"'],
  autoPostDrafts: ['A draft to be found', '"state":"waiting"'],
  conversations: [
    'A message to be found',
    'An answer to be found',
    '🔥',
    'A message from the blocker',
    uploads[1] ?? '-',
  ],
})

describe('GET /api/account/export', () => {
  it('returns all sections in one JSON download', async () => {
    const { response, text, archive } = await getArchive(account.owner)
    expect(response.status).toBe(200)
    const day = new Date().toISOString().slice(0, 10)
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="ovation-data-${account.owner.username}-${day}.json"`,
    )
    expect(response.headers.get('content-type')).toContain('application/json')
    expect(response.headers.get('cache-control')).toContain('no-store')
    expect(text.trimEnd().endsWith('"complete":true}')).toBe(true)
    const sections = expected(account)
    expect(Object.keys(JSON.parse(text))).toEqual([...Object.keys(sections), 'complete'])
    for (const [section, expectedTexts] of Object.entries(sections)) {
      const json = JSON.stringify(archive?.[section])
      for (const expectedText of expectedTexts)
        expect([section, json]).toEqual([section, expect.stringContaining(expectedText)])
    }
  })

  it('marks a post as a quote, even after the quoted post is deleted', async () => {
    const writer = await createUser()
    const create = async (fields: object) => (await createPost(writer, { content: 'Words', ...fields })).id
    const quotedPostId = await create({})
    await create({ quotedPostId })
    await apiAs(writer).expectNoContent('DELETE', `/api/posts/${quotedPostId}`)
    const { archive } = await getArchive(writer)
    expect(archive?.posts).toMatchObject([{ isQuote: true, quotedPostId: null }])
  })

  it('contains what the user did as an admin', async () => {
    const admin = await createUser()
    await makeAdmin(admin)
    await sql`select private.write_audit_entry(${admin.id}, 'test.acted', ${account.friend.id}, 'An action to be found')`
    const { archive } = await getArchive(admin)
    expect(archive?.adminActions).toMatchObject([
      { action: 'test.acted', targetId: account.friend.id, subject: 'An action to be found' },
    ])
  })

  it('contains no data that the user may not see', async () => {
    const { text } = await getArchive(account.owner)
    const { friend, blockedUser, blocker } = account
    for (const hidden of [
      ...[friend, blockedUser, blocker].map(({ email }) => email),
      'Friends Secret',
      'Blocked User Secret',
      'Blocker Secret',
      'correct horse',
      'Nobody was told',
    ]) {
      expect(text).not.toContain(hidden)
    }
    // A user whom the owner blocked appears only as an ID. A user who blocked the owner appears by name only in the
    // conversation with the owner.
    expect(text).not.toContain(blockedUser.username)
    expect(text.split(blocker.username)).toHaveLength(2)
    // Access tokens are listed without their secrets.
    expect(text.replace('"accessTokens"', '')).not.toMatch(/token|password|hash/i)
  })

  it('contains long lists without gaps or duplicates, although it reads them in pages', async () => {
    const { owner, friend } = account
    const rowCount = 520
    const [conversation] = await sql<{ id: string }[]>`
      select conversation_id as id from public.conversation_members
      where user_id = ${owner.id} and partner_id = ${friend.id}`
    await sql`
      insert into public.messages (id, conversation_id, seq, sender_id, receiver_id, content)
      select gen_random_uuid(), c.id, c.last_seq + n, ${friend.id}, ${owner.id}, 'of many ' || n
      from public.conversations c, generate_series(1, ${rowCount}) n where c.id = ${conversation?.id ?? ''}`
    // These notifications all have the same time, so their IDs determine the order.
    await sql`
      insert into public.notifications (id, user_id, kind, detail, created_at)
      select gen_random_uuid(), ${owner.id}, 'admin', 'news ' || n, now() from generate_series(1, ${rowCount}) n`
    const { text } = await getArchive(owner)
    for (const prefix of ['of many', 'news']) {
      const numbers = [...text.matchAll(new RegExp(`"${prefix} (\\d+)"`, 'g'))].map(([, n]) => Number(n))
      expect(new Set(numbers).size).toBe(rowCount)
      expect(numbers).toHaveLength(rowCount)
    }
    const messageNumbers = [...text.matchAll(/"of many (\d+)"/g)].map(([, n]) => Number(n))
    expect(messageNumbers).toEqual(messageNumbers.toSorted((a, b) => a - b))
  })

  it('requires a session and is rate limited', async () => {
    await apiAs(null).expectError('GET', '/api/account/export', 401)
    await exhaustRateLimit('export', account.owner.id, 6, '1 hour')
    expect((await apiAs(account.owner).expectError('GET', '/api/account/export', 429)).code).toBe(
      'rate_limited',
    )
    await clearRateLimits(account.owner.id, 'export')
  })

  it('rejects requests from another site', async () => {
    const session = encodeURIComponent(JSON.stringify({ access_token: account.owner.token }))
    const headers = { Cookie: `ovation-auth=${session}`, 'Sec-Fetch-Site': 'cross-site' }
    const error = await apiAs(null).expectError('GET', '/api/account/export', 403, { headers })
    expect(error.code).toBe('origin_refused')
  })
})
