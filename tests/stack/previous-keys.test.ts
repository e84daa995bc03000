import { decodeJwt, SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { replacePreviousKeys, type ServiceKeys } from '../../stack/shared/service-keys.ts'
import { decrypt, type EncryptionContext, encrypt } from '../../supabase/functions/_shared/encryption.ts'
import { verifyWithSecrets } from '../../supabase/functions/_shared/http/token-secrets.ts'

const current = 'current-'.repeat(4)
const previous = 'previous'.repeat(4)
const hourMs = 60 * 60 * 1000

const sign = (secret: string, expires: string | number, claims = {}) =>
  new SignJWT({ role: 'authenticated', ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuedAt()
    .setExpirationTime(expires)
    .sign(new TextEncoder().encode(secret))

describe('encrypted values', () => {
  const context: EncryptionContext = { keys: [previous], purpose: 'payout-details', owner: 'a' }

  it('can be decrypted with a previous key, and only for the same owner and purpose', async () => {
    const encrypted = await encrypt('text', context)
    expect(await decrypt(encrypted, { ...context, keys: [current, previous] })).toBe('text')
    const wrong: Partial<EncryptionContext>[] = [{ keys: [current] }, { owner: 'b' }, { purpose: 'ai-key' }]
    for (const change of wrong) await expect(decrypt(encrypted, { ...context, ...change })).rejects.toThrow()
  })

  it('are encrypted with the current key', async () => {
    const encrypted = await encrypt('text', { ...context, keys: [current, previous] })
    expect(await decrypt(encrypted, { ...context, keys: [current] })).toBe('text')
  })

  it('cannot be decrypted after any part has changed', async () => {
    const encrypted = await encrypt('text', context)
    const parts = encrypted.split('.')
    for (const index of parts.keys()) {
      const changed = parts.with(index, `A${(parts[index] ?? '').slice(1)}x`).join('.')
      await expect(decrypt(changed, context)).rejects.toThrow()
    }
    await expect(decrypt(parts.slice(1).join('.'), context)).rejects.toThrow()
    await expect(decrypt('', context)).rejects.toThrow()
  })
})

describe('verifyWithSecrets', () => {
  it('accepts a token signed with a previous secret until that secret expires', async () => {
    const until = Date.now() + hourMs
    const token = await sign(previous, '10 years')
    const claims = await verifyWithSecrets(token, [{ secret: current }, { secret: previous, until }])
    expect(claims).toMatchObject({ role: 'authenticated', exp: Math.floor(until / 1000) })
    for (const secrets of [[{ secret: current }], [{ secret: previous, until: Date.now() }], []])
      await expect(verifyWithSecrets(token, secrets)).rejects.toThrow('signature verification failed')
  })

  it('does not change the expiry of a token that expires before the secret does, or that is signed with the current secret', async () => {
    const soon = Math.floor(Date.now() / 1000) + 60
    const secrets = [{ secret: current }, { secret: previous, until: Date.now() + hourMs }]
    for (const secret of [current, previous])
      expect((await verifyWithSecrets(await sign(secret, soon), secrets)).exp).toBe(soon)
    await expect(verifyWithSecrets(await sign(previous, soon - 120), secrets)).rejects.toThrow('"exp" claim')
  })
})

describe('replacePreviousKeys', () => {
  const keys: ServiceKeys = {
    jwtSecret: current,
    publishableKey: 'sb_publishable_new',
    secretKey: 'sb_secret_new',
    previousJwtSecrets: [{ secret: previous, until: Date.now() + hourMs }],
    previousPublishableKeys: [
      { secret: 'sb_publishable_old', until: Date.now() + hourMs },
      { secret: 'sb_publishable_expired', until: Date.now() },
    ],
  }
  const request = (path: string, headers: Record<string, string> = {}) =>
    new Request(`http://127.0.0.1${path}`, { headers })

  it('exchanges a valid token signed with a previous secret for one with the same claims', async () => {
    const token = await sign(previous, '1 minute', { sub: 'user' })
    for (const scheme of ['Bearer', 'bearer']) {
      const given = request('/rest/v1/x', { authorization: `${scheme} ${token}` })
      const replaced = await replacePreviousKeys(given, keys)
      const signed = (replaced.headers.get('authorization') ?? '').slice('Bearer '.length)
      expect(await verifyWithSecrets(signed, [{ secret: current }])).toEqual(decodeJwt(token))
    }
  })

  it('replaces a previous publishable key', async () => {
    for (const given of [
      request('/auth/v1/user', { apikey: 'sb_publishable_old' }),
      request('/auth/v1/user?apikey=sb_publishable_old'),
    ]) {
      expect((await replacePreviousKeys(given, keys)).headers.get('apikey')).toBe('sb_publishable_new')
    }
  })

  it('does not change requests without a valid previous key, or with a token in the query string', async () => {
    const forged = await sign('unknown-'.repeat(4), '1 minute')
    const expired = await sign(previous, Math.floor(Date.now() / 1000) - 60)
    for (const given of [
      request('/rest/v1/x'),
      request('/rest/v1/x', { apikey: 'sb_publishable_expired' }),
      request('/rest/v1/x', { apikey: 'sb_secret_new', authorization: 'Bearer sb_secret_new' }),
      ...[forged, expired, 'a.b.c', ''].map((token) =>
        request('/rest/v1/x', { authorization: `Bearer ${token}` }),
      ),
      request(`/rest/v1/x?token=${await sign(previous, '1 minute')}`),
    ]) {
      expect(await replacePreviousKeys(given, keys)).toBe(given)
    }
  })
})
