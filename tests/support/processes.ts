import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** A process and its command line. */
interface ProcessInfo {
  pid: number
  command: string
}

/** Whether the system has /proc, as Linux does. Reading a process's state from it is faster than running `ps`. */
const hasProcFolder = existsSync('/proc/self/stat')

/** Returns the state of a process, or null if it does not exist. */
function readState(pid: number | string): { parent: number; isZombie: boolean } | null {
  try {
    const text = hasProcFolder
      ? readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\) /s, '')
      : execFileSync('ps', ['-o', 'stat=,ppid=', '-p', String(pid)], { encoding: 'utf8' }).trim()
    const [state = '', parent] = text.split(/\s+/)
    return { parent: Number(parent), isZombie: state.startsWith('Z') }
  } catch {
    return null
  }
}

/** Returns the content of a file, or '' if the file does not exist, for example because the process has just exited. */
function readFileIfExists(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function listProcesses(): { pid: number; parent: number; readCommand: () => string }[] {
  if (hasProcFolder) {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => {
        const parent = readState(pid)?.parent
        const readCommand = () => readFileIfExists(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim()
        return parent === undefined ? [] : [{ pid: Number(pid), parent, readCommand }]
      })
  }
  return execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
    .trim()
    .split('\n')
    .map((line) => line.trim().match(/^(\d+)\s+(\d+)\s+(.*)$/))
    .map((match) => ({
      pid: Number(match?.[1]),
      parent: Number(match?.[2]),
      readCommand: () => match?.[3] ?? '',
    }))
}

/** Returns all descendants of a process. */
export function listDescendants(pid: number): ProcessInfo[] {
  const processes = listProcesses()
  const childrenOf = (parent: number): ProcessInfo[] =>
    processes
      .filter((each) => each.parent === parent)
      .flatMap((child) => [{ pid: child.pid, command: child.readCommand() }, ...childrenOf(child.pid)])
  return childrenOf(pid)
}

/** Returns whether a process is running. A zombie does not count as running. */
export function isRunning(pid: number): boolean {
  return readState(pid)?.isZombie === false
}

/** Sends SIGKILL to a process and all its descendants, whatever their process group. */
export function killProcessTree(pid: number): void {
  for (const target of [pid, ...listDescendants(pid).map((child) => child.pid)])
    killProcess(target, 'SIGKILL')
}

export function killProcess(pid: number, signal: NodeJS.Signals): void {
  // Given 0, `process.kill` would signal the tests' own process group.
  if (pid < 1) throw new Error('There is no such process.')
  try {
    process.kill(pid, signal)
  } catch {
    // The process has already exited.
  }
}
