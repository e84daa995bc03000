import { type BrowserContext, expect, test } from 'playwright/test'
import { accountMenuButton, logOut, signInViaForm } from './support/auth-forms.ts'
import { getSessionCookies, readStoredSession, setSessionCookies } from './support/session-cookies.ts'
import { recordToasts } from './support/toasts.ts'
import { createSignedInUser, sql } from './support/users.ts'

const loggedOutText = 'You are logged out. Logging in again...'

/** Changes the stored session so that its access token appears to expire in 5 seconds. Returns the refresh token. */
async function expireSessionSoon(context: BrowserContext, origin: string): Promise<string> {
  const session = await readStoredSession(context)
  if (!session.refresh_token) throw new Error('The browser has no session.')
  await setSessionCookies(context, { ...session, expires_at: Math.floor(Date.now() / 1000) + 5 }, origin)
  return session.refresh_token
}

test.describe('Session across tabs', () => {
  test('renews the session once, signs out all tabs and returns to the same pages after signing in', async ({
    browser,
  }) => {
    const { context, account } = await createSignedInUser(browser, 'Cleo Tabs')
    const [first, second] = [await context.newPage(), await context.newPage()]
    const toasts = [await recordToasts(first), await recordToasts(second)]
    const searchPath = `/search?q=${account.username}#top`
    await first.goto(searchPath)
    await expect(first.getByText('Found 1 user')).toBeVisible()
    await second.goto('/messages')
    await expect(second.getByText('No conversations yet')).toBeVisible()

    await test.step('renews an expiring token once for both tabs', async () => {
      const renewals: string[] = []
      context.on('request', (request) => {
        if (request.url().includes('grant_type=refresh_token')) renewals.push(request.postData() ?? '')
      })
      const oldRefreshToken = await expireSessionSoon(context, new URL(first.url()).origin)
      await Promise.all([
        first.getByRole('link', { name: 'Discover', exact: true }).click(),
        second.getByRole('link', { name: 'Saved', exact: true }).click(),
      ])
      await expect
        .poll(async () => (await readStoredSession(context)).refresh_token)
        .not.toBe(oldRefreshToken)
      await Promise.all([first.goto(searchPath), second.goto('/messages')])
      await expect(first.getByText('Found 1 user')).toBeVisible()
      await expect(second.getByText('No conversations yet')).toBeVisible()
      expect(renewals.filter((body) => body.includes(oldRefreshToken))).toHaveLength(1)
      expect(toasts.flatMap(({ texts }) => texts)).toEqual([])
    })

    await test.step('signs out the other tab without a message', async () => {
      await logOut(first)
      for (const page of [first, second]) {
        await expect(page.getByRole('link', { name: 'Get Started Free' }).first()).toBeVisible()
      }
      expect(toasts.flatMap(({ texts }) => texts)).toEqual([])
    })

    await test.step('returns a visitor to the page they requested, through every sign-in screen', async () => {
      await second.goto('/profile/noormakes')
      await second.getByRole('button', { name: '+ Follow Me' }).click()
      await expect(second).toHaveURL('/login?next=%2Fprofile%2Fnoormakes')
      const third = await context.newPage()
      await third.goto('/profile/noormakes')
      await expect(third.getByRole('link', { name: 'Get Started Free' })).toHaveAttribute(
        'href',
        '/register?next=%2Fprofile%2Fnoormakes',
      )
      // The toast is visible for only half a second, so polling the page could miss it.
      const before = toasts[0]?.texts.length
      await first.goto(searchPath, { waitUntil: 'commit' })
      await expect
        .poll(() => toasts[0]?.texts.slice(before))
        .toEqual([expect.stringContaining(loggedOutText)])
      await expect(first).toHaveURL(`/login?next=${encodeURIComponent(searchPath)}`)
      // Going back must skip the protected page, because it would redirect to the sign-in page again.
      await first.goBack()
      await expect(first).toHaveURL('/')
      await first.goForward()
      await first.getByRole('link', { name: 'Forgot your password?' }).click()
      await first.getByRole('link', { name: 'Back to sign in' }).click()
      await first.getByRole('link', { name: 'Create account' }).click()
      await first.getByRole('link', { name: 'Sign in here' }).click()
      await second.goto('/saved')
      await expect(second).toHaveURL('/login?next=%2Fsaved')
      await signInViaForm(first, account)
      await expect(first).toHaveURL(searchPath)
      // The other tab leaves the sign-in form too.
      await expect(second).toHaveURL('/saved')
      // A public page now shows the signed-in user.
      await expect(accountMenuButton(third)).toBeVisible()
      await expect(third.getByRole('button', { name: 'Follow Me', exact: false })).toBeVisible()
      await third.close()
    })

    await test.step('shows one message when a search fails because the session has ended, and returns to the search', async () => {
      const before = toasts[0]?.texts.length
      await first.route('**/api/users/search?*', (route) =>
        route.fulfill({ status: 401, json: { message: 'Unauthorized', code: 'unauthorized' } }),
      )
      await first
        .getByRole('search', { name: 'Search', exact: true })
        .getByRole('searchbox')
        .fill('noormakes')
      await first.keyboard.press('Enter')
      await expect
        .poll(() => toasts[0]?.texts.slice(before))
        .toEqual([expect.stringContaining(loggedOutText)])
      await first.unroute('**/api/users/search?*')
      await first.getByText('Found 1 user').waitFor()
      expect(toasts[0]?.texts.slice(before)).toHaveLength(1)
      await first.goto(searchPath)
    })

    await test.step('redirects only to pages of the app', async () => {
      for (const hostile of ['//evil.example', '/api/logout']) {
        await second.goto(`/login?next=${encodeURIComponent(hostile)}`)
        await expect(second).toHaveURL('/')
      }
      await second.goto('/login?next=%2Fmessages')
      await expect(second).toHaveURL('/messages')
    })

    await test.step('shows one message in every tab when the session was ended elsewhere', async () => {
      const before = toasts.map(({ texts }) => texts.length)
      await expect(second.getByText('No conversations yet')).toBeVisible()
      await sql`delete from auth.sessions s using auth.users u where u.id = s.user_id and u.email = ${account.email}`
      await expect(first).toHaveURL(`/login?next=${encodeURIComponent(searchPath)}`)
      await expect(second).toHaveURL('/login?next=%2Fmessages')
      expect(toasts.map(({ texts }, tab) => texts.slice(before[tab]))).toEqual([
        [expect.stringContaining(loggedOutText)],
        [expect.stringContaining(loggedOutText)],
      ])
      expect(await getSessionCookies(context)).toEqual([])
    })
    expect(toasts.map(({ maxVisible }) => maxVisible)).toEqual([1, 1])
    await context.close()
  })
})
