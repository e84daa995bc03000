import { extname, join, normalize } from 'node:path'
import { forbidden, internalError, notFound } from '../shared/error-responses.ts'
import { errorMessage } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import { hasLoopbackHost, secretsEqual } from '../shared/loopback.ts'

export interface StudioOptions {
  port: number
  secret: string
  root: string
}

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.ico': 'image/x-icon',
}

/**
 * Serves lite's studio to the operator of this machine. The studio has all privileges of the service role, so it opens
 * only at a URL that contains the secret. That URL sets a cookie, which all other requests need.
 *
 * @param fetchStudio calls lite in admin mode
 */
export function startStudio(
  options: StudioOptions,
  fetchStudio: (request: Request, peerAddress: string) => Promise<Response> | Response,
  log: Log,
): Deno.HttpServer {
  // Cookies are shared between ports, so the name must differ between two stacks on one machine.
  const cookie = `studio-${options.port}`
  const folder = join(options.root, 'node_modules', '@supabase', 'lite', 'dist', 'static')

  const respond = async (request: Request, peerAddress: string): Promise<Response> => {
    if (!hasLoopbackHost(request)) return forbidden()
    const { pathname } = new URL(request.url)
    if (secretsEqual(pathname.replace(/^\/|\/$/g, ''), options.secret)) {
      return new Response(null, {
        status: 302,
        headers: {
          location: '/',
          'set-cookie': `${cookie}=${options.secret}; Path=/; HttpOnly; SameSite=Strict`,
          'referrer-policy': 'no-referrer',
        },
      })
    }
    if (!secretsEqual(readCookie(request, cookie), options.secret)) return notFound()
    if (pathname.startsWith('/static/')) return await staticFile(folder, pathname.slice('/static/'.length))
    return await fetchStudio(request, peerAddress)
  }

  return Deno.serve(
    {
      hostname: '127.0.0.1',
      port: options.port,
      onListen: () => undefined,
      onError: (error) => {
        log.error('studio_request_failed', { reason: errorMessage(error) })
        return internalError()
      },
    },
    (request, info) => respond(request, info.remoteAddr.hostname),
  )
}

function readCookie(request: Request, name: string): string {
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const [key, value] = pair.trim().split('=')
    if (key === name) return value ?? ''
  }
  return ''
}

async function staticFile(folder: string, name: string): Promise<Response> {
  const path = normalize(join(folder, name))
  const type = types[extname(path)]
  if (!path.startsWith(`${folder}/`) || !type) return new Response(null, { status: 404 })
  try {
    const file = await Deno.open(path, { read: true })
    return new Response(file.readable, {
      headers: { 'content-type': type, 'cache-control': 'private, max-age=3600' },
    })
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return new Response(null, { status: 404 })
    throw error
  }
}
