import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  getSqlState,
  insertBlock,
  insertUser,
  insertUsers,
  runAs,
  type SessionUser,
  sql,
} from './database.ts'
import { decideCase, fileReport, getLatestCase, insertUpload } from './moderation-helpers.ts'
import { getPaymentState, listLedgerEntries, refundPayment, settlePayment } from './payment-helpers.ts'

let creator: SessionUser
let fan: SessionUser
let stranger: SessionUser
let admin: SessionUser

beforeAll(async () => {
  ;[creator, fan, stranger, admin] = await Promise.all([
    insertUser({ creator: true }),
    insertUser(),
    insertUser(),
    insertUser({ admin: true }),
  ])
})

/** Sends a message with `private.send_message`, as the API does, and returns its JSON. */
const send = (
  from: SessionUser,
  to: SessionUser,
  mediaId: string | null,
  price: number | null,
  id: string = randomUUID(),
) =>
  runAs(from, async (tx) => {
    const [row] = await tx<{ item: string }[]>`
      select private.send_message(${id}, ${to.id}, 'For you', ${mediaId}, null, ${price}) as item`
    return JSON.parse(row?.item ?? 'null')
  })

/** Sends a photo with a price and returns the IDs of the message and the upload. */
async function sendPaidPhoto({ from = creator, to = fan, price = 5 } = {}) {
  const mediaId = await insertUpload(from)
  const { id } = await send(from, to, mediaId, price)
  return { id: id as string, mediaId }
}

const beginUnlock = (payer: SessionUser, messageId: string, amount: number) =>
  runAs(payer, async (tx) => {
    const [row] = await tx<{ payment: string | null }[]>`
      select private.begin_photo_unlock(${messageId}, ${amount}, 'test') as payment`
    return row?.payment ?? null
  })

/** Pays for a photo and returns the ID of the payment. */
async function unlock(payer: SessionUser, messageId: string, amount = 5): Promise<string> {
  const payment = (await beginUnlock(payer, messageId, amount)) ?? ''
  expect(await settlePayment(payment)).toBe(true)
  return payment
}

const deleteMessage = (id: string) => runAs(creator, (tx) => tx`select private.delete_message(${id})`)

const canReadMedia = async (user: SessionUser | null, mediaId: string) =>
  (await runAs(user, (tx) => tx`select from public.media where id = ${mediaId}`)).count === 1

/** Returns everything that the API's queries and the Data API return to a user about their messages, as text. */
async function readEverything(user: SessionUser, other: SessionUser, messageId: string): Promise<string> {
  const rows = await runAs(user, async (tx) => [
    ...(await tx`select m::text from public.messages m`),
    ...(await tx`select m::text from public.media m`),
    ...(await tx`select m::text from public.conversations m`),
    ...(await tx`select m::text from public.conversation_members m`),
    ...(await tx`select m::text from public.payments m`),
    ...(await tx`select m::text from public.notifications m`),
    ...(await tx`select item from private.messages_before(${other.id}, null, false, 50)`),
    ...(await tx`select item from private.messages_changed_since(${other.id}, 0, 50)`),
    ...(await tx`select item from private.messages_after(
      ${other.id}, (select id from public.messages order by seq limit 1), 50)`),
    ...(await tx`select item from private.thread_photos(${other.id}, null, 50)`),
    ...(await tx`select private.message_json(m, null, auth.uid())::text from public.messages m`),
    ...(await tx`select private.message_json(m, null, m.sender_id)::text from public.messages m`),
    ...(await tx`select private.paid_photo_media_id(${messageId})::text`),
  ])
  const events = await sql`select payload::text from realtime.messages where topic = ${`user:${user.id}`}`
  return JSON.stringify([...rows, ...events])
}

