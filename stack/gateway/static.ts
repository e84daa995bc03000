import { createHash } from 'node:crypto'
import { extname, join, relative, sep } from 'node:path'
import { exists } from '../shared/durable.ts'

type Encoding = 'br' | 'gzip' | 'identity'

interface StaticFile {
  type: string
  eTag: string
  /** Named after its content: may be kept for good. */
  immutable: boolean
  bytes: Partial<Record<Encoding, Uint8Array<ArrayBuffer>>>
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

export async function loadStatic(folder: string): Promise<StaticFiles> {
  const files = new Map<string, StaticFile>()
  if (await exists(folder)) await collect(folder, folder, files)
  return {
    empty: !files.has('/index.html'),
    answer(request) {
      if (request.method !== 'GET' && request.method !== 'HEAD') return null
      const path = pathOf(request)
      const file = files.get(path) ?? (isNavigation(request, path) ? files.get('/index.html') : undefined)
      return file ? send(request, file) : null
    },
  }
}

async function collect(root: string, folder: string, files: Map<string, StaticFile>): Promise<void> {
  for await (const entry of Deno.readDir(folder)) {
    const path = join(folder, entry.name)
    // Vite's manifest and the record of the build are nobody's business.
    if (entry.name.startsWith('.')) continue
    if (entry.isDirectory) await collect(root, path, files)
    const type = types[extname(entry.name)]
    if (!type) continue
    const identity = await Deno.readFile(path)
    const bytes: StaticFile['bytes'] = { identity }
    if (await exists(`${path}.br`)) bytes.br = await Deno.readFile(`${path}.br`)
    if (await exists(`${path}.gz`)) bytes.gzip = await Deno.readFile(`${path}.gz`)
    const address = `/${relative(root, path).split(sep).join('/')}`
    files.set(address, {
      type,
      eTag: createHash('sha256').update(identity).digest('hex').slice(0, 24),
      immutable: address.startsWith('/assets/'),
      bytes,
    })
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

/** A browser opening an address of the app, which the app's own router then shows. */
function isNavigation(request: Request, path: string): boolean {
  if (path.startsWith('/assets/')) return false
  const mode = request.headers.get('sec-fetch-mode')
  if (mode !== null) return mode === 'navigate'
  return request.headers.get('accept')?.includes('text/html') ?? false
}

function send(request: Request, file: StaticFile): Response {
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
  if (known.includes(eTag)) return new Response(null, { status: 304, headers })
  const bytes = file.bytes[encoding] ?? new Uint8Array()
  headers.set('content-length', String(bytes.length))
  if (encoding !== 'identity') headers.set('content-encoding', encoding)
  return new Response(request.method === 'HEAD' ? null : bytes, { headers })
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
