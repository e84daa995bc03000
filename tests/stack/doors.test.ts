import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import { ensureWeb } from '../../scripts/lib/web.mjs'
import { paths as screenPaths } from '../../web/src/paths.ts'
import { transport } from '../realtime/transport.ts'
import type { Connection } from '../support/connection.ts'
import { discard, type Stack, startStack, temporaryFolder } from '../support/own-stack.ts'
import { eventually, type RawAnswer, raw } from './support.ts'

const dataDir = temporaryFolder()
let stack: Stack
let connection: Connection

beforeAll(async () => {
  await ensureWeb()
  stack = startStack(dataDir, await freePort())
  connection = await stack.ready()
})

afterAll(async () => {
  await discard(stack, dataDir)
})

function client(key: string) {
  return createClient(connection.apiUrl, key, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport },
  })
}

describe('the door to Auth', () => {
  const shut: [string, string][] = [
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

  test.each(shut)('%s %s is shut', async (method, path) => {
    const answer = await raw(stack.port, path, { apikey: connection.publishableKey }, method)
    expect(answer.status).toBe(403)
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'forbidden' })
  })

  test.each(['/api/config', '/rest/v1/', '/'])('TRACE %s is refused, not failed at', async (path) => {
    expect((await raw(stack.port, path, {}, 'TRACE')).status).toBe(400)
  })

  test('the same holds at the port of Auth itself, which any program here may find', async () => {
    const ports = JSON.parse(await readText('ports.json')) as { lite: number }
    const answer = await raw(ports.lite, '/auth/v1/signup', { apikey: connection.publishableKey }, 'POST')
    expect(answer.status).toBe(403)
    expect((await raw(ports.lite, '/_system/info')).status).toBe(404)
    expect((await raw(ports.lite, '/rest/v1/profiles', { host: 'evil.example' })).status).toBe(403)
  })

  test('a session is refreshed, read and ended', async () => {
    const ports = JSON.parse(await readText('ports.json')) as { lite: number }
    const withSecret = createClient(`http://127.0.0.1:${ports.lite}`, connection.secretKey, {
      auth: { persistSession: false, autoRefreshToken: false },
      realtime: { transport },
    })
    const data = {
      username: 'door_keeper',
      full_name: 'Door Keeper',
      phone_number: '2015550123',
      adult_confirmed: true,
    }
    const made = await withSecret.auth.signUp({
      email: 'door@demo.test',
      password: 'secret1',
      options: { data },
    })
    expect(made.error).toBeNull()
    const session = made.data.session
    expect(session?.expires_in).toBe(1200)
    const person = client(connection.publishableKey)
    const set = await person.auth.setSession({
      access_token: session?.access_token ?? '',
      refresh_token: session?.refresh_token ?? '',
    })
    expect(set.error).toBeNull()
    expect((await person.auth.refreshSession()).error).toBeNull()
    expect((await person.auth.getUser()).data.user?.email).toBe('door@demo.test')
    const own = await person
      .from('profiles')
      .select('username')
      .eq('id', set.data.user?.id ?? '')
    expect(own.data).toEqual([{ username: 'door_keeper' }])
    expect((await person.auth.signOut()).error).toBeNull()
  })
})

describe('what comes in', () => {
  test.each([
    ['/rest/v1/profiles', 1_100_000],
    ['/auth/v1/logout', 1_100_000],
    ['/api/posts', 120_000_000],
    ['/storage/v1/object/avatars/big.bin', 600_000_000],
  ])('at %s is too large with %i bytes', async (path, bytes) => {
    const headers = { apikey: connection.publishableKey, 'content-length': String(bytes) }
    const answer = await raw(stack.port, path, headers, 'POST')
    expect(answer.status).toBe(413)
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'payload_too_large' })
  })
})

