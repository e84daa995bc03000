import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import { ensureWebBuild } from '../../scripts/lib/web-build.mjs'
import { paths as screenPaths } from '../../web/src/lib/paths.ts'
import type { Connection } from '../support/connection.ts'
import { createTempDir, discardStack, type StackProcess, startStack } from '../support/stack-process.ts'
import { createTestClient } from '../support/supabase-client.ts'
import { type RawResponse, sendRawRequest } from './raw-request.ts'
import { prepareLogs, testStudio } from './studio.ts'

const dataDir = createTempDir()
const allowedOrigin = 'https://app.example.test'
let stack: StackProcess
let connection: Connection

beforeAll(async () => {
  await ensureWebBuild()
  prepareLogs(dataDir)
  stack = startStack(dataDir, await freePort(), { ALLOWED_ORIGINS: allowedOrigin })
  connection = await stack.ready()
})

afterAll(async () => {
  await discardStack(stack, dataDir)
})

describe('request filtering', () => {
  const blockedRequests: [string, string][] = [
    ['POST', '/auth/v1/signup'],
    ['POST', '/auth/v1/token?grant_type=password'],
    ['POST', '/auth/v1/token?grant_type=refresh_token&grant_type=password'],
    ['POST', '/auth/v1/token?grant_type=pkce'],
    ['POST', '/auth/v1/token'],
    ['POST', '/auth/v1/recover'],
    ['POST', '/auth/v1/otp'],
    ['POST', '/auth/v1/verify'],
    ['GET', '/auth/v1/verify?token=x&type=recovery'],
    ['PUT', '/auth/v1/user'],
    ['GET', '/auth/v1/settings'],
    ['GET', '/auth/v1/admin/users'],
    ['POST', '/auth/v1/user/../signup'],
    ['POST', '/auth/v1/user/%2e%2e/signup'],
    ['POST', '/rest/v1/../../auth/v1/signup'],
    ['GET', '/auth/v1/authorize?provider=github'],
  ]

  test.each(blockedRequests)('rejects %s %s', async (method, path) => {
    const response = await sendRawRequest(stack.port, path, { apikey: connection.publishableKey }, method)
    expect(response.status).toBe(403)
    expect(JSON.parse(response.body)).toMatchObject({ code: 'forbidden' })
  })

  test.each(['/api/config', '/rest/v1/', '/'])('rejects TRACE %s with 400', async (path) => {
    expect((await sendRawRequest(stack.port, path, {}, 'TRACE')).status).toBe(400)
  })

  test.each(['/api', '/functions/v1/api'])('lets pages of the configured origins call %s', async (prefix) => {
    const call = async (origin: string, method: string, headers: Record<string, string> = {}) => {
      const init = { method, headers: { origin, ...headers } }
      const response = await fetch(`${connection.apiUrl}${prefix}/posts`, init)
      return [response.status, response.headers.get('access-control-allow-origin')]
    }
    const preflight = {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'apikey,authorization,content-type,x-client-info',
    }
    expect(await call(allowedOrigin, 'OPTIONS', preflight)).toEqual([204, allowedOrigin])
    expect(await call(allowedOrigin, 'GET')).toEqual([200, allowedOrigin])
    expect(await call(connection.apiUrl, 'GET')).toEqual([200, connection.apiUrl])
    expect(await call('https://evil.example', 'OPTIONS', preflight)).toEqual([204, null])
    expect(await call('https://evil.example', 'GET')).toEqual([200, null])
    // With a token, the origin does not matter, but this token is invalid. Without a token, the origin is rejected.
    expect(await call('https://evil.example', 'POST', { authorization: 'Bearer ovp_x' })).toEqual([401, null])
    expect(await call('https://evil.example', 'POST')).toEqual([403, null])
  })

  test('rejects blocked requests at Auth’s own port, which every local program can reach', async () => {
    const ports = JSON.parse(await readText('ports.json')) as { lite: number }
    const response = await sendRawRequest(
      ports.lite,
      '/auth/v1/signup',
      { apikey: connection.publishableKey },
      'POST',
    )
    expect(response.status).toBe(403)
    expect((await sendRawRequest(ports.lite, '/_system/info')).status).toBe(404)
    expect((await sendRawRequest(ports.lite, '/rest/v1/profiles', { host: 'evil.example' })).status).toBe(403)
  })

  test('allows refreshing, reading and ending a session', async () => {
    const ports = JSON.parse(await readText('ports.json')) as { lite: number }
    const apiUrl = `http://127.0.0.1:${ports.lite}`
    const admin = createTestClient({ apiUrl, publishableKey: connection.secretKey })
    const metadata = {
      username: 'gateway_user',
      full_name: 'Gateway User',
      phone_number: '2015550123',
      adult_confirmed: true,
    }
    const signedUp = await admin.auth.signUp({
      email: 'gateway@demo.test',
      password: 'secret1',
      options: { data: metadata },
    })
    expect(signedUp.error).toBeNull()
    const session = signedUp.data.session
    expect(session?.expires_in).toBe(1200)
    const user = createTestClient(connection)
    const restored = await user.auth.setSession({
      access_token: session?.access_token ?? '',
      refresh_token: session?.refresh_token ?? '',
    })
    expect(restored.error).toBeNull()
    expect((await user.auth.refreshSession()).error).toBeNull()
    expect((await user.auth.getUser()).data.user?.email).toBe('gateway@demo.test')
    const ownProfile = await user
      .from('profiles')
      .select('username')
      .eq('id', restored.data.user?.id ?? '')
    expect([ownProfile.error, ownProfile.data]).toEqual([null, [{ username: 'gateway_user' }]])
    expect((await user.auth.signOut()).error).toBeNull()
  })
})

