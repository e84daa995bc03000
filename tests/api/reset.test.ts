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

const sent = { message: 'If the email exists, a password reset link has been sent.' }
const done = { message: 'Password reset successful' }
const good = { valid: true, message: '' }
const bad = { valid: false, message: resetLinkInvalid }
const badToken = {
  message: resetLinkInvalid,
  code: 'reset_token_invalid',
  errors: { token: [resetLinkInvalid] },
}

let auth: AuthProxy
let api: FunctionServer
let person: TestUser
let address: string
/** What is counted for the address. */
let network: string
let mails = 0

/** A group of an IPv6 address that is written in one way only. */
const hex = () => (0x1000 + Math.floor(Math.random() * 0xefff)).toString(16)

/** Waits until an hour begins, should this one end within seconds: each counts anew. */
async function inOneHour(): Promise<void> {
  const left = 3_600_000 - (Date.now() % 3_600_000)
  if (left < 10_000) await new Promise((resolve) => setTimeout(resolve, left))
}

beforeAll(async () => {
  auth = await startAuthProxy()
  ;[api, person] = await Promise.all([
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
  // Each test comes from an address of its own, so that none uses up what another counts.
  network = `2001:db8:${hex()}:${hex()}`
  address = `${network}::1`
  network = `${network}::/64`
  await clearRateLimits(person.email, 'reset_mail')
})

const subject = 'Reset your Ovation password'
const changed = 'Your password was changed'
type Answer = { status: number; body: Record<string, unknown>; wait: number; time: number }

async function ask(method: 'GET' | 'POST', path: string, body?: unknown, from = address): Promise<Answer> {
  const started = performance.now()
  const response = await fetch(`${api.url}/api/auth/${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': from },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as Record<string, unknown>
  const wait = Number(response.headers.get('Retry-After'))
  return { status: response.status, body: answer, wait, time: performance.now() - started }
}

const forgot = (email: string) => ask('POST', 'forgot-password', { email })
const verify = (token: string, from?: string) =>
  ask('GET', `verify-reset-token/${encodeURIComponent(token)}`, undefined, from)
const reset = (token: string, newPassword = 'a new horse') =>
  ask('POST', 'reset-password', { token, newPassword })

async function link(): Promise<string> {
  expect((await forgot(person.email)).body).toEqual(sent)
  mails++
  return readResetToken(await waitForMail(person.email, mails, subject))
}

describe('a password reset', () => {
  it('goes from the page through the mail to the new password, and signs out everywhere', async () => {
    const response = await call('POST', '/api/auth/forgot-password', {
      body: { email: ` ${person.email.toUpperCase()} ` },
      headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0 Safari/537.36' },
    })
    expect([response.status, await response.json()]).toEqual([200, sent])
    const mail = await waitForMail(person.email, ++mails, subject)
    const token = readResetToken(mail)
    expect(mail.html.match(/href="[^"]*"/g)).toEqual([`href="${stack.apiUrl}/reset-password?token=${token}"`])
    expect(mail.html).not.toMatch(/<img|{{/)
    for (const part of [mail.text, mail.html]) expect(part).toMatch(/good for one hour and works once/)

    expect((await verify(token)).body).toEqual(good)
    const { session } = await signInViaApi(person.email, person.password)
    const broken = await reset(token, '12345')
    expect(broken.body.errors).toEqual({ newPassword: ['Password must be at least 6 characters'] })
    const long = await reset(token, 'é'.repeat(37))
    expect(long.body.errors).toEqual({ newPassword: ['Password must be at most 72 bytes'] })
    // Neither looking nor a broken rule has spent it.
    expect((await verify(token)).body).toEqual(good)

    expect(await reset(token)).toMatchObject({ status: 200, body: done })
    expect(await sql`select from auth.sessions where user_id = ${person.id}`).toHaveLength(0)
    for (const old of [person.token, session.access_token]) {
      await apiAs({ ...person, token: old }).expectError('GET', '/api/auth/user', 401)
    }
    expect((await verify(token)).body).toEqual(bad)
    expect(await reset(token)).toMatchObject({ status: 400, body: badToken })
    await expect(signInViaApi(person.email, person.password)).rejects.toThrow(/401/)
    expect((await signInViaApi(person.email, 'a new horse')).user.id).toBe(person.id)
    // Only the two tries with the spent link count as guesses.
    const rows = await sql`select coalesce(sum(hits), 0)::int as hits from private.rate_limits
                           where bucket = 'reset_token' and subject = ${network}`
    expect(rows[0]?.hits).toBe(2)
    const told = await waitForMail(person.email, 1, changed)
    expect(told.text).toContain(`${stack.apiUrl}/forgot-password`)
    expect(told.text + told.html).not.toContain(token)
  })

  it('happens once, however many send its link, and to the password one has already', async () => {
    const token = await link()
    const answers = await Promise.all(Array.from({ length: 10 }, () => reset(token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(400)])
    expect(answers.find(({ status }) => status === 400)?.body).toEqual(badToken)
    await waitForMail(person.email, 2, changed)
    expect((await fetchMails(person.email)).filter(({ subject }) => subject === changed)).toHaveLength(2)
  })

  it('does not wait for the mail that tells of it, nor fail with it', async () => {
    const token = await link()
    await sql`update public.accounts set email = ${`${randomUUID()} is no address`} where user_id = ${person.id}`
    expect(await reset(token)).toMatchObject({ status: 200, body: done })
    await sql`update public.accounts set email = ${person.email} where user_id = ${person.id}`
  })

  it('answers every bad link alike: expired, replaced, made up, malformed, missing', async () => {
    const replaced = await link()
    const token = await link()
    await sql`update auth.users set recovery_sent_at = now() - interval '61 minutes' where id = ${person.id}`
    const made = 'f'.repeat(64)
    for (const one of [token, replaced, made, '0', 'a b', "';--", '\0', '\u202e', 'x'.repeat(201)]) {
      expect([one, (await verify(one)).body]).toEqual([one, bad])
      expect([one, await reset(one)]).toMatchObject([one, { status: 400, body: badToken }])
    }
    await sql`update auth.users set recovery_sent_at = now() - interval '59 minutes' where id = ${person.id}`
    expect((await verify(token)).body).toEqual(good)
    for (const body of [{ newPassword: 'a new horse' }, { token: '', newPassword: 'a new horse' }]) {
      const missing = await ask('POST', 'reset-password', body)
      expect(missing).toMatchObject({ status: 400, body: { message: 'No reset token found' } })
    }
  })

  it('cannot be guessed by whoever knows the address', async () => {
    const token = await link()
    const guess = (code: number) =>
      createHash('sha256')
        .update(`${person.email}${String(code).padStart(6, '0')}`)
        .digest('hex')
    expect(Array.from({ length: 1_000_000 }, (_, code) => code).some((code) => guess(code) === token)).toBe(
      false,
    )
  })

  it('loses nothing when Auth fails on the way', async () => {
    const token = await link()
    for (const fate of ['drop', { status: 500, body: {} }] as const) {
      auth.actionFor = (what) => (what === 'POST verify' ? fate : 'pass')
      expect((await reset(token)).status).toBe(503)
    }
    let tries = 0
    auth.actionFor = (what) => (what === 'PUT user' && ++tries === 1 ? 'drop' : 'pass')
    expect(await reset(token, 'a third horse')).toMatchObject({ status: 200, body: done })
    expect((await signInViaApi(person.email, 'a third horse')).user.id).toBe(person.id)
  })

  it('says so when the link is spent and the password cannot be set', async () => {
    for (const [status, body, told] of [
      [503, {}, "couldn't be changed"],
      [422, { error_code: 'weak_password' }, 'too easy to guess'],
    ] as const) {
      const token = await link()
      auth.actionFor = (what) => (what === 'PUT user' ? { status, body } : 'pass')
      const before = await sql`select id from auth.sessions where user_id = ${person.id}`
      const answer = await reset(token)
      expect(answer.status).toBe(status === 422 ? 400 : 503)
      expect(answer.body.message).toMatch(new RegExp(`${told}.*request a new password reset`))
      // The session that the link opened is not left behind.
      expect(await sql`select id from auth.sessions where user_id = ${person.id}`).toEqual(before)
      auth.actionFor = () => 'pass'
      expect((await verify(token)).body).toEqual(bad)
    }
  })
})

describe('asking for the mail', () => {
  it('tells nobody whether the address is known, by neither answer nor time', async () => {
    const stranger = `${randomUUID()}@example.test`
    // Where there is somebody to write to, the mail takes its time.
    auth.actionFor = (what) => (what === 'POST recover' ? 'delay' : 'pass')
    const answers = await Promise.all([stranger, person.email, stranger, person.email].map(forgot))
    mails += 2
    for (const { status, body, time } of answers) {
      expect({ status, body }).toEqual({ status: 200, body: sent })
      expect(time).toBeGreaterThan(490)
      expect(time).toBeLessThan(1900)
    }
    await waitForMail(person.email, mails, subject)
    expect(await fetchMails(stranger)).toEqual([])
    // That the mail itself fails is no news for the page either.
    auth.actionFor = (what) => (what === 'POST recover' ? { status: 500, body: {} } : 'pass')
    expect((await forgot(person.email)).body).toEqual(sent)
  })

  it('fails for everybody alike, and counts nothing, while Auth does not answer', async () => {
    auth.actionFor = () => 'drop'
    for (const email of [person.email, `${randomUUID()}@example.test`]) {
      expect(await forgot(email)).toMatchObject({ status: 503, body: { code: 'unavailable' } })
    }
    expect(
      await sql`select from private.rate_limits where subject in (${network}, ${person.email})
                     and bucket like 'reset_mail%'`,
    ).toHaveLength(0)
  })

  it('is limited for each address that is typed, known or not, and for where it comes from', async () => {
    await inOneHour()
    for (const email of [person.email, `${randomUUID()}@example.test`]) {
      const spellings = [email, email.toUpperCase()]
      const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => forgot(spellings[n % 2] ?? '')))
      expect(answers.map(({ status }) => status).sort()).toEqual([
        ...Array(3).fill(200),
        ...Array(7).fill(429),
      ])
      for (const { status, wait } of answers) if (status === 429) expect(wait).toBeGreaterThan(0)
    }
    mails += 3
    await waitForMail(person.email, mails, subject)

    const other = `${randomUUID()}@example.test`
    await exhaustRateLimit('reset_mail_address', network, 30, '1 hour')
    expect(await forgot(other)).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    expect(await sql`select from private.rate_limits where subject = ${other}`).toHaveLength(0)
  })

  it('takes one bare address and nothing that could become more of them', async () => {
    for (const email of [
      'a@example.test\nBcc: b@example.test',
      'a@example.test\r\n\r\nHello',
      'a@example.test,b@example.test',
      'Name <a@example.test>',
      '"a b"@example.test',
      'a@example.test b@example.test',
      'a\0@example.test',
    ]) {
      const { status, body } = await forgot(email)
      expect([email, status, body.message]).toEqual([email, 400, 'Please enter a valid email address'])
    }
  })
})

describe('guessing links', () => {
  it('stops after thirty wrong ones from an address, however many come at once; right ones do not count', async () => {
    await inOneHour()
    const token = await link()
    await Promise.all(Array.from({ length: 5 }, () => verify(token)))
    const guesses = await Promise.all(
      Array.from({ length: 40 }, (_, n) => (n % 2 ? verify : reset)(randomUUID())),
    )
    const refused = guesses.filter(({ status }) => status === 429)
    expect(refused).toHaveLength(10)
    for (const { wait } of refused) expect(wait).toBeGreaterThan(0)
    expect((await verify(token)).status).toBe(429)
    // The neighbours in its network are the same person's; others are not.
    expect((await verify(token, address.replace('::1', ':2:3::4'))).status).toBe(429)
    expect((await verify(token, '2001:db8:0:feed::1')).body).toEqual(good)
  })
})

describe('the clean-up', () => {
  it('removes claims that no link can need any more', async () => {
    const hash = randomUUID()
    await sql`insert into private.reset_claims (token_hash, claimed_at) values
              (${hash}, now() - interval '2 hours'), (${`${hash}-new`}, now())`
    await runJob('clean-up')
    const left =
      await sql`delete from private.reset_claims where token_hash like ${`${hash}%`} returning token_hash`
    expect(left.map((row) => row.token_hash)).toEqual([`${hash}-new`])
  })
})
