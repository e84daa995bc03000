import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { getSqlState, insertBlock, insertUser, runAs, type SessionUser, sql } from './database.ts'
import { getPaymentState, listLedgerEntries, refundPayment, settlePayment } from './payment-helpers.ts'

const beginTip = (from: SessionUser, to: SessionUser, id = randomUUID(), amount = 5) =>
  runAs(from, async (tx) => {
    await tx`select private.begin_tip(${id}, ${to.id}, ${amount}, 'test', 'Encore')`
    return id
  })
const countNotifications = async (user: SessionUser) =>
  (await sql`select from public.notifications where user_id = ${user.id} and kind = 'tip'`).count

describe('a tip', () => {
  it('is begun by the sender, settled by the service role only, and readable by the sender only', async () => {
    const [fan, creator, other] = await Promise.all([
      insertUser(),
      insertUser({ creator: true }),
      insertUser(),
    ])
    const tipId = await beginTip(fan, creator)
    for (const user of [fan, creator, null]) {
      expect(
        await getSqlState(runAs(user, (tx) => tx`select private.settle_payment(${tipId}, 'mine')`)),
      ).toBe('42501')
    }
    expect(await getPaymentState(tipId)).toBe('pending')
    expect(await settlePayment(tipId)).toBe(true)
    expect(await settlePayment(tipId)).toBe(true)
    expect(await listLedgerEntries(sql, tipId)).toHaveLength(4)
    expect(await countNotifications(creator)).toBe(1)
    const readTip = (user: SessionUser) =>
      runAs(user, (tx) => tx`select note from public.payments where id = ${tipId}`)
    expect(await readTip(fan)).toEqual([{ note: 'Encore' }])
    for (const user of [creator, other]) expect((await readTip(user)).count).toBe(0)
    expect(await getSqlState(beginTip(other, creator, tipId))).toBe('PT409')
    await sql`delete from auth.sessions where id = ${fan.sessionId}`
    expect(await getSqlState(beginTip(fan, creator))).toBe('42501')
  })

  it('is voided and gets no ledger entries if it is settled after a block', async () => {
    const [fan, creator] = await Promise.all([insertUser(), insertUser({ creator: true })])
    const tipId = await beginTip(fan, creator)
    await insertBlock(creator, fan)
    expect(await settlePayment(tipId)).toBe(false)
    expect([await getPaymentState(tipId), await countNotifications(creator)]).toEqual(['void', 0])
    expect(await listLedgerEntries(sql, tipId)).toEqual([])
  })

  it('that is refunded is taken from the creator’s balance', async () => {
    const [fan, creator] = await Promise.all([insertUser(), insertUser({ creator: true })])
    const tipId = await beginTip(fan, creator)
    await settlePayment(tipId)
    expect([await refundPayment(tipId), await refundPayment(tipId)]).toEqual([true, false])
    const sums = new Map<string, number>()
    for (const { account, amount } of await listLedgerEntries(sql, tipId))
      sums.set(account, (sums.get(account) ?? 0) + amount)
    expect([...sums.values()]).toEqual([0, 0, 0])
  })
})
