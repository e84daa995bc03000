import { reportReasons } from '@contract/moderation.ts'
import { type BrowserContext, expect, type Page, test } from 'playwright/test'
import { serverTexts } from '../../web/src/locales/server-texts.ts'
import { horizontalOverflow, phoneViewport } from './support/page.ts'
import { createSignedInUser, signInContext } from './support/users.ts'

/** Sets the language of a context's pages, as if the user had chosen it. */
const chooseLanguage = (context: BrowserContext, language: string) =>
  context.addInitScript((code) => localStorage.setItem('ovation-language', code), language)

/** The paths of the main screens, by the user who opens them: a visitor, the demo creator or the demo admin. */
const screens = {
  visitor: ['/', '/login', '/register', '/profile/noormakes'],
  creator: [
    '/',
    '/discover',
    '/messages',
    '/notifications',
    '/profile',
    '/settings',
    '/settings/account',
    '/settings/appearance',
    '/settings/privacy',
    '/welcome',
    '/welcome?step=profile',
    '/analytics',
    '/earnings',
  ],
  admin: ['/admin', '/admin?tab=users', '/admin?tab=reports', '/admin?tab=settings'],
}

/** Creates a page in the pseudolocale for each user in `screens`. Returns the pages with the paths to open there. */
async function openPages(createContext: () => Promise<BrowserContext>) {
  const pages = []
  for (const [user, paths] of Object.entries(screens)) {
    const context = await createContext()
    await chooseLanguage(context, 'en-XA')
    if (user !== 'visitor')
      await signInContext(context, { email: `${user}@demo.test`, password: 'ovation-demo' })
    pages.push({ page: await context.newPage(), paths })
  }
  return pages
}

/** Opens a screen and waits until its content has loaded. */
async function openScreen(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expect(page.locator('main, #main').first()).toBeVisible()
  await page.waitForLoadState('networkidle')
}

/**
 * The strings that a page receives, or may receive, from the server. They have no pseudo-translation. `names` contains
 * only the names among them. Each promise in `pendingReads` resolves when a response has been read.
 */
interface ServerStrings {
  all: Set<string>
  names: Set<string>
  pendingReads: Promise<void>[]
}

function collectServerStrings(page: Page): ServerStrings {
  const strings: ServerStrings = {
    all: new Set(serverTexts.map(({ id }) => id)),
    names: new Set(),
    pendingReads: [],
  }
  const addStrings = (value: unknown, key = ''): void => {
    if (typeof value === 'string' && value.trim() !== '') {
      strings.all.add(value.trim())
      if (/name$/i.test(key)) strings.names.add(value.trim())
    } else if (value && typeof value === 'object') {
      for (const [name, item] of Object.entries(value)) addStrings(item, name)
    }
  }
  page.on('response', (response) => {
    if (!/^\/(api|rest)\//.test(new URL(response.url()).pathname)) return
    strings.pendingReads.push(
      response.json().then(
        (body: unknown) => addStrings(body),
        () => undefined,
      ),
    )
  })
  return strings
}

/** Returns the visible text and the labels of a page. */
const listStrings = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const texts = new Set<string>()
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement
      if (!element || element.closest('script, style, noscript, time, bdi, code, option[lang]')) continue
      // User-written text has `dir=auto` and may be in any language.
      if (element.closest('[dir=auto]') || !element.checkVisibility()) continue
      texts.add(node.textContent ?? '')
    }
    for (const element of document.body.querySelectorAll('[aria-label], [placeholder], [title], [alt]')) {
      if (!element.checkVisibility() || element.closest('bdi')) continue
      for (const name of ['aria-label', 'placeholder', 'title', 'alt'])
        texts.add(element.getAttribute(name) ?? '')
    }
    return [...texts]
  })

/**
 * Returns the strings that extend beyond the left or right edge of the window, except in elements that scroll or clip
 * horizontally. `horizontalOverflow` misses text on the side to which the page cannot be scrolled.
 */
const listStringsOutsideWindow = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('main *')]
      .filter((element) => element.checkVisibility() && element.textContent?.trim())
      .filter((element) => {
        const { left, right, width } = element.getBoundingClientRect()
        if (width <= 1 || (left >= -1 && right <= window.innerWidth + 1)) return false
        for (let parent = element.parentElement; parent; parent = parent.parentElement)
          if (getComputedStyle(parent).overflowX !== 'visible') return false
        return true
      })
      .map((element) => element.textContent?.trim().slice(0, 40)),
  )

