import { type BrowserContext, expect, test } from 'playwright/test'
import { keepSession, keptSession, sessionCookies } from './session-cookies.ts'
import { join, logOut, signIn, sql, watchToasts } from './support.ts'

const loggedOut = 'You are logged out. Logging in again...'

/** Makes the browser believe that its token ends in a moment. Answers the token that renews it. */
async function ageSession(context: BrowserContext, origin: string): Promise<string> {
  const session = await keptSession(context)
  if (!session.refresh_token) throw new Error('nobody is signed in')
  await keepSession(context, { ...session, expires_at: Math.floor(Date.now() / 1000) + 5 }, origin)
  return session.refresh_token
}

test('tabs renew a session one after the other, leave together, and come back where they were', async ({
  browser,
}) => {
  const { context, who } = await join(browser, 'Cleo Tabs')
  const [first, second] = [await context.newPage(), await context.newPage()]
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
    const old = await ageSession(context, new URL(first.url()).origin)
    await Promise.all([
      first.getByRole('link', { name: 'Discover', exact: true }).click(),
      second.getByRole('link', { name: 'Saved', exact: true }).click(),
    ])
    await expect.poll(async () => (await keptSession(context)).refresh_token).not.toBe(old)
    await Promise.all([first.goto(place), second.goto('/messages')])
    await expect(first.getByText('Found 1 user')).toBeVisible()
    await expect(second.getByText('No conversations yet')).toBeVisible()
    expect(shown).toEqual([expect.stringContaining(old)])
    expect(toasts.flatMap(({ said }) => said)).toEqual([])
  })

  await test.step('signing out in one tab reaches the other at once, without a word', async () => {
    await logOut(first)
    for (const page of [first, second]) {
      await expect(page.getByRole('link', { name: 'Get Started Free' }).first()).toBeVisible()
    }
    expect(toasts.flatMap(({ said }) => said)).toEqual([])
  })

  await test.step('a visitor comes to the place they wanted, by way of every screen in between', async () => {
    await second.goto('/profile/noormakes')
    await second.getByRole('button', { name: '+ Follow Me' }).click()
    await expect(second).toHaveURL('/login?next=%2Fprofile%2Fnoormakes')
    const third = await context.newPage()
    await third.goto('/profile/noormakes')
    await expect(third.getByRole('link', { name: 'Get Started Free' })).toHaveAttribute(
      'href',
      '/register?next=%2Fprofile%2Fnoormakes',
    )
    // What it says stands for half a second: whoever looks now and then may miss it.
    const before = toasts[0]?.said.length
    await first.goto(place, { waitUntil: 'commit' })
    await expect.poll(() => toasts[0]?.said.slice(before)).toEqual([expect.stringContaining(loggedOut)])
    await expect(first).toHaveURL(`/login?next=${encodeURIComponent(place)}`)
    // The way back is no way into the guarded place, which would only lead here again.
    await first.goBack()
    await expect(first).toHaveURL('/')
    await first.goForward()
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
    // A page for everybody learns who looks at it now.
    await expect(third.getByRole('button', { name: /^Account of/ })).toBeVisible()
    await expect(third.getByRole('button', { name: 'Follow Me', exact: false })).toBeVisible()
    await third.close()
  })

  await test.step('a search that meets the end of the session says that alone, and comes back', async () => {
    const before = toasts[0]?.said.length
    await first.route('**/api/users/search?*', (route) =>
      route.fulfill({ status: 401, json: { message: 'Unauthorized', code: 'unauthorized' } }),
    )
    await first.getByRole('search', { name: 'People' }).getByRole('searchbox').fill('noormakes')
    await first.keyboard.press('Enter')
    await expect.poll(() => toasts[0]?.said.slice(before)).toEqual([expect.stringContaining(loggedOut)])
    await first.unroute('**/api/users/search?*')
    await first.getByText('Found 1 user').waitFor()
    expect(toasts[0]?.said.slice(before)).toHaveLength(1)
    await first.goto(place)
  })

  await test.step('only places of this site count', async () => {
    for (const hostile of ['//evil.example', '/api/logout']) {
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