describe('static files', () => {
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
  test.each(paths)('%s leads nowhere', async (path) => {
    const answer = await raw(stack.port, path)
    expect(answer.status).toBe(404)
    expect(JSON.parse(answer.body)).toEqual({ message: 'Not found', code: 'not_found' })
  })

  const page = (headers: Record<string, string> = {}, path = '/'): Promise<RawAnswer> =>
    raw(stack.port, path, { accept: 'text/html', ...headers })

  const screens = Object.values(screenPaths).map(({ path }) => path.replace(/:\w+\??/, 'someone'))

  test('every address of the app is its page, under a policy without inline script', async () => {
    for (const path of [...screens, '/profile', '/Login/']) {
      const answer = await page({}, path)
      expect({ path, status: answer.status }).toEqual({ path, status: 200 })
      expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
      expect(answer.headers['cache-control']).toBe('no-cache')
      expect(answer.headers['x-content-type-options']).toBe('nosniff')
      const policy = String(answer.headers['content-security-policy'])
      expect(policy).toContain("script-src 'self';")
      expect(policy).toContain('frame-src https://www.tiktok.com;')
      expect(policy).not.toContain('cloudflare')
      // No page of another site can show ours in a frame and have somebody press what they do not see.
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toContain(`connect-src 'self' ws://127.0.0.1:${stack.port}`)
      expect(answer.headers['strict-transport-security']).toBeUndefined()
      expect(answer.body).not.toMatch(/<script(?![^>]*\bsrc=)/)
    }
  })

  test('an address that is no screen is the same page with the status of one that is missing', async () => {
    for (const path of ['/no/such/page', '/logins', '/profile/a/b', '/index.php']) {
      const answer = await page({}, path)
      expect({ path, status: answer.status }).toEqual({ path, status: 404 })
      expect(answer.body).toContain('<div id="root">')
      expect(answer.headers['x-robots-tag']).toBe('noindex')
      const again = await page({ 'if-none-match': String(answer.headers.etag) }, path)
      expect(again.status).toBe(404)
    }
  })

  test('the address of a password’s reset is told to nobody', async () => {
    const referrer = async (path: string) => (await page({}, path)).headers['referrer-policy']
    expect(await referrer('/reset-password?token=secret')).toBe('no-referrer')
    expect(await referrer('/Reset-Password/?token=secret')).toBe('no-referrer')
    expect(await referrer('/login')).toBe('strict-origin-when-cross-origin')
  })

  test('search engines are told what is not for them, in agreement with robots.txt', async () => {
    const listed = []
    for (const path of screens) {
      if ((await page({}, path)).headers['x-robots-tag'] === undefined) listed.push(path)
    }
    expect(listed).toEqual(['/', '/register', '/terms', '/privacy'])
    for (const path of ['/api/config', '/rest/v1/profiles', '/storage/v1/object/public/x/y', '/auth/v1/x']) {
      expect((await raw(stack.port, path)).headers['x-robots-tag'], path).toBe('noindex')
    }
    const robots = await raw(stack.port, '/robots.txt')
    expect([robots.status, robots.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8'])
    const shut = [...robots.body.matchAll(/^Disallow: (.+)$/gm)].map(([, path]) => path ?? '')
    expect(listed.filter((path) => shut.some((prefix) => path.startsWith(prefix)))).toEqual([])
    expect(shut.filter((path) => !path.endsWith('/') && !screens.includes(path))).toEqual([])
    expect(shut).toContain('/api/')
  })

  test('the landing page has the preview of its link, with whole addresses, however it is packed', async () => {
    const origin = `http://127.0.0.1:${stack.port}`
    const metaOf = (html: string, property: string) =>
      new RegExp(`<meta\\s+(?:property|name)="${property}"\\s+content="([^"]*)"`).exec(html)?.[1]
    let home = ''
    for (const accepted of ['identity', 'gzip', 'br']) {
      // `fetch` unpacks what it gets.
      const answer = await fetch(`${origin}/`, { headers: { 'accept-encoding': accepted } })
      expect(answer.headers.get('content-encoding') ?? 'identity').toBe(accepted)
      home = await answer.text()
      expect(metaOf(home, 'og:url')).toBe(`${origin}/`)
      expect(metaOf(home, 'og:image')).toBe(`${origin}/social-preview.png`)
    }
    expect(metaOf(home, 'og:title')).toBe('Ovation: Your Premium Content Platform')
    expect(metaOf(home, 'og:description')).toBe(metaOf(home, 'description'))
    const fixed = ['og:type', 'og:site_name', 'twitter:card'].map((property) => metaOf(home, property))
    expect(fixed).toEqual(['website', 'Ovation', 'summary_large_image'])
    // Another screen is not the landing page, though it has the same picture. Who asks may not say what they accept.
    const other = (await raw(stack.port, '/profile/someone')).body
    expect(metaOf(other, 'og:url')).toBeUndefined()
    expect(metaOf(other, 'og:image')).toBe(`${origin}/social-preview.png`)

    const picture = Buffer.from(await (await fetch(`${origin}/social-preview.png`)).arrayBuffer())
    expect(picture.toString('latin1', 1, 4)).toBe('PNG')
    expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([1200, 630])
    expect(picture.length).toBeLessThan(100_000)
  })

  test('scripts are compressed, kept for good, and not sent twice', async () => {
    const path = /src="(\/assets\/[^"]+\.js)"/.exec((await page()).body)?.[1] ?? ''
    const plain = await raw(stack.port, path)
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(plain.headers['content-encoding']).toBeUndefined()
    const sizes = new Map<string, number>()
    for (const encoding of ['br', 'gzip']) {
      const answer = await raw(stack.port, path, { 'accept-encoding': encoding })
      expect(answer.headers['content-encoding']).toBe(encoding)
      expect(answer.headers.vary).toBe('Accept-Encoding')
      sizes.set(encoding, Number(answer.headers['content-length']))
    }
    expect(sizes.get('br')).toBeLessThan(sizes.get('gzip') ?? 0)
    expect(sizes.get('gzip')).toBeLessThan(Number(plain.headers['content-length']))
    const refused = await raw(stack.port, path, { 'accept-encoding': 'br;q=0, gzip;q=0' })
    expect(refused.headers['content-encoding']).toBeUndefined()
    const known = await raw(stack.port, path, { 'if-none-match': String(plain.headers.etag) })
    expect(known.status).toBe(304)
  })

  test('who opens localhost is sent to the one host that keeps the session', async () => {
    const host = `localhost:${stack.port}`
    const answer = await raw(stack.port, '/login?x=1', { host, 'sec-fetch-mode': 'navigate' })
    expect(answer.status).toBe(307)
    expect(answer.headers.location).toBe(`http://127.0.0.1:${stack.port}/login?x=1`)
  })
})

