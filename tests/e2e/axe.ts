import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, type Page } from 'playwright/test'

/** What is used of axe in a page. */
interface Axe {
  run: (
    root: Document,
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

/** In its smallest form, as its package for Playwright brings it: every document of a page has to read it anew. */
const source = readFileSync(
  createRequire(require.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
)

/**
 * Has axe remember what each colour is. Ours are in OKLCH, which it converts again for every element and all that lies
 * behind it: a third of its time.
 */
function rememberColors(): void {
  const { Color } = (window as unknown as { axe: Axe }).axe.commons.color
  const { parseString } = Color.prototype
  const known = new Map<string, Color>()
  Color.prototype.parseString = function (text: string) {
    const before = known.get(text)
    if (!before) {
      known.set(text, new Color(parseString.call(this, text)))
      return this
    }
    const { r, g, b, alpha } = before
    return Object.assign(this, { r, g, b, alpha })
  }
}

/** One look at a page that has axe; null where it has none. */
async function look(rules: string[]): Promise<string[] | null> {
  const { axe } = window as unknown as { axe?: Axe }
  if (!axe) return null
  const { violations } = await axe.run(document, {
    resultTypes: ['violations'],
    // No rule that is asked for reads style sheets: fetched they would be all the same.
    preload: { assets: ['media'] },
    ...(rules.length > 0 ? { runOnly: { type: 'rule', values: rules } } : {}),
  })
  return violations.map((rule) => `${rule.id} at ${rule.nodes[0]?.target.join(' ')}`)
}

/**
 * What axe finds wrong with the page at rest: colours that are on their way from one to the other are looked at again,
 * a few times. No page of ours has a frame, which axe would have to be brought into as well.
 *
 * @param rules the only ones to ask for; all when left out
 */
export async function violationsOf(page: Page, ...rules: string[]): Promise<string[]> {
  for (let looks = 1; ; looks++) {
    let found = await page.evaluate(look, rules)
    if (!found) {
      await page.evaluate(source)
      await page.evaluate(rememberColors)
      found = await page.evaluate(look, rules)
    }
    if (!found) throw new Error('The page does not keep axe.')
    if (found.length === 0 || looks === 10) return found
    await page.waitForTimeout(400)
  }
}

/** Changes the colour mode as the system would, and waits for the page to follow. */
export async function lookIn(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.waitForFunction((mode) => document.documentElement.style.colorScheme === mode, colorScheme)
}

/** For states that only a journey brings about: axe finds nothing wrong with this one, in either mode. */
export async function expectAccessible(page: Page): Promise<void> {
  await lookIn(page, 'dark')
  expect(await violationsOf(page)).toEqual([])
  await lookIn(page, 'light')
  // With the mode only colours change.
  expect(await violationsOf(page, 'color-contrast')).toEqual([])
}
