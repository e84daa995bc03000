import type { TransactionSql } from 'postgres'
import type { PayoutDetails } from '../../supabase/functions/_shared/contract/earnings.ts'
import { maskDetails, sealDetails } from '../../supabase/functions/_shared/payouts/details.ts'
import { rowsOf, uidOf } from './insert-people.ts'
import { idOf } from './numbers.ts'
import { askForAll, type Cleared, type DemoPayout, makePayouts } from './payouts.ts'

interface Method {
  user: string
  name: string
  details: PayoutDetails
  /** Days since it was added: all can be used. */
  age: number
}

const day = 86_400_000
/** Days since the last payout of the weekly ones. */
const lastPayout = 4.7
const weekly = 'noormakes'
const waiting = 'kavyalooksup'
/** The admin who made the payouts. */
const operator = 'samira'

/** Each person's first one is the default. The numbers are examples of their banks' associations. */
const methods: Method[] = [
  {
    user: weekly,
    name: 'Atelier account',
    details: { type: 'bank', holder: 'Noor Haddad', account: 'FR7630006000011234567890189', routing: '' },
    age: 341,
  },
  {
    user: weekly,
    name: 'PayPal',
    details: { type: 'paypal', email: 'noor@noor-haddad.example.com' },
    age: 148,
  },
  {
    user: waiting,
    name: 'PayPal',
    details: { type: 'paypal', email: 'kavya@example.com' },
    age: 77,
  },
]

/**
 * Where creators' money goes, what was paid out so far and what they aim at. Comes after the ledger's sales, of which
 * the payouts are made.
 *
 * @param key `ENCRYPTION_KEY`: the API reads the details with the same one
 */
export async function insertPayouts(tx: TransactionSql, key: string, now: Date): Promise<void> {
  const sealed = await insertMethods(tx, key, now)
  const last = new Date(now.getTime() - lastPayout * day)
  const first = new Date(now.getTime() - 330 * day)
  await book(tx, weekly, makePayouts(weekly, await clearedOf(tx, weekly), first, last))
  const asked = askForAll(waiting, await clearedOf(tx, waiting), new Date(now.getTime() - 0.8 * day))
  if (asked) {
    await book(tx, waiting, [asked])
    await tx`insert into private.payout_targets (payout_id, secret) values (${asked.id}, ${sealed.get(waiting) ?? ''})`
  }
  await tx`
    insert into public.payout_schedules (user_id, weekly, next_at)
    values (${uidOf(weekly)}, true, ${last}::timestamptz + interval '7 days'), (${uidOf(waiting)}, false, ${now}::timestamptz + interval '7 days')`
  await tx`insert into public.creator_goals (user_id, subscribers) values (${uidOf(weekly)}, 500)`
  await tx`select private.recount_money()`
}

/** Answers the sealed details of everybody's default method. */
async function insertMethods(tx: TransactionSql, key: string, now: Date): Promise<Map<string, string>> {
  const sealed = new Map<string, string>()
  const rows = await Promise.all(
    methods.map(async ({ user, name, details, age }) => {
      const secret = await sealDetails(key, uidOf(user), details)
      const first = methods.find((one) => one.user === user)?.name === name
      if (first) sealed.set(user, secret)
      return {
        id: idOf('payout method', `${user} ${name}`),
        user: uidOf(user),
        type: details.type,
        name,
        masked: maskDetails(details),
        first,
        at: new Date(now.getTime() - age * day),
        secret,
      }
    }),
  )
  await tx`
    insert into public.payout_methods (id, user_id, type, name, masked, is_default, created_at, changed_at)
    select r.id, r.user, r.type, r.name, r.masked, r.first, r.at, r.at
    from jsonb_to_recordset(${rowsOf(rows)}::text::jsonb) as r (id uuid, "user" uuid, type text, name text, masked text,
      first boolean, at timestamptz)`
  await tx`
    insert into private.payout_details (method_id, secret)
    select r.id, r.secret from jsonb_to_recordset(${rowsOf(rows)}::text::jsonb) as r (id uuid, secret text)`
  return sealed
}

const clearedOf = (tx: TransactionSql, user: string) => tx<Cleared[]>`
  select t.clears_at as at, t.net_cents::float8 as cents from public.ledger_transactions t
  where t.person_id = ${uidOf(user)}`

/** The payouts, and what the ledger says of each step, as private.take_out and private.settle_payout book it. */
async function book(tx: TransactionSql, user: string, payouts: DemoPayout[]): Promise<void> {
  const rows = rowsOf(payouts)
  await tx`
    insert into public.payouts (id, person_id, kind, amount_cents, method_type, method_name, method_masked, state,
      created_at, settled_at, settled_by, reference, failure)
    select r.id, m.user_id, r.kind, r.cents, m.type, m.name, m.masked, r.state, r.at, r."settledAt",
      case when r."settledAt" is not null then ${uidOf(operator)}::text::uuid end, r.reference, r.failure
    from jsonb_to_recordset(${rows}::text::jsonb) as r (id uuid, kind text, cents bigint, state text, at timestamptz,
      "settledAt" timestamptz, reference text, failure text)
    join public.payout_methods m on m.user_id = ${uidOf(user)} and m.is_default`
  await tx`
    insert into public.ledger_transactions (id, kind, payout_id, created_at, person_id, net_cents, clears_at)
    select pg_temp.id_of(p.id || ' ' || s.kind), s.kind, p.id, s.at, s.person, s.net, s.at
    from public.payouts p,
    lateral (values ('payout', p.created_at, p.person_id, -p.amount_cents),
                    ('payout_paid', case when p.state = 'paid' then p.settled_at end, null, 0),
                    ('payout_failed', case when p.state = 'failed' then p.settled_at end, p.person_id, p.amount_cents))
      as s (kind, at, person, net)
    where p.person_id = ${uidOf(user)} and s.at is not null`
  await tx`
    insert into public.ledger_entries (transaction_id, account, person_id, label, amount_cents)
    select t.id, e.account, e.person, 'payout', e.cents
    from public.payouts p join public.ledger_transactions t on t.payout_id = p.id,
    lateral (values
      ('payout', 1, 'creator', p.person_id, -p.amount_cents), ('payout', 2, 'payouts', null, p.amount_cents),
      ('payout_paid', 1, 'payouts', null, -p.amount_cents), ('payout_paid', 2, 'processor', null, p.amount_cents),
      ('payout_failed', 1, 'payouts', null, -p.amount_cents), ('payout_failed', 2, 'creator', p.person_id, p.amount_cents))
      as e (kind, place, account, person, cents)
    where p.person_id = ${uidOf(user)} and e.kind = t.kind
    order by t.created_at, t.id, e.place`
}