describe('the mailbox', () => {
  test('wants its secret and a loopback name', async () => {
    const { port, pathname } = new URL(connection.mailUrl)
    expect((await raw(Number(port), '/')).status).toBe(404)
    expect((await raw(Number(port), pathname.replace(/.\/$/, '/'))).status).toBe(404)
    expect((await raw(Number(port), pathname, { host: `mail.example:${port}` })).status).toBe(403)
    expect((await raw(Number(port), pathname, { host: `localhost:${port}` })).status).toBe(200)
  })

  test('keeps what it is given, newest first, and shows it without running it', async () => {
    const send = (subject: string) =>
      fetch(connection.mailUrl, {
        method: 'POST',
        body: JSON.stringify({
          to: 'a@demo.test',
          subject,
          text: 'words',
          html: '<script>1</script><b>words</b>',
        }),
      })
    expect((await send('first')).status).toBe(202)
    expect((await send('<second>')).status).toBe(202)
    expect((await fetch(connection.mailUrl, { method: 'POST', body: '{"to":1}' })).status).toBe(400)
    const mails = (await (await fetch(connection.mailUrl)).json()) as { subject: string }[]
    expect(mails.map((mail) => mail.subject)).toEqual(['<second>', 'first'])
    expect(Object.keys(mails[0] ?? {}).sort()).toEqual(['html', 'id', 'sentAt', 'subject', 'text', 'to'])
    const answer = await fetch(connection.mailUrl, { headers: { accept: 'text/html' } })
    const html = await answer.text()
    expect(html).toContain('&#60;second&#62;')
    expect(html).not.toContain('<script')
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
  })
})

describe('the studio', () => {
  test('opens only by its secret address', async () => {
    const { port, pathname } = new URL(connection.studioUrl)
    expect((await raw(Number(port), '/')).status).toBe(404)
    expect((await raw(Number(port), '/rest/v1/profiles')).status).toBe(404)
    expect((await raw(Number(port), pathname, { host: 'evil.example' })).status).toBe(403)
    const entry = await raw(Number(port), pathname)
    expect(entry.status).toBe(302)
    const cookie = String(entry.headers['set-cookie']).split(';')[0] ?? ''
    expect((await raw(Number(port), '/', { cookie })).body).toContain('<div id="root">')
    const foreign = { cookie, origin: 'http://evil.example' }
    expect((await raw(Number(port), '/rest/v1/profiles?select=id', foreign)).status).toBe(401)
    expect((await raw(Number(port), '/rest/v1/profiles?select=id', { cookie })).status).toBe(200)
    expect((await raw(stack.port, pathname)).status).toBe(404)
  })
})

describe('rights', () => {
  test('lite grants nothing by itself', async () => {
    const before = await rights()
    await client(connection.publishableKey).from('profiles').select('id').limit(1)
    await eventually(async () => expect(await rights()).toEqual(before))
    expect(before.some((row) => row.startsWith('anon private.settings'))).toBe(false)
    expect(before.some((row) => /^(anon|authenticated) auth\./.test(row))).toBe(false)
  })

  test('no name of an upload becomes a path of the disk', async () => {
    const service = client(connection.secretKey)
    expect((await service.storage.createBucket('doors', { public: true })).error).toBeNull()
    for (const name of ['../x/page.html', '..%2f..%2fpage.html', '../../page.html', '/etc/page.html']) {
      await service.storage.from('doors').upload(name, new Uint8Array([1]), { contentType: 'text/html' })
    }
    const big = new Uint8Array(2_000_000)
    expect((await service.storage.from('doors').upload('a/big.bin', big)).error).toBeNull()
    const files = readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    )
    expect(files.filter(({ name }) => /page|big/.test(name))).toEqual([])
    const stored = files.filter(({ parentPath }) => parentPath.startsWith(join(dataDir, 'storage')))
    expect(stored.length).toBeGreaterThan(0)
    expect(stored.filter(({ name }) => !/^[0-9a-f]{64}$/.test(name))).toEqual([])
  })

  test('uploads never run as pages', async () => {
    const service = client(connection.secretKey)
    const bytes = new TextEncoder().encode('<script>alert(1)</script>')
    const stored = await service.storage
      .from('doors')
      .upload('page.html', bytes, { contentType: 'text/html' })
    expect(stored.error).toBeNull()
    const answer = await fetch(`${connection.apiUrl}/storage/v1/object/public/doors/page.html`)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-security-policy')).toContain('sandbox')
    expect(await answer.text()).toBe('<script>alert(1)</script>')
  })
})

/** Every right on a table that an API role has. */
async function rights(): Promise<string[]> {
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
