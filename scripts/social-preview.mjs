import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright'
import { findBrowser } from './lib/browser.mjs'
import { fail, messageOf } from './lib/fail.mjs'
import { root } from './lib/paths.mjs'

// Makes web/public/social-preview.png, the picture that goes with a link to the landing page: that page's own first
// view in the dark, without what can be pressed. Run it when the landing page's look or the platform's name changes:
//   npm start, then in another shell: node scripts/social-preview.mjs [address]
const address = process.argv[2] ?? 'http://127.0.0.1:3000'
const size = { width: 1200, height: 630 }
/** More than some services fetch for a preview is a picture that nobody sees; in bytes. */
const limit = 100_000

// Soft glows and shadows would take more than half of the bytes and can hardly be seen at the size of a preview.
const look = `
  html { scrollbar-width: none; scrollbar-gutter: auto !important; overflow: hidden }
  footer, main > section ~ section, main > section a, header a[href="/login"] { display: none !important }
  main * { box-shadow: none !important }
  main [aria-hidden] > :first-child { background-image: none !important }
  header { padding-top: 1.5rem }
  header a > span { font-size: 2.5rem !important }
  header svg { width: 2.75rem !important; height: 2.75rem !important }
  main > section { padding-top: 1.75rem !important }
`

try {
  const browser = await chromium.launch({
    executablePath: await findBrowser(console.log),
    args: ['--no-sandbox', '--disable-gpu'],
  })
  const page = await browser.newPage({ viewport: size, colorScheme: 'dark', reducedMotion: 'reduce' })
  await page.addInitScript(() => localStorage.setItem('cookieChoice', 'rejected'))
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.addStyleTag({ content: look })
  await page.evaluate(() => document.fonts.ready)
  const picture = await page.screenshot()
  await browser.close()
  if (picture.length > limit) throw new Error(`the picture has ${picture.length} bytes`)
  writeFileSync(join(root, 'web', 'public', 'social-preview.png'), picture)
  console.log(`web/public/social-preview.png: ${picture.length} bytes`)
} catch (error) {
  fail(`The picture could not be made: ${messageOf(error)}`)
}
