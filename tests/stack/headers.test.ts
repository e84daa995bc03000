import { expect, test } from 'vitest'
import { outwardHeaders, type Site } from '../../stack/gateway/headers.ts'

const cloudflare = 'https://challenges.cloudflare.com'
/** Whose player may be shown in a post, and nothing else of theirs. */
const tiktok = 'https://www.tiktok.com'

/** The Content-Security-Policy of a page, by directive. */
function policyOf(changes: Pick<Site, 'turnstile'>): Map<string, string> {
  const site = { publicUrl: 'https://ovation.example', ...changes }
  const policy = outwardHeaders(site).page(new Headers(), '/login').get('content-security-policy') ?? ''
  return new Map(
    policy.split('; ').map((directive): [string, string] => {
      const at = directive.indexOf(' ')
      return [directive.slice(0, at), directive.slice(at + 1)]
    }),
  )
}

test('Turnstile may run where it is the captcha, and only what it needs', () => {
  const policy = policyOf({ turnstile: true })
  const named = [...policy].filter(([, sources]) => sources.includes(cloudflare)).map(([name]) => name)
  expect(named.sort()).toEqual(['connect-src', 'frame-src', 'script-src'])
  expect(policy.get('frame-src')).toBe(`${tiktok} ${cloudflare}`)
  expect(policy.get('script-src')).toBe(`'self' ${cloudflare}`)
})

test('with any other captcha no foreign host is named, and nothing can be framed but the player of a video', () => {
  const policy = policyOf({ turnstile: false })
  expect(policy.get('frame-src')).toBe(tiktok)
  policy.delete('frame-src')
  expect([...policy.values()].join(' ')).not.toMatch(/https:/)
  expect(policy.get('frame-ancestors')).toBe("'none'")
  expect(policy.get('connect-src')).toBe("'self' wss://ovation.example")
})

test('a page whose address holds a token tells no other address of it', () => {
  const headers = outwardHeaders({ publicUrl: 'https://ovation.example', turnstile: false })
  const told = (path: string) => headers.page(new Headers(), path).get('referrer-policy')
  expect(['/reset-password', '/confirm-email', '/Confirm-Email/'].map(told)).toEqual(
    Array.from({ length: 3 }, () => 'no-referrer'),
  )
  expect(told('/login')).toBe('strict-origin-when-cross-origin')
})

test('a site with a certificate asks for it from then on', () => {
  const headers = (publicUrl: string) =>
    outwardHeaders({ publicUrl, turnstile: false }).page(new Headers(), '/')
  expect(headers('https://ovation.example').get('strict-transport-security')).toBe('max-age=31536000')
  expect(headers('http://127.0.0.1:3000').get('strict-transport-security')).toBeNull()
})
