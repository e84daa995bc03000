import { expect, type Page, test } from 'playwright/test'
import { readConnection } from '../support/connection.ts'
import { findAxeViolations, setColorScheme } from './support/accessibility.ts'
import { logOut } from './support/auth-forms.ts'
import { waitForMailMatch } from './support/mail.ts'
import { collectPageErrors, horizontalOverflow, openLandingPage } from './support/page.ts'
import { recordToasts } from './support/toasts.ts'
import { signInContext, sql } from './support/users.ts'

// The tests are slow and do not affect each other.
test.describe.configure({ mode: 'parallel' })

/**
 * Each width in both color schemes. Variants with the same width are adjacent, because only the first of them is
 * checked with every axe rule.
 */
const variants = [
  { width: 1280, height: 900, colorScheme: 'light' },
  { width: 1280, height: 900, colorScheme: 'dark' },
  { width: 390, height: 844, colorScheme: 'dark' },
  { width: 390, height: 844, colorScheme: 'light' },
] as const

/** Opens a screen, waits for the text `ready`, checks every variant and returns the problems found. */
async function inspectScreen(
  page: Page,
  path: string,
  ready: string | RegExp,
  open: (page: Page) => Promise<unknown> = () => page.goto(path),
): Promise<string[]> {
  await open(page)
  await expect(page.getByText(ready).first()).toBeVisible()
  // User cards far below the viewport are not rendered, but axe has to check them too.
  await page.addStyleTag({ content: '* { content-visibility: visible !important }' })
  const problems: string[] = []
  // Every screen has its own title, except the home screen, whose title is the app's name.
  if (!/^.+ · Ovation$/.test(await page.title()) && path !== '/')
    problems.push(`${path}: ${await page.title()}`)
  let lastWidth = 0
  for (const { width, height, colorScheme } of variants) {
    const variant = `${path} ${width} ${colorScheme}`
    await page.setViewportSize({ width, height })
    await setColorScheme(page, colorScheme)
    // The schemes differ only in their colors.
    const violations = await (width === lastWidth
      ? findAxeViolations(page, 'color-contrast')
      : findAxeViolations(page))
    problems.push(...violations.map((violation) => `${variant}: ${violation}`))
    lastWidth = width
    // A page that scrolls sideways hides some of its content.
    const overflow = await horizontalOverflow(page)
    if (overflow > 0) problems.push(`${variant}: ${overflow} px wider than the window`)
  }
  return problems
}

/** Checks the landing page before the app has loaded, and returns the problems found. */
async function inspectPrerenderedPage(page: Page): Promise<string[]> {
  const prerendered = await page.context().newPage()
  await prerendered.route('**/assets/index-*.js', (route) => route.abort())
  const problems: string[] = []
  for (const { width, height, colorScheme } of variants) {
    await prerendered.setViewportSize({ width, height })
    await prerendered.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await prerendered.goto('/')
    const violations = await findAxeViolations(prerendered)
    problems.push(...violations.map((violation) => `prerendered ${width} ${colorScheme}: ${violation}`))
    expect(await horizontalOverflow(prerendered)).toBe(0)
  }
  await prerendered.close()
  return problems
}

const signInToDemo = (page: Page, name: 'fan' | 'creator' | 'admin') =>
  signInContext(page.context(), { email: `${name}@demo.test`, password: 'ovation-demo' })

/** Returns the ID of a post by the user. */
async function findPostId(username: string): Promise<string> {
  const [post] = await sql<{ id: string }[]>`
    select q.id from public.posts q join public.profiles p on p.id = q.author_id
    where p.username = ${username} limit 1`
  return post?.id ?? ''
}

/** Requests a password reset email and returns the path of the link in it. */
async function requestResetPath(email: string): Promise<string> {
  await sql`delete from private.rate_limits where subject = ${email}`
  const response = await fetch(`${readConnection().apiUrl}/api/auth/forgot-password`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ email }),
  })
  expect(response.status).toBe(200)
  return await waitForMailMatch(email, /\/reset-password\?token=[\w-]+/)
}

