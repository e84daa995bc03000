import { randomUUID } from 'node:crypto'
import { Transaction } from '@contract/earnings.ts'
import {
  ChatMessage,
  Conversation,
  ConversationDetails,
  MessagePhoto,
  MessageSearchResult,
  UnlockPhotoResponse,
} from '@contract/message.ts'
import { Notification } from '@contract/notification.ts'
import { BlockResponse } from '@contract/user.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, authorizationHeader, call, getStatus } from '../support/api.ts'
import { sendMessage } from '../support/content-api.ts'
import { type FunctionServer, startApiServer } from '../support/function-server.ts'
import { sql, stack } from '../support/stack.ts'
import { uploadImage } from '../support/uploads.ts'
import { createUsers, makeAdmin, makeCreator, type TestUser } from '../support/users.ts'

let creator: TestUser
let fan: TestUser
let stranger: TestUser
let admin: TestUser

beforeAll(async () => {
  ;({ creator, fan, stranger, admin } = await createUsers('creator', 'fan', 'stranger', 'admin'))
  await Promise.all([makeCreator(creator), makeAdmin(admin)])
})

const sendPhoto = async (changes: object = {}) => {
  const { imageUrl } = await uploadImage(creator)
  const body = { receiverId: fan.id, content: 'Only for you', imageUrl, price: 5, ...changes }
  return (await apiAs(creator).post('/api/messages', ChatMessage, body, 201)).body
}
const unlockPath = (id: string) => `/api/messages/${id}/unlock`
const unlock = async (id: string, amount = 5) =>
  (await apiAs(fan).post(unlockPath(id), UnlockPhotoResponse, { amount })).body.message
const expectUnlockError = (user: TestUser | null, id: string, status: number, amount: unknown = 5) =>
  apiAs(user).expectError('POST', unlockPath(id), status, { body: { amount } })
const statusForEveryone = (url: string) =>
  Promise.all([creator, fan, stranger, admin, null].map((user) => getStatus(user, url)))
const findInThread = async (user: TestUser, other: TestUser, id: string) => {
  const thread = (await apiAs(user).get(`/api/messages/${other.id}`, z.array(ChatMessage))).body
  return thread.find((message) => message.id === id)
}

