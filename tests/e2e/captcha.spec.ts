import { createServer } from 'node:http'
import { expect, type Page, test } from 'playwright/test'
import { type IsolatedStack, startIsolatedStack } from '../support/isolated-stack.ts'
import { listen } from '../support/listen.ts'
import { captchaCheckbox, fillRegistrationForm } from './support/auth-forms.ts'
import { collectPageErrors } from './support/page.ts'
import { recordToasts } from './support/toasts.ts'
import { generateAccount } from './support/users.ts'

const turnstileOrigin = 'https://challenges.cloudflare.com'
const loadError = 'Failed to load reCAPTCHA. Please refresh the page.'

/** Replaces Turnstile's script: a button solves the captcha, and tests call the other callbacks through `window`. */
const fakeTurnstileScript = `
  let count = 0
  window.widgets = []
  window.turnstile = {
    ready: (callback) => callback(),
    render(container, options) {
      const id = 'widget-' + ++count
      const button = document.createElement('button')
      button.type = 'button'
      button.textContent = 'I am a person'
      button.onclick = () => options.callback('good-' + id)
      container.append(button)
      window.widgets.push({ id, options, button })
      return id
    },
    remove(id) {
      const index = window.widgets.findIndex((widget) => widget.id === id)
      if (index >= 0) window.widgets.splice(index, 1)[0].button.remove()
    },
    reset() {}, getResponse() {}, isExpired: () => false, execute() {},
  }`

interface FakeTurnstileWindow {
  widgets: { options: Record<string, (text?: string) => void> }[]
}

/** Calls one of the widget's callbacks, as Turnstile's script does. */
async function callTurnstileCallback(page: Page, name: string): Promise<void> {
  await page.evaluate((callback) => {
    ;(window as unknown as FakeTurnstileWindow).widgets.at(-1)?.options[callback]?.('300030')
  }, name)
}

/** Makes ALTCHA's widget report a state. */
async function reportAltchaState(page: Page, state: string): Promise<void> {
  await page.locator('altcha-widget').evaluate(
    (element, detail) => {
      element.dispatchEvent(new CustomEvent('statechange', { detail }))
    },
    { state },
  )
}

/** Starts a server that verifies tokens as Cloudflare does: each token is valid once. */
async function startTurnstileVerifier() {
  const verifications: { response: string | null; secret: string | null }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      const isJson = request.headers['content-type']?.includes('json')
      const form = isJson
        ? (JSON.parse(body) as Record<string, string>)
        : Object.fromEntries(new URLSearchParams(body))
      const token = form.response ?? null
      const success =
        token?.startsWith('good-') === true && !verifications.some(({ response }) => response === token)
      verifications.push({ response: token, secret: form.secret ?? null })
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ success, 'error-codes': success ? [] : ['invalid-input-response'] }))
    })
  })
  const { url, stop } = await listen(server)
  return { verifications, url: `${url}/siteverify`, stop }
}

/** Dismisses the captcha's error toast, so that a later check cannot match it. */
async function dismissLoadError(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByText(loadError)).toBeHidden()
}

