import { z } from 'zod'

/** A purchase that is paid for on the payment provider's page, with the values that the app shows afterwards. */
const PendingPurchase = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('unlock'), postId: z.string() }),
  z.object({ kind: z.literal('photo'), messageId: z.string(), senderId: z.string() }),
  z.object({ kind: z.literal('tip'), tipId: z.string(), name: z.string(), amount: z.number() }),
  z.object({ kind: z.literal('subscription'), creatorId: z.string(), name: z.string() }),
  z.object({ kind: z.literal('creator_pro') }),
])
export type PendingPurchase = z.infer<typeof PendingPurchase>

const storageKey = 'ovation:checkout'

/** Opens the provider's payment page in this tab and stores `purchase` for the user's return. */
export function redirectToCheckout(url: string, purchase: PendingPurchase): void {
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(purchase))
  } catch {
    // Without storage, `useCheckoutReturn` infers the purchase from the page that the user returns to.
  }
  window.location.assign(url)
}

/** Returns the purchase whose payment page this tab opened last, or null if that is not known. */
export function getPendingPurchase(): PendingPurchase | null {
  try {
    const stored = sessionStorage.getItem(storageKey)
    return stored === null ? null : (PendingPurchase.safeParse(JSON.parse(stored)).data ?? null)
  } catch {
    return null
  }
}

/** Deletes the stored purchase, so that it is not reported again. */
export function clearPendingPurchase(): void {
  try {
    sessionStorage.removeItem(storageKey)
  } catch {
    // Without storage, nothing was stored.
  }
}
