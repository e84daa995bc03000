import { defineConfig } from 'playwright/test'
import { readConnection } from './tests/support/connection.ts'

/**
 * Tests that every message arrives exactly once and in order. They are not retried, because a single failure in many
 * runs is a defect.
 */
const noRetries = /(^|[/\\])(message-delivery|outbox)\.spec\.ts$/

/** Tests that need cameras, permission prompts or hidden tabs, which the headless shell does not have. */
const fullBrowser = /(^|[/\\])(live-stream|notifications)\.spec\.ts$/
const fullBrowserNoRetries = /(^|[/\\])background-tabs\.spec\.ts$/

/** The slowest files. They start first, so that both workers finish at about the same time. */
const slow =
  /(^|[/\\])(accessibility|profile-images|unsaved-changes|app-shell|follow-and-chat|tips|settings)\.spec\.ts$/

const launchOptions = (executablePath: string | undefined) => ({
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
const chromium = launchOptions(process.env.CHROMIUM_PATH)

/**
 * Tests in a real browser. `scripts/lib/browser.mjs` sets CHROMIUM_PATH and HEADLESS_SHELL_PATH. Two files run at the
 * same time: each creates its own users and does not change shared data. Traces are recorded only on retry, because
 * recording them all would double the duration.
 */
export default defineConfig({
  testDir: './tests/e2e',
  outputDir: './test-results',
  fullyParallel: false,
  workers: 2,
  retries: 1,
  forbidOnly: true,
  // Generous timeouts for a busy machine, which renders pages slowly.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  projects: [
    { name: 'full browser', testMatch: fullBrowser, use: chromium },
    { name: 'slow', testMatch: slow },
    { name: 'full browser, no retries', testMatch: fullBrowserNoRetries, use: chromium, retries: 0 },
    { name: 'no retries', testMatch: noRetries, testIgnore: fullBrowserNoRetries, retries: 0 },
    { name: 'others', testIgnore: [fullBrowser, slow, fullBrowserNoRetries, noRetries] },
  ],
  use: {
    baseURL: readConnection().apiUrl,
    actionTimeout: 20_000,
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    ...launchOptions(process.env.HEADLESS_SHELL_PATH || process.env.CHROMIUM_PATH),
  },
})
