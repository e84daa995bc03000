import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * What a stack's processes hold in memory. What several share (PostgreSQL's own) is counted once where the system
 * tells, which Linux does.
 *
 * @param {number} pid of the stack
 * @returns {{ gateway: number, stack: number }} bytes of the largest process that is no PostgreSQL, and of all
 */
export function memoryBelow(pid) {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss=,comm='], { encoding: 'utf8' })
    .split('\n')
    .map((row) => /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(row))
    .flatMap((match) => (match ? [match] : []))
    .map(([, one, parent, rss, name]) => ({
      pid: Number(one),
      parent: Number(parent),
      bytes: Number(rss) * 1024,
      name: name ?? '',
    }))
  const family = rows.filter((row) => row.pid === pid)
  for (const member of family) family.push(...rows.filter((row) => row.parent === member.pid))
  const others = family.filter((member) => !/postgres/.test(member.name))
  return {
    gateway: Math.max(0, ...others.map((member) => member.bytes)),
    stack: family.reduce((sum, member) => sum + (ownShare(member.pid) ?? member.bytes), 0),
  }
}

/** @param {number} pid @returns {number | undefined} bytes */
function ownShare(pid) {
  try {
    const kilobytes = /^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
  } catch {
    return undefined
  }
}
