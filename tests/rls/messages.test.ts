import { randomUUID } from 'node:crypto'
import type postgres from 'postgres'
import { describe, expect, it } from 'vitest'
import { getSqlState, insertBlock, insertUser, runAs, type SessionUser, sql } from './database.ts'
import { moderateSubject } from './moderation-helpers.ts'
import { buyPost, insertPremiumPost } from './payment-helpers.ts'
import { createCreatorAndFan, expirePeriod, subscribe } from './subscription-helpers.ts'

/** Sends a message under the access rules of the Data API. Sending the same ID again has no effect. */
const sendMessage = (from: SessionUser, to: SessionUser, content = 'hi', id = randomUUID()) =>
  runAs(
    from,
    (tx) => tx`insert into public.messages (id, sender_id, receiver_id, content)
    values (${id}, ${from.id}, ${to.id}, ${content}) on conflict (id) do nothing returning id, seq`,
  )

/** Returns the membership rows of the conversation between two users. */
const listMembers = (a: SessionUser, b: SessionUser) => sql<
  { user_id: string; unread_count: number; last_read_seq: string }[]
>`
  select user_id, unread_count, last_read_seq from public.conversation_members
  where (user_id, partner_id) in ((${a.id}, ${b.id}), (${b.id}, ${a.id}))`

/** Returns a user's access to a topic. Checks it as Realtime does, by reading and inserting a row as the user. */
async function readTopicAccess(user: SessionUser, name: string): Promise<{ read: boolean; write: boolean }> {
  const probe = (run: (tx: postgres.TransactionSql) => Promise<boolean>) =>
    runAs(user, async (tx) => {
      await tx`select set_config('realtime.topic', ${name}, true)`
      return run(tx)
    })
  const id = randomUUID()
  await sql`insert into realtime.messages (id, topic, extension, private) values (${id}, ${name}, 'broadcast', true)`
  const read = await probe(
    async (tx) => (await tx`select 1 from realtime.messages where id = ${id}`).length === 1,
  )
  const write = await probe(async (tx) => {
    await tx`insert into realtime.messages (topic, extension, private) values (${name}, 'broadcast', true)`
    return true
  }).catch((error: { code?: string }) => {
    if (error.code === '42501') return false
    throw error
  })
  await sql`delete from realtime.messages where id = ${id}`
  return { read, write }
}

const conversationTopic = (a: SessionUser, b: SessionUser) => `conversation:${[a.id, b.id].sort().join(':')}`

describe('sending a message', () => {
  it('is refused for a forged sender, a receiver who cannot be messaged, and invalid text', async () => {
    const [ana, ben, closed, blocker] = await Promise.all([
      insertUser(),
      insertUser(),
      insertUser(),
      insertUser(),
    ])
    await sql`update public.profiles set allow_direct_messages = false where id = ${closed.id}`
    await insertBlock(blocker, ana)
    const forged = runAs(
      ana,
      (tx) =>
        tx`insert into public.messages (sender_id, receiver_id, content) values (${ben.id}, ${ana.id}, 'x')`,
    )
    expect(await getSqlState(forged)).toBe('42501')
    expect(await getSqlState(sendMessage(ana, ana))).toBe('PT404')
    expect(await getSqlState(sendMessage(ana, { ...ben, id: randomUUID() }))).toBe('PT404')
    expect(await getSqlState(sendMessage(ana, closed))).toBe('PT403')
    expect(await getSqlState(sendMessage(await insertUser({ admin: true }), closed))).toBe('PT403')
    expect(await getSqlState(sendMessage(ana, blocker))).toBe('PT404')
    expect(await getSqlState(sendMessage(blocker, ana))).toBe('PT404')
    expect(await getSqlState(sendMessage(ana, ben, '   '))).toBe('PT400')
    expect(await getSqlState(sendMessage(ana, ben, 'x'.repeat(5001)))).toBe('PT400')
    expect(await sql`select 1 from public.messages where sender_id = ${ana.id}`).toHaveLength(0)
  })

  it('does not let the sender set the sequence number, conversation or time', async () => {
    const [ana, ben] = await Promise.all([insertUser(), insertUser()])
    for (const column of ['seq', 'conversation_id', 'created_at']) {
      const value = { seq: '99', conversation_id: `'${randomUUID()}'`, created_at: 'now()' }[column]
      const attempt = runAs(ana, (tx) =>
        tx.unsafe(
          `insert into public.messages (receiver_id, content, ${column}) values ('${ben.id}', 'x', ${value})`,
        ),
      )
      expect(await getSqlState(attempt)).toBe('42501')
    }
  })

  it('repeatedly with the same ID stores one message and leaves no gap in the sequence numbers', async () => {
    const [ana, ben] = await Promise.all([insertUser(), insertUser()])
    const id = randomUUID()
    await Promise.all([
      sendMessage(ana, ben, 'once', id),
      sendMessage(ana, ben, 'once', id),
      sendMessage(ana, ben, 'once', id),
    ])
    await sendMessage(ben, ana, 'next')
    const rows = await sql<{ seq: string }[]>`select seq from public.messages
      where sender_id in (${ana.id}, ${ben.id}) order by seq`
    expect(rows.map((row) => Number(row.seq))).toEqual([1, 2])
    expect((await listMembers(ana, ben)).find((member) => member.user_id === ben.id)?.unread_count).toBe(1)
  })

  it('numbers concurrent messages from both members without a gap and counts unread messages exactly', async () => {
    const [ana, ben] = await Promise.all([insertUser(), insertUser()])
    await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        n % 2 ? sendMessage(ana, ben, `a${n}`) : sendMessage(ben, ana, `b${n}`),
      ),
    )
    const rows = await sql<{ seq: string }[]>`select seq from public.messages
      where sender_id in (${ana.id}, ${ben.id}) order by seq`
    expect(rows.map((row) => Number(row.seq))).toEqual(Array.from({ length: 40 }, (_, n) => n + 1))
    expect((await listMembers(ana, ben)).map((member) => member.unread_count)).toEqual([20, 20])
    const totals =
      await sql`select unread_messages from public.user_counters where user_id in (${ana.id}, ${ben.id})`
    expect(totals.map((row) => row.unread_messages)).toEqual([20, 20])
  })

  it('is limited by the database to 60 messages per minute, even through the Data API', async () => {
    const [ana, ben] = await Promise.all([insertUser(), insertUser()])
    const sendSixty = () =>
      runAs(
        ana,
        (tx) => tx`insert into public.messages (receiver_id, content)
        select ${ben.id}, 'n' || n from generate_series(1, 60) n`,
      )
    await sendSixty()
    // If a new minute began after the first sixty messages, another sixty messages reach the limit.
    const codes = [await getSqlState(sendMessage(ana, ben)).catch(() => 'passed')]
    if (codes[0] === 'passed') codes.push(await getSqlState(sendSixty()))
    expect(codes.at(-1)).toBe('PT429')
    await sendMessage(ben, ana)
  })
})

