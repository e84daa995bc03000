import { expect, type Locator, test } from 'playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { phoneViewport } from './support/page.ts'
import { failNextRequest } from './support/requests.ts'
import { recordToasts } from './support/toasts.ts'
import { createSignedInUser, deleteUser, signInContext } from './support/users.ts'

test.describe('Active sessions', () => {
  test('lists a user’s sessions, and ends a single session or all except the current one', async ({
    browser,
  }) => {
    const ola = await createSignedInUser(browser, 'Ola Brandt')
    const page = await ola.context.newPage()
    const iphone =
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'
    const phone = await browser.newContext({ userAgent: iphone, viewport: phoneViewport })
    const phonePage = await phone.newPage()
    const expectPhoneSignedOut = async () => {
      // The page may already be navigating to the sign-in page, which interrupts `goto`.
      await phonePage.goto('/saved').catch(() => undefined)
      await expect(phonePage).toHaveURL(/\/login/)
    }

    await signInContext(phone, ola.account)
    await page.goto('/settings/security')
    await page.getByRole('link', { name: 'Show sessions' }).click()
    const rows = page.getByRole('region', { name: 'Active sessions' }).getByRole('listitem')
    await expect(rows).toHaveCount(2)
    await expect(rows.first()).toContainText('This device')
    await expect(rows.last()).toContainText('Safari on iOS')
    await expect(rows.last().locator('time').first()).toHaveAttribute('title', /20\d\d/)

    const endPhoneSession = page.getByRole('button', { name: 'Log out: Safari on iOS' })
    await expect(endPhoneSession).toHaveAccessibleDescription(/Last seen .* Signed in/)
    const heading = page.getByRole('heading', { name: 'Active sessions' })
    await failNextRequest(page, '**/api/auth/sessions/*')
    await endPhoneSession.click()
    await expect(page.getByText("Couldn't log out the device. Try again.")).toBeVisible()
    await expect(endPhoneSession).toBeFocused()
    await endPhoneSession.press('Enter')
    await expect(page.getByText('You aren’t signed in on any other device.')).toBeVisible()
    await expect(heading).toBeFocused()
    await expectPhoneSignedOut()

    await signInContext(phone, ola.account)
    await page.reload()
    const endOtherSessions = page.getByRole('button', { name: 'Log out everywhere else' })
    const dialog = page.getByRole('alertdialog')
    await endOtherSessions.click()
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await expect(endOtherSessions).toBeFocused()
    await endOtherSessions.click()
    await dialog.getByRole('button', { name: 'Log out' }).click()
    await expect(page.getByText('You aren’t signed in on any other device.')).toBeVisible()
    await expect(heading).toBeFocused()
    await expectPhoneSignedOut()

    await page.getByRole('button', { name: 'Log out: this device' }).click()
    await dialog.getByRole('button', { name: 'Log out' }).click()
    await expect(page.getByRole('link', { name: 'Get Started Free' }).first()).toBeVisible()
    await phone.close()
    await deleteUser(ola)
  })

  test('changing the password ends other sessions but keeps other tabs signed in', async ({ browser }) => {
    const ida = await createSignedInUser(browser, 'Ida Storm')
    const [page, secondTab] = [await ida.context.newPage(), await ida.context.newPage()]
    const laptop = await browser.newContext()
    const laptopPage = await laptop.newPage()
    const laptopToasts = await recordToasts(laptopPage)
    await signInContext(laptop, ida.account)
    await laptopPage.goto('/notifications')
    await expect(laptopPage.getByRole('heading', { name: 'Notifications', exact: true })).toBeVisible()
    await secondTab.goto('/saved')
    await page.goto('/settings/security')
    const openButton = page.getByRole('button', { name: 'Change password' })
    const dialog = page.getByRole('dialog')
    const [current, next] = ['Current password', 'New password'].map((name) =>
      dialog.getByLabel(name, { exact: true }),
    ) as [Locator, Locator]
    const submit = dialog.getByRole('button', { name: 'Change password' })

    await openButton.click()
    await expect(current).toBeFocused()
    await expectAccessible(page)
    await submit.click()
    await expect(current).toHaveAccessibleDescription('Password is required')
    await current.fill('wrong horse')
    await next.fill('new horse')
    await submit.click()
    await expect(current).toHaveAccessibleDescription('Incorrect password.')
    await expect(current).toBeFocused()
    await current.fill(ida.account.password)
    await failNextRequest(page, '**/api/auth/change-password')
    await submit.click()
    await expect(dialog.getByText("Couldn't change your password. Try again.")).toBeVisible()
    await submit.click()
    await expect(page.getByText('Password changed')).toBeVisible()
    await expect(dialog).toBeHidden()
    await expect(openButton).toBeFocused()
    await page.getByRole('link', { name: 'Sessions', exact: true }).click()
    await expect(page.getByText('You aren’t signed in on any other device.')).toBeVisible()

    await expect
      .poll(() => laptopToasts.texts)
      .toEqual([expect.stringContaining('You are logged out. Logging in again...')])
    await expect(laptopPage).toHaveURL(/\/login\?next=%2Fnotifications/)
    await secondTab.reload()
    await expect(secondTab.getByRole('heading', { name: 'Saved', exact: false }).first()).toBeVisible()
    await signInContext(laptop, { ...ida.account, password: 'new horse' })
    await laptop.close()
    await deleteUser(ida)
  })
})
