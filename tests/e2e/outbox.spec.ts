import { expect, type Page, test } from 'playwright/test'
import { createJpegWithMetadata } from '../support/media-files.ts'
import { accountMenuButton, logOut } from './support/auth-forms.ts'
import { postToApi } from './support/content.ts'
import {
  messageInput,
  messageThread,
  openConversation,
  sendChatMessage,
  storedMessages,
} from './support/conversation.ts'
import { collectPageErrors, phoneViewport, reloadAndAnswerPrompt } from './support/page.ts'
import { expectToastUnobstructed } from './support/toasts.ts'
import { createSignedInUser, createUserOnHomeFeed, deleteUser } from './support/users.ts'

/** Returns the messages of the open conversation that the server has not stored yet. */
const unsentMessages = (page: Page) => messageThread(page).locator('[data-message]:not([data-state=sent])')

/** Returns how many unsent messages IndexedDB contains. Runs in the page. */
const countPersistedMessages = () =>
  new Promise<number>((resolve, reject) => {
    const opening = indexedDB.open('ovation')
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      const counting = opening.result.transaction('unsent').objectStore('unsent').count()
      counting.onsuccess = () => {
        opening.result.close()
        resolve(counting.result)
      }
    }
  })

test.describe('Message outbox', () => {
  test('keeps unsent messages and images across a reload, and delivers them once and in order', async ({
    browser,
  }) => {
    const [ana, ben] = await Promise.all([
      createUserOnHomeFeed(browser, 'Ana Outbox'),
      createUserOnHomeFeed(browser, 'Ben Outbox'),
    ])
    const collected = collectPageErrors(ben.page)
    await Promise.all([openConversation(ben.page, ana.account), openConversation(ana.page, ben.account)])

    await test.step('queues messages and an image while the server cannot be reached', async () => {
      for (const path of ['**/api/messages', '**/api/upload']) {
        await ana.context.route(path, (route) => route.abort())
      }
      // On a phone, a toast could cover the input.
      await ana.page.setViewportSize(phoneViewport)
      await sendChatMessage(ana.page, 'Never to be sent')
      await expectToastUnobstructed(ana.page, 'Message Not Sent', messageInput(ana.page))
      await sendChatMessage(ana.page, 'First of three')
      await ana.page.locator('form input[type=file]').setInputFiles({
        name: 'ridge.jpg',
        mimeType: 'image/jpeg',
        buffer: createJpegWithMetadata(),
      })
      await expect(ana.page.getByRole('status', { name: 'Preparing photo' })).toBeHidden()
      await sendChatMessage(ana.page, 'Second, with a view')
      await expect(ana.page.getByRole('group', { name: 'Photo' })).toBeHidden()
      await sendChatMessage(ana.page, 'Third')
      await ana.page.setViewportSize({ width: 1280, height: 720 })
      // A message is stored in IndexedDB a moment after it is shown.
      await expect.poll(() => ana.page.evaluate(countPersistedMessages)).toBe(4)
      await ana.page.reload()
      await expect(messageInput(ana.page)).toBeVisible({ timeout: 20_000 })
      await expect(unsentMessages(ana.page)).toContainText([
        'Never to be sent',
        'First of three',
        'Second, with a view',
        'Third',
      ])
    })

    await test.step('asks before signing out, which would lose the messages', async () => {
      await logOut(ana.page)
      const dialog = ana.page.getByRole('alertdialog', { name: 'Log out with unsent messages?' })
      await expect(dialog).toContainText('4 messages have not been sent yet.')
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await expect(dialog).toBeHidden()
      await expect(accountMenuButton(ana.page)).toBeFocused()
    })

    await test.step('discards a message in every tab', async () => {
      const otherTab = await ana.context.newPage()
      await otherTab.goto(ana.page.url())
      await expect(unsentMessages(otherTab)).toHaveCount(4)
      await unsentMessages(ana.page)
        .filter({ hasText: 'Never to be sent' })
        .getByRole('button', { name: 'Discard' })
        .click()
      await expect(unsentMessages(otherTab)).toHaveCount(3)
      await expect(unsentMessages(ana.page)).toHaveCount(3)
      await ana.context.unrouteAll()
      for (const page of [ana.page, otherTab]) {
        await page.evaluate(() => window.dispatchEvent(new Event('online')))
      }
    })

    const texts = ['First of three', 'Second, with a view', 'Third']
    await test.step('delivers every message once and in order when the server is back', async () => {
      await expect(storedMessages(ben.page)).toContainText(texts)
      // The image is rotated according to its EXIF data, so it is taller than it is wide.
      const picture = storedMessages(ben.page).nth(1).getByAltText('Photo from Ana Outbox')
      await expect
        .poll(() => picture.evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth))
        .toBe(16)
      await expect(unsentMessages(ana.page)).toHaveCount(0)
      await ben.page.reload()
      await expect(storedMessages(ben.page)).toContainText(texts)
    })

    await test.step('finds a message by text and opens the message', async () => {
      await ben.page.getByRole('searchbox', { name: 'Search people and messages' }).fill('a VIEW')
      const searchResult = ben.page.getByRole('region', { name: 'Messages found' }).getByRole('link')
      await expect(searchResult).toHaveCount(1)
      await expect(searchResult.locator('mark')).toHaveText('a view')
      await searchResult.click()
      await expect(ben.page).toHaveURL(/&message=/)
      await expect(messageThread(ben.page).getByText('Second, with a view')).toBeInViewport()
    })

    expect(collected.errors).toEqual([])
    await deleteUser(ana)
    await deleteUser(ben)
  })

  test('warns and asks before leaving when the browser cannot store messages', async ({ browser }) => {
    const [ana, ben] = await Promise.all([
      createSignedInUser(browser, 'Ana Private'),
      createSignedInUser(browser, 'Ben Private'),
    ])
    await ana.context.addInitScript(() => {
      Object.defineProperty(window, 'indexedDB', {
        get: () => {
          throw new DOMException('The operation is insecure.', 'SecurityError')
        },
      })
    })
    const page = await ana.context.newPage()
    await openConversation(page, ben.account)
    await ana.context.route('**/api/messages', (route) => route.abort())
    await sendChatMessage(page, 'Only here')
    await sendChatMessage(page, 'This too')
    const warning = messageThread(page).getByText("Keep this page open until it's sent.")
    await expect(warning).toHaveCount(2)

    await reloadAndAnswerPrompt(page, 'dismiss')
    await expect(unsentMessages(page)).toContainText(['Only here', 'This too'])

    await ana.context.unrouteAll()
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await expect(storedMessages(page)).toContainText(['Only here', 'This too'])
    await expect(warning).toHaveCount(0)
    // No message would be lost now, so the page does not ask.
    await page.reload()
    await expect(storedMessages(page)).toHaveCount(2)
    await deleteUser(ana)
    await deleteUser(ben)
  })
})

