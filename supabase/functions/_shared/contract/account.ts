import { z } from 'zod'
import { currentPassword } from './auth.ts'

/**
 * Request to permanently delete the caller's account. `giveUpBalance` confirms that the balance is forfeited. It must
 * be true if the balance is at least the minimum payout.
 */
export const DeleteAccountRequest = z.strictObject({
  password: currentPassword,
  giveUpBalance: z.boolean().default(false),
})
export type DeleteAccountRequest = z.input<typeof DeleteAccountRequest>

/** Request to confirm an email address. `token` comes from the link in the confirmation email. */
export const ConfirmEmailRequest = z.object({
  token: z.string('No confirmation token found').min(1, 'No confirmation token found').max(200),
})
export type ConfirmEmailRequest = z.infer<typeof ConfirmEmailRequest>
export const ConfirmEmailResponse = z.object({ email: z.string() })

/** The message for an invalid, used or expired confirmation link. */
export const emailLinkInvalid =
  'This link is invalid or has expired. Please sign in and request a new one in Settings.'
