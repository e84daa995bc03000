import { expect, type Page, test } from 'playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import { signInViaForm, solveCaptcha } from './support/auth-forms.ts'
import { fetchMailMatches } from './support/mail.ts'
import { getSessionCookies } from './support/session-cookies.ts'
import { recordToasts } from './support/toasts.ts'
import { createSignedInUser, signInContext, sql } from './support/users.ts'

const fetchResetLinks = (email: string) =>
  fetchMailMatches(email, /https?:\/\/\S+\/reset-password\?token=[\w-]+/)

/** Waits until exactly `count` password reset emails have arrived, and returns the newest link. */
async function waitForResetLink(email: string, count: number): Promise<string> {
  await expect.poll(async () => (await fetchResetLinks(email)).length).toBe(count)
  return (await fetchResetLinks(email))[0] ?? ''
}

async function requestResetEmail(page: Page, email: string): Promise<void> {
  await page.goto('/forgot-password')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  await expect(page.getByText('If the email exists, a password reset link has been sent.')).toBeVisible()
  await expect(page.getByText('The link expires in 1 hour.')).toBeVisible()
}

/** Checks that a URL shows an error page with the heading `title` and links to request a new link and to sign in. */
async function expectErrorPage(page: Page, url: string, title: string): Promise<void> {
  // Navigating to the URL that is already open would count as a reload, so another page is opened first.
  await page.goto('about:blank')
  await page.goto(url)
  await expect(page.getByRole('heading', { name: title })).toBeFocused()
  await expect(page.getByRole('link', { name: 'Request a new link' })).toHaveAttribute('href', /forgot/)
  await expect(page.getByRole('link', { name: 'Sign in' })).toHaveAttribute('href', '/login')
}

const newPasswordInput = (page: Page) => page.getByLabel('New password', { exact: true })
const confirmPasswordInput = (page: Page) => page.getByLabel('Confirm password', { exact: true })
const toastWithTitle = (page: Page, title: string) => page.getByText(title, { exact: true })

async function submitPasswords(page: Page, password: string, confirmation: string): Promise<void> {
  await newPasswordInput(page).fill(password)
  await confirmPasswordInput(page).fill(confirmation)
  await page.getByRole('button', { name: 'Reset password' }).click()
}

