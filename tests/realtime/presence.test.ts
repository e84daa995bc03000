import { describe, expect, it } from 'vitest'
import {
  connectClient,
  conversationTopic,
  createConversationPartners,
  createRealtimeUser,
  insertMessage,
  newTopic,
  protocolVersions,
  type RecordedChannel,
  RecordedItems,
  recordFirstMessage,
  secretKey,
  type TestClient,
} from './realtime-fixture.ts'

type Change = { kind: 'join' | 'leave' | 'sync'; key: string; count: number }
type Channel = RecordedChannel['channel']

/** Subscribes to a channel with presence and records its presence changes. */
async function subscribeWithPresence(client: TestClient, topic: string, key: string) {
  const channel: Channel = client.supabase.channel(topic, {
    config: { presence: { key }, private: true },
  })
  const changes = new RecordedItems<Change>()
  channel.on('presence', { event: 'join' }, ({ key, newPresences }) =>
    changes.add({ kind: 'join', key, count: newPresences.length }),
  )
  channel.on('presence', { event: 'leave' }, ({ key, leftPresences }) =>
    changes.add({ kind: 'leave', key, count: leftPresences.length }),
  )
  channel.on('presence', { event: 'sync' }, () => changes.add({ kind: 'sync', key: '', count: 0 }))
  const statuses = new RecordedItems<string>()
  channel.subscribe((status) => statuses.add(status))
  await statuses.waitFor((status) => status === 'SUBSCRIBED')
  return { channel, changes, statuses }
}

describe.each(protocolVersions)('presence with protocol %s', (vsn) => {
  it('shows who joins, who is already present and who leaves', async () => {
    const topic = newTopic()
    const ada = await subscribeWithPresence(await connectClient(vsn, secretKey), topic, 'ada')
    expect(await ada.channel.track({ mood: 'happy' })).toBe('ok')
    await ada.changes.waitFor(({ kind, key }) => kind === 'join' && key === 'ada')

    const benClient = await connectClient(vsn, secretKey)
    const ben = await subscribeWithPresence(benClient, topic, 'ben')
    await ben.changes.waitFor(({ kind }) => kind === 'sync')
    expect(ben.channel.presenceState()).toMatchObject({ ada: [{ mood: 'happy' }] })

    await ben.channel.track({ mood: 'new' })
    await ada.changes.waitFor(({ kind, key }) => kind === 'join' && key === 'ben')
    expect(Object.keys(ada.channel.presenceState()).sort()).toEqual(['ada', 'ben'])

    await ben.channel.untrack()
    await ada.changes.waitFor(({ kind, key }) => kind === 'leave' && key === 'ben')
    expect(Object.keys(ada.channel.presenceState())).toEqual(['ada'])
  })

  it('replaces the payload when a user tracks again', async () => {
    const topic = newTopic()
    const ada = await subscribeWithPresence(await connectClient(vsn, secretKey), topic, 'ada')
    const ben = await subscribeWithPresence(await connectClient(vsn, secretKey), topic, 'ben')
    await ada.channel.track({ mood: 'happy' })
    await ben.changes.waitFor(({ kind, key }) => kind === 'join' && key === 'ada')
    await ada.channel.track({ mood: 'tired' })
    await ben.changes.waitFor(({ kind, key }) => kind === 'leave' && key === 'ada')
    expect(ben.channel.presenceState()).toMatchObject({ ada: [{ mood: 'tired' }] })
    expect(ben.channel.presenceState().ada).toHaveLength(1)
  })

  it('counts two tabs of one user, and removes a closed tab', async () => {
    const topic = newTopic()
    const watcher = await subscribeWithPresence(await connectClient(vsn, secretKey), topic, 'watcher')
    const tabs = await Promise.all([connectClient(vsn, secretKey), connectClient(vsn, secretKey)])
    const [first] = await Promise.all(
      tabs.map(async (tab, index) => {
        const { channel } = await subscribeWithPresence(tab, topic, 'ada')
        await channel.track({ tab: index })
        return channel
      }),
    )
    await expect.poll(() => watcher.channel.presenceState().ada?.length).toBe(2)
    await first?.unsubscribe()
    await expect.poll(() => watcher.channel.presenceState().ada?.length).toBe(1)
    // Disconnects without leaving, as a closed browser does.
    await tabs[1]?.supabase.realtime.disconnect()
    await expect.poll(() => watcher.channel.presenceState().ada).toBeUndefined()
  })

  it('lets a user track in a conversation, and rejects tracking on a read-only topic', async () => {
    const [ada, ben] = await createConversationPartners()
    const topic = conversationTopic(ada, ben)
    const adaClient = await connectClient(vsn, await ada.token())
    const adaPresence = await subscribeWithPresence(adaClient, topic, ada.id)
    const benClient = await connectClient(vsn, await ben.token())
    const benPresence = await subscribeWithPresence(benClient, topic, ben.id)
    expect(await adaPresence.channel.track({ at: 1 })).toBe('ok')
    await benPresence.changes.waitFor(({ kind, key }) => kind === 'join' && key === ada.id)
    const own = await subscribeWithPresence(adaClient, `user:${ada.id}`, ada.id)
    expect(await own.channel.track({ at: 2 })).toBe('error')
    expect(own.channel.presenceState()).toEqual({})
  })

  it('shows a user in a conversation only after their first message', async () => {
    const [ada, ben] = await Promise.all([createRealtimeUser(), createRealtimeUser()])
    const topic = conversationTopic(ada, ben)
    await recordFirstMessage(ben, ada)
    const benClient = await connectClient(vsn, await ben.token())
    const benPresence = await subscribeWithPresence(benClient, topic, ben.id)
    const received = new RecordedItems<string>()
    benPresence.channel.on('broadcast', { event: '*' }, ({ event }) => received.add(event))
    const adaClient = await connectClient(vsn, await ada.token())
    const adaPresence = await subscribeWithPresence(adaClient, topic, ada.id)
    const sendTyping = (channel: Channel) => channel.send({ type: 'broadcast', event: 'typing', payload: {} })
    await sendTyping(adaPresence.channel)
    // The server handles a channel's messages in order, so it has dropped the broadcast by the time it replies.
    expect(await adaPresence.channel.track({ at: 1 })).toBe('error')
    expect(await benPresence.channel.track({ at: 1 })).toBe('ok')
    await adaPresence.changes.waitFor(({ kind, key }) => kind === 'join' && key === ben.id)
    expect(Object.keys(benPresence.channel.presenceState())).toEqual([ben.id])
    // Ada's first message gives her write access on the channel that she has already joined.
    await insertMessage(ada, ben)
    await received.waitFor((event) => event === 'access.changed')
    expect(await adaPresence.channel.track({ at: 2 })).toBe('ok')
    await sendTyping(adaPresence.channel)
    await benPresence.changes.waitFor(({ kind, key }) => kind === 'join' && key === ada.id)
    await received.waitFor((event) => event === 'typing')
    expect(received.all).toEqual(['access.changed', 'typing'])
  })

  it('shows a user under their own ID, regardless of the requested key', async () => {
    const [ada, ben] = await createConversationPartners()
    const topic = conversationTopic(ada, ben)
    const adaClient = await connectClient(vsn, await ada.token())
    const adaPresence = await subscribeWithPresence(adaClient, topic, ada.id)
    const benClient = await connectClient(vsn, await ben.token())
    const benPresence = await subscribeWithPresence(benClient, topic, ada.id)
    expect(await benPresence.channel.track({ by: 'ben' })).toBe('ok')
    await adaPresence.changes.waitFor(({ kind }) => kind === 'join')
    expect(adaPresence.channel.presenceState()).toMatchObject({ [ben.id]: [{ by: 'ben' }] })
    expect(Object.keys(adaPresence.channel.presenceState())).toEqual([ben.id])
    expect(await benPresence.channel.untrack()).toBe('ok')
    await adaPresence.changes.waitFor(({ kind, key }) => kind === 'leave' && key === ben.id)
    expect(adaPresence.channel.presenceState()).toEqual({})
  })

  it('rejects a payload over 1 kB and keeps the previous one', async () => {
    const topic = newTopic()
    const watcher = await subscribeWithPresence(await connectClient(vsn, secretKey), topic, 'watcher')
    const { channel } = await subscribeWithPresence(await connectClient(vsn, secretKey), topic, 'ada')
    // `{"text":""}` is 11 bytes long, and each `ü` takes 2.
    const longest = 'ü'.repeat((1000 - 11) / 2)
    expect(await channel.track({ text: longest })).toBe('ok')
    expect(await channel.track({ text: `${longest}ü` })).toBe('error')
    expect(await channel.track({ text: 'x'.repeat(2_500_000) })).toBe('error')
    await expect.poll(() => watcher.channel.presenceState()).toMatchObject({ ada: [{ text: longest }] })
    expect(watcher.channel.presenceState().ada).toHaveLength(1)
  })

  it('closes a channel that tracks more than five times in 30 seconds', async () => {
    const { channel, statuses } = await subscribeWithPresence(
      await connectClient(vsn, secretKey),
      newTopic(),
      'busy',
    )
    for (let n = 0; n < 5; n += 1) expect(await channel.track({ n })).toBe('ok')
    void channel.track({ n: 5 })
    await statuses.waitFor((status) => status === 'CLOSED')
  })
})

