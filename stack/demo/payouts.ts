import { idOf } from './numbers.ts'

/** Money that a creator asked for, and what became of it. */
export interface DemoPayout {
  id: string
  kind: 'instant' | 'scheduled'
  cents: number
  at: Date
  state: 'requested' | 'paid' | 'failed'
  settledAt: Date | null
  reference: string | null
  failure: string | null
}

/** What a sale or a refund makes of a balance, from when on. */
export interface Cleared {
  at: Date
  cents: number
}

const [hour, day] = [3_600_000, 86_400_000]
const minimum = 5000
/** Of the last payouts, counted from the end: the one that came back. */
const failed = 9

/**
 * A creator's weekly payouts up to `last`: each takes all that is cleared by then, where it is enough. One came back
 * from the bank, so the next took its money too.
 */
export function makePayouts(
  person: string,
  cleared: readonly Cleared[],
  first: Date,
  last: Date,
): DemoPayout[] {
  const payouts: DemoPayout[] = []
  let taken = 0
  const weeks = Math.floor((last.getTime() - first.getTime()) / (7 * day))
  for (let back = weeks; back >= 0; back--) {
    const at = new Date(last.getTime() - back * 7 * day)
    const cents = clearedBy(cleared, at) - taken
    if (cents < minimum) continue
    const comesBack = back === failed
    if (!comesBack) taken += cents
    payouts.push({
      id: idOf('payout', `${person} ${back}`),
      kind: 'scheduled',
      cents,
      at,
      state: comesBack ? 'failed' : 'paid',
      settledAt: new Date(at.getTime() + (comesBack ? 53 : 26) * hour),
      reference: comesBack ? null : `OVATION-${at.toISOString().slice(0, 10)}`,
      failure: comesBack ? 'The bank sent it back: the name of the account holder is another one.' : null,
    })
  }
  return payouts
}

/** One that waits for an operator; null where there is too little for it. */
export function askForAll(person: string, cleared: readonly Cleared[], at: Date): DemoPayout | null {
  const cents = clearedBy(cleared, at)
  if (cents < minimum) return null
  const id = idOf('payout', `${person} all`)
  return {
    id,
    kind: 'instant',
    cents,
    at,
    state: 'requested',
    settledAt: null,
    reference: null,
    failure: null,
  }
}

const clearedBy = (cleared: readonly Cleared[], at: Date): number =>
  cleared.reduce((sum, one) => (one.at <= at ? sum + one.cents : sum), 0)