describe('a locked photo', () => {
  it('is hidden from its receiver on every path until they have paid, and always from everyone else except the sender', async () => {
    const { id, mediaId } = await sendPaidPhoto()
    await runAs(
      fan,
      (tx) => tx`select private.send_message(gen_random_uuid(), ${creator.id}, 'Which?', null, ${id})`,
    )
    for (const user of [fan, stranger, admin, null]) expect(await canReadMedia(user, mediaId)).toBe(false)
    expect(await readEverything(fan, creator, id)).not.toContain(mediaId)
    expect(await readEverything(stranger, creator, id)).not.toContain(mediaId)
    // The sender sees it in the thread and in the events.
    expect(await canReadMedia(creator, mediaId)).toBe(true)
    expect(await readEverything(creator, fan, id)).toContain(`"imageUrl\\":\\"/api/media/${mediaId}`)
    const [event] = await sql<{ message: { imageUrl: string } }[]>`
      select payload -> 'message' as message from realtime.messages
      where topic = ${`user:${creator.id}`} and event = 'message.created' and payload -> 'message' ->> 'id' = ${id}`
    expect(event?.message.imageUrl).toBe(`/api/media/${mediaId}`)

    await unlock(fan, id)
    expect(await canReadMedia(fan, mediaId)).toBe(true)
    for (const user of [stranger, admin, null]) expect(await canReadMedia(user, mediaId)).toBe(false)
    for (const user of [creator, fan]) {
      const [change] = await sql<{ message: object }[]>`
        select payload -> 'message' as message from realtime.messages
        where topic = ${`user:${user.id}`} and event = 'message.changed' and payload -> 'message' ->> 'id' = ${id}`
      expect(change?.message).toMatchObject({
        imageUrl: `/api/media/${mediaId}`,
        paidPhoto: { price: 5, unlocked: true },
      })
    }
    expect(await readEverything(stranger, creator, id)).not.toContain(mediaId)
  })

  it('is included only in events to its sender, even if an admin causes them, and never in the query results of an admin', async () => {
    const { id, mediaId } = await sendPaidPhoto({ to: admin })
    await runAs(admin, (tx) => tx`select private.toggle_reaction(${id}, '🔥')`)
    const imageUrlFor = async (user: SessionUser) => {
      const [event] = await sql<{ url: string | null }[]>`
        select payload #>> '{message,imageUrl}' as url from realtime.messages
        where topic = ${`user:${user.id}`} and event = 'reaction.changed' and payload #>> '{message,id}' = ${id}`
      return event?.url
    }
    expect(await Promise.all([creator, admin].map(imageUrlFor))).toEqual([`/api/media/${mediaId}`, null])
    expect(await readEverything(admin, creator, id)).not.toContain(mediaId)
  })

  it('is stored where no client can read or change it', async () => {
    const { id, mediaId } = await sendPaidPhoto()
    for (const user of [creator, fan, admin]) {
      for (const statement of [
        'select * from private.paid_photos',
        `update private.paid_photos set payment_id = null`,
        `update public.messages set media_id = '${mediaId}' where id = '${id}'`,
        `update public.messages set price_cents = null where id = '${id}'`,
        `insert into public.messages (receiver_id, content, price_cents) values ('${stranger.id}', 'x', 500)`,
        `select private.unlocked_media_id('${id}')`,
        `select private.with_locked_photo('{}', m) from public.messages m`,
      ]) {
        expect([statement, await getSqlState(runAs(user, (tx) => tx.unsafe(statement)))]).toEqual([
          statement,
          '42501',
        ])
      }
    }
  })

  it('cannot be used in another message, and is not deleted as an orphan', async () => {
    const { mediaId } = await sendPaidPhoto()
    expect(await getSqlState(send(creator, stranger, mediaId, null))).toBe('PT400')
    expect(await getSqlState(send(creator, stranger, mediaId, 5))).toBe('PT400')
    await sql`update private.orphaned_media set due = now() - interval '1 day' where media_id = ${mediaId}`
    await sql`select private.delete_orphaned_media(1000)`
    expect(await canReadMedia(creator, mediaId)).toBe(true)
  })
})

describe('setting a price', () => {
  it('is possible only for creators with a confirmed email address, on their own photo, within the limits', async () => {
    const image = await insertUpload(creator)
    for (const price of [0, 0.99, 1000, -5])
      expect(await getSqlState(send(creator, fan, image, price))).toBe('PT400')
    expect(await getSqlState(send(creator, fan, null, 5))).toBe('PT400')
    expect(await getSqlState(send(creator, fan, await insertUpload(stranger), 5))).toBe('PT400')
    expect(await getSqlState(send(stranger, fan, await insertUpload(stranger), 5))).toBe('PT403')
    const [recording] = await sql<{ id: string }[]>`
      insert into public.media (owner_id, kind, state, path, content_type, bytes, duration_seconds, placeholder)
      values (${creator.id}, 'audio', 'ready', ${randomUUID()}, 'audio/webm', 10, 12, ${'5'.repeat(40)}) returning id`
    expect(await getSqlState(send(creator, fan, recording?.id ?? '', 5))).toBe('PT400')
    const unconfirmed = await insertUser({ creator: true })
    await sql`update public.accounts set email_confirmed_at = null where user_id = ${unconfirmed.id}`
    await sql`insert into public.follows (follower_id, followee_id) values (${fan.id}, ${unconfirmed.id})`
    expect(await getSqlState(send(unconfirmed, fan, await insertUpload(unconfirmed), 5))).toBe('PT403')
    expect(await send(creator, fan, image, 999.99)).toMatchObject({
      paidPhoto: { price: 999.99, unlocked: false },
    })
  })

  it('has no effect when the message is sent again; the message keeps its price and its photo', async () => {
    const { id, mediaId } = await sendPaidPhoto()
    expect(await send(creator, fan, await insertUpload(creator), 7, id)).toBeNull()
    const [row] = await sql`
      select m.price_cents as price, f.media_id as media from public.messages m
      join private.paid_photos f on f.message_id = m.id where m.id = ${id}`
    expect(row).toEqual({ price: 500, media: mediaId })
  })
})

