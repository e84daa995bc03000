import {
  ChatMessage,
  ConversationDetails,
  LinkedPostAccess,
  MessagePhoto,
  UserNote,
} from '@contract/message.ts'
import { TipResponse } from '@contract/payment.ts'
import { UnlockResponse } from '@contract/post.ts'
import { BlockResponse, FollowResponse } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs } from '../support/api.ts'
import { createPost, subscribe } from '../support/content-api.ts'
import { tip } from '../support/creators.ts'
import { sql } from '../support/stack.ts'
import { uploadImage } from '../support/uploads.ts'
import { createUsers, makeAdmin, makeCreator, type TestUser } from '../support/users.ts'

let creator: TestUser
let otherCreator: TestUser
let fan: TestUser
let stranger: TestUser

const detailsPath = (other: TestUser) => `/api/messages/${other.id}/details`
const notePath = (other: TestUser) => `/api/messages/${other.id}/note`
const photosPath = (other: TestUser) => `/api/messages/${other.id}/photos`
const readDetails = async (user: TestUser, other: TestUser) =>
  (await apiAs(user).get(detailsPath(other), ConversationDetails)).body
const sendPhoto = async (sender: TestUser, receiver: TestUser) => {
  const { imageUrl } = await uploadImage(sender)
  const body = { receiverId: receiver.id, imageUrl }
  return (await apiAs(sender).post('/api/messages', ChatMessage, body, 201)).body
}
const writeNote = async (user: TestUser, other: TestUser, content: string) =>
  (await apiAs(user).put(notePath(other), UserNote, { content })).body.content
const nothing = {
  followerSince: null,
  subscriber: null,
  totalPaid: 0,
  canSubscribe: false,
  subscription: null,
  note: '',
  photos: [],
  hasMorePhotos: false,
}
const onlyPhotos = { ...nothing, totalPaid: null }

beforeAll(async () => {
  ;({ creator, otherCreator, fan, stranger } = await createUsers(
    'creator',
    'otherCreator',
    'fan',
    'stranger',
  ))
  await makeCreator(creator, otherCreator)
})