describe('presence of one user on many sockets', () => {
  it('shows at most ten sockets, and shows the user until the last socket leaves', async () => {
    const [ada, ben] = await createConversationPartners()
    const topic = conversationTopic(ada, ben)
    const watcher = await subscribeWithPresence(
      await connectClient('2.0.0', await ben.token()),
      topic,
      ben.id,
    )
    const token = await ada.token()
    const tabs = await Promise.all(
      Array.from(
        { length: 12 },
        async () => (await subscribeWithPresence(await connectClient('2.0.0', token), topic, ada.id)).channel,
      ),
    )
    for (const [tab, channel] of tabs.entries()) expect(await channel.track({ tab })).toBe('ok')
    const shownTabs = () => watcher.channel.presenceState<{ tab: number }>()[ada.id]?.map(({ tab }) => tab)
    const tabsUpTo = (last: number, ...excluded: number[]) =>
      Array.from({ length: last + 1 }, (_, tab) => tab).filter((tab) => !excluded.includes(tab))
    await expect.poll(() => shownTabs()?.toSorted((a, b) => a - b)).toEqual(tabsUpTo(9))
    // Tab 1, which is shown, changes its payload. Tab 10, which is not shown yet, leaves, and tab 0 closes.
    expect(await tabs[1]?.track({ tab: 1, at: 2 })).toBe('ok')
    expect(await tabs[10]?.untrack()).toBe('ok')
    expect(await tabs[0]?.unsubscribe()).toBe('ok')
    await expect.poll(() => shownTabs()?.toSorted((a, b) => a - b)).toEqual(tabsUpTo(11, 0, 10))
    await Promise.all(tabs.slice(1, 11).map((channel) => channel.unsubscribe()))
    await expect.poll(shownTabs).toEqual([11])
    expect(await tabs[11]?.unsubscribe()).toBe('ok')
    await expect.poll(shownTabs).toBeUndefined()
  })
})
