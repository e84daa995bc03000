import { CheckoutResponse } from '@contract/payment.ts'
import postgres from 'postgres'
import { expect } from 'vitest'
import { type FakeStripe, startFakeStripe } from './fake-stripe-server.ts'
import { type FunctionServer, startApiServer, startJobsServer } from './function-server.ts'
import { runJob } from './run-job.ts'
import { sql, stack } from './stack.ts'
import type { TestUser } from './users.ts'

/** API and jobs servers that use Stripe, and the fake Stripe server they share with the test. */
export type StripeFixture = {
  stripe: FakeStripe
  api: FunctionServer
  /** Sends a request to the API server as a user. */
  call(user: TestUser, method: string, path: string, body?: unknown): Promise<Response>
  /** Sends a POST request whose response must contain a checkout URL. Returns the ID of the checkout session. */
  createCheckout(user: TestUser, path: string, body?: unknown): Promise<string>
  /** Creates and completes a checkout session, and delivers the webhook events. Returns the ID of the session. */
  completeCheckout(user: TestUser, path: string, body?: unknown): Promise<string>
  /** Runs the `payments` job and returns its counts. */
  runPaymentsJob(): Promise<Record<string, number>>
  stop(): Promise<void>
}

const stripeLockId = 4_401

/** The timeout for hooks that call `startStripeFixture`, which waits until other test files release the Stripe lock. */
export const stripeLockTimeoutMs = 180_000

/**
 * Waits until no other test file is using Stripe, and starts the fixture. The payments job handles every Stripe payment
 * in the database, but each fake Stripe server stores only its own payments.
 */
export async function startStripeFixture(): Promise<StripeFixture> {
  const lock = postgres(stack.databaseUrl, { max: 1, onnotice: () => undefined })
  await lock`select pg_advisory_lock(${stripeLockId})`
  await clearStripeReferences()
  const stripe = await startFakeStripe()
  const [api, jobs] = await Promise.all([startApiServer(stripe.env), startJobsServer(stripe.env)])
  stripe.setWebhookUrl(`${api.url}/api/payments/webhook`)

  const call: StripeFixture['call'] = (user, method, path, body) =>
    fetch(`${api.url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${user.token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const createCheckout: StripeFixture['createCheckout'] = async (user, path, body = {}) => {
    const response = await call(user, 'POST', path, body)
    const json: unknown = await response.json()
    expect({ status: response.status, json }).toEqual({ status: 202, json })
    const { checkoutUrl } = CheckoutResponse.parse(json)
    expect(checkoutUrl.startsWith(`${stripe.url}/pay/cs_`)).toBe(true)
    return checkoutUrl.slice(checkoutUrl.lastIndexOf('/') + 1)
  }
  return {
    stripe,
    api,
    call,
    createCheckout,
    completeCheckout: async (user, path, body) => {
      const id = await createCheckout(user, path, body)
      stripe.state.payCheckout(id)
      await stripe.sendPendingEvents()
      return id
    },
    runPaymentsJob: async () => {
      const { status, body } = await runJob('payments', `${jobs.url}/jobs`)
      expect({ status, body }).toEqual({ status: 200, body })
      return body as Record<string, number>
    },
    stop: async () => {
      api.stop()
      jobs.stop()
      await stripe.stop()
      await clearStripeReferences()
      await lock.end()
    },
  }
}

/**
 * Removes the Stripe references of customers, subscriptions, plans, and pending and void payments, because another test
 * file's fake server would not know these objects.
 */
async function clearStripeReferences(): Promise<void> {
  await sql`delete from private.payment_customers where provider = 'stripe'`
  await sql`update public.subscriptions set provider_reference = null where provider_reference is not null`
  await sql`update public.creator_plans set provider_reference = null where provider_reference is not null`
  await sql`update public.payments set provider_reference = null
            where provider = 'stripe' and state in ('pending', 'void')`
}

/** Returns a user's payments, oldest first: kind, state, and the amounts of the ledger entries in cents. */
export const listPayments = (user: TestUser) => sql<{ kind: string; state: string; booked: number[] }[]>`
  select p.kind, p.state, array(select e.amount_cents::int from public.ledger_transactions t
                                join public.ledger_entries e on e.transaction_id = t.id
                                where t.payment_id = p.id order by e.id) as booked
  from public.payments p where p.payer_id = ${user.id} order by p.created_at, p.period_start`
