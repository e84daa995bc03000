import type { TransactionSql } from 'postgres'
import { tipNotes } from './content/fans.ts'
import { demoUsers, usersByName } from './content/users.ts'
import { fanUsername, idOf, userIdOf } from './ids.ts'
import type { DemoPost } from './posts.ts'
import { createRandom, type Random, seedOf } from './random.ts'
import { drawReactionTime } from './reactions.ts'
import { blockedPairs, followPairs, type Relations } from './relations.ts'
import { type DemoSubscription, insertSubscriptions } from './subscriptions.ts'
import { daysBefore } from './time.ts'

/** The purchase of a premium post. */
export interface DemoUnlock {
  payment: string
  post: DemoPost
  user: string
  at: Date
}

export interface DemoTip {
  id: string
  user: string
  creator: string
  amountCents: number
  note: string | null
  at: Date
}

/** The fan account has unlocked only the posts of these creators, so it still sees locked posts of others. */
const unlockedCreators = new Set(['kavyalooksup', 'delroy_keys'])

/** Amounts in US dollars. Common amounts are listed more than once. */
const tipAmounts = [3, 3, 5, 5, 5, 5, 10, 10, 10, 25]

/** Decides at random who unlocked which premium post: followers more often than others, and never across a block. */
export function makeUnlocks(posts: DemoPost[], relations: Relations, now: Date): DemoUnlock[] {
  const follows = followPairs(relations)
  const blocked = blockedPairs(relations)
  const unlocks: DemoUnlock[] = []
  for (const post of posts) {
    if (post.price === undefined) continue
    const random = createRandom(seedOf(`unlocks ${post.id}`))
    for (const { username, activity = 0.5, joined } of demoUsers) {
      const pair = `${username} ${post.author}`
      const isDrawn = random.chance((follows.has(pair) ? 0.7 : 0.12) * activity)
      const since = Math.max(post.at.getTime(), daysBefore(now, joined).getTime())
      const at = new Date(drawReactionTime(since, now.getTime(), random))
      if (username === post.author || blocked.has(pair)) continue
      if (username === fanUsername ? !unlockedCreators.has(post.author) : !isDrawn) continue
      unlocks.push({ payment: idOf('payment', `${post.id} ${username}`), post, user: username, at })
    }
  }
  return unlocks
}

export function drawTip(random: Random, user: string, creator: string, at: Date): DemoTip {
  const [amount, hasNote, note] = [random.next(), random.chance(0.35), random.next()]
  return {
    id: idOf('tip', `${user} ${creator} ${at.toISOString()}`),
    user,
    creator,
    amountCents: 100 * (tipAmounts[Math.floor(amount * tipAmounts.length)] ?? 5),
    note: hasNote ? (tipNotes[Math.floor(note * tipNotes.length)] ?? null) : null,
    at,
  }
}

/** Decides at random which followers have tipped a creator. Nobody tips across a block. */
export function makeTips(relations: Relations, now: Date): DemoTip[] {
  const blocked = blockedPairs(relations)
  return relations.follows.flatMap(({ from, to, at }) => {
    const random = createRandom(seedOf(`tip ${from} ${to}`))
    const [isDrawn, fraction] = [random.chance(0.09), random.next()]
    const tip = drawTip(random, from, to, new Date(at.getTime() + fraction * (now.getTime() - at.getTime())))
    const [sender, creator] = [usersByName.get(from), usersByName.get(to)]
    if (!isDrawn || !creator?.theme || sender?.admin || blocked.has(`${from} ${to}`)) return []
    // Some notes are about pottery, so creators with other themes get tips without a note.
    return [creator.theme === 'ceramics' ? tip : { ...tip, note: null }]
  })
}

/**
 * Inserts all payments and what they paid for, and books the payments in the ledger with the platform's own functions.
 * These functions use the current time, so the times are set afterwards.
 */
export async function insertPayments(
  tx: TransactionSql,
  payments: {
    unlocks: DemoUnlock[]
    tips: DemoTip[]
    subscriptions: DemoSubscription[]
    refund?: DemoUnlock
  },
): Promise<void> {
  await insertSubscriptions(tx, payments.subscriptions)
  const unlocks = JSON.stringify(
    payments.unlocks.map(({ payment, post, user, at }) => ({
      payment,
      post: post.id,
      user: userIdOf(user),
      author: userIdOf(post.author),
      amountCents: Math.round((post.price ?? 0) * 100),
      at,
    })),
  )
  await tx`
    insert into public.payments (id, kind, payer_id, payee_id, post_id, amount_cents, fee_cents, provider, state,
      created_at, settled_at)
    select r.payment, 'unlock', r.user, r.author, r.post, r."amountCents", private.platform_fee_cents(r."amountCents"), 'test', 'paid',
      r.at, r.at
    from jsonb_to_recordset(${unlocks}::text::jsonb) as r (payment uuid, "user" uuid, author uuid, post uuid,
      "amountCents" integer, at timestamptz)`
  await tx`
    insert into public.unlocks (user_id, post_id, payment_id, created_at)
    select p.payer_id, p.post_id, p.id, p.settled_at from public.payments p where p.kind = 'unlock'`
  const tips = JSON.stringify(
    payments.tips.map((tip) => ({ ...tip, user: userIdOf(tip.user), creator: userIdOf(tip.creator) })),
  )
  await tx`
    insert into public.payments (id, kind, payer_id, payee_id, amount_cents, fee_cents, note, provider, state,
      created_at, settled_at)
    select r.id, 'tip', r.user, r.creator, r."amountCents", private.platform_fee_cents(r."amountCents"), r.note, 'test', 'paid',
      r.at, r.at
    from jsonb_to_recordset(${tips}::text::jsonb) as r (id uuid, "user" uuid, creator uuid, "amountCents" integer,
      note text, at timestamptz)`
  await tx`select count(private.book_payment(p, 1)) from public.payments p`
  if (payments.refund) await tx`select private.refund_payment(${payments.refund.payment})`
  await tx`
    update public.ledger_transactions t
    set created_at = p.settled_at + case t.kind when 'refund' then interval '2 days' else interval '0' end,
        clears_at = p.settled_at + private.clearing_period()
    from public.payments p where p.id = t.payment_id`
}
