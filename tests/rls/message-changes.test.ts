import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { getSqlState, insertBlock, insertUser, runAs, type SessionUser, sql } from './database.ts'

afterAll(() => sql.end())

async function say(from: SessionUser, to: SessionUser, content = 'hi'): Promise<string> {
  const id = randomUUID()
  await runAs(
    from,
    (tx) => tx`insert into public.messages (id, sender_id, receiver_id, content)
               values (${id}, ${from.id}, ${to.id}, ${content})`,
  )
  return id
}

const react = (who: SessionUser, id: string, emoji = '👍') =>
  runAs(who, (tx) => tx`select private.react_to_message(${id}, ${emoji})`)
const edit = (who: SessionUser, id: string, text: string) =>
  runAs(who, (tx) => tx`select private.edit_message(${id}, ${text})`)
const remove = (who: SessionUser, id: string) => runAs(who, (tx) => tx`select private.delete_message(${id})`)

type Stored = { version: string; reactions: { emoji: string; userId: string }[]; content: string }
async function stored(id: string): Promise<Stored> {
  const [row] = await sql<Stored[]>`select version, reactions, content from public.messages where id = ${id}`
  if (!row) throw new Error('There is no such message.')
  return row
}
const lastChange = async (id: string) =>
  Number(
    (
      await sql<{ last: string }[]>`select c.last_change as last from public.conversations c
        join public.messages m on m.conversation_id = c.id where m.id = ${id}`
    )[0]?.last,
  )

describe('changes at the same time', () => {
  it('by both people are all there, and numbered without a gap', async () => {
    const [ana, ben] = await Promise.all([insertUser(), insertUser()])
    const id = await say(ana, ben)
    const emoji = ['👍', '❤️', '😂', '😮', '😢', '😡', '👏', '🔥']
    // An odd number of times each: all stay. The last one an even number: it is gone.
    const toggles = emoji.flatMap((sign, at) => Array.from({ length: at === 7 ? 2 : 3 }, () => sign))
    // One of Ben's stays throughout: who takes back all of theirs again and again is not told of any more.
    await react(ben, id, '👍')
    const his = toggles.filter((sign) => sign !== '👍')
    await Promise.all([
      ...toggles.map((sign) => react(ana, id, sign)),
      ...his.map((sign) => react(ben, id, sign)),
    ])
    const { version, reactions } = await stored(id)
    const changes = 1 + toggles.length + his.length
    expect(Number(version)).toBe(changes)
    expect(await lastChange(id)).toBe(changes)
    const expected = emoji.slice(0, 7).flatMap((sign) => [`${sign} ${ana.id}`, `${sign} ${ben.id}`])
    expect(reactions.map((one) => `${one.emoji} ${one.userId}`).sort()).toEqual(expected.sort())
    const notices = await sql`select from public.notifications where message_id = ${id} and kind = 'reaction'`
    expect(notices).toHaveLength(1)
  })

  it('with sending, reading and taking back never wait in a circle', async () => {
    const [ana, ben] = await Promise.all([insertUser(), insertUser()])
    const ids = await Promise.all([say(ana, ben), say(ben, ana), say(ana, ben), say(ben, ana)])
    const by = (at: number) => (at % 2 === 0 ? ana : ben)
    const other = (at: number) => (at % 2 === 0 ? ben : ana)
    await Promise.all(ids.map((id, at) => react(other(at), id)))
    const work = Array.from({ length: 8 }, (_, turn) => [
      ...ids.map((id, at) => () => react(other(at), id, '😂')),
      ...ids.slice(0, 2).map((id, at) => () => edit(by(at), id, `turn ${turn}`)),
      () => say(by(turn), other(turn)),
      () => runAs(by(turn), (tx) => tx`select private.read_all_notifications()`),
      () => runAs(by(turn), (tx) => tx`select private.mark_all_conversations_read()`),
      ...(turn === 6 ? ids.slice(2).map((id, at) => () => remove(by(at), id)) : []),
    ]).flat()
    const settled = await Promise.allSettled(work.map((one) => one()))
    const codes = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))
    // Reacting to what was taken back is refused; nothing else is.
    expect(codes.filter((code) => code !== 'PT409')).toEqual([])
    const [numbers] = await sql`select count(*)::int as n, max(seq)::int as last from public.messages
      where sender_id in (${ana.id}, ${ben.id})`
    expect(numbers).toEqual({ n: 12, last: 12 })
  })
})