describe('a request body', () => {
  test.each([
    ['/rest/v1/profiles', 1_100_000],
    ['/auth/v1/logout', 1_100_000],
    ['/api/posts', 120_000_000],
    ['/storage/v1/object/avatars/big.bin', 600_000_000],
  ])('is rejected by %s when %i bytes are declared', async (path, bytes) => {
    const headers = { apikey: connection.publishableKey, 'content-length': String(bytes) }
    const response = await sendRawRequest(stack.port, path, headers, 'POST')
    expect(response.status).toBe(413)
    expect(JSON.parse(response.body)).toMatchObject({ code: 'payload_too_large' })
  })
})

describe('the gateway', () => {
  const paths = [
    '/../package.json',
    '/%2e%2e/package.json',
    '/..%2fpackage.json',
    '/assets/../../package.json',
    '/assets/..%2f..%2fpackage.json',
    '/assets/..%5c..%5cpackage.json',
    '//etc/passwd',
    '/%00',
    '/.sources',
    '/.vite/manifest.json',
  ]
  test.each(paths)('does not serve %s', async (path) => {
    const response = await sendRawRequest(stack.port, path)
    expect(response.status).toBe(404)
    expect(JSON.parse(response.body)).toEqual({ message: 'Not found', code: 'not_found' })
  })

  const page = (headers: Record<string, string> = {}, path = '/'): Promise<RawResponse> =>
    sendRawRequest(stack.port, path, { accept: 'text/html', ...headers })

  const screens = Object.values(screenPaths).map(({ path }) => path.replace(/:\w+\??/, 'someone'))

  test('lets browsers run the service worker and makes them check for a new version', async () => {
    const { status, headers } = await sendRawRequest(stack.port, '/sw.js', {
      'sec-fetch-mode': 'same-origin',
    })
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(headers['cache-control']).toBe('no-cache')
    expect(headers['content-security-policy']).toContain("worker-src 'self'")
  })

  test('returns the app page for every route of the app, with a policy that forbids inline scripts', async () => {
    for (const path of [...screens, '/profile', '/Login/']) {
      const response = await page({}, path)
      expect({ path, status: response.status }).toEqual({ path, status: 200 })
      expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(response.headers['cache-control']).toBe('no-cache')
      expect(response.headers['x-content-type-options']).toBe('nosniff')
      const policy = String(response.headers['content-security-policy'])
      expect(policy).toContain("script-src 'self';")
      expect(policy).toContain('frame-src https://www.tiktok.com;')
      expect(policy).not.toContain('cloudflare')
      // Prevents clickjacking.
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toContain(`connect-src 'self' ws://127.0.0.1:${stack.port}`)
      expect(response.headers['strict-transport-security']).toBeUndefined()
      expect(response.body).not.toMatch(/<script(?![^>]*\bsrc=)/)
    }
  })

  test('returns the app page with status 404 for an unknown route', async () => {
    for (const path of ['/no/such/page', '/logins', '/profile/a/b', '/index.php']) {
      const response = await page({}, path)
      expect({ path, status: response.status }).toEqual({ path, status: 404 })
      expect(response.body).toContain('<div id="root">')
      expect(response.headers['x-robots-tag']).toBe('noindex')
      const again = await page({ 'if-none-match': String(response.headers.etag) }, path)
      expect(again.status).toBe(404)
    }
  })

  test('suppresses the referrer on the password reset page', async () => {
    const referrer = async (path: string) => (await page({}, path)).headers['referrer-policy']
    expect(await referrer('/reset-password?token=secret')).toBe('no-referrer')
    expect(await referrer('/Reset-Password/?token=secret')).toBe('no-referrer')
    expect(await referrer('/login')).toBe('strict-origin-when-cross-origin')
  })

  test('sets x-robots-tag on pages that search engines must not index, consistent with robots.txt', async () => {
    const indexed = []
    for (const path of screens) {
      if ((await page({}, path)).headers['x-robots-tag'] === undefined) indexed.push(path)
    }
    expect(indexed).toEqual(['/', '/register', '/terms', '/privacy'])
    for (const path of ['/api/config', '/rest/v1/profiles', '/storage/v1/object/public/x/y', '/auth/v1/x']) {
      expect((await sendRawRequest(stack.port, path)).headers['x-robots-tag'], path).toBe('noindex')
    }
    const robots = await sendRawRequest(stack.port, '/robots.txt')
    expect([robots.status, robots.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    const disallowed = [...robots.body.matchAll(/^Disallow: (.+)$/gm)].map(([, path]) => path ?? '')
    expect(indexed.filter((path) => disallowed.some((prefix) => path.startsWith(prefix)))).toEqual([])
    const isScreen = (path: string) =>
      screens.some((screen) => screen === path || screen.startsWith(`${path}/`))
    expect(disallowed.filter((path) => !path.endsWith('/') && !isScreen(path))).toEqual([])
    expect(disallowed).toContain('/api/')
  })

  test('adds link preview tags with absolute URLs to the landing page in every content encoding', async () => {
    const origin = `http://127.0.0.1:${stack.port}`
    const metaOf = (html: string, property: string) =>
      new RegExp(`<meta\\s+(?:property|name)="${property}"\\s+content="([^"]*)"`).exec(html)?.[1]
    let home = ''
    for (const accepted of ['identity', 'gzip', 'br']) {
      // `fetch` decompresses the body.
      const response = await fetch(`${origin}/`, { headers: { 'accept-encoding': accepted } })
      expect(response.headers.get('content-encoding') ?? 'identity').toBe(accepted)
      home = await response.text()
      expect(metaOf(home, 'og:url')).toBe(`${origin}/`)
      expect(metaOf(home, 'og:image')).toBe(`${origin}/social-preview.jpg`)
    }
    expect(metaOf(home, 'og:title')).toBe('Ovation: Your Premium Content Platform')
    expect(metaOf(home, 'og:description')).toBe(metaOf(home, 'description'))
    const fixed = ['og:type', 'og:site_name', 'twitter:card'].map((property) => metaOf(home, property))
    expect(fixed).toEqual(['website', 'Ovation', 'summary_large_image'])
    // Other pages have no `og:url`. This request has no Accept-Encoding header.
    const other = (await sendRawRequest(stack.port, '/profile/someone')).body
    expect(metaOf(other, 'og:url')).toBeUndefined()
    // Only the landing page contains its prerendered content.
    expect([home, other].map((html) => html.includes('<template>'))).toEqual([true, false])
    expect(metaOf(other, 'og:image')).toBe(`${origin}/social-preview.jpg`)

    const preview = await fetch(`${origin}/social-preview.jpg`)
    expect(preview.headers.get('content-type')).toBe(metaOf(home, 'og:image:type'))
    const picture = Buffer.from(await preview.arrayBuffer())
    // The frame header of a JPEG.
    const frame = picture.indexOf('ffc0', 'hex')
    expect([picture.readUInt16BE(frame + 7), picture.readUInt16BE(frame + 5)]).toEqual([1200, 630])
    expect(picture.length).toBeLessThan(100_000)
  })

  test('preloads the app’s files except on the landing page, and those of the shell for browsers with a session', async () => {
    const preloadedBy = async (path: string, cookie = '') => {
      const { headers, body } = await page(cookie ? { cookie } : {}, path)
      expect(headers.vary).toBe('Accept-Encoding, Cookie')
      const listed = (attribute: string) =>
        new RegExp(`${attribute}="([^"]+)"`).exec(body)?.[1]?.split(' ') ?? []
      const preloaded = [...body.matchAll(/<link rel="modulepreload" href="([^"]+)"/g)].map(([, url]) => url)
      const app = listed('data-app-files')
      expect(app).toContain(listed('data-app')[0])
      expect(listed('data-shell-files').length).toBeGreaterThan(1)
      return { preloaded, app, shell: listed('data-shell-files'), isPrerendered: body.includes('<template>') }
    }
    expect(await preloadedBy('/')).toMatchObject({ preloaded: [], isPrerendered: true })
    const login = await preloadedBy('/login')
    expect(login.preloaded).toEqual(login.app)
    for (const path of ['/', '/login', '/profile/someone']) {
      const { preloaded, app, shell, isPrerendered } = await preloadedBy(path, 'ovation-auth.0=x')
      expect([preloaded, isPrerendered]).toEqual([[...app, ...shell], false])
    }
  })

  test('compresses scripts, makes them cacheable for a year, and does not resend unchanged scripts', async () => {
    const path = /data-app="(\/assets\/[^"]+\.js)"/.exec((await page()).body)?.[1]
    if (!path) throw new Error('The page has no data-app attribute.')
    const plain = await sendRawRequest(stack.port, path)
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(plain.headers['content-encoding']).toBeUndefined()
    const sizes = new Map<string, number>()
    for (const encoding of ['br', 'gzip']) {
      const response = await sendRawRequest(stack.port, path, { 'accept-encoding': encoding })
      expect(response.headers['content-encoding']).toBe(encoding)
      expect(response.headers.vary).toBe('Accept-Encoding')
      sizes.set(encoding, Number(response.headers['content-length']))
    }
    expect(sizes.get('br')).toBeLessThan(sizes.get('gzip') ?? 0)
    expect(sizes.get('gzip')).toBeLessThan(Number(plain.headers['content-length']))
    const uncompressed = await sendRawRequest(stack.port, path, { 'accept-encoding': 'br;q=0, gzip;q=0' })
    expect(uncompressed.headers['content-encoding']).toBeUndefined()
    const revalidated = await sendRawRequest(stack.port, path, {
      'if-none-match': String(plain.headers.etag),
    })
    expect(revalidated.status).toBe(304)
  })

  test('redirects localhost to 127.0.0.1, the host of the session cookies', async () => {
    const host = `localhost:${stack.port}`
    const response = await sendRawRequest(stack.port, '/login?x=1', { host, 'sec-fetch-mode': 'navigate' })
    expect(response.status).toBe(307)
    expect(response.headers.location).toBe(`http://127.0.0.1:${stack.port}/login?x=1`)
  })
})

