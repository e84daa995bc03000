import { WelcomeMessage } from '@contract/mass-message.ts'
import { ChatMessage } from '@contract/message.ts'
import { SubscribeResponse } from '@contract/subscription.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, authorizationHeader, call } from '../support/api.ts'
import { runJob } from '../support/run-job.ts'
import { sql } from '../support/stack.ts'
import { createUser, createUsers, makeCreator, type TestUser } from '../support/users.ts'

let creator: TestUser
let stranger: TestUser
const path = '/api/messages/welcome'

const read = async (user: TestUser) => (await apiAs(user).get(path, WelcomeMessage)).body
const save = (content: string) => apiAs(creator).put(path, WelcomeMessage, { content })
const listMessages = async (user: TestUser) =>
  (await apiAs(user).get(`/api/messages/${creator.id}`, z.array(ChatMessage))).body

beforeAll(async () => {
  ;({ creator, stranger } = await createUsers('creator', 'stranger'))
  await makeCreator(creator)
})

describe('the welcome message', () => {
  it('is empty at first, and can be changed and cleared', async () => {
    expect(await read(creator)).toEqual({ content: '' })
    expect((await save('Hello ')).body).toEqual({ content: 'Hello ' })
    expect(await read(creator)).toEqual({ content: 'Hello ' })
    expect((await save(' \n')).body).toEqual({ content: '' })
    expect(await read(creator)).toEqual({ content: '' })
  })

  it('can be changed only by creators, and only to valid text', async () => {
    await save('For subscribers only')
    await apiAs(null).expectError('GET', path, 401)
    await apiAs(null).expectError('PUT', path, 401, { body: { content: 'x' } })
    // The role is checked before the body.
    for (const body of [{ content: 'x' }, {}])
      expect((await apiAs(stranger).expectError('PUT', path, 403, { body })).code).toBe('creators_only')
    for (const body of [{}, { content: null }, { content: 'x'.repeat(5001) }])
      await apiAs(creator).expectError('PUT', path, 400, { body })
    expect(await read(stranger)).toEqual({ content: '' })
    expect(await read(creator)).toEqual({ content: 'For subscribers only' })
  })

  it('is sent once to a new subscriber, even if requests are repeated while the job runs', async () => {
    await save('Thanks for subscribing')
    const fan = await createUser()
    const subscribe = () =>
      call('POST', '/api/subscriptions', {
        headers: authorizationHeader(fan),
        body: { creatorId: creator.id },
      })
    await Promise.all([subscribe(), subscribe(), runJob('mass-messages'), subscribe()])
    await expect.poll(() => listMessages(fan)).toHaveLength(1)
    await Promise.all([subscribe(), runJob('mass-messages')])
    expect(await listMessages(fan)).toMatchObject([
      { content: 'Thanks for subscribing', senderId: creator.id, toSubscribers: false },
    ])
  })

  it('is sent by the job if the API could not send it', async () => {
    await save('From the job')
    const fan = await createUser()
    await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(private.follows_lock_key(${creator.id}))`
      await apiAs(fan).post('/api/subscriptions', SubscribeResponse, { creatorId: creator.id }, 201)
      expect(await runJob('mass-messages')).toMatchObject({ status: 200 })
      expect(await listMessages(fan)).toEqual([])
    })
    expect(await runJob('mass-messages')).toMatchObject({ status: 200 })
    await expect.poll(() => listMessages(fan)).toMatchObject([{ content: 'From the job' }])
  })
})
