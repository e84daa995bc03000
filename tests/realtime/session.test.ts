import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { sql, stack } from '../support/stack.ts'
import {
  connectClient,
  conversationTopic,
  createConversationPartners,
  createRealtimeUser,
  openChannel,
  protocolVersions,
  sendFromDatabase,
  subscribeToChannel,
} from './realtime-fixture.ts'

const isClosed = ({ status }: { status: string }) => status === 'CLOSED'

describe.each(protocolVersions)('a channel with protocol %s', (vsn) => {
  it('is closed with a reason when its token expires', async () => {
    const ada = await createRealtimeUser()
    const client = await connectClient(vsn, await ada.token(2))
    const own = await subscribeToChannel(client, `user:${ada.id}`)
    const system = await own.system.waitFor(({ status }) => status === 'error')
    expect(system.message).toMatch(/^Token has expired \d seconds ago$/)
    await own.statuses.waitFor(isClosed)
  })

  it('stays open when its token is refreshed in time', async () => {
    const ada = await createRealtimeUser()
    const client = await connectClient(vsn, await ada.token(2))
    const own = await subscribeToChannel(client, `user:${ada.id}`)
    await client.setToken(await ada.token(600))
    await sleep(2_500)
    await sendFromDatabase(`user:${ada.id}`, 'still', {})
    await own.broadcasts.waitFor(({ event }) => event === 'still')
    expect(own.statuses.all).toEqual([{ status: 'SUBSCRIBED', error: undefined }])
  })

  it('is closed when its new token belongs to a user without access', async () => {
    const [ada, ben] = await Promise.all([createRealtimeUser(), createRealtimeUser()])
    const client = await connectClient(vsn, await ada.token())
    const own = await subscribeToChannel(client, `user:${ada.id}`)
    await client.setToken(await ben.token())
    const system = await own.system.waitFor(({ status }) => status === 'error')
    expect(system.message).toBe(
      `You no longer have permission to read from this Channel topic: user:${ada.id}`,
    )
    await own.statuses.waitFor(isClosed)
  })

  it('is closed when its new token is malformed', async () => {
    const ada = await createRealtimeUser()
    const client = await connectClient(vsn, await ada.token())
    const own = await subscribeToChannel(client, `user:${ada.id}`)
    await client.setToken('nonsense')
    const system = await own.system.waitFor(({ status }) => status === 'error')
    expect(system.message).toBe('The token provided is not a valid JWT')
    await own.statuses.waitFor(isClosed)
  })

  it('ignores the publishable key that the client sends automatically', async () => {
    const ada = await createRealtimeUser()
    const client = await connectClient(vsn, await ada.token())
    const own = await subscribeToChannel(client, `user:${ada.id}`)
    await client.setToken(stack.publishableKey)
    await sleep(200)
    await sendFromDatabase(`user:${ada.id}`, 'still', {})
    await own.broadcasts.waitFor(({ event }) => event === 'still')
  })
})

describe.each(protocolVersions)('an ended session with protocol %s', (vsn) => {
  it('loses its channels immediately, while other sessions keep theirs', async () => {
    const ada = await createRealtimeUser()
    const ended = await subscribeToChannel(await connectClient(vsn, await ada.token()), `user:${ada.id}`)
    const other = await ada.newSession()
    const kept = await subscribeToChannel(await connectClient(vsn, await other.token()), `user:${ada.id}`)
    await sql`delete from auth.sessions where id = ${ada.sessionId}`
    await ended.statuses.waitFor(isClosed, 1_000)
    expect(ended.system.all.map(({ message }) => message)).toEqual(['The session has ended'])
    await sendFromDatabase(`user:${ada.id}`, 'after', {})
    await kept.broadcasts.waitFor(({ event }) => event === 'after')
    expect(ended.broadcasts.all).toEqual([])
  })

  it('has its token rejected, even if the token is cached', async () => {
    const ada = await createRealtimeUser()
    const token = await ada.token()
    const first = await subscribeToChannel(await connectClient(vsn, token), `user:${ada.id}`)
    await sql`delete from auth.sessions where id = ${ada.sessionId}`
    await first.statuses.waitFor(isClosed)
    const again = openChannel(await connectClient(vsn, token), `user:${ada.id}`)
    const { error } = await again.statuses.waitFor(({ status }) => status === 'CHANNEL_ERROR')
    expect(error).toContain('You do not have permissions to read from this Channel topic')
  })

  it('loses its channels immediately when the account is deleted', async () => {
    const ada = await createRealtimeUser()
    const own = await subscribeToChannel(await connectClient(vsn, await ada.token()), `user:${ada.id}`)
    await sql`delete from auth.users where id = ${ada.id}`
    await own.statuses.waitFor(isClosed, 1_000)
  })
})

