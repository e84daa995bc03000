import { readdirSync, readFileSync } from 'node:fs'

const millisecondsPerTick = 10

/**
 * @typedef {{ database: number, other: number }} CpuTime the CPU time in milliseconds that PostgreSQL's processes and
 *   the other measured processes have used
 */

/**
 * Returns the CPU time of processes and of their descendants, or NaN on systems other than Linux.
 *
 * @param {number[]} pids
 * @returns {CpuTime}
 */
export function measureCpuTime(pids) {
  if (process.platform !== 'linux') return { database: Number.NaN, other: Number.NaN }
  const processes = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? readProcess(name) : []))
  const family = processes.filter(({ pid }) => pids.includes(pid))
  for (const { pid } of family) family.push(...processes.filter(({ parent }) => parent === pid))
  const sum = (/** @type {boolean} */ isDatabase) =>
    family.reduce((total, { ticks, name }) => total + (isDatabase === (name === 'postgres') ? ticks : 0), 0)
  return { database: sum(true) * millisecondsPerTick, other: sum(false) * millisecondsPerTick }
}

/** @param {string} pid */
function readProcess(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name of the program, in parentheses, may contain spaces.
    const end = stat.lastIndexOf(')')
    const name = stat.slice(stat.indexOf('(') + 1, end)
    const fields = stat.slice(end + 2).split(' ')
    // The user and system time of the process, and of its children that have exited.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return [{ pid: Number(pid), parent: Number(fields[1]), name, ticks }]
  } catch {
    // The process has exited.
    return []
  }
}
