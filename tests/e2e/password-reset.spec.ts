import { expect, type Page, test } from 'playwright/test'
import { readConnection } from '../support/connection.ts'
import { expectAccessible } from './axe.ts'
import { sessionCookies } from './session-cookies.ts'
import { enter, join, signIn, solveCaptcha, sql, watchToasts } from './support.ts'

const { mailUrl } = readConnection()

/** The links for a new password that were sent to somebody, newest first. */
async function resetLinks(email: string): Promise<string[]> {
  const response = await fetch(mailUrl, { headers: { accept: 'application/json' } })
  const mails = (await response.json()) as { to: string; text: string }[]
  return mails
    .filter((mail) => mail.to.includes(email))
    .flatMap((mail) => mail.text.match(/https?:\/\/\S+\/reset-password\?token=[\w-]+/) ?? [])
}

/** Waits for the `count`-th mail and answers its link. */
async function nextLink(email: string, count: number): Promise<string> {
  await expect.poll(async () => (await resetLinks(email)).length).toBe(count)
  return (await resetLinks(email))[0] ?? ''
}

async function askForMail(page: Page, email: string): Promise<void> {
  await page.goto('/forgot-password')
  await page.getByRole('textbox', { name: 'Email' }).fill(email)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  await expect(page.getByText('If the email exists, a password reset link has been sent.')).toBeVisible()
  await expect(page.getByText('The link expires in 1 hour.')).toBeVisible()
}

async function expectDeadEnd(page: Page, address: string, title: string): Promise<void> {
  // By way of another page: going to the address that is open counts as loading it again.
  await page.goto('about:blank')
  await page.goto(address)
  await expect(page.getByRole('heading', { name: title })).toBeFocused()
  await expect(page.getByRole('link', { name: 'Request a new link' })).toHaveAttribute('href', /forgot/)
  await expect(page.getByRole('link', { name: 'Log in' })).toHaveAttribute('href', '/login')
}

const newPassword = (page: Page) => page.getByLabel('New password', { exact: true })
const confirmPassword = (page: Page) => page.getByLabel('Confirm password', { exact: true })
const resetButton = (page: Page) => page.getByRole('button', { name: 'Reset password' })
const toastOf = (page: Page, title: string) => page.getByText(title, { exact: true })

async function tryPasswords(page: Page, first: string, second: string): Promise<void> {
  await newPassword(page).fill(first)
  await confirmPassword(page).fill(second)
  await resetButton(page).click()
}

