import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Returns the memory of a stack's processes. Memory that processes share, such as PostgreSQL's buffers, is counted once
 * on Linux.
 *
 * @param {number} pid the stack's process ID
 * @returns {{ gatewayBytes: number, stackBytes: number }} the memory of the gateway, which is the largest process other
 *   than PostgreSQL, and of all processes
 */
export function measureMemory(pid) {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss=,comm='], { encoding: 'utf8' })
    .split('\n')
    .map((row) => /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(row))
    .flatMap((match) => (match ? [match] : []))
    .map(([, id, parent, rss, name]) => ({
      pid: Number(id),
      parent: Number(parent),
      bytes: Number(rss) * 1024,
      name: name ?? '',
    }))
  const family = rows.filter((row) => row.pid === pid)
  for (const member of family) family.push(...rows.filter((row) => row.parent === member.pid))
  const others = family.filter((member) => !/postgres/.test(member.name))
  return {
    gatewayBytes: Math.max(0, ...others.map((member) => member.bytes)),
    stackBytes: family.reduce((sum, member) => sum + (proportionalSetSize(member.pid) ?? member.bytes), 0),
  }
}

/**
 * Returns the memory of a process in bytes, with its share of shared memory, or undefined if the system does not report
 * it.
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
