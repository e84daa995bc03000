import { createHash, randomUUID } from 'node:crypto'
import { resetLinkInvalid } from '@contract/auth.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { apiAs, call } from '../support/api.ts'
import { type AuthProxy, startAuthProxy } from '../support/auth-proxy.ts'
import { type FunctionServer, startApiServer } from '../support/function-server.ts'
import { fetchMails, readResetToken, waitForMail } from '../support/mail.ts'
import { runJob } from '../support/run-job.ts'
import { clearRateLimits, exhaustRateLimit, sql, stack } from '../support/stack.ts'
import { createUser, signInViaApi, type TestUser } from '../support/users.ts'

const sentResponse = { message: 'If the email exists, a password reset link has been sent.' }
const resetResponse = { message: 'Password reset successful' }
const validToken = { valid: true, message: '' }
const invalidToken = { valid: false, message: resetLinkInvalid }
const invalidTokenError = {
  message: resetLinkInvalid,
  code: 'reset_token_invalid',
  errors: { token: [resetLinkInvalid] },
}

let auth: AuthProxy
let api: FunctionServer
let user: TestUser
let clientIp: string
/** The subject of the rate limits for `clientIp`: its /64 network. */
let networkSubject: string
let mailCount = 0

/** Returns a random 16-bit group for an IPv6 address, without leading zeros. */
const randomHextet = () => (0x1000 + Math.floor(Math.random() * 0xefff)).toString(16)

/** Waits for the next hour if fewer than ten seconds remain, because rate limits are counted per clock hour. */
async function avoidHourBoundary(): Promise<void> {
  const remainingMs = 3_600_000 - (Date.now() % 3_600_000)
  if (remainingMs < 10_000) await new Promise((resolve) => setTimeout(resolve, remainingMs))
}

beforeAll(async () => {
  auth = await startAuthProxy()
  ;[api, user] = await Promise.all([
    startApiServer({ SUPABASE_URL: auth.url, CAPTCHA_PROVIDER: 'none', MAIL_URL: stack.mailUrl }),
    createUser(),
  ])
})

afterAll(() => {
  api?.stop()
  auth?.stop()
})

beforeEach(async () => {
  auth.actionFor = () => 'pass'
  // Each test uses its own IP address, so that no test uses up the rate limit of another.
  const prefix = `2001:db8:${randomHextet()}:${randomHextet()}`
  clientIp = `${prefix}::1`
  networkSubject = `${prefix}::/64`
  await clearRateLimits(user.email, 'reset_mail')
})

const resetSubject = 'Reset your Ovation password'
const changedSubject = 'Your password was changed'
type TimedResponse = { status: number; body: Record<string, unknown>; retryAfter: number; durationMs: number }

