import { randomUUID } from 'node:crypto'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  type Page,
} from 'playwright/test'
import postgres from 'postgres'
import { readConnection } from '../support/connection.ts'

/** The database of the shared stack, as its superuser: sets scenes and forgets rate limits, never proves a right. */
export const sql = postgres(readConnection().databaseUrl, { max: 2, onnotice: () => undefined })

interface Member {
  fullName: string
  username: string
  email: string
  password: string
}

/** Somebody who has no account yet. */
function newcomer(fullName: string): Member {
  const username = `${fullName.toLowerCase().replace(/[^a-z]/g, '')}_${randomUUID().slice(0, 8)}`
  return { fullName, username, email: `${username}@example.test`, password: 'correct horse' }
}

/** Ticks the captcha and waits until it is solved. */
async function solveCaptcha(page: Page): Promise<void> {
  const box = page.getByRole('group', { name: 'Check that you are a person' }).getByRole('checkbox')
  await box.click()
  await expect(box).toBeChecked({ timeout: 20_000 })
}

/** Signs up by the form, as a visitor would; ends on the sign-in page. */
async function register(page: Page, who: Member): Promise<void> {
  await page.goto('/register')
  await page.getByLabel('Full name').fill(who.fullName)
  await page.getByLabel('Username').fill(who.username)
  await page.getByLabel('Email').fill(who.email)
  await page.getByLabel('Phone number').fill('+1 555 0100 200')
  await page.getByLabel('Password', { exact: true }).fill(who.password)
  await page.getByLabel('Confirm password').fill(who.password)
  await solveCaptcha(page)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect(page).toHaveURL(/\/login$/)
}

/** Signs in by the form; ends on the home feed. */
export async function signIn(page: Page, who: Pick<Member, 'email' | 'password'>): Promise<void> {
  if (!page.url().endsWith('/login')) await page.goto('/login')
  await page.getByLabel('Email').fill(who.email)
  await page.getByLabel('Password', { exact: true }).fill(who.password)
  await solveCaptcha(page)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('navigation', { name: /main|primary/i }).first()).toBeVisible()
}

/** A browser of somebody's own, signed up and signed in. */
export async function arrive(
  browser: Browser,
  fullName: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; context: BrowserContext; who: Member }> {
  const who = newcomer(fullName)
  const context = await browser.newContext(options)
  const page = await context.newPage()
  await register(page, who)
  await signIn(page, who)
  return { page, context, who }
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
