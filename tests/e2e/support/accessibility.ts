import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from 'playwright/test'

/** The part of axe's API that is used here. */
interface Axe {
  run: (
    root: Document | Element,
    options: Record<string, unknown>,
  ) => Promise<{ violations: { id: string; nodes: { target: unknown[] }[] }[] }>
  commons: { color: { Color: new (other: Color) => Color } }
}
interface Color {
  r: number
  g: number
  b: number
  alpha: number
  parseString: (text: string) => Color
}

const require = createRequire(import.meta.url)

/** axe's minified source, as its Playwright package includes it. Every document has to load it again. */
const axeSource = readFileSync(
  createRequire(require.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
)

/** How often axe checks a page that has violations, and how long it waits in between. */
const maxRuns = 10
const retryDelayMs = 400

/**
 * Makes axe cache the colors it parses. The app's colors are in OKLCH, and axe converts them again for every element and
 * everything behind it, which takes a third of its time.
 */
function cacheParsedColors(): void {
  const { Color } = (window as unknown as { axe: Axe }).axe.commons.color
  const { parseString } = Color.prototype
  const cache = new Map<string, Color>()
  Color.prototype.parseString = function (text: string) {
    const cached = cache.get(text)
    if (!cached) {
      cache.set(text, new Color(parseString.call(this, text)))
      return this
    }
    const { r, g, b, alpha } = cached
    return Object.assign(this, { r, g, b, alpha })
  }
}

/** Runs axe in the page once and returns its violations, or null if the page has not loaded axe. */
async function runAxe(rules: string[]): Promise<string[] | null> {
  const { axe } = window as unknown as { axe?: Axe }
  if (!axe) return null
  // The page behind a modal dialog is inert. It is checked without the dialog elsewhere.
  const dialogs = document.querySelectorAll('[aria-modal=true]')
  const { violations } = await axe.run(dialogs[dialogs.length - 1] ?? document, {
    resultTypes: ['violations'],
    // No rule in use reads style sheets. Without this, axe fetches them anyway.
    preload: { assets: ['media'] },
    ...(rules.length > 0 ? { runOnly: { type: 'rule', values: rules } } : {}),
  })
  return violations.map((rule) => `${rule.id} at ${rule.nodes[0]?.target.join(' ')}`)
}

/**
 * Returns axe's violations on the page. A page with violations is checked again a few times, because it may still be
 * loading. Frames are not checked; the app has none.
 *
 * @param rules the rules to run; all of them by default
 */
export async function findAxeViolations(page: Page, ...rules: string[]): Promise<string[]> {
  for (let run = 1; ; run++) {
    let violations = await page.evaluate(runAxe, rules)
    if (!violations) {
      await page.evaluate(axeSource)
      await page.evaluate(cacheParsedColors)
      violations = await page.evaluate(runAxe, rules)
    }
    if (!violations) throw new Error('The page has not kept axe.')
    if (violations.length === 0 || run === maxRuns) return violations
    await page.waitForTimeout(retryDelayMs)
  }
}

/** Changes the system's color scheme and waits until the page has followed. */
export async function setColorScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.waitForFunction((scheme) => document.documentElement.style.colorScheme === scheme, colorScheme)
}

/** Checks that axe finds no violation on the page in either color scheme. Ends in the light one. */
export async function expectAccessible(page: Page): Promise<void> {
  await setColorScheme(page, 'dark')
  expect(await findAxeViolations(page)).toEqual([])
  await setColorScheme(page, 'light')
  // Only colors differ between the schemes.
  expect(await findAxeViolations(page, 'color-contrast')).toEqual([])
}
