import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { getSqlState, insertBlock, insertUser, runAs, type SessionUser, sql } from './database.ts'

async function sendMessage(from: SessionUser, to: SessionUser, content = 'hi'): Promise<string> {
  const id = randomUUID()
  await runAs(
    from,
    (tx) => tx`insert into public.messages (id, sender_id, receiver_id, content)
               values (${id}, ${from.id}, ${to.id}, ${content})`,
  )
  return id
}

const react = (user: SessionUser, id: string, emoji = '👍') =>
  runAs(user, (tx) => tx`select private.toggle_reaction(${id}, ${emoji})`)
const editMessage = (user: SessionUser, id: string, text: string) =>
  runAs(user, (tx) => tx`select private.edit_message(${id}, ${text})`)
const deleteMessage = (user: SessionUser, id: string) =>
  runAs(user, (tx) => tx`select private.delete_message(${id})`)

type StoredMessage = {
  version: string
  reactions: { emoji: string; userId: string }[]
  content: string
  deleted: boolean
}
async function readMessage(id: string): Promise<StoredMessage> {
  const [row] = await sql<StoredMessage[]>`
    select version, reactions, content, deleted_at is not null as deleted from public.messages where id = ${id}`
  if (!row) throw new Error('There is no such message.')
  return row
}
/** Returns the number of the last change in the message's conversation. */
const readLastChange = async (id: string) =>
  Number(
    (
      await sql<{ last: string }[]>`select c.last_change as last from public.conversations c
        join public.messages m on m.conversation_id = c.id where m.id = ${id}`
    )[0]?.last,
  )

describe('concurrent changes to messages', () => {
  it('are all applied and numbered without a gap when both members make changes', async () => {
    const [ana, ben] = await Promise.all([insertUser(), insertUser()])
    const id = await sendMessage(ana, ben)
    const emojis = ['👍', '❤️', '😂', '😮', '😢', '😡', '👏', '🔥']
    // An odd number of toggles leaves a reaction. An even number, as for the last emoji, leaves none.
    const toggles = emojis.flatMap((emoji, index) => Array.from({ length: index === 7 ? 2 : 3 }, () => emoji))
    // Ben keeps one reaction throughout. If he repeatedly removed all his reactions, new ones would no longer create
    // notifications.
    await react(ben, id, '👍')
    const bensToggles = toggles.filter((emoji) => emoji !== '👍')
    await Promise.all([
      ...toggles.map((emoji) => react(ana, id, emoji)),
      ...bensToggles.map((emoji) => react(ben, id, emoji)),
    ])
    const { version, reactions } = await readMessage(id)
    const changes = 1 + toggles.length + bensToggles.length
    expect(Number(version)).toBe(changes)
    expect(await readLastChange(id)).toBe(changes)
    const expected = emojis.slice(0, 7).flatMap((emoji) => [`${emoji} ${ana.id}`, `${emoji} ${ben.id}`])
    expect(reactions.map((reaction) => `${reaction.emoji} ${reaction.userId}`).sort()).toEqual(
      expected.sort(),
    )
    const notifications =
      await sql`select from public.notifications where message_id = ${id} and kind = 'reaction'`
    expect(notifications).toHaveLength(1)
  })

  it('do not deadlock with sending, reading and deleting', async () => {
    const [ana, ben] = await Promise.all([insertUser(), insertUser()])
    const ids = await Promise.all([
      sendMessage(ana, ben),
      sendMessage(ben, ana),
      sendMessage(ana, ben),
      sendMessage(ben, ana),
    ])
    const sender = (index: number) => (index % 2 === 0 ? ana : ben)
    const receiver = (index: number) => (index % 2 === 0 ? ben : ana)
    await Promise.all(ids.map((id, index) => react(receiver(index), id)))
    const actions = Array.from({ length: 8 }, (_, turn) => [
      ...ids.map((id, index) => () => react(receiver(index), id, '😂')),
      ...ids.slice(0, 2).map((id, index) => () => editMessage(sender(index), id, `turn ${turn}`)),
      () => sendMessage(sender(turn), receiver(turn)),
      () => runAs(sender(turn), (tx) => tx`select private.mark_all_notifications_read()`),
      () => runAs(sender(turn), (tx) => tx`select private.mark_all_conversations_read()`),
      ...(turn === 6 ? ids.slice(2).map((id, index) => () => deleteMessage(sender(index), id)) : []),
    ]).flat()
    const settled = await Promise.allSettled(actions.map((action) => action()))
    const codes = settled.flatMap((result) => (result.status === 'rejected' ? [result.reason.code] : []))
    // Only reactions to deleted messages fail.
    expect(codes.filter((code) => code !== 'PT409')).toEqual([])
    const [messages] = await sql`select count(*)::int as count, max(seq)::int as last from public.messages
      where sender_id in (${ana.id}, ${ben.id})`
    expect(messages).toEqual({ count: 12, last: 12 })
  })
})

