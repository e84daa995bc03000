import type { ErrorBody } from '@contract/common.ts'
import { type ErrorCode, isErrorCode } from '@contract/errors.ts'
import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import type { FieldError, FieldPath, FieldValues, UseFormSetError } from 'react-hook-form'
import { fieldsOf, isObject, parseJson } from './json'

/**
 * A response with a status of 400 or above. `message` is `"<status>: <body text>"`. `serverMessage` is the message in
 * the body, or an empty string if there is none. To show the error to users, call `errorMessage`.
 */
export class ApiError extends Error {
  readonly status: number
  readonly code: ErrorCode | undefined
  readonly serverMessage: string
  readonly errors: Record<string, string[]>
  /** Seconds to wait before the next attempt, from the `Retry-After` header. */
  readonly retryAfter: number | undefined

  constructor(status: number, text: string, retryAfter?: number) {
    super(`${status}: ${text}`)
    this.name = 'ApiError'
    this.status = status
    this.retryAfter = retryAfter
    const body = parseErrorBody(text)
    this.code = body?.code
    this.serverMessage = body?.message ?? ''
    this.errors = body?.errors ?? {}
  }
}

function parseErrorBody(text: string): ErrorBody | undefined {
  const { message, code, errors } = fieldsOf(parseJson(text))
  if (typeof message !== 'string') return undefined
  // A proxy or an older server may send an unknown code. The message is still useful to the user.
  if (!isErrorCode(code) || !isFieldErrors(errors)) return { message, code: 'internal_error' }
  return { message, code, errors }
}

/** Returns whether a value maps fields to lists of messages, or is undefined. */
function isFieldErrors(value: unknown): value is ErrorBody['errors'] {
  if (value === undefined) return true
  if (!isObject(value)) return false
  return Object.values(value).every(
    (messages) => Array.isArray(messages) && messages.every((message) => typeof message === 'string'),
  )
}

/** The request got no response, or the response was cut off. */
export class NetworkError extends Error {
  constructor(cause: unknown) {
    super('The server cannot be reached.', { cause })
    this.name = 'NetworkError'
  }
}

/** The request got a response that does not match the schema. */
export class UnreadableResponseError extends Error {}

/** Returns whether a request failed because there is no valid session. A 401 for a wrong password does not count. */
export function isUnauthorized(error: unknown): boolean {
  return error instanceof ApiError && error.status === 401 && error.code !== 'invalid_credentials'
}

/** Returns whether a retry may succeed: after a lost connection, a rate limit or a server error. */
export function isTransient(error: unknown): boolean {
  // An unreadable response may come from a proxy instead of the server.
  if (error instanceof NetworkError || error instanceof UnreadableResponseError) return true
  return error instanceof ApiError && (error.status === 429 || error.status === 408 || error.status >= 500)
}

/** Returns whether a resource does not exist, or the viewer has no access to it. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404
}

/** Returns whether the server refused a payment because the price has changed. */
export function isPriceChanged(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'amount_mismatch'
}

/** Returns whether a resource whose id is in the URL does not exist. The server rejects malformed ids with 400. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 400)
}

/** Waits for a request and treats 404 as success: the resource that it changes or deletes no longer exists. */
export async function ignoreNotFound(request: Promise<void>): Promise<void> {
  try {
    await request
  } catch (error) {
    if (!isNotFound(error)) throw error
  }
}

/**
 * Returns the server's message in the app's language. If it has no translation, returns the generic message for the
 * error code. Returns `fallback` if there is no generic message either, or if the server sent no message.
 */
export function errorMessage(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError) || !error.serverMessage) return fallback
  const codeText = error.code && errorTexts[error.code]
  return findTranslation(error.serverMessage) ?? (codeText ? i18n._(codeText) : fallback)
}

/**
 * Returns the text that a dialog shows after its request has failed, or null if there is no error. Also returns null
 * if the session has ended, because the app then redirects to the login page.
 */
export function inlineErrorMessage(error: unknown, fallback: string): string | null {
  return error && !isUnauthorized(error) ? errorMessage(error, fallback) : null
}

/**
 * Returns text from the server in the app's language, or unchanged if it has no translation. In the catalogs, the key
 * of each translation is the English text (see `locales/server-texts.ts`).
 */
export function translateServerText(text: string): string {
  return findTranslation(text) ?? text
}

/** Returns the translation of text from the server, or null if it has none. In English, returns the text itself. */
function findTranslation(text: string): string | null {
  if (i18n.locale === 'en') return text
  return Object.hasOwn(i18n.messages, text) ? i18n._(text) : null
}

/**
 * Generic messages by error code. They replace a server message that has no translation because it contains values such
 * as an amount. Codes that say nothing about the cause have no generic message.
 */
const errorTexts: Partial<Record<ErrorCode, MessageDescriptor>> = {
  validation_failed: msg`Check what you entered and try again.`,
  captcha_failed: msg`Complete the verification and try again.`,
  invalid_credentials: msg`Check your email and password and try again.`,
  unauthorized: msg`Your session has ended. Log in again.`,
  origin_refused: msg`Requests from other sites are not allowed.`,
  forbidden: msg`You don't have permission to do this.`,
  account_read_only: msg`Your account is read-only at the moment.`,
  target_is_admin: msg`You can't do this to an admin.`,
  email_unconfirmed: msg`Confirm your email address first.`,
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
  storage_quota_reached: msg`Your storage is full. Delete posts or gallery images to make room.`,
  creators_only: msg`Only creators can do this.`,
  post_locked: msg`Unlock this post first.`,
  amount_mismatch: msg`The price has changed. Reload the page and try again.`,
  payment_failed: msg`The payment failed. Try again.`,
  balance_left: msg`There is still money in the balance. Pay it out first, or forfeit it.`,
  creator_pro_required: msg`This needs Creator Pro. Upgrade first.`,
  payout_minimum: msg`This is less than the minimum payout.`,
  test_money: msg`This payout is test money. Don't send it. Mark the payout as failed.`,
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

/** Shows the server's errors next to their fields and focuses the first of these fields. */
export function showFieldErrors<Form extends FieldValues>(
  error: unknown,
  fields: readonly FieldPath<Form>[],
  setError: UseFormSetError<Form>,
): void {
  const errors = serverFieldErrors(error)
  let shouldFocus = true
  for (const field of fields) {
    const message = errors[field]?.[0]
    if (!message) continue
    setError(field, { type: 'server', message }, { shouldFocus })
    shouldFocus = false
  }
}

/** Returns the server's messages for individual fields, keyed by field path. */
export function serverFieldErrors(error: unknown): Record<string, string[]> {
  if (!(error instanceof ApiError)) return {}
  const field = error.code && fieldOfErrorCode[error.code]
  return field ? { [field]: [error.serverMessage], ...error.errors } : error.errors
}

/** Maps the error codes that concern a single field to that field. */
const fieldOfErrorCode: Partial<Record<ErrorCode, string>> = {
  username_taken: 'username',
  username_reserved: 'username',
  email_taken: 'email',
}

/** Returns a field's error message, from the contract's schema or the server, in the app's language. */
export function fieldErrorText(error: FieldError | undefined): string | undefined {
  return error?.message && translateServerText(error.message)
}
