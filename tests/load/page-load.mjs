import { request } from 'node:http'

/**
 * Returns the scripts that a visitor's browser loads on the landing page.
 *
 * @param {import('playwright').Browser} browser
 * @param {string} origin
 * @returns {Promise<{ path: string, br: number, gzip: number }[]>} transferred bytes by encoding
 */
export async function measureLandingScripts(browser, origin) {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    const scripts = new Set()
    page.on('response', (response) => {
      const type = response.headers()['content-type'] ?? ''
      if (response.ok() && type.includes('javascript')) scripts.add(response.url())
    })
    await page.goto(origin)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    return await Promise.all(
      [...scripts].map(async (url) => ({
        path: new URL(url).pathname,
        br: await transferSize(url, 'br'),
        gzip: await transferSize(url, 'gzip'),
      })),
    )
  } finally {
    await context.close()
  }
}

/** @param {string} url @param {string} encoding @returns {Promise<number>} bytes of the compressed body */
function transferSize(url, encoding) {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { headers: { 'accept-encoding': encoding } }, (response) => {
      let bytes = 0
      response.on('data', (chunk) => {
        bytes += chunk.length
      })
      response.on('end', () => resolve(bytes))
      response.on('error', reject)
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}
