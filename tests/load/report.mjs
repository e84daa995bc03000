/**
 * Returns a quantile.
 *
 * @param {number[]} values in any order
 * @param {number} fraction 0.5 for the median, 0.99 for the 99th percentile
 */
export function quantile(values, fraction) {
  const sorted = [...values].sort((a, b) => a - b)
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))]
  if (value === undefined) throw new Error('There are no values.')
  return value
}

/** Returns the median. @param {number[]} values in any order */
export const median = (values) => quantile(values, 0.5)

/** @param {number} ms */
export const formatMilliseconds = (ms) => `${ms.toFixed(ms < 10 ? 1 : 0)} ms`
/** @param {number} ms */
export const formatSeconds = (ms) => `${(ms / 1000).toFixed(1)} s`
/** Formats a size in kilobytes (1,000 bytes). @param {number} bytes */
export const formatKilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`
/** Formats a size in megabytes (1,000,000 bytes). @param {number} bytes */
export const formatMegabytes = (bytes) => `${formatInteger(bytes / 1e6)} MB`
/** @param {number} value */
export const formatInteger = (value) => Math.round(value).toLocaleString('en')

/** @type {string[]} */
const lines = []

/**
 * Adds one line to the report.
 *
 * @param {string} name
 * @param {string} value
 * @param {{ target?: string, met?: boolean }} [goal]
 */
export function addLine(name, value, { target, met } = {}) {
  const verdict = target ? `  (target ${target}: ${met ? 'met' : 'MISSED'})` : ''
  lines.push(`  ${name.padEnd(58)} ${value}${verdict}`)
}

/** @param {string} title */
export const addHeading = (title) => lines.push('', title)

/** Returns the report. It is printed at the end, because the stacks print their own lines in between. */
export const formatReport = () => lines.join('\n')

/**
 * Formats the median and the 99th percentile of times with one decimal.
 *
 * @param {number[]} times milliseconds
 */
export const formatTimes = (times) =>
  `p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms`
