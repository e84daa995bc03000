import { type Browser, expect, type Page, test } from 'playwright/test'
import { expectAccessible } from './axe.ts'
import { captchaBox, fillRegistration, newcomer, signIn, solveCaptcha, watchToasts } from './support.ts'

/** Submits a form, and says which field has the focus then. */
async function expectFirstWrong(page: Page, button: string, field: string, text: string): Promise<void> {
  await page.getByRole('button', { name: button }).click()
  const input = page.getByLabel(field, { exact: true })
  await expect(input).toBeFocused()
  await expect(input).toHaveAccessibleDescription(text)
  await expect(input).toHaveAttribute('aria-invalid', 'true')
}

async function failingServer(page: Page, path: string, work: () => Promise<void>): Promise<void> {
  for (const html of [false, true]) {
    await page.route(path, (route) =>
      html ? route.fulfill({ status: 500, body: '<h1>Oops</h1>' }) : route.abort(),
    )
    await work()
    await page.unroute(path)
  }
}

async function newPage(browser: Browser): Promise<Page> {
  return await (await browser.newContext()).newPage()
}

test('registration and sign-in show every rule, keep what was typed and are sent once', async ({
  browser,
}) => {
  const page = await newPage(browser)
  const toasts = await watchToasts(page)
  const who = newcomer('Bea Rule')
  const field = (name: string) => page.getByLabel(name, { exact: true })
  const create = 'Create Account'
  const missing = 'Please complete the reCAPTCHA verification'

  await test.step('each rule of the registration, with the focus on the first wrong field', async () => {
    await page.goto('/')
    await page.getByRole('link', { name: 'Get Started Free' }).first().click()
    await expect(page.getByRole('heading', { name: 'Create Your Account' })).toBeVisible()
    await expect(page.getByText('Join Ovation and start sharing your content')).toBeVisible()
    await expectFirstWrong(page, create, 'Full name', 'Full name must be at least 2 characters')
    await expectAccessible(page)
    for (const text of [
      'Username must be at least 3 characters',
      'Please enter a valid email address',
      'Please enter a valid phone number',
      'Password must be at least 6 characters',
      'Please confirm your password',
      missing,
    ]) {
      await expect(page.getByText(text, { exact: true })).toBeVisible()
    }
    await fillRegistration(page, { ...who, username: 'bea rule' })
    await expectFirstWrong(
      page,
      create,
      'Username',
      'Username can only contain letters, numbers, and underscores',
    )
    await fillRegistration(page, { ...who, email: 'bea@' })
    await expectFirstWrong(page, create, 'Email', 'Please enter a valid email address')
    await fillRegistration(page, who)
    await field('Phone number').fill('123456789')
    await expectFirstWrong(page, create, 'Phone number', 'Please enter a valid phone number')
    await fillRegistration(page, who)
    await field('Confirm password').fill('correct house')
    await expectFirstWrong(page, create, 'Confirm password', "Passwords don't match")
    await fillRegistration(page, who)
    await page.getByRole('button', { name: create }).click()
    await expect(page.getByText(missing)).toBeVisible()
    await expect(captchaBox(page)).toBeFocused()
  })

  await test.step('a server that fails leaves everything as it was typed', async () => {
    await page.keyboard.press('Space')
    await expect(captchaBox(page)).toBeChecked()
    await failingServer(page, '**/api/auth/register', async () => {
      await solveCaptcha(page)
      await page.getByRole('button', { name: create }).click()
      const toast = page.getByRole('alert').filter({ hasText: 'Registration failed' })
      await expect(toast).toHaveText('Registration failedRegistration failed')
      await expect(field('Username')).toHaveValue(who.username)
      await expect(field('Password')).toHaveValue(who.password)
      await expect(field('Confirm password')).toHaveValue(who.password)
      await toast.getByRole('button', { name: 'Dismiss' }).click()
    })
  })

  await test.step('a captcha that the server refuses has the focus, though another takes its place', async () => {
    const text = 'reCAPTCHA verification failed. Please try again.'
    await page.route('**/api/auth/register', (route) =>
      route.fulfill({
        status: 400,
        json: { message: text, code: 'captcha_failed', errors: { recaptcha: [text] } },
      }),
    )
    await solveCaptcha(page)
    await page.getByRole('button', { name: create }).click()
    const group = page.getByRole('group', { name: 'Check that you are a person' })
    await expect(group).toHaveAccessibleDescription(text)
    await expect(captchaBox(page)).toBeChecked()
    await expect(group).toBeFocused()
    await page.unroute('**/api/auth/register')
  })

  await test.step('it is sent once, says that it is on its way, and leads to the sign-in page', async () => {
    let sent = 0
    await page.route('**/api/auth/register', async (route) => {
      sent += 1
      await expect(page.getByRole('button', { name: 'Creating Account...' })).toBeDisabled()
      await route.continue()
    })
    await solveCaptcha(page)
    await field('Confirm password').focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/login$/)
    await expect(page.getByText('Please log in with your new account.')).toBeVisible()
    await expect(field('Email')).toHaveValue(who.email)
    expect(sent).toBe(1)
    await page.unroute('**/api/auth/register')
  })

  await test.step('a taken username and address are named beside their fields', async () => {
    await page.getByRole('link', { name: 'Create account' }).click()
    await fillRegistration(page, who)
    await solveCaptcha(page)
    await page.getByRole('button', { name: create }).click()
    await expect(field('Username')).toHaveAccessibleDescription('Username is already taken')
    await expect(field('Email')).toHaveAccessibleDescription('Email is already registered')
    await expect(field('Username')).toBeFocused()
    await expect(field('Password')).toHaveValue(who.password)
    await page.getByRole('link', { name: 'Sign in here' }).click()
  })

  await test.step('each rule of the sign-in, and its failures', async () => {
    await expect(page.getByText('Sign in to your account')).toBeVisible()
    await expectFirstWrong(page, 'Sign In', 'Email', 'Please enter a valid email address')
    await expect(page.getByText('Password is required')).toBeVisible()
    await field('Email').fill(who.email)
    await expectFirstWrong(page, 'Sign In', 'Password', 'Password is required')
    await field('Password').fill(who.password)
    await page.keyboard.press('Enter')
    await expect(page.getByText(missing)).toBeVisible()
    await expect(captchaBox(page)).toBeFocused()
    await failingServer(page, '**/api/auth/login', async () => {
      await solveCaptcha(page)
      await page.getByRole('button', { name: 'Sign In' }).click()
      const toast = page.getByRole('alert').filter({ hasText: 'Login failed' })
      await expect(toast).toHaveText('Login failedLogin failed')
      await expect(field('Password')).toHaveValue(who.password)
      await toast.getByRole('button', { name: 'Dismiss' }).click()
    })
    await page.route('**/api/auth/login', async (route) => {
      await expect(page.getByRole('button', { name: 'Signing in...' })).toBeDisabled()
      await route.continue()
    })
    await signIn(page, who)
    await expect(page.getByText('Welcome back to Ovation.')).toBeVisible()
    expect(new URL(page.url()).pathname).toBe('/')
  })
  expect(toasts.most).toBe(1)
  await page.context().close()
})
