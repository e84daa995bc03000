import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { OwnUser } from '@contract/user.ts'
import { decodeJwt, SignJWT } from 'jose'
import { type BrowserContext, expect, type Page, test } from 'playwright/test'
import { type NaturalBrowser, openNaturalBrowser } from './natural-browser.ts'
import { type KeptSession, keepSession, keptSession } from './session-cookies.ts'
import { join as comeIn, enter, forget, thread } from './support.ts'

/** Milliseconds: longer than the 25 seconds between two heartbeats of the socket. */
const nap = 28_000

const paused = 'Live updates are paused. Checking every 30 seconds.'

const secretsPath = join(dirname(process.env.OVATION_CONNECTION ?? ''), 'secrets.json')
const { jwtSecret } = JSON.parse(readFileSync(secretsPath, 'utf8')) as { jwtSecret: string }

/**
 * The session with a token that ends in so many seconds; a negative number: that ended. It can still be renewed. A
 * browser that is not told of it learns it from the server, as one does whose clock is slow.
 */
async function endingIn(session: KeptSession, seconds: number, told: boolean): Promise<KeptSession> {
  const expires = Math.floor(Date.now() / 1000) + seconds
  const token = await new SignJWT(decodeJwt(session.access_token ?? ''))
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setExpirationTime(expires)
    .sign(new TextEncoder().encode(jwtSecret))
  return { ...session, access_token: token, ...(told && { expires_at: expires, expires_in: seconds }) }
}

const idOf = async (context: BrowserContext) =>
  OwnUser.parse(await (await context.request.get('/api/auth/user')).json()).id

/** What a page draws of the numbered messages, from top to bottom. */
const numbersShown = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('[data-message]')].flatMap((bubble) => {
      const number = /^Number (\d+)/.exec(bubble.textContent ?? '')?.[1]
      return number ? [Number(number)] : []
    }),
  )

/** How many sockets of a page are open, from now on. */
function countSockets(page: Page): () => number {
  let open = 0
  page.on('websocket', (socket) => {
    open += 1
    socket.on('close', () => {
      open -= 1
    })
  })
  return () => open
}

/** Auth gives no new token until the answer is called. */
async function withoutRenewal(context: BrowserContext): Promise<() => Promise<void>> {
  const path = '**/auth/v1/token?*'
  await context.route(path, (route) => route.fulfill({ status: 503, body: '' }))
  return () => context.unroute(path)
}

let natural: NaturalBrowser | undefined
// It is nobody else's to end, however the journey went.
test.afterEach(() => natural?.close())

test('a tab in the background, one that slept and a page whose token ran out miss nothing and double nothing', async ({
  browser,
  baseURL,
  launchOptions,
}) => {
  if (!baseURL) throw new Error('There is no address to open')
  const [ana, ben] = await Promise.all([comeIn(browser, 'Ana Wakes'), comeIn(browser, 'Ben Wakes')])
  const [anaId, benId] = [await idOf(ana.context), await idOf(ben.context)]
  const session = await keptSession(ben.context)
  natural = await openNaturalBrowser(launchOptions)
  const tabs = natural.context
  await keepSession(tabs, session, baseURL)
  const phone = await browser.newContext({ viewport: { width: 390, height: 844 } })
  await enter(phone, ben.who)

  const ids: string[] = []
  const write = async (last: number) => {
    for (let number = ids.length + 1; number <= last; number += 1) {
      const data = { receiverId: benId, content: `Number ${number}` }
      ids.push((await (await ana.context.request.post('/api/messages', { data })).json()).id)
    }
  }
  const change = (number: number, content: string) =>
    ana.context.request.patch(`/api/messages/${ids[number - 1]}`, { data: { content } })
  const takeBack = (number: number) => ana.context.request.delete(`/api/messages/${ids[number - 1]}`)
  const unread = async () =>
    (await (await ben.context.request.get('/api/messages/unread-count')).json()).count
  const open = async (context: BrowserContext) => {
    const page = await context.newPage()
    const sockets = countSockets(page)
    await page.goto(`${baseURL}/messages?user=${anaId}`)
    await expect(thread(page).getByText('Number 1', { exact: true })).toBeVisible({ timeout: 20_000 })
    return { page, sockets }
  }
  const shows = (page: Page, numbers: number[], timeout = 15_000) =>
    expect.poll(() => numbersShown(page), { timeout }).toEqual(numbers)

  await write(1)
  const asleep = await open(tabs)
  const hidden = await open(tabs)
  const front = await tabs.newPage()
  await front.bringToFront()
  const devtools = await tabs.newCDPSession(asleep.page)
  await devtools.send('Page.setWebLifecycleState', { state: 'frozen' })
  const sleptSince = Date.now()

  await test.step('A tab in the background hears at once, and takes nothing for read', async () => {
    expect(await hidden.page.evaluate(() => document.visibilityState)).toBe('hidden')
    await write(3)
    await shows(hidden.page, [1, 2, 3])
    await expect(hidden.page).toHaveTitle(/^\(\d\) /)
    expect(await unread()).toBe(2)
  })

  const awake = await open(phone)
  await test.step('A page whose token runs out says that it checks now and then', async () => {
    // The client asks who it is for and keeps that too: until then it would write over what is put in its place.
    await expect.poll(async () => Object.keys(await keptSession(phone))).toContain('user')
    const renew = await withoutRenewal(phone)
    await keepSession(phone, await endingIn(await keptSession(phone), 6, false), baseURL)
    // Another network: it joins again, with that token.
    await awake.page.evaluate(() => window.dispatchEvent(new Event('online')))
    await expect(awake.page.getByText(paused)).toBeVisible({ timeout: 30_000 })
    await write(5)
    await change(3, 'Number 3, put right')
    await takeBack(4)
    await shows(hidden.page, [1, 2, 3, 5])
    await renew()
    await shows(awake.page, [1, 2, 3, 5], 40_000)
    await expect(awake.page.getByText(paused)).toBeHidden({ timeout: 40_000 })
  })

  await test.step('One that slept through all of it, and past its token, wakes', async () => {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, sleptSince + nap - Date.now())))
    expect(await numbersShown(asleep.page)).toEqual([1])
    await keepSession(tabs, await endingIn(await keptSession(tabs), -60, true), baseURL)
    await devtools.send('Page.setWebLifecycleState', { state: 'active' })
    await asleep.page.bringToFront()
    await shows(asleep.page, [1, 2, 3, 5])
    await expect(thread(asleep.page).getByText('Number 3, put right')).toBeVisible()
    await expect(thread(asleep.page).getByText('Message deleted')).toHaveCount(1)
  })

  await test.step('All go on as one, each with one socket', async () => {
    await write(6)
    for (const { page, sockets } of [asleep, hidden, awake]) {
      await shows(page, [1, 2, 3, 5, 6])
      expect(sockets()).toBe(1)
    }
    await hidden.page.bringToFront()
    await shows(hidden.page, [1, 2, 3, 5, 6])
    await expect(hidden.page).toHaveTitle(/^(\(1\) )?Messages/)
    expect(await unread()).toBe(0)
  })

  await phone.close()
  await forget(ana)
  await forget(ben)
})