test('a forgotten password is reset by mail, and every other page of the account is told once', async ({
  browser,
}) => {
  const joined = await join(browser, 'Ana Reset')
  const ana = { ...joined, page: await joined.context.newPage() }
  const told = await watchToasts(ana.page)
  await ana.page.goto('/search?q=noor#results')
  await expect(ana.page.getByText('Found', { exact: false }).first()).toBeVisible()

  // The other browser is signed in to the same account, too.
  const context = await browser.newContext()
  const phone = await context.newPage()
  await enter(context, ana.who)
  const link = await test.step('the mail arrives', async () => {
    await phone.goto('/settings?tab=security')
    await phone.getByRole('link', { name: 'Change password' }).click()
    await expect(phone).toHaveURL('/forgot-password')
    await expect(phone.getByRole('textbox', { name: 'Email' })).toHaveValue(ana.who.email)
    await phone.getByRole('textbox', { name: 'Email' }).fill('nobody')
    await phone.getByRole('button', { name: 'Send reset link' }).click()
    await expect(phone.getByText('Please enter a valid email address')).toBeVisible()
    await expect(phone.getByRole('textbox', { name: 'Email' })).toBeFocused()
    await phone.route('**/api/auth/forgot-password', (route) => route.abort())
    await phone.getByRole('textbox', { name: 'Email' }).fill(ana.who.email)
    await phone.getByRole('button', { name: 'Send reset link' }).click()
    await expect(toastOf(phone, 'Failed to send reset email')).toBeVisible()
    await expect(phone.getByRole('textbox', { name: 'Email' })).toHaveValue(ana.who.email)
    await phone.unroute('**/api/auth/forgot-password')
    await askForMail(phone, ana.who.email)
    await expectAccessible(phone)
    // Who is signed in came from the settings.
    await expect(phone.getByRole('link', { name: 'Back to settings' })).toHaveAttribute(
      'href',
      '/settings?tab=security',
    )
    await phone.getByRole('button', { name: 'Use another email' }).click()
    await expect(phone.getByRole('textbox', { name: 'Email' })).toBeFocused()
    return await nextLink(ana.who.email, 1)
  })

  const late = await context.newPage()
  await test.step('the link is checked, as often as one looks, and leaves the address bar', async () => {
    await phone.route('**/api/auth/verify-reset-token/**', (route) => route.abort())
    await phone.goto(link)
    await expect(phone.getByRole('heading', { name: 'Your link could not be checked' })).toBeVisible()
    await expectAccessible(phone)
    await phone.unroute('**/api/auth/verify-reset-token/**')
    await phone.getByRole('button', { name: 'Try again' }).click()
    await expect(newPassword(phone)).toBeFocused()
    expect(new URL(phone.url()).search).toBe('')
    await phone.reload()
    await expect(newPassword(phone)).toBeFocused()
    await late.goto(link)
    await expect(newPassword(late)).toBeVisible()
  })

  await test.step('wrong passwords show their texts, and can be looked at', async () => {
    const toasts = phone.getByRole('alert')
    await tryPasswords(phone, '12345', '12345')
    await expect(toasts).toContainText('Validation Error')
    await expect(toasts).toContainText('Password must be at least 6 characters')
    await expect(newPassword(phone)).toBeFocused()
    await expect(newPassword(phone)).toHaveAccessibleDescription('Password must be at least 6 characters')
    await tryPasswords(phone, 'new horse', '')
    await expect(toasts).toContainText('Please confirm your password')
    await expect(confirmPassword(phone)).toBeFocused()
    await tryPasswords(phone, 'new horse', 'new house')
    await expect(toasts).toContainText("Passwords don't match")
    await expect(confirmPassword(phone)).toHaveAccessibleDescription("Passwords don't match")
    await expectAccessible(phone)
    const show = phone.getByRole('button', { name: 'Show confirm password' })
    await show.click()
    await expect(show).toHaveAttribute('aria-pressed', 'true')
    await expect(confirmPassword(phone)).toHaveAttribute('type', 'text')
    await expect(confirmPassword(phone)).toBeFocused()
    await show.click()
    await expect(confirmPassword(phone)).toHaveAttribute('type', 'password')
  })

  await test.step('the new password is set, and this browser is signed out without a word', async () => {
    await tryPasswords(phone, 'new horse', 'new horse')
    await expect(phone.getByRole('heading', { name: 'Password reset successful!' })).toBeVisible()
    await expect(toastOf(phone, 'Password reset successful')).toBeVisible()
    await expectAccessible(phone)
    expect(await sessionCookies(phone.context())).toEqual([])
    expect(await phone.evaluate(() => JSON.stringify(history.state))).not.toContain('mailToken')
    await phone.getByRole('link', { name: 'Sign in' }).click()
    await expect(phone.getByText('Sign in to your account')).toBeVisible()
  })

  await test.step('a link that was used meanwhile says so', async () => {
    await tryPasswords(late, 'late horse', 'late horse')
    await expect(toastOf(late, 'Failed to reset password')).toBeVisible()
    await expect(late.getByRole('heading', { name: 'Invalid or expired link' })).toBeFocused()
  })

  await test.step('the page that was open elsewhere is told once, and comes back to its place', async () => {
    await expect(ana.page).toHaveURL(/\/login\?next=/)
    expect(told.said).toEqual([expect.stringContaining('You are logged out. Logging in again...')])
    await ana.page.getByRole('textbox', { name: 'Email' }).fill(ana.who.email)
    await ana.page.getByLabel('Password', { exact: true }).fill(ana.who.password)
    await solveCaptcha(ana.page)
    await ana.page.keyboard.press('Tab')
    await ana.page.getByRole('button', { name: 'Sign In' }).click()
    await expect(ana.page.getByText('Invalid email or password')).toBeVisible()
    await expect(ana.page.getByLabel('Password', { exact: true })).toHaveValue(ana.who.password)
    await signIn(ana.page, { email: ana.who.email, password: 'new horse' })
    await expect(ana.page).toHaveURL(/\/search\?q=noor#results$/)
    expect(told.most).toBe(1)
  })

  await test.step('used, malformed, missing and expired links', async () => {
    await expectDeadEnd(phone, link, 'Invalid or expired link')
    await expect(
      phone.getByText('The reset token is invalid or has expired. Please request a new password reset.'),
    ).toBeVisible()
    await expectDeadEnd(phone, '/reset-password?token=%00..%2Fapi', 'Invalid or expired link')
    await expectDeadEnd(phone, '/reset-password', 'No reset token found')
    await expectDeadEnd(phone, '/reset-password?token=', 'No reset token found')
    await askForMail(phone, ana.who.email)
    const second = await nextLink(ana.who.email, 2)
    await sql`update auth.users set recovery_sent_at = now() - interval '61 minutes' where email = ${ana.who.email}`
    await expectDeadEnd(phone, second, 'Invalid or expired link')
  })
  await context.close()
  await ana.context.close()
})
