import { extname, join, normalize } from 'node:path'
import { failed, forbidden, notFound } from '../shared/answers.ts'
import type { Log } from '../shared/log.ts'
import { namesLoopback, sameSecret } from '../shared/loopback.ts'
import { messageOf } from '../shared/sentence.ts'

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
 * The studio that ships with lite, for the operator of this machine: it may do everything that the service
 * role may. It opens only by the address with the secret in it, which leaves a cookie for the rest.
 *
 * @param fetchStudio answers as lite in its administrator's mode
 */
export function startStudio(
  options: StudioOptions,
  fetchStudio: (request: Request, peerAddress: string) => Promise<Response> | Response,
  log: Log,
): Deno.HttpServer {
  // Cookies know no ports: the name keeps two stacks on one machine apart.
  const cookie = `studio-${options.port}`
  const folder = join(options.root, 'node_modules', '@supabase', 'lite', 'dist', 'static')

  const answer = async (request: Request, peerAddress: string): Promise<Response> => {
    if (!namesLoopback(request)) return forbidden()
    const { pathname } = new URL(request.url)
    if (sameSecret(pathname.replace(/^\/|\/$/g, ''), options.secret)) {
      return new Response(null, {
        status: 302,
        headers: {
          location: '/',
          'set-cookie': `${cookie}=${options.secret}; Path=/; HttpOnly; SameSite=Strict`,
          'referrer-policy': 'no-referrer',
        },
      })
    }
    if (!sameSecret(readCookie(request, cookie), options.secret)) return notFound()
    if (pathname.startsWith('/static/')) return await staticFile(folder, pathname.slice('/static/'.length))
    return await fetchStudio(request, peerAddress)
  }

  return Deno.serve(
    {
      hostname: '127.0.0.1',
      port: options.port,
      onListen: () => undefined,
      onError: (error) => {
        log.error('studio failed', { reason: messageOf(error) })
        return failed()
      },
    },
    (request, info) => answer(request, info.remoteAddr.hostname),
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
