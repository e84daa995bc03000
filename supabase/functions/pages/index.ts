import { env } from '../_shared/env.ts'
import { log, logAccess } from '../_shared/http/log.ts'
import { trackRequest } from '../_shared/http/request-context.ts'
import { findLinkPreview } from '../_shared/link-previews/find.ts'
import { renderLinkPreview } from '../_shared/link-previews/preview.ts'

/*
 * Serves the web app's page with the link preview of a profile or a post. This function is needed only if a static host
 * serves the web app: the host then forwards `/post/*` and `/profile/*` to it. In the embedded stack, the gateway adds
 * the previews itself.
 */

type AppPage = { html: string; headers: Headers; readAt: number }

const cacheMs = 60_000
const timeoutMs = 3000
/** The host sets these headers on its own pages, but possibly not on responses from a function. */
const forwardedHeaders = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'permissions-policy',
  'referrer-policy',
  'strict-transport-security',
  'x-content-type-options',
]

let cached: AppPage | null = null

/**
 * Returns the app's page, cached for up to a minute. If the host fails to send it, returns the last copy received.
 *
 * @throws Error if no copy has been received yet
 */
async function readAppPage(): Promise<AppPage> {
  if (cached && Date.now() - cached.readAt < cacheMs) return cached
  try {
    const response = await fetch(`${env.publicUrl}/index.html`, { signal: AbortSignal.timeout(timeoutMs) })
    const html = await response.text()
    if (!response.ok || !html.includes('</head>'))
      throw new Error(`The host responded with ${response.status}.`)
    const headers = new Headers()
    for (const name of forwardedHeaders) {
      const value = response.headers.get(name)
      if (value !== null) headers.set(name, value)
    }
    cached = { html, headers, readAt: Date.now() }
  } catch (error) {
    log('warn', 'app_page_unavailable', { reason: error instanceof Error ? error.message : 'unknown' })
    if (!cached) throw error
  }
  return cached
}

async function servePage(request: Request): Promise<Response> {
  if (request.method !== 'GET' && request.method !== 'HEAD') return new Response(null, { status: 405 })
  const path = new URL(request.url).pathname.replace(/^\/pages(?=\/)/, '')
  const [page, preview] = await Promise.all([readAppPage().catch(() => null), findLinkPreview(path)])
  if (!page) return new Response('The site is not available right now. Please try again.', { status: 503 })
  const headers = new Headers(page.headers)
  headers.set('content-type', 'text/html; charset=utf-8')
  // A cached page would still contain the preview of a profile that has since become private.
  headers.set('cache-control', 'no-cache')
  if (!preview) headers.set('x-robots-tag', 'noindex')
  const html = preview ? renderLinkPreview(page.html, preview, env.appName) : page.html
  return new Response(request.method === 'HEAD' ? null : html, { headers })
}

export default {
  fetch: (request: Request): Promise<Response> =>
    trackRequest(request, '/pages/*', () => servePage(request), logAccess),
}
