import './lib/node-version.mjs'
import { parseArgs } from 'node:util'
import { findBrowser, findHeadlessShell } from './lib/browser.mjs'
import { errorMessage, fail } from './lib/errors.mjs'
import { longTests } from './lib/long-tests.mjs'
import { ensureBinaries, ensurePackages } from './lib/packages.mjs'
import { runTestRunner } from './lib/test-runner.mjs'
import { startTestStack } from './lib/test-stack.mjs'
import { ensureWebBuild } from './lib/web-build.mjs'

// `npm run test:soak`: runs the tests that `npm test` leaves out, rehearses a deployment to Supabase and runs the
// access tests on the resulting database, then runs the suites in tests/faults and tests/fuzz for a long time, one
// after the other. Can also reproduce cases of one suite. The suites read the options from environment variables
// (tests/support/soak.ts).

const allSuites = ['long', 'hosted', 'faults', 'fuzz']
/** The suites that run generated cases until a given time has passed. */
const suitesWithCases = ['faults', 'fuzz']

const usage = `Usage: npm run test:soak -- [--minutes <number>] [--suite ${allSuites.join('|')}] [--seed <number>] [--case <number or first-last>]`

function readOptions() {
  const text = /** @type {const} */ ({ type: 'string' })
  const { values } = parseArgs({ options: { minutes: text, suite: text, seed: text, case: text } })
  const { minutes = '120', suite, seed, case: cases } = values
  if (!(Number(minutes) > 0)) throw new Error('--minutes must be a number above 0.')
  if (suite !== undefined && !allSuites.includes(suite))
    throw new Error(`--suite must be one of ${allSuites.join(', ')}.`)
  if (seed !== undefined && !/^\d{1,10}$/.test(seed)) throw new Error('--seed must be a whole number.')
  if (cases !== undefined && !/^\d+(-\d+)?$/.test(cases))
    throw new Error('--case must be a number or a range, such as 10-20.')
  if (cases !== undefined && (!suitesWithCases.includes(suite ?? '') || seed === undefined))
    throw new Error('--case needs --suite faults or fuzz, and --seed.')
  return { minutes: Number(minutes), suites: suite ? [suite] : allSuites, seed, cases }
}

/**
 * @param {string} project the Vitest project of the files
 * @param {string[]} paths the files to run
 * @param {Record<string, string>} env
 * @returns {Promise<boolean>} whether they passed
 */
const runVitest = async (project, paths, env) =>
  (await runTestRunner('vitest/vitest.mjs', ['run', `--project=${project}`, ...paths], env)) === 0

/**
 * Rehearses a deployment, runs the access tests on the resulting database, and compares its permissions with those in
 * the database of a stack.
 *
 * @param {Record<string, string>} env
 */
const runHosted = (env) =>
  withStack((stackEnv) => runVitest('stack', ['tests/stack/hosted.test.ts'], { ...env, ...stackEnv }))

/** Runs the tests that `npm test` leaves out. */
async function runLong() {
  const browser = await findBrowser(console.log)
  return await withStack(async (stackEnv) => {
    const env = {
      ...stackEnv,
      CHROMIUM_PATH: browser,
      HEADLESS_SHELL_PATH: findHeadlessShell() ?? browser,
    }
    const results = [
      await runVitest('rls and api', longTests.rlsAndApi, env),
      (await runTestRunner('playwright/cli.js', ['test', ...longTests.browser], env)) === 0,
      await runVitest('stack', longTests.stack, env),
    ]
    return results.every(Boolean)
  })
}

/**
 * Starts a stack with demo data for a run.
 *
 * @param {(env: Record<string, string>) => Promise<boolean>} run
 */
async function withStack(run) {
  await ensureWebBuild()
  const stack = await startTestStack({ LOG_LEVEL: 'error' })
  try {
    return await run({ OVATION_CONNECTION: stack.connectionFile })
  } finally {
    await stack.stop()
  }
}

/**
 * @param {string} suite
 * @param {Record<string, string>} env
 * @returns {Promise<boolean>} whether the suite passed
 */
function runSuite(suite, env) {
  if (suite === 'long') return runLong()
  return suite === 'hosted' ? runHosted(env) : runVitest('stack', [`tests/${suite}/`], env)
}

/** @returns {ReturnType<typeof readOptions>} */
function readOptionsOrFail() {
  try {
    return readOptions()
  } catch (error) {
    return fail(`${errorMessage(error)}\n${usage}`)
  }
}

const { minutes, suites, seed, cases } = readOptionsOrFail()
await ensurePackages()
await ensureBinaries()
const failed = []
for (const suite of suites) {
  const env = {
    SOAK_MINUTES: String(
      minutes / Math.max(1, suites.filter((name) => suitesWithCases.includes(name)).length),
    ),
    ...(seed ? { SOAK_SEED: seed } : {}),
    ...(cases ? { SOAK_CASES: cases } : {}),
  }
  if (!(await runSuite(suite, env))) failed.push(suite)
}
console.log(failed.length === 0 ? 'All suites passed.' : `Failed: ${failed.join(', ')}`)
process.exit(failed.length === 0 ? 0 : 1)
