import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { deleteAccounts, retryDeadlocks } from '../support/deadlocks.ts'
import {
  countBlockedSessions,
  getSqlState,
  impersonate,
  insertBlock,
  insertUser,
  insertUsers,
  runAs,
  runAsService,
  type SessionUser,
  sql,
  waitForBlockedSession,
} from './database.ts'
import { cancelSubscription, expirePeriod, subscribe } from './subscription-helpers.ts'

/** Inserts a creator and this number of subscribers. Returns the subscribers in the order of their IDs. */
async function createCreatorAndFans(count: number) {
  const creator = await insertUser({ creator: true })
  const fans = (await insertUsers(count)).sort((a, b) => (a.id < b.id ? -1 : 1))
  for (const fan of fans) await subscribe(fan, creator)
  return { creator, fans }
}
const create = (creator: SessionUser | null, id = randomUUID(), content = 'Hello, all') =>
  runAs(creator, async (tx) => {
    const [row] = await tx<{ created: boolean }[]>`
      select private.create_mass_message(${id}, ${content}) as created`
    return row?.created
  })
const sendNext = (id: string) =>
  retryDeadlocks(() =>
    runAsService(async (tx) => {
      const [row] = await tx<
        { unfinished: boolean }[]
      >`select private.send_next_mass_message(${id}) as unfinished`
      return row?.unfinished
    }),
  )
async function sendAll(id: string) {
  while (await sendNext(id));
}
const stop = (user: SessionUser | null, id: string) =>
  runAs(user, (tx) => tx`select private.stop_mass_message(${id})`)
/** Returns the IDs of the users who got a mass message, in order, once for each time they got it. */
const listReceivers = async (id: string) =>
  (
    await sql<{ receiver: string }[]>`
      select receiver_id as receiver from public.messages where mass_message_id = ${id} order by receiver_id`
  ).map(({ receiver }) => receiver)
const readState = async (id: string) =>
  (
    await sql`select recipients, sent, finished_at is not null as finished, stopped
              from public.mass_messages where id = ${id}`
  )[0]
/** Moves a creator's mass messages one day into the past, so that the creator can send more. */
const backdate = (creator: SessionUser) =>
  sql`update public.mass_messages set created_at = created_at - interval '1 day' where creator_id = ${creator.id}`

