import { z } from 'zod'

/** All error codes. The meaning of a code never changes; messages may change. */
const errorCodes = [
  'validation_failed',
  'captcha_failed',
  'invalid_credentials',
  'unauthorized',
  'origin_refused',
  'forbidden',
  'account_read_only',
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
  'creators_only',
  'post_locked',
  'amount_mismatch',
  'payment_failed',
  'balance_left',
  'creator_pro_required',
  'payout_minimum',
  'balance_too_low',
  'payout_method_missing',
  'payout_method_waiting',
  'ai_key_missing',
  'ai_key_refused',
  'ai_unavailable',
  'ai_answer_unusable',
  'cost_cap_reached',
  'rate_limited',
  'unavailable',
  'internal_error',
] as const

export type ErrorCode = (typeof errorCodes)[number]

export const isErrorCode = (text: string | undefined): text is ErrorCode =>
  errorCodes.some((code) => code === text)

/** The body of an error response. `errors` maps each invalid field to its messages. */
export const ErrorBody = z.object({
  message: z.string(),
  code: z.enum(errorCodes),
  errors: z.record(z.string(), z.array(z.string())).optional(),
})
export type ErrorBody = z.infer<typeof ErrorBody>
