import { createServer, type Server, type ServerResponse } from 'node:http'
import { CaptchaResponse } from '@contract/auth.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import { apiAs, call } from '../support/api.ts'
import { createChallenge, solveChallenge, solveIssuedCaptcha } from '../support/captcha.ts'
import { type FunctionServer, startApiServer } from '../support/function-server.ts'
import { sql } from '../support/stack.ts'
import { createUser, registrationForm, type TestUser } from '../support/users.ts'

const visitor = apiAs(null)
const refusal = {
  message: 'Please complete the reCAPTCHA verification',
  code: 'captcha_failed',
  errors: { recaptcha: ['Please complete the reCAPTCHA verification'] },
}
let person: TestUser

beforeAll(async () => {
  person = await createUser()
})

const tryWith = async (recaptcha: string) =>
  await visitor.expectError('POST', '/api/auth/register', 400, {
    body: await registrationForm({ recaptcha }),
  })

describe('ALTCHA', () => {
  it('is a signed challenge that ends in ten minutes', async () => {
    const { body } = await visitor.get('/api/auth/captcha', CaptchaResponse)
    expect(body.provider).toBe('altcha')
    const { expiresAt } = z.object({ expiresAt: z.number() }).parse(body.challenge?.parameters)
    expect(expiresAt - Date.now() / 1000).toBeGreaterThan(590)
    expect(expiresAt - Date.now() / 1000).toBeLessThanOrEqual(600)
  })

  it('is good once', async () => {
    const recaptcha = await solveIssuedCaptcha()
    const taken = await registrationForm({ recaptcha, username: person.username })
    await visitor.expectError('POST', '/api/auth/register', 409, { body: taken })
    expect(await tryWith(recaptcha)).toEqual(refusal)
  })

  it('is good once however many use it at the same moment', async () => {
    const taken = await registrationForm({ username: person.username })
    const codes = await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const response = await call('POST', '/api/auth/register', { body: taken })
        return ((await response.json()) as { code: string }).code
      }),
    )
    expect(codes.sort()).toEqual(['captcha_failed', 'captcha_failed', 'captcha_failed', 'username_taken'])
  })

  it('is refused when it is late', async () => {
    expect(await tryWith(await solveChallenge(await createChallenge(new Date(Date.now() - 1000))))).toEqual(
      refusal,
    )
  })

  it('is refused when it is forged, made longer, unsolved or nonsense', async () => {
    const soon = new Date(Date.now() + 60_000)
    const forged = await createChallenge(soon, 'a key that is not the one of the stack')
    expect(await tryWith(await solveChallenge(forged))).toEqual(refusal)
    const challenge = await createChallenge(soon)
    const longer = { ...challenge, parameters: { ...challenge.parameters, expiresAt: 4_000_000_000 } }
    expect(await tryWith(await solveChallenge(longer))).toEqual(refusal)
    const unsolved = { challenge, solution: { counter: 0, derivedKey: '00'.repeat(32) } }
    expect(await tryWith(btoa(JSON.stringify(unsolved)))).toEqual(refusal)
    expect(await tryWith('nonsense')).toEqual(refusal)
  })

  it('guards signing in as well', async () => {
    const { email, password } = person
    const body = await visitor.expectError('POST', '/api/auth/login', 400, {
      body: { email, password, recaptcha: 'nonsense' },
    })
    expect(body).toEqual(refusal)
  })
})

describe('Turnstile', () => {
  let api: FunctionServer
  let cloudflare: Server
  const hanging = new Set<ServerResponse>()
  let silence: Promise<{ status: number; time: number }>
  const run = crypto.randomUUID()

  /** What Cloudflare says, by the first word of the token. */
  const words: Record<string, [number, string]> = {
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
    cloudflare = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      const word = new URLSearchParams(body).get('response')?.split(' ')[0] ?? ''
      const [status, text] = words[word] ?? []
      if (word === 'silence') hanging.add(response)
      else if (status === undefined) response.destroy()
      else response.writeHead(status).end(text)
    })
    const port = await freePort()
    await new Promise<void>((resolve) => cloudflare.listen(port, '127.0.0.1', resolve))
    api = await startApiServer({
      CAPTCHA_PROVIDER: 'turnstile',
      TURNSTILE_SITE_KEY: 'site-key',
      TURNSTILE_SECRET_KEY: 'turnstile-secret',
      TURNSTILE_VERIFY_URL: `http://127.0.0.1:${port}/siteverify`,
    })
    const started = performance.now()
    silence = post(`silence ${run}`).then(({ status }) => ({ status, time: performance.now() - started }))
  })

  afterAll(() => {
    api?.stop()
    for (const response of hanging) response.destroy()
    cloudflare?.close()
  })

  const post = (recaptcha: string) =>
    fetch(`${api.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '198.51.100.30' },
      body: JSON.stringify({ email: person.email, password: person.password, recaptcha }),
    })

  it('lets a token pass that is good, and once, however many use it and whatever is said of it', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => post(`good ${run}`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
    const late = await post(`good ${run}`)
    expect([late.status, await late.json()]).toEqual([400, refusal])
    expect((await post(`good again ${run}`)).status).toBe(200)
  })

  it('refuses what is wrong, used or too old', async () => {
    for (const word of ['bad', 'again']) {
      const answer = await post(`${word} ${run}`)
      expect([word, answer.status, await answer.json()]).toEqual([word, 400, refusal])
    }
  })

  it('takes nothing but a clear yes, and tells whose fault it is not', async () => {
    for (const word of ['secret', 'internal', 'text', 'shape', 'list', 'broken', 'hangs-up']) {
      const answer = await post(`${word} ${run}`)
      const { code, message } = (await answer.json()) as { code: string; message: string }
      expect([word, answer.status, code]).toEqual([word, 503, 'unavailable'])
      expect(message).toBe('The service is not available right now. Please try again.')
    }
    // Nobody was counted as having failed because of it.
    expect(await sql`select from private.rate_limits where subject = '198.51.100.30' and hits > 0`).toEqual(
      [],
    )
  })

  it('waits five seconds for an answer, no longer', async () => {
    const { status, time } = await silence
    expect([status, hanging.size]).toEqual([503, 1])
    expect(time).toBeGreaterThan(4900)
    expect(time).toBeLessThan(9000)
  })
})
