import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { asService, begin, booked, buy, isOpen, refund, sell, settle, stateOf } from './money.ts'
import { as, owner, type Person, person, refusal } from './support.ts'

afterAll(() => owner.end())

describe('the ledger', () => {
  const write = (...amounts: number[]) =>
    owner.begin(async (tx) => {
      const id = randomUUID()
      await tx`insert into public.ledger_transactions (id, kind) values (${id}, 'unlock')`
      for (const amount of amounts) {
        await tx`insert into public.ledger_entries (transaction_id, account, label, amount_cents)
                 values (${id}, 'platform', 'fee', ${amount})`
      }
      return [id]
    })

  it('holds nothing that does not balance, whoever writes it', async () => {
    for (const amounts of [[], [5], [5, -4], [5, -4, -2]]) {
      expect(await refusal(write(...amounts)), String(amounts)).toBe('23514')
    }
    // Nor when the constraints are checked early and an entry comes after.
    const late = owner.begin(async (tx) => {
      const id = randomUUID()
      const add = (amount: number) => tx`
        insert into public.ledger_entries (transaction_id, account, label, amount_cents)
        values (${id}, 'platform', 'fee', ${amount})`
      await tx`insert into public.ledger_transactions (id, kind) values (${id}, 'unlock')`
      await add(5)
      await add(-5)
      await tx`set constraints all immediate`
      await tx`set constraints all deferred`
      await add(7)
    })
    expect(await refusal(late)).toBe('23514')
    expect(await write(5, -4, -1)).toHaveLength(1)
  })

  it('only grows: not even its owner, or the secret key, changes what was booked', async () => {
    const [author, fan] = await Promise.all([person({ creator: true }), person()])
    const payment = await buy(fan, await sell(author, 3), 3)
    const before = await booked(owner, payment)
    for (const [table, change] of [
      ['ledger_entries', 'amount_cents = 1'],
      ['ledger_transactions', "kind = 'refund'"],
    ]) {
      for (const statement of [
        `update public.${table} set ${change}`,
        `delete from public.${table}`,
        `truncate public.${table} cascade`,
      ]) {
        expect(await refusal(owner.begin((tx) => tx.unsafe(statement))), statement).toBe('42501')
        expect(await refusal(asService((tx) => tx.unsafe(statement))), statement).toBe('42501')
      }
      expect(await refusal(asService((tx) => tx.unsafe(`insert into public.${table} default values`)))).toBe(
        '42501',
      )
    }
    // Entries for a transaction of the past are refused though they balance.
    const late = owner`
      insert into public.ledger_entries (transaction_id, account, label, amount_cents)
      select t.id, 'platform', 'fee', amount
      from public.ledger_transactions t, unnest(array[5, -5]) amount where t.payment_id = ${payment}`
    expect(await refusal(late)).toBe('42501')
    expect(await booked(owner, payment)).toEqual(before)
  })

  it.each([
    [0, 999, []],
    [
      10,
      999,
      [
        { account: 'creator', label: 'fee', amount: -100 },
        { account: 'platform', label: 'fee', amount: 100 },
      ],
    ],
    [
      12.5,
      10,
      [
        { account: 'creator', label: 'fee', amount: -1 },
        { account: 'platform', label: 'fee', amount: 1 },
      ],
    ],
    [
      100,
      999,
      [
        { account: 'creator', label: 'fee', amount: -999 },
        { account: 'platform', label: 'fee', amount: 999 },
      ],
    ],
  ])('takes a fee of %d percent from %d cents, as an entry of its own', async (percent, cents, fees) => {
    const [author, fan] = await Promise.all([person({ creator: true }), person()])
    const post = await sell(author, cents / 100)
    const undone = new Error('taken back')
    // The fee is a setting of the whole instance: it is changed in a transaction that is taken back.
    const attempt = owner.begin(async (tx) => {
      const claims = { sub: fan.id, role: 'authenticated', session_id: fan.sessionId }
      await tx`select private.set_setting('platform_fee_percent', ${tx.json(percent)}),
                      set_config('request.jwt.claims', ${JSON.stringify(claims)}, true),
                      set_config('request.jwt.claim.sub', ${fan.id}, true)`
      const [row] = await tx<{ payment: string }[]>`
        select private.begin_unlock(${post}, ${cents / 100}, 'test') as payment`
      const payment = row?.payment ?? ''
      await tx`select private.settle_payment(${payment})`
      await tx`set constraints all immediate`
      const rows = await booked(tx, payment)
      expect(rows.map(({ account, label, amount }) => ({ account, label, amount }))).toEqual([
        { account: 'processor', label: 'payment', amount: -cents },
        { account: 'creator', label: 'sale', amount: cents },
        ...fees,
      ])
      expect(rows.map(({ person }) => person)).toEqual(
        rows.map(({ account }) => (account === 'creator' ? author.id : null)),
      )
      throw undone
    })
    await expect(attempt).rejects.toBe(undone)
  })
})

it('a fee below 0 % or above 100 %, or no number, is no setting', async () => {
  for (const value of [-1, 100.5, '10', true]) {
    const attempt = owner`select private.set_setting('platform_fee_percent', ${owner.json(value)})`
    expect(await refusal(attempt), String(value)).toBe('23514')
  }
})

