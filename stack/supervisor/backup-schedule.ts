import { join } from 'node:path'
import { lastBackupFile } from '../../supabase/functions/_shared/system/last-backup.ts'
import { archiveTime, type Destination, listArchives } from '../backup/destination.ts'
import { readLines, stopChild } from '../shared/child-process.ts'
import { errorMessage } from '../shared/errors.ts'
import { exists, writeFileAtomic } from '../shared/files.ts'
import type { Log } from '../shared/log.ts'

const dayMs = 86_400_000
/** How long to wait before retrying a failed backup. */
const retryMs = 3_600_000
/** How long to wait after startup before running a missed backup. */
const catchUpMs = 60_000

export interface BackupScheduleOptions {
  root: string
  dataDir: string
  destination: Destination
  minuteOfDay: number
  /**
   * When WAL archiving began, or null if it is off. Archived WAL is useless without a backup that was made after this
   * time.
   */
  walSince: Date | null
  log: Log
}

/** Returns the milliseconds until the next `minuteOfDay`, which is in minutes after midnight UTC. */
function msUntilMinuteOfDay(minuteOfDay: number, now: Date): number {
  const today = new Date(now)
  today.setUTCHours(0, minuteOfDay, 0, 0)
  const wait = today.getTime() - now.getTime()
  return wait > 0 ? wait : wait + dayMs
}

/** A backup that is running. */
interface BackupRun {
  /** Resolves to null when the backup has succeeded, or to the reason why it failed. */
  failure: Promise<string | null>
  stop(): Promise<void>
}

/** Starts a backup in a child process. */
function startBackup(root: string): BackupRun {
  const child = new Deno.Command(Deno.execPath(), {
    args: ['run', '--allow-all', '--no-lock', '--quiet', join(root, 'stack', 'backup', 'main.ts'), 'backup'],
    cwd: root,
    // The backup ends when the pipe to its standard input closes, so it does not outlive the supervisor.
    env: { STACK_STARTER: 'pipe' },
    stdin: 'piped',
    stdout: 'null',
    stderr: 'piped',
    detached: true,
  }).spawn()
  const readFailure = async (): Promise<string | null> => {
    let reason = ''
    for await (const line of readLines(child.stderr)) if (line.trim()) reason = line.trim()
    const { success, code, signal } = await child.status
    if (success) return null
    // The last line of a killed backup describes its progress.
    return signal ? `terminated by ${signal}` : reason || `exit code ${code}`
  }
  return { failure: readFailure(), stop: () => stopChild(child, 'SIGTERM', 'SIGKILL', 5000) }
}

/**
 * Runs a backup every day. At startup, a backup runs immediately if archived WAL needs one, and after a short delay
 * if the newest archive is more than a day old.
 *
 * @param start starts a backup; tests replace it
 * @returns a function that stops the schedule and any running backup
 */
export function startBackupSchedule(
  { root, dataDir, destination, minuteOfDay, walSince, log }: BackupScheduleOptions,
  start = startBackup,
): () => Promise<void> {
  let stopped = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let backup: BackupRun | undefined

  const wait = (delayMs: number): void => {
    if (!stopped) timer = setTimeout(() => void run(), delayMs)
  }
  const run = async (): Promise<void> => {
    log.info('backup_started')
    const startedAt = Date.now()
    try {
      backup = start(root)
      const reason = await backup.failure
      if (stopped) return
      if (reason === null)
        log.info('backup_finished', { seconds: Math.round((Date.now() - startedAt) / 1000) })
      else log.error('backup_failed', { reason })
      wait(reason === null ? msUntilMinuteOfDay(minuteOfDay, new Date()) : retryMs)
    } catch (error) {
      log.error('backup_failed', { reason: errorMessage(error) })
      wait(retryMs)
    } finally {
      backup = undefined
    }
  }
  const begin = async (): Promise<void> => {
    // If the destination cannot be read, the backup itself reports why.
    const [newest] = await listArchives(destination).catch(() => [])
    const newestAt = (newest && archiveTime(newest.name)) ?? null
    const newestMs = newestAt?.getTime() ?? 0
    const now = new Date()
    if (walSince && newestMs < walSince.getTime()) wait(0)
    else wait(now.getTime() - newestMs > dayMs ? catchUpMs : msUntilMinuteOfDay(minuteOfDay, now))
    // This comes last because it fails on a full disk, and a full disk must not prevent backups.
    const path = join(dataDir, lastBackupFile)
    if (!(await exists(path))) await writeFileAtomic(path, newestAt?.toISOString() ?? '')
  }
  void begin().catch((error) => log.error('backup_failed', { reason: errorMessage(error) }))
  return async () => {
    stopped = true
    clearTimeout(timer)
    await backup?.stop()
  }
}
