import { describe, expect, it } from 'vitest'
import {
  connect,
  conversationTopic,
  createPerson,
  createTalkers,
  Heard,
  haveWritten,
  type Listening,
  newTopic,
  operator,
  type TestClient,
  versions,
  write,
} from './support.ts'

type Change = { kind: 'join' | 'leave' | 'sync'; key: string; count: number }
type Present = Listening['channel']

/** Joins with presence and records who comes and goes. */
async function present(client: TestClient, topic: string, key: string) {
  const channel: Present = client.supabase.channel(topic, {
    config: { presence: { key }, private: true },
  })
  const changes = new Heard<Change>()
  channel.on('presence', { event: 'join' }, ({ key, newPresences }) =>
    changes.add({ kind: 'join', key, count: newPresences.length }),
  )
  channel.on('presence', { event: 'leave' }, ({ key, leftPresences }) =>
    changes.add({ kind: 'leave', key, count: leftPresences.length }),
  )
  channel.on('presence', { event: 'sync' }, () => changes.add({ kind: 'sync', key: '', count: 0 }))
  const statuses = new Heard<string>()
  channel.subscribe((status) => statuses.add(status))
  await statuses.until((status) => status === 'SUBSCRIBED')
  return { channel, changes, statuses }
}

describe.each(versions)('presence with protocol %s', (vsn) => {
  it('shows who comes, who is there already and who goes', async () => {
    const topic = newTopic()
    const ada = await present(await connect(vsn, operator), topic, 'ada')
    expect(await ada.channel.track({ mood: 'happy' })).toBe('ok')
    await ada.changes.until(({ kind, key }) => kind === 'join' && key === 'ada')

    const benClient = await connect(vsn, operator)
    const ben = await present(benClient, topic, 'ben')
    await ben.changes.until(({ kind }) => kind === 'sync')
    expect(ben.channel.presenceState()).toMatchObject({ ada: [{ mood: 'happy' }] })

    await ben.channel.track({ mood: 'new' })
    await ada.changes.until(({ kind, key }) => kind === 'join' && key === 'ben')
    expect(Object.keys(ada.channel.presenceState()).sort()).toEqual(['ada', 'ben'])

    await ben.channel.untrack()
    await ada.changes.until(({ kind, key }) => kind === 'leave' && key === 'ben')
    expect(Object.keys(ada.channel.presenceState())).toEqual(['ada'])
  })

  it('changes what somebody said about themselves', async () => {
    const topic = newTopic()
    const ada = await present(await connect(vsn, operator), topic, 'ada')
    const ben = await present(await connect(vsn, operator), topic, 'ben')
    await ada.channel.track({ mood: 'happy' })
    await ben.changes.until(({ kind, key }) => kind === 'join' && key === 'ada')
    await ada.channel.track({ mood: 'tired' })
    await ben.changes.until(({ kind, key }) => kind === 'leave' && key === 'ada')
    expect(ben.channel.presenceState()).toMatchObject({ ada: [{ mood: 'tired' }] })
    expect(ben.channel.presenceState().ada).toHaveLength(1)
  })

  it('counts two tabs of one person and notices each that closes', async () => {
    const topic = newTopic()
    const watcher = await present(await connect(vsn, operator), topic, 'watcher')
    const tabs = await Promise.all([connect(vsn, operator), connect(vsn, operator)])
    const [first] = await Promise.all(
      tabs.map(async (tab, index) => {
        const { channel } = await present(tab, topic, 'ada')
        await channel.track({ tab: index })
        return channel
      }),
    )
    await expect.poll(() => watcher.channel.presenceState().ada?.length).toBe(2)
    await first?.unsubscribe()
    await expect.poll(() => watcher.channel.presenceState().ada?.length).toBe(1)
    // Without a word, as when a browser is closed.
    await tabs[1]?.supabase.realtime.disconnect()
    await expect.poll(() => watcher.channel.presenceState().ada).toBeUndefined()
  })

  it('follows the policies: two people see each other, and nobody tracks where only reading is allowed', async () => {
    const [ada, ben] = await createTalkers()
    const topic = conversationTopic(ada, ben)
    const a = await connect(vsn, await ada.token())
    const one = await present(a, topic, ada.id)
    const two = await present(await connect(vsn, await ben.token()), topic, ben.id)
    expect(await one.channel.track({ at: 1 })).toBe('ok')
    await two.changes.until(({ kind, key }) => kind === 'join' && key === ada.id)
    const own = await present(a, `user:${ada.id}`, ada.id)
    expect(await own.channel.track({ at: 2 })).toBe('error')
    expect(own.channel.presenceState()).toEqual({})
  })

  it('shows who has written in the conversation, and nobody else by keeping it open', async () => {
    const [ada, ben] = await Promise.all([createPerson(), createPerson()])
    const topic = conversationTopic(ada, ben)
    await haveWritten(ben, ada)
    const stranger = await connect(vsn, await ben.token())
    const two = await present(stranger, topic, ben.id)
    const heard = new Heard<string>()
    two.channel.on('broadcast', { event: '*' }, ({ event }) => heard.add(event))
    const one = await present(await connect(vsn, await ada.token()), topic, ada.id)
    const typing = (by: Present) => by.send({ type: 'broadcast', event: 'typing', payload: {} })
    expect(await one.channel.track({ at: 1 })).toBe('error')
    await typing(one.channel)
    expect(await two.channel.track({ at: 1 })).toBe('ok')
    await one.changes.until(({ kind, key }) => kind === 'join' && key === ben.id)
    expect(Object.keys(two.channel.presenceState())).toEqual([ben.id])
    // With her first message, where she is.
    await write(ada, ben)
    await heard.until((event) => event === 'access.changed')
    expect(await one.channel.track({ at: 2 })).toBe('ok')
    await typing(one.channel)
    await two.changes.until(({ kind, key }) => kind === 'join' && key === ada.id)
    await heard.until((event) => event === 'typing')
    expect(heard.all).toEqual(['access.changed', 'typing'])
  })

  it('shows a person under their own id, whatever key they ask for', async () => {
    const [ada, ben] = await createTalkers()
    const topic = conversationTopic(ada, ben)
    const one = await present(await connect(vsn, await ada.token()), topic, ada.id)
    const two = await present(await connect(vsn, await ben.token()), topic, ada.id)
    expect(await two.channel.track({ by: 'ben' })).toBe('ok')
    await one.changes.until(({ kind }) => kind === 'join')
    expect(one.channel.presenceState()).toMatchObject({ [ben.id]: [{ by: 'ben' }] })
    expect(Object.keys(one.channel.presenceState())).toEqual([ben.id])
    expect(await two.channel.untrack()).toBe('ok')
    await one.changes.until(({ kind, key }) => kind === 'leave' && key === ben.id)
    expect(one.channel.presenceState()).toEqual({})
  })

  it('refuses to keep more than 1 kB of somebody, and keeps what they said before', async () => {
    const topic = newTopic()
    const watcher = await present(await connect(vsn, operator), topic, 'watcher')
    const { channel } = await present(await connect(vsn, operator), topic, 'ada')
    // `{"text":"…"}` around two bytes a letter.
    const most = 'ü'.repeat((1000 - 11) / 2)
    expect(await channel.track({ text: most })).toBe('ok')
    expect(await channel.track({ text: `${most}ü` })).toBe('error')
    expect(await channel.track({ text: 'x'.repeat(2_500_000) })).toBe('error')
    await expect.poll(() => watcher.channel.presenceState()).toMatchObject({ ada: [{ text: most }] })
    expect(watcher.channel.presenceState().ada).toHaveLength(1)
  })

  it('closes a channel that tracks more often than upstream allows', async () => {
    const { channel, statuses } = await present(await connect(vsn, operator), newTopic(), 'busy')
    for (let n = 0; n < 5; n += 1) expect(await channel.track({ n })).toBe('ok')
    void channel.track({ n: 5 })
    await statuses.until((status) => status === 'CLOSED')
  })
})

