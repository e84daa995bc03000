import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createResponseHeaders, type SiteConfig } from '../../stack/gateway/headers.ts'
import { createHostFiles, type HostedSite } from '../../stack/hosting/host-files.ts'
import { paths } from '../../web/src/lib/paths.ts'
import { createTempDir } from '../support/stack-process.ts'

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

  it('allow no external origin except that of TikTok’s player if Turnstile is not the captcha', () => {
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

describe('the configuration for static hosts', () => {
  const site: HostedSite = {
    publicUrl: 'https://ovation.example',
    supabaseUrl: 'https://ref.supabase.co',
    turnstile: true,
    proxySecret: 'a-secret-of-the-host',
    clientAddressHeader: 'X-Nf-Client-Connection-Ip',
  }
  const { app, operator } = createHostFiles(site)

  it('has the headers of the gateway on every screen', () => {
    const { page } = createResponseHeaders(site)
    const rules = (app._headers ?? '').split('\n\n').map((rule) => {
      const [pattern = '', ...lines] = rule.trim().split('\n')
      return { pattern, headers: lines.map((line) => line.trim().split(/: (.*)/)) }
    })
    const screens = Object.values(paths).flatMap(({ path }) =>
      path.endsWith('?') ? [path, path.replace(/\/:.*/, '')] : [path],
    )
    for (const path of screens.map((screen) => screen.replace(/:\w+\??/, 'any'))) {
      // The `pages` function decides whether these pages may be indexed.
      const hasPreview = /^\/(post|profile)/.test(path)
      const expected = page(new Headers({ 'content-type': 'text/html' }), path, hasPreview)
      expected.delete('content-type')
      const matching = rules.filter(({ pattern }) =>
        pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : pattern === path,
      )
      const found = new Headers()
      for (const [name = '', value = ''] of matching.flatMap(({ headers }) => headers)) found.set(name, value)
      expect(Object.fromEntries(found), path).toEqual(Object.fromEntries(expected))
    }
  })

  it('contains the proxy secret only in files that are not public', () => {
    expect(JSON.stringify(app)).not.toContain(site.proxySecret)
    expect(Object.keys(app)).toEqual(['_headers', 'vercel.json'])
    expect(Object.keys(operator)).toEqual(['netlify.toml', 'nginx.conf', 'Caddyfile'])
    for (const text of Object.values(operator)) expect(text).toContain(site.proxySecret)
    expect(Object.keys(createHostFiles({ ...site, proxySecret: null }).app)).toContain('_redirects')
  })

  it('sends the proxy secret only from hosts that overwrite the header with the client’s address', () => {
    const other = createHostFiles({ ...site, clientAddressHeader: 'X-Client-Address' })
    expect(Object.keys(other.operator)).toEqual(['nginx.conf', 'Caddyfile'])
    expect(other.app._redirects).toContain('/api/*')
    for (const [files, name] of [
      [operator, 'X-Nf-Client-Connection-Ip'],
      [other.operator, 'X-Client-Address'],
    ] as const) {
      expect(files['nginx.conf']).toContain(`proxy_set_header ${name} $remote_addr;`)
      expect(files.Caddyfile).toContain(`header_up ${name} {remote_host}`)
    }
  })

  it('makes browsers check pages and the service worker for a new version', () => {
    expect(operator['nginx.conf']).toMatch(
      /map \$request_uri \$ovation_cache_control \{\n {4}default "no-cache";/,
    )
    expect(operator.Caddyfile).toContain('header Cache-Control no-cache\n\t\ttry_files')
    // The other hosts do this by default, so only the assets need a header.
    expect(app._headers?.match(/^\S+(?=\n(?: {2}.*\n)*? {2}Cache-Control)/gm)).toEqual(['/assets/*'])
  })

  it('makes nginx verify the certificate of Supabase', () => {
    const locations = operator['nginx.conf']?.split('proxy_pass').slice(1) ?? []
    expect(locations).toHaveLength(2)
    for (const location of locations)
      expect(location).toMatch(/proxy_ssl_verify on;[^}]*proxy_ssl_trusted_certificate/)
  })

  it('is accepted by Caddy', () => {
    const folder = createTempDir()
    const file = join(folder, 'Caddyfile')
    writeFileSync(file, operator.Caddyfile ?? '')
    const adapt = ['adapt', '--config', file, '--adapter', 'caddyfile']
    const { error, status, stderr } = spawnSync('caddy', adapt, { encoding: 'utf8' })
    rmSync(folder, { recursive: true })
    // This check is skipped on machines without Caddy.
    if (!error) expect(status, stderr).toBe(0)
  })
})
