import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from 'playwright/test'

/**
 * What axe finds wrong with the page at rest: colours that are on their way from one to the other are looked at again,
 * a few times.
 *
 * @param rules the only ones to ask for; all when left out
 */
export async function violationsOf(page: Page, ...rules: string[]): Promise<string[]> {
  for (let look = 1; ; look++) {
    // Half a megabyte, which a page that has it already need not read again.
    const isThere = await page.evaluate(() => 'axe' in window)
    // Legacy mode: no page of ours has a frame, and without it each run opens a page of its own.
    const axe = new AxeBuilder(isThere ? { page, axeSource: 'undefined' } : { page })
      .options({ resultTypes: ['violations'] })
      .setLegacyMode()
    const { violations } = await (rules.length > 0 ? axe.withRules(rules) : axe).analyze()
    if (violations.length === 0 || look === 10) {
      return violations.map((rule) => `${rule.id} at ${rule.nodes[0]?.target.join(' ')}`)
    }
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