describe('GET /api/messages/:otherUserId/details', () => {
  it('shows a creator the follow, subscription and payments of a fan, and the fan their subscription', async () => {
    expect(await readDetails(creator, fan)).toEqual(nothing)
    expect(await readDetails(fan, creator)).toEqual({ ...nothing, canSubscribe: true })

    await apiAs(fan).post(`/api/users/${creator.id}/follow`, FollowResponse)
    const subscription = await subscribe(fan, creator)
    const premium = { teaser: 'Teaser', isPremium: true, premiumPrice: 5 }
    const { id: postId } = await createPost(creator, { content: 'The paid text', ...premium })
    await apiAs(fan).post(`/api/posts/${postId}/unlock`, UnlockResponse, { amount: 5 })
    await tip(fan, creator, 2.5)
    await tip(fan, otherCreator, 100)
    await tip(otherCreator, creator, 50)
    const refundedTipId = crypto.randomUUID()
    await apiAs(fan).post(`/api/users/${creator.id}/tip`, TipResponse, { id: refundedTipId, amount: 20 }, 201)
    await sql`select private.refund_payment(${refundedTipId})`

    // In test mode, real-money payments are not counted.
    await sql`
      insert into public.payments (kind, payer_id, payee_id, amount_cents, fee_cents, provider, state)
      values ('tip', ${fan.id}, ${creator.id}, 700, 70, 'stripe', 'paid')`

    // The subscription costs 9.99, the post 5 and the tip 2.50.
    const details = await readDetails(creator, fan)
    const { periodEnd } = subscription
    expect(details).toMatchObject({
      totalPaid: 17.49,
      subscriber: { price: 9.99, months: 1, periodEnd, cancelled: false },
    })
    for (const time of [details.followerSince, details.subscriber?.since])
      expect(Math.abs(Date.parse(time ?? '') - Date.now())).toBeLessThan(60_000)
    expect(await readDetails(fan, creator)).toEqual({
      ...nothing,
      canSubscribe: true,
      subscription: { periodEnd, cancelled: false, price: 9.99, months: 1 },
    })
    await apiAs(fan).expectNoContent('DELETE', `/api/subscriptions/${creator.id}`)
    expect((await readDetails(fan, creator)).subscription).toMatchObject({ periodEnd, cancelled: true })
    expect((await readDetails(creator, fan)).subscriber).toMatchObject({ periodEnd, cancelled: true })
  })

  it('shows other users nothing about the creator and the fan', async () => {
    await sendPhoto(fan, creator)
    expect(await readDetails(stranger, fan)).toEqual(nothing)
    expect(await readDetails(stranger, creator)).toEqual({ ...nothing, canSubscribe: true })
    expect((await readDetails(otherCreator, fan)).totalPaid).toBe(100)
    expect((await apiAs(stranger).get(photosPath(fan), z.array(MessagePhoto))).body).toEqual([])
    for (const path of [detailsPath, photosPath]) {
      await apiAs(null).expectError('GET', path(fan), 401)
      await apiAs(stranger).expectError('GET', path({ ...fan, id: crypto.randomUUID() }), 404)
    }
  })

  it('does not offer a subscription to a creator whose profile the caller cannot view', async () => {
    await sql`update public.profiles set visibility = 'private' where id = ${otherCreator.id}`
    expect(await readDetails(stranger, otherCreator)).toEqual(nothing)
  })

  it.each(['creator', 'fan'])(
    'shows photos, but no follow, subscription or payments, after a block by the %s',
    async (blockedBy) => {
      const users = await createUsers('creator', 'fan')
      await makeCreator(users.creator)
      await subscribe(users.fan, users.creator)
      await tip(users.fan, users.creator, 10)
      const strangerToBoth = (await createUsers('blocked')).blocked
      const sent = await sendPhoto(users.fan, users.creator)
      const [blocker, blocked] =
        blockedBy === 'creator' ? [users.creator, users.fan] : [users.fan, users.creator]
      await apiAs(blocker).post(`/api/users/${blocked.id}/block`, BlockResponse)
      for (const [user, other] of [
        [users.creator, users.fan],
        [users.fan, users.creator],
      ] as const) {
        const photos = [expect.objectContaining({ messageId: sent.id })]
        expect(await readDetails(user, other)).toEqual({ ...onlyPhotos, photos })
      }
      // Without a conversation, a blocked user does not learn whether the account exists.
      await apiAs(blocker).post(`/api/users/${strangerToBoth.id}/block`, BlockResponse)
      for (const path of [detailsPath, photosPath])
        await apiAs(strangerToBoth).expectError('GET', path(blocker), 404)
    },
  )

  it('shows an admin photos, but no subscription or payments, after a block, although the RLS policies let admins see the profile', async () => {
    const users = await createUsers('creator', 'admin')
    await makeCreator(users.creator)
    await makeAdmin(users.admin)
    await subscribe(users.admin, users.creator)
    await sendPhoto(users.admin, users.creator)
    await apiAs(users.admin).post(`/api/users/${users.creator.id}/block`, BlockResponse)
    expect(await readDetails(users.admin, users.creator)).toEqual({
      ...onlyPhotos,
      photos: [expect.anything()],
    })
  })

  it('shows nothing about the payments of a deleted account', async () => {
    const { deletedFan } = await createUsers('deletedFan')
    await tip(deletedFan, creator, 10)
    await sendPhoto(creator, deletedFan)
    expect((await readDetails(creator, deletedFan)).totalPaid).toBe(10)
    await apiAs(deletedFan).expectNoContent('DELETE', '/api/account', { password: deletedFan.password })
    expect(await readDetails(creator, deletedFan)).toMatchObject({ ...onlyPhotos, photos: [{}] })
  })

  it('is refused after the session has ended', async () => {
    const { user } = await createUsers('user')
    await sql`delete from auth.sessions where user_id = ${user.id}`
    for (const path of [detailsPath, photosPath]) await apiAs(user).expectError('GET', path(creator), 401)
  })
})