describe.each(protocolVersions)('a change of access with protocol %s', (vsn) => {
  it('closes a conversation’s channels when one user blocks the other', async () => {
    const [ada, ben] = await createConversationPartners()
    const topic = conversationTopic(ada, ben)
    const config = { broadcast: { ack: true } }
    const adaChannel = await subscribeToChannel(await connectClient(vsn, await ada.token()), topic, config)
    const benChannel = await subscribeToChannel(await connectClient(vsn, await ben.token()), topic, config)
    const typing = { type: 'broadcast' as const, event: 'typing', payload: {} }
    expect(await benChannel.channel.send(typing)).toBe('ok')
    await sql`insert into public.blocks (blocker_id, blocked_id) values (${ada.id}, ${ben.id})`
    await Promise.all([adaChannel, benChannel].map(({ statuses }) => statuses.waitFor(isClosed, 1_000)))
    const message = `You no longer have permission to read from this Channel topic: ${topic}`
    expect(benChannel.system.all.map(({ message }) => message)).toEqual([message])
    expect(benChannel.broadcasts.all).toEqual([])
  })

  it('closes only the channel of the user who becomes read-only', async () => {
    const [ada, ben] = await createConversationPartners()
    const topic = conversationTopic(ada, ben)
    const adaChannel = await subscribeToChannel(await connectClient(vsn, await ada.token()), topic)
    const benChannel = await subscribeToChannel(await connectClient(vsn, await ben.token()), topic)
    await sql`update public.accounts set read_only_reason = 'under age' where user_id = ${ada.id}`
    await adaChannel.statuses.waitFor(isClosed, 1_000)
    await benChannel.broadcasts.waitFor(({ event }) => event === 'access.changed')
    expect(benChannel.statuses.all).toEqual([{ status: 'SUBSCRIBED', error: undefined }])
  })

  it('delivers access.changed and later events, in order, to users who keep access', async () => {
    const [ada, ben] = await createConversationPartners()
    const topic = conversationTopic(ada, ben)
    const adaChannel = await subscribeToChannel(await connectClient(vsn, await ada.token()), topic)
    await sql`
      select realtime.send('{}', event, ${topic}, true)
      from unnest(array['before', 'access.changed', 'between', 'access.changed', 'after']) as event`
    const received = await adaChannel.broadcasts.waitForCount(5)
    const events = ['before', 'access.changed', 'between', 'access.changed', 'after']
    expect(received.map(({ event }) => event)).toEqual(events)
    expect(adaChannel.statuses.all).toEqual([{ status: 'SUBSCRIBED', error: undefined }])
  })

  it('closes the channels of a post or profile only for users who can no longer see it', async () => {
    const [ada, ben] = await Promise.all([createRealtimeUser(), createRealtimeUser()])
    const [post] = await sql<{ id: string }[]>`
      insert into public.posts (author_id, content) values (${ada.id}, 'Hello') returning id`
    const adaClient = await connectClient(vsn, await ada.token())
    const benClient = await connectClient(vsn, await ben.token())
    const topics = [`post:${post?.id}`, `profile:${ada.id}`]
    const join = (client: typeof adaClient) =>
      Promise.all(topics.map((topic) => subscribeToChannel(client, topic)))
    const ownChannels = await join(adaClient)
    const changes = [
      () => sql`insert into public.blocks (blocker_id, blocked_id) values (${ada.id}, ${ben.id})`,
      () => sql`update public.profiles set visibility = 'private' where id = ${ada.id}`,
    ]
    for (const change of changes) {
      const channels = await join(benClient)
      await change()
      await Promise.all(channels.map(({ statuses }) => statuses.waitFor(isClosed, 1_000)))
      await sql`delete from public.blocks where blocker_id = ${ada.id}`
    }
    await sql`update public.posts set likes_count = 1 where id = ${post?.id ?? ''}`
    await ownChannels[0]?.broadcasts.waitFor(({ event }) => event === 'likes.changed')
    expect(ownChannels.map(({ statuses }) => statuses.all.length)).toEqual([1, 1])
    // Only the change of visibility sends `access.changed` on this topic.
    expect(ownChannels[1]?.broadcasts.all.map(({ event }) => event)).toEqual([
      'profile.changed',
      'access.changed',
    ])
  })
})
