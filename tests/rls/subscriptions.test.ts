import { afterAll, describe, expect, it } from 'vitest'
import { asService, booked, settle, stateOf } from './money.ts'
import { begin, cancel, expectWaiting, held, pair, subscribe } from './subscribing.ts'
import { as, block, owner, type Person, person, refusal } from './support.ts'

afterAll(() => owner.end())

describe('what crosses a payment on its way', () => {
  it('is a block, a cancelling or a deletion: nothing is opened, nothing is booked', async () => {
    for (const cross of [
      ({ creator, fan }: { creator: Person; fan: Person }) => block(creator, fan),
      ({ creator, fan }: { creator: Person; fan: Person }) => block(fan, creator),
      ({ creator, fan }: { creator: Person; fan: Person }) => cancel(fan, creator),
      ({ creator }: { creator: Person }) => owner`delete from auth.users where id = ${creator.id}`,
      ({ fan }: { fan: Person }) => owner`delete from auth.users where id = ${fan.id}`,
    ]) {
      const people = await pair()
      const payment = await begin(people.fan, people.creator)
      await cross(people)
      expect(await settle(payment ?? '')).toBe(false)
      expect((await held(people.fan, people.creator)).map(({ state }) => state)).toEqual(['ended'])
      expect([await stateOf(payment ?? ''), await booked(owner, payment ?? '')]).toEqual(['void', []])
    }
  })
})

describe('somebody who is leaving', () => {
  it.each(['creator', 'fan'] as const)('as the %s leaves no subscription behind', async (who) => {
    // Gone, but not for good yet, when it is begun: it waits, and begins nothing.
    const first = await pair()
    let begun: Promise<string> = Promise.resolve('')
    await owner.begin(async (tx) => {
      await tx`delete from auth.users where id = ${first[who].id}`
      begun = refusal(begin(first.fan, first.creator))
      await expectWaiting(tx)
    })
    expect([await begun, await held(first.fan, first.creator)]).toEqual(['PT404', []])
    // Begun, but not for good yet, when they leave: it ends with them.
    const { creator, fan } = await pair()
    const people = { creator, fan }
    let left: Promise<unknown> = Promise.resolve()
    await as(fan, async (tx) => {
      await tx`select private.begin_subscription(${creator.id}, 'test')`
      left = owner`delete from auth.users where id = ${people[who].id}`.execute()
      await expectWaiting(tx)
    })
    await left
    expect((await held(fan, creator)).map(({ state }) => state)).toEqual(['ended'])
  })
})

it('a creator and who subscribes to them are deleted by one statement, whoever of them comes first', async () => {
  const people = [
    await person({ creator: true }),
    await person(),
    await person(),
    await person({ creator: true }),
  ]
  const [first, ...rest] = people
  const last = rest.pop()
  for (const creator of [first, last]) {
    for (const fan of rest) if (creator !== undefined) await subscribe(fan, creator)
  }
  await owner.begin(async (tx) => {
    // In the order in which they came.
    await tx`select set_config('enable_indexscan', 'off', true), set_config('enable_bitmapscan', 'off', true)`
    await tx`delete from auth.users where id = any(${people.map(({ id }) => id)}::uuid[])`
  })
  const left = await owner`
    select distinct state from public.subscriptions where subscriber_id = any(${rest.map(({ id }) => id)}::uuid[])`
  expect(left.map(({ state }) => state)).toEqual(['ended'])
})

describe('the rows', () => {
  it('are read by the two whom they concern, and written by nobody', async () => {
    const { creator, fan } = await pair()
    const [stranger, admin] = await Promise.all([person(), person({ admin: true })])
    const payment = await begin(fan, creator)
    const seen = async (who: Person) => [
      (await as(who, (tx) => tx`select 1 from public.subscriptions where creator_id = ${creator.id}`)).length,
      (await as(who, (tx) => tx`select 1 from public.payments where payee_id = ${creator.id}`)).length,
    ]
    // Whoever has not paid yet is nobody's subscriber.
    expect([await seen(fan), await seen(creator)]).toEqual([
      [1, 1],
      [0, 0],
    ])
    await settle(payment ?? '')
    expect(await Promise.all([fan, creator, stranger, admin].map(seen))).toEqual([
      [1, 1],
      [1, 0],
      [0, 0],
      [0, 0],
    ])
    await owner`delete from auth.sessions where id = ${creator.sessionId}`
    expect(await seen(creator)).toEqual([0, 0])
    expect(await refusal(as(null, (tx) => tx`select 1 from public.subscriptions`))).toBe('42501')
    for (const who of [fan, creator]) {
      const attempts = [
        as(who, (tx) => tx`update public.subscriptions set period_end = now() + interval '9 years'`),
        as(who, (tx) => tx`delete from public.subscriptions`),
        as(
          who,
          (tx) => tx`insert into public.subscriptions (subscriber_id, creator_id, price_cents)
                           values (${fan.id}, ${creator.id}, 1)`,
        ),
        // What its provider calls it is for neither.
        as(who, (tx) => tx`select provider_reference from public.subscriptions`),
        as(who, (tx) => tx`select provider_knows from public.subscriptions`),
        as(who, (tx) => tx`select private.settle_payment(${payment})`),
        as(who, (tx) => tx`select private.begin_renewals(1, 'test')`),
        as(who, (tx) => tx`select private.is_subscribed(${fan.id}, ${creator.id})`),
      ]
      expect(await Promise.all(attempts.map(refusal))).toEqual(attempts.map(() => '42501'))
    }
    expect(await refusal(asService((tx) => tx`delete from public.subscriptions`))).toBe('42501')
  })
})
