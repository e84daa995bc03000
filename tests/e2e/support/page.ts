import { expect, type Locator, type Page } from 'playwright/test'

/** The size of a phone's screen, in CSS pixels. */
export const phoneViewport = { width: 390, height: 844 }

/** Opens the prerendered landing page and presses a key, so that the app starts immediately. */
export async function openLandingPage(page: Page): Promise<void> {
  await page.goto('/')
  await page.keyboard.press('Shift')
  await expect(page.locator('#prerendered')).toHaveCount(0)
}

/** Starts collecting the errors that a page throws or logs. The test decides which errors it expects. */
export function collectPageErrors(page: Page): { errors: string[] } {
  const collected = { errors: [] as string[] }
  page.on('pageerror', (error) => collected.errors.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') collected.errors.push(message.text())
  })
  return collected
}

/** Returns the posts that contain `text`. A feed may also contain posts from other tests. */
export const postWithText = (page: Page, text: string): Locator =>
  page.getByRole('article').filter({ hasText: text })

/** Returns the button that opens the notifications. */
export const bell = (page: Page): Locator => page.getByRole('button', { name: /^Notifications/ })

/** Returns the link to a settings topic, which is in the sidebar or, on phones, in the list of topics. */
export const settingsTopic = (page: Page, name: string | RegExp): Locator =>
  page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name })

/** Waits one frame for the app to render, and returns by how many pixels the document is wider than the window. */
export const horizontalOverflow = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(resolve))
    return document.documentElement.scrollWidth - window.innerWidth
  })

/**
 * Presses End until an element at the end of a list is in the viewport. One press is not enough, because it scrolls to
 * the current end of the page, and the list then grows.
 */
export async function pressEndUntilVisible(page: Page, end: Locator): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('End')
    await expect(end).toBeInViewport({ timeout: 500 })
  }).toPass({ timeout: 30_000 })
}

/** Waits until the scroll position has not changed for ten frames, and returns it. */
export async function waitForSettledScroll(page: Page): Promise<number> {
  return await page.evaluate(async () => {
    let previous = Number.NaN
    for (let unchangedFrames = 0; unchangedFrames < 10; ) {
      await new Promise(requestAnimationFrame)
      unchangedFrames = window.scrollY === previous ? unchangedFrames + 1 : 0
      previous = window.scrollY
    }
    return previous
  })
}

/**
 * Clicks an item of the menu that was just opened. The menu grows while it opens, so a click could miss the item.
 * Therefore, the function first hovers over the item until it is highlighted.
 */
export async function pickFromMenu(page: Page, name: string): Promise<void> {
  const item = page.getByRole('menuitem', { name })
  await expect(async () => {
    await item.hover()
    await expect(item).toHaveAttribute('data-highlighted', '', { timeout: 500 })
  }).toPass({ timeout: 20_000 })
  await item.click()
}

/** Reloads a page that has unsaved changes and responds to the browser's `beforeunload` prompt. */
export async function reloadAndAnswerPrompt(page: Page, answer: 'accept' | 'dismiss'): Promise<void> {
  const prompt = page.waitForEvent('dialog')
  // When the prompt is dismissed, `page.reload()` would wait for a navigation that never happens.
  await page.evaluate(() => {
    setTimeout(() => location.reload())
  })
  const dialog = await prompt
  expect(dialog.type()).toBe('beforeunload')
  await dialog[answer]()
}

/** Stores in the browser that the user was last active `agoMs` milliseconds ago. */
export const setLastActive = (page: Page, userId: string, agoMs: number): Promise<void> =>
  page.evaluate(([key, time]) => localStorage.setItem(key, time), [
    `ovation:${userId}:active-at`,
    String(Date.now() - agoMs),
  ] as const)
