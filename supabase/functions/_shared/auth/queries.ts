import type { ActiveSession } from '../contract/auth.ts'
import { isErrorCode } from '../contract/errors.ts'
import type { OwnUser } from '../contract/user.ts'
import type { JsonText } from '../db/sql.ts'
import type { Caller } from '../http/caller.ts'
import { ApiError, notFound, unauthorized } from '../http/errors.ts'
import { log } from '../http/log.ts'
import { asService, asUser } from '../http/run-as.ts'
import { assertWithinLimit, refundSignIn } from '../rate-limits.ts'
import { selectOwnUser } from '../users/queries.ts'
import type { ClientInfo } from './client-info.ts'

/** The reasons for rejecting a registration, each with its form field and message. */
const registrationProblems = {
  username_reserved: { field: 'username', message: 'This username is reserved' },
  username_taken: { field: 'username', message: 'Username is already taken' },
  email_taken: { field: 'email', message: 'Email is already registered' },
  email_banned: { field: 'email', message: 'This email address cannot be used here' },
  name_unusable: { field: 'fullName', message: 'Full name contains characters that cannot be used' },
  name_reserved: { field: 'fullName', message: 'This name is reserved' },
} as const

/**
 * Rejects a registration with a taken or reserved username, a taken or banned email address, or a name that the
 * database would not accept. The error names the fields.
 *
 * @throws ApiError 409 if the first problem is a taken username or email address, otherwise 400
 */
export async function checkRegistration({
  username,
  email,
  fullName,
}: {
  username: string
  email: string
  fullName: string
}): Promise<void> {
  // Runs as the service role, because visitors may not read which email addresses have an account.
  const found = await asService(
    (tx) => tx<{ problem: keyof typeof registrationProblems }[]>`
      select 'username_' || p as problem from private.username_problem(${username}::text) p where p is not null
      union all
      select 'email_taken' where exists (
        select from public.accounts a where lower(a.email) = lower(${email}::text))
      union all
      select 'email_banned' where private.is_email_banned(${email}::text)
      union all
      select case when private.is_staff_lookalike(${fullName}::text) then 'name_reserved' else 'name_unusable' end
      where private.is_staff_lookalike(${fullName}::text) or not private.is_valid_display_name(${fullName}::text)`,
  )
  const [first] = found
  if (!first) return
  const errors: Record<string, string[]> = {}
  for (const { problem } of found) {
    const { field, message } = registrationProblems[problem]
    errors[field] = [message]
  }
  const { problem } = first
  throw new ApiError(problem.endsWith('_taken') ? 409 : 400, registrationProblems[problem].message, {
    ...(isErrorCode(problem) ? { code: problem } : {}),
    errors,
  })
}

/** Returns whether users are signed in right after registration. */
export async function isSignInAfterRegistrationEnabled(): Promise<boolean> {
  const [row] = await asService(
    (tx) => tx<{ enabled: boolean }[]>`
      select private.is_setting_enabled('sign_in_after_registration') as enabled`,
  )
  return row?.enabled ?? false
}

/**
 * Records the client of a new session.
 *
 * @param device the name of the client's device
 * @param refundedEmail the email address for which `consumeSignInLimit` counted the sign-in; if null, nothing is
 *   refunded
 * @returns the record of the user who signed in, and whether the device is known; null if the account was deleted
 */
export async function recordSession(
  { sessionId, userId }: Caller,
  { userAgent, address, network }: ClientInfo,
  device: string,
  refundedEmail: string | null,
): Promise<{ user: JsonText<OwnUser>; isKnownDevice: boolean } | null> {
  // Runs as the service role, because users may not change their own sessions.
  const [, [user], [known]] = await asService((tx) => [
    tx`select private.record_session_client(${sessionId}::text::uuid, ${userId}::text::uuid,
                                       ${userAgent}::text, ${address}::text)`,
    selectOwnUser(tx, userId),
    tx<{ is_known: boolean }[]>`
      select private.is_known_device(${userId}::text::uuid, ${device}::text) as is_known`,
    // This statement comes last, because it locks a row that all sign-ins from the same network share.
    ...(refundedEmail === null ? [] : refundSignIn(tx, refundedEmail, network)),
  ])
  return user ? { user: user.item, isKnownDevice: known?.is_known ?? false } : null
}

