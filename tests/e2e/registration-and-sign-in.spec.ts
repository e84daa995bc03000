import { expect, type Page, test } from 'playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import {
  captchaCheckbox,
  captchaGroup,
  fillRegistrationForm,
  signInViaForm,
  solveCaptcha,
} from './support/auth-forms.ts'
import { recordToasts } from './support/toasts.ts'
import { generateAccount } from './support/users.ts'

/** Submits a form and checks that its first invalid field is focused and described by its error. */
async function expectFirstInvalid(page: Page, button: string, field: string, error: string): Promise<void> {
  await page.getByRole('button', { name: button }).click()
  const input = page.getByLabel(field, { exact: true })
  await expect(input).toBeFocused()
  await expect(input).toHaveAccessibleDescription(error)
  await expect(input).toHaveAttribute('aria-invalid', 'true')
}

/** Runs `work` twice: first with every request to `url` aborted, then with every response an HTML error page. */
async function withFailingServer(page: Page, url: string, work: () => Promise<void>): Promise<void> {
  for (const responds of [false, true]) {
    await page.route(url, (route) =>
      responds ? route.fulfill({ status: 500, body: '<h1>Oops</h1>' }) : route.abort(),
    )
    await work()
    await page.unroute(url)
  }
}

test.describe('Registration and sign-in', () => {
  test('shows every validation error, keeps the input when the server fails and submits once', async ({
    page,
  }) => {
    const toasts = await recordToasts(page)
    const account = generateAccount('Bea Rule')
    const field = (name: string) => page.getByLabel(name, { exact: true })
    const createButton = 'Create Account'
    const captchaError = 'Please complete the reCAPTCHA verification'

    await test.step('shows each registration error and focuses the first invalid field', async () => {
      await page.goto('/')
      await page.getByRole('link', { name: 'Get Started Free' }).first().click()
      await expect(page.getByRole('heading', { name: 'Create Your Account' })).toBeVisible()
      await expect(page.getByText('Join Ovation and start sharing your content')).toBeVisible()
      await expectFirstInvalid(page, createButton, 'Full name', 'Full name must be at least 2 characters')
      await expectAccessible(page)
      for (const text of [
        'Username must be at least 3 characters',
        'Please enter a valid email address',
        'Please enter a valid phone number',
        'Password must be at least 6 characters',
        'Please confirm your password',
        captchaError,
      ]) {
        await expect(page.getByText(text, { exact: true })).toBeVisible()
      }
      await fillRegistrationForm(page, { ...account, username: 'bea rule' })
      await expectFirstInvalid(
        page,
        createButton,
        'Username',
        'Username can only contain letters, numbers, and underscores',
      )
      await fillRegistrationForm(page, { ...account, email: 'bea@' })
      await expectFirstInvalid(page, createButton, 'Email', 'Please enter a valid email address')
      await fillRegistrationForm(page, account)
      await field('Phone number').fill('123456789')
      await expectFirstInvalid(page, createButton, 'Phone number', 'Please enter a valid phone number')
      await fillRegistrationForm(page, account)
      await field('Confirm password').fill('correct house')
      await expectFirstInvalid(page, createButton, 'Confirm password', "Passwords don't match")
      await fillRegistrationForm(page, account)
      await page.getByRole('button', { name: createButton }).click()
      await expect(page.getByText(captchaError)).toBeVisible()
      await expect(captchaCheckbox(page)).toBeFocused()
    })

    await test.step('keeps the input when the server fails', async () => {
      await page.keyboard.press('Space')
      await expect(captchaCheckbox(page)).toBeChecked()
      await withFailingServer(page, '**/api/auth/register', async () => {
        await solveCaptcha(page)
        await page.getByRole('button', { name: createButton }).click()
        const toast = page.getByRole('alert').filter({ hasText: 'Registration failed' })
        await expect(toast).toHaveText('Registration failedRegistration failed')
        await expect(field('Username')).toHaveValue(account.username)
        await expect(field('Password')).toHaveValue(account.password)
        await expect(field('Confirm password')).toHaveValue(account.password)
        await toast.getByRole('button', { name: 'Dismiss' }).click()
      })
    })

    await test.step('focuses the captcha that replaces a rejected captcha', async () => {
      const message = 'reCAPTCHA verification failed. Please try again.'
      await page.route('**/api/auth/register', (route) =>
        route.fulfill({
          status: 400,
          json: { message, code: 'captcha_failed', errors: { recaptcha: [message] } },
        }),
      )
      await solveCaptcha(page)
      await page.getByRole('button', { name: createButton }).click()
      const group = captchaGroup(page)
      await expect(group).toHaveAccessibleDescription(message)
      await expect(captchaCheckbox(page)).toBeChecked()
      await expect(group).toBeFocused()
      await page.unroute('**/api/auth/register')
    })

    await test.step('submits once, shows progress and opens the sign-in page', async () => {
      let requests = 0
      await page.route('**/api/auth/register', async (route) => {
        requests += 1
        await expect(page.getByRole('button', { name: 'Creating Account...' })).toBeDisabled()
        await route.continue()
      })
      await solveCaptcha(page)
      await field('Confirm password').focus()
      await page.keyboard.press('Enter')
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/\/login$/)
      await expect(page.getByText('Please log in with your new account.')).toBeVisible()
      await expect(field('Email')).toHaveValue(account.email)
      expect(requests).toBe(1)
      await page.unroute('**/api/auth/register')
    })

    await test.step('shows at their fields that the username and the email address are taken', async () => {
      await page.getByRole('link', { name: 'Create account' }).click()
      await fillRegistrationForm(page, account)
      await solveCaptcha(page)
      await page.getByRole('button', { name: createButton }).click()
      await expect(field('Username')).toHaveAccessibleDescription('Username is already taken')
      await expect(field('Email')).toHaveAccessibleDescription('Email is already registered')
      await expect(field('Username')).toBeFocused()
      await expect(field('Password')).toHaveValue(account.password)
      await page.getByRole('link', { name: 'Sign in here' }).click()
    })

    await test.step('shows each sign-in error, then signs in', async () => {
      await expect(page.getByText('Sign in to your account')).toBeVisible()
      await expectFirstInvalid(page, 'Sign In', 'Email', 'Please enter a valid email address')
      await expect(page.getByText('Password is required')).toBeVisible()
      await field('Email').fill(account.email)
      await expectFirstInvalid(page, 'Sign In', 'Password', 'Password is required')
      await field('Password').fill(account.password)
      await page.keyboard.press('Enter')
      await expect(page.getByText(captchaError)).toBeVisible()
      await expect(captchaCheckbox(page)).toBeFocused()
      await withFailingServer(page, '**/api/auth/login', async () => {
        await solveCaptcha(page)
        await page.getByRole('button', { name: 'Sign In' }).click()
        const toast = page.getByRole('alert').filter({ hasText: 'Login failed' })
        await expect(toast).toHaveText('Login failedLogin failed')
        await expect(field('Password')).toHaveValue(account.password)
        await toast.getByRole('button', { name: 'Dismiss' }).click()
      })
      await page.route('**/api/auth/login', async (route) => {
        await expect(page.getByRole('button', { name: 'Signing in...' })).toBeDisabled()
        await route.continue()
      })
      await signInViaForm(page, account)
      await expect(page.getByText('Welcome back to Ovation.')).toBeVisible()
      expect(new URL(page.url()).pathname).toBe('/')
    })
    expect(toasts.maxVisible).toBe(1)
  })
})
