import { isIndexable, screenAt } from '../../web/src/lib/paths.ts'

/** The headers that a proxy must not forward (RFC 9110, section 7.6.1; RFC 2616, section 13.5.1). */
const hopByHopHeaders = [
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

function deleteHopByHopHeaders(headers: Headers): void {
  for (const name of (headers.get('connection') ?? '').split(',')) {
    const named = name.trim()
    if (/^[\w-]+$/.test(named)) headers.delete(named)
  }
  for (const name of hopByHopHeaders) headers.delete(name)
}

/**
 * Returns the headers with which a request is forwarded. The address of the connected client is appended to
 * `X-Forwarded-For`: it is the only address in this header that the client cannot forge.
 */
export function forwardedHeaders(request: Request, peer: string): Headers {
  const headers = new Headers(request.headers)
  deleteHopByHopHeaders(headers)
  const chain = request.headers.get('x-forwarded-for')
  headers.set('x-forwarded-for', chain ? `${chain}, ${peer}` : peer)
  return headers
}

/** Functions that add the gateway's headers to a response. Each function modifies its argument and returns it. */
export interface ResponseHeaders {
  /**
   * Adds the headers for a page or an asset, which depend on the requested path.
   *
   * @param hasPreview whether the page has a link preview of its own. If so, search engines may index the page.
   */
  page(headers: Headers, path: string, hasPreview?: boolean): Headers
  /** Adds the headers for an API response. */
  api(headers: Headers): Headers
  /**
   * Adds the headers for an uploaded file, which must not be able to run scripts even when it is opened as a page.
   */
  upload(headers: Headers): Headers
}

/** The settings that the headers depend on. */
export interface SiteConfig {
  /** The public origin. */
  publicUrl: string
  /** Whether Turnstile is the captcha. */
  turnstile: boolean
  /** The URL of Storage and Realtime, if it differs from `publicUrl` because a static host serves the web app. */
  supabaseUrl?: string
}

export function createResponseHeaders(config: SiteConfig): ResponseHeaders {
  const publicUrl = new URL(config.publicUrl)
  const supabaseOrigin = new URL(config.supabaseUrl ?? config.publicUrl).origin
  const socket = supabaseOrigin.replace(/^http/, 'ws')
  const supabase = supabaseOrigin === publicUrl.origin ? '' : ` ${supabaseOrigin}`
  const turnstile = config.turnstile ? ' https://challenges.cloudflare.com' : ''
  const pagePolicy = [
    "default-src 'self'",
    `script-src 'self'${turnstile}`,
    // Emotion, which Chakra uses, inserts style elements when components mount.
    "style-src 'self' 'unsafe-inline'",
    // Avatars and cover images come from Storage. Other uploads come from the API.
    `img-src 'self' blob: data:${supabase}`,
    "media-src 'self' blob:",
    "font-src 'self'",
    `connect-src 'self'${supabase} ${socket}${turnstile}`,
    // The TikTok player in posts, which loads when the user asks for it.
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
    deleteHopByHopHeaders(headers)
    for (const [name, value] of common) headers.set(name, value)
    if (!headers.has('content-security-policy')) headers.set('content-security-policy', policy)
    return headers
  }
  const addNoindex = (headers: Headers): Headers => {
    headers.set('x-robots-tag', 'noindex')
    return headers
  }
  return {
    page: (headers, path, hasPreview = false) => {
      const all = add(headers, pagePolicy)
      // The URLs of these pages contain a token from an email, which must not leak to other sites.
      const screen = screenAt(path)
      if (screen === 'resetPassword' || screen === 'confirmEmail' || screen === 'unsubscribe') {
        all.set('referrer-policy', 'no-referrer')
      }
      const isHidden = !hasPreview && !isIndexable(path)
      return all.get('content-type')?.startsWith('text/html') && isHidden ? addNoindex(all) : all
    },
    api: (headers) => addNoindex(add(headers, "default-src 'none'; frame-ancestors 'none'")),
    upload: (headers) => {
      const all = addNoindex(add(headers, ''))
      all.set('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; sandbox")
      return all
    },
  }
}
