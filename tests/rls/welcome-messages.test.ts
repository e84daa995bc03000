import type postgres from 'postgres'
import { describe, expect, it } from 'vitest'
import { getSqlState, insertUser, runAs, runAsService, type SessionUser, sql } from './database.ts'
import { settlePayment } from './payment-helpers.ts'
import { beginSubscription, createCreatorAndFan, subscribe } from './subscription-helpers.ts'

const setWelcomeMessage = (user: SessionUser | null, content: string) =>
  runAs(user, (tx) => tx`select private.set_welcome_message(${content})`)
const readWelcomeMessages = (user: SessionUser | null) =>
  runAs(user, (tx) => tx<{ content: string }[]>`select content from public.welcome_messages`)
const listMessages = async (fan: SessionUser) =>
  (
    await sql<{ content: string }[]>`
      select content from public.messages where receiver_id = ${fan.id} order by created_at`
  ).map(({ content }) => content)
const isQueued = async (fan: SessionUser) =>
  (
    await sql`select from private.welcome_queue q join public.subscriptions s on s.id = q.subscription_id
              where s.subscriber_id = ${fan.id}`
  ).length > 0
const currentSubscription = async (fan: SessionUser) =>
  (
    await sql<{ id: string }[]>`
    select id from public.subscriptions where subscriber_id = ${fan.id} and state = 'active'`
  )[0]?.id ?? ''
const sendWelcomeMessage = (subscriptionId: string) =>
  runAsService((tx) => tx`select private.send_welcome_message(${subscriptionId})`)

async function createCreatorWithWelcomeMessage() {
  const { creator, fan } = await createCreatorAndFan()
  await setWelcomeMessage(creator, 'Welcome!')
  return { creator, fan }
}

/**
 * Begins a subscription. Then settles its payment, runs `change` and sends the welcome message in one transaction, so
 * that the job does not send the message first.
 */
async function subscribeThenChange(
  fan: SessionUser,
  creator: SessionUser,
  change: (tx: postgres.TransactionSql) => Promise<unknown>,
) {
  const payment = await beginSubscription(fan, creator)
  await sql.begin(async (tx) => {
    await tx`select private.settle_payment(${payment}, ${`test_${payment}`})`
    await change(tx)
    await tx`select private.send_welcome_message(p.subscription_id) from public.payments p where p.id = ${payment}`
  })
}

describe('a welcome message', () => {
  it('can be read and set only by its creator', async () => {
    const { creator, fan } = await createCreatorWithWelcomeMessage()
    await subscribe(fan, creator)
    expect(await readWelcomeMessages(creator)).toEqual([{ content: 'Welcome!' }])
    expect(await getSqlState(readWelcomeMessages(null))).toBe('42501')
    for (const user of [
      fan,
      await insertUser(),
      await insertUser({ creator: true }),
      await insertUser({ admin: true }),
    ])
      expect(await readWelcomeMessages(user)).toEqual([])
    for (const write of [
      `insert into public.welcome_messages (creator_id, content) values ('${creator.id}', 'x')`,
      `update public.welcome_messages set content = 'x'`,
      `delete from public.welcome_messages`,
      `select * from private.welcome_queue`,
      `select private.list_welcome_queue(1)`,
      `select private.send_welcome_message(gen_random_uuid())`,
    ])
      expect(await getSqlState(runAs(creator, (tx) => tx.unsafe(write)))).toBe('42501')
    expect(await getSqlState(setWelcomeMessage(null, 'x'))).toBe('42501')
    expect(await getSqlState(setWelcomeMessage(fan, 'x'))).toBe('PT403')
  })

  it('needs an active session, an account that can write, a confirmed email address and valid text', async () => {
    const { creator } = await createCreatorWithWelcomeMessage()
    expect(await getSqlState(setWelcomeMessage(creator, 'x'.repeat(5001)))).toBe('PT400')
    await sql`update public.accounts set read_only_reason = 'Suspended' where user_id = ${creator.id}`
    expect(await getSqlState(setWelcomeMessage(creator, 'x'))).toBe('PT403')
    await sql`update public.accounts set read_only_reason = null, email_confirmed_at = null
              where user_id = ${creator.id}`
    expect(await getSqlState(setWelcomeMessage(creator, 'x'))).toBe('PT403')
    expect(await readWelcomeMessages(creator)).toEqual([{ content: 'Welcome!' }])
    await sql`delete from auth.sessions where id = ${creator.sessionId}`
    expect(await getSqlState(setWelcomeMessage(creator, 'x'))).toBe('42501')
  })

  it('is replaced by new text and turned off by blank text', async () => {
    const { creator } = await createCreatorWithWelcomeMessage()
    await setWelcomeMessage(creator, 'Hello')
    expect(await readWelcomeMessages(creator)).toEqual([{ content: 'Hello' }])
    await setWelcomeMessage(creator, ' \n ')
    expect(await readWelcomeMessages(creator)).toEqual([])
  })
})

