import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { booked, refund, settle, stateOf } from './money.ts'
import { as, block, owner, type Person, person, refusal } from './support.ts'

afterAll(() => owner.end())

const begin = (from: Person, to: Person, tip = randomUUID(), amount = 5) =>
  as(from, async (tx) => {
    await tx`select private.begin_tip(${tip}, ${to.id}, ${amount}, 'test', 'Encore')`
    return tip
  })
const told = async (who: Person) =>
  (await owner`select from public.notifications where user_id = ${who.id} and kind = 'tip'`).count

describe('a tip', () => {
  it('is begun by its giver, settled by the service alone, and seen by nobody else', async () => {
    const [fan, star, other] = await Promise.all([person(), person({ creator: true }), person()])
    const tip = await begin(fan, star)
    for (const who of [fan, star, null]) {
      expect(await refusal(as(who, (tx) => tx`select private.settle_payment(${tip}, 'mine')`))).toBe('42501')
    }
    expect(await stateOf(tip)).toBe('pending')
    expect(await settle(tip)).toBe(true)
    expect(await settle(tip)).toBe(true)
    expect(await booked(owner, tip)).toHaveLength(4)
    expect(await told(star)).toBe(1)
    const seen = (who: Person) => as(who, (tx) => tx`select note from public.payments where id = ${tip}`)
    expect(await seen(fan)).toEqual([{ note: 'Encore' }])
    for (const who of [star, other]) expect((await seen(who)).count).toBe(0)
    expect(await refusal(begin(other, star, tip))).toBe('PT409')
    await owner`delete from auth.sessions where id = ${fan.sessionId}`
    expect(await refusal(begin(fan, star))).toBe('42501')
  })

  it('that comes too late for a block is booked for nobody, and is to be given back', async () => {
    const [fan, star] = await Promise.all([person(), person({ creator: true })])
    const tip = await begin(fan, star)
    await block(star, fan)
    expect(await settle(tip)).toBe(false)
    expect([await stateOf(tip), await told(star)]).toEqual(['void', 0])
    expect(await booked(owner, tip)).toEqual([])
  })

  it('that is given back takes its money from the creator again', async () => {
    const [fan, star] = await Promise.all([person(), person({ creator: true })])
    const tip = await begin(fan, star)
    await settle(tip)
    expect([await refund(tip), await refund(tip)]).toEqual([true, false])
    const sums = new Map<string, number>()
    for (const { account, amount } of await booked(owner, tip))
      sums.set(account, (sums.get(account) ?? 0) + amount)
    expect([...sums.values()]).toEqual([0, 0, 0])
  })
})
