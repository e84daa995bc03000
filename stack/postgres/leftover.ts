import { join, resolve } from 'node:path'
import { readIfThere } from '../shared/durable.ts'
import type { Log } from '../shared/log.ts'
import { Sentence } from '../shared/sentence.ts'

/**
 * Ends a PostgreSQL that a killed stack left behind on this data directory, and removes a `postmaster.pid`
 * that belongs to no such process. A process is touched only if it is a `postgres` started on exactly this
 * directory: after a restart of the machine the recorded number may be anybody's. The caller holds the lock
 * on DATA_DIR, so no other stack is using it.
 */
export async function endLeftover(dataDirectory: string, log: Log): Promise<void> {
  const pidFile = join(dataDirectory, 'postmaster.pid')
  const content = await readIfThere(pidFile)
  if (content === null) return
  const pid = Number.parseInt(content.split('\n')[0] ?? '', 10)
  if (!(pid > 1) || !(await isOurs(pid, dataDirectory))) {
    await Deno.remove(pidFile).catch(() => undefined)
    return
  }
  log.warn('ending the database that a killed stack left behind', { pid })
  // Fast shutdown first; an immediate one loses nothing either, it only makes the next start recover.
  for (const [signal, seconds] of [
    ['SIGINT', 10],
    ['SIGQUIT', 5],
    ['SIGKILL', 5],
  ] as const) {
    try {
      Deno.kill(pid, signal)
    } catch {
      // It went meanwhile, or is not ours to signal: what counts is whether it is still there.
    }
    if (await gone(pid, dataDirectory, seconds * 1000)) return
  }
  throw new Sentence(
    `An earlier PostgreSQL (process ${pid}) still runs on ${dataDirectory}: end it, then start again.`,
  )
}

async function gone(pid: number, dataDirectory: string, milliseconds: number): Promise<boolean> {
  const until = Date.now() + milliseconds
  while (Date.now() < until) {
    if (!(await isOurs(pid, dataDirectory))) return true
    await new Promise((done) => setTimeout(done, 50))
  }
  return false
}

async function isOurs(pid: number, dataDirectory: string): Promise<boolean> {
  const words = await commandLine(pid)
  const program = words[0] ?? ''
  const directory = words[words.indexOf('-D') + 1]
  return (
    /(^|\/)postgres$/.test(program) &&
    words.includes('-D') &&
    directory !== undefined &&
    resolve(directory) === resolve(dataDirectory)
  )
}

/** The words a process was started with; none where there is no such process (or only its remains). */
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
