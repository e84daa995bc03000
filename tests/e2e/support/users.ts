import { randomUUID } from 'node:crypto'
import { LoginResponse } from '@contract/auth.ts'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  expect,
  type Page,
} from 'playwright/test'
import postgres from 'postgres'
import { captchaTokenFor, createCaptchaToken } from '../../support/captcha.ts'
import { readConnection } from '../../support/connection.ts'
import { deleteAccounts } from '../../support/deadlocks.ts'
import { insertAccount } from '../../support/insert-account.ts'
import { setSessionCookies } from './session-cookies.ts'

/**
 * A superuser connection to the shared stack's database. Use it to create test data, reset rate limits and check
 * what is stored, but never to test what a user may do.
 */
export const sql = postgres(readConnection().databaseUrl, { max: 2, onnotice: () => undefined })

/** The data that a user registers and signs in with. */
export interface Account {
  fullName: string
  username: string
  email: string
  password: string
}

/** A user who is signed in to their own browser context. */
export interface SignedInUser {
  id: string
  account: Account
  context: BrowserContext
}

export const phoneNumber = '+1 555 0100 200'

/** Returns the data of an account that does not exist yet. The username and the email address are unique. */
export function generateAccount(fullName: string): Account {
  const username = `${fullName.toLowerCase().replace(/[^a-z]/g, '')}_${randomUUID().slice(0, 8)}`
  return { fullName, username, email: `${username}@example.test`, password: 'correct horse' }
}

/** Submits a form to the API with a solved captcha, without rendering a page. @throws Error if the API rejects it */
async function submitForm(context: BrowserContext, path: string, form: Record<string, string>) {
  const captcha = await context.request.get('/api/auth/captcha')
  // Only the shared stack's captcha key is known here, so the challenges of other stacks have to be solved.
  const isShared = new URL(captcha.url()).origin === new URL(readConnection().apiUrl).origin
  const recaptcha = await (isShared ? createCaptchaToken() : captchaTokenFor(await captcha.json()))
  const response = await context.request.post(path, { data: { ...form, recaptcha } })
  if (!response.ok()) throw new Error(`${path} returned ${response.status()}: ${await response.text()}`)
  return response
}

/** Signs a browser context in through the API and returns the user's ID. */
export async function signInContext(
  context: BrowserContext,
  { email, password }: Pick<Account, 'email' | 'password'>,
): Promise<string> {
  const response = await submitForm(context, '/api/auth/login', { email, password })
  const { session, user } = LoginResponse.parse(await response.json())
  await setSessionCookies(context, session, new URL(response.url()).origin)
  return user.id
}

/** Registers an account through the API, as a newcomer does, and signs a browser context in. Returns the user's ID. */
export async function registerAccount(context: BrowserContext, account: Account): Promise<string> {
  await submitForm(context, '/api/auth/register', {
    ...account,
    confirmPassword: account.password,
    phoneNumber,
  })
  return await signInContext(context, account)
}

/**
 * Creates a user with a confirmed email address and signs them in to a new browser context, which has no page yet but
 * can call the API.
 *
 * @param options `baseURL` selects a stack other than the shared one
 * @param database a superuser connection to that stack's database
 */
export async function createSignedInUser(
  browser: Browser,
  fullName: string,
  options: BrowserContextOptions = {},
  database = sql,
): Promise<SignedInUser> {
  const account = generateAccount(fullName)
  const context = await browser.newContext(options)
  await insertAccount(database, { ...account, phoneNumber })
  const id = await signInContext(context, account)
  return { id, account, context }
}

/** Creates a user, signs them in to a new browser context and opens the home feed. */
export async function createUserOnHomeFeed(
  browser: Browser,
  fullName: string,
  options: BrowserContextOptions = {},
  database = sql,
): Promise<SignedInUser & { page: Page }> {
  const user = await createSignedInUser(browser, fullName, options, database)
  const page = await user.context.newPage()
  await page.goto('/')
  await expect(page.getByRole('navigation', { name: /main|primary/i }).first()).toBeVisible()
  return { ...user, page }
}

/** Creates an admin and signs them in to a new browser context. */
export async function createAdmin(browser: Browser, fullName: string): Promise<SignedInUser> {
  const user = await createSignedInUser(browser, fullName)
  await sql`select private.grant_admin(${user.account.email})`
  return user
}

/** Turns a user into a creator. @param database a superuser connection to the database of the user's stack */
export async function promoteToCreator({ id }: SignedInUser, database = sql): Promise<void> {
  await database`update public.profiles set is_creator = true where id = ${id}`
}

/** Returns the ID of the account with this email address, or null if there is none. */
export async function findUserId(email: string): Promise<string | null> {
  const [row] = await sql<{ id: string }[]>`select user_id as id from public.accounts where email = ${email}`
  return row?.id ?? null
}

/** Closes a user's browser context and deletes the account, so that it does not show up in later tests. */
export async function deleteUser({ context, id }: SignedInUser): Promise<void> {
  await context.close()
  await deleteAccounts(sql, [id])
}

/**
 * Makes all pending earnings of a user available by moving the end of their clearing period to yesterday. The triggers
 * that make the ledger append-only are off for this transaction.
 */
export async function clearPendingEarnings({ id }: SignedInUser): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`set local session_replication_role = replica`
    await tx`update public.ledger_transactions set clears_at = now() - interval '1 day' where user_id = ${id}`
  })
}