async function sendRequest(
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  from = clientIp,
): Promise<TimedResponse> {
  const started = performance.now()
  const response = await fetch(`${api.url}/api/auth/${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': from },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const json = (await response.json()) as Record<string, unknown>
  const retryAfter = Number(response.headers.get('Retry-After'))
  return { status: response.status, body: json, retryAfter, durationMs: performance.now() - started }
}

const requestReset = (email: string) => sendRequest('POST', 'forgot-password', { email })
const verify = (token: string, from?: string) =>
  sendRequest('GET', `verify-reset-token/${encodeURIComponent(token)}`, undefined, from)
const resetPassword = (token: string, newPassword = 'a new horse') =>
  sendRequest('POST', 'reset-password', { token, newPassword })

async function requestToken(): Promise<string> {
  expect((await requestReset(user.email)).body).toEqual(sentResponse)
  mailCount++
  return readResetToken(await waitForMail(user.email, mailCount, resetSubject))
}

describe('a password reset', () => {
  it('works from the request to the new password, and ends every session', async () => {
    const response = await call('POST', '/api/auth/forgot-password', {
      body: { email: ` ${user.email.toUpperCase()} ` },
      headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36' },
    })
    expect([response.status, await response.json()]).toEqual([200, sentResponse])
    const mail = await waitForMail(user.email, ++mailCount, resetSubject)
    const token = readResetToken(mail)
    expect(mail.html.match(/href="[^"]*"/g)).toEqual([`href="${stack.apiUrl}/reset-password?token=${token}"`])
    expect(mail.html).not.toMatch(/<img|{{/)
    for (const part of [mail.text, mail.html]) expect(part).toMatch(/expires in one hour and works once/)

    expect((await verify(token)).body).toEqual(validToken)
    const { session } = await signInViaApi(user.email, user.password)
    const tooShort = await resetPassword(token, '12345')
    expect(tooShort.body.errors).toEqual({ newPassword: ['Password must be at least 6 characters'] })
    const tooLong = await resetPassword(token, 'é'.repeat(37))
    expect(tooLong.body.errors).toEqual({ newPassword: ['Password must be at most 72 bytes'] })
    // Neither verifying the link nor a rejected password uses up the link.
    expect((await verify(token)).body).toEqual(validToken)

    expect(await resetPassword(token)).toMatchObject({ status: 200, body: resetResponse })
    expect(await sql`select from auth.sessions where user_id = ${user.id}`).toHaveLength(0)
    for (const old of [user.token, session.access_token]) {
      await apiAs({ ...user, token: old }).expectError('GET', '/api/auth/user', 401)
    }
    expect((await verify(token)).body).toEqual(invalidToken)
    expect(await resetPassword(token)).toMatchObject({ status: 400, body: invalidTokenError })
    await expect(signInViaApi(user.email, user.password)).rejects.toThrow(/401/)
    expect((await signInViaApi(user.email, 'a new horse')).user.id).toBe(user.id)
    // Only the two requests with the used link count toward the limit on invalid links.
    const rows = await sql`select coalesce(sum(hits), 0)::int as hits from private.rate_limits
                           where bucket = 'reset_token' and subject = ${networkSubject}`
    expect(rows[0]?.hits).toBe(2)
    const notice = await waitForMail(user.email, 1, changedSubject)
    expect(notice.text).toContain(`${stack.apiUrl}/forgot-password`)
    expect(notice.text + notice.html).not.toContain(token)
  })

  it('succeeds only once if parallel requests use the same link to set the same password', async () => {
    const token = await requestToken()
    const responses = await Promise.all(Array.from({ length: 10 }, () => resetPassword(token)))
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)])
    expect(responses.find(({ status }) => status === 400)?.body).toEqual(invalidTokenError)
    await waitForMail(user.email, 2, changedSubject)
    expect((await fetchMails(user.email)).filter(({ subject }) => subject === changedSubject)).toHaveLength(2)
  })

  it('succeeds even if the notification email cannot be sent', async () => {
    const token = await requestToken()
    await sql`update public.accounts set email = ${`${randomUUID()} is not an address`} where user_id = ${user.id}`
    expect(await resetPassword(token)).toMatchObject({ status: 200, body: resetResponse })
    await sql`update public.accounts set email = ${user.email} where user_id = ${user.id}`
  })

  it('rejects expired, replaced, unknown and malformed links with the same error, and rejects missing tokens', async () => {
    const replacedToken = await requestToken()
    const token = await requestToken()
    await sql`update auth.users set recovery_sent_at = now() - interval '61 minutes' where id = ${user.id}`
    const unknownToken = 'f'.repeat(64)
    for (const badToken of [
      token,
      replacedToken,
      unknownToken,
      '0',
      'a b',
      "';--",
      '\0',
      '\u202e',
      'x'.repeat(201),
    ]) {
      expect([badToken, (await verify(badToken)).body]).toEqual([badToken, invalidToken])
      expect([badToken, await resetPassword(badToken)]).toMatchObject([
        badToken,
        { status: 400, body: invalidTokenError },
      ])
    }
    await sql`update auth.users set recovery_sent_at = now() - interval '59 minutes' where id = ${user.id}`
    expect((await verify(token)).body).toEqual(validToken)
    for (const body of [{ newPassword: 'a new horse' }, { token: '', newPassword: 'a new horse' }]) {
      const missing = await sendRequest('POST', 'reset-password', body)
      expect(missing).toMatchObject({ status: 400, body: { message: 'No reset token found' } })
    }
  })

  it('does not use a hash of the email address and a six-digit code as its token', async () => {
    const token = await requestToken()
    const guess = (code: number) =>
      createHash('sha256')
        .update(`${user.email}${String(code).padStart(6, '0')}`)
        .digest('hex')
    expect(Array.from({ length: 1_000_000 }, (_, code) => code).some((code) => guess(code) === token)).toBe(
      false,
    )
  })

  it('can be retried if Auth cannot verify the link, and automatically retries setting the password', async () => {
    const token = await requestToken()
    for (const action of ['drop', { status: 500, body: {} }] as const) {
      auth.actionFor = (authCall) => (authCall === 'POST verify' ? action : 'pass')
      expect((await resetPassword(token)).status).toBe(503)
    }
    let tries = 0
    auth.actionFor = (authCall) => (authCall === 'PUT user' && ++tries === 1 ? 'drop' : 'pass')
    expect(await resetPassword(token, 'a third horse')).toMatchObject({ status: 200, body: resetResponse })
    expect((await signInViaApi(user.email, 'a third horse')).user.id).toBe(user.id)
  })

  it('uses up the link and asks the user to request a new one when the password cannot be changed', async () => {
    for (const [status, body, text] of [
      [503, {}, "couldn't be changed"],
      [422, { error_code: 'weak_password' }, 'too easy to guess'],
    ] as const) {
      const token = await requestToken()
      auth.actionFor = (authCall) => (authCall === 'PUT user' ? { status, body } : 'pass')
      const before = await sql`select id from auth.sessions where user_id = ${user.id}`
      const response = await resetPassword(token)
      expect(response.status).toBe(status === 422 ? 400 : 503)
      expect(response.body.message).toMatch(new RegExp(`${text}.*request a new password reset`))
      // The session that the link created is deleted.
      expect(await sql`select id from auth.sessions where user_id = ${user.id}`).toEqual(before)
      auth.actionFor = () => 'pass'
      expect((await verify(token)).body).toEqual(invalidToken)
    }
  })
})

describe('POST /api/auth/forgot-password', () => {
  it('does not reveal, through the response or the response time, whether an account exists', async () => {
    const unknownEmail = `${randomUUID()}@example.test`
    // The call to Auth that sends the email takes more than two seconds, but the response must not wait for it.
    auth.actionFor = (authCall) => (authCall === 'POST recover' ? 'delay' : 'pass')
    const responses = await Promise.all(
      [unknownEmail, user.email, unknownEmail, user.email].map(requestReset),
    )
    mailCount += 2
    for (const { status, body, durationMs } of responses) {
      expect({ status, body }).toEqual({ status: 200, body: sentResponse })
      expect(durationMs).toBeGreaterThan(490)
      expect(durationMs).toBeLessThan(1900)
    }
    await waitForMail(user.email, mailCount, resetSubject)
    expect(await fetchMails(unknownEmail)).toEqual([])
    // A failure to send the email is not revealed either.
    auth.actionFor = (authCall) => (authCall === 'POST recover' ? { status: 500, body: {} } : 'pass')
    expect((await requestReset(user.email)).body).toEqual(sentResponse)
  })

  it('fails for every address, without counting attempts, while Auth is unavailable', async () => {
    auth.actionFor = () => 'drop'
    for (const email of [user.email, `${randomUUID()}@example.test`]) {
      expect(await requestReset(email)).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    }
    expect(
      await sql`select from private.rate_limits where subject in (${networkSubject}, ${user.email})
                     and bucket like 'reset_mail%'`,
    ).toHaveLength(0)
  })

  it('is rate limited per email address, known or not, and per network', async () => {
    await avoidHourBoundary()
    for (const email of [user.email, `${randomUUID()}@example.test`]) {
      const spellings = [email, email.toUpperCase()]
      const responses = await Promise.all(
        Array.from({ length: 10 }, (_, n) => requestReset(spellings[n % 2] ?? '')),
      )
      expect(responses.map(({ status }) => status).sort()).toEqual([
        ...Array(3).fill(200),
        ...Array(7).fill(429),
      ])
      for (const { status, retryAfter } of responses)
        if (status === 429) expect(retryAfter).toBeGreaterThan(0)
    }
    mailCount += 3
    await waitForMail(user.email, mailCount, resetSubject)

    const otherEmail = `${randomUUID()}@example.test`
    await exhaustRateLimit('reset_mail_address', networkSubject, 30, '1 hour')
    expect(await requestReset(otherEmail)).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(await sql`select from private.rate_limits where subject = ${otherEmail}`).toHaveLength(0)
  })

  it('accepts only a single plain address', async () => {
    for (const email of [
      'a@example.test\nBcc: b@example.test',
      'a@example.test\r\n\r\nHello',
      'a@example.test,b@example.test',
      'Name <a@example.test>',
      '"a b"@example.test',
      'a@example.test b@example.test',
      'a\0@example.test',
    ]) {
      const { status, body } = await requestReset(email)
      expect([email, status, body.message]).toEqual([email, 400, 'Please enter a valid email address'])
    }
  })
})

describe('guessing reset links', () => {
  it('is limited to 30 invalid links per network, even in parallel; valid links do not count', async () => {
    await avoidHourBoundary()
    const token = await requestToken()
    await Promise.all(Array.from({ length: 5 }, () => verify(token)))
    const guesses = await Promise.all(
      Array.from({ length: 40 }, (_, n) => (n % 2 ? verify : resetPassword)(randomUUID())),
    )
    const limited = guesses.filter(({ status }) => status === 429)
    expect(limited).toHaveLength(10)
    for (const { retryAfter } of limited) expect(retryAfter).toBeGreaterThan(0)
    expect((await verify(token)).status).toBe(429)
    // Addresses in the same /64 network share the limit.
    expect((await verify(token, clientIp.replace('::1', ':2:3::4'))).status).toBe(429)
    expect((await verify(token, '2001:db8:0:feed::1')).body).toEqual(validToken)
  })
})

describe('the clean-up job', () => {
  it('deletes the claims on expired links', async () => {
    const hash = randomUUID()
    await sql`insert into private.password_reset_claims (token_hash, claimed_at) values
              (${hash}, now() - interval '2 hours'), (${`${hash}-new`}, now())`
    await runJob('clean-up')
    const remaining =
      await sql`delete from private.password_reset_claims where token_hash like ${`${hash}%`} returning token_hash`
    expect(remaining.map((row) => row.token_hash)).toEqual([`${hash}-new`])
  })
})