describe('paying for a photo', () => {
  it('books the sale once, however often the payment is begun and settled', async () => {
    const { id } = await sendPaidPhoto()
    const payments = await Promise.all(Array.from({ length: 8 }, () => beginUnlock(fan, id, 5)))
    expect(new Set(payments).size).toBe(1)
    const payment = payments[0] ?? ''
    expect(await Promise.all(Array.from({ length: 8 }, () => settlePayment(payment)))).toEqual(
      Array(8).fill(true),
    )
    expect(await listLedgerEntries(sql, payment)).toMatchObject([
      { account: 'processor', label: 'payment', amount: -500 },
      { account: 'creator', label: 'sale', userId: creator.id, amount: 500 },
      { account: 'creator', label: 'fee', amount: -50 },
      { account: 'platform', label: 'fee', amount: 50 },
    ])
    expect(await beginUnlock(fan, id, 5)).toBeNull()
    const notifications = await sql`
      select kind, actor_id from public.notifications where user_id = ${creator.id} and message_id = ${id}`
    expect(notifications).toEqual([{ kind: 'unlock', actor_id: fan.id }])
  })

  it('is refused for a wrong amount and for anybody but the receiver', async () => {
    const { id } = await sendPaidPhoto()
    for (const amount of [0, 4.99, 5.001, 500, -5]) {
      expect(await getSqlState(beginUnlock(fan, id, amount))).toBe('PT400')
    }
    for (const user of [stranger, admin]) expect(await getSqlState(beginUnlock(user, id, 5))).toBe('PT404')
    expect(await beginUnlock(creator, id, 5)).toBeNull()
    expect((await sql`select from public.payments where message_id = ${id}`).count).toBe(0)
    const { id: freeId } = await send(creator, fan, await insertUpload(creator), null)
    expect(await beginUnlock(fan, freeId, 5)).toBeNull()
  })

  it('is refused after a block in either direction, which also voids a payment that is not settled yet', async () => {
    for (const isBlocker of [true, false]) {
      const [buyer] = await insertUsers(1)
      if (!buyer) throw new Error('No user was inserted.')
      const [begun, notBegun] = [await sendPaidPhoto({ to: buyer }), await sendPaidPhoto({ to: buyer })]
      const bought = await sendPaidPhoto({ to: buyer })
      await unlock(buyer, bought.id)
      const payment = (await beginUnlock(buyer, begun.id, 5)) ?? ''
      await (isBlocker ? insertBlock(buyer, creator) : insertBlock(creator, buyer))
      expect(await getSqlState(beginUnlock(buyer, notBegun.id, 5))).toBe('PT403')
      expect(await settlePayment(payment)).toBe(false)
      expect([await getPaymentState(payment), await canReadMedia(buyer, begun.mediaId)]).toEqual([
        'void',
        false,
      ])
      // As with other photos, both users still see what they saw before.
      expect(await canReadMedia(buyer, bought.mediaId)).toBe(true)
    }
  })

  it('is refused while the sender is read-only', async () => {
    const { id } = await sendPaidPhoto()
    await sql`update public.accounts set read_only_reason = 'suspended' where user_id = ${creator.id}`
    expect(await getSqlState(beginUnlock(fan, id, 5))).toBe('PT403')
    await sql`update public.accounts set read_only_reason = null where user_id = ${creator.id}`
  })

  it('is undone by a refund, and the photo can be bought again', async () => {
    const { id, mediaId } = await sendPaidPhoto()
    const payment = await unlock(fan, id)
    expect(await refundPayment(payment)).toBe(true)
    expect(await canReadMedia(fan, mediaId)).toBe(false)
    expect(await refundPayment(payment)).toBe(false)
    await unlock(fan, id)
    expect(await canReadMedia(fan, mediaId)).toBe(true)
  })
})

