import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql, stack } from '../support/stack.ts'
import {
  connectClient,
  conversationTopic,
  createConversationPartners,
  createRealtimeUser,
  insertMessage,
  newTopic,
  openChannel,
  type ProtocolVersion,
  type RealtimeUser,
  type RecordedChannel,
  RecordedItems,
  secretKey,
  sendFromDatabase,
  subscribeToChannel,
  type TestClient,
} from './realtime-fixture.ts'

// Runs the real client against the server. tests/stack/supabase-compatibility.test.ts compares the backticked calls and
// options in the titles with docs/reference/supabase-compatibility.md.

const isError = ({ status }: { status: string }) => status === 'CHANNEL_ERROR'
const isReplayed = ({ meta }: { meta?: object }) => meta !== undefined && 'replayed' in meta

/** Lets all users read and write the topics `shared:…`, as a developer's own policy could. */
beforeAll(async () => {
  await sql`create policy test_shared on realtime.messages for all to authenticated
              using (realtime.topic() like 'shared:%') with check (realtime.topic() like 'shared:%')`
})
afterAll(async () => {
  await sql`drop policy test_shared on realtime.messages`
})

const newSharedTopic = () => newTopic().replace('test:', 'shared:')

async function connectUser(user?: RealtimeUser, vsn: ProtocolVersion = '2.0.0'): Promise<TestClient> {
  return await connectClient(vsn, await (user ?? (await createRealtimeUser())).token())
}

/** Subscribes to a topic and requests a replay of all stored messages, unless the options in `replay` limit it. */
const subscribeWithReplay = (client: TestClient, topic: string, replay = {}): Promise<RecordedChannel> =>
  subscribeToChannel(client, topic, { broadcast: { replay: { since: 0, ...replay } } })

/** Returns the `n` field of the payloads of all broadcasts, except those of `settle`. */
const receivedValues = ({ broadcasts }: RecordedChannel): unknown[] =>
  broadcasts.all
    .filter(({ event }) => event !== 'settled')
    .map(({ payload }) => (payload as { n: unknown }).n)

/** Sends a broadcast and waits until it arrives. By then, everything that was sent earlier has arrived, too. */
async function settle(topic: string, ...channels: RecordedChannel[]): Promise<void> {
  await sendFromDatabase(topic, 'settled', {})
  await Promise.all(channels.map(({ broadcasts }) => broadcasts.waitFor(({ event }) => event === 'settled')))
}

