import { expect, type Page, test } from 'playwright/test'
import { watchErrors } from './support.ts'

const banner = (page: Page) => page.getByRole('region', { name: 'Your cookies, your choice' })
const choice = (page: Page) => page.evaluate(() => localStorage.getItem('cookieChoice'))

test('the landing page says what it should, in order, and leads where it should', async ({ page }) => {
  await page.goto('/')
  const said = (await page.getByRole('main').textContent()) ?? ''
  const texts = [
    'Your Premium Content Platform',
    'Connect with creators, discover exclusive content, and build your community. Join thousands of creators already earning from their passion.',
    'Get Started Free',
    'Sign In',
    'Why Choose Ovation?',
    'Build Community',
    'Monetize Content',
    'flexible pricing options',
    'Secure Platform',
    'bank-level security',
    'Premium Features',
    'advanced analytics, custom branding, and priority support',
    'Ready to Start Creating?',
    "Sign Up Now - It's Free",
  ]
  const places = texts.map((text) => said.indexOf(text))
  expect(places.filter((place) => place < 0)).toEqual([])
  expect(places).toEqual([...places].sort((a, b) => a - b))
  await expect(page.getByRole('heading', { level: 3 })).toHaveText([
    'Build Community',
    'Monetize Content',
    'Secure Platform',
    'Premium Features',
  ])
  await expect(page).toHaveTitle('Ovation')

  const main = page.getByRole('main')
  await expect(main.getByRole('link', { name: 'Get Started Free' })).toHaveAttribute('href', '/register')
  await expect(main.getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/login')
  await expect(main.getByRole('link', { name: 'Sign Up Now' })).toHaveAttribute('href', '/register')
  const footer = page.getByRole('contentinfo')
  await expect(footer).toContainText(`© ${new Date().getFullYear()} Ovation`)
  for (const [name, title] of [
    ['Terms of Service', /^Terms of Service/],
    ['Privacy Policy', /^Privacy Policy/],
  ] as const) {
    const [tab] = await Promise.all([page.waitForEvent('popup'), footer.getByRole('link', { name }).click()])
    await expect(tab).toHaveTitle(title)
    await tab.close()
  }
})

test('each answer to the cookie banner is kept, by mouse or keyboard, and it does not ask again', async ({
  page,
}) => {
  const watched = watchErrors(page)
  await page.goto('/')
  for (const [button, kept] of [
    ['Accept All', 'accepted'],
    ['Reject All', 'rejected'],
    ['Manage Cookie Settings', 'rejected'],
    ['Close', 'rejected'],
  ] as const) {
    const pressed = banner(page).getByRole('button', { name: button })
    await expect(pressed).toBeVisible()
    expect(await choice(page)).toBe(null)
    if (button === 'Reject All') await pressed.click()
    else {
      await pressed.focus()
      await page.keyboard.press('Enter')
    }
    await expect(banner(page)).toBeHidden()
    expect(await choice(page)).toBe(kept)
    await expect(page.getByRole('main')).toBeFocused()
    if (button === 'Accept All') {
      await page.reload()
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(banner(page)).toBeHidden()
    }
    await page.evaluate(() => localStorage.clear())
    await page.reload()
  }
  expect(watched.errors).toEqual([])
})

test('the cookie banner hides nothing for good, holds nobody, and goes in every tab', async ({
  page,
  context,
}) => {
  await page.setViewportSize({ width: 390, height: 600 })
  const second = await context.newPage()
  for (const tab of [page, second]) {
    await tab.goto('/')
    await expect(banner(tab)).toBeVisible()
  }
  // By keyboard: whatever has the focus stands clear of the banner, and the walk ends behind it.
  const walked: string[] = []
  for (let step = 0; step < 30; step++) {
    await second.keyboard.press('Tab')
    const focused = await second.evaluate(() => {
      const element = document.activeElement
      const over = document.querySelector('[aria-labelledby="cookies"]')
      if (!element || element === document.body || !over) return null
      const [box, cover] = [element.getBoundingClientRect(), over.getBoundingClientRect()]
      const hidden = !over.contains(element) && box.bottom > cover.top && box.top < cover.bottom
      return { name: element.textContent || element.getAttribute('aria-label') || '', hidden }
    })
    if (!focused) break
    expect(focused.hidden, focused.name).toBe(false)
    walked.push(focused.name)
  }
  expect(walked.at(-1)).toBe('Manage Cookie Settings')
  expect(walked).toContain("Sign Up Now - It's Free")

  // At the end of the page everything stands above it.
  await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
  const last = await page.getByRole('contentinfo').getByRole('link').last().boundingBox()
  const over = await banner(page).boundingBox()
  expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(over?.y ?? 0)

  await banner(second).getByRole('button', { name: 'Accept All' }).click()
  await expect(banner(page)).toBeHidden()
})

test('where the browser stores nothing, the answer holds as long as the page is open', async ({ page }) => {
  await page.addInitScript(() => {
    const refuse = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    }
    Object.defineProperty(window, 'localStorage', { get: refuse })
  })
  const watched = watchErrors(page)
  await page.goto('/')
  await banner(page).getByRole('button', { name: 'Reject All' }).click()
  await expect(banner(page)).toBeHidden()
  await page.getByRole('link', { name: 'Get Started Free' }).click()
  await expect(page.getByRole('heading', { name: 'Create Your Account' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your Premium Content Platform')
  await expect(banner(page)).toBeHidden()
  expect(watched.errors).toEqual([])
})

test('the legal pages say what they must, lead to each other and to an address, and print as text', async ({
  page,
}) => {
  const pages = {
    '/terms': [
      /18 or older/,
      /suspended or removed before/,
      /provided as it is/,
      /individual arbitration/,
      /1\. What we do/,
      /2\. Your account/,
      /3\. Acceptable conduct/,
      /harmful or violent content/,
      /impersonation of somebody else, or deepfakes that are not disclosed/,
      /nudity/,
      /sexual content that is non-consensual or unwanted/,
      /Full terms are available from support/,
    ],
    '/privacy': [
      /What we collect/,
      /How we use it/,
      /Whom we share it with/,
      /How we protect it/,
      /Cookies:/,
      /unsubscribe link/,
      /answer STOP/,
      /Push:/,
      /does not target anyone under 18/,
      /third-party provider/,
      /no longer than it is needed, or until three years of inactivity/,
      /processed in the United States/,
    ],
  }
  for (const [path, points] of Object.entries(pages)) {
    await page.goto(path)
    const text = page.getByRole('main')
    await expect(text).toContainText('Last updated July 2, 2025')
    for (const point of points) await expect(text).toContainText(point)
    // Every entry of the table of contents leads to its section.
    const contents = page.getByRole('navigation', { name: 'On this page' }).getByRole('link')
    const headings = page.getByRole('heading', { level: 2 })
    await expect(contents).toHaveText(await headings.allInnerTexts())
    await contents.last().click()
    await expect(headings.last()).toBeInViewport()
    await expect(page).toHaveURL(/#\w+$/)
    const mail = path === '/terms' ? /^support@/ : /^privacy@/
    await expect(text.getByRole('link', { name: mail })).toHaveAttribute('href', /^mailto:/)
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await expect(contents.first()).toBeHidden()
    await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
    for (const text of [
      page.getByRole('heading', { level: 1 }),
      page.getByText('July 2, 2025'),
      headings.first(),
    ]) {
      await expect(text).toHaveCSS('color', 'rgb(0, 0, 0)')
    }
    await page.emulateMedia({ media: 'screen' })
  }
  await page.getByRole('link', { name: 'Terms of Service' }).click()
  await page.getByRole('link', { name: 'Privacy Policy' }).click()
  await expect(page).toHaveURL('/privacy')
  await page.goto('/terms#conduct')
  await expect(page.getByRole('heading', { name: '3. Acceptable conduct' })).toBeInViewport()
})

test('the head follows the screen and the chosen mode', async ({ page }) => {
  const robots = () =>
    page.locator('meta[name=robots]').evaluateAll((all) => all.map((meta) => meta.outerHTML))
  const color = () =>
    page.evaluate(
      () =>
        [...document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')].find(
          (meta) => matchMedia(meta.media).matches,
        )?.content,
    )
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await robots()).toEqual([])
  expect(await color()).toBe('#fcfaf7')
  await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click()
  await expect(page).toHaveTitle('Sign In · Ovation')
  expect(await robots()).toEqual(['<meta name="robots" content="noindex">'])
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await color()).toBe('#120d0c')
  await page.evaluate(() => localStorage.setItem('ovation-color-mode', 'light'))
  await page.goto('/terms')
  await expect(page).toHaveTitle('Terms of Service · Ovation')
  expect(await robots()).toEqual([])
  expect(await color()).toBe('#fcfaf7')
})
