import './lib/node-version.mjs'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { browserVersion, findBrowser, findHeadlessShell } from './lib/browser.mjs'
import { databaseChecks, report, stackProcessCheck, staticChecks } from './lib/checks.mjs'
import { errorMessage } from './lib/errors.mjs'
import { skipLongTestsVariable } from './lib/long-tests.mjs'
import { ensureBinaries, ensurePackages } from './lib/packages.mjs'
import { root } from './lib/paths.mjs'
import { playwrightOutcome, vitestOutcome } from './lib/test-reports.mjs'
import { runTestRunner } from './lib/test-runner.mjs'
import { startTestStack } from './lib/test-stack.mjs'
import { ensureWebBuild } from './lib/web-build.mjs'

// `npm test`: sets up what is missing, then runs the checks, the tests and the browser tests, except those in
// scripts/lib/long-tests.mjs. Most tests that need a stack share one with demo data. The last line of the output says
// how many tests and checks passed and failed.

let passed = 0
let failed = 0
/** @type {string[]} */
const failures = []
const startedAt = Date.now()
const reports = mkdtempSync(join(tmpdir(), 'ovation-reports-'))

/** @param {string} title */
const heading = (title) => console.log(`\n== ${title} (${Math.round((Date.now() - startedAt) / 1000)} s)`)

/** @param {import('./lib/checks.mjs').Result[]} results */
function countChecks(results) {
  const failedChecks = report(results)
  failed += failedChecks
  passed += results.length - failedChecks
  failures.push(...results.filter(({ problems }) => problems !== '').map(({ name }) => `check: ${name}`))
}

async function startStack() {
  await ensureWebBuild()
  return await startTestStack({ LOG_LEVEL: 'warn' })
}

/** @param {import('./lib/test-reports.mjs').Outcome} outcome */
function countTests(outcome) {
  passed += outcome.passed
  failed += outcome.failed
  failures.push(...outcome.failures)
}

/**
 * @param {string} name a name for the report
 * @param {string} project which of Vitest's projects to run
 * @param {Record<string, string>} env
 */
async function runVitest(name, project, env) {
  const file = join(reports, `${name}.json`)
  const args = [
    'run',
    `--project=${project}`,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ]
  countTests(vitestOutcome(file, await runTestRunner('vitest/vitest.mjs', args, env), root))
}

/** @param {Record<string, string>} env */
async function runPlaywright(env) {
  const file = join(reports, 'playwright.json')
  const playwrightEnv = { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: file }
  const args = ['test', '--reporter=list,json']
  countTests(playwrightOutcome(file, await runTestRunner('playwright/cli.js', args, playwrightEnv)))
}

try {
  await ensurePackages()
  await ensureBinaries()
  const browser = await findBrowser(console.log)
  const shell = findHeadlessShell()
  console.log(
    `Browser tests run in ${browserVersion(browser)}${shell ? ', most of them in its headless shell' : ''}.`,
  )

  heading('Starting the stack')
  // The static checks run while the stack starts. Checks that have not finished by then continue during the first tests.
  const checks = Promise.allSettled([staticChecks()])
  try {
    const stack = await startStack()
    try {
      const env = {
        OVATION_CONNECTION: stack.connectionFile,
        CHROMIUM_PATH: browser,
        HEADLESS_SHELL_PATH: shell ?? browser,
        [skipLongTestsVariable]: '1',
      }
      countChecks(await databaseChecks(stack.connection.databaseUrl))
      heading('Tests (checks run in the background)')
      await runVitest('shared-stack', '!stack', env)
      // Vitest and Playwright run one after the other, because each needs all cores.
      heading('Browser tests')
      await runPlaywright(env)
      heading('Tests that start their own stacks')
      await runVitest('own-stacks', 'stack', env)
      heading('Checks')
      const [result] = await checks
      if (result.status === 'rejected') throw result.reason
      countChecks([...result.value, stackProcessCheck(dirname(stack.connectionFile))])
    } finally {
      await stack.stop()
    }
  } finally {
    await checks
  }
} catch (error) {
  failed += 1
  failures.push(errorMessage(error))
}
rmSync(reports, { recursive: true, force: true })
heading('Done')
for (const line of failures) console.log(`Failed: ${line}`)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 && passed > 0 ? 0 : 1)
