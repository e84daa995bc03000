import { PayoutDetails } from '../contract/earnings.ts'
import { decrypt, encrypt } from '../secrets.ts'

const purpose = 'payout-details'

/** Characters that are shown of a mail address at most: a longer one is cut. */
const longestShown = 50

/** What is shown of the details to their own person: '•••• 6789', 'a•••@example.com'. 60 characters at most. */
export function maskDetails(details: PayoutDetails): string {
  if (details.type === 'bank') {
    // Of a short number four digits would be most of it.
    return `•••• ${details.account.slice(details.account.length < 8 ? -2 : -4)}`
  }
  const at = details.email.lastIndexOf('@')
  const masked = `${[...details.email][0] ?? ''}•••${details.email.slice(at)}`
  return masked.length > longestShown ? `${masked.slice(0, longestShown)}…` : masked
}

/**
 * The details as they are stored, for `personId` alone.
 *
 * @param key `ENCRYPTION_KEY`
 */
export const sealDetails = (key: string, personId: string, details: PayoutDetails): Promise<string> =>
  encrypt(JSON.stringify(details), { key, purpose, owner: personId })

/**
 * The details in full.
 *
 * @throws Error when the key is another one by now, or they are not this person's
 */
export async function openDetails(key: string, personId: string, sealed: string): Promise<PayoutDetails> {
  const text = await decrypt(sealed, { key, purpose, owner: personId })
  return PayoutDetails.parse(JSON.parse(text))
}
