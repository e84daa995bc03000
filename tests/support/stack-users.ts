import { randomUUID } from 'node:crypto'
import type postgres from 'postgres'
import type { Connection } from './connection.ts'
import { insertAccount } from './insert-account.ts'
import type { TestUser } from './users.ts'

/** Signs a user in on a stack that a test started without a captcha. Returns the tokens. */
export async function signIn(
  { apiUrl }: Connection,
  { email, password }: Pick<TestUser, 'email' | 'password'>,
): Promise<Pick<TestUser, 'token' | 'refreshToken'>> {
  const response = await fetch(`${apiUrl}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password, recaptcha: 'none' }),
    signal: AbortSignal.timeout(15_000),
  })
  if (!response.ok) throw new Error(`The sign-in returned ${response.status}: ${await response.text()}`)
  const { session } = await response.json()
  return { token: session.access_token, refreshToken: session.refresh_token }
}

/** Creates a signed-in user on a stack that a test started without a captcha. */
export async function createStackUser(
  connection: Connection,
  sql: postgres.Sql,
  flags: { isCreator?: boolean; isAdmin?: boolean } = {},
): Promise<TestUser> {
  const username = `t_${randomUUID().replaceAll('-', '').slice(0, 16)}`
  const form = {
    fullName: 'Test Person',
    username,
    email: `${username}@example.test`,
    phoneNumber: '+1 555 0100 200',
    password: 'correct horse',
  }
  const id = await insertAccount(sql, form)
  const { isCreator = false, isAdmin = false } = flags
  await sql`update public.profiles set is_creator = ${isCreator}, is_admin = ${isAdmin} where id = ${id}`
  return { id, ...form, ...(await signIn(connection, form)) }
}
