import { join } from 'node:path'
import { addLogListener } from '../shared/log.ts'

/** The folder in DATA_DIR that has the log lines of all processes, which the studio shows. */
const logFolder = 'logs'

/** How many files are kept, and for how long. */
const maxFiles = 4
const maxFileBytes = 8 * 1024 * 1024
const maxAgeMs = 14 * 24 * 60 * 60 * 1000

const writeDelayMs = 250
/** Lines that wait for a slow disk. Further lines are dropped; standard error has them. */
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
 * Writes the log lines of all processes to files in DATA_DIR too, and deletes old ones.
 *
 * @returns a function that writes the remaining lines
 */
export async function keepLogFiles(dataDir: string): Promise<() => Promise<void>> {
  const folder = join(dataDir, logFolder)
  const pending: string[] = []
  let current: { path: string; bytes: number } | undefined
  let writing: Promise<void> = Promise.resolve()
  let isScheduled = false

  const startFile = async () => {
    const path = join(folder, `${new Date().toISOString().replaceAll(/[-:.]/g, '')}.jsonl`)
    current = { path, bytes: 0 }
    await deleteOldFiles(dataDir)
    return current
  }
  const append = async () => {
    const bytes = new TextEncoder().encode(pending.splice(0).join(''))
    if (bytes.length === 0) return
    const file = current && current.bytes < maxFileBytes ? current : await startFile()
    file.bytes += bytes.length
    await Deno.writeFile(file.path, bytes, { append: true, mode: 0o600 })
  }
  const write = () => {
    isScheduled = false
    // On a full disk the lines are missing here; standard error has them.
    writing = writing.then(append).catch(() => undefined)
    return writing
  }

  try {
    await Deno.mkdir(folder, { recursive: true, mode: 0o700 })
    await deleteOldFiles(dataDir)
    const last = (await listLogFiles(dataDir)).at(-1)
    if (last) current = { path: last, bytes: (await Deno.stat(last)).size }
  } catch {
    // The supervisor reports a folder that cannot be written when it writes the files that it needs.
  }
  addLogListener((line) => {
    if (pending.length < maxPendingLines) pending.push(`${line}\n`)
    if (isScheduled) return
    isScheduled = true
    setTimeout(write, writeDelayMs)
  })
  return write
}

/** Leaves room for a file that is about to be started. */
async function deleteOldFiles(dataDir: string): Promise<void> {
  const paths = await listLogFiles(dataDir)
  for (const [index, path] of paths.entries()) {
    const { mtime } = await Deno.stat(path)
    if (paths.length - index < maxFiles && Date.now() - (mtime?.getTime() ?? 0) < maxAgeMs) continue
    await Deno.remove(path)
  }
}
