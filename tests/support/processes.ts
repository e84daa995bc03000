import { execFileSync } from 'node:child_process'

/** A process and the words it was started with. */
export interface Process {
  pid: number
  command: string
}

/** All processes below one. */
export function descendants(pid: number): Process[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
    .trim()
    .split('\n')
    .map((line) => line.trim().match(/^(\d+)\s+(\d+)\s+(.*)$/))
    .map((found) => ({ pid: Number(found?.[1]), parent: Number(found?.[2]), command: found?.[3] ?? '' }))
  const below = (parent: number): Process[] =>
    rows.filter((row) => row.parent === parent).flatMap((row) => [row, ...below(row.pid)])
  return below(pid)
}

/** Whether a process runs; one that has ended and only waits to be counted does not. */
export function alive(pid: number): boolean {
  try {
    const state = execFileSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' })
    return !state.trim().startsWith('Z')
  } catch {
    return false
  }
}

/** Kills a process and everything below it, at once and without warning, whatever group each is in. */
export function killTree(pid: number): void {
  for (const each of [pid, ...descendants(pid).map((process) => process.pid)]) kill(each, 'SIGKILL')
}

export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended already.
  }
}
