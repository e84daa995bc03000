import type { TransactionSql } from 'postgres'
import type { PayoutDetails } from '../../supabase/functions/_shared/contract/earnings.ts'
import type { EncryptionKeys } from '../../supabase/functions/_shared/encryption.ts'
import { encryptDetails, maskDetails } from '../../supabase/functions/_shared/payouts/payout-details.ts'
import { adminUsername, creatorUsername, idOf, userIdOf } from './ids.ts'
import { dayMs, daysBefore, hourMs } from './time.ts'

interface PayoutMethod {
  user: string
  name: string
  details: PayoutDetails
  /** Days since the method was added: more than the waiting period after which a method can receive payouts. */
  age: number
}

interface DemoPayout {
  id: string
  kind: 'instant' | 'scheduled'
  amountCents: number
  at: Date
  state: 'requested' | 'paid' | 'failed'
  settledAt: Date | null
  reference: string | null
  failure: string | null
}

/** A change to a creator's balance, and the time when it clears. */
interface BalanceChange {
  clearsAt: Date
  amountCents: number
}

/** Days since the last weekly payout. */
const lastPayoutDays = 4.7
/** The bank returned the weekly payout from this many weeks before the last one. */
const failedWeek = 9
/** The creator whose payout is waiting for an admin. */
const waitingCreator = 'kavyalooksup'
const minimumPayoutCents = 5000

/** The first method of each user is the default. The account number is a published example IBAN. */
const methods: PayoutMethod[] = [
  {
    user: creatorUsername,
    name: 'Atelier account',
    details: { type: 'bank', holder: 'Noor Haddad', account: 'FR7630006000011234567890189', routing: '' },
    age: 341,
  },
  {
    user: creatorUsername,
    name: 'PayPal',
    details: { type: 'paypal', email: 'noor@noor-haddad.example.com' },
    age: 148,
  },
  {
    user: waitingCreator,
    name: 'PayPal',
    details: { type: 'paypal', email: 'kavya@example.com' },
    age: 77,
  },
]

/**
 * Inserts payout methods, payouts, schedules and goals. Runs after the payments are booked, because payouts are
 * limited to what has cleared.
 *
 * @param encryptionKeys `ENCRYPTION_KEY`, with which the payout details are encrypted, followed by previous keys
 */
export async function insertPayouts(
  tx: TransactionSql,
  encryptionKeys: EncryptionKeys,
  now: Date,
): Promise<void> {
  await insertMethods(tx, encryptionKeys, now)
  const last = daysBefore(now, lastPayoutDays)
  const weekly = makeWeeklyPayouts(await balanceChangesOf(tx, creatorUsername), daysBefore(now, 330), last)
  await bookPayouts(tx, creatorUsername, weekly)
  const waiting = makeWaitingPayout(await balanceChangesOf(tx, waitingCreator), daysBefore(now, 0.8))
  await bookPayouts(tx, waitingCreator, waiting)
  await tx`
    insert into public.payout_schedules (user_id, weekly, next_at)
    values (${userIdOf(creatorUsername)}, true, ${last}::timestamptz + interval '7 days'),
           (${userIdOf(waitingCreator)}, false, ${now}::timestamptz + interval '7 days')`
  await tx`insert into public.creator_goals (user_id, subscribers) values (${userIdOf(creatorUsername)}, 500)`
}

async function insertMethods(tx: TransactionSql, encryptionKeys: EncryptionKeys, now: Date): Promise<void> {
  const rows = JSON.stringify(
    await Promise.all(
      methods.map(async (method) => ({
        id: idOf('payout method', `${method.user} ${method.name}`),
        user: userIdOf(method.user),
        type: method.details.type,
        name: method.name,
        masked: maskDetails(method.details),
        isDefault: methods.find(({ user }) => user === method.user) === method,
        at: daysBefore(now, method.age),
        secret: await encryptDetails(encryptionKeys, userIdOf(method.user), method.details),
      })),
    ),
  )
  await tx`
    insert into public.payout_methods (id, user_id, type, name, masked, is_default, created_at, changed_at)
    select r.id, r.user, r.type, r.name, r.masked, r."isDefault", r.at, r.at
    from jsonb_to_recordset(${rows}::text::jsonb) as r (id uuid, "user" uuid, type text, name text, masked text,
      "isDefault" boolean, at timestamptz)`
  await tx`
    insert into private.payout_method_details (method_id, secret)
    select r.id, r.secret from jsonb_to_recordset(${rows}::text::jsonb) as r (id uuid, secret text)`
}

