import fs from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import type { SystemStatus } from '../contract/admin.ts'
import { poolUse } from '../db/pool.ts'
import { env } from '../env.ts'
import { log } from '../http/log.ts'
import { recentErrorLines, recentErrorsFile } from '../http/recent-errors.ts'
import { asService } from '../http/run-as.ts'
import { cached } from './cached.ts'
import { checkHealth } from './health.ts'
import { lastBackupFile } from './last-backup.ts'

/** What `private.system_status` returns. Times are in ISO 8601. */
const DatabaseStatus = z.object({
  jobs: z.array(
    z.object({
      name: z.string(),
      running: z.boolean(),
      doneAt: z.string().nullable(),
      seconds: z.number().nullable(),
      failures: z.number(),
      every: z.number(),
    }),
  ),
  queues: z.object({
    file_deletions: z.number(),
    media_checks: z.number(),
    digest_mails: z.number(),
    moderation_cases: z.number(),
    payouts: z.number(),
    auto_posts: z.number(),
    new_posts: z.number(),
  }),
  /** How full PostgreSQL's NOTIFY queue is, from 0 to 1. Ended sessions and schema changes are announced through it. */
  notifyQueue: z.number(),
  connections: z.array(z.object({ role: z.string(), state: z.string(), count: z.number() })),
  maxConnections: z.number(),
})
type DatabaseStatus = z.infer<typeof DatabaseStatus>

/** Returns the status of jobs, queues and connections from the database. @throws ApiError 503 */
export const readDatabaseStatus = cached(5000, async (): Promise<DatabaseStatus> => {
  const [row] = await asService(
    (tx) => tx<{ status: string }[]>`select private.system_status()::text as status`,
  )
  return DatabaseStatus.parse(JSON.parse(row?.status ?? 'null'))
})

/**
 * Returns the ledger's imbalance in cents, which must be 0, or null if it could not be checked. The check reads the
 * whole ledger, so its result is reused for ten minutes.
 */
export const readLedgerImbalance = cached(600_000, async (): Promise<number | null> => {
  try {
    const [row] = await asService(
      (tx) => tx<{ cents: string }[]>`select private.ledger_imbalance_cents()::text as cents`,
    )
    const cents = Number(row?.cents)
    if (cents !== 0) log('error', 'ledger_unbalanced', { cents })
    return cents
  } catch {
    log('warn', 'ledger_check_failed')
    return null
  }
})

/** Returns the free and total space on the disk with the data, or null on a platform without its own disk. */
export async function readDisk(): Promise<SystemStatus['disk']> {
  if (!env.dataDir) return null
  // The edge runtime's `node:fs/promises` has no `statfs`: importing it from there would prevent the API from starting.
  const { bavail, blocks, bsize } = await promisify(fs.statfs)(env.dataDir)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}

/**
 * Returns when the last backup ended; `lastAt` is null if none has ended yet. Returns null if no backup is scheduled
 * and none was ever made, or if Supabase makes the backups.
 */
export async function readLastBackup(): Promise<SystemStatus['backup']> {
  if (!env.dataDir) return null
  const text = await readFile(join(env.dataDir, lastBackupFile), 'utf8').catch(() => null)
  return text === null ? null : { lastAt: z.iso.datetime().safeParse(text).data ?? null }
}

const LogLine = z.looseObject({
  time: z.iso.datetime(),
  level: z.enum(['warn', 'error']),
  event: z.string(),
  requestId: z.string().optional(),
})

/**
 * Returns the most recent warnings and errors, newest first: from all processes of the embedded stack or, on Supabase,
 * only from this process.
 */
async function readRecentErrors(): Promise<SystemStatus['errors']> {
  const lines = env.dataDir
    ? (await readFile(join(env.dataDir, recentErrorsFile), 'utf8').catch(() => '')).split('\n')
    : recentErrorLines()
  return lines
    .flatMap((line) => {
      const { data } = LogLine.safeParse(parseJson(line))
      if (!data) return []
      const { time, level, event, requestId = null, ...fields } = data
      return [{ time, level, event, requestId, detail: formatFields(fields) }]
    })
    .reverse()
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Returns what the admin page "System" shows. */
export async function readSystemStatus(): Promise<SystemStatus> {
  const [health, database, ledgerImbalanceCents, disk, backup, errors] = await Promise.all([
    checkHealth(),
    readDatabaseStatus(),
    readLedgerImbalance(),
    readDisk(),
    readLastBackup(),
    readRecentErrors(),
  ])
  const { queues, connections, maxConnections } = database
  return {
    checks: health.checks,
    queues: {
      fileDeletions: queues.file_deletions,
      mediaChecks: queues.media_checks,
      digestMails: queues.digest_mails,
      moderationCases: queues.moderation_cases,
      payouts: queues.payouts,
      autoPosts: queues.auto_posts,
      newPosts: queues.new_posts,
    },
    connections: connections.reduce((sum, { count }) => sum + count, 0),
    maxConnections,
    pool: poolUse(),
    disk,
    backup,
    ledgerImbalanceCents,
    errors,
  }
}

/** Formats the fields of a log line as `process: gateway, reason: timeout`. */
const formatFields = (fields: Record<string, unknown>): string =>
  Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(', ')
    .slice(0, 300)
