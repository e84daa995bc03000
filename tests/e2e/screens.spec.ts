import { expect, type Page, test } from 'playwright/test'
import { readConnection } from '../support/connection.ts'
import { lookIn, violationsOf } from './axe.ts'
import { logOut, signIn, sql, watchErrors, watchToasts } from './support.ts'

const stack = readConnection()

// A trace keeps the page before and after every step, which here would take longer than looking at it.
test.use({ trace: 'off', contextOptions: { reducedMotion: 'reduce' } })
// Each of these is long, and only looks.
test.describe.configure({ mode: 'parallel' })

/** Every width in both modes; from one to the next only one of the two changes. */
const looks = [
  { width: 1280, height: 900, colorScheme: 'light' },
  { width: 1280, height: 900, colorScheme: 'dark' },
  { width: 390, height: 844, colorScheme: 'dark' },
  { width: 390, height: 844, colorScheme: 'light' },
] as const

/** Opens a screen and looks at it in every look; answers what is wrong with it. */
async function inspect(page: Page, path: string, ready: string | RegExp): Promise<string[]> {
  await page.goto(path)
  await expect(page.getByText(ready).first()).toBeVisible()
  // People below the window are not painted until they come near it; axe is to see them too.
  await page.addStyleTag({ content: '* { content-visibility: visible !important }' })
  const wrong: string[] = []
  // Tabs and history tell screens apart by their titles; only home is called by the name alone.
  if (!/^.+ · Ovation$/.test(await page.title()) && path !== '/') wrong.push(`${path}: ${await page.title()}`)
  let lastWidth = 0
  for (const { width, height, colorScheme } of looks) {
    const where = `${path} ${width} ${colorScheme}`
    await page.setViewportSize({ width, height })
    await lookIn(page, colorScheme)
    // With the mode only colours change.
    const violations = await (width === lastWidth ? violationsOf(page, 'color-contrast') : violationsOf(page))
    wrong.push(...violations.map((violation) => `${where}: ${violation}`))
    lastWidth = width
    // A page that can be pushed sideways hides something.
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    if (overflow > 0) wrong.push(`${where}: ${overflow} px wider than the window`)
  }
  return wrong
}

/** Some post of somebody. */
async function aPost(username: string): Promise<string> {
  const [post] = await sql<{ id: string }[]>`
    select q.id from public.posts q join public.profiles p on p.id = q.author_id
    where p.username = ${username} limit 1`
  return post?.id ?? ''
}

/** The link of a mail for a new password, just asked for. */
async function resetLink(email: string): Promise<string> {
  await sql`delete from private.rate_limits where subject = ${email}`
  const headers = { 'Content-Type': 'application/json', accept: 'application/json' }
  const asked = await fetch(`${stack.apiUrl}/api/auth/forgot-password`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ email }),
  })
  expect(asked.status).toBe(200)
  const found = async () => {
    const mails = (await (await fetch(stack.mailUrl, { headers })).json()) as { to: string; text: string }[]
    const links = mails
      .filter((mail) => mail.to.includes(email))
      .map((mail) => /\/reset-password\?token=[\w-]+/.exec(mail.text)?.[0])
    return links.find(Boolean) ?? ''
  }
  await expect.poll(found).not.toBe('')
  return await found()
}

test('each screen of a visitor is accessible, fits and logs no error', async ({ page }) => {
  test.setTimeout(240_000)
  const watched = watchErrors(page)
  const wrong = [
    await inspect(page, '/', 'Your Premium Content Platform'),
    await inspect(page, '/register', 'Create Your Account'),
    await inspect(page, '/login', 'Sign in to your account'),
    await inspect(page, '/forgot-password', 'Send reset link'),
    await inspect(page, '/reset-password', 'No reset token found'),
    await inspect(page, `/reset-password?token=${'f'.repeat(56)}`, 'Invalid or expired link'),
    await inspect(page, await resetLink('fan@demo.test'), 'Choose a new password.'),
    await inspect(page, '/terms', 'July 2, 2025'),
    await inspect(page, '/privacy', 'July 2, 2025'),
    await inspect(page, '/messages', 'Please log in to view messages.'),
    await inspect(page, '/profile/noormakes', 'Noor Haddad'),
    await inspect(page, `/post/${await aPost('noormakes')}`, 'Noor Haddad'),
    await inspect(page, '/topic/sewing', '#sewing'),
  ]
  expect(wrong.flat()).toEqual([])
  expect(watched.errors).toEqual([])
  expect(await inspect(page, '/no/such/page', 'Did you forget to add the page to the router?')).toEqual([])
})

