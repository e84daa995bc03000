/** The meaning of a code never changes; messages may change. */
export const errorCodes = [
  'validation_failed',
  'captcha_failed',
  'invalid_credentials',
  'unauthorized',
  'origin_refused',
  'forbidden',
  'insufficient_scope',
  'account_read_only',
  'email_unconfirmed',
  'target_is_admin',
  'direct_messages_disabled',
  'recipient_not_found',
  'edit_window_over',
  'message_deleted',
  'not_found',
  'reset_token_invalid',
  'email_token_invalid',
  'username_reserved',
  'username_taken',
  'email_taken',
  'conflict',
  'request_timeout',
  'payload_too_large',
  'unsupported_media_type',
  'media_not_usable',
  'storage_quota_reached',
  'creators_only',
  'post_locked',
  'amount_mismatch',
  'payment_failed',
  'balance_left',
  'creator_pro_required',
  'payout_minimum',
  'balance_too_low',
  'test_money',
  'payout_method_missing',
  'payout_method_waiting',
  'ai_key_missing',
  'ai_key_refused',
  'ai_unavailable',
  'ai_answer_unusable',
  'cost_cap_reached',
  'rate_limited',
  'unavailable',
  'storage_full',
  'internal_error',
] as const

/** The message for `storage_full`: the disk of the database or of Storage is full. */
export const storageFullMessage =
  'The server has run out of space, so nothing was saved. Please try again later.'

/**
 * The `readOnlyReason` of an account whose email address must be confirmed first. The web app compares the reason with
 * this text, which must equal `private.confirmation_required()`.
 */
export const emailConfirmationRequired = 'Confirm your email address to start using your account.'

export type ErrorCode = (typeof errorCodes)[number]

export const isErrorCode = (value: unknown): value is ErrorCode => errorCodes.some((code) => code === value)
