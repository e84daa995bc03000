import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { findBrowser } from './lib/browser.mjs'
import { errorMessage, fail } from './lib/errors.mjs'
import { root } from './lib/paths.mjs'

// Recreates the screenshots of the README (docs/images) and of the landing page (web/src/features/landing/screenshots).
// Run this script after the design or the demo data has changed: start the stack with new demo data, then run
// `node scripts/screenshots.mjs [url]` in another shell. Afterwards, run scripts/social-preview.mjs.
const url = process.argv[2] ?? 'http://127.0.0.1:3000'
const docsFolder = join(root, 'docs', 'images')
const landingFolder = join(root, 'web', 'src', 'features', 'landing', 'screenshots')

/** @typedef {import('playwright').Browser} Browser */
/** @typedef {import('playwright').Page} Page */

const accounts = { creator: 'creator@demo.test', fan: 'fan@demo.test', admin: 'admin@demo.test' }

try {
  const browser = await chromium.launch({
    executablePath: await findBrowser(console.log),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  mkdirSync(landingFolder, { recursive: true })
  for (const locale of ['en', 'es'])
    for (const mode of /** @type {const} */ (['light', 'dark']))
      await createLandingShot(browser, locale, mode)
  await createReadmeShots(browser)
  await browser.close()
} catch (error) {
  fail(`Could not create the screenshots: ${errorMessage(error)}`)
}

/**
 * Signs in with a demo account in a new context.
 *
 * @param {Browser} browser
 * @param {keyof typeof accounts} account
 * @param {import('playwright').BrowserContextOptions} options
 */
async function signIn(browser, account, options) {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  await page.goto(`${url}/login`)
  await page.getByRole('button', { name: accounts[account] }).click()
  await page.locator('#main article').first().waitFor()
  return page
}

/** @param {Page} page */
async function waitForPictures(page) {
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => document.fonts.ready)
  await page.waitForFunction(() =>
    [...document.images].every(
      (image) => image.complete || image.getBoundingClientRect().top >= window.innerHeight,
    ),
  )
  // Newly loaded images still have to be decoded, and charts drawn.
  await page.waitForTimeout(1000)
}

/**
 * Creates the screenshot of the landing page: a creator's profile on a phone, as seen without a subscription.
 *
 * @param {Browser} browser
 * @param {string} locale
 * @param {'light' | 'dark'} mode
 */
async function createLandingShot(browser, locale, mode) {
  const page = await signIn(browser, 'admin', {
    locale,
    colorScheme: mode,
    viewport: { width: 390, height: 800 },
    deviceScaleFactor: 1.5,
  })
  await page.goto(`${url}/profile/noormakes`)
  await page.locator('#main article').first().waitFor()
  await waitForPictures(page)
  await writeWebp(page, join(landingFolder, `profile-${mode}-${locale}.webp`), await page.screenshot())
  await page.context().close()
}

/** @param {Page} page @param {string} path @param {Buffer} png */
async function writeWebp(page, path, png) {
  const data = await page.evaluate(async (base64) => {
    const image = new Image()
    image.src = `data:image/png;base64,${base64}`
    await image.decode()
    const canvas = Object.assign(document.createElement('canvas'), {
      width: image.width,
      height: image.height,
    })
    canvas.getContext('2d')?.drawImage(image, 0, 0)
    return canvas.toDataURL('image/webp', 0.85).split(',')[1] ?? ''
  }, png.toString('base64'))
  writeFileSync(path, Buffer.from(data, 'base64'))
}

/** @param {Browser} browser */
async function createReadmeShots(browser) {
  /** @type {[name: string, account: keyof typeof accounts, path: string][]} */
  const shots = [
    ['feed', 'fan', '/'],
    ['messages', 'creator', '/messages'],
    ['analytics', 'creator', '/analytics'],
    ['admin', 'admin', '/admin'],
  ]
  for (const [name, account, path] of shots) {
    const page = await signIn(browser, account, {
      locale: 'en',
      colorScheme: 'dark',
      viewport: { width: 1280, height: 800 },
    })
    await page.goto(url + path)
    if (name === 'messages') await page.getByText('Marisol Quintero').first().click()
    await waitForPictures(page)
    writeFileSync(join(docsFolder, `${name}.png`), await page.screenshot())
    await page.context().close()
  }
}
