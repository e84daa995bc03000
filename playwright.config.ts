import { defineConfig } from 'playwright/test'
import { readConnection } from './tests/support/connection.ts'

/** Each message once, in order, whatever happens: what fails once in many runs is a fault, so these get one try. */
const once = /(recovery|outbox)[^/]*\.spec\.ts$/

/** What needs the whole browser: cameras, what it asks a person before it allows it, and tabs that are out of sight. */
const asking = /(^|[/\\])(live|notifications)\.spec\.ts$/
const tabs = /(^|[/\\])recovery-more\.spec\.ts$/

/** The longest files: begun first, so that the two workers end together. */
const long = /(^|[/\\])(screens|own-images|unsaved|shell|two-people|tips|settings)\.spec\.ts$/

const launch = (executablePath: string | undefined) => ({
  launchOptions: {
    executablePath,
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
})
const whole = launch(process.env.CHROMIUM_PATH)

/**
 * Journeys in a real browser. CHROMIUM_PATH and HEADLESS_SHELL_PATH are found by `scripts/lib/browser.mjs`. Two files
 * at a time: each brings its own people and leaves what others look at as it was. What fails is tried again with a
 * trace: to record one of every journey would take as long as the journeys themselves.
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
    { name: 'asking', testMatch: asking, use: whole },
    { name: 'long', testMatch: long },
    { name: 'tabs', testMatch: tabs, use: whole, retries: 0 },
    { name: 'once', testMatch: once, testIgnore: tabs, retries: 0 },
    { name: 'journeys', testIgnore: [asking, long, tabs, once] },
  ],
  use: {
    baseURL: readConnection().apiUrl,
    actionTimeout: 20_000,
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    ...launch(process.env.HEADLESS_SHELL_PATH || process.env.CHROMIUM_PATH),
  },
})
