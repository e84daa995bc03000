import { setTimeout as sleep } from 'node:timers/promises'
import { decodeJwt, SignJWT } from 'jose'
import { type BrowserContext, expect, type Page, test } from 'playwright/test'
import { readSecrets } from '../support/connection.ts'
import { sendMessage } from './support/content.ts'
import { messageThread, renderedMessageNumbers } from './support/conversation.ts'
import { phoneViewport } from './support/page.ts'
import { readStoredSession, type StoredSession, setSessionCookies } from './support/session-cookies.ts'
import { launchThrottlingBrowser, type ThrottlingBrowser } from './support/throttling-browser.ts'
import { createSignedInUser, deleteUser, signInContext } from './support/users.ts'

/** How long the tab stays frozen: longer than the 25 seconds between two heartbeats of the socket. */
const frozenMs = 28_000

const pausedNotice = 'Live updates are paused. Checking every 30 seconds.'

/**
 * Returns the session with a new access token that expires in `seconds`, or has already expired if the number is
 * negative. The refresh token stays valid.
 *
 * @param isKnown whether to update the session's own expiry time too. If not, the browser does not know that the token
 *   has expired until the server rejects it, as if the browser's clock were slow.
 */
async function withTokenExpiry(
  session: StoredSession,
  seconds: number,
  isKnown: boolean,
): Promise<StoredSession> {
  const expiresAt = Math.floor(Date.now() / 1000) + seconds
  const token = await new SignJWT(decodeJwt(session.access_token ?? ''))
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setExpirationTime(expiresAt)
    .sign(new TextEncoder().encode(readSecrets().jwtSecret))
  return { ...session, access_token: token, ...(isKnown && { expires_at: expiresAt, expires_in: seconds }) }
}

/** Returns a function that counts the page's open WebSockets, ignoring any that were opened before this call. */
function trackOpenSockets(page: Page): () => number {
  let open = 0
  page.on('websocket', (socket) => {
    open += 1
    socket.on('close', () => {
      open -= 1
    })
  })
  return () => open
}

/** Makes requests to renew the token fail until the returned function is called. */
async function blockTokenRenewal(context: BrowserContext): Promise<() => Promise<void>> {
  const url = '**/auth/v1/token?*'
  await context.route(url, (route) => route.fulfill({ status: 503, body: '' }))
  return () => context.unroute(url)
}

let throttlingBrowser: ThrottlingBrowser | undefined
// Playwright does not close a browser that it did not launch.
test.afterEach(() => throttlingBrowser?.close())

