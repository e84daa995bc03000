import './lib/node-version.mjs'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { browserVersion, findBrowser, findHeadlessShell } from './lib/browser.mjs'
import { databaseChecks, report, staticChecks } from './lib/checks.mjs'
import { messageOf } from './lib/fail.mjs'
import { ensureBinaries, ensurePackages } from './lib/packages.mjs'
import { modules, root } from './lib/paths.mjs'
import { playwrightOutcome, vitestOutcome } from './lib/reports.mjs'
import { startTestStack } from './lib/test-stack.mjs'
import { ensureWeb } from './lib/web.mjs'

// `npm test`: sets up whatever is missing, then the checks, the tests and the journeys in a browser, on one stack
// with demo data. Ends with a line that counts them.

let passed = 0
let failed = 0
/** @type {string[]} */
const failures = []
/** @type {string[]} */
const triedAgain = []
const began = Date.now()
const reports = mkdtempSync(join(tmpdir(), 'ovation-reports-'))

/** @param {string} title */
const heading = (title) => console.log(`\n== ${title} (${Math.round((Date.now() - began) / 1000)} s)`)

/** @param {import('./lib/checks.mjs').Result[]} results */
function countChecks(results) {
  const wrong = report(results)
  failed += wrong
  passed += results.length - wrong
  failures.push(...results.filter(({ problems }) => problems !== '').map(({ name }) => `check: ${name}`))
}

/**
 * @param {string} script of a package
 * @param {string[]} args
 * @param {Record<string, string>} env
 * @returns {Promise<number>} its exit code
 */
function runner(script, args, env) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(modules, script), ...args], {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    child.on('error', () => resolve(1))
    child.on('exit', (code) => resolve(code ?? 1))
  })
}

async function startStack() {
  await ensureWeb()
  return await startTestStack({ LOG_LEVEL: 'error' })
}

/** @param {import('./lib/reports.mjs').Outcome} outcome */
function count(outcome) {
  passed += outcome.passed
  failed += outcome.failed
  failures.push(...outcome.failures)
  triedAgain.push(...outcome.triedAgain)
}

/** @param {Record<string, string>} env */
async function vitest(env) {
  const file = join(reports, 'vitest.json')
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  count(vitestOutcome(file, await runner('vitest/vitest.mjs', args, env), root))
}

/** @param {Record<string, string>} env */
async function playwright(env) {
  const file = join(reports, 'playwright.json')
  const more = { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: file }
  count(playwrightOutcome(file, await runner('playwright/cli.js', ['test', '--reporter=list,json'], more)))
}

try {
  await ensurePackages()
  await ensureBinaries()
  const browser = await findBrowser(console.log)
  const shell = findHeadlessShell()
  console.log(
    `Journeys run in ${browserVersion(browser)}${shell ? ', most of them in its headless shell' : ''}.`,
  )

  heading('A stack starts')
  // They need nothing running, and take the time that the start and the tests leave: these often wait.
  const checks = Promise.allSettled([staticChecks()])
  try {
    const stack = await startStack()
    try {
      const env = {
        OVATION_CONNECTION: stack.connectionFile,
        CHROMIUM_PATH: browser,
        HEADLESS_SHELL_PATH: shell ?? browser,
      }
      countChecks(await databaseChecks(stack.connection.databaseUrl))
      heading('Tests, and checks beside them')
      await vitest(env)
      heading('Checks')
      const [checked] = await checks
      if (checked.status === 'rejected') throw checked.reason
      countChecks(checked.value)
      heading('Journeys in the browser')
      await playwright(env)
    } finally {
      await stack.stop()
    }
  } finally {
    await checks
  }
} catch (error) {
  failed += 1
  failures.push(messageOf(error))
}
rmSync(reports, { recursive: true, force: true })
heading('Done')
for (const line of triedAgain) console.log(`Passed only when tried again: ${line}`)
for (const line of failures) console.log(`Failed: ${line}`)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 && passed > 0 ? 0 : 1)
