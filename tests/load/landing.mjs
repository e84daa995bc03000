import { request } from 'node:http'

/**
 * The scripts that a visitor's browser asks for when it opens the landing page, whoever asks for them.
 *
 * @param {import('playwright').Browser} browser
 * @param {string} origin
 * @returns {Promise<{ address: string, br: number, gzip: number }[]>} bytes on the wire by encoding
 */
export async function landingScripts(browser, origin) {
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
      [...scripts].map(async (address) => ({
        address: new URL(address).pathname,
        br: await sizeOf(address, 'br'),
        gzip: await sizeOf(address, 'gzip'),
      })),
    )
  } finally {
    await context.close()
  }
}

/** @param {string} address @param {string} encoding @returns {Promise<number>} bytes of the body as it travels */
function sizeOf(address, encoding) {
  return new Promise((resolve, reject) => {
    const asked = request(address, { headers: { 'accept-encoding': encoding } }, (response) => {
      let bytes = 0
      response.on('data', (chunk) => {
        bytes += chunk.length
      })
      response.on('end', () => resolve(bytes))
      response.on('error', reject)
    })
    asked.on('error', reject)
    asked.end()
  })
}
