import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Returns the memory of a stack's processes. On Linux, `stackBytes` counts memory that processes share, such as
 * PostgreSQL's buffers, only once.
 *
 * @param {number} pid the stack's process ID
 * @returns {{ gatewayBytes: number, stackBytes: number }} the memory of the gateway (the largest process outside
 *   PostgreSQL) and of all processes
 */
export function measureMemory(pid) {
  const family = listProcesses(pid)
  const others = family.filter((member) => !/postgres/.test(member.command))
  return {
    gatewayBytes: Math.max(0, ...others.map((member) => member.rss)),
    stackBytes: family.reduce((sum, member) => sum + (proportionalSetSize(member.pid) ?? member.rss), 0),
  }
}

/**
 * Returns the memory of each part of a stack. PostgreSQL's processes count as one part, without the shared buffers,
 * which fill up with use.
 *
 * @param {number} pid the stack's process ID
 * @returns {Record<string, number>} the memory in bytes by the name of the part: private memory for `postgres`,
 *   resident memory for the others
 */
export function measureParts(pid) {
  /** @type {Record<string, number>} */
  const parts = {}
  for (const { pid: id, rss, command } of listProcesses(pid)) {
    const isPostgres = /^postgres:|\bpostgres -D /.test(command)
    const name = isPostgres ? 'postgres' : (/stack\/(?:(.*)\/)?main\.ts/.exec(command)?.[1] ?? 'supervisor')
    parts[name] = (parts[name] ?? 0) + (isPostgres ? privateBytes(id, rss) : rss)
  }
  return parts
}

/** Lists a process and its descendants. @param {number} pid */
function listProcesses(pid) {
  const rows = execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,rss=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((row) => /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(row))
    .flatMap((match) => (match ? [match] : []))
    .map(([, id, parent, rss, command]) => ({
      pid: Number(id),
      parent: Number(parent),
      rss: Number(rss) * 1024,
      command: command ?? '',
    }))
  const family = rows.filter((row) => row.pid === pid)
  for (const member of family) family.push(...rows.filter((row) => row.parent === member.pid))
  return family
}

/**
 * Returns the private memory of a process in bytes, or its resident memory if the system does not report private
 * memory.
 *
 * @param {number} pid
 * @param {number} rss the resident memory in bytes
 */
function privateBytes(pid, rss) {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    return [...rollup.matchAll(/^Private_\w+:\s+(\d+)/gm)].reduce(
      (sum, [, kilobytes]) => sum + Number(kilobytes) * 1024,
      0,
    )
  } catch {
    return rss
  }
}

/**
 * Returns the proportional set size of a process in bytes, which includes its share of shared memory, or undefined if
 * the system does not report it.
 *
 * @param {number} pid
 */
function proportionalSetSize(pid) {
  try {
    const kilobytes = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
  } catch {
    return undefined
  }
}
