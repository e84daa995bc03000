import { createHash } from 'node:crypto'
import { extname, join, relative, sep } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { findSessionCookie } from '../../supabase/functions/_shared/contract/session-cookie.ts'
import {
  type LinkPreview,
  renderLinkPreview,
} from '../../supabase/functions/_shared/link-previews/preview.ts'
import { screenAt } from '../../web/src/lib/paths.ts'
import { exists } from '../shared/files.ts'
import { acceptsEncoding } from './compression.ts'

type Encoding = 'br' | 'gzip' | 'identity'

/** The content of a file, and its compressed versions, if there are any. */
type EncodedBytes = { identity: Uint8Array<ArrayBuffer> } & Partial<Record<Encoding, Uint8Array<ArrayBuffer>>>

interface StaticFile {
  type: string
  eTag: string
  /** Whether the name contains a hash of the content, so the file may be cached forever. */
  isImmutable: boolean
  bytes: EncodedBytes
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.txt': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
}

/** The built web app. It is kept in memory, so files added after startup are not served. */
export interface StaticFiles {
  /**
   * Returns the response, or null if the request is neither for a file of the app nor for a page.
   *
   * @param preview the page's metadata for search engines and link previews; null or missing for the default
   */
  respond(request: Request, preview?: LinkPreview | null): Response | null
  /** Whether the app has not been built. */
  readonly isEmpty: boolean
}

/**
 * Reads the built web app.
 *
 * @param folder the build directory
 * @param origin the public origin
 * @param appName the site's name
 */
export async function loadStaticFiles(folder: string, origin: string, appName: string): Promise<StaticFiles> {
  const files = new Map<string, StaticFile>()
  if (await exists(folder)) await collectFiles(folder, folder, files)
  const built = files.get('/index.html')?.bytes.identity
  files.delete('/index.html')
  const pages = built && buildPages(built, origin)
  return {
    isEmpty: !pages,
    respond(request, preview) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return null
      const path = filePath(request)
      const file = files.get(path)
      if (file) return send(request, file)
      const isHome = path === '/index.html'
      const screen = screenAt(new URL(request.url).pathname)
      if (!pages || !(isHome || isPageLoad(request, path, screen !== null))) return null
      const hasSession = findSessionCookie(request.headers.get('cookie') ?? '') !== null
      if (preview)
        return send(request, toPreviewFile(hasSession ? pages.signedIn : pages.other, preview, appName))
      const page = hasSession ? pages.signedIn : isHome ? pages.landing : pages.other
      // The app's router also shows "not found", but only to clients that run scripts.
      return send(request, page, isHome || screen ? 200 : 404)
    },
  }
}

/**
 * Returns the versions of the built `index.html`: the landing page, all other pages, and all pages in browsers with a
 * session. Link previews need absolute URLs, so the origin is added to `og:url` and `og:image`. Only the landing page
 * has `og:url` and its prerendered content. It starts the app later, so only the other versions preload the app's
 * files, before `boot.js` would request them.
 *
 * @param built the built file in UTF-8
 * @param origin the public origin, for example `https://ovation.example`
 */
function buildPages(built: Uint8Array, origin: string): Record<'landing' | 'other' | 'signedIn', StaticFile> {
  const landing = new TextDecoder()
    .decode(built)
    .replace(
      /(<meta property="og:(?:url|image)" content=")(\/[^"]*")/g,
      (_, before: string, after: string) => `${before}${origin}${after}`,
    )
  const withoutLanding = landing
    .replace(/\s*<meta property="og:url"[^>]*>/, '')
    .replace(/<template>.*?<\/template>\s*/s, '')
  const other = preloadFiles(withoutLanding, 'data-app-files')
  const signedIn = preloadFiles(other, 'data-shell-files')
  const toPage = (html: string) => toFile('.html', compress(html))
  return { landing: toPage(landing), other: toPage(other), signedIn: toPage(signedIn) }
}