describe('the mailbox', () => {
  test('requires the secret in its URL and a loopback host name', async () => {
    const { port, pathname } = new URL(connection.mailUrl)
    expect((await sendRawRequest(Number(port), '/')).status).toBe(404)
    expect((await sendRawRequest(Number(port), pathname.replace(/.\/$/, '/'))).status).toBe(404)
    expect((await sendRawRequest(Number(port), pathname, { host: `mail.example:${port}` })).status).toBe(403)
    expect((await sendRawRequest(Number(port), pathname, { host: `localhost:${port}` })).status).toBe(200)
  })

  test('stores emails, lists the newest first, and shows them without running scripts', async () => {
    const send = (subject: string) =>
      fetch(connection.mailUrl, {
        method: 'POST',
        body: JSON.stringify({
          to: 'a@demo.test',
          subject,
          text: 'text',
          html: '<script>1</script><b>text</b>',
        }),
      })
    expect((await send('first')).status).toBe(202)
    expect((await send('<second>')).status).toBe(202)
    expect((await fetch(connection.mailUrl, { method: 'POST', body: '{"to":1}' })).status).toBe(400)
    const emails = (await (await fetch(connection.mailUrl)).json()) as { subject: string }[]
    expect(emails.map((email) => email.subject)).toEqual(['<second>', 'first'])
    expect(Object.keys(emails[0] ?? {}).sort()).toEqual(['html', 'id', 'sentAt', 'subject', 'text', 'to'])
    const response = await fetch(connection.mailUrl, { headers: { accept: 'text/html' } })
    const html = await response.text()
    expect(html).toContain('&#60;second&#62;')
    expect(html).not.toContain('<script')
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  })
})