describe('payments', () => {
  it('are booked once, given back once, and may then be made anew', async () => {
    const [author, fan] = await Promise.all([person({ creator: true }), person()])
    const post = await sell(author, 8)
    const first = await begin(fan, post, 8)
    expect(first).toBeTruthy()
    expect(await isOpen(fan, post)).toBe(false)
    // Begun again, it is the same one, at the price of now.
    await owner`update public.posts set premium_price = 9 where id = ${post}`
    expect(await refusal(begin(fan, post, 8))).toBe('PT400')
    expect(await begin(fan, post, 9)).toBe(first)
    const payment = first ?? ''
    expect(await Promise.all([1, 2, 3, 4].map(() => settle(payment)))).toEqual([true, true, true, true])
    expect((await booked(owner, payment)).map(({ amount }) => amount)).toEqual([-900, 900, -90, 90])
    expect(await isOpen(fan, post)).toBe(true)
    expect(await begin(fan, post, 1)).toBeNull()

    expect((await Promise.all([1, 2, 3].map(() => refund(payment)))).filter(Boolean)).toEqual([true])
    expect((await booked(owner, payment)).map(({ amount }) => amount)).toEqual([
      -900, 900, -90, 90, 900, -900, 90, -90,
    ])
    expect([await isOpen(fan, post), await stateOf(payment), await settle(payment)]).toEqual([
      false,
      'refunded',
      false,
    ])
    expect(await buy(fan, post, 9)).not.toBe(payment)
    expect(await isOpen(fan, post)).toBe(true)
  })

  it('book nothing for a post or a payer that is gone before the money came', async () => {
    const [author, fan, leaver] = await Promise.all([person({ creator: true }), person(), person()])
    const post = await sell(author, 4)
    const byLeaver = (await begin(leaver, post, 4)) ?? ''
    await owner`delete from auth.users where id = ${leaver.id}`
    expect([await settle(byLeaver), await stateOf(byLeaver)]).toEqual([false, 'void'])
    const payment = (await begin(fan, post, 4)) ?? ''
    await as(author, (tx) => tx`delete from public.posts where id = ${post}`)
    expect([await settle(payment), await stateOf(payment)]).toEqual([false, 'void'])
    expect(await booked(owner, payment)).toEqual([])
    expect(await booked(owner, byLeaver)).toEqual([])
    expect(await refusal(settle(randomUUID()))).toBe('PT404')
  })

  it('and their sales outlive the post, the buyer and the creator', async () => {
    const [author, fan] = await Promise.all([person({ creator: true }), person()])
    const post = await sell(author, 6)
    const payment = await buy(fan, post, 6)
    await as(author, (tx) => tx`delete from public.posts where id = ${post}`)
    await owner`delete from auth.users where id in (${author.id}, ${fan.id})`
    expect(
      (await booked(owner, payment)).map(({ account, person, amount }) => ({ account, person, amount })),
    ).toEqual([
      { account: 'processor', person: null, amount: -600 },
      { account: 'creator', person: author.id, amount: 600 },
      { account: 'creator', person: author.id, amount: -60 },
      { account: 'platform', person: null, amount: 60 },
    ])
    expect(await stateOf(payment)).toBe('paid')
    // It can be given back all the same.
    expect(await refund(payment)).toBe(true)
  })

  it('are read by their payer, sales by their creator, and written by nobody', async () => {
    const [author, rival, fan, stranger] = await Promise.all([
      person({ creator: true }),
      person({ creator: true }),
      person(),
      person(),
    ])
    const post = await sell(author, 2)
    const payment = await buy(fan, post, 2)
    await buy(fan, await sell(rival, 2), 2)
    const count = (who: Person, table: string) =>
      as(who, (tx) => tx.unsafe(`select from public.${table}`)).then((rows) => rows.count)
    const tables = ['payments', 'unlocks', 'ledger_transactions', 'ledger_entries']
    const seen = async (who: Person) => Promise.all(tables.map((table) => count(who, table)))
    expect(await seen(fan)).toEqual([2, 2, 0, 0])
    expect(await seen(author)).toEqual([0, 0, 1, 2])
    expect(await seen(stranger)).toEqual([0, 0, 0, 0])
    for (const table of tables) {
      expect(await refusal(as(null, (tx) => tx.unsafe(`select from public.${table}`)))).toBe('42501')
    }
    const forged = [
      `insert into public.payments (kind, payer_id, payee_id, post_id, amount_cents, fee_cents, provider, state)
       values ('unlock', '${stranger.id}', '${author.id}', '${post}', 200, 0, 'test', 'paid')`,
      `insert into public.unlocks (user_id, post_id, payment_id) values ('${stranger.id}', '${post}', '${payment}')`,
      "update public.payments set state = 'paid'",
      'delete from public.unlocks',
      'delete from public.payments',
    ]
    for (const statement of forged) {
      for (const who of [stranger, fan, author]) {
        expect(await refusal(as(who, (tx) => tx.unsafe(statement))), statement).toBe('42501')
      }
      expect(await refusal(asService((tx) => tx.unsafe(statement))), statement).toBe('42501')
    }
    for (const call of [
      `private.settle_payment('${payment}')`,
      `private.refund_payment('${payment}')`,
      `private.fee_of(1)`,
      `private.book('tip', '${fan.id}', 'tip', now(), '{}')`,
      `private.book_payment((select p from public.payments p where p.id = '${payment}'), -1)`,
      `private.recount_money()`,
      `private.balance_of('${author.id}')`,
      `private.pending_of('${author.id}')`,
      `private.make_scheduled_payouts(1)`,
    ]) {
      expect(await refusal(as(fan, (tx) => tx.unsafe(`select ${call}`))), call).toBe('42501')
    }
    expect(await isOpen(stranger, post)).toBe(false)
  })
})
