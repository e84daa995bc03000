import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'

/**
 * @typedef {object} Outcome of a runner
 * @property {number} passed tests that passed, at once or when tried again
 * @property {number} failed tests that failed, and those that were skipped; 1 when the runner itself went wrong
 * @property {string[]} failures a line for each that failed
 * @property {string[]} triedAgain a line for each that passed only when tried again: a fault to look for all the same
 */

/** @param {string} file @returns {any} a runner's report; null when it wrote none */
const read = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null)

/** @param {string[]} messages @returns {string} the first line of the first that has one, without colours */
const firstLine = (messages) => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is how a colour begins
  const plain = messages.map((message) => message.replace(/\u001b\[[\d;]*m/g, '').trim())
  return plain.find((message) => message !== '')?.split('\n', 1)[0] ?? ''
}

/**
 * @param {number} code the runner's exit code
 * @param {number} counted tests that failed, as the runner counts them
 * @param {string[]} failures those that have a name, and files that failed as such: a part of what went wrong may be no
 *   test at all
 * @returns {Pick<Outcome, 'failed' | 'failures'>}
 */
function wrong(code, counted, failures) {
  if (code === 0 || failures.length > 0) return { failed: Math.max(counted, failures.length), failures }
  return {
    failed: Math.max(counted, 1),
    failures: [`The runner ended with ${code}: what it said stands above.`],
  }
}

/**
 * @param {string} file that `vitest run --reporter=json` wrote
 * @param {number} code the runner's exit code
 * @param {string} root the folder that files are named from
 * @returns {Outcome}
 */
export function vitestOutcome(file, code, root) {
  const result = read(file)
  const tests = (result?.testResults ?? []).flatMap((/** @type {any} */ file) => {
    const name = relative(root, file.name)
    const found = file.assertionResults.map((/** @type {any} */ test) => ({
      status: test.status,
      failed: test.failureMessages.length > 0,
      line: `${name}: ${test.fullName} (${firstLine(test.failureMessages)})`,
    }))
    // A file that could not be loaded, or whose preparation failed, says so itself.
    return file.message
      ? [...found, { status: 'failed', line: `${name} (${firstLine([file.message])})` }]
      : found
  })
  const lines = (/** @type {(test: any) => boolean} */ which) =>
    tests.filter(which).map((/** @type {any} */ test) => test.line)
  const counted = (result?.numFailedTests ?? 0) + (result?.numPendingTests ?? 0) + (result?.numTodoTests ?? 0)
  return {
    passed: result?.numPassedTests ?? 0,
    ...wrong(
      code,
      counted,
      lines((test) => test.status !== 'passed'),
    ),
    triedAgain: lines((test) => test.status === 'passed' && test.failed),
  }
}

/** @param {any} suite of Playwright's report @returns {{ status: string, line: string }[]} the journeys in it */
const journeys = (suite) => [
  ...(suite.specs ?? []).map((/** @type {any} */ spec) => {
    const results = spec.tests.flatMap((/** @type {any} */ test) => test.results)
    const why = firstLine(results.map((/** @type {any} */ result) => result.error?.message ?? ''))
    return { status: spec.tests[0]?.status ?? '', line: `${spec.file}: ${spec.title} (${why})` }
  }),
  ...(suite.suites ?? []).flatMap(journeys),
]

/**
 * @param {string} file that Playwright's reporter `json` wrote
 * @param {number} code the runner's exit code
 * @returns {Outcome}
 */
export function playwrightOutcome(file, code) {
  const result = read(file)
  const stats = result?.stats
  const all = journeys(result ?? {})
  const lines = (/** @type {string[]} */ ...statuses) =>
    all.filter(({ status }) => statuses.includes(status)).map(({ line }) => line)
  const beside = (result?.errors ?? []).map((/** @type {any} */ error) => firstLine([error.message ?? '']))
  return {
    passed: (stats?.expected ?? 0) + (stats?.flaky ?? 0),
    ...wrong(code, (stats?.unexpected ?? 0) + (stats?.skipped ?? 0), [
      ...lines('unexpected', 'skipped'),
      ...beside,
    ]),
    triedAgain: lines('flaky'),
  }
}
