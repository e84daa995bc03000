import { request } from 'node:http'
import { postJson, registerAndSignIn } from './api-client.mjs'

/** @typedef {import('playwright').Browser} Browser */
/** @typedef {import('playwright').BrowserContext} BrowserContext */
/** @typedef {{ path: string, br: number, gzip: number }} Script the transferred bytes of a script by encoding */
/**
 * @typedef {{ scripts: Script[], requests: string[] }} Downloads `requests` contains each URL once, without images,
 * which depend on the posts
 */

/**
 * The two pages on which most visits start: the landing page for visitors, and the feed for signed-in users. On pages
 * with `startsLater`, the app starts ten seconds after the page has loaded.
 */
export const pages = {
  landing: { ready: 'h1', startsLater: true, budget: { scripts: 5, scriptBytes: 170_000, requests: 10 } },
  feed: {
    ready: '#main article',
    startsLater: false,
    budget: { scripts: 10, scriptBytes: 350_000, requests: 24 },
  },
}

/**
 * Creates a user with a feed of ten posts, and returns the storage state of a browser context in which this user is
 * signed in. Needs a stack that has neither a captcha nor rate limits.
 *
 * @param {Browser} browser
 * @param {string} origin
 */
export async function createFeedReader(browser, origin) {
  const { email, password, token } = await registerAndSignIn(origin, 'feed_reader')
  await postJson(`${origin}/api/user/onboarded`, {}, token)
  for (let index = 0; index < 10; index++)
    await postJson(`${origin}/api/posts`, { content: `Post ${index}.` }, token)
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.goto(`${origin}/login`)
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign In' }).click()
    await page.locator(pages.feed.ready).first().waitFor()
    return await context.storageState()
  } finally {
    await context.close()
  }
}

/**
 * Loads a page with an empty cache and returns what the browser downloads until the page is complete.
 *
 * @param {BrowserContext} context
 * @param {string} origin
 * @param {keyof typeof pages} name
 * @returns {Promise<Downloads>}
 */
export async function measureDownloads(context, origin, name) {
  const page = await context.newPage()
  const requests = new Set()
  const scripts = new Set()
  page.on('response', (response) => {
    if (response.request().resourceType() !== 'image') requests.add(response.url())
    const type = response.headers()['content-type'] ?? ''
    if (response.ok() && type.includes('javascript')) scripts.add(response.url())
  })
  await page.goto(origin)
  await page.locator(pages[name].ready).first().waitFor()
  if (pages[name].startsLater) await waitForApp(page)
  await page.waitForLoadState('networkidle')
  await page.close()
  return {
    requests: [...requests].map((url) => url.replace(origin, '')),
    scripts: await Promise.all(
      [...scripts].map(async (url) => ({
        path: new URL(url).pathname,
        br: await transferSize(url, 'br'),
        gzip: await transferSize(url, 'gzip'),
      })),
    ),
  }
}

/**
 * Waits until the app has started by itself and replaced the prerendered landing page. Does not start it with an
 * interaction, because an interaction would also load data that only a visitor who stays needs.
 *
 * @param {import('playwright').Page} page
 */
async function waitForApp(page) {
  await page.locator('#prerendered').waitFor({ state: 'detached', timeout: 120_000 })
}

/** @param {Script[]} scripts @param {'br' | 'gzip'} encoding */
export const totalBytes = (scripts, encoding) => scripts.reduce((sum, script) => sum + script[encoding], 0)

/**
 * Returns a line for each exceeded budget of a page, followed by all scripts or requests, so that a new script or
 * request is easy to find.
 *
 * @param {keyof typeof pages} name
 * @param {Downloads} downloads
 */
export function findExceededBudgets(name, { scripts, requests }) {
  const { budget } = pages[name]
  const scriptList = scripts.map(({ path, br }) => `  ${path}: ${br} bytes`)
  const bytes = totalBytes(scripts, 'br')
  const problems = []
  if (scripts.length > budget.scripts)
    problems.push(`${name}: ${scripts.length} JavaScript files, allowed ${budget.scripts}`, ...scriptList)
  if (bytes > budget.scriptBytes)
    problems.push(`${name}: ${bytes} bytes of JavaScript, allowed ${budget.scriptBytes}`, ...scriptList)
  if (requests.length > budget.requests)
    problems.push(
      `${name}: ${requests.length} requests, allowed ${budget.requests}`,
      ...requests.map((path) => `  ${path}`),
    )
  return problems
}

/**
 * Loads a page as a phone with a slow CPU and a slow connection does: 1.6 Mbit/s, 150 ms latency and, by default, a
 * quarter of this machine's CPU speed.
 *
 * @param {Browser} browser
 * @param {string} origin
 * @param {keyof typeof pages} name
 * @param {Awaited<ReturnType<BrowserContext['storageState']>>} [storageState]
 * @param {number} [cpuSlowdown] how many times slower the page's CPU is than this machine's
 * @returns {Promise<{ readyMs: number, blockingMs: number, startMs: number }>} the time until the main content is in
 * the page; the blocking time, which is the total time by which long tasks exceeded 50 ms each; and, of a page with
 * `startsLater`, the blocking time of starting the app afterwards, otherwise 0
 */
export async function measureSlowLoad(browser, origin, name, storageState, cpuSlowdown = 4) {
  const context = await browser.newContext({
    storageState,
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
  })
  try {
    const page = await context.newPage()
    const client = await context.newCDPSession(page)
    const bytesPerSecond = 1_600_000 / 8
    await client.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 150,
      downloadThroughput: bytesPerSecond,
      uploadThroughput: bytesPerSecond / 2,
    })
    await client.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
    await page.addInitScript(recordLoad, pages[name].ready)
    await page.goto(origin, { timeout: 120_000 })
    await page.waitForFunction(() => window.readyMs > 0, undefined, { timeout: 120_000 })
    await page.waitForLoadState('networkidle', { timeout: 120_000 })
    const { readyMs, blockingMs } = await page.evaluate(() => ({
      readyMs: window.readyMs,
      blockingMs: window.blockingMs,
    }))
    if (!pages[name].startsLater) return { readyMs, blockingMs, startMs: 0 }
    await waitForApp(page)
    await page.waitForLoadState('networkidle', { timeout: 120_000 })
    return { readyMs, blockingMs, startMs: (await page.evaluate(() => window.blockingMs)) - blockingMs }
  } finally {
    await context.close()
  }
}

/** Runs in the page. @param {string} ready the selector of the main content */
function recordLoad(ready) {
  window.readyMs = 0
  window.blockingMs = 0
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.blockingMs += duration - 50
  }).observe({ type: 'longtask', buffered: true })
  const observer = new MutationObserver(() => {
    if (!document.querySelector(ready)) return
    observer.disconnect()
    // Runs after the frame that paints the content.
    requestAnimationFrame(() =>
      setTimeout(() => {
        window.readyMs = performance.now()
      }),
    )
  })
  observer.observe(document, { childList: true, subtree: true })
}

/** @param {string} url @param {string} encoding @returns {Promise<number>} bytes of the compressed body */
function transferSize(url, encoding) {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { headers: { 'accept-encoding': encoding } }, (response) => {
      let bytes = 0
      response.on('data', (chunk) => {
        bytes += chunk.length
      })
      response.on('end', () => resolve(bytes))
      response.on('error', reject)
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}
