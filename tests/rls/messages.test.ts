import { randomUUID } from 'node:crypto'
import type postgres from 'postgres'
import { afterAll, describe, expect, it } from 'vitest'
import { getSqlState, insertBlock, insertUser, runAs, type SessionUser, sql } from './database.ts'

const say = (from: SessionUser, to: SessionUser, content = 'hi', id = randomUUID()) =>
  runAs(
    from,
    (tx) => tx`insert into public.messages (id, sender_id, receiver_id, content)
    values (${id}, ${from.id}, ${to.id}, ${content}) on conflict (id) do nothing returning id, seq`,
  )

const members = (a: SessionUser, b: SessionUser) => sql<
  { user_id: string; unread_count: number; last_read_seq: string }[]
>`
  select user_id, unread_count, last_read_seq from public.conversation_members
  where (user_id, other_id) in ((${a.id}, ${b.id}), (${b.id}, ${a.id}))`

/** The same topic check that Realtime makes: a row is probed under the caller's policies. */
async function topic(who: SessionUser, name: string): Promise<{ read: boolean; write: boolean }> {
  const probe = (run: (tx: postgres.TransactionSql) => Promise<boolean>) =>
    runAs(who, async (tx) => {
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

const conversation = (a: SessionUser, b: SessionUser) => `conversation:${[a.id, b.id].sort().join(':')}`

afterAll(() => sql.end())

describe('sending', () => {
  it('is refused in another’s name, to oneself, to nobody, to somebody who wants none, and within a block', async () => {
    const [ana, ben, shut, blocked] = await Promise.all([
      insertUser(),
      insertUser(),
      insertUser(),
      insertUser(),
    ])
    await sql`update public.profiles set allow_direct_messages = false where id = ${shut.id}`
    await insertBlock(blocked, ana)
    const forged = runAs(
      ana,
      (tx) =>
        tx`insert into public.messages (sender_id, receiver_id, content) values (${ben.id}, ${ana.id}, 'x')`,
    )
    expect(await getSqlState(forged)).toBe('42501')
    expect(await getSqlState(say(ana, ana))).toBe('PT404')
    expect(await getSqlState(say(ana, { ...ben, id: randomUUID() }))).toBe('PT404')
    expect(await getSqlState(say(ana, shut))).toBe('PT403')
    expect(await getSqlState(say(await insertUser({ admin: true }), shut))).toBe('PT403')
    expect(await getSqlState(say(ana, blocked))).toBe('PT404')
    expect(await getSqlState(say(blocked, ana))).toBe('PT404')
    expect(await getSqlState(say(ana, ben, '   '))).toBe('PT400')
    expect(await getSqlState(say(ana, ben, 'x'.repeat(5001)))).toBe('PT400')
    expect(await sql`select 1 from public.messages where sender_id = ${ana.id}`).toHaveLength(0)
  })

  it('cannot choose its number, its conversation or its time', async () => {
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

  it('twice with one id stores once and leaves no gap', async () => {
    const [ana, ben] = await Promise.all([insertUser(), insertUser()])
    const id = randomUUID()
    await Promise.all([say(ana, ben, 'once', id), say(ana, ben, 'once', id), say(ana, ben, 'once', id)])
    await say(ben, ana, 'next')
    const rows = await sql<{ seq: string }[]>`select seq from public.messages
      where sender_id in (${ana.id}, ${ben.id}) order by seq`
    expect(rows.map((row) => Number(row.seq))).toEqual([1, 2])
    expect((await members(ana, ben)).find((m) => m.user_id === ben.id)?.unread_count).toBe(1)
  })

  it('numbers concurrent messages of both people without a gap, and counts them exactly', async () => {
    const [ana, ben] = await Promise.all([insertUser(), insertUser()])
    await Promise.all(
      Array.from({ length: 40 }, (_, n) => (n % 2 ? say(ana, ben, `a${n}`) : say(ben, ana, `b${n}`))),
    )
    const rows = await sql<{ seq: string }[]>`select seq from public.messages
      where sender_id in (${ana.id}, ${ben.id}) order by seq`
    expect(rows.map((row) => Number(row.seq))).toEqual(Array.from({ length: 40 }, (_, n) => n + 1))
    expect((await members(ana, ben)).map((m) => m.unread_count)).toEqual([20, 20])
    const totals =
      await sql`select unread_messages from public.user_counters where user_id in (${ana.id}, ${ben.id})`
    expect(totals.map((row) => row.unread_messages)).toEqual([20, 20])
  })

  it('is limited to 60 a minute, by whichever door', async () => {
    const [ana, ben] = await Promise.all([insertUser(), insertUser()])
    const many = () =>
      runAs(
        ana,
        (tx) => tx`insert into public.messages (receiver_id, content)
        select ${ben.id}, 'n' || n from generate_series(1, 60) n`,
      )
    await many()
    // A minute may end between the two: then the next sixty fill the new one.
    const codes = [await getSqlState(say(ana, ben)).catch(() => 'passed')]
    if (codes[0] === 'passed') codes.push(await getSqlState(many()))
    expect(codes.at(-1)).toBe('PT429')
    await say(ben, ana)
  })
})

describe('reading', () => {
  it('is for the two people only', async () => {
    const [ana, ben, eve, admin] = await Promise.all([
      insertUser(),
      insertUser(),
      insertUser(),
      insertUser({ admin: true }),
    ])
    await say(ana, ben)
    for (const who of [eve, admin]) {
      for (const table of ['messages', 'conversations', 'conversation_members']) {
        expect(await runAs(who, (tx) => tx`select * from ${tx(`public.${table}`)}`)).toHaveLength(0)
      }
    }
    expect(await runAs(ben, (tx) => tx`select 1 from public.messages`)).toHaveLength(1)
    await expect(runAs(null, (tx) => tx`select * from public.messages`)).rejects.toThrow(/permission denied/)
  })

  it('of an old thread stays possible within a block', async () => {
    const [ana, ben] = await Promise.all([insertUser(), insertUser()])
    await say(ana, ben)
    await insertBlock(ben, ana)
    expect(await runAs(ana, (tx) => tx`select 1 from public.messages`)).toHaveLength(1)
    const [peer] = await runAs(ana, (tx) => tx`select (private.peer(${ben.id})).username`)
    expect(peer?.username).toBe(ben.username)
    // Reading it tells the other nothing: neither by the row nor by an event.
    await runAs(ben, (tx) => tx`select private.mark_conversation_read(${ana.id})`)
    const marks = await runAs(
      ana,
      (tx) => tx`select 1 from public.conversation_members where user_id = ${ben.id}`,
    )
    expect(marks).toHaveLength(0)
    const told = await sql`select 1 from realtime.messages
      where topic = ${`user:${ana.id}`} and event = 'conversation.read'`
    expect(told).toHaveLength(0)
    // Without a conversation the same question answers nothing.
    const [stranger] = await runAs(await insertUser(), (tx) => tx`select (private.peer(${ben.id})).username`)
    expect(stranger?.username).toBeNull()
  })

  it('is marked by the reader alone, once, and takes the count to zero', async () => {
    const [ana, ben, eve] = await Promise.all([insertUser(), insertUser(), insertUser()])
    await say(ana, ben)
    await say(eve, ben)
    const mark = (who: SessionUser, other: SessionUser) =>
      runAs(who, (tx) => tx`select private.mark_conversation_read(${other.id}) as done`).then(
        (rows) => rows[0]?.done,
      )
    expect(await mark(eve, ana)).toBe(false)
    expect(await mark(ben, ana)).toBe(true)
    expect(await mark(ben, ana)).toBe(false)
    const [counters] = await sql`select unread_messages from public.user_counters where user_id = ${ben.id}`
    expect(counters?.unread_messages).toBe(1)
    const [all] = await runAs(ben, (tx) => tx`select private.mark_all_conversations_read() as done`)
    expect(all?.done).toBe(1)
    const direct = runAs(ben, (tx) => tx`select private.read_conversation(${ana.id}, ${ben.id})`)
    expect(await getSqlState(direct)).toBe('42501')
  })
})

describe('topics', () => {
  it('of a person are read by that person and written by nobody', async () => {
    const [ana, eve] = await Promise.all([insertUser(), insertUser()])
    expect(await topic(ana, `user:${ana.id}`)).toEqual({ read: true, write: false })
    expect(await topic(eve, `user:${ana.id}`)).toEqual({ read: false, write: false })
  })

  it('of a conversation are for its two people while they may write, and written by who has', async () => {
    const [ana, ben, eve] = await Promise.all([insertUser(), insertUser(), insertUser()])
    const name = conversation(ana, ben)
    expect(await topic(ana, name)).toEqual({ read: true, write: false })
    await say(ana, ben)
    await say(eve, ben)
    expect(await topic(ana, name)).toEqual({ read: true, write: true })
    // To write to somebody who does not answer buys nothing.
    expect(await topic(ben, name)).toEqual({ read: true, write: false })
    await say(ben, ana)
    expect(await topic(ben, name)).toEqual({ read: true, write: true })
    expect(await topic(eve, name)).toEqual({ read: false, write: false })
    await insertBlock(ben, ana)
    expect(await topic(ana, name)).toEqual({ read: false, write: false })
    expect(await topic(ben, name)).toEqual({ read: false, write: false })
  })

  it.each(['user:', 'user', 'conversation:', 'conversation:a:b', 'conversation::', 'anything'])(
    'named "%s" are closed',
    async (name) => {
      expect(await topic(await insertUser(), name)).toEqual({ read: false, write: false })
    },
  )

  it('named with the ids the wrong way round are closed', async () => {
    const [ana, ben] = await Promise.all([insertUser(), insertUser()])
    const [low, high] = [ana.id, ben.id].sort()
    await say(ana, ben)
    expect(await topic(ana, `conversation:${high}:${low}`)).toEqual({ read: false, write: false })
  })

  it('are closed to an ended session', async () => {
    const ana = await insertUser()
    await sql`delete from auth.sessions where id = ${ana.sessionId}`
    expect(await topic(ana, `user:${ana.id}`)).toEqual({ read: false, write: false })
  })
})
