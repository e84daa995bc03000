import { createHash } from 'node:crypto'
import { extname, join, relative, sep } from 'node:path'
import { screenAt } from '../../web/src/screens.ts'
import { exists } from '../shared/durable.ts'
import { type Bytes, type Encoding, makePages } from './page.ts'

interface StaticFile {
  type: string
  eTag: string
  /** Named after its content: may be kept for good. */
  immutable: boolean
  bytes: Bytes
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

/** The built web app, held in memory: what was not there at the start has no address. */
export interface StaticFiles {
  /** @returns null where the request is for none of the app's files and for no page of it */
  answer(request: Request): Response | null
  readonly empty: boolean
}

/**
 * @param folder the build
 * @param origin where people reach the app
 */
export async function loadStatic(folder: string, origin: string): Promise<StaticFiles> {
  const files = new Map<string, StaticFile>()
  if (await exists(folder)) await collect(folder, folder, files)
  const built = files.get('/index.html')?.bytes.identity
  const pages = built && makePages(built, origin)
  const page = pages && toFile('.html', pages.other)
  if (pages) files.set('/index.html', toFile('.html', pages.home))
  return {
    empty: !page,
    answer(request) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return null
      const path = pathOf(request)
      const file = files.get(path)
      if (file) return send(request, file)
      const screen = screenAt(new URL(request.url).pathname)
      if (!page || !isNavigation(request, path, screen !== null)) return null
      // The app's router says so too, but only to who runs its scripts.
      return send(request, page, screen ? 200 : 404)
    },
  }
}

function toFile(extension: string, bytes: Bytes, immutable = false): StaticFile {
  return {
    type: types[extension] ?? 'application/octet-stream',
    eTag: createHash('sha256').update(bytes.identity).digest('hex').slice(0, 24),
    immutable,
    bytes,
  }
}

async function collect(root: string, folder: string, files: Map<string, StaticFile>): Promise<void> {
  for await (const entry of Deno.readDir(folder)) {
    const path = join(folder, entry.name)
    // Vite's manifest and the record of the build are nobody's business.
    if (entry.name.startsWith('.')) continue
    if (entry.isDirectory) await collect(root, path, files)
    const extension = extname(entry.name)
    if (!types[extension]) continue
    const bytes: Bytes = { identity: await Deno.readFile(path) }
    if (await exists(`${path}.br`)) bytes.br = await Deno.readFile(`${path}.br`)
    if (await exists(`${path}.gz`)) bytes.gzip = await Deno.readFile(`${path}.gz`)
    const address = `/${relative(root, path).split(sep).join('/')}`
    files.set(address, toFile(extension, bytes, address.startsWith('/assets/')))
  }
}

function pathOf(request: Request): string {
  try {
    const path = decodeURIComponent(new URL(request.url).pathname)
    return path === '/' ? '/index.html' : path
  } catch {
    return ''
  }
}

/**
 * Somebody opening an address, which the app's own router then shows. Programs that make previews of links say neither
 * that they do nor that they want HTML: to them, too, a screen is a page.
 */
function isNavigation(request: Request, path: string, isScreen: boolean): boolean {
  if (path.startsWith('/assets/')) return false
  const mode = request.headers.get('sec-fetch-mode')
  if (mode !== null) return mode === 'navigate'
  return isScreen || (request.headers.get('accept')?.includes('text/html') ?? false)
}

function send(request: Request, file: StaticFile, status = 200): Response {
  const encoding = choose(request.headers.get('accept-encoding') ?? '', file)
  const eTag = encoding === 'identity' ? `"${file.eTag}"` : `"${file.eTag}-${encoding}"`
  const headers = new Headers({
    'content-type': file.type,
    'cache-control': file.immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag: eTag,
    vary: 'Accept-Encoding',
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

function choose(accepted: string, file: StaticFile): Encoding {
  const offers = new Map<string, number>()
  for (const offer of accepted.toLowerCase().split(',')) {
    const [name, ...parameters] = offer.trim().split(';')
    const quality = parameters
      .map((parameter) => parameter.trim())
      .find((parameter) => parameter.startsWith('q='))
    if (name) offers.set(name, quality ? Number(quality.slice(2)) : 1)
  }
  const wanted = (name: string): boolean => (offers.get(name) ?? offers.get('*') ?? 0) > 0
  if (file.bytes.br && wanted('br')) return 'br'
  if (file.bytes.gzip && wanted('gzip')) return 'gzip'
  return 'identity'
}
