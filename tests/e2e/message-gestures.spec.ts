import { expect, type Locator, test } from 'playwright/test'
import { createPng } from '../support/media-files.ts'
import { messageThread, openConversation, sendChatMessage, storedMessages } from './support/conversation.ts'
import { phoneViewport } from './support/page.ts'
import { createSignedInUser, deleteUser } from './support/users.ts'

/** Taps the middle of an element `taps` times in quick succession, or holds a finger there for `holdMs`. */
async function touch(target: Locator, { taps = 1, holdMs = 0 } = {}): Promise<void> {
  await target.scrollIntoViewIfNeeded()
  const box = await target.boundingBox()
  if (!box) throw new Error('The element is not visible.')
  const point = { x: box.x + box.width / 2, y: box.y + box.height / 2 }
  const page = target.page()
  const session = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchEnd', timestamp = Date.now() / 1000) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      timestamp,
      touchPoints: type === 'touchStart' ? [point] : [],
    })
  if (holdMs > 0) {
    await send('touchStart')
    await page.waitForTimeout(holdMs)
    await send('touchEnd')
  } else {
    // The timestamps are explicit, so that a slow machine does not spread the taps apart. None of them is in the
    // future, because the app compares them with the timestamps of later taps.
    const firstTime = Date.now() / 1000 - taps * 0.1
    const times = Array.from({ length: taps }, (_, index) => firstTime + index * 0.1)
    await Promise.all(times.flatMap((time) => [send('touchStart', time), send('touchEnd', time + 0.05)]))
  }
  await session.detach()
}

test('Touch gestures on messages open the menu, add hearts and open photos', async ({ browser }) => {
  const phone = { viewport: phoneViewport, hasTouch: true, isMobile: true }
  const [ana, ben] = [
    await createSignedInUser(browser, 'Ana Touch', phone),
    await createSignedInUser(browser, 'Ben Touch'),
  ]
  const page = await ana.context.newPage()
  await openConversation(page, ben.account)
  // The text is wide, so that a tap in the middle does not hit the reactions at the edge of the bubble.
  await sendChatMessage(page, 'Tap me. This message is wider than a reaction.')
  await page.locator('form input[type=file]').setInputFiles({
    name: 'wide.png',
    mimeType: 'image/png',
    buffer: createPng({ width: 900, height: 450 }),
  })
  await expect(page.getByRole('status', { name: 'Preparing photo' })).toBeHidden()
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(storedMessages(page)).toHaveCount(2)
  const text = storedMessages(page).first().getByText('Tap me.')
  const picture = messageThread(page).getByRole('button', { name: 'Open photo from you' })
  const menu = page.getByRole('menu', { name: 'Message actions' })
  const hearts = messageThread(page).getByRole('button', { name: 'Heart from you' })

  await test.step('a long press opens the menu', async () => {
    await touch(text, { holdMs: 700 })
    await expect(menu).toBeVisible()
    await expect(menu.getByRole('menuitem', { name: 'Copy' })).toBeVisible()
    await expect(menu.locator('img')).toHaveCount(8)
    for (const image of await menu.locator('img').all()) {
      await expect
        .poll(() => image.evaluate((element: HTMLImageElement) => element.naturalWidth))
        .toBeGreaterThan(0)
    }
    await page.keyboard.press('Escape')
    await expect(menu).toBeHidden()
  })

  await test.step('a double tap adds a heart and never removes it', async () => {
    const added = page.waitForResponse('**/reactions')
    await touch(text, { taps: 2 })
    await expect(hearts).toHaveCount(1)
    await added
    const removed = page.waitForResponse('**/reactions', { timeout: 1500 }).catch(() => null)
    await touch(text, { taps: 2 })
    expect(await removed).toBeNull()
    await expect(hearts).toHaveCount(1)
  })

  await test.step('a double tap on a photo adds a heart, and a single tap opens the photo', async () => {
    await touch(picture, { taps: 2 })
    await expect(hearts).toHaveCount(2)
    await expect(page.getByRole('dialog')).toBeHidden()
    await touch(picture)
    await expect(page.getByRole('dialog', { name: 'Photo from you' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  })

  await test.step('a photo keeps its aspect ratio', async () => {
    const box = await picture.boundingBox()
    expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(900 / 450, 1)
  })

  await test.step('the menu button is visually hidden, but available to keyboards and screen readers', async () => {
    const button = storedMessages(page).last().getByRole('button', { name: 'React and more actions' })
    expect((await button.boundingBox())?.width).toBeLessThanOrEqual(1)
    await button.focus()
    await page.keyboard.press('Enter')
    await expect(menu).toBeVisible()
    await page.keyboard.press('Escape')
  })

  await deleteUser(ana)
  await deleteUser(ben)
})