/**
 * Records the device of a sign-in and, if it is new, notifies the user. Returns whether it is new. The first device of
 * an account does not count as new, because there is nothing to compare it with.
 */
export async function recordDevice(userId: string, device: string): Promise<boolean> {
  const [row] = await asService(
    (tx) => tx<{ is_new: boolean }[]>`
      select private.record_device(${userId}::text::uuid, ${device}::text) as is_new`,
  )
  return row?.is_new ?? false
}

/** Lists the caller's sessions: the current one, then the others, most recently used first. */
export async function listSessions(caller: Caller): Promise<JsonText<ActiveSession[]>> {
  const [row] = await asUser(
    caller,
    (tx) => tx<{ items: JsonText<ActiveSession[]> }[]>`
      select coalesce(json_agg(json_build_object(
        'id', s.id, 'current', s.current, 'userAgent', s.user_agent, 'address', s.address,
        'createdAt', s.created_at, 'lastSeenAt', s.last_seen_at)), '[]')::text as items
      from private.list_own_sessions() s`,
  )
  return row?.items ?? '[]'
}

/**
 * Revokes one of the caller's sessions: the next call that uses it is rejected, its refresh token stops working and, in
 * the embedded stack, its WebSocket connections are closed.
 *
 * @throws ApiError 404 if the caller has no such session
 */
export async function revokeSession(caller: Caller, id: string): Promise<void> {
  const [row] = await asUser(
    caller,
    (tx) => tx<{ ended: boolean }[]>`select private.end_own_session(${id}::text::uuid) as ended`,
  )
  if (!row?.ended) throw notFound('Session not found')
}

export async function revokeOtherSessions(caller: Caller): Promise<void> {
  await asUser(caller, (tx) => tx`select private.end_other_sessions()`)
}

/** Revokes all of the caller's sessions except the current one, and cancels a pending email change. */
export async function revokeSessionsAfterPasswordChange(caller: Caller): Promise<void> {
  await asUser(caller, (tx) => tx`select private.end_sessions_after_password_change()`)
}

/** Revokes all sessions and access tokens of a user, and cancels a pending email change. */
export async function revokeAllSessions(userId: string): Promise<void> {
  // Runs as the service role, because a user who resets their password is not signed in.
  await asService((tx) => tx`select private.end_all_sessions(${userId}::text::uuid)`)
}

/** Returns whether a password reset token is valid. @throws ApiError 429 */
export const isResetTokenValid = (token: string, network: string) => checkResetToken(token, network, false)

/**
 * Claims a password reset token, so that only one of several concurrent requests can use it. Returns false for an
 * invalid token and for one that another request has claimed.
 *
 * @throws ApiError 429
 */
export const claimResetToken = (token: string, network: string) => checkResetToken(token, network, true)

/**
 * Returns whether a password reset token is valid and, if `shouldClaim`, claims it. Each network may try up to 30
 * invalid tokens an hour; valid tokens do not count.
 */
async function checkResetToken(token: string, network: string, shouldClaim: boolean): Promise<boolean> {
  // Runs as the service role, because the user is not signed in, and no user may read who requested a password reset.
  const rows = await asService(
    (tx) => tx<{ wait: number; valid: boolean }[]>`
      select wait, valid from private.open_password_reset(${token}::text, ${network}::text, ${shouldClaim}::boolean)`,
  )
  assertWithinLimit(rows)
  return rows[0]?.valid ?? false
}

