import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, type Page, test } from 'playwright/test'
import { root } from '../../scripts/lib/paths.mjs'
import { type LocalServer, listen } from '../support/listen.ts'

// Tests the service worker on a minimal site, which the test can update and break. `offline.spec.ts` tests the service
// worker with the app.

test.use({ serviceWorkers: 'allow' })

const site = { build: 1, pageBuild: 1, status: 200, requests: [] as string[] }
let server: LocalServer

const http = createServer(async (request, response) => {
  const path = request.url ?? '/'
  site.requests.push(`${request.method} ${path}`)
  if (site.status !== 200) return void response.writeHead(site.status).end('Bad gateway')
  const send = (type: string, body: string) =>
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache' }).end(body)
  if (path === '/sw.js') {
    const source = await readFile(join(root, 'web', 'service-worker.js'), 'utf8')
    const built = source.replace('__BUILD__', String(site.build))
    return void send('text/javascript', built.replace('__ENTRY__', `assets/app-${site.build}.js`))
  }
  if (path.startsWith('/api/')) return void send('application/json', '"private"')
  if (request.headers.range) return void response.writeHead(206).end('part')
  if (path.endsWith('.js')) return void send('text/javascript', `document.title += ' with script'`)
  send(
    'text/html',
    `<title>Build ${site.pageBuild}</title><script src="/boot.js"></script>
    <script type="module" src="/assets/app-${site.pageBuild}.js"></script>`,
  )
})

test.beforeAll(async () => {
  server = await listen(http)
})

test.afterAll(() => server?.stop())

const cacheNames = (page: Page) => page.evaluate(() => caches.keys())

test('The service worker stores a build, shows it offline, and replaces it with the next complete one', async ({
  page,
  context,
}) => {
  await page.goto(server.url)
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/sw.js')
    await navigator.serviceWorker.ready
  })
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)

  await test.step('shows the stored page at any URL while the server cannot be reached', async () => {
    await context.setOffline(true)
    await page.goto(`${server.url}/messages`)
    await expect(page).toHaveTitle('Build 1 with script with script')
    await context.setOffline(false)
  })

  await test.step('shows the stored page instead of a proxy’s error, but not instead of other errors', async () => {
    site.status = 502
    await page.goto(`${server.url}/messages`)
    await expect(page).toHaveTitle('Build 1 with script with script')
    for (const status of [404, 500]) {
      site.status = status
      expect((await page.goto(`${server.url}/messages`))?.status()).toBe(status)
    }
    site.status = 200
  })

  await test.step('shows a new build on the next load, and then stores it', async () => {
    Object.assign(site, { build: 2, pageBuild: 2 })
    await page.goto(`${server.url}/messages`)
    await expect(page).toHaveTitle('Build 2 with script with script')
    await expect.poll(() => cacheNames(page), { timeout: 60_000 }).toEqual(['ovation-2'])
    await context.setOffline(true)
    await page.reload()
    await expect(page).toHaveTitle('Build 2 with script with script')
    await context.setOffline(false)
  })

  await test.step('keeps the stored build if the next one is incomplete', async () => {
    const update = () =>
      page.evaluate(async () => {
        const { waiting, installing } = await (await navigator.serviceWorker.ready).update()
        const worker = waiting ?? installing
        if (!worker) return 'none'
        const isSettled = () => ['redundant', 'activated'].includes(worker.state)
        while (!isSettled()) await new Promise((resolve) => worker.addEventListener('statechange', resolve))
        return worker.state
      })
    // The server has a new service worker, but still the old page.
    site.build = 3
    expect(await update()).toBe('redundant')
    expect(await cacheNames(page)).toEqual(['ovation-2'])
    site.status = 502
    await update().catch(() => undefined)
    await page.reload()
    await expect(page).toHaveTitle('Build 2 with script with script')
    site.status = 200
  })

  await test.step('does not handle API requests, range requests or requests with a method other than GET', async () => {
    const stored = '/assets/app-2.js'
    site.requests = []
    const statuses = await page.evaluate(async (path) => {
      const responses = [
        await fetch('/api/posts'),
        await fetch('/messages', { method: 'POST', body: 'An upload' }),
        await fetch(path, { headers: { range: 'bytes=0-3' }, cache: 'no-store' }),
        await fetch(path, { cache: 'no-store' }),
      ]
      return responses.map(({ status }) => status)
    }, stored)
    expect(statuses).toEqual([200, 200, 206, 200])
    // The service worker answers the last request from its cache.
    expect(site.requests).toEqual(['GET /api/posts', 'POST /messages', `GET ${stored}`])
    await context.setOffline(true)
    const hasFailed = await page.evaluate(() =>
      fetch('/api/posts').then(
        () => false,
        () => true,
      ),
    )
    expect(hasFailed).toBe(true)
    await context.setOffline(false)
  })
})
