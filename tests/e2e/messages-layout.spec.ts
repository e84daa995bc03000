import { expect, type Page, test } from 'playwright/test'
import {
  messageInput,
  messageThread,
  openConversation,
  sendChatMessage,
  storedMessages,
} from './support/conversation.ts'
import { phoneViewport } from './support/page.ts'
import { createSignedInUser, deleteUser } from './support/users.ts'

/** Returns whether the document scrolls, and the position of the full-height area in the window. */
const measure = (page: Page) =>
  page.evaluate(() => {
    const area = document.querySelector('[data-full-height]')?.getBoundingClientRect()
    const { scrollHeight } = document.documentElement
    return {
      scrolls: scrollHeight > window.innerHeight,
      top: Math.round(area?.top ?? -1),
      bottom: Math.round(area?.bottom ?? -1),
      height: Math.round(area?.height ?? -1),
    }
  })

/** Replaces the visual viewport with one that the test controls, because test browsers have no on-screen keyboard. */
const fakeVisualViewport = () => {
  const fake = Object.assign(new EventTarget(), { scale: 1, offsetTop: 0, height: window.innerHeight })
  Object.defineProperty(window, 'visualViewport', { value: fake })
}

const openKeyboard = (page: Page, height: number, offsetTop = 0) =>
  page.evaluate(
    ([height, offsetTop]) => {
      const viewport = window.visualViewport
      if (!viewport) return
      Object.assign(viewport, { height: window.innerHeight - (height ?? 0), offsetTop })
      viewport.dispatchEvent(new Event('resize'))
    },
    [height, offsetTop],
  )

test('The Messages page fills the window and ends above the on-screen keyboard', async ({ browser }) => {
  const [ana, ben] = [
    await createSignedInUser(browser, 'Ana Tall'),
    await createSignedInUser(browser, 'Ben Tall'),
  ]
  await ana.context.addInitScript(fakeVisualViewport)
  const page = await ana.context.newPage()
  await page.setViewportSize({ width: 1280, height: 1080 })
  await openConversation(page, ben.account)
  await sendChatMessage(page, 'How tall is it?')
  await expect(storedMessages(page)).toHaveCount(1)

  await test.step('fills the window at every height without a second scrollbar', async () => {
    for (const [width, height, minHeight] of [
      [1280, 1080, 900],
      [1280, 800, 600],
      [1280, 670, 600],
      [844, 390, 390],
      [390, 844, 844],
    ] as const) {
      await page.setViewportSize({ width, height })
      await expect.poll(async () => (await measure(page)).bottom).toBeLessThanOrEqual(height)
      const size = await measure(page)
      expect(size, `${width}x${height}`).toMatchObject({ scrolls: false })
      expect(size.height, `${width}x${height}`).toBeGreaterThanOrEqual(minHeight)
      expect(size.bottom).toBeGreaterThanOrEqual(height - 20)
    }
  })

  await test.step('hides the header and the navigation while a conversation is open on a phone', async () => {
    await page.setViewportSize(phoneViewport)
    await expect(page.getByRole('banner')).toBeHidden()
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
    await page.getByRole('button', { name: 'Back to conversations' }).click()
    await expect(page.getByRole('banner')).toBeVisible()
    await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible()
    expect(await measure(page)).toMatchObject({ scrolls: false })
    await page.getByRole('button', { name: /Ben Tall/ }).click()
  })

  await test.step('keeps the composer above the on-screen keyboard', async () => {
    await messageInput(page).focus()
    await openKeyboard(page, 300, 40)
    const keyboardTop = phoneViewport.height - 300 + 40
    await expect.poll(async () => (await measure(page)).bottom).toBe(keyboardTop)
    expect(await measure(page)).toMatchObject({ top: 40, scrolls: false })
    const box = await messageInput(page).boundingBox()
    expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThan(keyboardTop)
    await expect(messageThread(page).getByText('How tall is it?')).toBeInViewport()
    await openKeyboard(page, 0)
    await expect.poll(async () => (await measure(page)).bottom).toBe(phoneViewport.height)
  })

  await deleteUser(ana)
  await deleteUser(ben)
})