describe('a message with a paid photo', () => {
  it('loses the photo when it is deleted, and a pending payment for it becomes void', async () => {
    const { id, mediaId } = await sendPaidPhoto()
    const payment = (await beginUnlock(fan, id, 5)) ?? ''
    await deleteMessage(id)
    expect((await sql`select from public.media where id = ${mediaId}`).count).toBe(0)
    expect((await sql`select from private.paid_photos where message_id = ${id}`).count).toBe(0)
    expect(await getSqlState(beginUnlock(fan, id, 5))).toBe('PT409')
    expect([await settlePayment(payment), await getPaymentState(payment)]).toEqual([false, 'void'])
  })

  it('cannot be deleted by its sender once the photo has been bought, unless the payment is refunded', async () => {
    const { id, mediaId } = await sendPaidPhoto()
    const payment = await unlock(fan, id)
    expect(await getSqlState(deleteMessage(id))).toBe('PT409')
    expect(await canReadMedia(fan, mediaId)).toBe(true)
    expect(await refundPayment(payment)).toBe(true)
    await deleteMessage(id)
    expect((await sql`select from public.media where id = ${mediaId}`).count).toBe(0)
  })

  it('is either sold or deleted if both are attempted concurrently, without a deadlock', async () => {
    for (let round = 0; round < 10; round++) {
      const { id, mediaId } = await sendPaidPhoto()
      const payment = (await beginUnlock(fan, id, 5)) ?? ''
      const [isPaid, isRejected] = await Promise.all([
        settlePayment(payment),
        deleteMessage(id).then(
          () => false,
          () => true,
        ),
      ])
      expect(isRejected).toBe(isPaid)
      expect(await getPaymentState(payment)).toBe(isPaid ? 'paid' : 'void')
      expect(await listLedgerEntries(sql, payment)).toHaveLength(isPaid ? 4 : 0)
      const [message] = await sql`
        select media_id, price_cents, deleted_at is not null as deleted from public.messages where id = ${id}`
      expect(message).toEqual(
        isPaid
          ? { media_id: mediaId, price_cents: 500, deleted: false }
          : { media_id: null, price_cents: null, deleted: true },
      )
    }
  })

  it('is locked after moderators have restored it, unless the photo was bought and not refunded in the meantime', async () => {
    const [locked, bought, refunded] = [await sendPaidPhoto(), await sendPaidPhoto(), await sendPaidPhoto()]
    await unlock(fan, bought.id)
    const payment = await unlock(fan, refunded.id)
    for (const { id, mediaId } of [locked, bought, refunded]) {
      await fileReport(fan, 'message', id)
      // Moderators see the photo. Reporting it does not reveal it to the receiver.
      expect(await canReadMedia(admin, mediaId)).toBe(true)
      expect((await getLatestCase(id)).snapshots).toMatchObject([{ seen: { mediaId, premiumPrice: 5 } }])
      await decideCase(admin, (await getLatestCase(id)).id, 'hide')
      expect(await canReadMedia(fan, mediaId)).toBe(false)
      expect(await getSqlState(beginUnlock(fan, id, 5))).toBe('PT409')
    }
    expect(await refundPayment(payment)).toBe(true)
    for (const { id } of [locked, bought, refunded])
      await sql`select private.restore_subject('message', ${id})`
    const visible = await Promise.all(
      [locked, bought, refunded].map(({ mediaId }) => canReadMedia(fan, mediaId)),
    )
    expect(visible).toEqual([false, true, false])
    await unlock(fan, locked.id)
    await unlock(fan, refunded.id)
  })

  it('loses the photo when the sender deletes their account, and keeps it when the receiver does', async () => {
    const [seller, buyer] = [await insertUser({ creator: true }), await insertUser()]
    const [locked, bought] = [
      await sendPaidPhoto({ from: seller, to: buyer }),
      await sendPaidPhoto({ from: seller, to: buyer }),
    ]
    await unlock(buyer, bought.id)
    const [hidden, hiddenAndBought] = [
      await sendPaidPhoto({ from: seller, to: buyer }),
      await sendPaidPhoto({ from: seller, to: buyer }),
    ]
    await unlock(buyer, hiddenAndBought.id)
    for (const { id } of [hidden, hiddenAndBought]) {
      await fileReport(buyer, 'message', id)
      await decideCase(admin, (await getLatestCase(id)).id, 'hide')
    }
    const sentToBuyer = await sendPaidPhoto({ to: buyer })
    await sql`delete from auth.users where id = ${seller.id}`
    // A message that is restored later does not look like a photo for sale either.
    for (const { id } of [hidden, hiddenAndBought])
      await sql`select private.restore_subject('message', ${id})`
    const rows = await sql`
      select media_id, price_cents, placeholder, media_width from public.messages
      where id = any (${[locked, bought, hidden, hiddenAndBought].map(({ id }) => id)})`
    expect(rows).toEqual(
      Array(4).fill({ media_id: null, price_cents: null, placeholder: null, media_width: 4 }),
    )
    expect(await beginUnlock(buyer, locked.id, 5)).toBeNull()
    await sql`delete from auth.users where id = ${buyer.id}`
    expect(await canReadMedia(creator, sentToBuyer.mediaId)).toBe(true)
  })
})