test.describe('Accessibility of screens', () => {
  test('a visitor’s screens are accessible, fit the window and log no errors', async ({ page }) => {
    const collected = collectPageErrors(page)
    const problems = [
      await inspectPrerenderedPage(page),
      await inspectScreen(page, '/', 'Your Premium Content Platform', openLandingPage),
      await inspectScreen(page, '/register', 'Create Your Account'),
      await inspectScreen(page, '/login', 'Sign in to your account'),
      await inspectScreen(page, '/forgot-password', 'Send reset link'),
      await inspectScreen(page, '/reset-password', 'No reset token found'),
      await inspectScreen(page, `/reset-password?token=${'f'.repeat(56)}`, 'Invalid or expired link'),
      await inspectScreen(page, await requestResetPath('fan@demo.test'), 'Choose a new password.'),
      await inspectScreen(page, '/terms', 'July 2, 2025'),
      await inspectScreen(page, '/privacy', 'November 23, 2026'),
      await inspectScreen(page, '/messages', 'Please log in to view messages.'),
      await inspectScreen(page, '/profile/noormakes', 'Noor Haddad'),
      await inspectScreen(page, `/post/${await findPostId('noormakes')}`, 'Noor Haddad'),
      await inspectScreen(page, '/topic/sewing', '#sewing'),
    ]
    expect(problems.flat()).toEqual([])
    expect(collected.errors).toEqual([])
    expect(
      await inspectScreen(page, '/no/such/page', 'Did you forget to add the page to the router?'),
    ).toEqual([])
  })

  test('a user’s main screens are accessible, fit the window and log no errors', async ({ page }) => {
    await signInToDemo(page, 'fan')
    const [noor] = await sql<{ id: string }[]>`select id from public.profiles where username = 'noormakes'`
    const collected = collectPageErrors(page)
    const problems = [
      await inspectScreen(page, '/', /ago|Just now/),
      await inspectScreen(page, '/profile', 'Marisol Quintero'),
      await inspectScreen(page, '/profile/noormakes', 'Potter in Marseille'),
      await inspectScreen(page, `/post/${await findPostId('noormakes')}`, 'Noor Haddad'),
      await inspectScreen(page, '/messages', 'Noor Haddad'),
      await inspectScreen(page, `/messages?user=${noor?.id}`, 'It could glue itself to the shelf'),
      await inspectScreen(page, '/search', 'Search for Users'),
      await inspectScreen(page, '/search?q=noor', 'Found 1 user'),
      await inspectScreen(page, '/search?q=qqqqqq', 'No Users Found'),
      await inspectScreen(page, '/search?q=sewing&tab=posts', /ago|Just now/),
      await inspectScreen(page, '/search?q=sew&tab=topics', '#sewing'),
      await inspectScreen(page, '/discover', /ago|Just now/),
      await inspectScreen(page, '/topic/sewing', '#sewing'),
      await inspectScreen(page, '/creators', 'Noor Haddad'),
      await inspectScreen(page, '/following', 'Noor Haddad'),
      await inspectScreen(page, '/saved', /ago|Just now/),
    ]
    expect(problems.flat()).toEqual([])
    expect(collected.errors).toEqual([])
    // The browser logs an error for a 404 response, so this screen comes after the check of the logged errors.
    expect(await inspectScreen(page, '/profile/nobody_of_that_name', 'User not found')).toEqual([])
  })

  test('a user’s settings are accessible, fit the window and log no errors', async ({ page }) => {
    await signInToDemo(page, 'fan')
    const collected = collectPageErrors(page)
    const problems = [
      await inspectScreen(page, '/settings', /Photos/),
      await inspectScreen(page, '/settings/about', 'About you'),
      await inspectScreen(page, '/settings/links', 'Social links'),
      await inspectScreen(page, '/settings/creator', 'Creator Account'),
      await inspectScreen(page, '/settings/account', 'Contact details'),
      await inspectScreen(page, '/settings/appearance', 'Applies right away, in this browser only.'),
      await inspectScreen(page, '/settings/sessions', 'This device'),
      await inspectScreen(page, '/settings/security', 'Login alerts'),
      await inspectScreen(page, '/welcome', 'Follow a few people to fill your home feed.'),
      await inspectScreen(page, '/welcome?step=profile', 'Introduce yourself'),
      await inspectScreen(page, '/admin', 'Access Denied'),
    ]
    expect(problems.flat()).toEqual([])
    expect(collected.errors).toEqual([])
  })

  test('the creator and admin screens are accessible, fit the window and log no errors', async ({
    page,
    browser,
  }) => {
    const adminPage = await (await browser.newContext()).newPage()
    const collected = [collectPageErrors(page), collectPageErrors(adminPage)]
    await signInToDemo(page, 'creator')
    await signInToDemo(adminPage, 'admin')
    const problems = [
      await inspectScreen(page, '/analytics', /^Updated \d/),
      await inspectScreen(page, '/earnings', 'Available Balance'),
      await inspectScreen(page, '/earnings?tab=transactions', /Unlocked “|Subscription from/),
      await inspectScreen(page, '/earnings?tab=payouts', 'Request Instant Payout'),
      await inspectScreen(page, '/profile', 'Noor Haddad'),
      await inspectScreen(adminPage, '/admin', 'Total Users'),
      await inspectScreen(adminPage, '/admin?tab=settings', 'Add an admin'),
    ]
    expect(problems.flat()).toEqual([])
    expect(collected.flatMap(({ errors }) => errors)).toEqual([])
    await adminPage.context().close()
  })

  test('the header’s menus open by keyboard and are accessible, and a signed-out user is redirected to the sign-in page', async ({
    page,
  }) => {
    await signInToDemo(page, 'creator')
    await page.goto('/')
    for (const [name, text, width] of [
      ['Notifications', /liked your post|started following you/, 1280],
      ['Messages', 'Mark all read', 1280],
      ['Account menu', 'Log out', 1280],
      ['Notifications', /liked your post|started following you/, 390],
      ['Messages', 'Mark all read', 390],
      ['Account menu', 'Log out', 390],
    ] as const) {
      await page.setViewportSize({ width, height: 844 })
      const trigger = page.getByRole('button', { name: new RegExp(`^${name}`) })
      await trigger.focus()
      await page.keyboard.press('Enter')
      await expect(page.getByText(text).first()).toBeVisible()
      expect(await findAxeViolations(page), `${name} at ${width}`).toEqual([])
      await page.keyboard.press('Escape')
      await expect(trigger).toBeFocused()
    }
    await logOut(page)
    await expect(page.getByRole('link', { name: 'Get Started Free' }).first()).toBeVisible()
    // The toast is visible for only half a second, so polling the page could miss it.
    const toasts = await recordToasts(page)
    await page.goto('/search?q=noor', { waitUntil: 'commit' })
    const expectedTexts = [expect.stringContaining('You are logged out. Logging in again...')]
    await expect.poll(() => toasts.texts).toEqual(expectedTexts)
    await expect(page).toHaveURL('/login?next=%2Fsearch%3Fq%3Dnoor')
  })
})
