import { z } from 'zod'
import { Session as SessionSchema } from '../contract/auth.ts'
import { env } from '../env.ts'
import { ApiError, unavailable } from '../http/errors.ts'
import { log } from '../http/log.ts'
import { secretKeyHeaders } from '../http/secret-key-headers.ts'
import type { ClientInfo } from './client-info.ts'

export type Session = z.infer<typeof SessionSchema>

const AuthUser = z.object({ id: z.uuid() })
const SignUpResponse = z.union([
  SessionSchema.extend({ user: AuthUser }).transform(({ user, ...session }) => ({
    userId: user.id,
    session,
  })),
  // There is no session when Auth itself requires email confirmation.
  AuthUser.transform((body) => ({ userId: body.id, session: undefined })),
])
const RefreshResponse = z.object({ access_token: z.string() })
const ErrorResponse = z.object({
  error_code: z.string().optional(),
  code: z.union([z.string(), z.number()]).optional(),
})

const timeoutMs = 15_000
const signOutTimeoutMs = 4000
const healthTimeoutMs = 2000

/** An error response from Supabase Auth, except a 429, which becomes an `ApiError`. */
export class AuthApiError extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string) {
    super(`Auth responded with ${status} ${code}`)
    this.name = 'AuthApiError'
    this.status = status
    this.code = code
  }
}

type NewUser = { email: string; password: string; fullName: string; username: string; phoneNumber: string }

/**
 * Creates an account. A database trigger creates the account's rows from `data` in the same transaction, or rejects the
 * account.
 *
 * @throws AuthApiError if Auth rejects the request or fails; ApiError 429; ApiError 503 if Auth is unavailable
 */
export async function signUp(user: NewUser, client: ClientInfo) {
  const body = await post(
    'signup',
    {
      email: user.email,
      password: user.password,
      data: {
        full_name: user.fullName,
        username: user.username,
        phone_number: user.phoneNumber,
        adult_confirmed: true,
      },
    },
    client,
  )
  return SignUpResponse.parse(body)
}

/**
 * Signs a user in with a password and returns the session.
 *
 * @throws AuthApiError if Auth rejects the request or fails; ApiError 429; ApiError 503 if Auth is unavailable
 */
export async function signInWithPassword(
  email: string,
  password: string,
  client: ClientInfo,
): Promise<Session> {
  return SessionSchema.parse(await post('token?grant_type=password', { email, password }, client))
}

/**
 * Sends a password reset email if the address belongs to an account.
 *
 * @throws AuthApiError if Auth rejects the request or fails; ApiError 429; ApiError 503 if Auth is unavailable
 */
export async function sendPasswordResetMail(email: string, client: ClientInfo): Promise<void> {
  await post('recover', { email }, client)
}

/**
 * Exchanges the token in a password reset email for a session. The token works once.
 *
 * @throws AuthApiError if Auth rejects the request or fails; ApiError 429; ApiError 503 if Auth is unavailable
 */
export async function verifyPasswordResetToken(token: string, client: ClientInfo): Promise<Session> {
  return SessionSchema.parse(await post('verify', { type: 'recovery', token_hash: token }, client))
}

/**
 * Sets the password of the user to whom the access token belongs. Retries once if no response arrives or Auth fails.
 * The first request may have set the password nevertheless, so the error `same_password` counts as success.
 *
 * @throws AuthApiError if Auth rejects the request or fails; ApiError 429; ApiError 503 if Auth is unavailable
 */
export async function updatePassword(
  password: string,
  accessToken: string,
  client: ClientInfo,
): Promise<void> {
  await retryOnce(async () => {
    try {
      await send('PUT', 'user', { password }, client, { Authorization: `Bearer ${accessToken}` })
    } catch (error) {
      if (!(error instanceof AuthApiError && error.code === 'same_password')) throw error
    }
  })
}

/** Runs a step. If it fails with anything but a 4xx status, runs it once more. */
export async function retryOnce(step: () => Promise<void>): Promise<void> {
  try {
    await step()
  } catch (error) {
    if ((error instanceof AuthApiError || error instanceof ApiError) && error.status < 500) throw error
    await step()
  }
}

/**
 * Checks that Auth is reachable.
 *
 * @throws ApiError 503 if it is not
 */
export async function requireAuthHealth(): Promise<void> {
  try {
    const response = await fetch(env.health.auth, {
      headers: secretKeyHeaders(),
      signal: AbortSignal.timeout(healthTimeoutMs),
    })
    await response.body?.cancel()
    if (!response.ok) throw new AuthApiError(response.status, 'health')
  } catch (error) {
    throw unavailable(error)
  }
}

/** Ends the session to which an access token belongs. Never throws: a failure is logged. */
export async function signOut(accessToken: string): Promise<void> {
  await logFailure(async () => {
    const response = await call(
      'logout?scope=local',
      { method: 'POST', headers: { apikey: env.publishableKey, Authorization: `Bearer ${accessToken}` } },
      signOutTimeoutMs,
    )
    await response.body?.cancel()
    if (response.status >= 500) throw new AuthApiError(response.status, 'logout')
  })
}

/** Ends a session whose access token has expired, using its refresh token. Never throws: a failure is logged. */
export async function signOutWithRefreshToken(refreshToken: string): Promise<void> {
  await logFailure(async () => {
    const response = await call(
      'token?grant_type=refresh_token',
      {
        method: 'POST',
        headers: { apikey: env.publishableKey, 'Content-Type': 'application/json' },
        body: JSON.stringify({ refresh_token: refreshToken }),
      },
      signOutTimeoutMs,
    )
    const session = RefreshResponse.safeParse(await response.json())
    if (session.success) await signOut(session.data.access_token)
    else if (response.status >= 500) throw new AuthApiError(response.status, 'refresh')
  })
}

/** Runs a step of signing out and only logs a failure, so that users can sign out even when Auth is unavailable. */
async function logFailure(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    log('warn', 'sign_out_failed', { status: error instanceof AuthApiError ? error.status : undefined })
  }
}

const post = (path: string, body: unknown, client: ClientInfo) => send('POST', path, body, client)

async function send(
  method: 'POST' | 'PUT',
  path: string,
  body: unknown,
  { address }: ClientInfo,
  headers: Record<string, string> = {},
): Promise<unknown> {
  const response = await call(path, {
    method,
    headers: {
      ...secretKeyHeaders(),
      'Content-Type': 'application/json',
      // A Supabase project with IP address forwarding applies its rate limits to the address in `Sb-Forwarded-For`.
      ...(address === 'unknown' ? {} : { 'X-Forwarded-For': address, 'Sb-Forwarded-For': address }),
      ...headers,
    },
    body: JSON.stringify(body),
  })
  const responseBody: unknown = await response.json().catch(() => null)
  if (response.ok) return responseBody
  if (response.status === 429) {
    const retryAfter = Number.parseInt(response.headers.get('Retry-After') ?? '', 10) || 60
    throw new ApiError(429, 'Too many requests. Please wait a moment and try again.', { retryAfter })
  }
  const { error_code: errorCode, code } = ErrorResponse.safeParse(responseBody).data ?? {}
  throw new AuthApiError(response.status, errorCode ?? String(code ?? ''))
}

async function call(path: string, init: RequestInit, callTimeoutMs = timeoutMs): Promise<Response> {
  try {
    return await fetch(`${env.supabaseUrl}/auth/v1/${path}`, {
      ...init,
      signal: AbortSignal.timeout(callTimeoutMs),
    })
  } catch (error) {
    throw unavailable(error)
  }
}
