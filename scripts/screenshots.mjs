import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { findBrowser } from './lib/browser.mjs'
import { errorMessage, fail } from './lib/errors.mjs'
import { root } from './lib/paths.mjs'

// Recreates the screenshots in the README (docs/images), and the screenshots and creator pictures on the landing page
// (web/src/features/landing/screenshots, web/src/features/landing/creators). Run this script after the design or the
// demo data has changed: start the stack with new demo data, then run `node scripts/screenshots.mjs [url]` in another
// shell. Afterwards, run scripts/social-preview.mjs.
const url = process.argv[2] ?? 'http://127.0.0.1:3000'
const docsFolder = join(root, 'docs', 'images')
const landingFolder = join(root, 'web', 'src', 'features', 'landing', 'screenshots')
/** The height of the app's header on phones, in pixels. */
const headerHeight = 61
const creatorFolder = join(root, 'web', 'src', 'features', 'landing', 'creators')

/** @typedef {import('playwright').Browser} Browser */
/** @typedef {import('playwright').Page} Page */

const accounts = { creator: 'creator@demo.test', fan: 'fan@demo.test', admin: 'admin@demo.test' }

try {
  const browser = await chromium.launch({
    executablePath: await findBrowser(console.log),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  mkdirSync(landingFolder, { recursive: true })
  for (const locale of ['en', 'es']) await createLandingShots(browser, locale)
  await createCreatorPictures(browser)
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
  // Images that have just loaded still have to be decoded, and charts still have to be drawn.
  await page.waitForTimeout(1000)
}

/**
 * Creates the landing page's screenshots, in phone size: a creator's profile, as seen without a subscription, and a
 * locked post of another creator. They contain only pictures that were made for Ovation (see
 * stack/demo/pictures/README.md), so the app's header with the viewer's avatar is cut off.
 *
 * @param {Browser} browser
 * @param {string} locale
 */
async function createLandingShots(browser, locale) {
  const page = await signIn(browser, 'admin', {
    locale,
    viewport: { width: 390, height: 800 + headerHeight },
    deviceScaleFactor: 1.5,
  })
  await page.goto(`${url}/profile/noormakes`)
  await page.locator('#main article').first().waitFor()
  await createInBothModes(page, `profile-${locale}`, { y: headerHeight, height: 800 })
  await page.goto(`${url}/profile/mateus_wrench`)
  const post = page.locator('#main article').filter({ hasText: 'The click nobody can find' })
  await post.first().waitFor()
  await page.goto(url + (await post.first().locator('a[href*="/post/"]').first().getAttribute('href')))
  const article = page.locator('#main article').first()
  await article.waitFor()
  // Excludes the comments below the post.
  const y = Math.ceil((await article.boundingBox())?.y ?? 0)
  await createInBothModes(page, `post-${locale}`, { y, height: 438 })
  await page.context().close()
}

/**
 * Creates a screenshot in each color mode without loading the page again, so that only the colors differ.
 *
 * @param {Page} page
 * @param {string} name
 * @param {{ y: number, height: number }} area the part of the page to capture, across the full width of the viewport
 */
async function createInBothModes(page, name, area) {
  for (const mode of /** @type {const} */ (['light', 'dark'])) {
    await page.emulateMedia({ colorScheme: mode })
    await waitForPictures(page)
    const png = await page.screenshot({ clip: { x: 0, width: 390, ...area } })
    await writeWebp(page, join(landingFolder, `${name}-${mode}.webp`), png.toString('base64'))
  }
}

/**
 * Creates the pictures of the creators on the landing page from the demo's avatars and covers.
 *
 * @param {Browser} browser
 */
async function createCreatorPictures(browser) {
  const page = await browser.newPage()
  mkdirSync(creatorFolder, { recursive: true })
  for (const username of ['kavyalooksup', 'chiamaka_sews', 'rosalbabakes', 'mateus_wrench']) {
    const read = (/** @type {string} */ folder) =>
      readFileSync(join(root, 'stack', 'demo', 'pictures', folder, `${username}.webp`), 'base64')
    await writeWebp(page, join(creatorFolder, `${username}-avatar.webp`), read('avatars'), {
      width: 144,
      height: 144,
    })
    await writeWebp(page, join(creatorFolder, `${username}-cover.webp`), read('covers'), {
      width: 560,
      height: 240,
    })
  }
  await page.close()
}

/**
 * Writes an image as WebP. If a size is given, scales and crops the image to that size.
 *
 * @param {Page} page
 * @param {string} path
 * @param {string} base64
 * @param {{ width: number, height: number }} [size]
 */
async function writeWebp(page, path, base64, size) {
  const data = await page.evaluate(
    async ({ base64, size }) => {
      const image = new Image()
      // Browsers detect the format of an image from its content.
      image.src = `data:image/png;base64,${base64}`
      await image.decode()
      const { width, height } = size ?? image
      const canvas = Object.assign(document.createElement('canvas'), { width, height })
      const scale = Math.max(width / image.width, height / image.height)
      const [drawnWidth, drawnHeight] = [image.width * scale, image.height * scale]
      const context = canvas.getContext('2d')
      if (context) context.imageSmoothingQuality = 'high'
      context?.drawImage(image, (width - drawnWidth) / 2, (height - drawnHeight) / 2, drawnWidth, drawnHeight)
      return canvas.toDataURL('image/webp', 0.85).split(',')[1] ?? ''
    },
    { base64, size },
  )
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