describe('a mass message', () => {
  let creator: SessionUser
  let fans: SessionUser[]
  beforeAll(async () => {
    ;({ creator, fans } = await createCreatorAndFans(3))
  })

  it('can be read, sent and stopped only by its creator', async () => {
    const [stranger, admin, otherCreator] = await Promise.all([
      insertUser(),
      insertUser({ admin: true }),
      insertUser({ creator: true }),
    ])
    const id = randomUUID()
    expect(await create(creator, id)).toBe(true)
    const read = (user: SessionUser | null) => runAs(user, (tx) => tx`select * from public.mass_messages`)
    const list = (user: SessionUser) =>
      runAs(user, async (tx) => (await tx`select private.list_mass_messages() -> 'messages' as messages`)[0])
    expect(await read(creator)).toHaveLength(1)
    expect(await getSqlState(read(null))).toBe('42501')
    for (const user of [stranger, admin, otherCreator, ...fans]) {
      expect(await read(user)).toHaveLength(0)
      expect(await list(user)).toEqual({ messages: [] })
      expect(await getSqlState(stop(user, id))).toBe('PT404')
    }
    for (const write of [
      `insert into public.mass_messages (id, creator_id, content, recipients)
       values (gen_random_uuid(), '${creator.id}', 'x', 1)`,
      `update public.mass_messages set content = 'x'`,
      `delete from public.mass_messages`,
      `insert into public.messages (receiver_id, content, mass_message_id) values ('${fans[0]?.id}', 'x', '${id}')`,
      `select private.send_next_mass_message('${id}')`,
      `select private.finish_mass_message('${id}', true)`,
      `select * from private.messageable_subscribers`,
    ])
      expect(await getSqlState(runAs(creator, (tx) => tx.unsafe(write)))).toBe('42501')
    for (const call of ['create_mass_message(gen_random_uuid(), $$x$$)', 'list_mass_messages()'])
      expect(await getSqlState(runAs(null, (tx) => tx.unsafe(`select private.${call}`)))).toBe('42501')
    expect(await getSqlState(create(stranger))).toBe('PT403')
    expect(await getSqlState(create(otherCreator))).toBe('PT409')
    await sendAll(id)
  })

  it('cannot be created or read after the session has ended', async () => {
    const ended = await insertUser({ creator: true })
    await sql`delete from auth.sessions where id = ${ended.sessionId}`
    expect(await getSqlState(create(ended))).toBe('42501')
    expect(await getSqlState(runAs(ended, (tx) => tx`select private.list_mass_messages()`))).toBe('42501')
  })

  it('needs an account with write access, a confirmed email address and valid content', async () => {
    for (const text of ['', ' \n ', 'x'.repeat(5001)])
      expect(await getSqlState(create(creator, randomUUID(), text))).toBe('PT400')
    await sql`update public.accounts set read_only_reason = 'Suspended' where user_id = ${creator.id}`
    expect(await getSqlState(create(creator))).toBe('PT403')
    await sql`update public.accounts set read_only_reason = null, email_confirmed_at = null
              where user_id = ${creator.id}`
    expect(await getSqlState(create(creator))).toBe('PT403')
    await sql`update public.accounts set email_confirmed_at = now() where user_id = ${creator.id}`
  })

  it('is stored once if the request is repeated, and its ID cannot be used by others', async () => {
    await backdate(creator)
    const id = randomUUID()
    const results = await Promise.all(Array.from({ length: 5 }, () => create(creator, id)))
    expect(results.filter(Boolean)).toHaveLength(1)
    await sendAll(id)
    expect(await create(creator, id)).toBe(false)
    expect(await listReceivers(id)).toEqual(fans.map((fan) => fan.id))
    expect(await getSqlState(create(creator, id, 'Hello again'))).toBe('PT409')
    const other = await createCreatorAndFans(1)
    expect(await getSqlState(create(other.creator, id))).toBe('PT409')
  })

  it('is in the search results of its recipients, but not in those of its creator', async () => {
    await backdate(creator)
    const id = randomUUID()
    await create(creator, id, 'A glaze of ash')
    await sendAll(id)
    const countFound = (user: SessionUser) =>
      runAs(
        user,
        async (tx) => (await tx`select from private.search_messages('glaze of ash', null, null, 50)`).length,
      )
    expect([await countFound(creator), await countFound(fans[0] as SessionUser)]).toEqual([0, 1])
  })

  it('is limited to three per creator in 24 hours, one at a time', async () => {
    await backdate(creator)
    for (let sent = 0; sent < 3; sent++) {
      const attempts = await Promise.allSettled(Array.from({ length: 3 }, () => create(creator)))
      expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      const [row] = await sql<{ id: string }[]>`
        select id from public.mass_messages where creator_id = ${creator.id} order by created_at desc limit 1`
      await sendAll(row?.id ?? '')
    }
    expect(await getSqlState(create(creator))).toBe('PT429')
    await backdate(creator)
    const id = randomUUID()
    expect(await create(creator, id)).toBe(true)
    await sendAll(id)
  })
})

