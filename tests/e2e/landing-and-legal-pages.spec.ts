import { expect, type Locator, type Page, test } from 'playwright/test'
import { collectPageErrors, openLandingPage, phoneViewport } from './support/page.ts'
import { createGate } from './support/requests.ts'

const cookieBanner = (page: Page) => page.getByRole('region', { name: 'Your cookies, your choice' })
const getCookieChoice = (page: Page) => page.evaluate(() => localStorage.getItem('cookieChoice'))

/** Holds back the code of the landing page, so that its prerendered version stays until the returned gate is opened. */
async function holdLandingPage(page: Page) {
  const gate = createGate()
  await page.route('**/assets/LandingPage-*.js', async (route) => {
    await gate.opened
    await route.continue()
  })
  return gate
}

test.describe('Landing page', () => {
  test('is prerendered, and starts the app after ten seconds or when the visitor interacts with it', async ({
    browser,
    page,
  }) => {
    const blockApp = (blockedPage: Page) =>
      blockedPage.route('**/assets/index-*.js', (route) => route.abort())
    await blockApp(page)
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your Premium Content Platform')
    await expect(page.getByRole('link', { name: 'Get Started Free' })).toHaveAttribute('href', '/register')
    await expect(
      page.getByRole('list', { name: 'Examples of works by creators' }).getByText('Noor'),
    ).toBeVisible()

    // The prerendered content is the English landing page, so it is not shown in other languages or on other pages.
    const spanish = await browser.newPage({ locale: 'es' })
    await blockApp(spanish)
    await spanish.goto('/')
    await expect(spanish.locator('h1')).toHaveCount(0)
    // Following a link does not need the app.
    await page.getByRole('link', { name: 'Sign In' }).first().click()
    await expect(page).toHaveURL('/login')
    await expect(page.locator('h1')).toHaveCount(0)
    await spanish.close()

    // Without an interaction, the app starts after ten seconds.
    await page.unroute('**/assets/index-*.js')
    await page.goto('/')
    await expect(page.locator('#prerendered')).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)

    await page.addInitScript(() => {
      const { setTimeout } = window
      const setTimeoutExceptStart = (callback: () => void, ms?: number) =>
        ms === 10_000 ? 0 : setTimeout(callback, ms)
      Object.assign(window, { setTimeout: setTimeoutExceptStart })
    })
    await page.goto('/', { waitUntil: 'networkidle' })
    await expect(page.locator('#root')).toBeEmpty()
    for (const interact of [
      () => page.mouse.wheel(0, 700),
      () => page.keyboard.press('Tab'),
      () => page.mouse.click(700, 500),
    ]) {
      await page.goto('/')
      await interact()
      await expect(page.locator('#prerendered')).toHaveCount(0)
    }
  })

  test('does not move when the app replaces the prerendered content', async ({ page }) => {
    const readLayout = () =>
      page.evaluate(() => ({
        scrollY: window.scrollY,
        texts: [...document.querySelectorAll('main :is(h1, h2, h3, p, dd)')].map((element) => [
          element.textContent?.replace(/\d+%/, ''),
          element.getBoundingClientRect().top,
        ]),
      }))
    for (const viewport of [
      { width: 1280, height: 900 },
      { width: 390, height: 844 },
    ]) {
      const landingPage = await holdLandingPage(page)
      await page.setViewportSize(viewport)
      await page.goto('/', { waitUntil: 'commit' })
      await expect(page.getByRole('heading', { name: 'Get paid for your work' })).toBeAttached()
      await page.evaluate(() => document.fonts.ready)
      await page.evaluate(() => window.scrollTo(0, 1234))
      // The router has started when the skip link exists.
      await expect(page.locator('#root').getByText('Skip to content')).toBeAttached()
      const before = await readLayout()
      expect(before.scrollY).toBe(1234)
      landingPage.open()
      await expect(page.locator('#prerendered')).toHaveCount(0)
      // The cookie banner appears with the app. It must not move the page either.
      await expect(cookieBanner(page)).toBeVisible()
      expect(await readLayout()).toEqual(before)
    }
  })

  test('keeps focus when the app replaces the prerendered content', async ({ page }) => {
    const landingPage = await holdLandingPage(page)
    await page.goto('/')
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Skip to content' }).first()).toBeFocused()
    const signIn = page.getByRole('link', { name: 'Sign In' }).last()
    await signIn.focus()
    landingPage.open()
    await expect(page.locator('#prerendered')).toHaveCount(0)
    await expect(signIn).toBeFocused()
  })

  test('follows a link that is pressed while the app replaces the prerendered content', async ({ page }) => {
    const landingPage = await holdLandingPage(page)
    await page.goto('/')
    await page.keyboard.press('Shift')
    await page.locator('#prerendered').getByRole('link', { name: 'Sign In' }).first().hover()
    await page.mouse.down()
    landingPage.open()
    await expect(page.locator('#root h1')).toBeAttached()
    await page.mouse.up()
    await expect(page).toHaveURL('/login')
  })

  test('removes the prerendered content if another page is opened before the landing page has loaded', async ({
    page,
  }) => {
    await page.goto('/login')
    await page.locator('a[href="/"]').first().click()
    await expect(page.getByRole('heading', { name: 'Why Choose Ovation?' })).toBeVisible()
    await page.route('**/assets/LandingPage-*.js', () => {})
    await page.reload()
    await page.keyboard.press('Shift')
    await expect(page.locator('#root').getByText('Skip to content')).toBeAttached()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your Premium Content Platform')
    await page.goBack()
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible()
    await expect(page.locator('#prerendered')).toHaveCount(0)
  })

  test('leaves little space below its buttons, and the cookie banner does not cover them', async ({
    page,
  }) => {
    for (const viewport of [{ width: 1280, height: 900 }, phoneViewport]) {
      await page.setViewportSize(viewport)
      await openLandingPage(page)
      const bottomOf = (element: Locator) =>
        element.evaluate((element) => element.getBoundingClientRect().bottom)
      const end = await bottomOf(page.getByRole('main').locator('section').first())
      expect(end - (await bottomOf(page.getByText(/^Weekly payouts/)))).toBeLessThan(100)
      await expect(cookieBanner(page)).toBeVisible()
      for (const name of ['Get Started Free', 'Sign In'])
        await page.getByRole('link', { name }).click({ trial: true })
    }
  })

  test('shows its sections in order and links to registration, sign-in and the legal pages', async ({
    page,
  }) => {
    await openLandingPage(page)
    const mainText = (await page.locator('#root').getByRole('main').textContent()) ?? ''
    const texts = [
      'Your Premium Content Platform',
      'Paid posts, subscriptions and messages from people who make things.',
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
    const positions = texts.map((text) => mainText.indexOf(text))
    expect(positions.filter((position) => position < 0)).toEqual([])
    expect(positions).toEqual([...positions].sort((a, b) => a - b))
    await expect(page.getByRole('heading', { level: 3 })).toHaveText([
      'Build Community',
      'Monetize Content',
      'Secure Platform',
      'Premium Features',
    ])
    await expect(page.getByRole('main').getByRole('heading', { level: 2 })).toHaveText([
      'Why Choose Ovation?',
      'For every kind of creator',
      'Get paid for your work',
      'Ready to Start Creating?',
    ])
    const works = page.getByRole('list', { name: 'Examples of works by creators' })
    await expect(works.getByRole('listitem')).toHaveCount(6)
    // Only the pictures of the six works in view load immediately.
    const pictures = page.getByRole('main').locator('img')
    await expect(pictures).toHaveCount(21)
    await expect(page.getByRole('main').locator('img:not([loading=lazy])')).toHaveCount(6)
    await expect(works.locator('img:not([loading=lazy])')).toHaveCount(6)
    await expect(page).toHaveTitle('Ovation')

    // The platform fee is part of the configuration, which is requested after the visitor has interacted with the page.
    await expect(page.getByText('You keep 90% of every sale.')).toBeVisible()

    const header = page.getByRole('banner')
    for (const [name, heading] of [
      ['Fees', 'Get paid for your work'],
      ['Creators', 'For every kind of creator'],
      ['Features', 'Why Choose Ovation?'],
    ] as const) {
      await header.getByRole('link', { name }).click()
      await expect(page.getByRole('heading', { name: heading })).toBeInViewport()
    }
    await expect(header.getByRole('link', { name: 'Sign In' })).toHaveCount(0)
    // With demo data, the works link to the profiles of their creators.
    const workLink = works.getByRole('link', { name: 'Noor Haddad' })
    await workLink.press('Enter')
    await expect(page.getByRole('heading', { name: 'Noor Haddad', level: 1 })).toBeVisible()
    await page.goBack()

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
      const [tab] = await Promise.all([
        page.waitForEvent('popup'),
        footer.getByRole('link', { name }).click(),
      ])
      await expect(tab).toHaveTitle(title)
      await tab.close()
    }
  })
})

