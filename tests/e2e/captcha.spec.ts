import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, type Page, test } from 'playwright/test'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import { discard, startStack, temporaryFolder } from '../support/own-stack.ts'
import { fillRegistration, newcomer, watchErrors, watchToasts } from './support.ts'

const host = 'https://challenges.cloudflare.com'
const failed = 'Failed to load reCAPTCHA. Please refresh the page.'

/** Stands in for Turnstile's script: a button that solves, and calls that the test makes by the window. */
const script = `
  let count = 0
  window.widgets = []
  window.turnstile = {
    ready: (then) => then(),
    render(place, options) {
      const id = 'widget-' + ++count
      const button = document.createElement('button')
      button.type = 'button'
      button.textContent = 'I am a person'
      button.onclick = () => options.callback('good-' + id)
      place.append(button)
      window.widgets.push({ id, options, button })
      return id
    },
    remove(id) {
      const at = window.widgets.findIndex((widget) => widget.id === id)
      if (at >= 0) window.widgets.splice(at, 1)[0].button.remove()
    },
    reset() {}, getResponse() {}, isExpired: () => false, execute() {},
  }`

interface Widgets {
  widgets: { options: Record<string, (text?: string) => void> }[]
}

/** Has the widget that is in the page call back, as Turnstile's own script would. */
async function callBack(page: Page, name: string): Promise<void> {
  await page.evaluate((callback) => {
    ;(window as unknown as Widgets).widgets.at(-1)?.options[callback]?.('300030')
  }, name)
}

/** Has ALTCHA's widget report a state. */
async function report(page: Page, state: string): Promise<void> {
  await page.locator('altcha-widget').evaluate(
    (element, detail) => {
      element.dispatchEvent(new CustomEvent('statechange', { detail }))
    },
    { state },
  )
}

/** Answers as Cloudflare does: a token is good once. */
async function startVerifier() {
  const asked: { response: string | null; secret: string | null }[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      const isJson = request.headers['content-type']?.includes('json')
      const given = isJson
        ? (JSON.parse(body) as Record<string, string>)
        : Object.fromEntries(new URLSearchParams(body))
      const token = given.response ?? null
      const success = token?.startsWith('good-') === true && !asked.some((one) => one.response === token)
      asked.push({ response: token, secret: given.secret ?? null })
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ success, 'error-codes': success ? [] : ['invalid-input-response'] }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { asked, url: `http://127.0.0.1:${port}/siteverify`, stop: () => server.close() }
}

/** Closes the toast about a captcha, so that the next one is seen to come. */
async function dismiss(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByText(failed)).toBeHidden()
}

test('with ALTCHA nothing is asked of Cloudflare; a challenge that fails or runs out says so and can be had anew', async ({
  page,
}) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).host))
  const toasts = await watchToasts(page)
  const box = page.getByRole('group', { name: 'Check that you are a person' }).getByRole('checkbox')

  await page.route('**/api/auth/captcha', (route) => route.abort())
  const response = await page.goto('/login')
  expect(response?.headers()['content-security-policy']).not.toContain('cloudflare')
  await expect(page.getByText(failed)).toBeVisible()
  await dismiss(page)
  await page.unroute('**/api/auth/captcha')
  await page.getByRole('button', { name: 'Load the check again' }).click()
  await expect(box).toBeChecked({ timeout: 20_000 })

  await report(page, 'expired')
  await expect(page.getByText(failed)).toBeVisible()
  await expect(box).not.toBeChecked()
  await page.getByLabel('Email').fill('ana@example.test')
  await page.getByLabel('Password', { exact: true }).fill('correct horse')
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByText('Please complete the reCAPTCHA verification')).toBeVisible()
  await expect(box).toBeFocused()

  await report(page, 'error')
  await page.getByRole('button', { name: 'Load the check again' }).click()
  await expect(box).toBeChecked({ timeout: 20_000 })
  expect(toasts.said).toEqual(Array(3).fill(`reCAPTCHA Error${failed}`))
  expect([...new Set(asked)]).toEqual([new URL(page.url()).host])
})

test('with Turnstile its script comes only then, its token reaches the verifier once, and failures can be mended', async ({
  browser,
}) => {
  const dataDir = temporaryFolder()
  const verifier = await startVerifier()
  const stack = startStack(dataDir, await freePort(), {
    CAPTCHA_PROVIDER: 'turnstile',
    TURNSTILE_SITE_KEY: 'site-key',
    TURNSTILE_SECRET_KEY: 'secret-key',
    TURNSTILE_VERIFY_URL: verifier.url,
  })
  try {
    const context = await browser.newContext({ baseURL: (await stack.ready()).apiUrl })
    const page = await context.newPage()
    const watched = watchErrors(page)
    const toasts = await watchToasts(page)
    const solve = page.getByRole('button', { name: 'I am a person' })
    const missing = page.getByText('Please complete the reCAPTCHA verification')
    const create = page.getByRole('button', { name: 'Create Account' })
    const who = newcomer('Tessa Turn')

    await page.route(`${host}/**`, (route) => route.abort())
    const response = await page.goto('/register')
    expect(response?.headers()['content-security-policy']).toContain(`script-src 'self' ${host}`)
    await expect(page.getByText(failed)).toBeVisible()
    await dismiss(page)
    await page.unroute(`${host}/**`)
    await page.route(`${host}/turnstile/v0/api.js*`, (route) =>
      route.fulfill({ contentType: 'text/javascript', body: script }),
    )
    await page.getByRole('button', { name: 'Load the check again' }).click()
    await fillRegistration(page, who)

    // What has run out, or failed, is gone: nothing is sent.
    await solve.click()
    await callBack(page, 'expired-callback')
    await expect(page.getByText(failed)).toBeVisible()
    // A toast that was dismissed gives the focus back where it was, which may come after a first press.
    await expect(async () => {
      await create.click()
      await expect(missing).toBeVisible()
      await expect(solve).toBeFocused({ timeout: 1_000 })
    }).toPass()
    await page.keyboard.press('Enter')
    await expect(missing).toBeHidden()
    await callBack(page, 'error-callback')
    await page.getByRole('button', { name: 'Load the check again' }).click()
    await create.click()
    await expect(missing).toBeVisible()
    expect(verifier.asked).toEqual([])

    await solve.click()
    await create.click()
    await expect(page).toHaveURL(/\/login$/)
    expect(verifier.asked).toEqual([{ response: expect.stringMatching(/^good-/), secret: 'secret-key' }])

    // A wrong password spends the token: the next try has a widget, and a token, of its own.
    await page.getByLabel('Password', { exact: true }).fill('wrong horse')
    await solve.click()
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByText('Invalid email or password')).toBeVisible()
    await page.getByLabel('Password', { exact: true }).fill(who.password)
    await solve.click()
    await page.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByText('Welcome back to Ovation.')).toBeVisible()
    expect(new Set(verifier.asked.map(({ response }) => response)).size).toBe(3)
    expect(toasts.said.filter((text) => text.startsWith('reCAPTCHA Error'))).toHaveLength(3)
    expect(toasts.most).toBe(1)
    expect(watched.errors.filter((error) => !/ERR_FAILED|401/.test(error))).toEqual([])
    await context.close()
  } finally {
    verifier.stop()
    await discard(stack, dataDir)
  }
})
