import { z } from 'zod'

/** What is being paid for on a page elsewhere, as it is to be spoken of when its payer comes back. */
const PendingPurchase = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('unlock'), postId: z.string() }),
  z.object({ kind: z.literal('tip'), tipId: z.string(), name: z.string(), amount: z.number() }),
  z.object({ kind: z.literal('subscription'), creatorId: z.string(), name: z.string() }),
  z.object({ kind: z.literal('creator_pro') }),
])
export type PendingPurchase = z.infer<typeof PendingPurchase>

const key = 'ovation:checkout'

/** Goes to the page where a payment is made. Who comes back in this tab is told of `bought` by its name. */
export function redirectToCheckout(url: string, bought: PendingPurchase): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(bought))
  } catch {
    // Where nothing can be kept, the page that they come back to speaks of what it shows.
  }
  window.location.assign(url)
}

/** What this tab went to pay for; null where that is not known. */
export function getPendingPurchase(): PendingPurchase | null {
  try {
    const kept = sessionStorage.getItem(key)
    return kept === null ? null : (PendingPurchase.safeParse(JSON.parse(kept)).data ?? null)
  } catch {
    return null
  }
}

/** Its payer was told of it: the next to come back is not. */
export function clearPendingPurchase(): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Where nothing can be kept, there is nothing to forget.
  }
}
