import { randomUUID } from 'node:crypto'
import { LoginResponse } from '@contract/auth.ts'
import { OwnUser } from '@contract/user.ts'
import type { ZodType } from 'zod'
import { apiAs, call } from './api.ts'
import { createCaptchaToken } from './captcha.ts'
import { deleteAccounts } from './deadlocks.ts'
import { insertAccount } from './insert-account.ts'
import { sql } from './stack.ts'

/** A signed-in user with their credentials and tokens. */
export type TestUser = {
  id: string
  username: string
  email: string
  password: string
  token: string
  refreshToken: string
}

const createdIds: string[] = []

/** Deletes the accounts that `createUser` has created. */
export const deleteCreatedUsers = () => deleteAccounts(sql, createdIds.splice(0))

/** Returns a valid registration form. `changes` overrides fields. */
export async function registrationForm(changes: Record<string, unknown> = {}) {
  const username = `t_${randomUUID().replaceAll('-', '').slice(0, 16)}`
  return {
    fullName: 'Test Person',
    username,
    email: `${username}@example.test`,
    phoneNumber: '+1 555 0100 200',
    password: 'correct horse',
    confirmPassword: 'correct horse',
    recaptcha: 'recaptcha' in changes ? changes.recaptcha : await createCaptchaToken(),
    ...changes,
  }
}

async function parseResponse<T>(response: Response, schema: ZodType<T>): Promise<T> {
  if (!response.ok) throw new Error(`${response.url} returned ${response.status}: ${await response.text()}`)
  return schema.parse(await response.json())
}

/** Signs a user in through the API and returns the user and the session. */
export async function signInViaApi(email: string, password: string) {
  const response = await call('POST', '/api/auth/login', {
    body: { email, password, recaptcha: await createCaptchaToken() },
  })
  return await parseResponse(response, LoginResponse)
}

/** Fetches a user's own account and profile through the API. */
export const getOwnUser = async (user: TestUser) => (await apiAs(user).get('/api/auth/user', OwnUser)).body

/** Creates a user and signs them in. The account is deleted after the test file. */
export async function createUser(changes: { fullName?: string; username?: string } = {}): Promise<TestUser> {
  const form = await registrationForm({ ...changes, recaptcha: undefined })
  const id = await insertAccount(sql, form)
  createdIds.push(id)
  const { session } = await signInViaApi(form.email, form.password)
  return {
    id,
    username: form.username,
    email: form.email,
    password: form.password,
    token: session.access_token,
    refreshToken: session.refresh_token,
  }
}

/** Creates several users in parallel and returns them by name. */
export const createUsers = <Names extends string>(...names: Names[]): Promise<Record<Names, TestUser>> =>
  Promise.all(names.map(async (name) => [name, await createUser()] as const)).then(
    (entries) => Object.fromEntries(entries) as Record<Names, TestUser>,
  )

export const makeCreator = (...users: TestUser[]) =>
  sql`update public.profiles set is_creator = true where id = any (${users.map(({ id }) => id)})`

export const makeAdmin = (...users: TestUser[]) =>
  sql`update public.profiles set is_admin = true where id = any (${users.map(({ id }) => id)})`
