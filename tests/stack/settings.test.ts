import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { parseEnvFile } from '../../scripts/lib/env-file.mjs'
import { root } from '../../scripts/lib/paths.mjs'
import { evalDeno } from '../support/deno-program.ts'

/** Returns the settings from each environment, or the error message if the environment is invalid. */
async function readAll(environments: Record<string, string>[]): Promise<unknown[]> {
  const { stdout } = await evalDeno(`
    import { readSettings } from ${JSON.stringify(join(root, 'stack', 'supervisor', 'settings.ts'))}
    const results = ${JSON.stringify(environments)}.map((env) => {
      try {
        const { functionsEnv, ...settings } = readSettings((name) => env[name], '/srv/ovation')
        return { payments: functionsEnv.PAYMENTS_PROVIDER, ...settings }
      } catch (error) {
        return { error: error.message }
      }
    })
    console.log(JSON.stringify(results))`)
  return JSON.parse(stdout)
}

it('the stack turns payments off by default on a public server, and warns about test payments there', async () => {
  const publicUrl = { PUBLIC_URL: 'https://ovation.example', SMTP_URL: 'smtp://mail.example' }
  const stripe = { PAYMENTS_PROVIDER: 'stripe', STRIPE_SECRET_KEY: 'sk_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }
  expect(
    await readAll([
      {},
      publicUrl,
      { ...publicUrl, HOST: '0.0.0.0' },
      { ...publicUrl, PAYMENTS_PROVIDER: 'test' },
      { ...publicUrl, ...stripe },
      { PAYMENTS_PROVIDER: 'on' },
    ]),
  ).toMatchObject([
    { payments: 'test', warnings: [] },
    { payments: 'off', warnings: [] },
    { payments: 'off', warnings: [] },
    {
      payments: 'test',
      warnings: [
        expect.stringMatching(
          /^PAYMENTS_PROVIDER=test: people on this public server can unlock paid content /,
        ),
      ],
    },
    { payments: 'stripe', warnings: [] },
    { error: 'PAYMENTS_PROVIDER is "on" but must be one of test, stripe, off.' },
  ])
})

it('the stack warns if a public server sends no mail', async () => {
  const publicUrl = { PUBLIC_URL: 'https://ovation.example' }
  expect(await readAll([{}, { ...publicUrl, SMTP_URL: 'smtp://mail.example' }, publicUrl])).toMatchObject([
    { warnings: [] },
    { warnings: [] },
    { warnings: [expect.stringMatching(/^SMTP_URL is not set: /)] },
  ])
})

it('the stack reads the setting that requires confirmed email addresses', async () => {
  const values = ['', '0', '1', 'on'].map((value) => ({ REQUIRE_EMAIL_CONFIRMATION: value }))
  expect(await readAll(values)).toMatchObject([
    { requireEmailConfirmation: false },
    { requireEmailConfirmation: false },
    { requireEmailConfirmation: true },
    { error: 'REQUIRE_EMAIL_CONFIRMATION is "on" but must be one of 0, 1.' },
  ])
})

it('the stack rejects encryption keys that are too short', async () => {
  expect(await readAll([{ ENCRYPTION_KEY: 'short' }, { PREVIOUS_ENCRYPTION_KEY: 'short' }])).toEqual([
    { error: 'ENCRYPTION_KEY is too short: use at least 32 characters.' },
    { error: 'PREVIOUS_ENCRYPTION_KEY is too short: use at least 32 characters.' },
  ])
})

it('the stack reads the additional allowed origins', async () => {
  const values = ['', 'https://App.example:443/, http://localhost:8080', 'https://a.example/path', '*']
  expect(await readAll(values.map((value) => ({ ALLOWED_ORIGINS: value })))).toMatchObject([
    { allowedOrigins: [] },
    { allowedOrigins: ['https://app.example', 'http://localhost:8080'] },
    {
      error: expect.stringMatching(
        /^ALLOWED_ORIGINS is "https:\/\/a\.example\/path" but must be a URL without a path/,
      ),
    },
    { error: 'ALLOWED_ORIGINS is "*" but must be a URL that begins with http:// or https://.' },
  ])
})

it('parseEnvFile rejects a .env file that cannot be read, and accepts a missing one', () => {
  const print = vi.spyOn(console, 'error').mockReturnValue()
  expect(() => parseEnvFile(root)).toThrow()
  expect(print).toHaveBeenCalledWith(`Cannot read ${root}: EISDIR: illegal operation on a directory, read`)
  expect(parseEnvFile(join(root, 'missing'))).toBeNull()
})