/** Names, addresses and formatted dates, which are the same in the pseudolocale. */
const untranslatable = [
  // Names that the app isolates from the text around them.
  /\u2068[^\u2069]*\u2069/g,
  /\S+@\S+|https?:\S+|[@#]\w+|\w+\.\w+(\/\S*)?/g,
  /\b(Ovation|English|Español|Creator Pro|Premium|TikTok|Stripe|OpenAI|ALTCHA|Instagram|Facebook|Pinterest|Twitch|Snapchat|YouTube|OnlyFans|Fanfix|[AP]M|UTC)\b/g,
  /\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)\w*|\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w*/g,
  /\b(in )?\d+ (year|month|week|day|hour|minute)s?( ago)?\b/g,
]

/**
 * Returns whether `text` contains an untranslated word. The pseudolocale puts an accent on every vowel, so a word
 * with a plain vowel is English.
 */
function hasEnglishWord(text: string, { all, names }: ServerStrings): boolean {
  if ([...all].some((value) => value.includes(text.trim()))) return false
  // The pseudolocale does not translate strings from the server. One may contain another, so the longest ones are
  // removed first.
  const longestFirst = [...names, ...Object.values(reportReasons)].sort(
    (one, other) => other.length - one.length,
  )
  const withoutServerStrings = longestFirst.reduce((remaining, name) => remaining.replaceAll(name, ' '), text)
  const rest = untranslatable.reduce(
    (remaining, pattern) => remaining.replace(pattern, ' '),
    withoutServerStrings,
  )
  return rest.split(/[^\p{L}]+/u).some((word) => /^[a-z]{3,}$/i.test(word) && /[aeiou]/i.test(word))
}

test.describe('The app’s language', () => {
  test('follows the browser, and can be changed by visitors and users', async ({ browser }) => {
    const visitor = await (await browser.newContext({ locale: 'es-MX' })).newPage()
    await visitor.goto('/login')
    await expect(visitor.locator('html')).toHaveAttribute('lang', 'es')
    await visitor.getByLabel('Correo').first().fill('nobody@example.test')
    await visitor.getByRole('combobox', { name: 'Idioma' }).selectOption('en')
    await expect(visitor.locator('html')).toHaveAttribute('lang', 'en')
    await expect(visitor.getByLabel('Email').first()).toHaveValue('nobody@example.test')
    await visitor.reload()
    await expect(visitor.getByText('Sign in to your account')).toBeVisible()
    await visitor.context().close()

    const user = await createSignedInUser(browser, 'Luz Marina')
    const page = await user.context.newPage()
    await page.goto('/settings/appearance')
    await page.getByRole('combobox', { name: 'Language' }).selectOption('es')
    await expect(page.getByRole('heading', { name: 'Configuración', level: 1 })).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', 'es')
    // Strings from the server are translated too.
    await page.goto('/profile/nobody_of_that_name')
    await expect(page.getByText('No se encontró el usuario').first()).toBeVisible()
    await page.goto('/settings/appearance')
    await page.getByRole('combobox', { name: 'Idioma' }).selectOption('')
    await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
    await user.context.close()
  })

  test('applies to all text on the main screens, which have room for longer words in both text directions', async ({
    browser,
  }) => {
    const problems: string[] = []
    for (const { page, paths } of await openPages(() => browser.newContext())) {
      const serverStrings = collectServerStrings(page)
      for (const path of paths) {
        await openScreen(page, path)
        const texts = await listStrings(page)
        await Promise.all(serverStrings.pendingReads)
        const english = texts.filter((text) => hasEnglishWord(text, serverStrings))
        problems.push(...english.map((text) => `${path}: not translated: ${text}`))
        for (const direction of ['ltr', 'rtl']) {
          await page.evaluate((dir) => {
            document.documentElement.dir = dir
          }, direction)
          for (const viewport of [phoneViewport, { width: 1280, height: 900 }]) {
            await page.setViewportSize(viewport)
            const screen = `${path} ${direction} ${viewport.width}`
            // Right-to-left pages overflow at the left edge, where the browser rounds fractions of a pixel up.
            const overflow = await horizontalOverflow(page)
            if (overflow > (direction === 'rtl' ? 1 : 0)) problems.push(`${screen}: ${overflow} px too wide`)
            const outside = await listStringsOutsideWindow(page)
            problems.push(...outside.slice(0, 3).map((text) => `${screen}: outside the window: ${text}`))
          }
        }
      }
      await page.context().close()
    }
    expect(problems).toEqual([])
  })

  test('mirrors the layout if it is written from right to left', async ({ browser }) => {
    const context = await browser.newContext()
    await chooseLanguage(context, 'ar-XB')
    await signInContext(context, { email: 'creator@demo.test', password: 'ovation-demo' })
    const page = await context.newPage()
    await openScreen(page, '/discover')
    expect(await page.evaluate(() => getComputedStyle(document.body).direction)).toBe('rtl')
    const navigation = await page.getByRole('navigation').first().boundingBox()
    const main = await page.getByRole('main').boundingBox()
    expect(navigation?.x).toBeGreaterThan(main?.x ?? Number.NaN)
    await context.close()
  })
})
