import { CaptchaAnswer } from '@contract/auth.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { as, call } from '../support/api.ts'
import { captcha, challengeUntil, solve } from '../support/captcha.ts'
import { createPerson, type Person, registration } from '../support/people.ts'

const visitor = as(null)
const refusal = {
  message: 'Please complete the reCAPTCHA verification',
  code: 'captcha_failed',
  errors: { recaptcha: ['Please complete the reCAPTCHA verification'] },
}
let person: Person

beforeAll(async () => {
  person = await createPerson()
})

const tryWith = async (recaptcha: string) =>
  await visitor.refused('POST', '/api/auth/register', 400, { body: await registration({ recaptcha }) })

describe('the captcha', () => {
  it('is a signed challenge that ends in ten minutes', async () => {
    const { body } = await visitor.get('/api/auth/captcha', CaptchaAnswer)
    expect(body.provider).toBe('altcha')
    const { expiresAt } = z.object({ expiresAt: z.number() }).parse(body.challenge?.parameters)
    expect(expiresAt - Date.now() / 1000).toBeGreaterThan(590)
    expect(expiresAt - Date.now() / 1000).toBeLessThanOrEqual(600)
  })

  it('is good once', async () => {
    const recaptcha = await captcha()
    const taken = await registration({ recaptcha, username: person.username })
    await visitor.refused('POST', '/api/auth/register', 409, { body: taken })
    expect(await tryWith(recaptcha)).toEqual(refusal)
  })

  it('is good once however many use it at the same moment', async () => {
    const taken = await registration({ username: person.username })
    const codes = await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const response = await call('POST', '/api/auth/register', { body: taken })
        return ((await response.json()) as { code: string }).code
      }),
    )
    expect(codes.sort()).toEqual(['captcha_failed', 'captcha_failed', 'captcha_failed', 'username_taken'])
  })

  it('is refused when it is late', async () => {
    expect(await tryWith(await solve(await challengeUntil(new Date(Date.now() - 1000))))).toEqual(refusal)
  })

  it('is refused when it is forged, made longer, unsolved or nonsense', async () => {
    const soon = new Date(Date.now() + 60_000)
    const forged = await challengeUntil(soon, 'a key that is not the one of the stack')
    expect(await tryWith(await solve(forged))).toEqual(refusal)
    const challenge = await challengeUntil(soon)
    const longer = { ...challenge, parameters: { ...challenge.parameters, expiresAt: 4_000_000_000 } }
    expect(await tryWith(await solve(longer))).toEqual(refusal)
    const unsolved = { challenge, solution: { counter: 0, derivedKey: '00'.repeat(32) } }
    expect(await tryWith(btoa(JSON.stringify(unsolved)))).toEqual(refusal)
    expect(await tryWith('nonsense')).toEqual(refusal)
  })

  it('guards signing in as well', async () => {
    const { email, password } = person
    const body = await visitor.refused('POST', '/api/auth/login', 400, {
      body: { email, password, recaptcha: 'nonsense' },
    })
    expect(body).toEqual(refusal)
  })
})
