import { z } from 'zod'
import type { JobStatus } from '../contract/admin.ts'
import { asUser } from '../db/run.ts'
import type { Caller } from '../http/session.ts'
import { type Job, jobs } from './list.ts'

const Row = z.object({
  name: z.string(),
  running: z.boolean(),
  startedAt: z.string(),
  endedAt: z.string().nullable(),
  doneAt: z.string().nullable(),
  outcome: z.enum(['done', 'failed']).nullable(),
  detail: z.unknown(),
  failures: z.number().int(),
})
type Row = z.infer<typeof Row>

/** The clock of the database, and since when it runs: jobs that never ran are late by that. */
type Clock = { now: number; upSince: number }

/**
 * How every job of the schedule stands, those that never ran too.
 *
 * @throws ApiError 403 for who is no admin
 */
export async function listJobs(caller: Caller): Promise<JobStatus[]> {
  const [[clock], rows] = await asUser(caller, (tx) => [
    tx<Clock[]>`
      select extract(epoch from clock_timestamp())::double precision * 1000 as now,
             extract(epoch from pg_postmaster_start_time())::double precision * 1000 as "upSince"`,
    tx<{ item: string }[]>`
      select json_build_object('name', j.name, 'running', j.is_running, 'startedAt', j.started_at,
        'endedAt', j.ended_at, 'doneAt', j.last_done_at, 'outcome', j.outcome, 'detail', j.detail,
        'failures', j.failures)::text as item
      from private.list_jobs() j`,
  ])
  const ran = new Map(rows.map(({ item }) => Row.parse(JSON.parse(item))).map((row) => [row.name, row]))
  return jobs.map((job) => statusOf(job, ran.get(job.name), clock ?? { now: 0, upSince: 0 }))
}

function statusOf({ name, purpose, seconds }: Job, row: Row | undefined, { now, upSince }: Clock): JobStatus {
  const next = row && new Date(row.startedAt).getTime() + seconds * 1000
  return {
    name,
    purpose,
    every: seconds,
    running: row?.running ?? false,
    lastStartedAt: row?.startedAt ?? null,
    lastEndedAt: row?.endedAt ?? null,
    lastDoneAt: row?.doneAt ?? null,
    outcome: row?.outcome ?? null,
    detail: row ? wordsFor(row.detail) : null,
    failures: row?.failures ?? 0,
    nextAt: next === undefined ? null : new Date(next).toISOString(),
    late: (next ?? upSince + seconds * 1000) + 2 * seconds * 1000 < now,
  }
}

/** What a job did, as 'published 3, failed 1', or why it failed; null while nothing is known. */
function wordsFor(detail: unknown): string | null {
  if (typeof detail !== 'object' || detail === null) return null
  if ('reason' in detail && typeof detail.reason === 'string') return detail.reason
  return partsOf(detail).join(', ') || 'nothing to do'
}

/** What is more than nothing, and what is switched off. */
const partsOf = (detail: object): string[] =>
  Object.entries(detail).flatMap(([name, value]) => {
    if (typeof value === 'object' && value !== null) return partsOf(value)
    if (value === false) return `not ${wordFor(name)}`
    return typeof value === 'number' && value > 0 ? `${wordFor(name)} ${value}` : []
  })

/** 'givenBack' as 'given back'. */
const wordFor = (name: string) =>
  name.replace(/[A-Z]|_/g, (sign) => (sign === '_' ? ' ' : ` ${sign.toLowerCase()}`))
