import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { findBrowser } from './lib/browser.mjs'
import { errorMessage, fail } from './lib/errors.mjs'
import { root } from './lib/paths.mjs'

// Recreates the screenshots in the README (docs/images), and the pictures on the landing page
// (web/src/features/landing/creators, web/src/features/landing/stage). Run this script after the design or the demo
// data has changed: start the stack with new demo data, then run `node scripts/screenshots.mjs [url]` in another shell.
// Afterwards, run scripts/social-preview.mjs.
const url = process.argv[2] ?? 'http://127.0.0.1:3000'
const docsFolder = join(root, 'docs', 'images')
const pictureFolder = join(root, 'stack', 'demo', 'pictures')
const landingFolder = join(root, 'web', 'src', 'features', 'landing')
const creatorFolder = join(landingFolder, 'creators')
const stageFolder = join(landingFolder, 'stage')

/**
 * The works on the landing page's stage (components/Stage.tsx), keyed by the creator's username. `ratio` is the height
 * of the picture divided by its width, and `face` is the picture in the caption. The landing page shows only pictures
 * that were made for Ovation (see stack/demo/pictures/README.md), so for a creator whose avatar is a photograph, `face`
 * is another of their works.
 *
 * @type {Record<string, { work: string, ratio?: number, face?: string, blurred?: boolean }>}
 */
const stageWorks = {
  delroy_keys: { work: 'media/jazz-13', ratio: 1, face: 'media/jazz-15' },
  chiamaka_sews: { work: 'media/sewing-13', ratio: 1.1, face: 'avatars/chiamaka_sews' },
  yuki_ink: { work: 'media/ink-12', face: 'media/ink-11' },
  kavyalooksup: { work: 'media/sky-14', face: 'avatars/kavyalooksup' },
  noormakes: { work: 'media/ceramics-13', ratio: 1.68, face: 'avatars/noormakes' },
  mateus_wrench: { work: 'media/bikes-02', face: 'avatars/mateus_wrench', blurred: true },
  rosalbabakes: { work: 'media/bread-14' },
}

/** @typedef {import('playwright').Browser} Browser */
/** @typedef {import('playwright').Page} Page */

const accounts = { creator: 'creator@demo.test', fan: 'fan@demo.test', admin: 'admin@demo.test' }

try {
  const browser = await chromium.launch({
    executablePath: await findBrowser(console.log),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  await createCreatorPictures(browser)
  await createStagePictures(browser)
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
 * Creates the pictures of the creators on the landing page from the demo's avatars and covers.
 *
 * @param {Browser} browser
 */
async function createCreatorPictures(browser) {
  const page = await browser.newPage()
  mkdirSync(creatorFolder, { recursive: true })
  for (const username of ['kavyalooksup', 'chiamaka_sews', 'rosalbabakes', 'mateus_wrench']) {
    await writeWebp(
      page,
      join(creatorFolder, `${username}-avatar.webp`),
      readPicture(`avatars/${username}`),
      {
        size: { width: 144, height: 144 },
      },
    )
    await writeWebp(page, join(creatorFolder, `${username}-cover.webp`), readPicture(`covers/${username}`), {
      size: { width: 560, height: 240 },
    })
  }
  await page.close()
}

/** @param {string} name */
function readPicture(name) {
  return readFileSync(join(pictureFolder, `${name}.webp`), 'base64')
}

/**
 * Creates the pictures on the landing page's stage from the demo's pictures, in one size for phones and one for wide
 * screens. A blurred picture needs fewer pixels, because the browser can scale it up.
 *
 * @param {Browser} browser
 */
async function createStagePictures(browser) {
  const page = await browser.newPage()
  mkdirSync(stageFolder, { recursive: true })
  for (const [username, { work, ratio = 1.25, face, blurred }] of Object.entries(stageWorks)) {
    const data = readPicture(work)
    for (const [name, fullWidth, quality] of /** @type {const} */ ([
      ['small', 420, 0.78],
      ['large', 680, 0.88],
    ])) {
      const width = blurred ? fullWidth / 2 : fullWidth
      const size = { width, height: Math.round(width * ratio) }
      const path = join(stageFolder, `${username}-${name}.webp`)
      await writeWebp(page, path, data, {
        size,
        quality: blurred ? 0.95 : quality,
        blur: blurred ? Math.round(width / 16) : 0,
      })
    }
    if (face) {
      const size = { width: 88, height: 88 }
      await writeWebp(page, join(stageFolder, `${username}-face.webp`), readPicture(face), { size })
    }
  }
  await page.close()
}

/**
 * Writes an image as WebP, scaled and cropped to a size.
 *
 * @param {Page} page
 * @param {string} path
 * @param {string} base64
 * @param {{ size: { width: number, height: number }, blur?: number, quality?: number }} options
 */
async function writeWebp(page, path, base64, { size, blur = 0, quality = 0.85 }) {
  const data = await page.evaluate(
    async ({ base64, size, blur, quality }) => {
      const image = new Image()
      // Browsers detect the format of an image from its content.
      image.src = `data:image/png;base64,${base64}`
      await image.decode()
      const { width, height } = size
      const canvas = Object.assign(document.createElement('canvas'), { width, height })
      // A blurred picture is drawn larger than the canvas, so that its edges do not fade out.
      const scale = Math.max((width + 4 * blur) / image.width, (height + 4 * blur) / image.height)
      const [drawnWidth, drawnHeight] = [image.width * scale, image.height * scale]
      const context = canvas.getContext('2d')
      if (context) context.imageSmoothingQuality = 'high'
      if (context && blur > 0) context.filter = `blur(${blur}px)`
      context?.drawImage(image, (width - drawnWidth) / 2, (height - drawnHeight) / 2, drawnWidth, drawnHeight)
      return canvas.toDataURL('image/webp', quality).split(',')[1] ?? ''
    },
    { base64, size, blur, quality },
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
    if (name === 'messages')
      await page.locator('[data-conversation]').filter({ hasText: 'Marisol Quintero' }).click()
    await waitForPictures(page)
    writeFileSync(join(docsFolder, `${name}.png`), await page.screenshot())
    await page.context().close()
  }
}
