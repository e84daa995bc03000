import { z } from 'zod'
import type { JobStatus } from '../contract/admin.ts'
import type { Caller } from '../http/caller.ts'
import { asUser } from '../http/run-as.ts'
import { type Job, jobs } from './schedule.ts'

const JobRow = z.object({
  name: z.string(),
  running: z.boolean(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  doneAt: z.string().nullable(),
  outcome: z.enum(['done', 'failed']).nullable(),
  detail: z.unknown(),
  seconds: z.number().nullable(),
  failures: z.number().int(),
  nextAt: z.string(),
})
type JobRow = z.infer<typeof JobRow>

/**
 * The database's current time and its start time, both in Unix milliseconds. A job that has never run counts as due one
 * interval after the database's start.
 */
type Clock = { now: number; upSince: number }

/**
 * Returns the status of every scheduled job, including those that have not run yet.
 *
 * @throws ApiError 403 if the caller is not an admin
 */
export async function listJobStatuses(caller: Caller): Promise<JobStatus[]> {
  const [[clock], rows] = await asUser(caller, (tx) => [
    tx<Clock[]>`
      select extract(epoch from clock_timestamp())::double precision * 1000 as now,
             extract(epoch from pg_postmaster_start_time())::double precision * 1000 as "upSince"`,
    tx<{ item: string }[]>`
      select json_build_object('name', j.name, 'running', j.is_running, 'startedAt', j.started_at,
        'endedAt', j.ended_at, 'doneAt', j.last_done_at, 'outcome', j.outcome, 'detail', j.detail,
        'seconds', j.last_seconds, 'failures', j.failures, 'nextAt', j.next_at)::text as item
      from private.list_jobs() j`,
  ])
  const rowsByName = new Map(
    rows.map(({ item }) => JobRow.parse(JSON.parse(item))).map((row) => [row.name, row]),
  )
  return jobs.map((job) => toStatus(job, rowsByName.get(job.name), clock ?? { now: 0, upSince: 0 }))
}

function toStatus(job: Job, row: JobRow | undefined, { now, upSince }: Clock): JobStatus {
  const intervalMs = job.intervalSeconds * 1000
  const nextAt = row && new Date(row.nextAt).getTime()
  return {
    name: job.name,
    purpose: job.purpose,
    every: job.intervalSeconds,
    running: row?.running ?? false,
    lastStartedAt: row?.startedAt ?? null,
    lastEndedAt: row?.endedAt ?? null,
    lastDoneAt: row?.doneAt ?? null,
    outcome: row?.outcome ?? null,
    detail: row ? formatDetail(row.detail) : null,
    lastSeconds: row?.seconds ?? null,
    failures: row?.failures ?? 0,
    nextAt: nextAt === undefined ? null : new Date(nextAt).toISOString(),
    late: (nextAt ?? upSince + intervalMs) + 2 * intervalMs < now,
  }
}

/** Returns what a run did, such as 'published 3, failed 1', or why it failed; null if there is no detail yet. */
function formatDetail(detail: unknown): string | null {
  if (typeof detail !== 'object' || detail === null) return null
  if ('reason' in detail && typeof detail.reason === 'string') return detail.reason
  return formatCounts(detail).join(', ') || 'nothing to do'
}

/** Formats the counts above zero and the flags that are false. */
const formatCounts = (detail: object): string[] =>
  Object.entries(detail).flatMap(([name, value]) => {
    if (typeof value === 'object' && value !== null) return formatCounts(value)
    if (value === false) return `not ${toWords(name)}`
    return typeof value === 'number' && value > 0 ? `${toWords(name)} ${value}` : []
  })

/** Turns 'customersDeleted' or 'customers_deleted' into 'customers deleted'. */
const toWords = (name: string) =>
  name.replace(/[A-Z]|_/g, (char) => (char === '_' ? ' ' : ` ${char.toLowerCase()}`))
