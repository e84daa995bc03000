import { z } from 'zod'
import { Session as SessionShape } from '../contract/auth.ts'
import { env } from '../env.ts'
import { ApiError, unavailable } from '../http/errors.ts'
import { log } from '../http/log.ts'

/**
 * From where a sign-in or registration comes: the address, the network that limits count by, and `userAgent` as the
 * browser or program named itself.
 */
export type Client = { address: string; network: string; userAgent: string | null }

export type Session = z.infer<typeof SessionShape>

const AuthUser = z.object({ id: z.uuid() })
const SignUpAnswer = z.union([
  z.object({ user: AuthUser, access_token: z.string() }).transform((body) => ({
    userId: body.user.id,
    accessToken: body.access_token,
  })),
  // Without a session, where an instance wants the address to be confirmed first.
  AuthUser.transform((body) => ({ userId: body.id, accessToken: undefined })),
])
const Refreshed = z.object({ access_token: z.string() })
/** Milliseconds that somebody who leaves waits for Auth. */
const leavingPatience = 4000

const Refusal = z.object({
  error_code: z.string().optional(),
  code: z.union([z.string(), z.number()]).optional(),
})

/** What Supabase Auth answered where it refused. */
export class AuthRefusal extends Error {
  readonly status: number
  readonly code: string

  constructor(status: number, code: string) {
    super(`Auth refused with ${status} ${code}`)
    this.name = 'AuthRefusal'
    this.status = status
    this.code = code
  }
}

type Person = { email: string; password: string; fullName: string; username: string; phoneNumber: string }

/**
 * Makes an account. A trigger makes its rows from `data` in the same transaction, or refuses the whole.
 *
 * @throws AuthRefusal
 */
export async function signUp(person: Person, client: Client) {
  const body = await post(
    'signup',
    {
      email: person.email,
      password: person.password,
      data: {
        full_name: person.fullName,
        username: person.username,
        phone_number: person.phoneNumber,
        adult_confirmed: true,
      },
    },
    client,
  )
  return SignUpAnswer.parse(body)
}

/**
 * Signs in with a password.
 *
 * @throws AuthRefusal
 */
export async function signIn(email: string, password: string, client: Client): Promise<Session> {
  return SessionShape.parse(await post('token?grant_type=password', { email, password }, client))
}

/**
 * Sends a mail with a link for a new password, if anybody has this address; Auth answers the same either way.
 *
 * @throws AuthRefusal
 */
export async function recover(email: string, client: Client): Promise<void> {
  await post('recover', { email }, client)
}

/**
 * Spends the link of a reset mail, which opens a session.
 *
 * @throws AuthRefusal
 */
export async function spendResetLink(token: string, client: Client): Promise<Session> {
  return SessionShape.parse(await post('verify', { type: 'recovery', token_hash: token }, client))
}

/**
 * Sets the password of the person whose session this is.
 *
 * @throws AuthRefusal
 */
export async function setPassword(password: string, accessToken: string, client: Client): Promise<void> {
  await send('PUT', 'user', { password }, client, { Authorization: `Bearer ${accessToken}` })
}

/**
 * Asks Auth whether it is there at all.
 *
 * @throws ApiError 503 when it is not
 */
export async function checkAuthAnswers(): Promise<void> {
  try {
    const response = await fetch(env.health.auth, { headers: ownKey(), signal: AbortSignal.timeout(2000) })
    await response.body?.cancel()
    if (!response.ok) throw new AuthRefusal(response.status, 'health')
  } catch (error) {
    throw unavailable(error)
  }
}

/** Ends the session of a token as far as Auth can be reached; that it is over already is no error. */
export async function endSession(accessToken: string): Promise<void> {
  await asFarAsPossible(async () => {
    const response = await call(
      'logout?scope=local',
      { method: 'POST', headers: { apikey: env.publishableKey, Authorization: `Bearer ${accessToken}` } },
      leavingPatience,
    )
    await response.body?.cancel()
    if (response.status >= 500) throw new AuthRefusal(response.status, 'logout')
  })
}

/** Ends a session whose access token is no longer good, as far as Auth can be reached. */
export async function endRefreshedSession(refreshToken: string): Promise<void> {
  await asFarAsPossible(async () => {
    const response = await call(
      'token?grant_type=refresh_token',
      {
        method: 'POST',
        headers: { apikey: env.publishableKey, 'Content-Type': 'application/json' },
        body: JSON.stringify({ refresh_token: refreshToken }),
      },
      leavingPatience,
    )
    const session = Refreshed.safeParse(await response.json())
    if (session.success) await endSession(session.data.access_token)
    else if (response.status >= 500) throw new AuthRefusal(response.status, 'refresh')
  })
}

/** Nobody is kept from leaving because Auth does not answer: it is only logged. */
async function asFarAsPossible(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    log('warn', 'sign_out_failed', { status: error instanceof AuthRefusal ? error.status : undefined })
  }
}

const post = (path: string, body: unknown, client: Client) => send('POST', path, body, client)

/** With the secret key Auth asks for no captcha of its own: ours has been checked. */
const ownKey = () => ({
  apikey: env.secretKey,
  // Auth refuses a secret key that comes with a browser's name, so the browser's own does not travel.
  'User-Agent': 'ovation-api',
})

async function send(
  method: 'POST' | 'PUT',
  path: string,
  body: unknown,
  { address }: Client,
  headers: Record<string, string> = {},
): Promise<unknown> {
  const response = await call(path, {
    method,
    headers: {
      ...ownKey(),
      'Content-Type': 'application/json',
      // The second is what a Supabase project counts by, where its IP address forwarding is on.
      ...(address === 'unknown' ? {} : { 'X-Forwarded-For': address, 'Sb-Forwarded-For': address }),
      ...headers,
    },
    body: JSON.stringify(body),
  })
  const answer: unknown = await response.json().catch(() => null)
  if (response.ok) return answer
  if (response.status === 429) {
    const wait = Number.parseInt(response.headers.get('Retry-After') ?? '', 10) || 60
    throw new ApiError(429, 'Too many requests. Please wait a moment and try again.', { retryAfter: wait })
  }
  const { error_code: errorCode, code } = Refusal.safeParse(answer).data ?? {}
  throw new AuthRefusal(response.status, errorCode ?? String(code ?? ''))
}

async function call(path: string, init: RequestInit, patience = 15_000): Promise<Response> {
  try {
    return await fetch(`${env.supabaseUrl}/auth/v1/${path}`, {
      ...init,
      signal: AbortSignal.timeout(patience),
    })
  } catch (error) {
    throw unavailable(error)
  }
}