it('is shown for ten sockets of one key, and for as long as any of more is there', async () => {
  const [ada, ben] = await createTalkers()
  const topic = conversationTopic(ada, ben)
  const watcher = await present(await connect('2.0.0', await ben.token()), topic, ben.id)
  const token = await ada.token()
  const tabs = await Promise.all(
    Array.from(
      { length: 12 },
      async () => (await present(await connect('2.0.0', token), topic, ada.id)).channel,
    ),
  )
  for (const [tab, channel] of tabs.entries()) expect(await channel.track({ tab })).toBe('ok')
  const shown = () => watcher.channel.presenceState<{ tab: number }>()[ada.id]?.map(({ tab }) => tab)
  const to = (last: number, ...without: number[]) =>
    Array.from({ length: last + 1 }, (_, tab) => tab).filter((tab) => !without.includes(tab))
  await expect.poll(() => shown()?.toSorted((a, b) => a - b)).toEqual(to(9))
  // Who is present already may still say something else, and who waits may go.
  expect(await tabs[1]?.track({ tab: 1, at: 2 })).toBe('ok')
  expect(await tabs[10]?.untrack()).toBe('ok')
  expect(await tabs[0]?.unsubscribe()).toBe('ok')
  await expect.poll(() => shown()?.toSorted((a, b) => a - b)).toEqual(to(11, 0, 10))
  await Promise.all(tabs.slice(1, 11).map((channel) => channel.unsubscribe()))
  await expect.poll(shown).toEqual([11])
  expect(await tabs[11]?.unsubscribe()).toBe('ok')
  await expect.poll(shown).toBeUndefined()
})
