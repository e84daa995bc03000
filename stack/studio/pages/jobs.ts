import type { Hono } from 'hono'
import { html } from 'hono/html'
import { jobs } from '../../../supabase/functions/_shared/jobs/schedule.ts'
import type { StudioContext } from '../context.ts'
import {
  badge,
  code,
  formatDuration,
  formatTime,
  link,
  nothing,
  renderPage,
  renderTable,
  text,
} from '../layout.ts'

interface JobRun {
  name: string
  startedAt: Date
  runningUntil: Date | null
  outcome: 'done' | 'failed' | null
  detail: string | null
  lastDoneAt: Date | null
  failures: number
  lastSeconds: number | null
  nextSeconds: number
}

/** Adds the page that shows the schedule and the last run of each job. */
export function addJobsPage(app: Hono, context: StudioContext): void {
  app.get('/jobs', async (c) => {
    const runs = await context.sql<JobRun[]>`
      select j.name, j.started_at as "startedAt", j.running_until as "runningUntil", j.outcome, left(j.detail::text, 500) as detail,
             j.last_done_at as "lastDoneAt", j.failures, j.last_seconds as "lastSeconds",
             private.job_delay_seconds(j.every, j.failures)::float8 as "nextSeconds"
      from private.job_runs j`
    const rows = jobs.map(({ name, intervalSeconds, purpose }) => {
      const run = runs.find((each) => each.name === name)
      const logsUrl = link(context, '/logs', { text: `/jobs/${name}"` })
      return [
        html`<strong>${name}</strong><br><small>${purpose}</small>`,
        html`${formatDuration(intervalSeconds)}`,
        run ? formatTime(run.startedAt) : nothing(),
        run ? state(run) : badge('never ran', 'quiet'),
        run?.lastSeconds == null ? nothing() : html`${formatDuration(run.lastSeconds)}`,
        html`${run?.failures ?? 0}`,
        formatTime(run?.lastDoneAt ?? null),
        run ? formatTime(new Date(run.startedAt.getTime() + run.nextSeconds * 1000)) : nothing(),
        html`${run?.detail ? code(run.detail) : nothing()} <a href="${logsUrl}">Earlier runs</a>`,
      ]
    })
    const columns = [
      'Job',
      'Interval',
      'Last run',
      'Result',
      { title: 'Duration', isNumber: true },
      { title: 'Consecutive failures', isNumber: true },
      'Last success',
      'Next run',
      { title: 'Details', isLong: true },
    ]
    const content = html`<p>Times are in UTC. After two or more consecutive failures, a job runs less and less often, but still at least once an hour, or at its usual interval if that is longer.</p>
${renderTable(columns, rows, 'There are no jobs.')}`
    return c.html(renderPage(context, 'Jobs', content, { section: '/jobs' }))
  })
}

function state({ outcome, runningUntil }: JobRun) {
  if (runningUntil)
    return runningUntil.getTime() > Date.now() ? badge('running', 'quiet') : badge('interrupted', 'bad')
  return outcome === 'failed'
    ? badge('failed', 'bad')
    : outcome === 'done'
      ? badge('done', 'good')
      : text('–')
}