describe('voice messages', () => {
  /** Inserts a user's recording into `media`, and returns its ID. */
  async function insertRecording(owner: SessionUser, state = 'ready'): Promise<string> {
    const [row] = await sql<{ id: string }[]>`
      insert into public.media (owner_id, kind, state, path, content_type, bytes, duration_seconds, placeholder)
      values (${owner.id}, 'audio', ${state}, ${`${owner.id}/${randomUUID()}.weba`}, 'audio/webm', 10, 12,
              ${'5'.repeat(40)}) returning id`
    return row?.id ?? ''
  }
  const sendVoice = (from: SessionUser, to: SessionUser, mediaId: string, content = '') =>
    runAs(
      from,
      (tx) => tx`
        insert into public.messages (sender_id, receiver_id, content, media_id)
        values (${from.id}, ${to.id}, ${content}, ${mediaId}) returning id, media_duration as duration`,
    )
  const canRead = async (user: SessionUser | null, mediaId: string) =>
    (await runAs(user, (tx) => tx`select from public.media where id = ${mediaId}`)).count === 1

  it("can be sent only with the sender's own ready and unused recording, without text, to users who can be messaged", async () => {
    const [ana, ben, stranger, blocker] = await Promise.all([
      insertUser(),
      insertUser(),
      insertUser(),
      insertUser(),
    ])
    await insertBlock(blocker, ana)
    const recording = await insertRecording(ana)
    expect(await getSqlState(sendVoice(stranger, ben, recording))).toBe('PT400')
    expect(await getSqlState(sendVoice(ana, ben, await insertRecording(ana, 'pending')))).toBe('PT400')
    expect(await getSqlState(sendVoice(ana, ben, recording, 'text'))).toBe('PT400')
    expect(await getSqlState(sendVoice(ana, blocker, recording))).toBe('PT404')
    expect(await getSqlState(sendVoice(blocker, ana, await insertRecording(blocker)))).toBe('PT404')
    const visitor = runAs(
      null,
      (tx) =>
        tx`insert into public.messages (receiver_id, content, media_id) values (${ben.id}, '', ${recording})`,
    )
    expect(await getSqlState(visitor)).toBe('42501')
    const duration = runAs(
      ana,
      (tx) => tx`insert into public.messages (receiver_id, content, media_id, media_duration)
                 values (${ben.id}, '', ${recording}, 1)`,
    )
    expect(await getSqlState(duration)).toBe('42501')
    expect(await sendVoice(ana, ben, recording)).toMatchObject([{ duration: 12 }])
    expect(await getSqlState(sendVoice(ana, ben, recording))).toBe('PT400')
  })

  it('can be read only by the two members, and clients cannot write recordings', async () => {
    const [ana, ben, stranger] = await Promise.all([insertUser(), insertUser(), insertUser()])
    const recording = await insertRecording(ana)
    expect(await canRead(ana, recording)).toBe(true)
    expect(await canRead(ben, recording)).toBe(false)
    await sendVoice(ana, ben, recording)
    expect(await canRead(ben, recording)).toBe(true)
    for (const user of [stranger, null]) expect(await canRead(user, recording)).toBe(false)
    const readMessage = (user: SessionUser) =>
      runAs(user, (tx) => tx`select from public.messages where media_id = ${recording}`)
    expect((await readMessage(stranger)).count).toBe(0)
    expect((await readMessage(ben)).count).toBe(1)
    for (const user of [ana, stranger, null]) {
      const change = runAs(
        user,
        (tx) => tx`update public.media set duration_seconds = 1 where id = ${recording}`,
      )
      expect(await getSqlState(change)).toBe('42501')
      const remove = runAs(user, (tx) => tx`delete from public.media where id = ${recording}`)
      expect(await getSqlState(remove)).toBe('42501')
    }
  })
})