testStudio(dataDir, () => connection)

describe('Supabase Lite', () => {
  test('adds no grants', async () => {
    const before = await listGrants()
    await createTestClient(connection).from('profiles').select('id').limit(1)
    // By default, Supabase Lite adds grants on its first request, so it would have added them by now.
    expect(await listGrants()).toEqual(before)
    expect(before.some((row) => row.startsWith('anon private.settings'))).toBe(false)
    expect(before.some((row) => /^(anon|authenticated) auth\./.test(row))).toBe(false)
  })
})

describe('Storage', () => {
  test('stores uploads under hashes and never under their names', async () => {
    const service = createTestClient(connection, null, connection.secretKey)
    expect((await service.storage.createBucket('uploads', { public: true })).error).toBeNull()
    for (const name of ['../x/page.html', '..%2f..%2fpage.html', '../../page.html', '/etc/page.html']) {
      await service.storage.from('uploads').upload(name, new Uint8Array([1]), { contentType: 'text/html' })
    }
    const big = new Uint8Array(2_000_000)
    expect((await service.storage.from('uploads').upload('a/big.bin', big)).error).toBeNull()
    const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    )
    expect(files.filter(({ name }) => /page|big/.test(name))).toEqual([])
    const stored = files.filter(({ parentPath }) => parentPath.startsWith(join(dataDir, 'storage')))
    expect(stored.length).toBeGreaterThan(0)
    expect(stored.filter(({ name }) => !/^[0-9a-f]{64}$/.test(name))).toEqual([])
  })

  test('serves uploaded HTML in a sandbox', async () => {
    const service = createTestClient(connection, null, connection.secretKey)
    const bytes = new TextEncoder().encode('<script>alert(1)</script>')
    const stored = await service.storage
      .from('uploads')
      .upload('page.html', bytes, { contentType: 'text/html' })
    expect(stored.error).toBeNull()
    const response = await fetch(`${connection.apiUrl}/storage/v1/object/public/uploads/page.html`)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-security-policy')).toContain('sandbox')
    expect(await response.text()).toBe('<script>alert(1)</script>')
  })
})

/** Returns every table privilege of the API roles. */
async function listGrants(): Promise<string[]> {
  const { default: postgres } = await import('postgres')
  const sql = postgres(connection.databaseUrl, { max: 1 })
  const rows = await sql<{ line: string }[]>`
    select grantee || ' ' || table_schema || '.' || table_name || ' ' || privilege_type as line
    from information_schema.role_table_grants
    where grantee in ('anon', 'authenticated', 'service_role') order by 1`
  await sql.end()
  return rows.map(({ line }) => line)
}

async function readText(name: string): Promise<string> {
  const { readFile } = await import('node:fs/promises')
  return readFile(join(dataDir, name), 'utf8')
}