test.describe('Direct message permission', () => {
  test('disables an open conversation as soon as messages are no longer allowed, and says why', async ({
    browser,
  }) => {
    const [ana, ben] = await Promise.all([
      createSignedInUser(browser, 'Ana Quiet'),
      createSignedInUser(browser, 'Ben Quiet'),
    ])
    const page = await ben.context.newPage()
    await openConversation(page, ana.account)
    const input = messageInput(page)
    await sendChatMessage(page, 'Hello')
    await expect(storedMessages(page)).toHaveCount(1)
    await input.fill('Half a sentence')
    const setAllowDirectMessages = (allowDirectMessages: boolean) =>
      ana.context.request.patch('/api/settings/privacy', { data: { allowDirectMessages } })

    await setAllowDirectMessages(false)
    await expect(page.getByText('This user has disabled direct messages')).toBeVisible({ timeout: 2000 })
    await expect(input).toBeHidden()
    await setAllowDirectMessages(true)
    // When the browser goes online, and every 30 seconds, the page checks whether messages are allowed again.
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await expect(input).toHaveValue('Half a sentence')

    await postToApi(ana, `/api/users/${ben.id}/block`)
    // Events on the conversation's channel cause at most one refetch every 5 seconds.
    await expect(page.getByText("You can't message Ana Quiet right now.")).toBeVisible({
      timeout: 7000,
    })
    await expect(page.getByText('This user has disabled direct messages')).toHaveCount(0)
    await expect(messageThread(page).getByText('Hello')).toBeVisible()
    await deleteUser(ana)
    await deleteUser(ben)
  })
})