test.describe('Password reset', () => {
  test('resets a forgotten password by email and signs out the other browser, which shows a single message', async ({
    browser,
  }) => {
    const ana = await createSignedInUser(browser, 'Ana Reset')
    const laptop = await ana.context.newPage()
    const toasts = await recordToasts(laptop)
    await laptop.goto('/search?q=noor#results')
    await expect(laptop.getByText('Found', { exact: false }).first()).toBeVisible()

    // A second browser is signed in to the same account.
    const phoneContext = await browser.newContext()
    const phone = await phoneContext.newPage()
    await signInContext(phoneContext, ana.account)
    const link = await test.step('sends a password reset email', async () => {
      await phone.goto('/settings/security')
      await phone.getByRole('button', { name: 'Change password' }).click()
      await phone.getByRole('dialog').getByRole('link', { name: 'Forgot your password?' }).click()
      await expect(phone).toHaveURL('/forgot-password')
      await expect(phone.getByRole('textbox', { name: 'Email' })).toHaveValue(ana.account.email)
      await phone.getByRole('textbox', { name: 'Email' }).fill('nobody')
      await phone.getByRole('button', { name: 'Send reset link' }).click()
      await expect(phone.getByText('Please enter a valid email address')).toBeVisible()
      await expect(phone.getByRole('textbox', { name: 'Email' })).toBeFocused()
      await phone.route('**/api/auth/forgot-password', (route) => route.abort())
      await phone.getByRole('textbox', { name: 'Email' }).fill(ana.account.email)
      await phone.getByRole('button', { name: 'Send reset link' }).click()
      await expect(toastWithTitle(phone, 'Failed to send reset email')).toBeVisible()
      await expect(phone.getByRole('textbox', { name: 'Email' })).toHaveValue(ana.account.email)
      await phone.unroute('**/api/auth/forgot-password')
      await requestResetEmail(phone, ana.account.email)
      await expectAccessible(phone)
      // The page has no language selector here, because changing the language would show the form again.
      await expect(phone.getByRole('combobox', { name: 'Language' })).toHaveCount(0)
      // The signed-in user came from the settings, so the link leads back there.
      await expect(phone.getByRole('link', { name: 'Back to settings' })).toHaveAttribute(
        'href',
        '/settings/security',
      )
      await phone.getByRole('button', { name: 'Use another email' }).click()
      await expect(phone.getByRole('textbox', { name: 'Email' })).toBeFocused()
      return await waitForResetLink(ana.account.email, 1)
    })

    const secondTab = await phoneContext.newPage()
    await test.step('accepts an unused link any number of times and removes the token from the URL', async () => {
      // After a lost connection, the page would retry automatically, so the test uses a server error.
      await phone.route('**/api/auth/verify-reset-token/**', (route) =>
        route.fulfill({ status: 500, body: '' }),
      )
      await phone.goto(link)
      await expect(phone.getByRole('heading', { name: "Couldn't check your link" })).toBeVisible()
      await expectAccessible(phone)
      await phone.unroute('**/api/auth/verify-reset-token/**')
      await phone.getByRole('button', { name: 'Try again' }).click()
      await expect(newPasswordInput(phone)).toBeFocused()
      expect(new URL(phone.url()).search).toBe('')
      await phone.reload()
      await expect(newPasswordInput(phone)).toBeFocused()
      await secondTab.goto(link)
      await expect(newPasswordInput(secondTab)).toBeVisible()
    })

    await test.step('shows password errors and reveals the password', async () => {
      const toast = phone.getByRole('alert')
      await submitPasswords(phone, '12345', '12345')
      await expect(toast).toContainText('Validation Error')
      await expect(toast).toContainText('Password must be at least 6 characters')
      await expect(newPasswordInput(phone)).toBeFocused()
      await expect(newPasswordInput(phone)).toHaveAccessibleDescription(
        'Password must be at least 6 characters',
      )
      await submitPasswords(phone, 'new horse', '')
      await expect(toast).toContainText('Please confirm your password')
      await expect(confirmPasswordInput(phone)).toBeFocused()
      await submitPasswords(phone, 'new horse', 'new house')
      await expect(toast).toContainText("Passwords don't match")
      await expect(confirmPasswordInput(phone)).toHaveAccessibleDescription("Passwords don't match")
      await expectAccessible(phone)
      const show = phone.getByRole('button', { name: 'Show password confirmation' })
      await show.click()
      await expect(show).toHaveAttribute('aria-pressed', 'true')
      await expect(confirmPasswordInput(phone)).toHaveAttribute('type', 'text')
      await expect(confirmPasswordInput(phone)).toBeFocused()
      await show.click()
      await expect(confirmPasswordInput(phone)).toHaveAttribute('type', 'password')
    })

    await test.step('sets the new password and signs this browser out', async () => {
      await submitPasswords(phone, 'new horse', 'new horse')
      await expect(phone.getByRole('heading', { name: 'Password reset successful!' })).toBeVisible()
      await expect(toastWithTitle(phone, 'Password reset successful')).toBeVisible()
      await expectAccessible(phone)
      expect(await getSessionCookies(phone.context())).toEqual([])
      expect(await phone.evaluate(() => JSON.stringify(history.state))).not.toContain('mailToken')
      await phone.getByRole('link', { name: 'Sign in' }).click()
      await expect(phone.getByText('Sign in to your account')).toBeVisible()
    })

    await test.step('rejects a link that has already been used', async () => {
      await submitPasswords(secondTab, 'late horse', 'late horse')
      await expect(toastWithTitle(secondTab, 'Failed to reset password')).toBeVisible()
      await expect(secondTab.getByRole('heading', { name: 'Invalid or expired link' })).toBeFocused()
    })

    await test.step('notifies the other browser once and returns to the same page after signing in', async () => {
      await expect(laptop).toHaveURL(/\/login\?next=/)
      expect(toasts.texts).toEqual([expect.stringContaining('You are logged out. Logging in again...')])
      await laptop.getByRole('textbox', { name: 'Email' }).fill(ana.account.email)
      await laptop.getByLabel('Password', { exact: true }).fill(ana.account.password)
      await solveCaptcha(laptop)
      await laptop.keyboard.press('Tab')
      await laptop.getByRole('button', { name: 'Sign In' }).click()
      await expect(laptop.getByText('Invalid email or password')).toBeVisible()
      await expect(laptop.getByLabel('Password', { exact: true })).toHaveValue(ana.account.password)
      await signInViaForm(laptop, { email: ana.account.email, password: 'new horse' })
      await expect(laptop).toHaveURL(/\/search\?q=noor#results$/)
      expect(toasts.maxVisible).toBe(1)
    })

    await test.step('shows an error page for used and expired links and for malformed and missing tokens', async () => {
      await expectErrorPage(phone, link, 'Invalid or expired link')
      await expect(
        phone.getByText('The reset token is invalid or has expired. Please request a new password reset.'),
      ).toBeVisible()
      await expectErrorPage(phone, '/reset-password?token=%00..%2Fapi', 'Invalid or expired link')
      await expectErrorPage(phone, '/reset-password', 'No reset token found')
      await expectErrorPage(phone, '/reset-password?token=', 'No reset token found')
      await requestResetEmail(phone, ana.account.email)
      const secondLink = await waitForResetLink(ana.account.email, 2)
      await sql`update auth.users set recovery_sent_at = now() - interval '61 minutes' where email = ${ana.account.email}`
      await expectErrorPage(phone, secondLink, 'Invalid or expired link')
    })
    await phoneContext.close()
    await ana.context.close()
  })
})
