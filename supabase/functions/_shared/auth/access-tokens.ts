import { randomBytes } from 'node:crypto'
import { importJWK, SignJWT } from 'jose'
import {
  AccessToken,
  accessTokenPrefix,
  type CreateAccessTokenRequest,
  type CreatedAccessToken,
} from '../contract/access-token.ts'
import type { JsonText } from '../db/sql.ts'
import { env } from '../env.ts'
import { hashAccessToken, insufficientScope, isAccessToken } from '../http/access-token.ts'
import { runInBackground } from '../http/background.ts'
import type { Caller } from '../http/caller.ts'
import { notFound, requireRow, unavailable } from '../http/errors.ts'
import { asUser } from '../http/run-as.ts'
import type { ClientInfo } from './client-info.ts'
import { sendAccessTokenNotice } from './mails.ts'
import { accessTokenJson } from './presenter.ts'
import { confirmOwnPassword } from './sign-in.ts'
import { signOut } from './supabase-auth.ts'

/** Lists the caller's access tokens, newest first. */
export async function listAccessTokens(caller: Caller): Promise<JsonText<AccessToken[]>> {
  const [row] = await asUser(
    caller,
    (tx) => tx<{ items: JsonText<AccessToken[]> }[]>`
      select coalesce(json_agg(${accessTokenJson} order by t.created_at desc, t.id), '[]')::text as items
      from private.list_access_tokens() t`,
  )
  return row?.items ?? '[]'
}

/**
 * Creates an access token for the caller and notifies them in the app and by email, as their settings allow. A wrong
 * password counts as a failed sign-in.
 *
 * @throws ApiError 401 if the session has ended, or `invalid_credentials` for a wrong password; 403; 409 if the caller
 *   already has the maximum number of tokens, or has changed the password in the meantime; 429; 503 if Auth is
 *   unavailable
 */
export async function createAccessToken(
  caller: Caller,
  { name, scopes, expiresInDays, currentPassword }: CreateAccessTokenRequest,
  client: ClientInfo,
): Promise<CreatedAccessToken> {
  const [, [password]] = await asUser(caller, (tx) => [
    tx`select private.require_write()`,
    // If the password changes after this read, `create_access_token` fails.
    tx<{ fingerprint: string }[]>`select encode(private.password_fingerprint(), 'hex') as fingerprint`,
  ])
  await signOut(await confirmOwnPassword(caller, currentPassword, 'currentPassword', client))
  const token = `${accessTokenPrefix}${randomBytes(32).toString('base64url')}`
  const rows = await asUser(
    caller,
    (tx) => tx<{ item: string }[]>`
      select ${accessTokenJson}::text as item
      from private.create_access_token(
        decode(${password?.fingerprint ?? ''}::text, 'hex'), ${name}::text, decode(${hashAccessToken(token).toString('hex')}::text, 'hex'),
        array(select jsonb_array_elements_text(${JSON.stringify(scopes)}::text::jsonb)),
        ${expiresInDays}::integer) t`,
  )
  const stored = AccessToken.parse(JSON.parse(requireRow(rows).item))
  runInBackground(sendAccessTokenNotice(caller.userId, stored), 'access_token_mail_failed')
  return { ...stored, token }
}

/** Revokes one of the caller's access tokens: the next call that uses it is rejected. @throws ApiError 404 */
export async function revokeAccessToken(caller: Caller, id: string): Promise<void> {
  const [row] = await asUser(
    caller,
    (tx) => tx<{ revoked: boolean }[]>`select private.revoke_access_token(${id}::text::uuid) as revoked`,
  )
  if (!row?.revoked) throw notFound('Access token not found')
}

/** The lifetime of a JWT that is issued in exchange for an access token. */
const jwtLifetimeSeconds = 15 * 60

/**
 * Exchanges the request's access token for a JWT that the Data API accepts, because PostgREST cannot look up tokens.
 * The JWT has the token's scopes. It stops working as soon as the token does, because the policies check that the token
 * still exists.
 *
 * @throws ApiError 403 for a session token or a JWT issued by this exchange, so that such a JWT cannot be used to renew
 *   itself; 503 if no signing key is configured
 */
export async function exchangeAccessToken({ token, claims, access }: Caller) {
  if (!access || !isAccessToken(token)) throw insufficientScope('Only access tokens can be exchanged.')
  const now = Math.floor(Date.now() / 1000)
  const expiresAt = Math.min(
    now + jwtLifetimeSeconds,
    Math.floor((access.expiresAt ?? Number.POSITIVE_INFINITY) / 1000),
  )
  return {
    access_token: await signJwt({ ...JSON.parse(claims), iat: now, exp: expiresAt }),
    token_type: 'bearer' as const,
    expires_in: expiresAt - now,
    expires_at: expiresAt,
  }
}

async function signJwt(claims: Record<string, unknown>): Promise<string> {
  const { jwtSigningKey, jwtSecret } = env
  if (jwtSigningKey) {
    const { alg, kid } = jwtSigningKey
    return await new SignJWT(claims)
      .setProtectedHeader({ alg, typ: 'JWT', ...(kid ? { kid } : {}) })
      .sign(await importJWK(jwtSigningKey, alg))
  }
  if (jwtSecret) {
    return await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .sign(new TextEncoder().encode(jwtSecret))
  }
  throw unavailable(new Error('Set JWT_SIGNING_KEY or JWT_SECRET to exchange access tokens'))
}
