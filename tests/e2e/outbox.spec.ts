import { expect, type Page, test } from 'playwright/test'
import { talkativeJpeg } from '../support/pictures.ts'
import {
  arrive,
  expectToastInSight,
  forget,
  join,
  logOut,
  openConversation,
  say,
  sql,
  thread,
  watchErrors,
} from './support.ts'

test.describe.configure({ retries: 0 })

/** The messages of the open conversation, those that are stored or those that are not. */
const stored = (page: Page) => thread(page).locator('[data-message][data-state=sent]')
const unsent = (page: Page) => thread(page).locator('[data-message]:not([data-state=sent])')

test('what is written offline survives a reload and arrives once, in order, pictures too', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([arrive(browser, 'Ana Outbox'), arrive(browser, 'Ben Outbox')])
  const watched = watchErrors(ben.page)
  await Promise.all([openConversation(ben.page, ana.who), openConversation(ana.page, ben.who)])

  await test.step('Ana writes, a picture too, while the server cannot be reached', async () => {
    for (const path of ['**/api/messages', '**/api/upload']) {
      await ana.context.route(path, (route) => route.abort())
    }
    // On a phone, where toasts would lie on the box.
    await ana.page.setViewportSize({ width: 390, height: 844 })
    await say(ana.page, 'Never to be sent')
    await expectToastInSight(ana.page, 'Message Not Sent', ana.page.getByPlaceholder('Type a message...'))
    await say(ana.page, 'First of three')
    await ana.page.locator('form input[type=file]').setInputFiles({
      name: 'ridge.jpg',
      mimeType: 'image/jpeg',
      buffer: talkativeJpeg(),
    })
    await expect(ana.page.getByRole('status', { name: 'Preparing the picture' })).toBeHidden()
    await say(ana.page, 'Second, with a view')
    await expect(ana.page.getByRole('group', { name: 'Picture' })).toBeHidden()
    await say(ana.page, 'Third')
    await ana.page.setViewportSize({ width: 1280, height: 720 })
    await ana.page.reload()
    await expect(ana.page.getByPlaceholder('Type a message...')).toBeVisible({ timeout: 20_000 })
    await expect(unsent(ana.page)).toContainText([
      'Never to be sent',
      'First of three',
      'Second, with a view',
      'Third',
    ])
  })

  await test.step('To log out would lose them: she is asked, and stays', async () => {
    await logOut(ana.page)
    const dialog = ana.page.getByRole('alertdialog', { name: 'Log out with unsent messages?' })
    await expect(dialog).toContainText('4 messages have not been sent yet.')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog).toBeHidden()
    await expect(ana.page.getByRole('button', { name: /^Account of/ })).toBeFocused()
  })

  await test.step('She discards one, in another tab of hers as well', async () => {
    const other = await ana.context.newPage()
    await other.goto(ana.page.url())
    await expect(unsent(other)).toHaveCount(4)
    await unsent(ana.page)
      .filter({ hasText: 'Never to be sent' })
      .getByRole('button', { name: 'Discard' })
      .click()
    await expect(unsent(other)).toHaveCount(3)
    await expect(unsent(ana.page)).toHaveCount(3)
    await ana.context.unrouteAll()
    for (const page of [ana.page, other]) {
      await page.evaluate(() => window.dispatchEvent(new Event('online')))
    }
  })

  const all = ['First of three', 'Second, with a view', 'Third']
  await test.step('With the server back, all of it arrives once and in order', async () => {
    await expect(stored(ben.page)).toContainText(all)
    // Turned as its own data says: higher than wide.
    const picture = stored(ben.page).nth(1).getByAltText('Picture from Ana Outbox')
    await expect
      .poll(() => picture.evaluate((img) => img instanceof HTMLImageElement && img.naturalWidth))
      .toBe(16)
    await expect(unsent(ana.page)).toHaveCount(0)
    await ben.page.reload()
    await expect(stored(ben.page)).toContainText(all)
  })

  await test.step('Ben finds it by its words, and the link opens it', async () => {
    await ben.page.getByRole('searchbox', { name: /in your messages/ }).fill('a VIEW')
    const found = ben.page.getByRole('region', { name: 'Messages found' }).getByRole('link')
    await expect(found).toHaveCount(1)
    await expect(found.locator('mark')).toHaveText('a view')
    await found.click()
    await expect(ben.page).toHaveURL(/&message=/)
    await expect(thread(ben.page).getByText('Second, with a view')).toBeInViewport()
  })

  expect(watched.errors).toEqual([])
  await forget(ana)
  await forget(ben)
})

test('where the browser keeps nothing, the page says so and asks before it is left', async ({ browser }) => {
  const [ana, ben] = await Promise.all([join(browser, 'Ana Private'), join(browser, 'Ben Private')])
  await ana.context.addInitScript(() => {
    Object.defineProperty(window, 'indexedDB', {
      get: () => {
        throw new DOMException('The operation is insecure.', 'SecurityError')
      },
    })
  })
  const page = await ana.context.newPage()
  await openConversation(page, ben.who)
  await ana.context.route('**/api/messages', (route) => route.abort())
  await say(page, 'Only here')
  await say(page, 'This too')
  const warning = thread(page).getByText('This browser keeps it only while this page is open.')
  await expect(warning).toHaveCount(2)

  const asks = page.waitForEvent('dialog')
  await page.evaluate(() => {
    setTimeout(() => location.reload())
  })
  const question = await asks
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()
  await expect(unsent(page)).toContainText(['Only here', 'This too'])

  await ana.context.unrouteAll()
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await expect(stored(page)).toContainText(['Only here', 'This too'])
  await expect(warning).toHaveCount(0)
  // Nothing is lost now, and nothing is asked.
  await page.reload()
  await expect(stored(page)).toHaveCount(2)
  await forget(ana)
  await forget(ben)
})

test('an open conversation hears at once that nothing may be written any more, and why', async ({
  browser,
}) => {
  const [ana, ben] = await Promise.all([join(browser, 'Ana Quiet'), join(browser, 'Ben Quiet')])
  const page = await ben.context.newPage()
  await openConversation(page, ana.who)
  const box = page.getByPlaceholder('Type a message...')
  await say(page, 'Hello')
  await expect(stored(page)).toHaveCount(1)
  await box.fill('Half a sentence')
  const allow = (allowDirectMessages: boolean) =>
    ana.context.request.patch('/api/settings/privacy', { data: { allowDirectMessages } })

  await allow(false)
  await expect(page.getByText('This user has disabled direct messages')).toBeVisible({ timeout: 2000 })
  await expect(box).toBeHidden()
  await allow(true)
  // Else it asks within half a minute.
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await expect(box).toHaveValue('Half a sentence')

  const [me] = await sql<
    { id: string }[]
  >`select id from public.profiles where username = ${ben.who.username}`
  await ana.context.request.post(`/api/users/${me?.id}/block`)
  // What the channel says is read anew at most once in 5 seconds.
  await expect(page.getByText('You cannot write to Ana Quiet at the moment.')).toBeVisible({ timeout: 7000 })
  await expect(page.getByText('This user has disabled direct messages')).toHaveCount(0)
  await expect(thread(page).getByText('Hello')).toBeVisible()
  await forget(ana)
  await forget(ben)
})
