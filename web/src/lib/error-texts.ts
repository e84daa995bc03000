import type { ErrorCode } from '@contract/errors.ts'
import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'

/**
 * Texts for error codes. They replace a server's message that has no translation because it contains values such as an
 * amount. Codes that say nothing about the cause have no text.
 */
export const errorTexts: Partial<Record<ErrorCode, MessageDescriptor>> = {
  validation_failed: msg`Check what you entered and try again.`,
  captcha_failed: msg`Complete the verification and try again.`,
  invalid_credentials: msg`Check your email and password and try again.`,
  unauthorized: msg`Your session has ended. Log in again.`,
  origin_refused: msg`Requests from other sites are not allowed.`,
  forbidden: msg`You don't have permission to do this.`,
  account_read_only: msg`Your account is read-only at the moment.`,
  target_is_admin: msg`You can't do this to an admin.`,
  direct_messages_disabled: msg`This user has disabled direct messages`,
  recipient_not_found: msg`Recipient not found`,
  edit_window_over: msg`This message can no longer be edited.`,
  message_deleted: msg`This message was deleted.`,
  not_found: msg`This was deleted, or you don't have access to it.`,
  reset_token_invalid: msg`The reset token is invalid or has expired. Please request a new password reset.`,
  email_token_invalid: msg`This link is invalid or has expired.`,
  username_reserved: msg`This username is reserved`,
  username_taken: msg`Username is already taken`,
  email_taken: msg`Email is already registered`,
  conflict: msg`This has changed in the meantime. Reload the page and try again.`,
  payload_too_large: msg`This is too large to send.`,
  unsupported_media_type: msg`This file type isn't supported.`,
  media_not_usable: msg`This upload can't be used. Choose the file again.`,
  creators_only: msg`Only creators can do this.`,
  post_locked: msg`Unlock this post first.`,
  amount_mismatch: msg`The price has changed. Reload the page and try again.`,
  payment_failed: msg`The payment failed. Try again.`,
  balance_left: msg`There is still money in the balance. Pay it out first, or forfeit it.`,
  creator_pro_required: msg`This needs Creator Pro. Upgrade first.`,
  payout_minimum: msg`This is less than the minimum payout.`,
  balance_too_low: msg`This is more than the available balance.`,
  payout_method_missing: msg`Add a payout method first.`,
  payout_method_waiting: msg`This payout method can't be used yet.`,
  ai_key_missing: msg`Add an API key first.`,
  ai_key_refused: msg`The AI provider rejected the API key.`,
  ai_unavailable: msg`The AI provider isn't available right now. Try again later.`,
  ai_answer_unusable: msg`The AI didn't write a usable post. Try again.`,
  cost_cap_reached: msg`Auto-posting has reached a limit. Try again later.`,
  rate_limited: msg`Too many requests. Wait a moment and try again.`,
}