test.describe('Cookie banner', () => {
  test('stores the cookie choice made by mouse or keyboard and does not ask again', async ({ page }) => {
    const collected = collectPageErrors(page)
    await openLandingPage(page)
    for (const [name, stored] of [
      ['Accept All', 'accepted'],
      ['Reject All', 'rejected'],
      ['Manage Cookie Settings', 'rejected'],
      ['Close', 'rejected'],
    ] as const) {
      const button = cookieBanner(page).getByRole('button', { name })
      await expect(button).toBeVisible()
      expect(await getCookieChoice(page)).toBe(null)
      if (name === 'Reject All') await button.click()
      else {
        await button.focus()
        await page.keyboard.press('Enter')
      }
      await expect(cookieBanner(page)).toBeHidden()
      expect(await getCookieChoice(page)).toBe(stored)
      await expect(page.getByRole('main')).toBeFocused()
      if (name === 'Accept All') {
        await openLandingPage(page)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await expect(cookieBanner(page)).toBeHidden()
      }
      await page.evaluate(() => localStorage.clear())
      await openLandingPage(page)
    }
    expect(collected.errors).toEqual([])
  })

  test('never covers the focused element or the end of the page, does not trap focus, and closes in every tab', async ({
    page,
    context,
  }) => {
    await page.setViewportSize({ width: 390, height: 600 })
    const otherTab = await context.newPage()
    for (const tab of [page, otherTab]) {
      await openLandingPage(tab)
      await expect(cookieBanner(tab)).toBeVisible()
    }
    // The banner never covers the focused element, and Tab reaches its buttons last.
    const focusOrder: string[] = []
    for (let step = 0; step < 30; step++) {
      await otherTab.keyboard.press('Tab')
      const focused = await otherTab.evaluate(() => {
        const element = document.activeElement
        const banner = document.querySelector('[aria-labelledby="cookies"]')
        if (!element || element === document.body || !banner) return null
        const [elementBox, bannerBox] = [element.getBoundingClientRect(), banner.getBoundingClientRect()]
        const isCovered =
          !banner.contains(element) && elementBox.bottom > bannerBox.top && elementBox.top < bannerBox.bottom
        return { name: element.textContent || element.getAttribute('aria-label') || '', isCovered }
      })
      if (!focused) break
      expect(focused.isCovered, focused.name).toBe(false)
      focusOrder.push(focused.name)
    }
    expect(focusOrder.at(-1)).toBe('Close')
    expect(focusOrder).toContain("Sign Up Now - It's Free")

    // At the bottom of the page, the last link is above the banner.
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
    const lastLink = await page.getByRole('contentinfo').getByRole('link').last().boundingBox()
    const bannerBox = await cookieBanner(page).boundingBox()
    expect((lastLink?.y ?? 0) + (lastLink?.height ?? 0)).toBeLessThanOrEqual(bannerBox?.y ?? 0)

    await cookieBanner(otherTab).getByRole('button', { name: 'Accept All' }).click()
    await expect(cookieBanner(page)).toBeHidden()
  })

  test('keeps the cookie choice across in-app navigation when the browser blocks localStorage', async ({
    page,
  }) => {
    await page.addInitScript(() => {
      const throwSecurityError = () => {
        throw new DOMException('The operation is insecure.', 'SecurityError')
      }
      Object.defineProperty(window, 'localStorage', { get: throwSecurityError })
    })
    const collected = collectPageErrors(page)
    await openLandingPage(page)
    await cookieBanner(page).getByRole('button', { name: 'Reject All' }).click()
    await expect(cookieBanner(page)).toBeHidden()
    await page.getByRole('link', { name: 'Get Started Free' }).click()
    await expect(page.getByRole('heading', { name: 'Create Your Account' })).toBeVisible()
    await page.goBack()
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Your Premium Content Platform')
    await expect(cookieBanner(page)).toBeHidden()
    expect(collected.errors).toEqual([])
  })
})