describe('reading messages', () => {
  it('is possible for the two members only', async () => {
    const [ana, ben, eve, admin] = await Promise.all([
      insertUser(),
      insertUser(),
      insertUser(),
      insertUser({ admin: true }),
    ])
    await sendMessage(ana, ben)
    for (const user of [eve, admin]) {
      for (const table of ['messages', 'conversations', 'conversation_members']) {
        expect(await runAs(user, (tx) => tx`select * from ${tx(`public.${table}`)}`)).toHaveLength(0)
      }
    }
    expect(await runAs(ben, (tx) => tx`select 1 from public.messages`)).toHaveLength(1)
    await expect(runAs(null, (tx) => tx`select * from public.messages`)).rejects.toThrow(/permission denied/)
  })

  it('in an existing conversation stays possible after a block', async () => {
    const [ana, ben] = await Promise.all([insertUser(), insertUser()])
    await sendMessage(ana, ben)
    await insertBlock(ben, ana)
    expect(await runAs(ana, (tx) => tx`select 1 from public.messages`)).toHaveLength(1)
    const [partner] = await runAs(
      ana,
      (tx) => tx`select username from private.conversation_partners where id = ${ben.id}`,
    )
    expect(partner?.username).toBe(ben.username)
    // Neither a row nor an event shows the blocked member that the message was read.
    await runAs(ben, (tx) => tx`select private.mark_conversation_read(${ana.id})`)
    const marks = await runAs(
      ana,
      (tx) => tx`select 1 from public.conversation_members where user_id = ${ben.id}`,
    )
    expect(marks).toHaveLength(0)
    const broadcasts = await sql`select 1 from realtime.messages
      where topic = ${`user:${ana.id}`} and event = 'conversation.read'`
    expect(broadcasts).toHaveLength(0)
    // A user who has no conversation with Ben gets no result.
    const others = await runAs(
      await insertUser(),
      (tx) => tx`select username from private.conversation_partners where id = ${ben.id}`,
    )
    expect(others).toEqual([])
  })

  it('is recorded for the reader only, once, and resets the unread count', async () => {
    const [ana, ben, eve] = await Promise.all([insertUser(), insertUser(), insertUser()])
    await sendMessage(ana, ben)
    await sendMessage(eve, ben)
    const markRead = (user: SessionUser, other: SessionUser) =>
      runAs(user, (tx) => tx`select private.mark_conversation_read(${other.id}) as done`).then(
        (rows) => rows[0]?.done,
      )
    expect(await markRead(eve, ana)).toBe(false)
    expect(await markRead(ben, ana)).toBe(true)
    expect(await markRead(ben, ana)).toBe(false)
    const [counters] = await sql`select unread_messages from public.user_counters where user_id = ${ben.id}`
    expect(counters?.unread_messages).toBe(1)
    const [all] = await runAs(ben, (tx) => tx`select private.mark_all_conversations_read() as done`)
    expect(all?.done).toBe(1)
    const direct = runAs(ben, (tx) => tx`select private.mark_conversation_read_for(${ana.id}, ${ben.id})`)
    expect(await getSqlState(direct)).toBe('42501')
  })
})