describe('delivery', () => {
  it('creates a normal message for each subscriber, and sends the creator one event instead of one per message', async () => {
    const { creator, fans } = await createCreatorAndFans(2)
    const id = randomUUID()
    await create(creator, id)
    await sendAll(id)
    expect(await readState(id)).toEqual({ recipients: 2, sent: 2, finished: true, stopped: false })
    for (const fan of fans) {
      const messages = await runAs(
        fan,
        (tx) =>
          tx`select content, sender_id, seq::integer from public.messages where receiver_id = ${fan.id}`,
      )
      expect(messages).toMatchObject([{ content: 'Hello, all', sender_id: creator.id, seq: 1 }])
      const counters = await sql`select unread_messages from public.user_counters where user_id = ${fan.id}`
      expect(counters).toMatchObject([{ unread_messages: 1 }])
    }
    const listEvents = async (user?: SessionUser) =>
      (
        await sql<{ event: string }[]>`
          select event from realtime.messages where topic = ${`user:${user?.id}`} order by inserted_at`
      ).map(({ event }) => event)
    expect((await listEvents(fans[0])).filter((event) => event === 'message.created')).toHaveLength(1)
    const creatorEvents = await listEvents(creator)
    expect(creatorEvents).not.toContain('message.created')
    expect(creatorEvents).toContain('mass_message.finished')
    // A fan can reply only to the creator, and the reply is not part of the mass message.
    const [fan] = fans
    if (!fan) throw new Error('There is no fan.')
    await runAs(
      fan,
      (tx) => tx`insert into public.messages (receiver_id, content) values (${creator.id}, 'Hi')`,
    )
    expect(await listReceivers(id)).toHaveLength(2)
  })

  it('does not move conversations up in the creator’s list, and adds new ones at its end', async () => {
    const { creator, fans } = await createCreatorAndFans(4)
    const [answered, request, plain] = fans
    const send = (from: SessionUser, to: SessionUser) =>
      runAs(from, (tx) => tx`insert into public.messages (receiver_id, content) values (${to.id}, 'Hi')`)
    if (!answered || !request || !plain) throw new Error('There are too few fans.')
    await send(creator, answered)
    await send(request, creator)
    const id = randomUUID()
    await create(creator, id)
    await sendAll(id)
    const listPartners = (user: SessionUser, filter?: string) =>
      runAs(user, async (tx) => {
        const source = filter
          ? tx`private.list_filtered_conversations(${filter}, null, null, 10)`
          : tx`private.list_conversations(null, null, 10)`
        const rows = await tx<{ partner: string; has_last: boolean; unread: number }[]>`
          select partner_id as partner, last_message_id is not null as has_last, unread_count as unread
          from ${source}`
        return rows
      })
    const listed = await listPartners(creator)
    expect(listed.slice(0, 2)).toEqual([
      { partner: request.id, has_last: true, unread: 1 },
      { partner: answered.id, has_last: true, unread: 0 },
    ])
    expect(listed.slice(2)).toMatchObject([{ has_last: false }, { has_last: false }])
    // The creator has not answered this subscriber individually.
    expect(await listPartners(creator, 'requests')).toMatchObject([{ partner: request.id }])
    expect(await listPartners(plain)).toEqual([{ partner: creator.id, has_last: true, unread: 1 }])
    // From the first reply on, the conversation is like any other.
    await send(plain, creator)
    expect((await listPartners(creator))[0]).toEqual({ partner: plain.id, has_last: true, unread: 1 })
  })

  it('continues after a crash with the subscribers who do not have the message yet', async () => {
    const { creator, fans } = await createCreatorAndFans(6)
    const id = randomUUID()
    await create(creator, id)
    await sendNext(id)
    await sendNext(id)
    const crash = new Error('crash')
    await expect(
      sql.begin(async (tx) => {
        await tx`select private.send_next_mass_message(${id})`
        throw crash
      }),
    ).rejects.toBe(crash)
    // Two concurrent runs, which are possible if a lease expires too early.
    await Promise.all([sendAll(id), sendAll(id)])
    expect(await listReceivers(id)).toEqual(fans.map((fan) => fan.id))
    expect(await readState(id)).toEqual({ recipients: 6, sent: 6, finished: true, stopped: false })
    expect(await sendNext(id)).toBe(false)
    expect(
      await getSqlState(sql`insert into public.messages (sender_id, receiver_id, content, mass_message_id)
                            values (${creator.id}, ${fans[0]?.id ?? ''}, 'again', ${id})`),
    ).toBe('23505')
  })

  it('leaves out users who cannot be messaged, are suspended, are no longer subscribed, or subscribed later', async () => {
    const { creator, fans } = await createCreatorAndFans(8)
    const [blocker, blocked, closed, suspended, ended, cancelled, deleted, plain] = fans
    if (!blocker || !blocked || !closed || !suspended || !ended || !cancelled || !deleted || !plain)
      throw new Error('There are too few fans.')
    await insertBlock(blocker, creator)
    await insertBlock(creator, blocked)
    await sql`update public.profiles set allow_direct_messages = false where id = ${closed.id}`
    await sql`update public.accounts set suspended_at = now(), suspension_reason = 'Spam'
              where user_id = ${suspended.id}`
    await expirePeriod(ended, '4 days')
    // A cancelled subscription lasts until the end of its period.
    await cancelSubscription(cancelled, creator)
    await sql`delete from auth.users where id = ${deleted.id}`
    const id = randomUUID()
    await create(creator, id)
    await subscribe(await insertUser(), creator)
    await sendAll(id)
    expect(await listReceivers(id)).toEqual([cancelled.id, plain.id])
    expect(await readState(id)).toEqual({ recipients: 2, sent: 2, finished: true, stopped: false })
  })

  it('leaves out a subscriber who blocks the creator before their turn', async () => {
    const { creator, fans } = await createCreatorAndFans(3)
    const id = randomUUID()
    // Uses one transaction, so that the job does not send the message in the meantime.
    await sql.begin(async (tx) => {
      await impersonate(tx, creator)
      await tx`select private.create_mass_message(${id}, 'Hello')`
      await tx`select set_config('request.jwt.claims', '', true), set_config('request.jwt.claim.sub', '', true)`
      await tx`select private.send_next_mass_message(${id})`
      await tx`insert into public.blocks (blocker_id, blocked_id) values (${fans[1]?.id ?? ''}, ${creator.id})`
      await tx`select private.send_next_mass_message(${id}), private.send_next_mass_message(${id})`
    })
    await sendAll(id)
    expect(await listReceivers(id)).toEqual([fans[0]?.id, fans[2]?.id])
    expect(await readState(id)).toEqual({ recipients: 3, sent: 2, finished: true, stopped: false })
  })

  it.each(['stops it', 'loses write access'])('ends if the creator %s', async (interruption) => {
    const { creator, fans } = await createCreatorAndFans(3)
    const [first, second] = fans
    const id = randomUUID()
    const pending: Promise<unknown>[] = []
    await sql.begin(async (tx) => {
      // Holds up the delivery to the second subscriber.
      await tx`select from public.user_counters where user_id = ${second?.id ?? ''} for update`
      await create(creator, id)
      await sendNext(id)
      pending.push(sendNext(id))
      await waitForBlockedSession(tx)
      if (interruption === 'stops it') {
        pending.push(stop(creator, id))
        await expect.poll(() => countBlockedSessions(tx), { interval: 20 }).toBeGreaterThan(1)
      } else {
        await sql`update public.accounts set read_only_reason = 'Suspended' where user_id = ${creator.id}`
      }
    })
    await Promise.all(pending)
    await sendAll(id)
    expect(await listReceivers(id)).toEqual([first?.id, second?.id])
    expect(await readState(id)).toEqual({ recipients: 3, sent: 2, finished: true, stopped: true })
    expect(await sendNext(id)).toBe(false)
  })

  it('ends when the creator’s account is deleted, even during a delivery', async () => {
    const { creator, fans } = await createCreatorAndFans(4)
    const id = randomUUID()
    await create(creator, id)
    // While the account is being deleted, the delivery fails instead of waiting.
    const delivery = sendAll(id).catch((error: { code?: string }) => expect(error.code).toBe('55P03'))
    await Promise.all([delivery, deleteAccounts(sql, [creator.id])])
    await sendAll(id)
    expect(await readState(id)).toBeUndefined()
    // Any number of subscribers may have got the message before the deletion.
    expect((await listReceivers(id)).length).toBeLessThanOrEqual(fans.length)
  })

  it('does not stop when a recipient deletes their account during the delivery', async () => {
    const { creator, fans } = await createCreatorAndFans(4)
    const id = randomUUID()
    await create(creator, id)
    await Promise.all([sendAll(id), deleteAccounts(sql, [fans[1]?.id ?? '', fans[2]?.id ?? ''])])
    await sendAll(id)
    expect(await listReceivers(id)).toEqual(expect.arrayContaining([fans[0]?.id, fans[3]?.id]))
    expect(await readState(id)).toMatchObject({ finished: true, stopped: false })
  })
})

describe('the list of mass messages', () => {
  it('counts the recipients who have read the message, but not those who have since blocked the creator', async () => {
    const { creator, fans } = await createCreatorAndFans(3)
    const [reader, blocker] = fans
    if (!reader || !blocker) throw new Error('There are no fans.')
    const id = randomUUID()
    await create(creator, id)
    await sendAll(id)
    const readCount = () =>
      runAs(creator, async (tx) => {
        const [row] = await tx<{ read: number }[]>`
          select (private.list_mass_messages() -> 'messages' -> 0 ->> 'read')::integer as read`
        return row?.read
      })
    expect(await readCount()).toBe(0)
    for (const fan of [reader, blocker])
      await runAs(fan, (tx) => tx`select private.mark_conversation_read(${creator.id})`)
    expect(await readCount()).toBe(2)
    await insertBlock(blocker, creator)
    expect(await readCount()).toBe(1)
  })
})
