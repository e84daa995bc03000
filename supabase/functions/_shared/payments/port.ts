import { env } from '../env.ts'

/**
 * What a provider said of a payment: `paid` (`reference` is what it calls it: told again, it books nothing twice), to be
 * made by the payer on its own page at `url`, or `over`: it is not to be paid any more, and no money came.
 */
export type Charged =
  | { state: 'paid'; reference: string | null }
  | { state: 'elsewhere'; url: string }
  | { state: 'over' }

/** What a call of the job did. */
export type CaughtUp = {
  /** Payments of which nothing had been heard. */
  settled: number
  /** Subscriptions and plans whose end, or going on, it was told. */
  told: number
  /** Payments that were given back, and pages that were closed. */
  givenBack: number
  /** People whose account is gone. */
  forgotten: number
  /** What did not work, and is tried again by the next call. */
  failed: number
}

/** What only a provider has that takes payments on pages of its own, renews by itself, and tells of both later. */
type Elsewhere = {
  /**
   * A page where somebody sees and ends what they pay by the month.
   *
   * @param person their id
   * @returns its address; null for somebody who never paid there
   */
  portal(person: string): Promise<string | null>
  /**
   * Takes what it tells, once each and in any order.
   *
   * @param body as it was sent, to the byte
   * @throws ApiError 400 when it did not come from the provider, or too long ago; anything else: it is to be told again
   */
  hear(body: string, signature: string): Promise<void>
  /** Tells it what it does not know yet, and asks what it did not tell. It may be run at any time. */
  catchUp(): Promise<CaughtUp>
  /** Only the part of it that people wait for: which subscriptions and plans were ended, or go on. */
  tellEnds(): Promise<Pick<CaughtUp, 'told' | 'failed'>>
}

/**
 * The way to money. A payment is begun by its payer (a row that names who, what for and how much), charged here, and
 * settled by what the provider says of it: `private.settle_payment` books it and opens what it was for.
 */
export type PaymentsPort = {
  /** As payments are marked with it. */
  provider: 'test' | 'stripe'
  /**
   * Asks for the money of a payment that was begun. Asked again for the same payment, it takes no more.
   *
   * @param payment its id
   * @throws ApiError 503 when the provider cannot be asked; nothing is paid then
   */
  charge(payment: string): Promise<Charged>
  /** Null where a payment is made the moment it is charged, renewals too. */
  elsewhere: Elsewhere | null
}

/** Says yes at once, and no money moves. */
const test: PaymentsPort = {
  provider: 'test',
  charge: (payment) => Promise.resolve({ state: 'paid', reference: `test_${payment}` }),
  elsewhere: null,
}

/** Loaded only where it is used: Stripe's own code is large. */
const chosen = async (): Promise<PaymentsPort | null> => {
  if (env.payments === 'stripe') return (await import('./stripe/port.ts')).stripePort
  return env.payments === 'test' ? test : null
}

/** Where payments go; null where there is no way to take any. */
export const port: PaymentsPort | null = await chosen()
