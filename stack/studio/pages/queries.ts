import type { Hono } from 'hono'
import { html } from 'hono/html'
import type { StudioContext } from '../context.ts'
import {
  actionForm,
  code,
  formatDuration,
  formatNumber,
  formatTime,
  link,
  notice,
  renderPage,
  renderTable,
  text,
} from '../layout.ts'
import { hideStrings } from '../sql-statements.ts'

interface QueryStatistics {
  role: string | null
  query: string
  calls: number
  totalMs: number
  meanMs: number
  maxMs: number
  rows: number
  hits: number | null
}

const orders = { total: 'Total time', mean: 'Mean time', max: 'Longest', calls: 'Calls' } as const
type Order = keyof typeof orders
const isOrder = (value: string): value is Order => Object.hasOwn(orders, value)

const maxQueries = 50

/** Adds the page that lists the slowest statements. */
export function addQueriesPage(app: Hono, context: StudioContext): void {
  const { sql, log } = context
  app.get('/queries', async (c) => {
    const requestedOrder = c.req.query('order') ?? ''
    const order = isOrder(requestedOrder) ? requestedOrder : 'total'
    const column = {
      total: sql`s.total_exec_time`,
      mean: sql`s.mean_exec_time`,
      max: sql`s.max_exec_time`,
      calls: sql`s.calls`,
    }[order]
    const [queries, [info]] = await Promise.all([
      sql<QueryStatistics[]>`
        select r.rolname as role, left(s.query, 3000) as query, s.calls::float8 as calls, s.total_exec_time as "totalMs",
               s.mean_exec_time as "meanMs", s.max_exec_time as "maxMs", s.rows::float8 as rows,
               s.shared_blks_hit::float8 / nullif(s.shared_blks_hit + s.shared_blks_read, 0) as hits
        from extensions.pg_stat_statements s left join pg_roles r on r.oid = s.userid
        where s.dbid = (select d.oid from pg_database d where d.datname = current_database())
        order by ${column} desc limit ${maxQueries}`,
      sql<{ resetAt: Date }[]>`select i.stats_reset as "resetAt" from extensions.pg_stat_statements_info i`,
    ])
    const options = Object.entries(orders).map(
      ([value, label]) =>
        html`<option value="${value}" ${value === order ? 'selected' : ''}>${label}</option>`,
    )
    // A statement that ran during a reset is recorded with its constants.
    const shown = queries.map(({ query, ...statistics }) => ({ ...statistics, query: hideStrings(query) }))
    const content = html`
${c.req.query('reset') === '1' ? notice('The statistics were reset.') : ''}
<div class="toolbar"><form method="get" action="${link(context, '/queries')}" class="filters"><label>Sort by <select name="order">${options}</select></label><button>Apply</button></form>
${actionForm(context, '/queries/reset', 'Reset statistics')}</div>
<p>The top ${maxQueries} statements since ${formatTime(info?.resetAt ?? null)} UTC. Values are replaced by parameters such as ${code('$1')}.</p>
${renderTable(
  [
    { title: 'Total', isNumber: true },
    { title: 'Mean', isNumber: true },
    { title: 'Longest', isNumber: true },
    { title: 'Calls', isNumber: true },
    { title: 'Rows', isNumber: true },
    { title: 'Cache hit rate', isNumber: true },
    'Role',
    { title: 'Statement', isLong: true },
  ],
  shown.map(({ role, query, calls, totalMs, meanMs, maxMs, rows, hits }) => [
    html`${formatDuration(totalMs / 1000)}`,
    html`${formatDuration(meanMs / 1000)}`,
    html`${formatDuration(maxMs / 1000)}`,
    html`${formatNumber(calls)}`,
    html`${formatNumber(rows)}`,
    html`${hits === null ? '–' : `${formatNumber(hits * 100)}%`}`,
    text(role ?? '–'),
    query.length > 160
      ? html`<details><summary>${code(query.replace(/\s+/g, ' ').slice(0, 160))} …</summary><pre>${code(query)}</pre></details>`
      : code(query),
  ]),
  'No statements have been recorded yet.',
)}`
    return c.html(renderPage(context, 'Slow queries', content, { section: '/queries' }))
  })
  app.post('/queries/reset', async (c) => {
    await sql`select extensions.pg_stat_statements_reset()`
    log.info('studio_statistics_reset')
    return c.redirect(link(context, '/queries', { reset: '1' }), 303)
  })
}
