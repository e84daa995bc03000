import { sessionCookieName } from '@contract/session-cookie.ts'
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

/** Writes the cookie with the library's own code, so that this test fails if the library changes the format. */
function cookieHeader(value: object): string {
  const encoded = `base64-${stringToBase64URL(JSON.stringify(value))}`
  return createChunks(sessionCookieName, encoded)
    .map((chunk) => `${chunk.name}=${chunk.value}`)
    .join('; ')
}

test('reads a session from one cookie', () => {
  expect(parseSessionCookie(`theme=100%; ${cookieHeader(session)}`)).toEqual({
    userId: 'user-1',
    expiresAt: 1_800_000_000_000,
    refreshToken: 'r',
    response: session,
  })
})

test('reads a session that is split into several cookies', () => {
  const header = cookieHeader({ ...session, filler: 'x'.repeat(9000) })
  expect(header).toContain(`${sessionCookieName}.2=`)
  expect(parseSessionCookie(header)?.userId).toBe('user-1')
})

test('returns null without a cookie and for an invalid one', () => {
  expect(parseSessionCookie('')).toBeNull()
  expect(parseSessionCookie(`${sessionCookieName}=base64-!!!`)).toBeNull()
  expect(parseSessionCookie(`${sessionCookieName}=%E0%A4%A`)).toBeNull()
  for (const fields of [{ access_token: 'x' }, { refresh_token: null }, { expires_at: '1' }])
    expect(parseSessionCookie(cookieHeader({ ...session, ...fields }))).toBeNull()
})
