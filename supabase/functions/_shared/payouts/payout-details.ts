import { PayoutDetails } from '../contract/earnings.ts'
import { decrypt, type EncryptionKeys, encrypt } from '../encryption.ts'

const purpose = 'payout-details'

const maxMaskedEmailLength = 50

/**
 * Returns payout details in masked form, such as '•••• 6789' or 'a•••@example.com'. The result fits the column `masked`
 * (60 characters).
 */
export function maskDetails(details: PayoutDetails): string {
  if (details.type === 'bank') {
    // Four digits of a short account number would reveal most of it.
    return `•••• ${details.account.slice(details.account.length < 8 ? -2 : -4)}`
  }
  const at = details.email.lastIndexOf('@')
  const masked = `${[...details.email][0] ?? ''}•••${details.email.slice(at)}`
  return masked.length > maxMaskedEmailLength ? `${masked.slice(0, maxMaskedEmailLength)}…` : masked
}

/**
 * Encrypts payout details for storage. They can be decrypted only with the same `userId`.
 *
 * @param keys `ENCRYPTION_KEY` and previous ones
 */
export const encryptDetails = (
  keys: EncryptionKeys,
  userId: string,
  details: PayoutDetails,
): Promise<string> => encrypt(JSON.stringify(details), { keys, purpose, owner: userId })

/**
 * Decrypts stored payout details.
 *
 * @throws Error if the details were encrypted with another key or for another user
 */
export async function decryptDetails(
  keys: EncryptionKeys,
  userId: string,
  encrypted: string,
): Promise<PayoutDetails> {
  const text = await decrypt(encrypted, { keys, purpose, owner: userId })
  return PayoutDetails.parse(JSON.parse(text))
}
