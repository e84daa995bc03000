import type { TransactionSql } from 'postgres'
import { rowsOf, uidOf } from './insert-people.ts'
import type { DemoProduct } from './products.ts'
import type { DemoTip } from './tips.ts'
import type { DemoViews } from './views.ts'

/** Their posts are there already. */
export async function updateProducts(tx: TransactionSql, products: DemoProduct[]): Promise<void> {
  const rows = products.map(({ id, product }) => ({ id, product }))
  await tx`
    update public.posts p set product = r.product
    from jsonb_to_recordset(${rowsOf(rows)}::text::jsonb) as r (id uuid, product jsonb) where p.id = r.id`
}

export async function insertTips(tx: TransactionSql, tips: DemoTip[]): Promise<void> {
  const rows = tips
    .toSorted((a, b) => a.at.getTime() - b.at.getTime())
    .map((tip) => ({ ...tip, user: uidOf(tip.user), creator: uidOf(tip.creator) }))
  await tx`
    insert into public.payments (id, kind, payer_id, payee_id, amount_cents, fee_cents, note, provider, state,
      created_at, settled_at)
    select r.id, 'tip', r.user, r.creator, r.cents, private.fee_of(r.cents), r.note, 'test', 'paid', r.at, r.at
    from jsonb_to_recordset(${rowsOf(rows)}::text::jsonb) as r (id uuid, "user" uuid, creator uuid, cents integer,
      note text, at timestamptz)`
}

/** A payment for a post that is given back: what it opened is closed. The ledger books both. */
export async function refundUnlock(tx: TransactionSql, payment: string): Promise<void> {
  await tx`update public.payments p set state = 'refunded' where p.id = ${payment}`
  await tx`delete from public.unlocks u where u.payment_id = ${payment}`
}

/** One parameter for a column of many rows. None of the values needs quotes. */
const column = (values: readonly (string | number)[]): string => `{${values.join(',')}}`

/** What was seen when; then, as the job does, everything else that creators are told, counted from the rows. */
export async function insertFigures(tx: TransactionSql, { posts, hours }: DemoViews): Promise<void> {
  await tx`
    insert into public.post_days (post_id, author_id, day, views)
    select * from unnest(${column(posts.map((row) => row.post))}::text::uuid[],
      ${column(posts.map((row) => row.author))}::text::uuid[], ${column(posts.map((row) => row.day))}::text::date[],
      ${column(posts.map((row) => row.views))}::text::integer[])`
  await tx`
    insert into public.creator_hours (creator_id, day, hour, views)
    select * from unnest(${column(hours.map((row) => row.creator))}::text::uuid[],
      ${column(hours.map((row) => row.day))}::text::date[], ${column(hours.map((row) => row.hour))}::text::smallint[],
      ${column(hours.map((row) => row.views))}::text::integer[])`
  await tx`
    insert into public.creator_days (creator_id, day, views)
    select d.author_id, d.day, sum(d.views) from public.post_days d group by 1, 2`
  // All days, also where the job has run before there was anybody.
  await tx`delete from private.roll_ups`
  await tx`select private.roll_up_days(1000)`
  await tx`select private.roll_up_audiences(1000)`
}
