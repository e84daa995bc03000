import { defineConfig } from 'playwright/test'
import { readConnection } from './tests/support/connection.ts'

/**
 * Journeys in a real browser. CHROMIUM_PATH is found by `scripts/lib/browser.mjs`. Two files at a time: each brings
 * its own people and leaves what others look at as it was.
 */
export default defineConfig({
  testDir: './tests/e2e',
  outputDir: './test-results',
  fullyParallel: false,
  workers: 2,
  retries: 0,
  forbidOnly: true,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  use: {
    baseURL: readConnection().apiUrl,
    actionTimeout: 15_000,
    trace: 'retain-on-failure',
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-quic',
        '--no-first-run',
      ],
    },
  },
})
