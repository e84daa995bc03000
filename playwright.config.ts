import { defineConfig } from 'playwright/test'
import { readConnection } from './tests/support/connection.ts'

/** Each message once, in order, whatever happens: what fails once in many runs is a fault, so these get one try. */
const once = /(recovery|outbox)[^/]*\.spec\.ts$/

/** The longest: begun first, so that the two workers end together. */
const screens = /screens\.spec\.ts$/

/**
 * Journeys in a real browser. CHROMIUM_PATH is found by `scripts/lib/browser.mjs`. Two files at a time: each brings
 * its own people and leaves what others look at as it was. What fails is tried again with a trace: to record one of
 * every journey would take as long as the journeys themselves.
 */
export default defineConfig({
  testDir: './tests/e2e',
  outputDir: './test-results',
  fullyParallel: false,
  workers: 2,
  retries: 1,
  forbidOnly: true,
  // A machine that does other work too takes its time to draw a page: what comes is waited for.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  projects: [
    { name: 'screens', testMatch: screens },
    { name: 'once', testMatch: once, retries: 0 },
    { name: 'journeys', testIgnore: [screens, once] },
  ],
  use: {
    baseURL: readConnection().apiUrl,
    actionTimeout: 20_000,
    trace: 'on-first-retry',
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