describe('Realtime topics', () => {
  it('of a user can be read only by that user, and written by no client', async () => {
    const [ana, eve] = await Promise.all([insertUser(), insertUser()])
    expect(await readTopicAccess(ana, `user:${ana.id}`)).toEqual({ read: true, write: false })
    expect(await readTopicAccess(eve, `user:${ana.id}`)).toEqual({ read: false, write: false })
  })

  it('of a conversation can be read by members who may send messages, and written by a member after their first message', async () => {
    const [ana, ben, eve] = await Promise.all([insertUser(), insertUser(), insertUser()])
    const name = conversationTopic(ana, ben)
    expect(await readTopicAccess(ana, name)).toEqual({ read: true, write: false })
    await sendMessage(ana, ben)
    await sendMessage(eve, ben)
    expect(await readTopicAccess(ana, name)).toEqual({ read: true, write: true })
    // Receiving a message does not allow Ben to broadcast; he has to reply first.
    expect(await readTopicAccess(ben, name)).toEqual({ read: true, write: false })
    await sendMessage(ben, ana)
    expect(await readTopicAccess(ben, name)).toEqual({ read: true, write: true })
    expect(await readTopicAccess(eve, name)).toEqual({ read: false, write: false })
    await insertBlock(ben, ana)
    expect(await readTopicAccess(ana, name)).toEqual({ read: false, write: false })
    expect(await readTopicAccess(ben, name)).toEqual({ read: false, write: false })
  })

  it.each(['user:', 'user', 'conversation:', 'conversation:a:b', 'conversation::', 'anything'])(
    'named "%s" cannot be read or written',
    async (name) => {
      expect(await readTopicAccess(await insertUser(), name)).toEqual({ read: false, write: false })
    },
  )

  it('of a conversation with the IDs in the wrong order cannot be read or written', async () => {
    const [ana, ben] = await Promise.all([insertUser(), insertUser()])
    const [low, high] = [ana.id, ben.id].sort()
    await sendMessage(ana, ben)
    expect(await readTopicAccess(ana, `conversation:${high}:${low}`)).toEqual({ read: false, write: false })
  })

  it('cannot be read or written by an ended session', async () => {
    const ana = await insertUser()
    await sql`delete from auth.sessions where id = ${ana.sessionId}`
    expect(await readTopicAccess(ana, `user:${ana.id}`)).toEqual({ read: false, write: false })
  })
})

describe('private.linked_post_access', () => {
  const readAccess = (user: SessionUser | null, messageId: string, postId: string) =>
    runAs(user, async (tx) => {
      const [row] = await tx<{ access: string | null }[]>`
        select private.linked_post_access(${messageId}, ${postId}) as access`
      return row?.access
    })

  /** Sends a message with a link to a premium post by `creator`. */
  async function sendLink(creator: SessionUser, receiver: SessionUser) {
    const [postId, messageId] = [await insertPremiumPost(creator, 5), randomUUID()]
    await sendMessage(creator, receiver, `See /post/${postId}`, messageId)
    return { postId, messageId, read: (user: SessionUser | null) => readAccess(user, messageId, postId) }
  }

  it('returns the receiver’s access only to the author, in an active session', async () => {
    const [creator, fan, stranger, admin] = await Promise.all([
      insertUser({ creator: true }),
      insertUser(),
      insertUser({ creator: true }),
      insertUser({ admin: true }),
    ])
    const { postId, messageId, read } = await sendLink(creator, fan)
    expect(await read(creator)).toBe('none')
    await buyPost(fan, postId, 5)
    expect(await read(creator)).toBe('unlocked')
    for (const other of [fan, stranger, admin]) expect(await read(other)).toBeNull()
    expect(await getSqlState(read(null))).toBe('42501')

    // The post must be the caller's own, and the message must link to it.
    expect(await readAccess(creator, messageId, await insertPremiumPost(creator, 5))).toBeNull()
    expect(await readAccess(creator, messageId, await insertPremiumPost(stranger, 5))).toBeNull()

    await moderateSubject(admin, 'post', postId, 'remove')
    expect(await read(creator)).toBeNull()
    const next = await sendLink(creator, fan)
    await sql`delete from auth.sessions where id = ${creator.sessionId}`
    expect(await next.read(creator)).toBeNull()
  })

  it('reports a subscription only while it is active', async () => {
    const { creator, fan } = await createCreatorAndFan()
    await subscribe(fan, creator)
    const { postId, read } = await sendLink(creator, fan)
    expect(await read(creator)).toBe('none')
    await sql`update public.posts set included_in_subscription = true where id = ${postId}`
    expect(await read(creator)).toBe('included')
    await expirePeriod(fan, '1 month')
    expect(await read(creator)).toBe('none')
  })

  it('returns null after a block by either user, and after the receiver has deleted their account', async () => {
    const [creator, blocked, blocker, deleted] = await Promise.all([
      insertUser({ creator: true }),
      insertUser(),
      insertUser(),
      insertUser(),
    ])
    const links = await Promise.all(
      [blocked, blocker, deleted].map((receiver) => sendLink(creator, receiver)),
    )
    await insertBlock(creator, blocked)
    await insertBlock(blocker, creator)
    await sql`delete from auth.users where id = ${deleted.id}`
    expect(await Promise.all(links.map(({ read }) => read(creator)))).toEqual([null, null, null])
  })
})
