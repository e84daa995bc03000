import { CheckoutAnswer } from '@contract/payment.ts'
import postgres from 'postgres'
import { expect } from 'vitest'
import { runJob } from './job.ts'
import { type OwnApi, startApi, startJobs } from './own-api.ts'
import type { Person } from './people.ts'
import { sql, stack } from './stack.ts'
import { type LocalStripe, startStripe } from './stripe-server.ts'

/** The platform with Stripe: functions of their own, and a local Stripe that they and the test share. */
export type Paying = {
  stripe: LocalStripe
  api: OwnApi
  /** A call of somebody's. */
  call(who: Person, method: string, path: string, body?: unknown): Promise<Response>
  /** A call that has to be answered with a page where it is paid; answers the id of that page at Stripe. */
  page(who: Person, path: string, body?: unknown): Promise<string>
  /** Pays there, and lets Stripe tell of it. */
  pay(who: Person, path: string, body?: unknown): Promise<string>
  /** Runs the job `payments`. */
  catchUp(): Promise<Record<string, number>>
  stop(): Promise<void>
}

/** How long it may take until another file is done with Stripe. */
export const patience = 180_000

/**
 * Starts it once no other file has it: the job is about everything that is Stripe's, and each local Stripe knows only its
 * own.
 */
export async function startPaying(): Promise<Paying> {
  const held = postgres(stack.databaseUrl, { max: 1, onnotice: () => undefined })
  await held`select pg_advisory_lock(4401)`
  await forgetStripe()
  const stripe = await startStripe()
  const [api, jobs] = await Promise.all([startApi(stripe.env), startJobs(stripe.env)])
  stripe.tellTo(`${api.url}/api/payments/webhook`)

  const call: Paying['call'] = (who, method, path, body) =>
    fetch(`${api.url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${who.token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const page: Paying['page'] = async (who, path, body = {}) => {
    const answer = await call(who, 'POST', path, body)
    const said: unknown = await answer.json()
    expect({ status: answer.status, said }).toEqual({ status: 202, said })
    const { checkoutUrl } = CheckoutAnswer.parse(said)
    expect(checkoutUrl.startsWith(`${stripe.url}/pay/cs_`)).toBe(true)
    return checkoutUrl.slice(checkoutUrl.lastIndexOf('/') + 1)
  }
  return {
    stripe,
    api,
    call,
    page,
    pay: async (who, path, body) => {
      const id = await page(who, path, body)
      stripe.books.pay(id)
      await stripe.sendAll()
      return id
    },
    catchUp: async () => {
      const { status, body: done } = await runJob('payments', `${jobs.url}/jobs`)
      expect({ status, done }).toEqual({ status: 200, done })
      return done as Record<string, number>
    },
    stop: async () => {
      api.stop()
      jobs.stop()
      await stripe.stop()
      await forgetStripe()
      await held.end()
    },
  }
}

/** Leaves nothing that is to be told to a Stripe that is gone. */
async function forgetStripe(): Promise<void> {
  await sql`delete from private.payment_customers where provider = 'stripe'`
  await sql`update public.subscriptions set provider_reference = null where provider_reference is not null`
  await sql`update public.creator_plans set provider_reference = null where provider_reference is not null`
  await sql`update public.payments set provider_reference = null
            where provider = 'stripe' and state in ('pending', 'void')`
}

/** What somebody paid, the first first: of what kind, what became of it, and what was booked for it. */
export const paidBy = (who: Person) => sql<{ kind: string; state: string; booked: number[] }[]>`
  select p.kind, p.state, array(select e.amount_cents::int from public.ledger_transactions t
                                join public.ledger_entries e on e.transaction_id = t.id
                                where t.payment_id = p.id order by e.id) as booked
  from public.payments p where p.payer_id = ${who.id} order by p.created_at, p.period_start`
