import { execFileSync } from 'node:child_process'
import { cpus, loadavg, totalmem } from 'node:os'
import { formatInteger, formatMilliseconds } from '../report.mjs'
import { parseVersion } from './parse-server.mjs'

/**
 * @typedef {import('./compare.mjs').Result} Result
 * @typedef {{ title: string, value: string, goal: string, met: boolean | null }} OwnResult a row about
 *   one server, without a comparison; `met` is null if the goal does not apply
 */

/**
 * Returns the ratio of two values, above 1 if the first is better: a higher rate or a shorter time.
 *
 * @param {Result['unit']} unit
 * @param {number} value
 * @param {number} other
 */
const ratio = (unit, value, other) => (unit === 'ms' ? other / value : value / other)

/** @param {Result} result */
function describeGoal({ unit, goal, value }) {
  const goals = [
    goal.peer !== undefined && {
      text: `≥ ${goal.peer}× Parse`,
      met: ratio(unit, value.ours, value.parse) >= goal.peer,
    },
    goal.floor !== undefined && {
      text: `≥ ${goal.floor.toFixed(2)} of the floor`,
      met: ratio(unit, value.ours, value.floor) >= goal.floor,
    },
    goal.maxMs !== undefined && { text: `≤ ${goal.maxMs} ms`, met: value.ours <= goal.maxMs },
  ].flatMap((entry) => entry || [])
  return `${goals.map(({ text }) => text).join(', ')}: ${goals.every(({ met }) => met) ? 'met' : 'MISSED'}`
}

/**
 * Returns the results as Markdown tables.
 *
 * @param {Result[]} results
 * @param {OwnResult[]} ownResults
 */
export function formatTable(results, ownResults) {
  const lines = []
  if (results.length > 0) {
    lines.push(
      '| row | ours | Parse Server | bare floor | ours / Parse | ours / floor | CPU per request: ours, Parse, floor | goal |',
      '| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |',
    )
    for (const result of results) {
      const { unit, value, cpuMs, title } = result
      const format = (/** @type {number} */ number) =>
        unit === 'ms' ? formatMilliseconds(number) : `${formatInteger(number)}/s`
      const cpu = [cpuMs.ours, cpuMs.parse, cpuMs.floor].map((ms) =>
        Number.isFinite(ms) ? ms.toFixed(2) : '–',
      )
      const cells = [
        title,
        ...[value.ours, value.parse, value.floor].map(format),
        ratio(unit, value.ours, value.parse).toFixed(2),
        ratio(unit, value.ours, value.floor).toFixed(2),
        `${cpu.join(', ')} ms`,
        describeGoal(result),
      ]
      lines.push(`| ${cells.join(' | ')} |`)
    }
    for (const { title, note } of results) if (note) lines.push('', `${title}: ${note}.`)
  }
  if (ownResults.length > 0) {
    lines.push('', '| row | result | goal |', '| --- | ---: | --- |')
    for (const { title, value, goal, met } of ownResults) {
      const verdict = met === null ? '–' : `${goal}: ${met ? 'met' : 'MISSED'}`
      lines.push(`| ${title} | ${value} | ${verdict} |`)
    }
  }
  return lines.join('\n')
}

/**
 * Returns one line that describes what was measured, on which machine and with which versions.
 *
 * @param {{ users: number, posts: number, rounds: number, seconds: number }} options
 * @param {{ postgresVersion?: string, loadBefore: number }} run
 */
export function describeRun({ users, posts, rounds, seconds }, { postgresVersion, loadBefore }) {
  const [load = 0] = loadavg()
  const parts = [
    `${formatInteger(users)} users and ${formatInteger(posts)} posts`,
    `medians of ${rounds} rounds of ${seconds} s`,
    `${cpus().length} CPUs (${cpus()[0]?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB`,
    `load average ${loadBefore.toFixed(1)} before and ${load.toFixed(1)} after`,
    `Node ${process.version}`,
    ...(postgresVersion ? [`PostgreSQL ${postgresVersion}`] : []),
    `Parse Server ${parseVersion}`,
    `commit ${commit()}`,
    new Date().toISOString().slice(0, 10),
  ]
  return `${parts.join('; ')}.`
}

function commit() {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  } catch {
    return 'unknown'
  }
}