/** Adds a preload for each of the modules that an attribute of `boot.js` lists. */
function preloadFiles(html: string, attribute: string): string {
  const files = new RegExp(`${attribute}="([^"]*)"`).exec(html)?.[1] ?? ''
  const links = files.split(' ').map((file) => `<link rel="modulepreload" href="${file}">\n    `)
  return html.replace('<link rel="stylesheet"', `${links.join('')}$&`)
}

/** Returns a page with a preview. It is not compressed: each page differs, so a compressed copy could not be reused. */
function toPreviewFile(page: StaticFile, preview: LinkPreview, appName: string): StaticFile {
  const html = renderLinkPreview(new TextDecoder().decode(page.bytes.identity), preview, appName)
  return toFile('.html', { identity: new TextEncoder().encode(html) })
}

function compress(text: string): EncodedBytes {
  const identity = new TextEncoder().encode(text)
  return {
    identity,
    br: new Uint8Array(brotliCompressSync(identity)),
    gzip: new Uint8Array(gzipSync(identity)),
  }
}

function toFile(extension: string, bytes: EncodedBytes, isImmutable = false): StaticFile {
  return {
    type: types[extension] ?? 'application/octet-stream',
    eTag: createHash('sha256').update(bytes.identity).digest('hex').slice(0, 24),
    isImmutable,
    bytes,
  }
}

async function collectFiles(root: string, folder: string, files: Map<string, StaticFile>): Promise<void> {
  for await (const entry of Deno.readDir(folder)) {
    const path = join(folder, entry.name)
    // Vite's manifest and the hash of the build's sources are not public.
    if (entry.name.startsWith('.')) continue
    if (entry.isDirectory) await collectFiles(root, path, files)
    const extension = extname(entry.name)
    if (!types[extension]) continue
    const bytes: EncodedBytes = { identity: await Deno.readFile(path) }
    if (await exists(`${path}.br`)) bytes.br = await Deno.readFile(`${path}.br`)
    if (await exists(`${path}.gz`)) bytes.gzip = await Deno.readFile(`${path}.gz`)
    const urlPath = `/${relative(root, path).split(sep).join('/')}`
    files.set(urlPath, toFile(extension, bytes, urlPath.startsWith('/assets/')))
  }
}

function filePath(request: Request): string {
  try {
    const path = decodeURIComponent(new URL(request.url).pathname)
    return path === '/' ? '/index.html' : path
  } catch {
    return ''
  }
}

/**
 * Returns whether a request is a page load, which the app's router then handles. Clients that fetch link previews may
 * send neither `Sec-Fetch-Mode` nor an HTML `Accept` header; their requests are page loads if the path is a known
 * screen.
 */
function isPageLoad(request: Request, path: string, isScreen: boolean): boolean {
  if (path.startsWith('/assets/')) return false
  const mode = request.headers.get('sec-fetch-mode')
  if (mode !== null) return mode === 'navigate'
  return isScreen || (request.headers.get('accept')?.includes('text/html') ?? false)
}

function send(request: Request, file: StaticFile, status = 200): Response {
  const encoding = chooseEncoding(request, file)
  const eTag = encoding === 'identity' ? `"${file.eTag}"` : `"${file.eTag}-${encoding}"`
  const headers = new Headers({
    'content-type': file.type,
    'cache-control': file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag: eTag,
    vary: file.type.startsWith('text/html') ? 'Accept-Encoding, Cookie' : 'Accept-Encoding',
  })
  const known = (request.headers.get('if-none-match') ?? '')
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
  if (status === 200 && known.includes(eTag)) return new Response(null, { status: 304, headers })
  const bytes = file.bytes[encoding] ?? file.bytes.identity
  headers.set('content-length', String(bytes.length))
  if (encoding !== 'identity') headers.set('content-encoding', encoding)
  return new Response(request.method === 'HEAD' ? null : bytes, { status, headers })
}

function chooseEncoding(request: Request, { bytes }: StaticFile): Encoding {
  const encodings = ['br', 'gzip'] as const
  return encodings.find((name) => bytes[name] && acceptsEncoding(request, name)) ?? 'identity'
}
