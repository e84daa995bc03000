import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
  request as send,
} from 'node:http'
import { connect, type Socket } from 'node:net'
import { extname, join } from 'node:path'
import { deno, root } from '../../../scripts/lib/paths.mjs'
import { type LocalServer, listen } from '../../support/listen.ts'
import { createTempDir } from '../../support/stack-process.ts'

export interface HostedSite {
  publicUrl: string
  supabaseUrl: string
  turnstile: boolean
  proxySecret: string | null
  clientAddressHeader: string
}

/** Writes a site's configuration for static hosts to a new directory, and returns the directory. */
function writeHostFiles(site: HostedSite): string {
  const folder = createTempDir()
  const script = join(root, 'stack', 'hosting', 'main.ts')
  execFileSync(deno, ['run', '--allow-all', '--no-lock', '--quiet', script, folder, folder], {
    cwd: root,
    env: { ...process.env, HOSTED_SITE: JSON.stringify(site) },
  })
  return folder
}

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
}

/** Returns the part of a path that a pattern's `*` matches, '' for an exact match, or null for no match. */
const matchPath = (pattern: string, path: string): string | null => {
  if (!pattern.endsWith('/*')) return pattern === path ? '' : null
  const start = pattern.slice(0, -2)
  return path === start || path.startsWith(`${start}/`) ? path.slice(start.length + 1) : null
}

/** Forwards a request to another server, and forwards the response to the client. */
function forward(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  changeHeaders: (headers: IncomingHttpHeaders) => IncomingHttpHeaders = (headers) => headers,
) {
  const upstream = send(url, { method: request.method, headers: { ...request.headers, host: url.host } })
  upstream.on('response', (upstreamResponse) => {
    response.writeHead(upstreamResponse.statusCode ?? 502, changeHeaders(upstreamResponse.headers))
    upstreamResponse.pipe(response)
  })
  upstream.on('error', () => response.destroy())
  request.pipe(upstream)
}

/**
 * Forwards requests as the gateway of a Supabase project does: any origin may call it, and functions are served under
 * `/functions/v1`.
 *
 * @param stackUrl the URL of the embedded stack
 * @param functionUrls the URL of each function, by its name
 */
export async function startSupabaseGateway(
  port: number,
  stackUrl: string,
  functionUrls: Record<string, string>,
): Promise<LocalServer> {
  const server = createServer((request, response) => {
    const cors = {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, PUT, PATCH, POST, DELETE, OPTIONS',
      'access-control-allow-headers': request.headers['access-control-request-headers'] ?? '*',
    }
    if (request.method === 'OPTIONS') return void response.writeHead(200, cors).end()
    const path = request.url ?? '/'
    const [, name = '', rest = ''] = /^\/functions\/v1\/(\w+)(.*)$/.exec(path) ?? []
    const url = new URL(name ? `${functionUrls[name]}/${name}${rest}` : `${stackUrl}${path}`)
    forward(request, response, url, (headers) => ({ ...headers, ...cors }))
  })
  server.on('upgrade', (request, client: Socket, head) => {
    const { hostname, port: stackPort } = new URL(stackUrl)
    const upstream = connect(Number(stackPort), hostname, () => {
      const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}\r\n`)
      upstream.write(`GET ${request.url} HTTP/1.1\r\n${headers.join('')}\r\n`)
      upstream.write(head)
      upstream.pipe(client).pipe(upstream)
    })
    for (const [socket, other] of [
      [upstream, client],
      [client, upstream],
    ] as const)
      socket.on('error', () => other.destroy())
  })
  return await listen(server, port)
}

/** Serves the built web app as a static host does, and applies the rules of `_headers` and `_redirects`. */
export async function startStaticHost(site: HostedSite, port: number): Promise<Pick<LocalServer, 'stop'>> {
  const folder = writeHostFiles(site)
  const headerRules = readFileSync(join(folder, '_headers'), 'utf8')
    .trim()
    .split('\n\n')
    .map((rule) => {
      const [pattern = '', ...lines] = rule.split('\n')
      return { pattern, headers: lines.map((line) => line.trim().split(/: (.*)/)) }
    })
  const redirects = readFileSync(join(folder, '_redirects'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/))

  function addHeaders(path: string, response: ServerResponse) {
    for (const { pattern, headers } of headerRules) {
      if (matchPath(pattern, path) === null) continue
      for (const [name = '', value = ''] of headers) {
        const earlier = response.getHeader(name)
        response.setHeader(name, earlier ? `${String(earlier)}, ${value}` : value)
      }
    }
  }

  async function handle(request: IncomingMessage, response: ServerResponse) {
    const url = new URL(request.url ?? '/', site.publicUrl)
    const path = url.pathname
    const serveFile = async (file: string) => {
      const bytes = await readFile(join(root, 'dist', file))
      addHeaders(path, response)
      response.setHeader('content-type', contentTypes[extname(file)] ?? 'application/octet-stream')
      response.end(bytes)
    }
    for (const [from = '', to = '', status = ''] of redirects) {
      const rest = matchPath(from, path)
      if (rest === null) continue
      if (status === '200!')
        return forward(request, response, new URL(to.replace(':splat', `${rest}${url.search}`)))
      try {
        return await serveFile(path === '/' ? 'index.html' : decodeURIComponent(path))
      } catch {
        if (status === '200') return await serveFile(to)
        return void response.writeHead(Number(status)).end()
      }
    }
  }

  const server = createServer((request, response) => void handle(request, response))
  const { stop } = await listen(server, port)
  return {
    stop: async () => {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
