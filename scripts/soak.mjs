import './lib/node-version.mjs'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { errorMessage, fail } from './lib/errors.mjs'
import { ensureBinaries, ensurePackages } from './lib/packages.mjs'
import { modules, root } from './lib/paths.mjs'
import { startTestStack } from './lib/test-stack.mjs'
import { ensureWebBuild } from './lib/web-build.mjs'

// `npm run test:soak`: rehearses a deployment to Supabase once, with all access tests, then runs the suites in
// tests/faults and tests/fuzz for a long time, one after the other. Can also repeat cases of one suite. The suites read
// the options from environment variables (tests/support/soak.ts).

const usage =
  'Usage: npm run test:soak -- [--minutes <number>] [--suite faults|fuzz|hosted] [--seed <number>] [--case <number or first-last>]'

function readOptions() {
  const text = /** @type {const} */ ({ type: 'string' })
  const { values } = parseArgs({ options: { minutes: text, suite: text, seed: text, case: text } })
  const { minutes = '120', suite, seed, case: cases } = values
  if (!(Number(minutes) > 0)) throw new Error('--minutes must be a number above 0.')
  if (suite !== undefined && suite !== 'faults' && suite !== 'fuzz' && suite !== 'hosted')
    throw new Error('--suite must be faults, fuzz or hosted.')
  if (seed !== undefined && !/^\d{1,10}$/.test(seed)) throw new Error('--seed must be a whole number.')
  if (cases !== undefined && !/^\d+(-\d+)?$/.test(cases))
    throw new Error('--case must be a number, or the first and the last one, such as 10-20.')
  if (cases !== undefined && (suite === undefined || suite === 'hosted' || seed === undefined))
    throw new Error('--case needs --suite faults or fuzz, and --seed.')
  return { minutes: Number(minutes), suites: suite ? [suite] : ['hosted', 'faults', 'fuzz'], seed, cases }
}

/**
 * @param {string} path the files to run
 * @param {Record<string, string>} env
 * @returns {Promise<boolean>} whether the suite passed
 */
function runTests(path, env) {
  const args = [join(modules, 'vitest/vitest.mjs'), 'run', '--project=stack', path]
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    child.on('error', () => resolve(false))
    child.on('exit', (code) => resolve(code === 0))
  })
}

/**
 * Runs the rehearsal, which compares the database with that of a stack.
 *
 * @param {Record<string, string>} env
 */
async function runHosted(env) {
  await ensureWebBuild()
  const stack = await startTestStack({ LOG_LEVEL: 'error' })
  try {
    return await runTests('tests/stack/hosted.test.ts', { ...env, OVATION_CONNECTION: stack.connectionFile })
  } finally {
    await stack.stop()
  }
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
    SOAK_MINUTES: String(minutes / Math.max(1, suites.filter((name) => name !== 'hosted').length)),
    ...(seed ? { SOAK_SEED: seed } : {}),
    ...(cases ? { SOAK_CASES: cases } : {}),
  }
  const passed = suite === 'hosted' ? await runHosted(env) : await runTests(`tests/${suite}/`, env)
  if (!passed) failed.push(suite)
}
console.log(failed.length === 0 ? 'All suites passed.' : `Failed: ${failed.join(', ')}`)
process.exit(failed.length === 0 ? 0 : 1)
