import { describe, expect, it } from 'vitest'
import { createResponseHeaders, type SiteConfig } from '../../stack/gateway/headers.ts'

const cloudflare = 'https://challenges.cloudflare.com'
/** Posts may embed TikTok's player. */
const tiktok = 'https://www.tiktok.com'

/** Returns the Content-Security-Policy of a page, by directive. */
function policyOf(changes: Omit<SiteConfig, 'publicUrl'>): Map<string, string> {
  const site = { publicUrl: 'https://ovation.example', ...changes }
  const policy =
    createResponseHeaders(site).page(new Headers(), '/login').get('content-security-policy') ?? ''
  return new Map(
    policy.split('; ').map((directive): [string, string] => {
      const at = directive.indexOf(' ')
      return [directive.slice(0, at), directive.slice(at + 1)]
    }),
  )
}

describe('security headers', () => {
  it('allow Turnstile only in the directives that Turnstile needs', () => {
    const policy = policyOf({ turnstile: true })
    const directives = [...policy].filter(([, sources]) => sources.includes(cloudflare)).map(([name]) => name)
    expect(directives.sort()).toEqual(['connect-src', 'frame-src', 'script-src'])
    expect(policy.get('frame-src')).toBe(`${tiktok} ${cloudflare}`)
    expect(policy.get('script-src')).toBe(`'self' ${cloudflare}`)
  })

  it('allow only the origin of TikTok’s player if Turnstile is not the captcha', () => {
    const policy = policyOf({ turnstile: false })
    expect(policy.get('frame-src')).toBe(tiktok)
    policy.delete('frame-src')
    expect([...policy.values()].join(' ')).not.toMatch(/https:/)
    expect(policy.get('frame-ancestors')).toBe("'none'")
    expect(policy.get('connect-src')).toBe("'self' wss://ovation.example")
  })

  it('allow the origin of Supabase only where files and messages come from it', () => {
    const policy = policyOf({ turnstile: false, supabaseUrl: 'https://ref.supabase.co' })
    const directives = [...policy].filter(([, sources]) => sources.includes('ref.supabase.co'))
    expect(Object.fromEntries(directives)).toEqual({
      'img-src': "'self' blob: data: https://ref.supabase.co",
      'connect-src': "'self' https://ref.supabase.co wss://ref.supabase.co",
    })
  })

  it('suppress the referrer on pages with a token in the URL', () => {
    const headers = createResponseHeaders({ publicUrl: 'https://ovation.example', turnstile: false })
    const referrerPolicy = (path: string) => headers.page(new Headers(), path).get('referrer-policy')
    expect(
      ['/reset-password', '/confirm-email', '/Confirm-Email/', '/unsubscribe'].map(referrerPolicy),
    ).toEqual(Array.from({ length: 4 }, () => 'no-referrer'))
    expect(referrerPolicy('/login')).toBe('strict-origin-when-cross-origin')
  })

  it('enable HSTS only for an HTTPS site', () => {
    const headers = (publicUrl: string) =>
      createResponseHeaders({ publicUrl, turnstile: false }).page(new Headers(), '/')
    expect(headers('https://ovation.example').get('strict-transport-security')).toBe('max-age=31536000')
    expect(headers('http://127.0.0.1:3000').get('strict-transport-security')).toBeNull()
  })
})