describe('sending a welcome message', () => {
  it('creates one normal message, even if the payment is settled and the message is sent repeatedly', async () => {
    const { creator, fan } = await createCreatorWithWelcomeMessage()
    const payment = (await beginSubscription(fan, creator)) ?? ''
    await Promise.all([1, 2, 3].map(() => settlePayment(payment)))
    const subscription = await currentSubscription(fan)
    await Promise.all([1, 2, 3].map(() => sendWelcomeMessage(subscription)))
    await settlePayment(payment)
    await sendWelcomeMessage(subscription)
    const messages = await sql`
      select sender_id as sender, content, mass_message_id as mass from public.messages where receiver_id = ${fan.id}`
    expect(messages).toEqual([{ sender: creator.id, content: 'Welcome!', mass: null }])
    const counters =
      await sql`select unread_messages as unread from public.user_counters where user_id = ${fan.id}`
    expect(counters).toEqual([{ unread: 1 }])
    for (const user of [fan, creator])
      expect(
        await sql`select from realtime.messages where topic = ${`user:${user.id}`} and event = 'message.created'`,
      ).toHaveLength(1)
    expect(
      await sql`select from public.notifications where user_id = ${fan.id} and kind = 'message'`,
    ).toHaveLength(1)
  })

  it('is repeated for a new subscription, but not for a renewal or a resumption', async () => {
    const { creator, fan } = await createCreatorWithWelcomeMessage()
    await subscribe(fan, creator)
    const first = await currentSubscription(fan)
    await sendWelcomeMessage(first)
    const [renewal] = await sql<{ id: string }[]>`
      insert into public.payments
        (kind, payer_id, payee_id, subscription_id, period_start, amount_cents, fee_cents, provider)
      select 'subscription', subscriber_id, creator_id, id, period_end, price_cents, 100, 'test'
      from public.subscriptions where id = ${first} returning id`
    expect(await settlePayment(renewal?.id ?? '')).toBe(true)
    await runAs(fan, (tx) => tx`select private.cancel_subscription(${creator.id})`)
    expect(await beginSubscription(fan, creator)).toBeNull()
    expect(await isQueued(fan)).toBe(false)
    await sql`update public.subscriptions set state = 'ended', ended_at = now() where id = ${first}`
    await subscribe(fan, creator)
    await sendWelcomeMessage(await currentSubscription(fan))
    expect(await listMessages(fan)).toEqual(['Welcome!', 'Welcome!'])
  })

  it('uses the text at the time of sending', async () => {
    const { creator, fan } = await createCreatorWithWelcomeMessage()
    await subscribeThenChange(
      fan,
      creator,
      (tx) => tx`update public.welcome_messages set content = 'Edited' where creator_id = ${creator.id}`,
    )
    expect(await listMessages(fan)).toEqual(['Edited'])
  })

  it.each<[string, (creator: SessionUser, fan: SessionUser) => string]>([
    [
      'the text is cleared',
      (creator) => `delete from public.welcome_messages where creator_id = '${creator.id}'`,
    ],
    [
      'the creator’s account becomes read-only',
      (creator) =>
        `update public.accounts set read_only_reason = 'Suspended' where user_id = '${creator.id}'`,
    ],
    [
      'the creator closes their creator account',
      (creator) => `update public.profiles set is_creator = false where id = '${creator.id}'`,
    ],
    [
      'the subscriber blocks the creator',
      (creator, fan) =>
        `insert into public.blocks (blocker_id, blocked_id) values ('${fan.id}', '${creator.id}')`,
    ],
    [
      'the creator blocks the subscriber',
      (creator, fan) =>
        `insert into public.blocks (blocker_id, blocked_id) values ('${creator.id}', '${fan.id}')`,
    ],
    [
      'the subscriber turns off direct messages',
      (_creator, fan) => `update public.profiles set allow_direct_messages = false where id = '${fan.id}'`,
    ],
    [
      'the subscriber is suspended',
      (_creator, fan) => `update public.accounts set suspended_at = now(), suspension_reason = 'Spam'
                          where user_id = '${fan.id}'`,
    ],
    [
      'the subscription ends',
      (_creator, fan) => `update public.subscriptions set state = 'ended', ended_at = now()
                          where subscriber_id = '${fan.id}'`,
    ],
  ])('is skipped if %s first', async (_event, change) => {
    const { creator, fan } = await createCreatorWithWelcomeMessage()
    await subscribeThenChange(fan, creator, (tx) => tx.unsafe(change(creator, fan)))
    expect(await listMessages(fan)).toEqual([])
    expect(await isQueued(fan)).toBe(false)
  })

  it('leaves out users who subscribed before the creator had a welcome message', async () => {
    const { creator, fan } = await createCreatorAndFan()
    await subscribe(fan, creator)
    await setWelcomeMessage(creator, 'Welcome!')
    expect(await isQueued(fan)).toBe(false)
    await sendWelcomeMessage(await currentSubscription(fan))
    expect(await listMessages(fan)).toEqual([])
  })

  it('does not delay the payment while the conversation is locked', async () => {
    const { creator, fan } = await createCreatorWithWelcomeMessage()
    await runAs(
      creator,
      (tx) => tx`insert into public.messages (receiver_id, content) values (${fan.id}, 'Hi')`,
    )
    await sql.begin(async (tx) => {
      await tx`select from public.conversations where ${fan.id} in (user_low, user_high) for update`
      await subscribe(fan, creator)
    })
    await sendWelcomeMessage(await currentSubscription(fan))
    expect(await listMessages(fan)).toEqual(['Hi', 'Welcome!'])
  })

  it('fails while another transaction locks the creator’s account, and succeeds afterwards', async () => {
    const { creator, fan } = await createCreatorWithWelcomeMessage()
    await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(private.follows_lock_key(${creator.id}))`
      await subscribe(fan, creator)
      expect(await getSqlState(sendWelcomeMessage(await currentSubscription(fan)))).toBe('55P03')
    })
    await sendWelcomeMessage(await currentSubscription(fan))
    expect(await listMessages(fan)).toEqual(['Welcome!'])
  })

  it('does nothing after the account of either user has been deleted', async () => {
    for (const deletedUser of ['creator', 'fan'] as const) {
      const users = await createCreatorWithWelcomeMessage()
      const { creator, fan } = users
      await subscribe(fan, creator)
      const subscription = await currentSubscription(fan)
      await Promise.allSettled([
        sendWelcomeMessage(subscription),
        sql`delete from auth.users where id = ${users[deletedUser].id}`,
      ])
      await sendWelcomeMessage(subscription)
      expect((await listMessages(fan)).length).toBeLessThanOrEqual(1)
      expect(await isQueued(fan)).toBe(false)
      if (deletedUser === 'creator')
        expect(await sql`select from public.welcome_messages where creator_id = ${creator.id}`).toEqual([])
    }
  })
})
