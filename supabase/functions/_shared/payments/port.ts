import { env } from '../env.ts'

/** What a provider said of a payment. `reference` is what it calls it: told again, it books nothing twice. */
type Charged = { state: 'paid'; reference: string }

/**
 * The way to money. A payment is begun by its payer (a row that names who, what for and how much), charged here, and
 * settled by what the provider says of it: `private.settle_payment` books it and opens what it was for. Nothing but
 * `charge` differs between providers.
 */
export type PaymentsPort = {
  /** As payments are marked with it. */
  provider: 'test'
  /**
   * Asks for the money of a payment that was begun. Asked again for the same payment, it takes no more.
   *
   * @param payment its id
   */
  charge(payment: string): Promise<Charged>
}

/** Says yes at once, and no money moves. */
const test: PaymentsPort = {
  provider: 'test',
  charge: (payment) => Promise.resolve({ state: 'paid', reference: `test_${payment}` }),
}

/** Where payments go; null where there is no way to take any. */
export const port: PaymentsPort | null = env.payments === 'test' ? test : null
