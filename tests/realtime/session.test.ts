import { describe, expect, it } from 'vitest'
import {
  connect,
  conversationTopic,
  createPerson,
  createTalkers,
  listen,
  sendFromDatabase,
  sleep,
  sql,
  stack,
  subscribed,
  versions,
} from './support.ts'

const closed = ({ status }: { status: string }) => status === 'CLOSED'

describe.each(versions)('tokens with protocol %s', (vsn) => {
  it('closes the channel when the token expires, with the reason', async () => {
    const ada = await createPerson()
    const client = await connect(vsn, await ada.token(2))
    const own = await subscribed(client, `user:${ada.id}`)
    const system = await own.system.until(({ status }) => status === 'error')
    expect(system.message).toMatch(/^Token has expired \d seconds ago$/)
    await own.statuses.until(closed)
  })

  it('goes on when the token is refreshed in time', async () => {
    const ada = await createPerson()
    const client = await connect(vsn, await ada.token(2))
    const own = await subscribed(client, `user:${ada.id}`)
    await client.use(await ada.token(600))
    await sleep(2_500)
    await sendFromDatabase(`user:${ada.id}`, 'still', {})
    await own.broadcasts.until(({ event }) => event === 'still')
    expect(own.statuses.all).toEqual([{ status: 'SUBSCRIBED', error: undefined }])
  })

  it('closes the channel when the new token may not read it', async () => {
    const [ada, ben] = await Promise.all([createPerson(), createPerson()])
    const client = await connect(vsn, await ada.token())
    const own = await subscribed(client, `user:${ada.id}`)
    await client.use(await ben.token())
    const system = await own.system.until(({ status }) => status === 'error')
    expect(system.message).toBe(
      `You no longer have permission to read from this Channel topic: user:${ada.id}`,
    )
    await own.statuses.until(closed)
  })

  it('closes the channel when the new token is no token', async () => {
    const ada = await createPerson()
    const client = await connect(vsn, await ada.token())
    const own = await subscribed(client, `user:${ada.id}`)
    await client.use('nonsense')
    const system = await own.system.until(({ status }) => status === 'error')
    expect(system.message).toBe('The token provided is not a valid JWT')
    await own.statuses.until(closed)
  })

  it('passes over the publishable key that the client sends by itself', async () => {
    const ada = await createPerson()
    const client = await connect(vsn, await ada.token())
    const own = await subscribed(client, `user:${ada.id}`)
    await client.use(stack.publishableKey)
    await sleep(200)
    await sendFromDatabase(`user:${ada.id}`, 'still', {})
    await own.broadcasts.until(({ event }) => event === 'still')
  })
})

describe.each(versions)('ended sessions with protocol %s', (vsn) => {
  it('closes at once what a deleted session has open, and no other', async () => {
    const ada = await createPerson()
    const ended = await subscribed(await connect(vsn, await ada.token()), `user:${ada.id}`)
    const other = await ada.newSession()
    const kept = await subscribed(await connect(vsn, await other.token()), `user:${ada.id}`)
    await sql`delete from auth.sessions where id = ${ada.sessionId}`
    await ended.statuses.until(closed, 1_000)
    expect(ended.system.all.map(({ message }) => message)).toEqual(['The session has ended'])
    await sendFromDatabase(`user:${ada.id}`, 'after', {})
    await kept.broadcasts.until(({ event }) => event === 'after')
    expect(ended.broadcasts.all).toEqual([])
  })

  it('refuses the token of a deleted session, though its signature is remembered', async () => {
    const ada = await createPerson()
    const token = await ada.token()
    const first = await subscribed(await connect(vsn, token), `user:${ada.id}`)
    await sql`delete from auth.sessions where id = ${ada.sessionId}`
    await first.statuses.until(closed)
    const again = listen(await connect(vsn, token), `user:${ada.id}`)
    const { error } = await again.statuses.until(({ status }) => status === 'CHANNEL_ERROR')
    expect(error).toContain('You do not have permissions to read from this Channel topic')
  })

  it('closes at once what a deleted account has open', async () => {
    const ada = await createPerson()
    const own = await subscribed(await connect(vsn, await ada.token()), `user:${ada.id}`)
    await sql`delete from auth.users where id = ${ada.id}`
    await own.statuses.until(closed, 1_000)
  })
})

describe.each(versions)('changed access with protocol %s', (vsn) => {
  it('closes a conversation the moment one blocks the other', async () => {
    const [ada, ben] = await createTalkers()
    const topic = conversationTopic(ada, ben)
    const config = { broadcast: { ack: true } }
    const one = await subscribed(await connect(vsn, await ada.token()), topic, config)
    const two = await subscribed(await connect(vsn, await ben.token()), topic, config)
    const typing = { type: 'broadcast' as const, event: 'typing', payload: {} }
    expect(await two.channel.send(typing)).toBe('ok')
    await sql`insert into public.blocks (blocker_id, blocked_id) values (${ada.id}, ${ben.id})`
    await Promise.all([one.statuses.until(closed, 1_000), two.statuses.until(closed, 1_000)])
    const words = `You no longer have permission to read from this Channel topic: ${topic}`
    expect(two.system.all.map(({ message }) => message)).toEqual([words])
    expect(two.broadcasts.all).toEqual([])
  })

  it('closes the conversations of somebody who becomes read-only, on their side', async () => {
    const [ada, ben] = await createTalkers()
    const topic = conversationTopic(ada, ben)
    const one = await subscribed(await connect(vsn, await ada.token()), topic)
    const two = await subscribed(await connect(vsn, await ben.token()), topic)
    await sql`update public.accounts set read_only_reason = 'under age' where user_id = ${ada.id}`
    await one.statuses.until(closed, 1_000)
    await two.broadcasts.until(({ event }) => event === 'access.changed')
    expect(two.statuses.all).toEqual([{ status: 'SUBSCRIBED', error: undefined }])
  })

  it('delivers the event, and what comes after it, in order to those who may still read', async () => {
    const [ada, ben] = await createTalkers()
    const topic = conversationTopic(ada, ben)
    const one = await subscribed(await connect(vsn, await ada.token()), topic)
    await sql`
      select realtime.send('{}', event, ${topic}, true)
      from unnest(array['before', 'access.changed', 'between', 'access.changed', 'after']) as event`
    const heard = await one.broadcasts.count(5)
    const events = ['before', 'access.changed', 'between', 'access.changed', 'after']
    expect(heard.map(({ event }) => event)).toEqual(events)
    expect(one.statuses.all).toEqual([{ status: 'SUBSCRIBED', error: undefined }])
  })
})
