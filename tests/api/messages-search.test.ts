import { ChatMessage, MessageSearchResult } from '@contract/message.ts'
import { BlockResponse } from '@contract/user.ts'
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs } from '../support/api.ts'
import { clearRateLimits, exhaustRateLimit, sql } from '../support/stack.ts'
import { createUsers, type TestUser } from '../support/users.ts'

const Found = z.array(MessageSearchResult)
let ada: TestUser
let ben: TestUser
let cleo: TestUser

beforeAll(async () => {
  ;({ ada, ben, cleo } = await createUsers('ada', 'ben', 'cleo'))
  // One a second, the first the oldest: what is said often, and a thread that is longer than what is read as it is.
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
}, 60_000)

const find = async (who: TestUser, text: string, more = '') =>
  await apiAs(who).get(`/api/messages/search?q=${encodeURIComponent(text)}${more}`, Found)
const texts = async (who: TestUser, text: string) =>
  (await find(who, text)).body.map(({ message }) => message.content)

it('finds a text anywhere, accents and case aside, the latest first, with whom it was', async () => {
  expect(await texts(ada, 'zebra')).toEqual([
    'a ZÉBRA at last',
    ...[2401, 2001, 1601, 1201, 801, 401, 1].map((n) => `Old Zebra no. ${n}`),
  ])
  const [first] = (await find(ada, 'Zébra at')).body
  expect(first).toMatchObject({ otherUserId: cleo.id, otherUser: { username: cleo.username } })
  const inThread = (await apiAs(ada).get(`/api/messages/${cleo.id}`, z.array(ChatMessage))).body
  expect(first?.message).toEqual(inThread[0])
  for (const text of ['strasse', 'ARHUS', '100%', 'schon_er', '東京', 'へ', ' nach ']) {
    expect([text, await texts(ada, text)]).toEqual([text, ['Straße nach Århus: 100% schön_er 東京へ']])
  }
  for (const text of ['%', '_', '\\']) expect((await texts(ada, text)).length).toBe(text === '\\' ? 0 : 1)
  expect(await texts(ada, 'schon%er')).toEqual([])
})

it('goes on page by page, across what is read as it is and what comes from the index', async () => {
  const whole = await apiAs(ada).getAllPages('/api/messages/search?q=zebra&limit=3', Found)
  expect(whole).toEqual((await find(ada, 'zebra')).body)
  expect((await find(ada, 'zebra', '&limit=2&offset=3')).body).toEqual(whole.slice(3, 5))
  await apiAs(ada).expectError('GET', '/api/messages/search?q=zebra&cursor=nonsense', 400)
})

it('finds nothing of others, nothing deleted, nothing for nothing; a block changes none of it', async () => {
  expect(await texts(cleo, 'old zebra')).toEqual([])
  expect(await texts(cleo, 'zebra')).toEqual(['their zebra', 'a ZÉBRA at last'])
  const sent = await apiAs(ben).post(
    '/api/messages',
    ChatMessage,
    { receiverId: cleo.id, content: 'okapi' },
    201,
  )
  expect(await texts(cleo, 'okapi')).toEqual(['okapi'])
  await apiAs(cleo).post(`/api/users/${ben.id}/block`, BlockResponse)
  expect(await texts(ben, 'okapi')).toEqual(['okapi'])
  await apiAs(ben).expectNoContent('DELETE', `/api/messages/${sent.body.id}`)
  expect(await texts(cleo, 'okapi')).toEqual([])
  for (const nothing of ['', '   ', '\u200b']) expect(await texts(ada, nothing)).toEqual([])
  await apiAs(null).expectError('GET', '/api/messages/search?q=zebra', 401)
  await apiAs(ada).expectError('GET', `/api/messages/search?q=${'x'.repeat(101)}`, 400)
})

it('is one of at most 120 searches a minute, of people or of messages', async () => {
  await exhaustRateLimit('search', ben.id, 120, '1 minute')
  await apiAs(ben).expectError('GET', '/api/messages/search?q=zebra', 429)
  await apiAs(ben).get('/api/messages/search?q=', Found)
  await clearRateLimits(ben.id, 'search')
})
