import { type Browser, expect, type Page, test } from 'playwright/test'
import { expectAccessible } from './support/accessibility.ts'
import {
  captchaCheckbox,
  captchaGroup,
  fillRegistrationForm,
  signInViaForm,
  solveCaptcha,
} from './support/auth-forms.ts'
import { fetchMailMatches, waitForMailMatch } from './support/mail.ts'
import { recordToasts } from './support/toasts.ts'
import { deleteUser, generateAccount, registerAccount, signInContext, sql } from './support/users.ts'

/** Submits a form and checks that its first invalid field is focused and described by its error. */
async function expectFirstInvalid(page: Page, button: string, field: string, error: string): Promise<void> {
  await page.getByRole('button', { name: button }).click()
  const input = page.getByLabel(field, { exact: true })
  await expect(input).toBeFocused()
  await expect(input).toHaveAccessibleDescription(error)
  await expect(input).toHaveAttribute('aria-invalid', 'true')
}

/** Runs `work` twice: first with all requests to `url` aborted, then with an HTML error page as their response. */
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
      await expect(page.getByRole('heading', { name: 'Welcome to Ovation' })).toBeVisible()
      await expect(field('Email')).toHaveValue(account.email)
      expect(requests).toBe(1)
      await page.unroute('**/api/auth/register')
    })

    await test.step('reports a taken username and email address next to their fields', async () => {
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
      await expect(page).toHaveURL('/welcome')
    })
    expect(toasts.maxVisible).toBe(1)
  })
})

/** Registers a user through the API and signs them in to a new browser context. */
async function registerContext(browser: Browser, fullName: string) {
  const account = generateAccount(fullName)
  const context = await browser.newContext()
  const id = await registerAccount(context, account)
  return { id, account, context }
}

