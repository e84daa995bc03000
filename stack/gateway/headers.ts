import { isListed, screenAt } from '../../web/src/screens.ts'

/** What every proxy must keep to itself (RFC 9110, 7.6.1). */
const hopByHop = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

function dropHops(headers: Headers): void {
  for (const name of (headers.get('connection') ?? '').split(',')) {
    const named = name.trim()
    if (/^[\w-]+$/.test(named)) headers.delete(named)
  }
  for (const name of hopByHop) headers.delete(name)
}

/**
 * Headers of a request on its way inwards. `X-Forwarded-For` gets the address of whoever is connected: the
 * last one is the only one that nobody outside can write.
 */
export function inwardHeaders(request: Request, peer: string): Headers {
  const headers = new Headers(request.headers)
  dropHops(headers)
  const before = request.headers.get('x-forwarded-for')
  headers.set('x-forwarded-for', before ? `${before}, ${peer}` : peer)
  return headers
}

/**
 * Where a request comes from: whoever is connected, or what as many proxies as are trusted say of it.
 *
 * @param trusted how many proxies stand in front
 */
export function clientAddress(request: Request, peer: string, trusted: number): string {
  const said = (request.headers.get('x-forwarded-for') ?? '').split(',').map((hop) => hop.trim())
  const hops = [...said.filter((hop) => hop !== ''), peer]
  return hops[Math.max(0, hops.length - 1 - trusted)] ?? peer
}

/** Policies that go out with answers, settled once. Each changes the headers it is given, and answers them. */
export interface OutwardHeaders {
  /** For pages and what belongs to them, by the path that was asked for. */
  page(headers: Headers, path: string): Headers
  /** For answers of the API. */
  api(headers: Headers): Headers
  /** For files that people uploaded: even opened as a page they can do nothing. */
  upload(headers: Headers): Headers
}

/** What the policies depend on. */
export interface Site {
  /** Origin that people use. */
  publicUrl: string
  /** Turnstile is the captcha. */
  turnstile: boolean
}

export function outwardHeaders(config: Site): OutwardHeaders {
  const publicUrl = new URL(config.publicUrl)
  const socket = publicUrl.origin.replace(/^http/, 'ws')
  const turnstile = config.turnstile ? ' https://challenges.cloudflare.com' : ''
  const pagePolicy = [
    "default-src 'self'",
    `script-src 'self'${turnstile}`,
    // Emotion, under Chakra, writes its rules into style elements as components appear.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' blob: data:",
    "media-src 'self' blob:",
    "font-src 'self'",
    `connect-src 'self' ${socket}${turnstile}`,
    // The player of a TikTok video in a post, once somebody has asked for it.
    `frame-src https://www.tiktok.com${turnstile}`,
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ].join('; ')
  const common: [string, string][] = [
    ['x-content-type-options', 'nosniff'],
    ['referrer-policy', 'strict-origin-when-cross-origin'],
    ['permissions-policy', 'camera=(self), microphone=(self), geolocation=(), payment=(), usb=()'],
    ['cross-origin-opener-policy', 'same-origin'],
  ]
  if (publicUrl.protocol === 'https:') {
    common.push(['strict-transport-security', 'max-age=31536000'])
  }
  const add = (headers: Headers, policy: string): Headers => {
    dropHops(headers)
    for (const [name, value] of common) headers.set(name, value)
    if (!headers.has('content-security-policy')) headers.set('content-security-policy', policy)
    return headers
  }
  const unlisted = (headers: Headers): Headers => {
    headers.set('x-robots-tag', 'noindex')
    return headers
  }
  return {
    page: (headers, path) => {
      const all = add(headers, pagePolicy)
      // Its address holds the token of the mail: no other address is to learn it.
      const screen = screenAt(path)
      if (screen === 'resetPassword' || screen === 'confirmEmail') all.set('referrer-policy', 'no-referrer')
      return all.get('content-type')?.startsWith('text/html') && !isListed(path) ? unlisted(all) : all
    },
    api: (headers) => unlisted(add(headers, "default-src 'none'; frame-ancestors 'none'")),
    upload: (headers) => {
      const all = unlisted(add(headers, ''))
      all.set('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
      return all
    },
  }
}
