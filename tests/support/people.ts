import { randomUUID } from 'node:crypto'
import { LoginAnswer } from '@contract/auth.ts'
import { afterAll } from 'vitest'
import type { ZodType } from 'zod'
import { makeAccount } from './accounts.ts'
import { call } from './api.ts'
import { captcha } from './captcha.ts'
import { sql } from './stack.ts'

/** Somebody who registered and signed in, as any visitor of the site would. */
export type Person = {
  id: string
  username: string
  email: string
  password: string
  token: string
  refreshToken: string
}

const made: string[] = []

// One after the other, as accounts go: several in one statement hold what they need in no order. What clashes with the
// work of another file all the same is done again, as the API does.
afterAll(async () => {
  for (const id of made) {
    const deleted = () => sql`delete from auth.users where id = ${id}`
    await deleted().catch(async (error: { code?: string }) => {
      if (error.code !== '40P01') throw error
      await new Promise((resolve) => setTimeout(resolve, 30 + Math.random() * 70))
      await deleted()
    })
  }
})

/** A registration that is right in everything; `changes` make it wrong or particular. */
export async function registration(changes: Record<string, unknown> = {}) {
  const username = `t_${randomUUID().replaceAll('-', '').slice(0, 16)}`
  return {
    fullName: 'Test Person',
    username,
    email: `${username}@example.test`,
    phoneNumber: '+1 555 0100 200',
    password: 'correct horse',
    confirmPassword: 'correct horse',
    recaptcha: 'recaptcha' in changes ? changes.recaptcha : await captcha(),
    ...changes,
  }
}

async function answer<T>(response: Response, schema: ZodType<T>): Promise<T> {
  if (!response.ok) throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`)
  return schema.parse(await response.json())
}

/** A session of somebody who has an account. */
export async function signIn(email: string, password: string) {
  const response = await call('POST', '/api/auth/login', {
    body: { email, password, recaptcha: await captcha() },
  })
  return await answer(response, LoginAnswer)
}

/** Somebody who has just registered and signed in; the account is gone when the file is done. */
export async function createPerson(changes: { fullName?: string; username?: string } = {}): Promise<Person> {
  const form = await registration({ ...changes, recaptcha: undefined })
  const id = await makeAccount(sql, form)
  made.push(id)
  const { session } = await signIn(form.email, form.password)
  return {
    id,
    username: form.username,
    email: form.email,
    password: form.password,
    token: session.access_token,
    refreshToken: session.refresh_token,
  }
}

/** Several people at once. */
export const createPeople = <Names extends string>(...names: Names[]): Promise<Record<Names, Person>> =>
  Promise.all(names.map(async (name) => [name, await createPerson()] as const)).then(
    (entries) => Object.fromEntries(entries) as Record<Names, Person>,
  )
