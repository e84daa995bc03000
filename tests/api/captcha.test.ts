import { createServer } from 'node:http'
import { CaptchaResponse } from '@contract/auth.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, call } from '../support/api.ts'
import { createChallenge, solveChallenge, solveIssuedCaptcha } from '../support/captcha.ts'
import { type FunctionServer, startApiServer } from '../support/function-server.ts'
import { type LocalServer, listen } from '../support/listen.ts'
import { sql } from '../support/stack.ts'
import { createUser, registrationForm, type TestUser } from '../support/users.ts'

const visitor = apiAs(null)
const captchaError = {
  message: 'Please complete the reCAPTCHA verification',
  code: 'captcha_failed',
  errors: { recaptcha: ['Please complete the reCAPTCHA verification'] },
}
let user: TestUser

beforeAll(async () => {
  user = await createUser()
})

const registerExpectingError = async (recaptcha: string) =>
  await visitor.expectError('POST', '/api/auth/register', 400, {
    body: await registrationForm({ recaptcha }),
  })

describe('ALTCHA', () => {
  it('issues a challenge that expires in ten minutes', async () => {
    const { body } = await visitor.get('/api/auth/captcha', CaptchaResponse)
    expect(body.provider).toBe('altcha')
    const { expiresAt } = z.object({ expiresAt: z.number() }).parse(body.challenge?.parameters)
    expect(expiresAt - Date.now() / 1000).toBeGreaterThan(590)
    expect(expiresAt - Date.now() / 1000).toBeLessThanOrEqual(600)
  })

  it('accepts a solution only once', async () => {
    const recaptcha = await solveIssuedCaptcha()
    const form = await registrationForm({ recaptcha, username: user.username })
    await visitor.expectError('POST', '/api/auth/register', 409, { body: form })
    expect(await registerExpectingError(recaptcha)).toEqual(captchaError)
  })

  it('accepts a solution only once in parallel requests', async () => {
    const form = await registrationForm({ username: user.username })
    const codes = await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const response = await call('POST', '/api/auth/register', { body: form })
        return ((await response.json()) as { code: string }).code
      }),
    )
    expect(codes.sort()).toEqual(['captcha_failed', 'captcha_failed', 'captcha_failed', 'username_taken'])
  })

  it('rejects an expired challenge', async () => {
    expect(
      await registerExpectingError(await solveChallenge(await createChallenge(new Date(Date.now() - 1000)))),
    ).toEqual(captchaError)
  })

  it('rejects solutions to forged or extended challenges, wrong solutions and malformed ones', async () => {
    const soon = new Date(Date.now() + 60_000)
    const forged = await createChallenge(soon, 'a key that the stack does not use')
    expect(await registerExpectingError(await solveChallenge(forged))).toEqual(captchaError)
    const challenge = await createChallenge(soon)
    const extended = { ...challenge, parameters: { ...challenge.parameters, expiresAt: 4_000_000_000 } }
    expect(await registerExpectingError(await solveChallenge(extended))).toEqual(captchaError)
    const unsolved = { challenge, solution: { counter: 0, derivedKey: '00'.repeat(32) } }
    expect(await registerExpectingError(btoa(JSON.stringify(unsolved)))).toEqual(captchaError)
    expect(await registerExpectingError('nonsense')).toEqual(captchaError)
  })

  it('protects sign-in too', async () => {
    const { email, password } = user
    const body = await visitor.expectError('POST', '/api/auth/login', 400, {
      body: { email, password, recaptcha: 'nonsense' },
    })
    expect(body).toEqual(captchaError)
  })
})

describe('Turnstile', () => {
  let api: FunctionServer
  let cloudflare: LocalServer
  let unansweredRequests = 0
  let unansweredLogin: Promise<{ status: number; durationMs: number }>
  const testRunId = crypto.randomUUID()

  /** The responses of the fake Turnstile server, keyed by the first word of the token. */
  const responses: Record<string, [number, string]> = {
    good: [200, '{"success":true,"error-codes":[],"hostname":"ovation.example"}'],
    bad: [200, '{"success":false,"error-codes":["invalid-input-response"]}'],
    again: [200, '{"success":false,"error-codes":["timeout-or-duplicate"]}'],
    secret: [200, '{"success":false,"error-codes":["invalid-input-secret"]}'],
    internal: [200, '{"success":false,"error-codes":["internal-error"]}'],
    text: [200, 'good'],
    shape: [200, '{"success":"true"}'],
    list: [200, '[true]'],
    broken: [500, '{"success":true}'],
  }

  beforeAll(async () => {
    const server = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      const outcome = new URLSearchParams(body).get('response')?.split(' ')[0] ?? ''
      const [status, text] = responses[outcome] ?? []
      if (outcome === 'silence') unansweredRequests += 1
      else if (status === undefined) response.destroy()
      else response.writeHead(status).end(text)
    })
    cloudflare = await listen(server)
    api = await startApiServer({
      CAPTCHA_PROVIDER: 'turnstile',
      TURNSTILE_SITE_KEY: 'site-key',
      TURNSTILE_SECRET_KEY: 'turnstile-secret',
      TURNSTILE_VERIFY_URL: `${cloudflare.url}/siteverify`,
    })
    const started = performance.now()
    unansweredLogin = login(`silence ${testRunId}`).then(({ status }) => ({
      status,
      durationMs: performance.now() - started,
    }))
  })

  afterAll(async () => {
    api?.stop()
    await cloudflare?.stop()
  })

  const login = (recaptcha: string) =>
    fetch(`${api.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '198.51.100.30' },
      body: JSON.stringify({ email: user.email, password: user.password, recaptcha }),
    })

  it('accepts a valid token only once, even in parallel requests', async () => {
    const attempts = await Promise.all([1, 2, 3].map(() => login(`good ${testRunId}`)))
    expect(attempts.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    const late = await login(`good ${testRunId}`)
    expect([late.status, await late.json()]).toEqual([400, captchaError])
    expect((await login(`good again ${testRunId}`)).status).toBe(200)
  })

  it('rejects invalid, used and expired tokens', async () => {
    for (const word of ['bad', 'again']) {
      const response = await login(`${word} ${testRunId}`)
      expect([word, response.status, await response.json()]).toEqual([word, 400, captchaError])
    }
  })

  it('returns 503 for errors and invalid responses from Turnstile', async () => {
    for (const word of ['secret', 'internal', 'text', 'shape', 'list', 'broken', 'hangs-up']) {
      const response = await login(`${word} ${testRunId}`)
      const { code, message } = (await response.json()) as { code: string; message: string }
      expect([word, response.status, code]).toEqual([word, 503, 'unavailable'])
      expect(message).toBe('The service is not available right now. Please try again.')
    }
    // These failures do not count toward the network's rate limits.
    expect(await sql`select from private.rate_limits where subject = '198.51.100.30' and hits > 0`).toEqual(
      [],
    )
  })

  it('gives up after waiting five seconds for a response', async () => {
    const { status, durationMs } = await unansweredLogin
    expect([status, unansweredRequests]).toEqual([503, 1])
    expect(durationMs).toBeGreaterThan(4900)
    expect(durationMs).toBeLessThan(9000)
  })
})