/** Releases a claimed token that was not used. If this fails, the claim expires automatically after two minutes. */
export async function releaseResetToken(token: string): Promise<void> {
  try {
    await asService((tx) => tx`select private.release_password_reset(${token}::text)`)
  } catch {
    log('warn', 'reset_token_release_failed')
  }
}

type ConfirmedEmailChange = { wait: number; old_email: string | null; new_email: string | null }

/**
 * Stores the token that confirms the address of a new account. If `token` is null because the site does not send mail,
 * the address counts as confirmed, unless the site requires confirmation.
 */
export async function beginEmailConfirmation(userId: string, token: string | null): Promise<void> {
  // Runs as the service role, because a new account has no session yet.
  await asService((tx) => tx`select private.begin_email_confirmation(${userId}::text::uuid, ${token}::text)`)
}

/**
 * Replaces the caller's confirmation link with one that contains this token. Returns the address to send it to, or null
 * if there is nothing to confirm.
 *
 * @throws ApiError 429
 */
export async function renewEmailToken(
  caller: Caller,
  token: string,
): Promise<{ email: string; isChange: boolean } | null> {
  const [link] = await asUser(
    caller,
    (tx) => tx<{ email: string; isChange: boolean }[]>`
      select r.email, r.is_change as "isChange" from private.renew_email_token(${token}::text) r`,
  )
  return link ?? null
}

/** Deletes a token that could not be sent, and with it the email change, if any. */
export async function cancelEmailToken(token: string): Promise<void> {
  // Runs as the service role, because the session may have ended since the response was sent.
  await asService((tx) => tx`select private.cancel_email_change(${token}::text)`)
}

/**
 * Confirms the address to which a token was sent. If it is a new address, it replaces the account's current one.
 * Returns the previous address (null if it was unconfirmed) and the confirmed one, or null for an invalid token. Each
 * network may try up to 30 invalid tokens an hour.
 *
 * @throws ApiError 400 for a banned email address; 409 if another account has registered the address in the meantime;
 *   429 after too many invalid tokens
 */
export async function confirmEmailChange(
  token: string,
  network: string,
): Promise<{ oldEmail: string | null; newEmail: string } | null> {
  // Runs as the service role, because the browser that opens the link might not be signed in.
  const rows = await asService(
    (tx) => tx<ConfirmedEmailChange[]>`
      select c.wait, c.old_email, c.new_email
      from private.confirm_email_change(${token}::text, ${network}::text) c`,
  )
  assertWithinLimit(rows)
  const { old_email: oldEmail = null, new_email: newEmail = null } = rows[0] ?? {}
  return newEmail === null ? null : { oldEmail, newEmail }
}

/** Returns the caller's email address. @throws ApiError 401 if the account was deleted */
export async function readOwnEmail(caller: Caller): Promise<string> {
  const [account] = await asUser(
    caller,
    (tx) => tx<{ email: string }[]>`
      select a.email from public.accounts a where a.user_id = ${caller.userId}::text::uuid`,
  )
  if (!account) throw unauthorized()
  return account.email
}

/** Returns the email address of an account, or null for a deleted account. */
export async function readEmail(userId: string): Promise<string | null> {
  // Runs as the service role, because the user is not signed in after a password reset.
  const [account] = await asService(
    (tx) => tx<{ email: string }[]>`
      select a.email from public.accounts a where a.user_id = ${userId}::text::uuid`,
  )
  return account?.email ?? null
}

/**
 * Returns the address for alerts about sign-ins and new access tokens, or null if the user has turned off email
 * notifications or login alerts, or if the account was deleted.
 */
export async function readSignInAlertEmail(userId: string): Promise<string | null> {
  // Runs as the service role, because the owner must be alerted even if the session has ended by now.
  const [account] = await asService(
    (tx) => tx<{ email: string }[]>`
      select a.email from public.accounts a join public.user_settings s on s.user_id = a.user_id
      where a.user_id = ${userId}::text::uuid and s.email_notifications and s.login_alerts`,
  )
  return account?.email ?? null
}
