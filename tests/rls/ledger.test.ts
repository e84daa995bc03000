import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { getSqlState, insertUser, runAs, runAsService, type SessionUser, sql } from './database.ts'
import {
  beginUnlock,
  buyPost,
  canReadPremium,
  getPaymentState,
  insertPremiumPost,
  listLedgerEntries,
  refundPayment,
  settlePayment,
} from './payment-helpers.ts'

afterAll(() => sql.end())

describe('the ledger', () => {
  const write = (...amounts: number[]) =>
    sql.begin(async (tx) => {
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
      expect(await getSqlState(write(...amounts)), String(amounts)).toBe('23514')
    }
    // Nor when the constraints are checked early and an entry comes after.
    const late = sql.begin(async (tx) => {
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
    expect(await getSqlState(late)).toBe('23514')
    expect(await write(5, -4, -1)).toHaveLength(1)
  })

  it('only grows: not even its owner, or the secret key, changes what was booked', async () => {
    const [author, fan] = await Promise.all([insertUser({ creator: true }), insertUser()])
    const payment = await buyPost(fan, await insertPremiumPost(author, 3), 3)
    const before = await listLedgerEntries(sql, payment)
    for (const [table, change] of [
      ['ledger_entries', 'amount_cents = 1'],
      ['ledger_transactions', "kind = 'refund'"],
    ]) {
      for (const statement of [
        `update public.${table} set ${change}`,
        `delete from public.${table}`,
        `truncate public.${table} cascade`,
      ]) {
        expect(await getSqlState(sql.begin((tx) => tx.unsafe(statement))), statement).toBe('42501')
        expect(await getSqlState(runAsService((tx) => tx.unsafe(statement))), statement).toBe('42501')
      }
      expect(
        await getSqlState(runAsService((tx) => tx.unsafe(`insert into public.${table} default values`))),
      ).toBe('42501')
    }
    // Entries for a transaction of the past are refused though they balance.
    const late = sql`
      insert into public.ledger_entries (transaction_id, account, label, amount_cents)
      select t.id, 'platform', 'fee', amount
      from public.ledger_transactions t, unnest(array[5, -5]) amount where t.payment_id = ${payment}`
    expect(await getSqlState(late)).toBe('42501')
    expect(await listLedgerEntries(sql, payment)).toEqual(before)
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
    const [author, fan] = await Promise.all([insertUser({ creator: true }), insertUser()])
    const post = await insertPremiumPost(author, cents / 100)
    const undone = new Error('taken back')
    // The fee is a setting of the whole instance: it is changed in a transaction that is taken back.
    const attempt = sql.begin(async (tx) => {
      const claims = { sub: fan.id, role: 'authenticated', session_id: fan.sessionId }
      await tx`select private.set_setting('platform_fee_percent', ${tx.json(percent)}),
                      set_config('request.jwt.claims', ${JSON.stringify(claims)}, true),
                      set_config('request.jwt.claim.sub', ${fan.id}, true)`
      const [row] = await tx<{ payment: string }[]>`
        select private.begin_unlock(${post}, ${cents / 100}, 'test') as payment`
      const payment = row?.payment ?? ''
      await tx`select private.settle_payment(${payment})`
      await tx`set constraints all immediate`
      const rows = await listLedgerEntries(tx, payment)
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
    const attempt = sql`select private.set_setting('platform_fee_percent', ${sql.json(value)})`
    expect(await getSqlState(attempt), String(value)).toBe('23514')
  }
})

describe('payments', () => {
  it('are booked once, given back once, and may then be made anew', async () => {
    const [author, fan] = await Promise.all([insertUser({ creator: true }), insertUser()])
    const post = await insertPremiumPost(author, 8)
    const first = await beginUnlock(fan, post, 8)
    expect(first).toBeTruthy()
    expect(await canReadPremium(fan, post)).toBe(false)
    // Begun again, it is the same one, at the price of now.
    await sql`update public.posts set premium_price = 9 where id = ${post}`
    expect(await getSqlState(beginUnlock(fan, post, 8))).toBe('PT400')
    expect(await beginUnlock(fan, post, 9)).toBe(first)
    const payment = first ?? ''
    expect(await Promise.all([1, 2, 3, 4].map(() => settlePayment(payment)))).toEqual([
      true,
      true,
      true,
      true,
    ])
    expect((await listLedgerEntries(sql, payment)).map(({ amount }) => amount)).toEqual([-900, 900, -90, 90])
    expect(await canReadPremium(fan, post)).toBe(true)
    expect(await beginUnlock(fan, post, 1)).toBeNull()

    expect((await Promise.all([1, 2, 3].map(() => refundPayment(payment)))).filter(Boolean)).toEqual([true])
    expect((await listLedgerEntries(sql, payment)).map(({ amount }) => amount)).toEqual([
      -900, 900, -90, 90, 900, -900, 90, -90,
    ])
    expect([
      await canReadPremium(fan, post),
      await getPaymentState(payment),
      await settlePayment(payment),
    ]).toEqual([false, 'refunded', false])
    expect(await buyPost(fan, post, 9)).not.toBe(payment)
    expect(await canReadPremium(fan, post)).toBe(true)
  })

  it('book nothing for a post or a payer that is gone before the money came', async () => {
    const [author, fan, leaver] = await Promise.all([
      insertUser({ creator: true }),
      insertUser(),
      insertUser(),
    ])
    const post = await insertPremiumPost(author, 4)
    const byLeaver = (await beginUnlock(leaver, post, 4)) ?? ''
    await sql`delete from auth.users where id = ${leaver.id}`
    expect([await settlePayment(byLeaver), await getPaymentState(byLeaver)]).toEqual([false, 'void'])
    const payment = (await beginUnlock(fan, post, 4)) ?? ''
    await runAs(author, (tx) => tx`delete from public.posts where id = ${post}`)
    expect([await settlePayment(payment), await getPaymentState(payment)]).toEqual([false, 'void'])
    expect(await listLedgerEntries(sql, payment)).toEqual([])
    expect(await listLedgerEntries(sql, byLeaver)).toEqual([])
    expect(await getSqlState(settlePayment(randomUUID()))).toBe('PT404')
  })

  it('and their sales outlive the post, the buyer and the creator', async () => {
    const [author, fan] = await Promise.all([insertUser({ creator: true }), insertUser()])
    const post = await insertPremiumPost(author, 6)
    const payment = await buyPost(fan, post, 6)
    await runAs(author, (tx) => tx`delete from public.posts where id = ${post}`)
    await sql`delete from auth.users where id in (${author.id}, ${fan.id})`
    expect(
      (await listLedgerEntries(sql, payment)).map(({ account, person, amount }) => ({
        account,
        person,
        amount,
      })),
    ).toEqual([
      { account: 'processor', person: null, amount: -600 },
      { account: 'creator', person: author.id, amount: 600 },
      { account: 'creator', person: author.id, amount: -60 },
      { account: 'platform', person: null, amount: 60 },
    ])
    expect(await getPaymentState(payment)).toBe('paid')
    // It can be given back all the same.
    expect(await refundPayment(payment)).toBe(true)
  })

  it('are read by their payer, sales by their creator, and written by nobody', async () => {
    const [author, rival, fan, stranger] = await Promise.all([
      insertUser({ creator: true }),
      insertUser({ creator: true }),
      insertUser(),
      insertUser(),
    ])
    const post = await insertPremiumPost(author, 2)
    const payment = await buyPost(fan, post, 2)
    await buyPost(fan, await insertPremiumPost(rival, 2), 2)
    const count = (who: SessionUser, table: string) =>
      runAs(who, (tx) => tx.unsafe(`select from public.${table}`)).then((rows) => rows.count)
    const tables = ['payments', 'unlocks', 'ledger_transactions', 'ledger_entries']
    const seen = async (who: SessionUser) => Promise.all(tables.map((table) => count(who, table)))
    expect(await seen(fan)).toEqual([2, 2, 0, 0])
    expect(await seen(author)).toEqual([0, 0, 1, 2])
    expect(await seen(stranger)).toEqual([0, 0, 0, 0])
    for (const table of tables) {
      expect(await getSqlState(runAs(null, (tx) => tx.unsafe(`select from public.${table}`)))).toBe('42501')
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
        expect(await getSqlState(runAs(who, (tx) => tx.unsafe(statement))), statement).toBe('42501')
      }
      expect(await getSqlState(runAsService((tx) => tx.unsafe(statement))), statement).toBe('42501')
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
      expect(await getSqlState(runAs(fan, (tx) => tx.unsafe(`select ${call}`))), call).toBe('42501')
    }
    expect(await canReadPremium(stranger, post)).toBe(false)
  })
})