const balanceChangesOf = (tx: TransactionSql, user: string) => tx<BalanceChange[]>`
  select t.clears_at as "clearsAt", t.net_cents::float8 as "amountCents" from public.ledger_transactions t
  where t.user_id = ${userIdOf(user)}`

const clearedCentsAt = (changes: readonly BalanceChange[], at: Date): number =>
  changes.reduce((sum, { clearsAt, amountCents }) => (clearsAt <= at ? sum + amountCents : sum), 0)

/**
 * Returns the weekly payouts. Each pays out everything that has cleared, if the amount reaches the minimum. The amount
 * of the failed payout is included in the next one.
 */
function makeWeeklyPayouts(changes: readonly BalanceChange[], first: Date, last: Date): DemoPayout[] {
  const payouts: DemoPayout[] = []
  let paidCents = 0
  const weeks = Math.floor((last.getTime() - first.getTime()) / (7 * dayMs))
  for (let weeksAgo = weeks; weeksAgo >= 0; weeksAgo--) {
    const at = daysBefore(last, weeksAgo * 7)
    const amountCents = clearedCentsAt(changes, at) - paidCents
    if (amountCents < minimumPayoutCents) continue
    const hasFailed = weeksAgo === failedWeek
    if (!hasFailed) paidCents += amountCents
    payouts.push({
      id: idOf('payout', `${creatorUsername} ${weeksAgo}`),
      kind: 'scheduled',
      amountCents,
      at,
      state: hasFailed ? 'failed' : 'paid',
      settledAt: new Date(at.getTime() + (hasFailed ? 53 : 26) * hourMs),
      reference: hasFailed ? null : `OVATION-${at.toISOString().slice(0, 10)}`,
      failure: hasFailed ? 'The bank returned it: the account holder’s name does not match.' : null,
    })
  }
  return payouts
}

/** Returns a requested payout of all cleared money, or none if the amount is too low. */
function makeWaitingPayout(changes: readonly BalanceChange[], at: Date): DemoPayout[] {
  const amountCents = clearedCentsAt(changes, at)
  if (amountCents < minimumPayoutCents) return []
  const id = idOf('payout', `${waitingCreator} all`)
  const open = { settledAt: null, reference: null, failure: null }
  return [{ id, kind: 'instant', amountCents, at, state: 'requested', ...open }]
}

/**
 * Requests the payouts and books their settlement with the platform's functions that need no signed-in user. These
 * functions use the current time, so the times are set afterwards.
 */
async function bookPayouts(tx: TransactionSql, user: string, payouts: DemoPayout[]): Promise<void> {
  const rows = JSON.stringify(payouts)
  await tx`
    select count(private.create_payout(r.id, m.user_id, r.kind, r."amountCents", m, true))
    from jsonb_to_recordset(${rows}::text::jsonb) as r (id uuid, kind text, "amountCents" bigint)
    join public.payout_methods m on m.user_id = ${userIdOf(user)} and m.is_default`
  await tx`
    update public.payouts p set created_at = r.at, state = r.state, settled_at = r."settledAt",
      settled_by = case when r."settledAt" is not null then ${userIdOf(adminUsername)}::text::uuid end,
      reference = r.reference, failure = r.failure
    from jsonb_to_recordset(${rows}::text::jsonb) as r (id uuid, state text, at timestamptz, "settledAt" timestamptz,
      reference text, failure text)
    where p.id = r.id`
  await tx`
    delete from private.payout_destinations t using public.payouts p where p.id = t.payout_id and p.state <> 'requested'`
  await tx`
    select count(case p.state
      when 'paid' then private.book_transaction('payout_paid', null, null, null, array[
        ('payouts', null, 'payout', -p.amount_cents)::private.ledger_line,
        ('processor', null, 'payout', p.amount_cents)::private.ledger_line], null, p.id)
      when 'failed' then private.book_transaction('payout_failed', p.user_id, null, null, array[
        ('payouts', null, 'payout', -p.amount_cents)::private.ledger_line,
        ('creator', p.user_id, 'payout', p.amount_cents)::private.ledger_line], null, p.id) end)
    from public.payouts p where p.user_id = ${userIdOf(user)}`
  await tx`
    update public.ledger_transactions t
    set created_at = case t.kind when 'payout' then p.created_at else p.settled_at end,
        clears_at = case t.kind when 'payout' then p.created_at else p.settled_at end
    from public.payouts p where p.id = t.payout_id and p.user_id = ${userIdOf(user)}`
}
