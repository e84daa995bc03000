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
/** Hides the bottom bar of phones. */
const bottomBarStyle = '#root nav { display: none !important }'
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
  await createLandingShots(browser, 'en', 392)
  // Wide enough for both buttons of the profile to fit beside each other.
  await createLandingShots(browser, 'es', 448)
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
 * @param {number} profileWidth the width of the viewport for the profile
 */
async function createLandingShots(browser, locale, profileWidth) {
  const profilePage = await signIn(browser, 'admin', {
    locale,
    viewport: { width: profileWidth, height: 1000 },
    deviceScaleFactor: 686 / profileWidth,
  })
  await profilePage.goto(`${url}/profile/noormakes`)
  await profilePage.locator('#main article').first().waitFor()
  const header = await profilePage.locator('header:visible').first().boundingBox()
  await createInBothModes(profilePage, `profile-${locale}`, {
    y: Math.ceil((header?.y ?? 0) + (header?.height ?? 0)),
    height: Math.ceil((1400 * profileWidth) / 686),
  })
  await profilePage.context().close()

  const postPage = await signIn(browser, 'admin', {
    locale,
    viewport: { width: 360, height: 1000 },
    deviceScaleFactor: 1.5,
  })
  await postPage.goto(`${url}/profile/mateus_wrench`)
  const post = postPage.locator('#main article').filter({ hasText: 'The click nobody can find' })
  await post.first().waitFor()
  await postPage.goto(url + (await post.first().locator('a[href*="/post/"]').first().getAttribute('href')))
  const article = postPage.locator('#main article').first()
  await article.waitFor()
  // Excludes the date and the comments below the picture.
  await createInBothModes(postPage, `post-${locale}`, {
    y: Math.ceil((await article.boundingBox())?.y ?? 0),
    height: 412,
  })
  await postPage.context().close()
}

/**
 * Creates a screenshot in each color mode without loading the page again, so that only the colors differ. The device
 * scale factors give the images twice the size that ProductShot.tsx shows them at on wide screens.
 *
 * @param {Page} page
 * @param {string} name
 * @param {{ y: number, height: number }} area the part of the page to capture, across the full width of the viewport
 */
async function createInBothModes(page, name, area) {
  const clip = { x: 0, width: page.viewportSize()?.width ?? 0, ...area }
  for (const mode of /** @type {const} */ (['light', 'dark'])) {
    await page.emulateMedia({ colorScheme: mode })
    await waitForPictures(page)
    const png = await page.screenshot({ clip, style: bottomBarStyle })
    await writeWebp(page, join(landingFolder, `${name}-${mode}.webp`), png.toString('base64'), {
      quality: 0.7,
    })
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
      size: { width: 144, height: 144 },
    })
    await writeWebp(page, join(creatorFolder, `${username}-cover.webp`), read('covers'), {
      size: { width: 560, height: 240 },
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
 * @param {{ size?: { width: number, height: number }, quality?: number }} [options]
 */
async function writeWebp(page, path, base64, { size, quality = 0.85 } = {}) {
  const data = await page.evaluate(
    async ({ base64, size, quality }) => {
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
      return canvas.toDataURL('image/webp', quality).split(',')[1] ?? ''
    },
    { base64, size, quality },
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
