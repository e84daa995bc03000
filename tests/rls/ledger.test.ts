import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { deleteAccounts } from '../support/deadlocks.ts'
import {
  getSqlState,
  impersonate,
  insertUser,
  runAs,
  runAsService,
  type SessionUser,
  sql,
} from './database.ts'
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

  it('rejects transactions that are empty or do not balance, even from the superuser', async () => {
    for (const amounts of [[], [5], [5, -4], [5, -4, -2]]) {
      expect(await getSqlState(write(...amounts)), String(amounts)).toBe('23514')
    }
    // An entry added after an early constraint check (`set constraints ... immediate`) is checked as well.
    const lateInsert = sql.begin(async (tx) => {
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
    expect(await getSqlState(lateInsert)).toBe('23514')
    expect(await write(5, -4, -1)).toHaveLength(1)
  })

  it('is append-only, even for the superuser and the service role', async () => {
    const [author, fan] = await Promise.all([insertUser({ creator: true }), insertUser()])
    const paymentId = await buyPost(fan, await insertPremiumPost(author, 3), 3)
    const before = await listLedgerEntries(sql, paymentId)
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
    // Even balanced entries cannot be added to a ledger transaction that was committed earlier.
    const lateInsert = sql`
      insert into public.ledger_entries (transaction_id, account, label, amount_cents)
      select t.id, 'platform', 'fee', amount
      from public.ledger_transactions t, unnest(array[5, -5]) amount where t.payment_id = ${paymentId}`
    expect(await getSqlState(lateInsert)).toBe('42501')
    expect(await listLedgerEntries(sql, paymentId)).toEqual(before)
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
  ])(
    'with a fee of %d percent books the full %d cents and any fee as separate entries',
    async (percent, cents, fees) => {
      const [author, fan] = await Promise.all([insertUser({ creator: true }), insertUser()])
      const postId = await insertPremiumPost(author, cents / 100)
      const rollback = new Error('rollback')
      // The fee is an instance-wide setting, so the change is rolled back.
      const attempt = sql.begin(async (tx) => {
        await tx`select private.set_setting('platform_fee_percent', ${tx.json(percent)})`
        await impersonate(tx, fan)
        const [row] = await tx<{ payment: string }[]>`
        select private.begin_unlock(${postId}, ${cents / 100}, 'test') as payment`
        const paymentId = row?.payment ?? ''
        await tx`select private.settle_payment(${paymentId})`
        await tx`set constraints all immediate`
        const rows = await listLedgerEntries(tx, paymentId)
        expect(rows.map(({ account, label, amount }) => ({ account, label, amount }))).toEqual([
          { account: 'processor', label: 'payment', amount: -cents },
          { account: 'creator', label: 'sale', amount: cents },
          ...fees,
        ])
        expect(rows.map(({ userId }) => userId)).toEqual(
          rows.map(({ account }) => (account === 'creator' ? author.id : null)),
        )
        throw rollback
      })
      await expect(attempt).rejects.toBe(rollback)
    },
  )
})

it('a platform fee that is not a number from 0 to 100 is rejected', async () => {
  for (const value of [-1, 100.5, '10', true]) {
    const attempt = sql`select private.set_setting('platform_fee_percent', ${sql.json(value)})`
    expect(await getSqlState(attempt), String(value)).toBe('23514')
  }
})

it('the platform fee is 10 percent if the setting is missing', async () => {
  const rollback = new Error('rollback')
  const attempt = sql.begin(async (tx) => {
    await tx`delete from private.settings where key = 'platform_fee_percent'`
    const [fee] = await tx`
      select private.platform_fee_percent()::integer as percent, private.platform_fee_cents(999) as cents`
    expect(fee).toEqual({ percent: 10, cents: 100 })
    throw rollback
  })
  await expect(attempt).rejects.toBe(rollback)
})

