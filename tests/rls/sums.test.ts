import { afterAll, describe, expect, it } from 'vitest'
import { getSqlState, insertUser, runAs, type SessionUser, sql } from './database.ts'
import { beginUnlock, insertPremiumPost, refundPayment, settlePayment } from './payment-helpers.ts'

afterAll(() => sql.end())

/** Numbers from 0 to 1, the same ones for the same seed. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

describe('after any sequence of purchases, refunds, repeated settlements, price changes and deletions', () => {
  it('every account holds what was sold, and nothing is open that was not paid for', async () => {
    const seed = Math.floor(Math.random() * 2 ** 32)
    const next = random(seed)
    const pick = <T>(list: readonly T[]): T => {
      const one = list[Math.floor(next() * list.length)]
      if (one === undefined) throw new Error('There is nothing to pick.')
      return one
    }
    const [authors, fans] = await Promise.all([
      Promise.all([1, 2].map(() => insertUser({ creator: true }))),
      Promise.all([1, 2, 3, 4, 5].map(() => insertUser())),
    ])
    const posts: { id: string; author: SessionUser; cents: number; gone: boolean }[] = []
    const put = async () => {
      const author = pick(authors)
      const cents = 1 + Math.floor(next() * 2000)
      posts.push({ id: await insertPremiumPost(author, cents / 100), author, cents, gone: false })
    }
    for (let n = 0; n < 5; n++) await put()

    type Sale = {
      id: string
      fan: SessionUser
      post: string
      author: SessionUser
      cents: number
      state: string
    }
    const sales = new Map<string, Sale>()
    const steps: Record<string, () => Promise<void>> = {
      async begin() {
        const [fan, post] = [pick(fans), pick(posts)]
        const open = [...sales.values()].some(
          (sale) => sale.fan === fan && sale.post === post.id && sale.state === 'paid',
        )
        if (post.gone) {
          expect(await getSqlState(beginUnlock(fan, post.id, post.cents / 100))).toBe('PT404')
          return
        }
        const id = await beginUnlock(fan, post.id, post.cents / 100)
        expect(id === null).toBe(open)
        if (id)
          sales.set(id, { id, fan, post: post.id, author: post.author, cents: post.cents, state: 'pending' })
      },
      async settle() {
        if (sales.size === 0) return
        const sale = pick([...sales.values()])
        const gone = posts.find(({ id }) => id === sale.post)?.gone
        if (sale.state === 'pending') sale.state = gone ? 'void' : 'paid'
        expect(await settlePayment(sale.id)).toBe(sale.state === 'paid')
      },
      async refund() {
        if (sales.size === 0) return
        const sale = pick([...sales.values()])
        expect(await refundPayment(sale.id)).toBe(sale.state === 'paid')
        if (sale.state === 'paid') sale.state = 'refunded'
      },
      async price() {
        const post = pick(posts)
        post.cents = 1 + Math.floor(next() * 2000)
        await sql`update public.posts set premium_price = ${post.cents / 100} where id = ${post.id}`
      },
      async remove() {
        const post = pick(posts)
        if (post.gone) return
        post.gone = true
        await sql`delete from public.posts where id = ${post.id}`
        await put()
      },
    }
    const order = ['begin', 'begin', 'begin', 'settle', 'settle', 'settle', 'refund', 'price', 'remove']
    for (let step = 0; step < 250; step++) {
      // Some steps of purchases only, now and then one that ends them.
      await steps[pick(step % 25 === 0 ? order : order.slice(0, -1))]?.()
    }

    const [rate] = await sql<{ percent: number }[]>`
      select (value #>> '{}')::float8 as percent from private.settings where key = 'platform_fee_percent'`
    const fee = (cents: number) => Math.round((cents * (rate?.percent ?? 10)) / 100)
    const paid = [...sales.values()].filter(({ state }) => state === 'paid')
    const sum = (list: readonly Sale[], of: (sale: Sale) => number) =>
      list.reduce((total, sale) => total + of(sale), 0)
    const ids = [...sales.keys()]
    const [totals] = await sql`
      select coalesce(sum(e.amount_cents) filter (where e.account = 'processor'), 0)::int as processor,
             coalesce(sum(e.amount_cents) filter (where e.account = 'platform'), 0)::int as platform
      from public.ledger_transactions t join public.ledger_entries e on e.transaction_id = t.id
      where t.payment_id = any(${ids})`
    expect({ ...totals }, `seed ${seed}`).toEqual({
      processor: -sum(paid, ({ cents }) => cents),
      platform: sum(paid, ({ cents }) => fee(cents)),
    })
    for (const author of authors) {
      const [row] = await runAs(
        author,
        (tx) => tx`select coalesce(sum(amount_cents), 0)::int as earned from public.ledger_entries`,
      )
      const own = paid.filter((sale) => sale.author === author)
      expect(row?.earned, `seed ${seed}`).toBe(sum(own, ({ cents }) => cents - fee(cents)))
    }
    const opened = await sql<{ key: string }[]>`
      select user_id || post_id::text as key from public.unlocks
      where user_id = any(${fans.map(({ id }) => id)}) order by 1`
    const here = new Set(posts.filter(({ gone }) => !gone).map(({ id }) => id))
    expect(
      opened.map(({ key }) => key),
      `seed ${seed}`,
    ).toEqual(
      paid
        .filter(({ post }) => here.has(post))
        .map(({ fan, post }) => fan.id + post)
        .sort(),
    )
    const states = await sql<{ state: string; cents: number }[]>`
      select state, amount_cents as cents from public.payments where id = any(${ids}) order by id`
    expect(states.map(({ state, cents }) => ({ state, cents }))).toEqual(
      [...sales.values()]
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ state, cents }) => ({ state, cents })),
    )
    expect(sales.size, `seed ${seed}`).toBeGreaterThan(10)
  })
})
