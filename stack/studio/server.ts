import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { html } from 'hono/html'
import postgres from 'postgres'
import { equalsInConstantTime } from '../../supabase/functions/_shared/http/constant-time.ts'
import { forbidden, notFound, payloadTooLarge } from '../shared/error-responses.ts'
import { errorMessage } from '../shared/errors.ts'
import type { Log } from '../shared/log.ts'
import { hasLoopbackHost } from '../shared/loopback.ts'
import { startLoopbackServer } from '../shared/loopback-server.ts'
import type { StudioConfig } from './config.ts'
import type { StudioContext } from './context.ts'
import { failureNotice, renderPage } from './layout.ts'
import { addJobsPage } from './pages/jobs.ts'
import { addLogsPage } from './pages/logs.ts'
import { addOverviewPage } from './pages/overview.ts'
import { addQueriesPage } from './pages/queries.ts'
import { addSqlPage } from './pages/sql.ts'
import { addStoragePages } from './pages/storage.ts'
import { addTablePages } from './pages/tables.ts'
import { addUserPages } from './pages/users.ts'

const maxFormBytes = 1024 * 1024

/** The security headers of all pages. They allow only the studio's own files, and no inline scripts or styles. */
const headers = {
  'content-security-policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; font-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

const font = ['node_modules', '@fontsource-variable', 'inter', 'files', 'inter-latin-wght-normal.woff2']

/**
 * Serves the studio to the operator of this machine. The studio has superuser access to the database, so it opens only
 * at a URL that contains a secret. This URL sets a cookie, which all other requests require, and redirects to the
 * pages.
 */
export function startStudio(config: StudioConfig, log: Log): { stop: () => Promise<void> } {
  const cookie = 'studio'
  const derive = (purpose: string) => createHmac('sha256', config.secret).update(purpose).digest('base64url')
  // Browsers send cookies to all ports of a host, including ports of other users' programs. Limiting the cookie to this
  // unguessable path hides it from those programs.
  const basePath = `/${derive('studio path').slice(0, 24)}`
  const sql = postgres(config.databaseUrl, {
    max: 3,
    idle_timeout: 60,
    connect_timeout: 10,
    prepare: false,
    fetch_types: false,
    onnotice: () => undefined,
    connection: {
      application_name: 'studio',
      statement_timeout: 10_000,
      lock_timeout: 5000,
      default_transaction_read_only: true,
      // The studio's own statements must not appear among the slow queries.
      'pg_stat_statements.track': 'none',
    },
  })
  const app = createApp({ config, sql, log, basePath, formToken: derive('studio form') })

  const respond = async (request: Request): Promise<Response> => {
    if (!hasLoopbackHost(request)) return forbidden()
    const { pathname, host } = new URL(request.url)
    if (equalsInConstantTime(pathname.replace(/^\/|\/$/g, ''), config.secret)) {
      return new Response(null, {
        status: 302,
        headers: {
          location: basePath,
          'set-cookie': `${cookie}=${config.secret}; Path=${basePath}; HttpOnly; SameSite=Strict`,
          'referrer-policy': 'no-referrer',
        },
      })
    }
    if (!equalsInConstantTime(readCookie(request, cookie), config.secret)) return notFound()
    // Pages on other ports are same-site, so SameSite does not protect against their requests.
    const origin = request.headers.get('origin')
    const isSafe = request.method === 'GET' || request.method === 'HEAD'
    if (origin === null ? !isSafe : origin !== `http://${host}`) return forbidden()
    const response = await app.fetch(request)
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
    if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'no-store')
    return response
  }

  const server = startLoopbackServer(config.port, log, respond, 'studio_request_failed')
  return {
    stop: async () => {
      await server.stop(1000)
      await sql.end({ timeout: 1 })
    },
  }
}

function createApp(context: StudioContext): Hono {
  const app = new Hono().basePath(context.basePath)
  app.use('*', bodyLimit({ maxSize: maxFormBytes, onError: payloadTooLarge }))
  app.post('*', async (c, next) => {
    const { token } = await c.req.parseBody()
    if (!equalsInConstantTime(typeof token === 'string' ? token : '', context.formToken)) return forbidden()
    return await next()
  })
  app.get('/studio.css', () => asset(join(import.meta.dirname ?? '.', 'studio.css'), 'text/css'))
  app.get('/studio.js', () => asset(join(import.meta.dirname ?? '.', 'studio.js'), 'text/javascript'))
  app.get('/inter.woff2', () => asset(join(context.config.root, ...font), 'font/woff2'))
  addOverviewPage(app, context)
  addSqlPage(app, context)
  addTablePages(app, context)
  addUserPages(app, context)
  addStoragePages(app, context)
  addLogsPage(app, context)
  addJobsPage(app, context)
  addQueriesPage(app, context)
  app.notFound((c) =>
    c.html(renderPage(context, 'Not found', html`<p>There is nothing at this address.</p>`), 404),
  )
  app.onError((error, c) => {
    // The message can contain values from rows, which must not be logged.
    const code = 'code' in error ? error.code : error.name
    context.log.error('studio_request_failed', { reason: code })
    return c.html(renderPage(context, 'Something went wrong', failureNotice(errorMessage(error))), 500)
  })
  return app
}

function readCookie(request: Request, name: string): string {
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const [key, value] = pair.trim().split('=')
    if (key === name) return value ?? ''
  }
  return ''
}

async function asset(path: string, type: string): Promise<Response> {
  return new Response(await Deno.readFile(path), {
    headers: { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'private, max-age=300' },
  })
}
