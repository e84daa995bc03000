import { join } from 'node:path'
import { addLogListener } from '../shared/log.ts'

/** The folder in DATA_DIR with the log lines of all processes, which the studio shows. */
const logFolder = 'logs'

const maxFiles = 4
const maxFileBytes = 8 * 1024 * 1024
/**
 * How long lines are added to a file, and how long the file is kept after its last line. While the stack runs, a line
 * is therefore deleted after at most 14 days plus `cleanupIntervalMs`.
 */
const periodMs = 7 * 24 * 60 * 60 * 1000
const cleanupIntervalMs = 60 * 60 * 1000

const writeDelayMs = 250
/** How many lines may wait for a slow disk. Further lines are written only to standard error. */
const maxPendingLines = 20_000

/** Returns the paths of the log files, oldest first. */
export async function listLogFiles(dataDir: string): Promise<string[]> {
  const folder = join(dataDir, logFolder)
  const names: string[] = []
  for await (const { name, isFile } of Deno.readDir(folder)) {
    if (isFile && /^\d{8}T\d{9}Z\.jsonl$/.test(name)) names.push(name)
  }
  return names.sort().map((name) => join(folder, name))
}

/**
 * Writes the log lines of all processes to files in DATA_DIR, in addition to standard error, and deletes old files.
 *
 * @returns a function that writes the remaining lines
 */
export async function keepLogFiles(dataDir: string): Promise<() => Promise<void>> {
  const folder = join(dataDir, logFolder)
  const pending: string[] = []
  let current: { path: string; bytes: number; startedAt: number } | undefined
  let writing: Promise<void> = Promise.resolve()
  let isScheduled = false

  const startFile = async () => {
    const path = join(folder, `${new Date().toISOString().replaceAll(/[-:.]/g, '')}.jsonl`)
    current = { path, bytes: 0, startedAt: Date.now() }
    await deleteOldFiles(dataDir, maxFiles - 1)
    return current
  }
  const append = async () => {
    const bytes = new TextEncoder().encode(pending.splice(0).join(''))
    if (bytes.length === 0) return
    const isUsable = current && current.bytes < maxFileBytes && Date.now() - current.startedAt < periodMs
    const file = current && isUsable ? current : await startFile()
    file.bytes += bytes.length
    await Deno.writeFile(file.path, bytes, { append: true, mode: 0o600 })
  }
  const write = () => {
    isScheduled = false
    // On a full disk, the lines are missing from the files, but are still written to standard error.
    writing = writing.then(append).catch(() => undefined)
    return writing
  }

  try {
    await Deno.mkdir(folder, { recursive: true, mode: 0o700 })
    await deleteOldFiles(dataDir)
    const last = (await listLogFiles(dataDir)).at(-1)
    if (last) current = { path: last, bytes: (await Deno.stat(last)).size, startedAt: readStartDay(last) }
  } catch {
    // If DATA_DIR is not writable, startup fails with a message later, when a file that the stack needs is written.
  }
  addLogListener((line) => {
    if (pending.length < maxPendingLines) pending.push(`${line}\n`)
    if (isScheduled) return
    isScheduled = true
    setTimeout(write, writeDelayMs)
  })
  const cleanup = () => {
    writing = writing.then(() => deleteOldFiles(dataDir)).catch(() => undefined)
  }
  Deno.unrefTimer(setInterval(cleanup, cleanupIntervalMs))
  return write
}

/** Returns the beginning of the day on which a log file was started, according to its name. */
function readStartDay(path: string): number {
  const [, year, month, day] = /(\d{4})(\d\d)(\d\d)T\d{9}Z\.jsonl$/.exec(path) ?? []
  return Date.parse(`${year}-${month}-${day}`)
}

/** Deletes the files whose last line is older than `periodMs`, and the oldest files if there are more than `keep`. */
async function deleteOldFiles(dataDir: string, keep = maxFiles): Promise<void> {
  const paths = await listLogFiles(dataDir)
  for (const [index, path] of paths.entries()) {
    const { mtime } = await Deno.stat(path)
    if (paths.length - index <= keep && Date.now() - (mtime?.getTime() ?? 0) < periodMs) continue
    await Deno.remove(path)
  }
}
