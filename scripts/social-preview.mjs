import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { findBrowser } from './lib/browser.mjs'
import { errorMessage, fail } from './lib/errors.mjs'
import { root } from './lib/paths.mjs'

// Creates web/public/social-preview.jpg, the image for link previews: a dark-mode screenshot of the top of the landing
// page without buttons and links. Run this script after the design of the landing page or the platform's name has
// changed: start the stack with `npm start`, then run `node scripts/social-preview.mjs [url]` in another shell.
const url = process.argv[2] ?? 'http://127.0.0.1:3000'
const size = { width: 1200, height: 630 }
/** Some services do not load larger preview images. */
const maxBytes = 100_000

const style = `
  html { scrollbar-width: none; scrollbar-gutter: auto !important; overflow: hidden }
  footer, main > section ~ section, main > section a, header a[href="/login"] { display: none !important }
  header { padding-top: 0.5rem }
  header a > span { font-size: 2.25rem !important }
  main > section { height: ${size.height}px; min-height: 0 !important; --start: 15rem !important }
`

try {
  const browser = await chromium.launch({
    executablePath: await findBrowser(console.log),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  const page = await browser.newPage({ viewport: size, colorScheme: 'dark', reducedMotion: 'reduce' })
  await page.addInitScript(() => localStorage.setItem('cookieChoice', 'rejected'))
  await page.goto(url)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.addStyleTag({ content: style })
  await page.evaluate(() => document.fonts.ready)
  const image = await page.screenshot({ type: 'jpeg', quality: 76 })
  await browser.close()
  if (image.length > maxBytes) throw new Error(`it is ${image.length} bytes, but the limit is ${maxBytes}`)
  writeFileSync(join(root, 'web', 'public', 'social-preview.jpg'), image)
  console.log(`web/public/social-preview.jpg: ${image.length} bytes`)
} catch (error) {
  fail(`Could not create the image: ${errorMessage(error)}`)
}