test.describe('A new user', () => {
  test('sees the welcome steps once, and does not lose input on reloads or back navigation', async ({
    browser,
  }) => {
    const nia = await registerContext(browser, 'Nia Newman')
    const page = await nia.context.newPage()
    const bio = page.getByLabel('Bio')
    const people = page.getByRole('list', { name: 'Suggested people' })

    // A deep link does not redirect to the welcome page.
    await page.goto('/topic/sewing')
    await expect(page.getByRole('heading', { name: '#sewing' })).toBeVisible()
    await page.goto('/')
    await expect(page).toHaveURL('/welcome')
    await expect(page.getByRole('heading', { name: 'Welcome to Ovation' })).toBeFocused()
    await expectAccessible(page)
    const mateus = people.getByRole('link', { name: /Mateus Figueira/ })
    await expect(mateus).toBeVisible()
    await page.getByRole('button', { name: '#ceramics' }).click()
    await people.getByRole('button', { name: 'Follow: Noor Haddad' }).click()
    await expect(people.getByRole('button', { name: /^Following: Noor Haddad/ })).toBeVisible()
    // The suggestions now contain only people who post about the topic.
    await expect(mateus).toBeHidden()
    await page.getByRole('link', { name: 'Next' }).click()
    await expect(page.getByRole('heading', { name: 'Introduce yourself' })).toBeFocused()
    await bio.fill('I sew at night')
    await page.reload()
    await expect(bio).toHaveValue('I sew at night')
    await page.getByRole('link', { name: 'Back', exact: true }).click()
    await expect(page.getByText('Step 1 of 2')).toBeVisible()
    await page.goBack()
    await expect(bio).toHaveValue('I sew at night')
    await page.getByRole('button', { name: 'Finish' }).click()
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('textbox', { name: "What's on your mind?" })).toBeVisible()
    await page.goto('/profile')
    await page.getByRole('button', { name: 'Create Your First Post' }).click()
    await expect(page.getByRole('dialog', { name: 'Create New Post' })).toBeVisible()

    const phone = await browser.newContext()
    await signInContext(phone, nia.account)
    const phonePage = await phone.newPage()
    await phonePage.goto('/')
    await expect(phonePage.getByRole('textbox', { name: "What's on your mind?" })).toBeVisible()
    await expect(phonePage).toHaveURL('/')
    await phonePage.goto('/profile')
    await expect(phonePage.getByText('I sew at night')).toBeVisible()
    await phone.close()
    await deleteUser(nia)
  })

  test('saves the bio, but not unsaved changes to other settings', async ({ browser }) => {
    const nia = await registerContext(browser, 'Nia Newman')
    const page = await nia.context.newPage()
    await page.goto('/settings/about')
    await page.getByLabel('Lives in', { exact: true }).fill('Lisbon')
    await page.getByLabel('Age', { exact: true }).fill('7')
    await page.goto('/welcome?step=profile')
    await page.getByLabel('Bio').fill('I sew at night')
    await page.getByRole('button', { name: 'Finish' }).click()
    await expect(page).toHaveURL('/')
    const saved = await (await nia.context.request.get('/api/auth/user')).json()
    expect(saved).toMatchObject({ bio: 'I sew at night', livesIn: null, age: null })
    await page.goto('/settings/about')
    await expect(page.getByLabel('Lives in', { exact: true })).toHaveValue('Lisbon')
    await expect(page.getByLabel('Age', { exact: true })).toHaveValue('7')
    await deleteUser(nia)
  })

  test('skips the welcome steps, and is asked to confirm the email address until it is confirmed in another browser', async ({
    browser,
  }) => {
    const oda = await registerContext(browser, 'Oda Unconfirmed')
    const page = await oda.context.newPage()
    const banner = page.getByRole('region', { name: 'Unconfirmed email address' })
    await page.goto('/')
    await page.getByRole('link', { name: 'Skip all' }).click()
    await expect(page.getByRole('textbox', { name: "What's on your mind?" })).toBeVisible()
    await expect(page).toHaveURL('/')
    await expect(banner).toContainText(`We sent a link to ${oda.account.email}.`)
    await expectAccessible(page)
    await banner.getByRole('button', { name: 'Hide until tomorrow' }).click()
    await expect(banner).toBeHidden()
    await page.goto('/')
    await expect(page.getByRole('textbox', { name: "What's on your mind?" })).toBeVisible()
    await expect(banner).toBeHidden()

    const [noor] = await sql<{ id: string }[]>`select id from public.profiles where username = 'noormakes'`
    await page.goto(`/messages?user=${noor?.id}`)
    const notice = page.getByText('Confirm your email address')
    await expect(notice).toBeVisible()
    const firstLink = await waitForMailMatch(oda.account.email, /\/confirm-email\?token=[\w-]+/)
    await page.getByRole('button', { name: /^Send again/ }).click()
    await expect(page.getByText('Confirmation email sent')).toBeVisible()
    await expect
      .poll(() => fetchMailMatches(oda.account.email, /\/confirm-email\?token=[\w-]+/))
      .toHaveLength(2)
    const [secondLink = ''] = await fetchMailMatches(oda.account.email, /\/confirm-email\?token=[\w-]+/)

    const other = await browser.newContext()
    const reader = await other.newPage()
    await reader.goto(firstLink)
    await reader.getByRole('button', { name: 'Confirm email address' }).click()
    await expect(reader.getByRole('heading', { name: 'Invalid or expired link' })).toBeFocused()
    await expectAccessible(reader)
    await reader.goto(secondLink)
    await reader.getByRole('button', { name: 'Confirm email address' }).click()
    await expect(reader.getByRole('heading', { name: 'Email address confirmed' })).toBeFocused()
    // Confirming the address does not sign the user in.
    await expect(reader.getByRole('link', { name: 'Sign in' })).toBeVisible()
    // The page that is already open updates itself.
    await expect(page.getByRole('textbox', { name: 'Type a message' })).toBeVisible()
    await expect(notice).toBeHidden()

    // The page that a used link opens says that the address is already confirmed.
    await page.goto(secondLink)
    await page.getByRole('button', { name: 'Confirm email address' }).click()
    await expect(page.getByText(`Your account uses ${oda.account.email}, which is confirmed.`)).toBeVisible()
    await other.close()
    await deleteUser(oda)
  })
})
