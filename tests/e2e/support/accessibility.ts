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

/** axe's minified source, in the version that axe's Playwright package uses. Each new document has to load it again. */
const axeSource = readFileSync(
  createRequire(require.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
)

/** The maximum number of axe runs on a page that has violations. */
const maxRuns = 10
/** The delay between two runs. */
const retryDelayMs = 400

/**
 * Makes axe cache the colors it parses. The app's colors are in OKLCH. Without the cache, axe would convert them again
 * for every element and every element behind it, and spend a third of its run time on this.
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

/** Runs axe in the page and returns the violations, or null if the page has not loaded axe. */
async function runAxe(rules: string[]): Promise<string[] | null> {
  const { axe } = window as unknown as { axe?: Axe }
  if (!axe) return null
  // The page behind a modal dialog is inert, so only the dialog is checked.
  const dialogs = document.querySelectorAll('[aria-modal=true]')
  const { violations } = await axe.run(dialogs[dialogs.length - 1] ?? document, {
    resultTypes: ['violations'],
    // Without this option, axe would also fetch style sheets, which none of the rules need.
    preload: { assets: ['media'] },
    ...(rules.length > 0 ? { runOnly: { type: 'rule', values: rules } } : {}),
  })
  return violations.map((rule) => `${rule.id} at ${rule.nodes[0]?.target.join(' ')}`)
}

/**
 * Returns the violations that axe finds on the page. Checks a page with violations again up to nine times, because it
 * may still be loading. Does not check the content of frames, which belongs to other sites.
 *
 * @param rules the rules to run; all rules by default
 */
export async function findAxeViolations(page: Page, ...rules: string[]): Promise<string[]> {
  for (let run = 1; ; run++) {
    let violations = await page.evaluate(runAxe, rules)
    if (!violations) {
      await page.evaluate(axeSource)
      await page.evaluate(cacheParsedColors)
      violations = await page.evaluate(runAxe, rules)
    }
    if (!violations) throw new Error('The page did not load axe.')
    if (violations.length === 0 || run === maxRuns) return violations
    await page.waitForTimeout(retryDelayMs)
  }
}

/** Changes the emulated color scheme and waits until the page applies it. */
export async function setColorScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.waitForFunction((scheme) => document.documentElement.style.colorScheme === scheme, colorScheme)
}

/** Checks that axe finds no violation on the page in either color scheme. Leaves the page in the light scheme. */
export async function expectAccessible(page: Page): Promise<void> {
  await setColorScheme(page, 'dark')
  expect(await findAxeViolations(page)).toEqual([])
  await setColorScheme(page, 'light')
  // The schemes differ only in their colors.
  expect(await findAxeViolations(page, 'color-contrast')).toEqual([])
}
