import { describe, expect, it } from 'vitest'
import { createRandom } from '../support/random.ts'
import { getSqlState, insertUser, insertUsers, runAs, type SessionUser, sql } from './database.ts'
import { beginUnlock, insertPremiumPost, refundPayment, settlePayment } from './payment-helpers.ts'

describe('random sequences of purchases, refunds, repeated settlements, price changes and deletions', () => {
  it('leave balances that match the sales, and unlock only what was paid for', async () => {
    const seed = Math.floor(Math.random() * 2 ** 32)
    const { below, pick } = createRandom(seed)
    const [authors, fans] = await Promise.all([
      Promise.all([1, 2].map(() => insertUser({ creator: true }))),
      insertUsers(5),
    ])
    const posts: { id: string; author: SessionUser; cents: number; isDeleted: boolean }[] = []
    const addPost = async () => {
      const author = pick(authors)
      const cents = 1 + below(2000)
      posts.push({ id: await insertPremiumPost(author, cents / 100), author, cents, isDeleted: false })
    }
    for (let n = 0; n < 5; n++) await addPost()

    type Sale = {
      id: string
      fan: SessionUser
      postId: string
      author: SessionUser
      cents: number
      state: string
    }
    const sales = new Map<string, Sale>()
    const steps: Record<string, () => Promise<void>> = {
      async begin() {
        const [fan, post] = [pick(fans), pick(posts)]
        const isUnlocked = [...sales.values()].some(
          (sale) => sale.fan === fan && sale.postId === post.id && sale.state === 'paid',
        )
        if (post.isDeleted) {
          expect(await getSqlState(beginUnlock(fan, post.id, post.cents / 100))).toBe('PT404')
          return
        }
        const id = await beginUnlock(fan, post.id, post.cents / 100)
        expect(id === null).toBe(isUnlocked)
        if (id)
          sales.set(id, {
            id,
            fan,
            postId: post.id,
            author: post.author,
            cents: post.cents,
            state: 'pending',
          })
      },
      async settle() {
        if (sales.size === 0) return
        const sale = pick([...sales.values()])
        const isDeleted = posts.find(({ id }) => id === sale.postId)?.isDeleted
        if (sale.state === 'pending') sale.state = isDeleted ? 'void' : 'paid'
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
        post.cents = 1 + below(2000)
        await sql`update public.posts set premium_price = ${post.cents / 100} where id = ${post.id}`
      },
      async remove() {
        const post = pick(posts)
        if (post.isDeleted) return
        post.isDeleted = true
        await sql`delete from public.posts where id = ${post.id}`
        await addPost()
      },
    }
    const choices = ['begin', 'begin', 'begin', 'settle', 'settle', 'settle', 'refund', 'price', 'remove']
    for (let step = 0; step < 250; step++) {
      // Posts are deleted rarely, so that purchases can accumulate.
      await steps[pick(step % 25 === 0 ? choices : choices.slice(0, -1))]?.()
    }

    const [rate] = await sql<{ percent: number }[]>`
      select (value #>> '{}')::float8 as percent from private.settings where key = 'platform_fee_percent'`
    const fee = (cents: number) => Math.round((cents * (rate?.percent ?? 10)) / 100)
    const paid = [...sales.values()].filter(({ state }) => state === 'paid')
    const sum = (list: readonly Sale[], amountOf: (sale: Sale) => number) =>
      list.reduce((total, sale) => total + amountOf(sale), 0)
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
      const ownSales = paid.filter((sale) => sale.author === author)
      expect(row?.earned, `seed ${seed}`).toBe(sum(ownSales, ({ cents }) => cents - fee(cents)))
    }
    const unlocks = await sql<{ key: string }[]>`
      select user_id || post_id::text as key from public.unlocks
      where user_id = any(${fans.map(({ id }) => id)}) order by 1`
    const existingPostIds = new Set(posts.filter(({ isDeleted }) => !isDeleted).map(({ id }) => id))
    expect(
      unlocks.map(({ key }) => key),
      `seed ${seed}`,
    ).toEqual(
      paid
        .filter(({ postId }) => existingPostIds.has(postId))
        .map(({ fan, postId }) => fan.id + postId)
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