describe('a message', () => {
  it('cannot be updated directly, or changed or read by users outside the conversation', async () => {
    const [ana, ben, eve, admin] = await Promise.all([
      insertUser(),
      insertUser(),
      insertUser(),
      insertUser({ admin: true }),
    ])
    const id = await sendMessage(ana, ben, 'unchanged text')
    for (const user of [ana, ben, eve, admin]) {
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
          user,
          (tx) => tx`update public.messages set ${tx(column)} = default where id = ${id}`,
        )
        expect(await getSqlState(attempt)).toBe('42501')
      }
      expect(await getSqlState(runAs(user, (tx) => tx`delete from public.messages where id = ${id}`))).toBe(
        '42501',
      )
      expect(
        await getSqlState(runAs(user, (tx) => tx`update public.conversations set last_change = 0`)),
      ).toBe('42501')
    }
    for (const user of [eve, admin]) {
      expect(await getSqlState(react(user, id))).toBe('PT404')
      expect(await getSqlState(editMessage(user, id, 'x'))).toBe('PT404')
      expect(await getSqlState(deleteMessage(user, id))).toBe('PT404')
      const read = runAs(user, (tx) => tx`select * from private.messages_before(${ana.id}, ${id}, true, 50)`)
      expect(await read).toHaveLength(0)
      expect(
        await runAs(user, (tx) => tx`select * from private.search_messages('unchanged', null, null, 50)`),
      ).toHaveLength(0)
    }
    expect(await readMessage(id)).toMatchObject({ content: 'unchanged text', version: '0', reactions: [] })
  })

  it('cannot be changed or read by an ended session', async () => {
    const [ana, ben] = await Promise.all([insertUser(), insertUser()])
    const id = await sendMessage(ana, ben, 'still here')
    await sendMessage(ben, ana)
    // In an active session, all filters would list the conversation.
    await sql`update public.conversation_members set has_written = false where user_id = ${ana.id}`
    await sql`
      insert into public.subscriptions (subscriber_id, creator_id, state, price_cents, started_at, period_end)
      values (${ben.id}, ${ana.id}, 'active', 999, now(), now() + interval '1 month')`
    await sql`delete from auth.sessions where id = ${ana.sessionId}`
    expect(await getSqlState(react(ana, id))).toBe('42501')
    expect(await getSqlState(editMessage(ana, id, 'x'))).toBe('42501')
    expect(await getSqlState(deleteMessage(ana, id))).toBe('42501')
    const queries = [
      "private.search_messages('still', null, null, 5)",
      'private.list_conversations(null, null, 5)',
      "private.list_filtered_conversations('unread', null, null, 5)",
      "private.list_filtered_conversations('requests', null, null, 5)",
      "private.list_filtered_conversations('subscribers', null, null, 5)",
      `private.messages_before('${ben.id}', null, false, 5)`,
      `private.messages_changed_since('${ben.id}', 0, 5)`,
    ]
    for (const query of queries)
      expect(await runAs(ana, (tx) => tx.unsafe(`select * from ${query}`))).toHaveLength(0)
  })

  it('can be deleted by a read-only account, but not edited or reacted to', async () => {
    const [ana, ben] = await Promise.all([insertUser(), insertUser()])
    const id = await sendMessage(ana, ben)
    await sql`update public.accounts set read_only_reason = 'under_age' where user_id = ${ana.id}`
    expect(await getSqlState(editMessage(ana, id, 'x'))).toBe('PT403')
    expect(await getSqlState(react(ana, id))).toBe('PT403')
    await deleteMessage(ana, id)
    expect(await readMessage(id)).toMatchObject({ content: '', deleted: true })
  })

  it('is broadcast as deleted to both members during a block, without showing the sender that it was read', async () => {
    const [ana, ben] = await Promise.all([insertUser(), insertUser()])
    const id = await sendMessage(ana, ben)
    await runAs(ben, (tx) => tx`select private.mark_conversation_read(${ana.id})`)
    await insertBlock(ben, ana)
    await deleteMessage(ana, id)
    const broadcasts = await sql<{ topic: string; message: object }[]>`
      select topic, payload -> 'message' as message from realtime.messages
      where event = 'message.changed' and payload -> 'message' ->> 'id' = ${id}`
    const messages = Object.fromEntries(broadcasts.map(({ topic, message }) => [topic, message]))
    expect(messages).toMatchObject({
      [`user:${ana.id}`]: { content: '', deleted: true, isRead: false },
      [`user:${ben.id}`]: { content: '', deleted: true, isRead: true },
    })
    expect(broadcasts).toHaveLength(2)
  })
})
