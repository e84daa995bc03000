import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { getSqlState, insertBlock, insertUser, runAs, type SessionUser, sql } from './database.ts'
import { getPaymentState, listLedgerEntries, refundPayment, settlePayment } from './payment-helpers.ts'

afterAll(() => sql.end())

const begin = (from: SessionUser, to: SessionUser, tip = randomUUID(), amount = 5) =>
  runAs(from, async (tx) => {
    await tx`select private.begin_tip(${tip}, ${to.id}, ${amount}, 'test', 'Encore')`
    return tip
  })
const told = async (who: SessionUser) =>
  (await sql`select from public.notifications where user_id = ${who.id} and kind = 'tip'`).count

describe('a tip', () => {
  it('is begun by its giver, settled by the service alone, and seen by nobody else', async () => {
    const [fan, star, other] = await Promise.all([insertUser(), insertUser({ creator: true }), insertUser()])
    const tip = await begin(fan, star)
    for (const who of [fan, star, null]) {
      expect(await getSqlState(runAs(who, (tx) => tx`select private.settle_payment(${tip}, 'mine')`))).toBe(
        '42501',
      )
    }
    expect(await getPaymentState(tip)).toBe('pending')
    expect(await settlePayment(tip)).toBe(true)
    expect(await settlePayment(tip)).toBe(true)
    expect(await listLedgerEntries(sql, tip)).toHaveLength(4)
    expect(await told(star)).toBe(1)
    const seen = (who: SessionUser) =>
      runAs(who, (tx) => tx`select note from public.payments where id = ${tip}`)
    expect(await seen(fan)).toEqual([{ note: 'Encore' }])
    for (const who of [star, other]) expect((await seen(who)).count).toBe(0)
    expect(await getSqlState(begin(other, star, tip))).toBe('PT409')
    await sql`delete from auth.sessions where id = ${fan.sessionId}`
    expect(await getSqlState(begin(fan, star))).toBe('42501')
  })

  it('that comes too late for a block is booked for nobody, and is to be given back', async () => {
    const [fan, star] = await Promise.all([insertUser(), insertUser({ creator: true })])
    const tip = await begin(fan, star)
    await insertBlock(star, fan)
    expect(await settlePayment(tip)).toBe(false)
    expect([await getPaymentState(tip), await told(star)]).toEqual(['void', 0])
    expect(await listLedgerEntries(sql, tip)).toEqual([])
  })

  it('that is given back takes its money from the creator again', async () => {
    const [fan, star] = await Promise.all([insertUser(), insertUser({ creator: true })])
    const tip = await begin(fan, star)
    await settlePayment(tip)
    expect([await refundPayment(tip), await refundPayment(tip)]).toEqual([true, false])
    const sums = new Map<string, number>()
    for (const { account, amount } of await listLedgerEntries(sql, tip))
      sums.set(account, (sums.get(account) ?? 0) + amount)
    expect([...sums.values()]).toEqual([0, 0, 0])
  })
})