it('the photos of a conversation are listed newest first, without those of deleted messages', async () => {
  const { ada, ben, cleo } = await createUsers('ada', 'ben', 'cleo')
  const ids: string[] = []
  for (let count = 0; count < 11; count += 1)
    ids.unshift((await sendPhoto(count % 2 ? ada : ben, count % 2 ? ben : ada)).id)
  await sendPhoto(ada, cleo)
  const listIds = (photos: MessagePhoto[]) => photos.map(({ messageId }) => messageId)

  const details = await readDetails(ada, ben)
  expect(listIds(details.photos)).toEqual(ids.slice(0, 9))
  expect(details.hasMorePhotos).toBe(true)
  expect(details.photos[0]).toMatchObject({ senderId: ben.id, width: 40, height: 30 })
  expect(details.photos[0]?.url).toMatch(/^\/api\/media\//)
  const page = await apiAs(ben).get(`${photosPath(ada)}?limit=10`, z.array(MessagePhoto))
  expect(listIds(page.body)).toEqual(ids.slice(0, 10))
  const lastPage = await apiAs(ben).get(`${photosPath(ada)}?cursor=${page.next}`, z.array(MessagePhoto))
  expect([listIds(lastPage.body), lastPage.next]).toEqual([ids.slice(10), null])
  // This cursor points to a message in another conversation.
  expect(
    (await apiAs(ada).get(`${photosPath(cleo)}?cursor=${page.next}`, z.array(MessagePhoto))).body,
  ).toEqual([])

  await apiAs(ben).expectNoContent('DELETE', `/api/messages/${ids[0]}`)
  await apiAs(ada).expectNoContent('DELETE', `/api/messages/${ids[1]}`)
  const remaining = await readDetails(ben, ada)
  expect([listIds(remaining.photos), remaining.hasMorePhotos]).toEqual([ids.slice(2), false])
})

describe('PUT /api/messages/:otherUserId/note', () => {
  it('stores a note that only its author can read', async () => {
    const { author, subject, admin } = await createUsers('author', 'subject', 'admin')
    await makeAdmin(admin)
    expect(await writeNote(author, subject, '  Met at the fair \n')).toBe('Met at the fair')
    expect((await readDetails(author, subject)).note).toBe('Met at the fair')
    for (const other of [subject, admin]) {
      expect((await readDetails(other, author)).note).toBe('')
      if (other !== subject) expect((await readDetails(other, subject)).note).toBe('')
    }
    // With a conversation, the details and the note are available after a block, too.
    await sendPhoto(author, subject)
    await apiAs(author).post(`/api/users/${subject.id}/block`, BlockResponse)
    expect(await writeNote(author, subject, 'Blocked for spam')).toBe('Blocked for spam')
    expect((await readDetails(author, subject)).note).toBe('Blocked for spam')
    expect(await writeNote(author, subject, ' ')).toBe('')
    expect((await readDetails(author, subject)).note).toBe('')
  })

  it('lets the author read and delete a note about a user who has blocked them', async () => {
    const { author, blocker } = await createUsers('author', 'blocker')
    await writeNote(author, blocker, 'Met at the fair')
    await apiAs(blocker).post(`/api/users/${author.id}/block`, BlockResponse)
    expect(await readDetails(author, blocker)).toMatchObject({ note: 'Met at the fair', totalPaid: null })
    expect(await writeNote(author, blocker, '')).toBe('')
    await apiAs(author).expectError('GET', detailsPath(blocker), 404)
  })

  it('rejects text that is based on a note that was changed elsewhere', async () => {
    const { author, subject } = await createUsers('author', 'subject')
    await writeNote(author, subject, 'One')
    const request = { body: { content: 'Three', previous: 'Two' } }
    const error = await apiAs(author).expectError('PUT', notePath(subject), 409, request)
    expect(error.message).toBe('This note was changed elsewhere.')
    expect((await readDetails(author, subject)).note).toBe('One')
    const body = { content: 'Two', previous: 'One' }
    expect((await apiAs(author).put(notePath(subject), UserNote, body)).body.content).toBe('Two')
  })

  it('rejects text that is too long, unknown users and users who have blocked the author', async () => {
    const { author, blocker } = await createUsers('author', 'blocker')
    const request = { body: { content: 'x' } }
    await apiAs(author).expectError('PUT', notePath(blocker), 400, {
      body: { content: 'x'.repeat(1001) },
    })
    await apiAs(author).expectError('PUT', notePath({ ...blocker, id: crypto.randomUUID() }), 404, request)
    await apiAs(null).expectError('PUT', notePath(blocker), 401, request)
    await apiAs(blocker).post(`/api/users/${author.id}/block`, BlockResponse)
    await apiAs(author).expectError('PUT', notePath(blocker), 404, request)
  })
})

describe('GET /api/messages/:id/linked-posts/:postId', () => {
  const premium = { teaser: 'Teaser', isPremium: true, premiumPrice: 5 }
  const accessPath = (message: ChatMessage, postId: string) =>
    `/api/messages/${message.id}/linked-posts/${postId}`
  const sendLink = async (sender: TestUser, receiver: TestUser, postId: string) => {
    const body = { receiverId: receiver.id, content: `Look: https://example.com/post/${postId}` }
    return (await apiAs(sender).post('/api/messages', ChatMessage, body, 201)).body
  }
  const readAccess = async (user: TestUser, message: ChatMessage, postId: string) =>
    (await apiAs(user).get(accessPath(message, postId), LinkedPostAccess)).body.access

  it('shows the author whether the receiver has unlocked the post or has it in their subscription', async () => {
    const { author, buyer, subscriber } = await createUsers('author', 'buyer', 'subscriber')
    await makeCreator(author)
    const { id: paid } = await createPost(author, { content: 'Paid', ...premium })
    const { id: included } = await createPost(author, {
      content: 'Included',
      ...premium,
      includedInSubscription: true,
    })
    const toBuyer = await sendLink(author, buyer, paid)
    const toSubscriber = await sendLink(author, subscriber, included)
    expect(await readAccess(author, toBuyer, paid)).toBe('none')
    expect(await readAccess(author, toSubscriber, included)).toBe('none')

    await apiAs(buyer).post(`/api/posts/${paid}/unlock`, UnlockResponse, { amount: 5 })
    await subscribe(subscriber, author)
    expect(await readAccess(author, toBuyer, paid)).toBe('unlocked')
    expect(await readAccess(author, toSubscriber, included)).toBe('included')
    // The subscription does not include the other post.
    expect(await readAccess(author, await sendLink(author, subscriber, paid), paid)).toBe('none')

    await apiAs(buyer).post(`/api/users/${author.id}/block`, BlockResponse)
    await apiAs(author).expectError('GET', accessPath(toBuyer, paid), 404)
  })

  it('responds with 404 to users other than the author, and if the message does not link to a premium post by its sender', async () => {
    const { id: paid } = await createPost(creator, { content: 'Paid', ...premium })
    const { id: unsent } = await createPost(creator, { content: 'Not sent', ...premium })
    const { id: free } = await createPost(creator, { content: 'Free' })
    const { id: other } = await createPost(otherCreator, { content: 'By another author', ...premium })
    const message = await sendLink(creator, fan, paid)
    const reply = await sendLink(fan, creator, paid)
    const freeLink = await sendLink(creator, fan, free)
    const otherLink = await sendLink(creator, fan, other)
    expect(await readAccess(creator, message, paid)).toBe('none')

    for (const user of [fan, stranger, otherCreator])
      await apiAs(user).expectError('GET', accessPath(message, paid), 404)
    await apiAs(null).expectError('GET', accessPath(message, paid), 401)
    await apiAs(creator).expectError('GET', accessPath(message, unsent), 404)
    await apiAs(creator).expectError('GET', accessPath(reply, paid), 404)
    await apiAs(fan).expectError('GET', accessPath(reply, paid), 404)
    await apiAs(creator).expectError('GET', accessPath(freeLink, free), 404)
    for (const user of [creator, otherCreator, fan])
      await apiAs(user).expectError('GET', accessPath(otherLink, other), 404)

    await apiAs(creator).expectNoContent('DELETE', `/api/messages/${message.id}`)
    await apiAs(creator).expectError('GET', accessPath(message, paid), 404)
  })
})