describe('a payment', () => {
  it('is booked once and refunded once, after which the post can be bought again', async () => {
    const [author, fan] = await Promise.all([insertUser({ creator: true }), insertUser()])
    const postId = await insertPremiumPost(author, 8)
    const first = await beginUnlock(fan, postId, 8)
    expect(first).toBeTruthy()
    expect(await canReadPremium(fan, postId)).toBe(false)
    // A second call returns the same payment, at the current price.
    await sql`update public.posts set premium_price = 9 where id = ${postId}`
    expect(await getSqlState(beginUnlock(fan, postId, 8))).toBe('PT400')
    expect(await beginUnlock(fan, postId, 9)).toBe(first)
    const paymentId = first ?? ''
    expect(await Promise.all([1, 2, 3, 4].map(() => settlePayment(paymentId)))).toEqual([
      true,
      true,
      true,
      true,
    ])
    expect((await listLedgerEntries(sql, paymentId)).map(({ amount }) => amount)).toEqual([
      -900, 900, -90, 90,
    ])
    expect(await canReadPremium(fan, postId)).toBe(true)
    expect(await beginUnlock(fan, postId, 1)).toBeNull()

    expect((await Promise.all([1, 2, 3].map(() => refundPayment(paymentId)))).filter(Boolean)).toEqual([true])
    expect((await listLedgerEntries(sql, paymentId)).map(({ amount }) => amount)).toEqual([
      -900, 900, -90, 90, 900, -900, 90, -90,
    ])
    expect([
      await canReadPremium(fan, postId),
      await getPaymentState(paymentId),
      await settlePayment(paymentId),
    ]).toEqual([false, 'refunded', false])
    expect(await buyPost(fan, postId, 9)).not.toBe(paymentId)
    expect(await canReadPremium(fan, postId)).toBe(true)
  })

  it("is voided when the post or the payer's account is deleted before settlement", async () => {
    const [author, fan, deletedFan] = await Promise.all([
      insertUser({ creator: true }),
      insertUser(),
      insertUser(),
    ])
    const postId = await insertPremiumPost(author, 4)
    const deletedFanPaymentId = (await beginUnlock(deletedFan, postId, 4)) ?? ''
    await sql`delete from auth.users where id = ${deletedFan.id}`
    expect([await settlePayment(deletedFanPaymentId), await getPaymentState(deletedFanPaymentId)]).toEqual([
      false,
      'void',
    ])
    const paymentId = (await beginUnlock(fan, postId, 4)) ?? ''
    await runAs(author, (tx) => tx`delete from public.posts where id = ${postId}`)
    expect([await settlePayment(paymentId), await getPaymentState(paymentId)]).toEqual([false, 'void'])
    expect(await listLedgerEntries(sql, paymentId)).toEqual([])
    expect(await listLedgerEntries(sql, deletedFanPaymentId)).toEqual([])
    expect(await getSqlState(settlePayment(randomUUID()))).toBe('PT404')
  })

  it('keeps its ledger entries after the post and the accounts of the payer and the creator are deleted', async () => {
    const [author, fan] = await Promise.all([insertUser({ creator: true }), insertUser()])
    const postId = await insertPremiumPost(author, 6)
    const paymentId = await buyPost(fan, postId, 6)
    await runAs(author, (tx) => tx`delete from public.posts where id = ${postId}`)
    await deleteAccounts(sql, [author.id, fan.id])
    expect(
      (await listLedgerEntries(sql, paymentId)).map(({ account, userId, amount }) => ({
        account,
        userId,
        amount,
      })),
    ).toEqual([
      { account: 'processor', userId: null, amount: -600 },
      { account: 'creator', userId: author.id, amount: 600 },
      { account: 'creator', userId: author.id, amount: -60 },
      { account: 'platform', userId: null, amount: 60 },
    ])
    expect(await getPaymentState(paymentId)).toBe('paid')
    // The payment can still be refunded.
    expect(await refundPayment(paymentId)).toBe(true)
  })

  it('is readable only by the payer, its ledger entries only by the creator, and nobody can change either', async () => {
    const [author, rival, fan, stranger] = await Promise.all([
      insertUser({ creator: true }),
      insertUser({ creator: true }),
      insertUser(),
      insertUser(),
    ])
    const postId = await insertPremiumPost(author, 2)
    const paymentId = await buyPost(fan, postId, 2)
    await buyPost(fan, await insertPremiumPost(rival, 2), 2)
    const count = (user: SessionUser, table: string) =>
      runAs(user, (tx) => tx.unsafe(`select from public.${table}`)).then((rows) => rows.count)
    const tables = ['payments', 'unlocks', 'ledger_transactions', 'ledger_entries']
    const readableCounts = (user: SessionUser) => Promise.all(tables.map((table) => count(user, table)))
    expect(await readableCounts(fan)).toEqual([2, 2, 0, 0])
    expect(await readableCounts(author)).toEqual([0, 0, 1, 2])
    expect(await readableCounts(stranger)).toEqual([0, 0, 0, 0])
    for (const table of tables) {
      expect(await getSqlState(runAs(null, (tx) => tx.unsafe(`select from public.${table}`)))).toBe('42501')
    }
    const forbiddenStatements = [
      `insert into public.payments (kind, payer_id, payee_id, post_id, amount_cents, fee_cents, provider, state)
       values ('unlock', '${stranger.id}', '${author.id}', '${postId}', 200, 0, 'test', 'paid')`,
      `insert into public.unlocks (user_id, post_id, payment_id) values ('${stranger.id}', '${postId}', '${paymentId}')`,
      "update public.payments set state = 'paid'",
      'delete from public.unlocks',
      'delete from public.payments',
    ]
    for (const statement of forbiddenStatements) {
      for (const user of [stranger, fan, author]) {
        expect(await getSqlState(runAs(user, (tx) => tx.unsafe(statement))), statement).toBe('42501')
      }
      expect(await getSqlState(runAsService((tx) => tx.unsafe(statement))), statement).toBe('42501')
    }
    for (const call of [
      `private.settle_payment('${paymentId}')`,
      `private.refund_payment('${paymentId}')`,
      `private.platform_fee_cents(1)`,
      `private.book_transaction('tip', '${fan.id}', 'tip', now(), '{}')`,
      `private.book_payment((select p from public.payments p where p.id = '${paymentId}'), -1)`,
      `private.rebuild_balances()`,
      `private.balance_cents('${author.id}', true)`,
      `private.pending_balance_cents('${author.id}', true)`,
      `private.create_scheduled_payouts(1)`,
    ]) {
      expect(await getSqlState(runAs(fan, (tx) => tx.unsafe(`select ${call}`))), call).toBe('42501')
    }
    expect(await canReadPremium(stranger, postId)).toBe(false)
  })
})

it("a provider's customer is recorded once, even if several calls run concurrently", async () => {
  // If the function's SELECT used the same snapshot as its INSERT, about one round in ten would fail.
  for (let round = 0; round < 100; round++) {
    const [payerId, customer] = [randomUUID(), `cus_${randomUUID()}`]
    const record = () =>
      sql<
        { recorded: string }[]
      >`select private.record_payment_customer('races', ${payerId}, ${customer}) as recorded`
    const results = await Promise.all(Array.from({ length: 8 }, record))
    expect(new Set(results.map(([row]) => row?.recorded))).toEqual(new Set([customer]))
  }
  await sql`delete from private.payment_customers where provider = 'races'`
})