describe('a channel', () => {
  it('is joined with `subscribe` and left with `unsubscribe`, `removeChannel` and `removeAllChannels`', async () => {
    const client = await connectUser()
    const channels = await Promise.all([1, 2, 3].map(() => subscribeToChannel(client, newSharedTopic())))
    expect(client.supabase.getChannels()).toHaveLength(3)
    expect(await channels[0]?.channel.unsubscribe()).toBe('ok')
    expect(await client.supabase.removeChannel(channels[1]?.channel as never)).toBe('ok')
    expect(await client.supabase.removeAllChannels()).toEqual(['ok'])
    expect(client.supabase.getChannels()).toEqual([])
  })

  it('keeps its permissions current with `setAuth`', async () => {
    const [ada, ben] = await Promise.all([createRealtimeUser(), createRealtimeUser()])
    const client = await connectUser(ada)
    const own = await subscribeToChannel(client, `user:${ada.id}`)
    await client.setToken(await ben.token())
    await own.statuses.waitFor(({ status }) => status === 'CLOSED')
  })

  it('delivers what `send` sends, also to the sender with `self`, and acknowledges it with `ack`', async () => {
    const topic = newSharedTopic()
    const reader = await subscribeToChannel(await connectUser(), topic)
    const sender = await subscribeToChannel(await connectUser(), topic, {
      broadcast: { self: true, ack: true },
    })
    expect(await sender.channel.send({ type: 'broadcast', event: 'hi', payload: { n: 1 } })).toBe('ok')
    const bytes = Uint8Array.of(1, 255).buffer
    expect(await sender.channel.send({ type: 'broadcast', event: 'bytes', payload: bytes })).toBe('ok')
    for (const { broadcasts } of [reader, sender]) {
      const [first, second] = await broadcasts.waitForCount(2)
      expect(first).toEqual({ type: 'broadcast', event: 'hi', payload: { n: 1 } })
      expect(new Uint8Array(second?.payload as ArrayBuffer)).toEqual(Uint8Array.of(1, 255))
    }
  })

  it('delivers what `httpSend` sends, and what `send` sends without a subscription', async () => {
    const topic = newSharedTopic()
    const reader = await subscribeToChannel(await connectUser(), topic)
    const { supabase } = await connectUser()
    const channel = supabase.channel(topic, { config: { private: true } })
    expect(await channel.httpSend('http', { n: 1 })).toEqual({ success: true })
    expect(await channel.send({ type: 'broadcast', event: 'batch', payload: { n: 2 } })).toBe('ok')
    await reader.broadcasts.waitForCount(2)
    expect(receivedValues(reader)).toEqual([1, 2])
  })

  it('limits the rate of `httpSend` per user', async () => {
    const topic = newSharedTopic()
    const token = await (await createRealtimeUser()).token()
    const otherToken = await (await createRealtimeUser()).token()
    const messages = Array.from({ length: 100 }, (_, n) => ({
      topic,
      event: 'e',
      payload: { n },
      private: true,
    }))
    const send = async (senderToken: string) => {
      const response = await fetch(`${stack.apiUrl}/realtime/v1/api/broadcast`, {
        method: 'POST',
        headers: { authorization: `Bearer ${senderToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ messages }),
      })
      await response.body?.cancel()
      return response.status
    }
    const statuses = await Promise.all([send(token), send(token), send(token)])
    expect(new Set(statuses)).toEqual(new Set([202, 429]))
    expect(await send(otherToken)).toBe(202)
  })

  it('shows presence with `track`, `untrack` and `presenceState`, under the requested `presence.key`', async () => {
    const topic = newSharedTopic()
    const watcher = (await connectUser()).supabase.channel(topic, { config: { private: true } })
    const changes = new RecordedItems<string>()
    watcher.on('presence', { event: 'join' }, ({ key }) => changes.add(`join ${key}`))
    watcher.on('presence', { event: 'leave' }, ({ key }) => changes.add(`leave ${key}`))
    await new Promise<void>((resolve) => watcher.subscribe((status) => status === 'SUBSCRIBED' && resolve()))
    const { channel } = await subscribeToChannel(await connectUser(), topic, { presence: { key: 'desk' } })
    expect(await channel.track({ mood: 'happy' })).toBe('ok')
    await changes.waitFor((change) => change === 'join desk')
    expect(watcher.presenceState()).toMatchObject({ desk: [{ mood: 'happy' }] })
    expect(await channel.untrack()).toBe('ok')
    await changes.waitFor((change) => change === 'leave desk')
    const { channel: invalid } = await subscribeToChannel(await connectUser(), topic, {
      presence: { key: 'x'.repeat(256) },
    })
    expect(await invalid.track({})).toBe('error')
  })

  it('reports, if `replication_ready` is set, that it receives messages from the database', async () => {
    const { system } = await subscribeToChannel(await connectUser(), newSharedTopic(), {
      broadcast: { replication_ready: true },
    })
    expect(await system.waitForCount(1)).toMatchObject([
      { extension: 'system', status: 'ok', message: 'Replication connection established' },
    ])
  })

  it('is rejected with a reason if it requests `postgres_changes` or is one of the `public channels`', async () => {
    const { supabase } = await connectUser()
    for (const isPrivate of [true, false]) {
      const channel = supabase.channel(newSharedTopic(), { config: { private: isPrivate } })
      channel.on('postgres_changes', { event: '*', schema: 'public', table: 'posts' }, () => undefined)
      const error = await new Promise<Error | undefined>((resolve) => {
        channel.subscribe((status, reason) => status === 'CHANNEL_ERROR' && resolve(reason))
      })
      expect(error?.message).toMatch(
        /^PostgresChangesNotSupported: .* realtime\.broadcast_changes\(\) instead$/,
      )
      await supabase.removeChannel(channel)
    }
    const { statuses } = openChannel(await connectUser(), newSharedTopic(), { private: false })
    expect((await statuses.waitFor(isError)).error).toMatch(/^PrivateOnly: /)
  })

  it('rejects broadcasts that are sent with `persist`', async () => {
    const topic = newSharedTopic()
    const reader = await subscribeToChannel(await connectUser(), topic)
    const { channel } = await subscribeToChannel(await connectUser(), topic, { broadcast: { ack: true } })
    const message = { type: 'broadcast' as const, event: 'e', payload: { n: 1 } }
    expect(await channel.send({ ...message, persist: true })).toMatch(/are not stored/)
    await expect(channel.httpSend('e', { n: 2 }, { persist: { ttl: 60 } })).rejects.toThrow(/are not stored/)
    expect(await channel.send({ ...message, payload: { n: 3 } })).toBe('ok')
    await reader.broadcasts.waitForCount(1)
    expect(receivedValues(reader)).toEqual([3])
  })
})

describe('a message from the database', () => {
  it('contains the row of a trigger that calls `realtime.broadcast_changes`', async () => {
    const topic = newSharedTopic()
    const { broadcasts } = await subscribeToChannel(await connectUser(), topic)
    await sql.begin(async (tx) => {
      await tx.unsafe(`
        create temp table notes (id int, note text) on commit drop;
        create function pg_temp.broadcast_note() returns trigger language plpgsql as $$
        begin
          perform realtime.broadcast_changes(
            '${topic}', tg_op, tg_op, tg_table_name, tg_table_schema, new, old, tg_level);
          return null;
        end $$;
        create trigger broadcast_note after insert or update or delete on notes
          for each row execute function pg_temp.broadcast_note();
        insert into notes values (1, 'new');
        update notes set note = 'edited';
        delete from notes;`)
    })
    const received = await broadcasts.waitForCount(3)
    const [created, edited] = [
      { id: 1, note: 'new' },
      { id: 1, note: 'edited' },
    ]
    const table = { schema: expect.stringMatching(/^pg_temp/), table: 'notes', id: expect.any(String) }
    expect(received.map(({ event, payload }) => [event, payload])).toEqual([
      ['INSERT', { ...table, operation: 'INSERT', record: created, old_record: null }],
      ['UPDATE', { ...table, operation: 'UPDATE', record: edited, old_record: created }],
      ['DELETE', { ...table, operation: 'DELETE', record: null, old_record: edited }],
    ])
  })

  it('is rejected by `realtime.broadcast_changes` for statement triggers and unknown operations', async () => {
    const call = (operation: string, level: string) =>
      sql`select realtime.broadcast_changes('t', 'e', ${operation}, 'x', 'y', row(1), row(2), ${level})`
    await expect(call('INSERT', 'STATEMENT')).rejects.toThrow(/^Failed to process the row: function can only/)
    await expect(call('TRUNCATE', 'ROW')).rejects.toThrow(/Unexpected operation type: TRUNCATE/)
  })

  it('is not sent to a topic if policies that call `realtime.topic` do not let the user write to it', async () => {
    const [ada, ben] = await createConversationPartners()
    const send = (topic: string, role: 'anon' | 'authenticated') =>
      sql.begin(async (tx) => {
        await tx`select set_config('role', ${role}, true), set_config('request.jwt.claims', ${JSON.stringify({
          role,
          ...(role === 'anon' ? {} : { sub: ada.id, session_id: ada.sessionId }),
        })}, true)`
        await tx`select realtime.send('{}', 'text', ${topic}), realtime.send_binary('\\x01', 'bytes', ${topic}),
                   realtime.broadcast_changes(${topic}, 'row', 'INSERT', 'x', 'y', row(1), null)`
      })
    const shared = conversationTopic(ada, ben)
    const forbidden = [`user:${ben.id}`, `user:${ada.id}`, `profile:${ada.id}`, newTopic()]
    for (const topic of forbidden) await send(topic, 'authenticated')
    for (const topic of [...forbidden, shared]) await send(topic, 'anon')
    const storedOn = async (topics: string[]) => {
      const rows = await sql<{ event: string }[]>`
        select event from realtime.messages
        where topic = any(${topics}) and event in ('text', 'bytes', 'row') order by inserted_at`
      return rows.map(({ event }) => event)
    }
    expect(await storedOn([...forbidden, shared])).toEqual([])
    await send(shared, 'authenticated')
    expect(await storedOn([shared])).toEqual(['text', 'bytes', 'row'])
  })

  it('has the text of `realtime.send`, or the bytes of `realtime.send_binary` with protocol 2.0.0', async () => {
    const topic = newSharedTopic()
    const [old, current] = await Promise.all([
      subscribeToChannel(await connectUser(undefined, '1.0.0'), topic),
      subscribeToChannel(await connectUser(), topic),
    ])
    await sql`select realtime.send('{"n": 1}', 'text', ${topic}),
                realtime.send_binary('\\xdead00ff', 'bytes', ${topic}),
                realtime.send_binary('\\x01', repeat('e', 300), ${topic}),
                realtime.send_binary('\\x01', 'public', ${topic}, false)`
    await settle(topic, old, current)
    expect(receivedValues(old)).toEqual([1])
    expect(current.broadcasts.all.map(({ event }) => event)).toEqual(['text', 'bytes', 'settled'])
    const bytes = current.broadcasts.all[1]
    expect(new Uint8Array(bytes?.payload as ArrayBuffer)).toEqual(Uint8Array.of(0xde, 0xad, 0, 0xff))
    expect(bytes?.meta).toEqual({ id: expect.any(String) })
  })
})

describe('a channel that replays messages', () => {
  it('receives the last messages of the topic in order with `replay`, at most 25', async () => {
    const topic = newSharedTopic()
    await sql`select realtime.send(jsonb_build_object('n', n), 'stored', ${topic}) from generate_series(1, 30) n`
    const last = await subscribeWithReplay(await connectUser(), topic, { limit: 3 })
    await last.broadcasts.waitForCount(3)
    expect(receivedValues(last)).toEqual([28, 29, 30])
    expect(last.broadcasts.all[0]).toEqual({
      type: 'broadcast',
      event: 'stored',
      payload: { n: 28, id: expect.any(String) },
      meta: { id: last.broadcasts.all[0]?.meta?.id, replayed: true },
    })
    const all = await subscribeWithReplay(await connectUser(), topic, { limit: 1_000 })
    await settle(topic, all)
    expect(receivedValues(all)).toEqual(Array.from({ length: 25 }, (_, index) => index + 6))
  })

  it('replays at most 3 MB, and no messages that were sent before the requested time, are older than 72 hours or belong to public channels', async () => {
    const topic = newSharedTopic()
    await sql`select realtime.send('{"n": "expired"}', 'stored', ${topic})`
    await sql`update realtime.messages set inserted_at = localtimestamp - interval '73 hours' where topic = ${topic}`
    await sql`select realtime.send(jsonb_build_object('n', 'large', 'text', repeat('x', 2999900)), 'stored', ${topic})`
    await sql`select realtime.send('{"n": "old"}', 'stored', ${topic}), realtime.send('{}', 'public', ${topic}, false)`
    const [row] = await sql<
      { since: number }[]
    >`select extract(epoch from clock_timestamp())::float8 * 1000 as since`
    const since = Math.ceil(row?.since ?? 0) + 1
    await sql`select pg_sleep(0.01), realtime.send('{"n": "new"}', 'stored', ${topic})`
    const recent = await subscribeWithReplay(await connectUser(), topic, { since })
    const all = await subscribeWithReplay(await connectUser(), topic)
    await settle(topic, recent, all)
    expect(receivedValues(recent)).toEqual(['new'])
    expect(receivedValues(all)).toEqual(['old', 'new'])
  })

  it('receives bytes with protocol 2.0.0', async () => {
    const topic = newSharedTopic()
    await sql`select realtime.send_binary('\\xbeef', 'bytes', ${topic}), realtime.send('{"n": 2}', 'text', ${topic})`
    const current = await subscribeWithReplay(await connectUser(), topic)
    const old = await subscribeWithReplay(await connectUser(undefined, '1.0.0'), topic)
    await settle(topic, old)
    expect(receivedValues(old)).toEqual([2])
    const [bytes] = await current.broadcasts.waitForCount(2)
    expect(new Uint8Array(bytes?.payload as ArrayBuffer)).toEqual(Uint8Array.of(0xbe, 0xef))
    expect(bytes?.meta).toEqual({ id: expect.any(String), replayed: true })
  })

  it('neither misses nor repeats a message that is sent while it joins', async () => {
    const topic = newSharedTopic()
    const clients = await Promise.all(Array.from({ length: 8 }, () => connectClient('2.0.0', secretKey)))
    let last = 0
    let isJoining = true
    const send = async () => {
      while (isJoining || last < 20) {
        last += 1
        await sendFromDatabase(topic, 'counted', { n: last })
      }
    }
    const sending = send()
    const channels = await Promise.all(
      clients.map(async (client, index) => {
        while (last < index + 2) await new Promise((resolve) => setTimeout(resolve, 1))
        return await subscribeWithReplay(client, topic, index % 2 === 0 ? {} : { limit: 1 })
      }),
    )
    isJoining = false
    await sending
    for (const recorded of channels) {
      await recorded.broadcasts.waitFor(({ payload }) => (payload as { n: number }).n === last)
      const received = receivedValues(recorded) as number[]
      const first = received[0] ?? 0
      expect(received).toEqual(Array.from({ length: last - first + 1 }, (_, index) => first + index))
    }
    expect(channels.some(({ broadcasts }) => broadcasts.all.some(isReplayed))).toBe(true)
  })

  it('is rejected for visitors, strangers, blocked users and ended sessions', async () => {
    const [[ada, ben], stranger] = await Promise.all([createConversationPartners(), createRealtimeUser()])
    const [own, shared] = [`user:${ada.id}`, conversationTopic(ada, ben)]
    await sendFromDatabase(own, 'profile.changed', { n: 1 })
    const expectRefused = async (token: string, topic: string, error = /^Unauthorized: /) => {
      const client = await connectClient('2.0.0', token)
      const recorded = openChannel(client, topic, { broadcast: { replay: { since: 0 } } })
      expect((await recorded.statuses.waitFor(isError)).error).toMatch(error)
      expect(recorded.broadcasts.all).toEqual([])
    }
    for (const caller of [await stranger.token(), stack.publishableKey]) {
      for (const topic of [own, shared]) await expectRefused(caller, topic)
    }
    await expectRefused(await ben.token(), own)
    await subscribeWithReplay(await connectUser(ben), shared)
    await sql`insert into public.blocks (blocker_id, blocked_id) values (${ada.id}, ${ben.id})`
    await expectRefused(await ben.token(), shared)
    const token = await ada.token()
    const before = await subscribeWithReplay(await connectClient('2.0.0', token), own)
    await before.broadcasts.waitForCount(1)
    await sql`delete from auth.sessions where id = ${ada.sessionId}`
    // Either the policy rejects the channel, or the server has already closed the ended session's sockets.
    await expectRefused(token, own, /^Unauthorized: |^socket closed: 4401 /)
  })

  it('replays app events only on the user’s own topic, and only the permitted events there', async () => {
    const [ada, ben] = await createConversationPartners()
    const [post] = await sql<{ id: string }[]>`
      insert into public.posts (author_id, content) values (${ada.id}, 'hello') returning id`
    await sql`update public.posts set content = 'edited' where id = ${post?.id ?? null}`
    await insertMessage(ada, ben)
    await sendFromDatabase(conversationTopic(ada, ben), 'access.changed', {})
    await sendFromDatabase(`user:${ben.id}`, 'future.event', {})
    const topics = [`post:${post?.id}`, `profile:${ada.id}`, conversationTopic(ada, ben), `user:${ben.id}`]
    const replayed: string[][] = []
    for (const topic of topics) {
      expect(await sql`select from realtime.messages where topic = ${topic}`).not.toHaveLength(0)
      const recorded = await subscribeWithReplay(await connectUser(ben), topic)
      await settle(topic, recorded)
      replayed.push(recorded.broadcasts.all.filter(isReplayed).map(({ event }) => event))
    }
    const ownEvents = replayed.pop()
    expect(ownEvents).toContain('notification.created')
    expect(ownEvents).not.toContain('message.created')
    expect(ownEvents).not.toContain('future.event')
    expect(replayed).toEqual([[], [], []])
  })

  it('is rejected if the replay options are invalid', async () => {
    const client = await connectUser()
    for (const replay of [
      { since: 'today' },
      { since: 1.5 },
      { since: 1e300 },
      { since: 0, limit: 'all' },
      true,
    ]) {
      const config = { broadcast: { replay: replay as never } }
      const { channel, statuses } = openChannel(client, newSharedTopic(), config)
      const { error } = await statuses.waitFor(isError)
      expect(error).toBe('UnableToReplayMessages: Replay params are not valid')
      await client.supabase.removeChannel(channel)
    }
  })
})
