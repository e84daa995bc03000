/** @param {number[]} values in any order @param {number} share 0.5 is the median, 0.99 the 99th percentile */
export function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b)
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  if (value === undefined) throw new Error('There is nothing to take a figure from.')
  return value
}

/** @param {number[]} values */
export const median = (values) => quantile(values, 0.5)

/** @param {number} ms */
export const milliseconds = (ms) => `${ms.toFixed(ms < 10 ? 1 : 0)} ms`
/** @param {number} ms */
export const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`
/** @param {number} bytes in kilobytes of 1000 bytes */
export const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`
/** @param {number} bytes in megabytes of a million bytes */
export const megabytes = (bytes) => `${whole(bytes / 1e6)} MB`
/** @param {number} value */
export const whole = (value) => Math.round(value).toLocaleString('en')

/** @type {string[]} */
const lines = []

/**
 * Adds one line to the report.
 * @param {string} name
 * @param {string} value
 * @param {{ aim?: string, met?: boolean }} [wanted]
 */
export function line(name, value, { aim, met } = {}) {
  const judged = aim ? `  (aim ${aim}: ${met ? 'met' : 'MISSED'})` : ''
  lines.push(`  ${name.padEnd(58)} ${value}${judged}`)
}

/** @param {string} title */
export const heading = (title) => lines.push('', title)

/** Everything that was measured, for the end: the stacks print lines of their own meanwhile. */
export const report = () => lines.join('\n')
