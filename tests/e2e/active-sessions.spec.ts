import { type BrowserContext, expect, test } from 'playwright/test'
import { expectAccessible } from './axe.ts'
import { enter, forget, join } from './support.ts'

const phone = { width: 390, height: 844 }

test('somebody sees where they are signed in, and ends sessions one by one and all together', async ({
  browser,
}) => {
  const ola = await join(browser, 'Ola Brandt')
  const page = await ola.context.newPage()
  const iphone =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'
  const context: BrowserContext = await browser.newContext({ userAgent: iphone, viewport: phone })
  const other = await context.newPage()
  const isOut = async () => {
    await other.goto('/saved')
    await expect(other).toHaveURL(/\/login/)
  }

  await enter(context, ola.who)
  await page.goto('/settings?tab=security')
  const rows = page.getByRole('main').getByRole('listitem')
  await expect(rows).toHaveCount(2)
  await expect(rows.first()).toContainText('This device')
  await expect(rows.last()).toContainText('Safari on iOS')
  await expect(rows.last().locator('time').first()).toHaveAttribute('title', /20\d\d/)

  const endIt = page.getByRole('button', { name: 'Log out: Safari on iOS' })
  await expect(endIt).toHaveAccessibleDescription(/Last seen .* Signed in/)
  const heading = page.getByRole('heading', { name: 'Active sessions' })
  await page.route('**/api/auth/sessions/*', (route) => route.fulfill({ status: 500, body: '' }), {
    times: 1,
  })
  await endIt.click()
  await expect(page.getByText('That session could not be ended. Please try again.')).toBeVisible()
  await expect(endIt).toBeFocused()
  await endIt.press('Enter')
  await expect(page.getByText('You are signed in nowhere else.')).toBeVisible()
  await expect(heading).toBeFocused()
  await isOut()

  await enter(context, ola.who)
  await page.reload()
  const endAll = page.getByRole('button', { name: 'Log out everywhere else' })
  const dialog = page.getByRole('alertdialog')
  await endAll.click()
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expectAccessible(page)
  await page.keyboard.press('Enter')
  await expect(endAll).toBeFocused()
  await endAll.click()
  await dialog.getByRole('button', { name: 'Log out' }).click()
  await expect(page.getByText('You are signed in nowhere else.')).toBeVisible()
  await expect(heading).toBeFocused()
  await isOut()

  await page.getByRole('button', { name: 'Log out: this device' }).click()
  await dialog.getByRole('button', { name: 'Log out' }).click()
  await expect(page.getByRole('link', { name: 'Get Started Free' }).first()).toBeVisible()
  await context.close()
  await forget(ola)
})
