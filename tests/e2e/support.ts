import { randomUUID } from 'node:crypto'
import { LoginAnswer } from '@contract/auth.ts'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  type Locator,
  type Page,
} from 'playwright/test'
import postgres from 'postgres'
import { makeAccount } from '../support/accounts.ts'
import { readConnection, readSecrets } from '../support/connection.ts'
import { easyCaptcha, solved } from '../support/solve.ts'
import { keepSession } from './session-cookies.ts'

/** The database of the shared stack, as its superuser: sets scenes and forgets rate limits, never proves a right. */
export const sql = postgres(readConnection().databaseUrl, { max: 2, onnotice: () => undefined })

export interface Member {
  fullName: string
  username: string
  email: string
  password: string
}

/** Somebody who has no account yet. */
export function newcomer(fullName: string): Member {
  const username = `${fullName.toLowerCase().replace(/[^a-z]/g, '')}_${randomUUID().slice(0, 8)}`
  return { fullName, username, email: `${username}@example.test`, password: 'correct horse' }
}

/** The box of the captcha. */
export const captchaBox = (page: Page) =>
  page.getByRole('group', { name: 'Check that you are a person' }).getByRole('checkbox')

/** Ticks the captcha, unless it solves itself, and waits until it is solved. */
export async function solveCaptcha(page: Page): Promise<void> {
  const box = captchaBox(page)
  // One that is being solved already would be stopped by a click.
  const waits = await box.evaluate((input) => input.closest('altcha-widget')?.getState() === 'unverified')
  if (waits) await box.click()
  await expect(box).toBeChecked({ timeout: 20_000 })
}

/** Fills in the whole registration, but for the captcha. */
export async function fillRegistration(page: Page, who: Member): Promise<void> {
  await page.getByLabel('Full name').fill(who.fullName)
  await page.getByLabel('Username').fill(who.username)
  await page.getByLabel('Email').fill(who.email)
  await page.getByLabel('Phone number').fill('+1 555 0100 200')
  await page.getByLabel('Password', { exact: true }).fill(who.password)
  await page.getByLabel('Confirm password', { exact: true }).fill(who.password)
}

/** Sends what a form would send, its captcha solved, without drawing the form. */
async function submit(context: BrowserContext, path: string, form: Record<string, string>) {
  const answer = await context.request.get('/api/auth/captcha')
  // Another stack's key is not known here.
  const isShared = new URL(answer.url()).origin === new URL(readConnection().apiUrl).origin
  const recaptcha = await (isShared ? easyCaptcha(readSecrets().altchaKey) : solved(await answer.json()))
  const response = await context.request.post(path, { data: { ...form, recaptcha } })
  if (!response.ok()) throw new Error(`${path} answered ${response.status()}: ${await response.text()}`)
  return response
}

/** Signs in by the form that is open, else by `/login`; ends on the home feed, or where the form leads. */
export async function signIn(page: Page, who: Pick<Member, 'email' | 'password'>): Promise<void> {
  if (new URL(page.url(), 'http://blank').pathname !== '/login') await page.goto('/login')
  await page.getByLabel('Email').fill(who.email)
  await page.getByLabel('Password', { exact: true }).fill(who.password)
  await solveCaptcha(page)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('navigation', { name: /main|primary/i }).first()).toBeVisible()
}

/** Has a browser hold a session of somebody who has an account. */
export async function enter(context: BrowserContext, who: Member): Promise<void> {
  const signedIn = await submit(context, '/api/auth/login', { email: who.email, password: who.password })
  const { session } = LoginAnswer.parse(await signedIn.json())
  await keepSession(context, session, new URL(signedIn.url()).origin)
}

/** Somebody who has an account and is signed in, with a browser of their own that shows nothing yet: it can ask the API. */
export async function join(
  browser: Browser,
  fullName: string,
  options: BrowserContextOptions = {},
): Promise<{ context: BrowserContext; who: Member }> {
  const who = newcomer(fullName)
  const context = await browser.newContext(options)
  const phoneNumber = '+1 555 0100 200'
  if (options.baseURL === undefined) await makeAccount(sql, { ...who, phoneNumber })
  else await submit(context, '/api/auth/register', { ...who, confirmPassword: who.password, phoneNumber })
  await enter(context, who)
  return { context, who }
}

/** A browser of somebody's own, signed up and signed in, on the home feed. The forms have journeys of their own. */
export async function arrive(
  browser: Browser,
  fullName: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; context: BrowserContext; who: Member }> {
  const { context, who } = await join(browser, fullName, options)
  const page = await context.newPage()
  await page.goto('/')
  await expect(page.getByRole('navigation', { name: /main|primary/i }).first()).toBeVisible()
  return { page, context, who }
}

