import { ChatMessage, MessageSearchResult } from '@contract/message.ts'
import { BlockResponse } from '@contract/user.ts'
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs } from '../support/api.ts'
import { sendMessage } from '../support/content-api.ts'
import { clearRateLimits, exhaustRateLimit, sql } from '../support/stack.ts'
import { createUsers, type TestUser } from '../support/users.ts'

const SearchResults = z.array(MessageSearchResult)
let ada: TestUser
let ben: TestUser
let cleo: TestUser

beforeAll(async () => {
  ;({ ada, ben, cleo } = await createUsers('ada', 'ben', 'cleo'))
  // One message per second, oldest first. The conversation with Ben has more messages than the search scans before it
  // uses the index.
  await sql`
    insert into public.messages (sender_id, receiver_id, content, created_at)
    select s.sender, s.receiver, s.content, now() - interval '1 day' + s.n * interval '1 second'
    from (
      select n, ${ada.id}::uuid as sender, ${ben.id}::uuid as receiver,
             case when n % 400 = 1 then 'Old Zebra no. ' || n else 'Filler' end as content
      from generate_series(1, 2600) n
      union all select 3000, ${ben.id}::uuid, ${ada.id}::uuid, 'Straße nach Århus: 100% schön_er 東京へ'
      union all select 3001, ${ada.id}::uuid, ${cleo.id}::uuid, 'a ZÉBRA at last'
      union all select 3002, ${cleo.id}::uuid, ${ben.id}::uuid, 'their zebra'
    ) s order by s.n`
})

const searchMessages = async (user: TestUser, text: string, params = '') =>
  await apiAs(user).get(`/api/messages/search?q=${encodeURIComponent(text)}${params}`, SearchResults)
const searchTexts = async (user: TestUser, text: string) =>
  (await searchMessages(user, text)).body.map(({ message }) => message.content)

it('GET /api/messages/search ignores accents and case, and returns the latest messages first, each with the other user', async () => {
  expect(await searchTexts(ada, 'zebra')).toEqual([
    'a ZÉBRA at last',
    ...[2401, 2001, 1601, 1201, 801, 401, 1].map((n) => `Old Zebra no. ${n}`),
  ])
  const [first] = (await searchMessages(ada, 'Zébra at')).body
  expect(first).toMatchObject({ otherUserId: cleo.id, otherUser: { username: cleo.username } })
  const inThread = (await apiAs(ada).get(`/api/messages/${cleo.id}`, z.array(ChatMessage))).body
  expect(first?.message).toEqual(inThread[0])
  for (const text of ['strasse', 'ARHUS', '100%', 'schon_er', '東京', 'へ', ' nach ']) {
    expect([text, await searchTexts(ada, text)]).toEqual([text, ['Straße nach Århus: 100% schön_er 東京へ']])
  }
  for (const text of ['%', '_', '\\'])
    expect((await searchTexts(ada, text)).length).toBe(text === '\\' ? 0 : 1)
  expect(await searchTexts(ada, 'schon%er')).toEqual([])
})

it('GET /api/messages/search returns the same messages in pages, including a page that spans scanned and indexed messages', async () => {
  const allPages = await apiAs(ada).getAllPages('/api/messages/search?q=zebra&limit=3', SearchResults)
  expect(allPages).toEqual((await searchMessages(ada, 'zebra')).body)
  expect((await searchMessages(ada, 'zebra', '&limit=2&offset=3')).body).toEqual(allPages.slice(3, 5))
  expect((await searchMessages(ada, 'zebra', '&limit=3&offset=5')).body).toEqual(allPages.slice(5))
  await apiAs(ada).expectError('GET', '/api/messages/search?q=zebra&cursor=nonsense', 400)
})

it('GET /api/messages/search excludes deleted messages and other users’ conversations, and still finds messages after a block', async () => {
  expect(await searchTexts(cleo, 'old zebra')).toEqual([])
  expect(await searchTexts(cleo, 'zebra')).toEqual(['their zebra', 'a ZÉBRA at last'])
  const sent = await sendMessage(ben, cleo, 'okapi')
  expect(await searchTexts(cleo, 'okapi')).toEqual(['okapi'])
  await apiAs(cleo).post(`/api/users/${ben.id}/block`, BlockResponse)
  expect(await searchTexts(ben, 'okapi')).toEqual(['okapi'])
  await apiAs(ben).expectNoContent('DELETE', `/api/messages/${sent.id}`)
  expect(await searchTexts(cleo, 'okapi')).toEqual([])
  for (const emptyText of ['', '   ', '\u200b']) expect(await searchTexts(ada, emptyText)).toEqual([])
  await apiAs(null).expectError('GET', '/api/messages/search?q=zebra', 401)
  await apiAs(ada).expectError('GET', `/api/messages/search?q=${'x'.repeat(101)}`, 400)
})

it('GET /api/messages/search is limited to 120 searches a minute, together with the user search', async () => {
  await exhaustRateLimit('search', ben.id, 120, '1 minute')
  await apiAs(ben).expectError('GET', '/api/messages/search?q=zebra', 429)
  await apiAs(ben).get('/api/messages/search?q=', SearchResults)
  await clearRateLimits(ben.id, 'search')
})
