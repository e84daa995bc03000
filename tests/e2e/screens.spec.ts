import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page, test } from 'playwright/test'
import { signIn, sql, watchErrors } from './support.ts'

const looks = [
  { size: { width: 1280, height: 900 }, colorScheme: 'light' },
  { size: { width: 390, height: 844 }, colorScheme: 'dark' },
] as const

/**
 * What axe finds wrong with the page at rest: colours that are on their way from one to the other are looked at again,
 * a few times.
 */
async function violationsOf(page: Page, ...leftOut: string[]): Promise<string[]> {
  for (let look = 1; ; look++) {
    const { violations } = await new AxeBuilder({ page }).disableRules(leftOut).analyze()
    if (violations.length === 0 || look === 4) {
      return violations.map((rule) => `${rule.id} at ${rule.nodes[0]?.target.join(' ')}`)
    }
    await page.waitForTimeout(400)
  }
}

/** Opens a screen and looks at it in both widths, each in one of the colour modes; answers what is wrong with it. */
async function inspect(page: Page, path: string, ready: string | RegExp): Promise<string[]> {
  await page.goto(path)
  await expect(page.getByText(ready).first()).toBeVisible()
  // Posts below the window are not painted until they come near it; axe is to see them too.
  await page.addStyleTag({ content: '* { content-visibility: visible !important }' })
  const wrong: string[] = []
  for (const { size, colorScheme } of looks) {
    await page.setViewportSize(size)
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.waitForFunction((mode) => document.documentElement.style.colorScheme === mode, colorScheme)
    const where = `${path} ${size.width} ${colorScheme}`
    wrong.push(...(await violationsOf(page)).map((violation) => `${where}: ${violation}`))
    // A page that can be pushed sideways hides something.
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    if (overflow > 0) wrong.push(`${path} ${size.width}: ${overflow} px wider than the window`)
  }
  return wrong
}

test('each screen of a visitor is accessible, fits and logs no error', async ({ page }) => {
  const watched = watchErrors(page)
  const wrong = [
    await inspect(page, '/', 'Your Premium Content Platform'),
    await inspect(page, '/register', 'Create Your Account'),
    await inspect(page, '/login', 'Sign in to your account'),
    await inspect(page, '/terms', 'July 2, 2025'),
    await inspect(page, '/privacy', 'July 2, 2025'),
    await inspect(page, '/messages', 'Please log in to view messages.'),
    await inspect(page, '/profile/noormakes', 'Noor Haddad'),
    await inspect(page, '/no/such/page', 'Did you forget to add the page to the router?'),
  ]
  expect(wrong.flat()).toEqual([])
  expect(watched.errors).toEqual([])
})

test('each screen of a signed-in person is accessible, fits and logs no error', async ({ page }) => {
  await signIn(page, { email: 'fan@demo.test', password: 'ovation-demo' })
  const [noor] = await sql<{ id: string; post: string }[]>`
    select p.id, (select q.id from public.posts q where q.author_id = p.id limit 1) as post
    from public.profiles p where p.username = 'noormakes'`
  const watched = watchErrors(page)
  const wrong = [
    await inspect(page, '/', /ago|Just now/),
    await inspect(page, '/profile', 'Marisol Quintero'),
    await inspect(page, '/profile/noormakes', 'Unfollow'),
    await inspect(page, `/post/${noor?.post}`, 'Noor Haddad'),
    await inspect(page, '/messages', 'Noor Haddad'),
    await inspect(page, `/messages?user=${noor?.id}`, 'It could glue itself to the shelf'),
    await inspect(page, '/search?q=noor', 'Found 1 user'),
    await inspect(page, '/search?q=qqqqqq', 'No Users Found'),
    await inspect(page, '/profile/nobody_of_that_name', 'User not found'),
  ]
  expect(wrong.flat()).toEqual([])
  expect(watched.errors.filter((error) => !error.includes('404'))).toEqual([])
})

test('the header’s menus open by keyboard, show what they should and are accessible', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 })
  await signIn(page, { email: 'creator@demo.test', password: 'ovation-demo' })
  for (const [name, text] of [
    ['Notifications', /liked|follow/i],
    ['Messages', 'Mark all read'],
    ['Account of', 'Log out'],
  ] as const) {
    const trigger = page.getByRole('button', { name: new RegExp(`^${name}`) })
    await trigger.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByText(text).first()).toBeVisible()
    // The account's menu, unlike the two panels, lies outside of the page's regions until it is closed again.
    expect(await violationsOf(page, ...(name === 'Account of' ? ['region'] : [])), name).toEqual([])
    await page.keyboard.press('Escape')
    await expect(trigger).toBeFocused()
  }
  await page.getByRole('button', { name: /^Account of/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
  await expect(page.getByRole('link', { name: 'Get Started Free' }).first()).toBeVisible()
  await page.goto('/search?q=noor')
  await expect(page.getByText('You are logged out. Logging in again...')).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
})
