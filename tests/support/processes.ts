import { execFileSync } from 'node:child_process'

/** A process and its command line. */
export interface ProcessInfo {
  pid: number
  command: string
}

/** Returns all descendants of a process. */
export function listDescendants(pid: number): ProcessInfo[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
    .trim()
    .split('\n')
    .map((line) => line.trim().match(/^(\d+)\s+(\d+)\s+(.*)$/))
    .map((match) => ({ pid: Number(match?.[1]), parent: Number(match?.[2]), command: match?.[3] ?? '' }))
  const childrenOf = (parent: number): ProcessInfo[] =>
    rows.filter((row) => row.parent === parent).flatMap((row) => [row, ...childrenOf(row.pid)])
  return childrenOf(pid)
}

/** Returns whether a process is running. A zombie does not count as running. */
export function isRunning(pid: number): boolean {
  try {
    const state = execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
    return !state.trim().startsWith('Z')
  } catch {
    return false
  }
}

/** Sends SIGKILL to a process and all its descendants, in any process group. */
export function killProcessTree(pid: number): void {
  for (const target of [pid, ...listDescendants(pid).map((child) => child.pid)])
    killProcess(target, 'SIGKILL')
}

export function killProcess(pid: number, signal: NodeJS.Signals): void {
  // Zero would mean the process group of the tests.
  if (pid < 1) throw new Error('There is no such process.')
  try {
    process.kill(pid, signal)
  } catch {
    // The process has already exited.
  }
}
