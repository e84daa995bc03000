import { sessionCookieName } from '@contract/auth.ts'
import { createChunks, stringToBase64URL } from '@supabase/ssr'
import { expect, test } from 'vitest'
import { parseSessionCookie } from './cookie'

const token = `x.${stringToBase64URL(JSON.stringify({ sub: 'user-1' }))}.y`
const session = {
  access_token: token,
  refresh_token: 'r',
  expires_at: 1_800_000_000,
  user: { name: 'Zoë 🎤' },
}

/** Writes the cookie with the library's own code, so that a change of its format is noticed here. */
function cookieHeader(value: object): string {
  const encoded = `base64-${stringToBase64URL(JSON.stringify(value))}`
  return createChunks(sessionCookieName, encoded)
    .map((chunk) => `${chunk.name}=${chunk.value}`)
    .join('; ')
}

test('reads a session in one cookie', () => {
  expect(parseSessionCookie(`theme=100%; ${cookieHeader(session)}`)).toEqual({
    userId: 'user-1',
    expiresAt: 1_800_000_000_000,
    refreshToken: 'r',
    answer: session,
  })
})

test('puts a session in many cookies together', () => {
  const header = cookieHeader({ ...session, filler: 'x'.repeat(9000) })
  expect(header).toContain(`${sessionCookieName}.2=`)
  expect(parseSessionCookie(header)?.userId).toBe('user-1')
})

test('no cookie, or one that is not a session, is nobody', () => {
  expect(parseSessionCookie('')).toBeNull()
  expect(parseSessionCookie(`${sessionCookieName}=base64-!!!`)).toBeNull()
  expect(parseSessionCookie(`${sessionCookieName}=%E0%A4%A`)).toBeNull()
})
