import { expect, type Page, test } from 'playwright/test'
import { logOut } from './support/auth-forms.ts'
import { messageThread, openConversation, sendChatMessage, storedMessages } from './support/conversation.ts'
import { createSignedInUser, deleteUser } from './support/users.ts'

test.use({ serviceWorkers: 'allow' })

/** Returns the paths of the files that the service worker has stored. */
const storedPaths = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const requests: Request[] = []
    for (const name of await caches.keys()) requests.push(...(await (await caches.open(name)).keys()))
    return requests.map(({ url }) => new URL(url).pathname)
  })

/** Waits until the service worker has stored all files that the page has loaded. */
async function waitForStoredPage(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, {
    timeout: 60_000,
  })
  const listMissing = async () => {
    const loaded = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
    )
    const stored = await storedPaths(page)
    return loaded.filter((path) => path.startsWith('/assets/') && !stored.includes(path))
  }
  await expect.poll(listMissing).toEqual([])
}

/** Checks that the service worker has stored only files that everybody may download. */
async function expectOnlyPublicFiles(page: Page): Promise<void> {
  const plainFiles = ['/', '/boot.js', '/favicon.svg']
  const paths = await storedPaths(page)
  expect(paths).toEqual(expect.arrayContaining(plainFiles))
  expect(paths.filter((path) => !plainFiles.includes(path) && !path.startsWith('/assets/'))).toEqual([])
}

test('The app shows loaded content and queues messages while offline, and then catches up', async ({
  browser,
}) => {
  const [ana, ben] = [
    await createSignedInUser(browser, 'Ana Offline'),
    await createSignedInUser(browser, 'Ben Offline'),
  ]
  const page = await ana.context.newPage()
  const other = await ben.context.newPage()
  await openConversation(page, ben.account)
  await openConversation(other, ana.account)
  await sendChatMessage(page, 'Before')
  await expect(storedMessages(page)).toHaveCount(1)
  await waitForStoredPage(page)
  const url = page.url()
  const offlineNotice = page.getByRole('status').filter({ hasText: "You're offline." })

  await test.step('says that it is offline, keeps showing loaded messages and queues new ones', async () => {
    await ana.context.setOffline(true)
    await expect(offlineNotice).toBeVisible()
    await expect(messageThread(page).getByText('Before')).toBeVisible()
    await sendChatMessage(page, 'Written offline')
    await expect(messageThread(page).getByText("Not sent yet. We'll keep trying.")).toBeVisible()
    // The offline notice gives the reason, so there is no error toast.
    await expect(page.getByText('Message Not Sent')).toHaveCount(0)
  })

  await test.step('says after a reload that the user is offline, and loads everything when the connection is back', async () => {
    await page.reload()
    await expect(page.getByRole('heading', { name: "You're offline" })).toBeVisible()
    await ana.context.setOffline(false)
    await expect(storedMessages(page)).toContainText(['Before', 'Written offline'], { timeout: 60_000 })
    await expect(messageThread(other).getByText('Written offline')).toBeVisible()
  })

  await test.step('says that it is connected again, and loads the messages that it missed', async () => {
    await ana.context.setOffline(true)
    await expect(offlineNotice).toBeVisible()
    await sendChatMessage(other, 'Sent meanwhile')
    await expect(storedMessages(other)).toHaveCount(3)
    // The notice disappears after three seconds, so the test starts waiting for it before going online.
    const notice = page.getByText('Connected again.').waitFor()
    await ana.context.setOffline(false)
    await notice
    await expect(messageThread(page).getByText('Sent meanwhile')).toBeVisible()
  })

  await test.step('stores only public files, so that no user data is left after signing out', async () => {
    await expectOnlyPublicFiles(page)
    await logOut(page)
    await expect(page.getByRole('link', { name: 'Sign In' }).first()).toBeVisible()
    await expectOnlyPublicFiles(page)
    await ana.context.setOffline(true)
    await page.goto(url)
    await expect(page.getByText('Please log in to view messages.')).toBeVisible()
    await expect(page.getByText('Before')).toHaveCount(0)
    await ana.context.setOffline(false)
  })

  await deleteUser(ben)
  await deleteUser(ana)
})

test('The app says that the server is down, and recovers without a reload', async ({ browser }) => {
  const ana = await createSignedInUser(browser, 'Ana Down')
  const page = await ana.context.newPage()
  await page.goto('/messages')
  await expect(page.getByText('No conversations yet')).toBeVisible()
  await waitForStoredPage(page)

  await test.step('says that the server cannot be reached', async () => {
    await ana.context.route(/\/(api|auth|realtime)\//, (route) => route.abort())
    await page.goto('/notifications')
    await expect(page.getByText("We can't reach Ovation right now")).toBeVisible()
  })
  await test.step('recovers without an `online` event from the browser', async () => {
    await ana.context.unrouteAll()
    await expect(page.getByRole('heading', { name: 'Notifications', level: 1 })).toBeVisible({
      timeout: 30_000,
    })
  })
  await deleteUser(ana)
})
