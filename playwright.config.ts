import { defineConfig } from 'playwright/test'
import { longTests, skipLongTestsVariable } from './scripts/lib/long-tests.mjs'
import { readConnection } from './tests/support/connection.ts'

/** Tests that need cameras, microphones, permission prompts or hidden tabs, which the headless shell does not have. */
const fullBrowser = /(^|[/\\])(background-tabs|live-stream|notifications|voice-messages)\.spec\.ts$/

const ignored = process.env[skipLongTestsVariable] ? longTests.browser.map((path) => `**/${path}`) : []

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
      // In a test, a page is open only for seconds, so optimizing its code takes more CPU time than it saves.
      '--js-flags=--max-opt=1',
    ],
  },
})

/**
 * Tests in a real browser. `scripts/test.mjs` sets CHROMIUM_PATH and HEADLESS_SHELL_PATH. Several files run at the same
 * time, so a test must not change users or settings that other files use. Tests are not retried, because a test that
 * fails once in many runs has found a defect. To see what happened in a failed test, run its file with `--trace on`.
 */
export default defineConfig({
  testDir: './tests/e2e',
  testIgnore: ignored,
  outputDir: './test-results',
  fullyParallel: false,
  // More workers than cores make the tests slower, because a browser has many processes.
  workers: 2,
  forbidOnly: true,
  // Generous timeouts for a busy machine, which renders pages slowly.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  projects: [
    { name: 'full browser', testMatch: fullBrowser, use: launchOptions(process.env.CHROMIUM_PATH) },
    { name: 'others', testIgnore: [fullBrowser, ...ignored] },
  ],
  use: {
    baseURL: readConnection().apiUrl,
    actionTimeout: 30_000,
    // Requests that a service worker answers would bypass the handlers that tests register with `page.route`. Some
    // files allow service workers.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    // Animations only delay most tests. `follow-and-chat.spec.ts` and `phone-bars.spec.ts` turn them on.
    contextOptions: { reducedMotion: 'reduce' },
    ...launchOptions(process.env.HEADLESS_SHELL_PATH || process.env.CHROMIUM_PATH),
  },
})