test.describe('Captcha', () => {
  test('reports failed and expired ALTCHA challenges, reloads the captcha and sends no request to Cloudflare', async ({
    page,
  }) => {
    const requestedHosts: string[] = []
    page.on('request', (request) => requestedHosts.push(new URL(request.url()).host))
    const toasts = await recordToasts(page)
    const checkbox = captchaCheckbox(page)

    await page.route('**/api/auth/captcha', (route) => route.abort())
    const response = await page.goto('/login')
    expect(response?.headers()['content-security-policy']).not.toContain('cloudflare')
    await expect(page.getByText(loadError)).toBeVisible()
    await dismissLoadError(page)
    await page.unroute('**/api/auth/captcha')
    await page.getByRole('button', { name: 'Reload captcha' }).click()
    await expect(checkbox).toBeChecked({ timeout: 60_000 })

    await reportAltchaState(page, 'expired')
    await expect(page.getByText(loadError)).toBeVisible()
    await expect(checkbox).not.toBeChecked()
    await page.getByLabel('Email').fill('ana@example.test')
    await page.getByLabel('Password', { exact: true }).fill('correct horse')
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByText('Please complete the reCAPTCHA verification')).toBeVisible()
    await expect(checkbox).toBeFocused()

    await reportAltchaState(page, 'error')
    await page.getByRole('button', { name: 'Reload captcha' }).click()
    await expect(checkbox).toBeChecked({ timeout: 60_000 })
    expect(toasts.texts).toEqual(Array(3).fill(`reCAPTCHA Error${loadError}`))
    expect([...new Set(requestedHosts)]).toEqual([new URL(page.url()).host])
  })

  test('loads Turnstile when it is configured, verifies each token once and recovers from failures', async ({
    browser,
  }) => {
    const verifier = await startTurnstileVerifier()
    let stack: IsolatedStack | undefined
    try {
      stack = await startIsolatedStack({
        CAPTCHA_PROVIDER: 'turnstile',
        TURNSTILE_SITE_KEY: 'site-key',
        TURNSTILE_SECRET_KEY: 'secret-key',
        TURNSTILE_VERIFY_URL: verifier.url,
      })
      const context = await browser.newContext({ baseURL: stack.connection.apiUrl })
      const page = await context.newPage()
      const collected = collectPageErrors(page)
      const toasts = await recordToasts(page)
      const solve = page.getByRole('button', { name: 'I am a person' })
      const captchaError = page.getByText('Please complete the reCAPTCHA verification')
      const create = page.getByRole('button', { name: 'Create Account' })
      const account = generateAccount('Tessa Turn')

      await page.route(`${turnstileOrigin}/**`, (route) => route.abort())
      const response = await page.goto('/register')
      expect(response?.headers()['content-security-policy']).toContain(`script-src 'self' ${turnstileOrigin}`)
      await expect(page.getByText(loadError)).toBeVisible()
      await dismissLoadError(page)
      await page.unroute(`${turnstileOrigin}/**`)
      await page.route(`${turnstileOrigin}/turnstile/v0/api.js*`, (route) =>
        route.fulfill({ contentType: 'text/javascript', body: fakeTurnstileScript }),
      )
      await page.getByRole('button', { name: 'Reload captcha' }).click()
      await fillRegistrationForm(page, account)

      // After the token expires or the challenge fails, the token is discarded and the form is not submitted.
      await solve.click()
      await callTurnstileCallback(page, 'expired-callback')
      await expect(page.getByText(loadError)).toBeVisible()
      // Until the new challenge is rendered, its button cannot receive the focus, so the click is retried.
      await expect(async () => {
        await create.click()
        await expect(captchaError).toBeVisible()
        await expect(solve).toBeFocused({ timeout: 1_000 })
      }).toPass()
      await page.keyboard.press('Enter')
      await expect(captchaError).toBeHidden()
      await callTurnstileCallback(page, 'error-callback')
      await page.getByRole('button', { name: 'Reload captcha' }).click()
      await create.click()
      await expect(captchaError).toBeVisible()
      expect(verifier.verifications).toEqual([])

      await solve.click()
      await create.click()
      await expect(page).toHaveURL(/\/login$/)
      // The URL changes before the new page is rendered, and both pages have a "Password" field.
      await expect(page.getByRole('button', { name: 'Sign In' })).toBeVisible()
      expect(verifier.verifications).toEqual([
        { response: expect.stringMatching(/^good-/), secret: 'secret-key' },
      ])

      // A wrong password uses up the token, so the next attempt needs a new one.
      await page.getByLabel('Password', { exact: true }).fill('wrong horse')
      await solve.click()
      await page.getByRole('button', { name: 'Sign In' }).click()
      await expect(page.getByText('Invalid email or password')).toBeVisible()
      await page.getByLabel('Password', { exact: true }).fill(account.password)
      await solve.click()
      await page.getByRole('button', { name: 'Sign In' }).click()
      await expect(page.getByText('Welcome back to Ovation.')).toBeVisible()
      expect(new Set(verifier.verifications.map(({ response }) => response)).size).toBe(3)
      expect(toasts.texts.filter((text) => text.startsWith('reCAPTCHA Error'))).toHaveLength(3)
      expect(toasts.maxVisible).toBe(1)

      // With this setting, registration also signs the user in, so there is only one captcha.
      await stack.sql`select private.set_setting('sign_in_after_registration', 'true')`
      await context.clearCookies()
      await page.goto('/register')
      await fillRegistrationForm(page, generateAccount('Nia New'))
      await solve.click()
      await create.click()
      await expect(page).toHaveURL(/\/welcome$/)
      await expect(page.getByRole('heading', { name: 'Welcome to Ovation' })).toBeVisible()
      await expect(page.getByRole('status').filter({ hasText: 'Registration successful!' })).toBeVisible()
      expect(verifier.verifications).toHaveLength(4)
      expect(collected.errors.filter((error) => !/ERR_FAILED|401/.test(error))).toEqual([])
      await context.close()
    } finally {
      await verifier.stop()
      await stack?.discard()
    }
  })
})
