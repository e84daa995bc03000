import { join, resolve } from 'node:path'
import { StartupError } from '../shared/errors.ts'
import { readTextIfExists } from '../shared/files.ts'
import type { Log } from '../shared/log.ts'

/**
 * Stops a PostgreSQL server that a killed stack left running on this directory, and removes a stale `postmaster.pid`.
 * Signals only a `postgres` process that was started on exactly this directory: after a reboot, the recorded process
 * id may belong to any process. The caller holds the lock on DATA_DIR, so no other stack is using the server.
 *
 * @throws StartupError when the server cannot be stopped
 */
export async function stopOrphanedServer(dataDirectory: string, log: Log): Promise<void> {
  const pidFile = join(dataDirectory, 'postmaster.pid')
  const content = await readTextIfExists(pidFile)
  if (content === null) return
  const pid = Number.parseInt(content.split('\n')[0] ?? '', 10)
  if (!(pid > 1) || !(await isServerOf(pid, dataDirectory))) {
    await Deno.remove(pidFile).catch(() => undefined)
    return
  }
  log.warn('orphaned_postgres_found', { pid })
  // Tries a fast shutdown first. An immediate shutdown is also safe, but the next start then runs crash recovery.
  for (const [signal, seconds] of [
    ['SIGINT', 10],
    ['SIGQUIT', 5],
    ['SIGKILL', 5],
  ] as const) {
    try {
      Deno.kill(pid, signal)
    } catch {
      // Either the server has exited, or this process is not allowed to signal it. The check below shows which.
    }
    if (await waitForExit(pid, dataDirectory, seconds * 1000)) return
  }
  throw new StartupError(
    `An earlier PostgreSQL server (process ${pid}) is still running on ${dataDirectory}: stop it, then start again.`,
  )
}

async function waitForExit(pid: number, dataDirectory: string, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs
  while (Date.now() < deadline) {
    if (!(await isServerOf(pid, dataDirectory))) return true
    await new Promise((done) => setTimeout(done, 50))
  }
  return false
}

async function isServerOf(pid: number, dataDirectory: string): Promise<boolean> {
  const args = await commandLine(pid)
  const program = args[0] ?? ''
  const directory = args[args.indexOf('-D') + 1]
  return (
    /(^|\/)postgres$/.test(program) &&
    args.includes('-D') &&
    directory !== undefined &&
    resolve(directory) === resolve(dataDirectory)
  )
}

/** Returns the command line of a process, which is empty if the process does not exist or is a zombie. */
async function commandLine(pid: number): Promise<string[]> {
  if (Deno.build.os === 'linux') {
    try {
      return (await Deno.readTextFile(`/proc/${pid}/cmdline`)).split('\0')
    } catch {
      return []
    }
  }
  const { stdout } = await new Deno.Command('ps', {
    args: ['-ww', '-o', 'command=', '-p', String(pid)],
  }).output()
  const line = new TextDecoder().decode(stdout).trim()
  const found = line.match(/^(.*?\/postgres) -D (.*?) -p \d+/)
  return found ? [found[1] ?? '', '-D', found[2] ?? ''] : []
}