test('each screen of a signed-in person is accessible, fits and logs no error', async ({ page }) => {
  test.setTimeout(300_000)
  await signIn(page, { email: 'fan@demo.test', password: 'ovation-demo' })
  const [noor] = await sql<{ id: string }[]>`select id from public.profiles where username = 'noormakes'`
  const watched = watchErrors(page)
  const wrong = [
    await inspect(page, '/', /ago|Just now/),
    await inspect(page, '/profile', 'Marisol Quintero'),
    await inspect(page, '/profile/noormakes', 'Unfollow'),
    await inspect(page, `/post/${await aPost('noormakes')}`, 'Noor Haddad'),
    await inspect(page, '/messages', 'Noor Haddad'),
    await inspect(page, `/messages?user=${noor?.id}`, 'It could glue itself to the shelf'),
    await inspect(page, '/search', 'Search for Users'),
    await inspect(page, '/search?q=noor', 'Found 1 user'),
    await inspect(page, '/search?q=qqqqqq', 'No Users Found'),
    await inspect(page, '/discover', /ago|Just now/),
    await inspect(page, '/topic/sewing', '#sewing'),
    await inspect(page, '/creators', 'Noor Haddad'),
    await inspect(page, '/following', 'Noor Haddad'),
    await inspect(page, '/saved', /ago|Just now/),
    await inspect(page, '/settings', 'Creator Account'),
    await inspect(page, '/settings?tab=security', 'This device'),
    await inspect(page, '/admin', 'Access Denied'),
  ]
  expect(wrong.flat()).toEqual([])
  expect(watched.errors).toEqual([])
  // Where something is missing the browser itself says so.
  expect(await inspect(page, '/profile/nobody_of_that_name', 'User not found')).toEqual([])
})

test('each screen of a creator and of an admin is accessible, fits and logs no error', async ({
  page,
  browser,
}) => {
  const admins = await (await browser.newContext()).newPage()
  const watched = [watchErrors(page), watchErrors(admins)]
  await signIn(page, { email: 'creator@demo.test', password: 'ovation-demo' })
  await signIn(admins, { email: 'admin@demo.test', password: 'ovation-demo' })
  const wrong = [
    await inspect(page, '/analytics', 'Counted up to'),
    await inspect(page, '/earnings', 'Available Balance'),
    await inspect(page, '/earnings?tab=transactions', /Subscription by/),
    await inspect(page, '/earnings?tab=payouts', 'Request Instant Payout'),
    await inspect(page, '/profile', 'Noor Haddad'),
    await inspect(admins, '/admin', 'Total Users'),
    await inspect(admins, '/admin?tab=settings', 'Name an admin'),
  ]
  expect(wrong.flat()).toEqual([])
  expect(watched.flatMap(({ errors }) => errors)).toEqual([])
  await admins.context().close()
})

test('the header’s menus open by keyboard, show what they should and are accessible', async ({ page }) => {
  await signIn(page, { email: 'creator@demo.test', password: 'ovation-demo' })
  for (const [name, text, width] of [
    ['Notifications', /liked your post|started following you/, 1280],
    ['Messages', 'Mark all read', 1280],
    ['Account of', 'Log out', 1280],
    ['Notifications', /liked your post|started following you/, 390],
    ['Messages', 'Mark all read', 390],
    ['Account of', 'Log out', 390],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    const trigger = page.getByRole('button', { name: new RegExp(`^${name}`) })
    await trigger.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText(text).first()).toBeVisible()
    expect(await violationsOf(page), `${name} at ${width}`).toEqual([])
    await page.keyboard.press('Escape')
    await expect(trigger).toBeFocused()
  }
  await logOut(page)
  await expect(page.getByRole('link', { name: 'Get Started Free' }).first()).toBeVisible()
  // It stands for half a second: whoever looks now and then may miss it.
  const toasts = await watchToasts(page)
  await page.goto('/search?q=noor', { waitUntil: 'commit' })
  const told = [expect.stringContaining('You are logged out. Logging in again...')]
  await expect.poll(() => toasts.said).toEqual(told)
  await expect(page).toHaveURL('/login?next=%2Fsearch%3Fq%3Dnoor')
})
