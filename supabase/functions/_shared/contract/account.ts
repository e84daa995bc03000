import { z } from 'zod'

/**
 * Permanently deletes the account. `giveUpBalance` must be true if the account has a balance of at least the minimum
 * payout.
 */
export const DeleteAccountRequest = z.strictObject({
  password: z.string('Password is required').min(1, 'Password is required').max(1000),
  giveUpBalance: z.boolean().default(false),
})
export type DeleteAccountRequest = z.input<typeof DeleteAccountRequest>

/** `token` comes from the link in the confirmation email. */
export const ConfirmEmailRequest = z.object({
  token: z.string('No confirmation token found').min(1, 'No confirmation token found').max(200),
})
export type ConfirmEmailRequest = z.infer<typeof ConfirmEmailRequest>
export const ConfirmEmailResponse = z.object({ email: z.string() })

export const emailLinkInvalid =
  'This link is invalid or has expired. Please sign in and request a new one in Settings.'