describe('POST /api/messages with a price', () => {
  it('locks the photo for the receiver, and shows it to the sender', async () => {
    const sent = await sendPhoto()
    const imageUrl = sent.imageUrl ?? ''
    expect(sent).toMatchObject({ content: 'Only for you', paidPhoto: { price: 5, unlocked: false } })
    expect(imageUrl).toMatch(/^\/api\/media\//)
    expect(await statusForEveryone(imageUrl)).toEqual([200, 404, 404, 404, 404])
    expect(await findInThread(creator, fan, sent.id)).toEqual(sent)
    expect(await findInThread(fan, creator, sent.id)).toEqual({ ...sent, imageUrl: null })
    const [conversation] = (await apiAs(fan).get('/api/messages/conversations', z.array(Conversation))).body
    expect(conversation?.lastMessage).toMatchObject({ hasImage: true, isLocked: true })
  })

  it('does not reveal a locked photo to others through the API, the Data API or Storage', async () => {
    const sent = await sendPhoto({ content: 'A rare kingfisher' })
    const mediaId = (sent.imageUrl ?? '').slice('/api/media/'.length)
    const [file] = await sql<{ path: string }[]>`select path from public.media where id = ${mediaId}`
    const path = file?.path ?? ''
    await sendMessage(fan, creator, { content: 'Which one?', replyToId: sent.id })
    await apiAs(fan).patch(`/api/messages/${creator.id}/read`, z.unknown(), {})
    const apiKeyHeader = { apikey: stack.publishableKey }
    /** Returns the names of the paths whose responses to a user contain the photo's ID or the path of its file. */
    const listRevealing = async (user: TestUser, other = creator) => {
      const thread = `/api/messages/${other.id}`
      const paths = {
        thread,
        around: `${thread}?around=${sent.id}`,
        changes: `${thread}?changedAfter=0`,
        details: `${thread}/details`,
        photos: `${thread}/photos`,
        conversations: '/api/messages/conversations',
        search: '/api/messages/search?q=kingfisher',
        notifications: '/api/notifications',
        export: '/api/account/export',
        messageRows: '/rest/v1/messages?select=*',
        messageRowsWithMedia: '/rest/v1/messages?select=*,media(*)',
        mediaRows: `/rest/v1/media?select=*&owner_id=eq.${creator.id}`,
        payments: '/rest/v1/payments?select=*',
      }
      const revealing: string[] = []
      for (const [name, url] of Object.entries(paths)) {
        const response = await call('GET', url, {
          headers: { ...apiKeyHeader, ...authorizationHeader(user) },
        })
        if (user !== stranger) expect([name, response.status]).toEqual([name, 200])
        const text = await response.text()
        if (text.includes(mediaId) || text.includes(path)) revealing.push(name)
      }
      return revealing
    }
    const shownToSender = ['thread', 'around', 'search', 'export', 'mediaRows']
    expect(await listRevealing(creator, fan)).toEqual(shownToSender)
    for (const user of [fan, stranger]) {
      expect(await listRevealing(user)).toEqual([])
      const headers = { ...apiKeyHeader, ...authorizationHeader(user) }
      for (const endpoint of [
        'object',
        'object/authenticated',
        'object/public',
        'render/image/authenticated',
      ]) {
        const response = await call('GET', `/storage/v1/${endpoint}/media/${path}`, { headers })
        expect([endpoint, response.ok]).toEqual([endpoint, false])
        await response.body?.cancel()
      }
      const sign = await call('POST', `/storage/v1/object/sign/media/${path}`, {
        headers,
        body: { expiresIn: 60 },
      })
      expect(sign.ok).toBe(false)
    }
    // The text is readable, and can be found.
    const found = await apiAs(fan).get('/api/messages/search?q=kingfisher', z.array(MessageSearchResult))
    expect(found.body[0]?.message).toMatchObject({
      id: sent.id,
      imageUrl: null,
      paidPhoto: { unlocked: false },
    })
    const reply = (await apiAs(fan).get(`/api/messages/${creator.id}`, z.array(ChatMessage))).body.at(-1)
    expect(reply?.replyTo).toMatchObject({ id: sent.id, hasImage: true })
    await unlock(sent.id)
    const shownToBuyer = ['changes', 'details', 'photos', 'messageRows', 'messageRowsWithMedia']
    expect((await listRevealing(fan)).toSorted()).toEqual([...shownToSender, ...shownToBuyer].toSorted())
    expect(await listRevealing(stranger)).toEqual([])
  })

  it('requires a creator, a photo and a price within the limits of premium posts', async () => {
    const { imageUrl } = await uploadImage(creator)
    for (const price of [0, 0.99, 1000, 5.001, '5']) {
      const body = { receiverId: fan.id, imageUrl, price }
      const error = await apiAs(creator).expectError('POST', '/api/messages', 400, { body })
      expect([price, Object.keys(error.errors ?? {})]).toEqual([price, ['price']])
    }
    for (const body of [
      { receiverId: fan.id, content: 'No photo', price: 5 },
      { receiverId: fan.id, voiceUrl: imageUrl, price: 5 },
    ]) {
      expect((await apiAs(creator).expectError('POST', '/api/messages', 400, { body })).message).toBe(
        'Only a photo can have a price.',
      )
    }
    const own = { receiverId: creator.id, imageUrl: (await uploadImage(fan)).imageUrl, price: 5 }
    const refused = await apiAs(fan).expectError('POST', '/api/messages', 403, { body: own })
    expect(refused).toMatchObject({ code: 'creators_only', message: 'Only creators can sell photos.' })
  })

  it('is idempotent, and an edit changes neither the price nor the lock', async () => {
    const id = randomUUID()
    const sent = await sendPhoto({ id })
    const again = { id, receiverId: fan.id, content: 'Again', imageUrl: sent.imageUrl, price: 9 }
    expect((await apiAs(creator).post('/api/messages', ChatMessage, again, 200)).body).toEqual(sent)
    const changes = { content: 'Edited', price: 1, imageUrl: null }
    const edited = (await apiAs(creator).patch(`/api/messages/${id}`, ChatMessage, changes)).body
    expect(edited).toMatchObject({ content: 'Edited', imageUrl: sent.imageUrl, paidPhoto: { price: 5 } })
    expect(await findInThread(fan, creator, id)).toMatchObject({ content: 'Edited', imageUrl: null })
  })
})

describe('POST /api/messages/:id/unlock', () => {
  it('shows the buyer the photo, notifies the creator and lists the sale, and a refund locks the photo again', async () => {
    // A new notification does not join a group that was read.
    await apiAs(creator).post('/api/notifications/read-all', z.unknown())
    const sent = await sendPhoto({ price: 12.5 })
    const unlocked = await unlock(sent.id, 12.5)
    expect(unlocked).toMatchObject({ imageUrl: sent.imageUrl, paidPhoto: { price: 12.5, unlocked: true } })
    expect(await findInThread(fan, creator, sent.id)).toEqual(unlocked)
    expect(await findInThread(creator, fan, sent.id)).toEqual(unlocked)
    expect(await statusForEveryone(sent.imageUrl ?? '')).toEqual([200, 200, 404, 404, 404])
    const photos = (await apiAs(fan).get(`/api/messages/${creator.id}/photos`, z.array(MessagePhoto))).body
    expect(photos.map(({ messageId }) => messageId)).toContain(sent.id)
    // Nothing is charged again, whatever the amount.
    expect(await unlock(sent.id, 1)).toEqual(unlocked)

    const [notification] = (await apiAs(creator).get('/api/notifications', z.array(Notification))).body
    expect(notification).toMatchObject({
      kind: 'unlock',
      title: 'Photo unlocked',
      message: 'Test Person unlocked your photo.',
      href: `/messages?user=${fan.id}`,
      amount: 12.5,
      details: { unlocked: 'photo' },
    })
    const [payment] = await sql<
      { id: string }[]
    >`select id from public.payments where message_id = ${sent.id}`
    await sql`select private.refund_payment(${payment?.id ?? ''})`
    const transactions = (await apiAs(creator).get('/api/earnings/transactions', z.array(Transaction))).body
    expect(transactions.slice(0, 2)).toMatchObject([
      {
        type: 'refund',
        source: 'premium_content',
        gross: -12.5,
        description: 'Refund of the unlock of a photo in a message',
      },
      {
        type: 'premium_content',
        gross: 12.5,
        fee: 1.25,
        description: 'Unlocked a photo in a message',
        details: { photo: true },
        person: { id: fan.id },
      },
    ])
    expect(await statusForEveryone(sent.imageUrl ?? '')).toEqual([200, 404, 404, 404, 404])
  })

  it('charges once for parallel requests, and counts what the buyer has paid', async () => {
    const { id } = await sendPhoto({ price: 4 })
    const paid = async () =>
      (await apiAs(creator).get(`/api/messages/${fan.id}/details`, ConversationDetails)).body.totalPaid ?? 0
    const before = await paid()
    const messages = await Promise.all(Array.from({ length: 20 }, () => unlock(id, 4)))
    expect(messages.every(({ imageUrl }) => imageUrl !== null)).toBe(true)
    const payments = await sql`select state, amount_cents from public.payments where message_id = ${id}`
    expect(payments).toEqual([{ state: 'paid', amount_cents: 400 }])
    expect((await paid()) - before).toBe(4)
  })

  it('rejects wrong amounts, other users, and deleted messages, and sells nothing after a block', async () => {
    const { id } = await sendPhoto()
    for (const amount of [0, 4.99, 5.001, 500, 1e300]) {
      expect((await expectUnlockError(fan, id, 400, amount)).code).toBe('amount_mismatch')
    }
    expect((await expectUnlockError(fan, id, 400, '5')).code).toBe('validation_failed')
    for (const user of [stranger, admin]) {
      expect((await expectUnlockError(user, id, 404)).message).toBe('Message not found')
    }
    await expectUnlockError(null, id, 401)
    await expectUnlockError(fan, randomUUID(), 404)
    await apiAs(fan).post(`/api/users/${creator.id}/block`, BlockResponse)
    const blocked = await expectUnlockError(fan, id, 403)
    expect(blocked).toEqual({
      code: 'payment_failed',
      message: "This photo can't be unlocked right now. Try again later.",
    })
    await apiAs(fan).expectNoContent('DELETE', `/api/users/${creator.id}/block`)
    await apiAs(creator).expectNoContent('DELETE', `/api/messages/${id}`)
    expect((await expectUnlockError(fan, id, 409)).code).toBe('message_deleted')
    expect(await findInThread(fan, creator, id)).toMatchObject({
      deleted: true,
      paidPhoto: null,
      placeholder: null,
    })
    expect((await sql`select from public.payments where message_id = ${id}`).count).toBe(0)
  })
})

describe('without a payment provider', () => {
  let api: FunctionServer
  beforeAll(async () => {
    api = await startApiServer({ PAYMENTS_PROVIDER: 'off' })
  })
  afterAll(() => api.stop())

  it('unlocking a photo fails and stores no payment', async () => {
    const { id } = await sendPhoto()
    const response = await fetch(`${api.url}${unlockPath(id)}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...authorizationHeader(fan) },
      body: JSON.stringify({ amount: 5 }),
    })
    expect([response.status, await response.json()]).toMatchObject([503, { code: 'payment_failed' }])
    expect(await findInThread(fan, creator, id)).toMatchObject({ imageUrl: null })
    expect((await sql`select from public.payments where message_id = ${id}`).count).toBe(0)
  })
})

describe('the data export', () => {
  it('contains photos that the user sent or unlocked, their price, and payments, but no photos that the user has not unlocked', async () => {
    const [locked, bought] = [await sendPhoto({ price: 3 }), await sendPhoto({ price: 3 })]
    await unlock(bought.id, 3)
    const exportOf = async (user: TestUser) =>
      await (await call('GET', '/api/account/export', { headers: authorizationHeader(user) })).text()
    const [sellers, buyers] = [await exportOf(creator), await exportOf(fan)]
    expect(sellers).toContain(locked.imageUrl)
    expect([buyers.includes(locked.imageUrl ?? '-'), buyers.includes(bought.imageUrl ?? '-')]).toEqual([
      false,
      true,
    ])
    expect(buyers).toContain(`"messageId" : "${bought.id}"`)
    expect(buyers).toContain('"price" : 3.00')
  })
})
