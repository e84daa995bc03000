import { join } from 'node:path'
import { maxRecentErrors, recentErrorsFile } from '../../supabase/functions/_shared/http/recent-errors.ts'
import { writeFileAtomic } from '../shared/files.ts'
import { addLogListener } from '../shared/log.ts'

/** The delay before the file is written, so that a burst of errors causes only one write. */
const writeDelayMs = 500

/**
 * Keeps the most recent warnings and errors from all processes in a file, which the admin page "System" shows. Unlike
 * in-memory state, the file survives a restart.
 */
export async function keepRecentErrors(dataDir: string): Promise<void> {
  const path = join(dataDir, recentErrorsFile)
  const lines = (await Deno.readTextFile(path).catch(() => '')).split('\n').filter((line) => line !== '')
  let isScheduled = false
  const write = async () => {
    isScheduled = false
    // If the disk is full, the write fails, but the lines were still written to standard error.
    await writeFileAtomic(path, `${lines.join('\n')}\n`).catch(() => undefined)
  }
  addLogListener((line) => {
    if (!/^\{"time":"[^"]*","level":"(warn|error)"/.test(line)) return
    lines.push(line)
    lines.splice(0, lines.length - maxRecentErrors)
    if (isScheduled) return
    isScheduled = true
    setTimeout(() => void write(), writeDelayMs)
  })
}
