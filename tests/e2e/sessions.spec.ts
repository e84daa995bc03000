import { sessionCookieName } from '@contract/auth.ts'
import { type BrowserContext, expect, test } from 'playwright/test'
import { arrive, signIn, sql, watchToasts } from './support.ts'

const loggedOut = 'You are logged out. Logging in again...'

async function sessionCookies(context: BrowserContext) {
  const parts = (await context.cookies()).filter((cookie) => cookie.name.startsWith(sessionCookieName))
  return parts.sort((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
}

/** The session that a browser holds; without a token where it holds none. */
async function storedSession(
  context: BrowserContext,
): Promise<{ refresh_token?: string; expires_at?: number }> {
  const value = (await sessionCookies(context)).map((part) => part.value).join('')
  const json = Buffer.from(value.replace('base64-', ''), 'base64url').toString()
  return json ? (JSON.parse(json) as { refresh_token?: string }) : {}
}

/** Makes the browser believe that its token ends in a moment. Answers the token that renews it. */
async function ageSession(context: BrowserContext): Promise<string> {
  const parts = await sessionCookies(context)
  const session = await storedSession(context)
  session.expires_at = Math.floor(Date.now() / 1000) + 5
  const aged = `base64-${Buffer.from(JSON.stringify(session)).toString('base64url')}`
  await context.clearCookies()
  const [first] = parts
  if (!first || !session.refresh_token) throw new Error('nobody is signed in')
  const { domain, path, sameSite, expires } = first
  const size = 3180
  await context.addCookies(
    Array.from({ length: Math.ceil(aged.length / size) }, (_, chunk) => ({
      name: aged.length > size ? `${sessionCookieName}.${chunk}` : sessionCookieName,
      value: aged.slice(chunk * size, (chunk + 1) * size),
      domain,
      path,
      sameSite,
      expires,
    })),
  )
  return session.refresh_token
}

test('tabs renew a session one after the other, leave together, and come back where they were', async ({
  browser,
}) => {
  test.setTimeout(120_000)
  const { context, page: first, who } = await arrive(browser, 'Cleo Tabs')
  const second = await context.newPage()
  const toasts = [await watchToasts(first), await watchToasts(second)]
  const place = `/search?q=${who.username}#top`
  await first.goto(place)
  await expect(first.getByText('Found 1 user')).toBeVisible()
  await second.goto('/messages')
  await expect(second.getByText('No conversations yet')).toBeVisible()

  await test.step('two tabs whose token ends at once: one renewal, and both stay signed in', async () => {
    const shown: string[] = []
    context.on('request', (request) => {
      if (request.url().includes('grant_type=refresh_token')) shown.push(request.postData() ?? '')
    })
    const old = await ageSession(context)
    await Promise.all([
      first.getByRole('link', { name: 'Discover', exact: true }).click(),
      second.getByRole('link', { name: 'Saved', exact: true }).click(),
    ])
    await expect.poll(async () => (await storedSession(context)).refresh_token).not.toBe(old)
    await Promise.all([first.goto(place), second.goto('/messages')])
    await expect(first.getByText('Found 1 user')).toBeVisible()
    await expect(second.getByText('No conversations yet')).toBeVisible()
    expect(shown).toEqual([expect.stringContaining(old)])
    expect(toasts.flatMap(({ said }) => said)).toEqual([])
  })

  await test.step('signing out in one tab reaches the other at once, without a word', async () => {
    await first.getByRole('button', { name: /^Account of/ }).click()
    await first.getByRole('menuitem', { name: 'Log out' }).click()
    for (const page of [first, second]) {
      await expect(page.getByRole('link', { name: 'Get Started Free' }).first()).toBeVisible()
    }
    expect(toasts.flatMap(({ said }) => said)).toEqual([])
  })

  await test.step('a visitor comes to the place they wanted, by way of every screen in between', async () => {
    await second.goto('/profile/noormakes')
    await second.getByRole('button', { name: '+ Follow Me' }).click()
    await expect(second).toHaveURL('/login?next=%2Fprofile%2Fnoormakes')
    await first.goto(place)
    await expect(first.getByText(loggedOut)).toBeVisible()
    await expect(first).toHaveURL(`/login?next=${encodeURIComponent(place)}`)
    await first.getByRole('link', { name: 'Forgot your password?' }).click()
    await first.getByRole('link', { name: 'Back to login' }).click()
    await first.getByRole('link', { name: 'Create account' }).click()
    await first.getByRole('link', { name: 'Sign in here' }).click()
    await second.goto('/saved')
    await expect(second).toHaveURL('/login?next=%2Fsaved')
    await signIn(first, who)
    await expect(first).toHaveURL(place)
    // The other tab waited at the form, and has no need of it any more.
    await expect(second).toHaveURL('/saved')
  })

  await test.step('only places of this site count', async () => {
    for (const hostile of [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      '/..//evil.example',
      'javascript:alert(1)',
      '/api/logout',
      '/login?next=/login',
    ]) {
      await second.goto(`/login?next=${encodeURIComponent(hostile)}`)
      await expect(second).toHaveURL('/')
    }
    await second.goto('/login?next=%2Fmessages')
    await expect(second).toHaveURL('/messages')
  })

  await test.step('a session that is ended elsewhere: every page is told once and can come back', async () => {
    const before = toasts.map(({ said }) => said.length)
    await expect(second.getByText('No conversations yet')).toBeVisible()
    await sql`delete from auth.sessions s using auth.users u where u.id = s.user_id and u.email = ${who.email}`
    await expect(first).toHaveURL(`/login?next=${encodeURIComponent(place)}`)
    await expect(second).toHaveURL('/login?next=%2Fmessages')
    expect(toasts.map(({ said }, page) => said.slice(before[page]))).toEqual([
      [expect.stringContaining(loggedOut)],
      [expect.stringContaining(loggedOut)],
    ])
    expect(await sessionCookies(context)).toEqual([])
  })
  expect(toasts.map(({ most }) => most)).toEqual([1, 1])
  await context.close()
})
