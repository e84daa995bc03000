import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'

/**
 * @typedef {object} Outcome the outcome of a test run
 * @property {number} passed the number of tests that passed
 * @property {number} failed the number of tests that failed or were skipped; at least 1 if the runner itself failed
 * @property {string[]} failures one line per failure
 */

/** @param {string} file @returns {any} a runner's report; null if there is none */
const readReport = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null)

/** @param {string[]} messages @returns {string} the first line of the first non-empty message, without colors */
const firstLine = (messages) => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: color codes begin with ESC
  const plain = messages.map((message) => message.replace(/\u001b\[[\d;]*m/g, '').trim())
  return plain.find((message) => message !== '')?.split('\n', 1)[0] ?? ''
}

/**
 * Counts the failures of a runner. If the runner itself failed, there is at least one.
 *
 * @param {number} code the runner's exit code
 * @param {number} counted the number of tests that failed or were skipped
 * @param {string[]} failures failed tests, and failures outside of tests, such as files that could not be loaded
 * @returns {Pick<Outcome, 'failed' | 'failures'>}
 */
function countFailures(code, counted, failures) {
  if (code === 0 || failures.length > 0) return { failed: Math.max(counted, failures.length), failures }
  return {
    failed: Math.max(counted, 1),
    failures: [`The runner exited with code ${code}. See its output above.`],
  }
}

/**
 * Reads the outcome of a Vitest run.
 *
 * @param {string} file the report that `vitest run --reporter=json` wrote
 * @param {number} code the runner's exit code
 * @param {string} root the directory that file names are relative to
 * @returns {Outcome}
 */
export function vitestOutcome(file, code, root) {
  const result = readReport(file)
  const tests = (result?.testResults ?? []).flatMap((/** @type {any} */ file) => {
    const name = relative(root, file.name)
    const found = file.assertionResults.map((/** @type {any} */ test) => ({
      status: test.status,
      line: `${name}: ${test.fullName} (${firstLine(test.failureMessages)})`,
    }))
    // `message` is set if the file could not be loaded or a hook failed.
    return file.message
      ? [...found, { status: 'failed', line: `${name} (${firstLine([file.message])})` }]
      : found
  })
  const counted = (result?.numFailedTests ?? 0) + (result?.numPendingTests ?? 0) + (result?.numTodoTests ?? 0)
  return {
    passed: result?.numPassedTests ?? 0,
    ...countFailures(
      code,
      counted,
      tests
        .filter((/** @type {any} */ test) => test.status !== 'passed')
        .map((/** @type {any} */ test) => test.line),
    ),
  }
}

/** @param {any} suite a suite in Playwright's report @returns {{ status: string, line: string }[]} the tests in it */
const collectTests = (suite) => [
  ...(suite.specs ?? []).map((/** @type {any} */ spec) => {
    const results = spec.tests.flatMap((/** @type {any} */ test) => test.results)
    const reason = firstLine(results.map((/** @type {any} */ result) => result.error?.message ?? ''))
    return { status: spec.tests[0]?.status ?? '', line: `${spec.file}: ${spec.title} (${reason})` }
  }),
  ...(suite.suites ?? []).flatMap(collectTests),
]

/**
 * Reads the outcome of a Playwright run.
 *
 * @param {string} file the report that Playwright's `json` reporter wrote
 * @param {number} code the runner's exit code
 * @returns {Outcome}
 */
export function playwrightOutcome(file, code) {
  const result = readReport(file)
  const stats = result?.stats
  const failures = collectTests(result ?? {}).filter(({ status }) => status !== 'expected')
  const otherErrors = (result?.errors ?? []).map((/** @type {any} */ error) =>
    firstLine([error.message ?? '']),
  )
  return {
    passed: stats?.expected ?? 0,
    ...countFailures(code, failures.length, [...failures.map(({ line }) => line), ...otherErrors]),
  }
}