describe('a message', () => {
  it('is changed by nobody directly, and by nobody outside of the conversation', async () => {
    const [ana, ben, eve, admin] = await Promise.all([
      insertUser(),
      insertUser(),
      insertUser(),
      insertUser({ admin: true }),
    ])
    const id = await say(ana, ben, 'as it was')
    for (const who of [ana, ben, eve, admin]) {
      for (const column of [
        'content',
        'version',
        'reactions',
        'deleted_at',
        'edited_at',
        'media_id',
        'seq',
      ]) {
        const attempt = runAs(
          who,
          (tx) => tx`update public.messages set ${tx(column)} = default where id = ${id}`,
        )
        expect(await getSqlState(attempt)).toBe('42501')
      }
      expect(await getSqlState(runAs(who, (tx) => tx`delete from public.messages where id = ${id}`))).toBe(
        '42501',
      )
      expect(await getSqlState(runAs(who, (tx) => tx`update public.conversations set last_change = 0`))).toBe(
        '42501',
      )
    }
    for (const who of [eve, admin]) {
      expect(await getSqlState(react(who, id))).toBe('PT404')
      expect(await getSqlState(edit(who, id, 'x'))).toBe('PT404')
      expect(await getSqlState(remove(who, id))).toBe('PT404')
      const read = runAs(who, (tx) => tx`select * from private.thread_back(${ana.id}, ${id}, true, 50)`)
      expect(await read).toHaveLength(0)
      expect(
        await runAs(who, (tx) => tx`select * from private.find_messages('was', null, null, 50)`),
      ).toHaveLength(0)
    }
    expect(await stored(id)).toMatchObject({ content: 'as it was', version: '0', reactions: [] })
  })

  it('is changed by no ended session, and found by none', async () => {
    const [ana, ben] = await Promise.all([insertUser(), insertUser()])
    const id = await say(ana, ben, 'still here')
    await sql`delete from auth.sessions where id = ${ana.sessionId}`
    expect(await getSqlState(react(ana, id))).toBe('42501')
    expect(await getSqlState(edit(ana, id, 'x'))).toBe('42501')
    expect(await getSqlState(remove(ana, id))).toBe('42501')
    const finds = ["find_messages('still', null, null, 5)", 'latest_conversations(null, null, 5)']
    finds.push(`thread_back('${ben.id}', null, false, 5)`, `thread_changes('${ben.id}', 0, 5)`)
    for (const call of finds)
      expect(await runAs(ana, (tx) => tx.unsafe(`select * from private.${call}`))).toHaveLength(0)
  })

  it('can be taken back by a read-only account, and nothing more', async () => {
    const [ana, ben] = await Promise.all([insertUser(), insertUser()])
    const id = await say(ana, ben)
    await sql`update public.accounts set read_only_reason = 'under_age' where user_id = ${ana.id}`
    expect(await getSqlState(edit(ana, id, 'x'))).toBe('PT403')
    expect(await getSqlState(react(ana, id))).toBe('PT403')
    await remove(ana, id)
    expect((await stored(id)).content).toBe('')
  })

  it('says within a block that it was taken back, and not that it was seen', async () => {
    const [ana, ben] = await Promise.all([insertUser(), insertUser()])
    const id = await say(ana, ben)
    await runAs(ben, (tx) => tx`select private.mark_conversation_read(${ana.id})`)
    await insertBlock(ben, ana)
    await remove(ana, id)
    const told = await sql<{ topic: string; read: string }[]>`
      select topic, payload -> 'message' ->> 'isRead' as read from realtime.messages
      where event = 'message.changed' and payload -> 'message' ->> 'id' = ${id}`
    expect(told.find(({ topic }) => topic === `user:${ana.id}`)?.read).toBe('false')
    expect(told).toHaveLength(2)
  })
})