test.describe('Legal pages', () => {
  test('show the required clauses, link to each other and to an email address, and print in black on white', async ({
    page,
  }) => {
    const pages = {
      '/terms': [
        /18 or older/,
        /suspended or removed an account of yours before/,
        /provided “as is”/,
        /individual arbitration/,
        /1\. What we do/,
        /2\. Your account/,
        /3\. Acceptable conduct/,
        /harmful or violent content/,
        /impersonation of another person, or undisclosed deepfakes/,
        /nudity/,
        /sexual content that is non-consensual or unwanted/,
        /Full terms are available from support/,
      ],
      '/privacy': [
        /What we collect/,
        /How we use it/,
        /Who we share it with/,
        /How we protect it/,
        /Cookies:/,
        /unsubscribe link/,
        /Browser notifications:/,
        /does not target anyone under 18/,
        /do not verify your identity or age/,
        /On the servers that run/,
      ],
    }
    for (const [path, clauses] of Object.entries(pages)) {
      await page.goto(path)
      const main = page.getByRole('main')
      const date = path === '/terms' ? 'July 2, 2025' : 'November 23, 2026'
      await expect(main).toContainText(`Last updated ${date}`)
      for (const clause of clauses) await expect(main).toContainText(clause)
      await expect(main).not.toContainText(/SMS|biometric data used/i)
      // The table of contents lists every section and links to it.
      const tocLinks = page.getByRole('navigation', { name: 'On this page' }).getByRole('link')
      const headings = page.getByRole('heading', { level: 2 })
      await expect(tocLinks).toHaveText(await headings.allInnerTexts())
      await tocLinks.last().click()
      await expect(headings.last()).toBeInViewport()
      await expect(page).toHaveURL(/#\w+$/)
      const emailAddress = path === '/terms' ? /^support@/ : /^privacy@/
      await expect(main.getByRole('link', { name: emailAddress })).toHaveAttribute('href', /^mailto:/)
      await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
      await expect(tocLinks.first()).toBeHidden()
      await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(255, 255, 255)')
      for (const element of [
        page.getByRole('heading', { level: 1 }),
        page.getByText(date),
        headings.first(),
      ]) {
        await expect(element).toHaveCSS('color', 'rgb(0, 0, 0)')
      }
      await page.emulateMedia({ media: 'screen' })
    }
    await page.getByRole('link', { name: 'Terms of Service' }).click()
    await page.getByRole('link', { name: 'Privacy Policy' }).click()
    await expect(page).toHaveURL('/privacy')
    await page.goto('/terms#conduct')
    await expect(page.getByRole('heading', { name: '3. Acceptable conduct' })).toBeInViewport()
  })
})

test.describe('Document head', () => {
  test('updates the title, robots tag and theme color when the page or the color mode changes', async ({
    page,
  }) => {
    const getRobotsTags = () =>
      page.locator('meta[name=robots]').evaluateAll((tags) => tags.map((tag) => tag.outerHTML))
    const getThemeColor = () =>
      page.evaluate(
        () =>
          [...document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')].find(
            (meta) => matchMedia(meta.media).matches,
          )?.content,
      )
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await getRobotsTags()).toEqual([])
    expect(await getThemeColor()).toBe('#fcfaf7')
    await page.getByRole('main').getByRole('link', { name: 'Sign In' }).click()
    await expect(page).toHaveTitle('Sign In · Ovation')
    expect(await getRobotsTags()).toEqual(['<meta name="robots" content="noindex">'])
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await getThemeColor()).toBe('#120d0c')
    await page.evaluate(() => localStorage.setItem('ovation-color-mode', 'light'))
    await page.goto('/terms')
    await expect(page).toHaveTitle('Terms of Service · Ovation')
    expect(await getRobotsTags()).toEqual([])
    expect(await getThemeColor()).toBe('#fcfaf7')
  })
})
