import { expect, type Page } from 'playwright/test'
import { pickFromMenu } from './page.ts'
import { type Account, phoneNumber } from './users.ts'

/** Returns the captcha's group of controls. */
export const captchaGroup = (page: Page) => page.getByRole('group', { name: "Verify you're human" })

export const captchaCheckbox = (page: Page) => captchaGroup(page).getByRole('checkbox')

/** Clicks the captcha unless it solves itself, and waits until it is solved. */
export async function solveCaptcha(page: Page): Promise<void> {
  const checkbox = captchaCheckbox(page)
  // A click would stop a captcha that is already being solved.
  const isIdle = await checkbox.evaluate(
    (input) => input.closest('altcha-widget')?.getState() === 'unverified',
  )
  if (isIdle) await checkbox.click()
  await expect(checkbox).toBeChecked({ timeout: 60_000 })
}

/** Fills in every field of the registration form except the captcha. */
export async function fillRegistrationForm(page: Page, account: Account): Promise<void> {
  await page.getByLabel('Full name').fill(account.fullName)
  await page.getByLabel('Username').fill(account.username)
  await page.getByLabel('Email').fill(account.email)
  await page.getByLabel('Phone number').fill(phoneNumber)
  await page.getByLabel('Password', { exact: true }).fill(account.password)
  await page.getByLabel('Confirm password', { exact: true }).fill(account.password)
}

/** Opens the sign-in form unless the page already shows it, signs in and waits until the main navigation is visible. */
export async function signInViaForm(
  page: Page,
  { email, password }: Pick<Account, 'email' | 'password'>,
): Promise<void> {
  if (new URL(page.url(), 'http://blank').pathname !== '/login') await page.goto('/login')
  // The URL changes before the new page is rendered.
  await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await solveCaptcha(page)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('navigation', { name: /main|primary/i }).first()).toBeVisible()
}

export const accountMenuButton = (page: Page) => page.getByRole('button', { name: /^Account menu/ })

/** Signs out through the account menu. */
export async function logOut(page: Page): Promise<void> {
  await accountMenuButton(page).click()
  await pickFromMenu(page, 'Log out')
}
