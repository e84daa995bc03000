import { expect, type Page, test } from 'playwright/test'
import { phoneViewport, postWithText } from './support/page.ts'
import { createSignedInUser, deleteUser } from './support/users.ts'

test.use({ contextOptions: { reducedMotion: 'no-preference' } })

const topBar = (page: Page) => page.getByRole('banner')
const bottomBar = (page: Page) => page.getByRole('navigation', { name: 'Main' })

/** Scrolls as a user does, in steps. */
async function scroll(page: Page, distance: number): Promise<void> {
  for (let step = 0; step < 8; step++) {
    await page.mouse.wheel(0, distance / 8)
    await page.evaluate(() => new Promise(requestAnimationFrame))
  }
}

test('On a phone, a page with a back button has a single header that stays at the top', async ({
  browser,
}) => {
  const rui = await createSignedInUser(browser, 'Rui Back', { viewport: phoneViewport })
  const page = await rui.context.newPage()
  await page.goto('/settings/privacy')
  const heading = page.getByRole('heading', { name: 'Privacy', level: 1 })
  await expect(heading).toBeVisible()
  await expect(topBar(page)).toBeHidden()
  await page.mouse.move(195, 500)
  await scroll(page, 600)
  await expect(heading).toBeInViewport({ ratio: 1 })
  await page.getByRole('link', { name: 'Back to settings' }).click()
  await expect(topBar(page)).toBeVisible()
  await deleteUser(rui)
})

test.describe('The home feed on a phone', () => {
  test('shows a post near the top, and hides the bars while the user scrolls down', async ({ browser }) => {
    const options = { viewport: phoneViewport, hasTouch: true, reducedMotion: 'no-preference' } as const
    const juno = await createSignedInUser(browser, 'Juno Park', options)
    const page = await juno.context.newPage()
    await page.goto('/')
    const composer = page.getByRole('textbox', { name: "What's on your mind?" })
    const firstPost = page.getByRole('feed').getByRole('article').first()

    await test.step('shows one line of the composer until it is used', async () => {
      await expect(firstPost).toBeVisible()
      expect((await firstPost.boundingBox())?.y).toBeLessThan(190)
      await expect(page.getByRole('button', { name: 'Post', exact: true })).toBeHidden()
      await expect(page.getByRole('button', { name: 'Go Live' })).toBeHidden()
      await composer.tap()
      await expect(page.getByRole('button', { name: 'Post', exact: true })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Go Live' })).toBeVisible()
      // The composer stays expanded when it loses focus, so that a tap elsewhere does not shift the page.
      await composer.blur()
      await expect(page.getByRole('button', { name: 'Post', exact: true })).toBeVisible()
    })

    await test.step('hides the bars when the user scrolls down, and shows them when the user scrolls up', async () => {
      await page.mouse.move(195, 500)
      await scroll(page, 900)
      await expect(topBar(page)).not.toBeInViewport()
      await expect(bottomBar(page)).not.toBeInViewport()
      await scroll(page, -120)
      await expect(topBar(page)).toBeInViewport({ ratio: 1 })
      await expect(bottomBar(page)).toBeInViewport({ ratio: 1 })
    })

    await test.step('shows the bottom bar while one of its links or a text field has focus', async () => {
      await scroll(page, 600)
      await expect(bottomBar(page)).not.toBeInViewport()
      const discover = bottomBar(page).getByRole('link', { name: 'Discover' })
      await discover.focus()
      await expect(discover).toBeInViewport({ ratio: 1 })
      await discover.blur()
      await expect(bottomBar(page)).not.toBeInViewport()
      await page
        .getByRole('button', { name: /^Comment/ })
        .and(page.locator(':not([aria-disabled])'))
        .filter({ visible: true })
        .last()
        .tap()
      await expect(page.getByRole('textbox', { name: 'Write a comment' })).toBeFocused()
      await expect(bottomBar(page)).toBeInViewport({ ratio: 1 })
      await scroll(page, 400)
      await expect(bottomBar(page)).toBeInViewport({ ratio: 1 })
    })

    await test.step('keeps the bars visible with reduced motion', async () => {
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await page.reload()
      await expect(firstPost).toBeVisible()
      await scroll(page, 900)
      await expect(topBar(page)).toBeInViewport({ ratio: 1 })
      await expect(bottomBar(page)).toBeInViewport({ ratio: 1 })
    })
    await deleteUser(juno)
  })
})

test.describe('A profile on a narrow phone', () => {
  test('shows visitors a link to register, and fits the width of the screen', async ({ browser }) => {
    const context = await browser.newContext({ viewport: { width: 320, height: 640 } })
    const page = await context.newPage()
    await page.goto('/profile/noormakes')
    const register = page
      .getByRole('navigation', { name: 'Account' })
      .getByRole('link', { name: 'Get Started Free' })
    await expect(register).toBeInViewport({ ratio: 1 })
    await expect(postWithText(page, 'Noor').first()).toBeVisible()
    expect(
      await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth),
    ).toBeLessThanOrEqual(0)
    await context.close()
  })
})