/**
 * Presses End until the end of a list is in sight. Once is not enough: the list grows under the key, and what a press
 * goes to is where the page ended then.
 */
export async function goToEnd(page: Page, end: Locator): Promise<void> {
  await expect(async () => {
    await page.keyboard.press('End')
    await expect(end).toBeInViewport({ timeout: 500 })
  }).toPass({ timeout: 30_000 })
}

/** Where the page is scrolled to, in pixels, once it has not moved for ten of its frames: a key scrolls smoothly. */
export async function restingPlace(page: Page): Promise<number> {
  return await page.evaluate(async () => {
    let last = Number.NaN
    for (let still = 0; still < 10; ) {
      await new Promise(requestAnimationFrame)
      still = window.scrollY === last ? still + 1 : 0
      last = window.scrollY
    }
    return last
  })
}

/** A toast can be read and pressed: nothing lies over its middle, no dialog hides it, and it leaves `free` alone. */
export async function expectToastInSight(page: Page, text: string | RegExp, free: Locator): Promise<void> {
  const button = await free.elementHandle()
  const look = () =>
    page.getByText(text).evaluate((words, button) => {
      const card = words.closest('[role=alert], [role=status]')
      const { left, right, top, bottom } = (card ?? words).getBoundingClientRect()
      const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
      const other = button?.getBoundingClientRect()
      return {
        onTop: card?.contains(hit) === true,
        hidden: words.closest('[aria-hidden=true], [inert]') !== null,
        covers:
          !other || (other.left < right && other.right > left && other.top < bottom && other.bottom > top),
      }
    }, button)
  await expect.poll(look).toEqual({ onTop: true, hidden: false, covers: false })
}

/** What a page said in toasts, from now on, over all its documents; `most` is how many were visible at a time. */
export async function watchToasts(page: Page): Promise<{ said: string[]; most: number }> {
  const seen = { said: [] as string[], most: 0 }
  await page.exposeFunction('toastSeen', (text: string, visible: number) => {
    seen.said.push(text)
    seen.most = Math.max(seen.most, visible)
  })
  await page.addInitScript(() => {
    const tell = (window as unknown as { toastSeen: (text: string, visible: number) => void }).toastSeen
    const known = new WeakSet<Element>()
    new MutationObserver(() => {
      const close = [...document.querySelectorAll('button[aria-label="Dismiss"]')]
      const cards = close.flatMap((button) => button.parentElement ?? [])
      for (const card of cards) {
        if (known.has(card)) continue
        known.add(card)
        tell(card.textContent, cards.length)
      }
    }).observe(document, { subtree: true, childList: true })
  })
  return seen
}

/** Closes somebody's browser and removes the account, so that no list of the next test knows them. */
export async function forget({ context, who }: { context: BrowserContext; who: Member }): Promise<void> {
  await context.close()
  await sql`delete from auth.users where email = ${who.email}`
}

/** Fails the test when the page throws or logs an error that is not a refusal it caused on purpose. */
export function watchErrors(page: Page): { errors: string[] } {
  const seen = { errors: [] as string[] }
  page.on('pageerror', (error) => seen.errors.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') seen.errors.push(message.text())
  })
  return seen
}

/** The page of the conversation between the viewer and somebody, opened from that person's profile. */
export async function openConversation(page: Page, other: Member): Promise<void> {
  await page.goto(`/profile/${other.username}`)
  await page.getByRole('link', { name: 'Message', exact: true }).click()
  await expect(page.getByPlaceholder('Type a message...')).toBeVisible()
}

export async function say(page: Page, text: string): Promise<void> {
  await page.getByPlaceholder('Type a message...').fill(text)
  await page.keyboard.press('Enter')
}

/** The messages of the open conversation. */
export const thread = (page: Page) => page.getByRole('group', { name: 'Messages', exact: true })

/**
 * Picks an item of the menu that was just opened. The menu grows as it opens, and a click could come down beside what
 * it was meant for: first the pointer has to rest on the item.
 */
export async function pickFromMenu(page: Page, name: string): Promise<void> {
  const item = page.getByRole('menuitem', { name })
  await expect(async () => {
    await item.hover()
    await expect(item).toHaveAttribute('data-highlighted', '', { timeout: 500 })
  }).toPass({ timeout: 20_000 })
  await item.click()
}

/** Leaves by the account's menu. */
export async function logOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account of/ }).click()
  await pickFromMenu(page, 'Log out')
}