test.describe('Message delivery to background tabs', () => {
  test('a hidden tab, a frozen tab and a page whose token expired show each message exactly once', async ({
    browser,
    baseURL,
    launchOptions,
  }) => {
    if (!baseURL) throw new Error('There is no base URL.')
    const [ana, ben] = await Promise.all([
      createSignedInUser(browser, 'Ana Wakes'),
      createSignedInUser(browser, 'Ben Wakes'),
    ])
    const session = await readStoredSession(ben.context)
    throttlingBrowser = await launchThrottlingBrowser(launchOptions)
    const tabs = throttlingBrowser.context
    await setSessionCookies(tabs, session, baseURL)
    const phone = await browser.newContext({ viewport: phoneViewport })
    await signInContext(phone, ben.account)

    const messageIds: string[] = []
    /** Sends Ana's next messages, up to number `last`. */
    const sendUpTo = async (last: number) => {
      for (let number = messageIds.length + 1; number <= last; number += 1) {
        messageIds.push((await sendMessage(ana, ben, { content: `Number ${number}` })).id)
      }
    }
    const editMessage = (number: number, content: string) =>
      ana.context.request.patch(`/api/messages/${messageIds[number - 1]}`, { data: { content } })
    const deleteMessage = (number: number) =>
      ana.context.request.delete(`/api/messages/${messageIds[number - 1]}`)
    const countUnread = async () =>
      (await (await ben.context.request.get('/api/messages/unread-count')).json()).count
    const openAnaConversation = async (context: BrowserContext) => {
      const page = await context.newPage()
      const countSockets = trackOpenSockets(page)
      await page.goto(`${baseURL}/messages?user=${ana.id}`)
      await expect(messageThread(page).getByText('Number 1', { exact: true })).toBeVisible({
        timeout: 20_000,
      })
      return { page, countSockets }
    }
    const expectMessages = (page: Page, numbers: number[], timeout = 15_000) =>
      expect.poll(() => renderedMessageNumbers(page), { timeout }).toEqual(numbers)

    await sendUpTo(1)
    const frozen = await openAnaConversation(tabs)
    const hidden = await openAnaConversation(tabs)
    const visible = await tabs.newPage()
    await visible.bringToFront()
    const devtools = await tabs.newCDPSession(frozen.page)
    await devtools.send('Page.setWebLifecycleState', { state: 'frozen' })
    const frozenAt = Date.now()

    await test.step('a hidden tab receives messages immediately and does not mark them read', async () => {
      expect(await hidden.page.evaluate(() => document.visibilityState)).toBe('hidden')
      await sendUpTo(3)
      await expectMessages(hidden.page, [1, 2, 3])
      await expect(hidden.page).toHaveTitle(/^\(\d\) /)
      expect(await countUnread()).toBe(2)
    })

    const phoneTab = await openAnaConversation(phone)
    await test.step('a page whose token has expired says that live updates are paused, and catches up after renewing the token', async () => {
      // Waits until the client has added the user to the stored session. Otherwise, the client would later overwrite
      // the session that is set below.
      await expect.poll(async () => Object.keys(await readStoredSession(phone))).toContain('user')
      const allowRenewal = await blockTokenRenewal(phone)
      await setSessionCookies(phone, await withTokenExpiry(await readStoredSession(phone), 6, false), baseURL)
      // Going online makes the page rejoin its channels with the token that is about to expire.
      await phoneTab.page.evaluate(() => window.dispatchEvent(new Event('online')))
      await expect(phoneTab.page.getByText(pausedNotice)).toBeVisible({ timeout: 30_000 })
      await sendUpTo(5)
      await editMessage(3, 'Number 3, corrected')
      await deleteMessage(4)
      await expectMessages(hidden.page, [1, 2, 3, 5])
      await allowRenewal()
      await expectMessages(phoneTab.page, [1, 2, 3, 5], 40_000)
      await expect(phoneTab.page.getByText(pausedNotice)).toBeHidden({ timeout: 40_000 })
    })

    await test.step('a frozen tab whose token has expired catches up after waking', async () => {
      await sleep(Math.max(0, frozenAt + frozenMs - Date.now()))
      expect(await renderedMessageNumbers(frozen.page)).toEqual([1])
      await setSessionCookies(tabs, await withTokenExpiry(await readStoredSession(tabs), -60, true), baseURL)
      await devtools.send('Page.setWebLifecycleState', { state: 'active' })
      await frozen.page.bringToFront()
      await expectMessages(frozen.page, [1, 2, 3, 5])
      await expect(messageThread(frozen.page).getByText('Number 3, corrected')).toBeVisible()
      await expect(messageThread(frozen.page).getByText('Message deleted')).toHaveCount(1)
    })

    await test.step('every page stays in sync and has exactly one open socket', async () => {
      await sendUpTo(6)
      for (const { page, countSockets } of [frozen, hidden, phoneTab]) {
        await expectMessages(page, [1, 2, 3, 5, 6])
        await expect.poll(countSockets).toBe(1)
      }
      await hidden.page.bringToFront()
      await expectMessages(hidden.page, [1, 2, 3, 5, 6])
      await expect(hidden.page).toHaveTitle(/^(\(1\) )?Messages/)
      expect(await countUnread()).toBe(0)
    })

    await phone.close()
    await deleteUser(ana)
    await deleteUser(ben)
  })
})
