import { statfs } from 'node:fs/promises'
import type { Hono } from 'hono'
import { html } from 'hono/html'
import { readVersion } from '../../database/version.ts'
import { formatBytes } from '../../shared/format-bytes.ts'
import type { StudioContext } from '../context.ts'
import {
  badge,
  formatDuration,
  formatNumber,
  formatTime,
  type Html,
  link,
  renderFacts,
  renderPage,
  renderTable,
  text,
} from '../layout.ts'

interface TableSize {
  schema: string
  name: string
  rows: number
  tableBytes: number
  indexBytes: number
  totalBytes: number
}

/** Adds the page that shows the health of the services, disk usage and connections. */
export function addOverviewPage(app: Hono, context: StudioContext): void {
  app.get('/', async (c) => {
    const [health, facts, sizes, connections] = await Promise.all([
      readHealth(context),
      readFacts(context),
      readTableSizes(context),
      readConnections(context),
    ])
    const largest = Math.max(1, ...sizes.map(({ totalBytes }) => totalBytes))
    const content = html`
<section><h2>Health</h2>${health}</section>
<section><h2>Database</h2>${renderFacts(facts)}</section>
<section><h2>Largest tables</h2>
${renderTable(
  [
    'Table',
    { title: 'Rows (estimate)', isNumber: true },
    { title: 'Table', isNumber: true },
    { title: 'Indexes', isNumber: true },
    { title: 'Total', isNumber: true },
    '',
  ],
  sizes.map(({ schema, name, rows, tableBytes, indexBytes, totalBytes }) => [
    html`<a href="${link(context, `/tables/${encodeURIComponent(schema)}/${encodeURIComponent(name)}`)}">${text(`${schema}.${name}`)}</a>`,
    rows < 0 ? html`<i>not analyzed</i>` : html`${formatNumber(rows)}`,
    html`${formatBytes(tableBytes)}`,
    html`${formatBytes(indexBytes)}`,
    html`${formatBytes(totalBytes)}`,
    html`<meter min="0" max="${largest}" value="${totalBytes}">${formatBytes(totalBytes)}</meter>`,
  ]),
  'There are no tables.',
)}</section>
<section><h2>Connections</h2>
${renderTable(
  [
    'Role',
    'Program',
    { title: 'Active', isNumber: true },
    { title: 'Idle', isNumber: true },
    { title: 'In transaction', isNumber: true },
    { title: 'Waiting for a lock', isNumber: true },
    { title: 'Oldest transaction', isNumber: true },
  ],
  connections.map(({ role, program, active, idle, inTransaction, waiting, oldestSeconds }) => [
    text(role),
    text(program || '–'),
    html`${active}`,
    html`${idle}`,
    html`${inTransaction}`,
    html`${waiting}`,
    html`${oldestSeconds === null ? '–' : formatDuration(oldestSeconds)}`,
  ]),
  'There are no connections.',
)}</section>`
    return c.html(renderPage(context, 'Overview', content, { section: '/' }))
  })
}

async function readHealth(context: StudioContext): Promise<Html> {
  try {
    const response = await fetch(`${context.config.gatewayUrl}/api/health`, {
      signal: AbortSignal.timeout(5000),
    })
    const { checks = {}, failingJobs = [] }: { checks?: Record<string, string>; failingJobs?: string[] } =
      await response.json()
    const badges = Object.entries(checks).map(([name, state]) =>
      badge(`${name}: ${state}`, state === 'ok' ? 'good' : 'bad'),
    )
    const failing = failingJobs.map(
      (name) => html`<a href="${link(context, '/jobs')}">${badge(`job ${name}: failing`, 'bad')}</a>`,
    )
    return html`<p class="badges">${badges}${failing}</p>`
  } catch {
    return html`<p class="badges">${badge('gateway: no response', 'bad')}</p>`
  }
}

async function readFacts({ config, sql }: StudioContext): Promise<[string, Html | string][]> {
  const [version, disk, [database], [files], [migration]] = await Promise.all([
    readVersion(config.root),
    statfs(config.dataDir),
    sql<
      { bytes: number; version: string; startedAt: Date; used: number; max: number; hits: number | null }[]
    >`
      select pg_database_size(current_database())::float8 as bytes, current_setting('server_version') as version,
             pg_postmaster_start_time() as "startedAt", (select count(*)::int4 from pg_stat_activity where backend_type = 'client backend') as used,
             current_setting('max_connections')::int4 as max,
             (select d.blks_hit::float8 / nullif(d.blks_hit + d.blks_read, 0) from pg_stat_database d
              where d.datname = current_database()) as hits`,
    sql<{ count: number; bytes: number }[]>`
      select count(*)::int4 as count, coalesce(sum((o.metadata ->> 'size')::float8), 0) as bytes from storage.objects o`,
    sql<{ count: number; last: string | null }[]>`
      select count(*)::int4 as count, max(m.version) as last from supabase_migrations.schema_migrations m`,
  ])
  return [
    ['Size', formatBytes(database?.bytes ?? 0)],
    ['Connections', `${database?.used} of ${database?.max}`],
    ['Cache hit rate', database?.hits == null ? '–' : `${formatNumber(database.hits * 100)}%`],
    ['Stored files', `${formatNumber(files?.count ?? 0)}, ${formatBytes(files?.bytes ?? 0)}`],
    ['Free disk space', formatBytes(disk.bavail * disk.bsize)],
    ['Migrations', `${migration?.count}, last ${migration?.last ?? '–'}`],
    ['Versions', `${config.appName} ${version}, PostgreSQL ${database?.version}, Deno ${Deno.version.deno}`],
    ['PostgreSQL running since', formatTime(database?.startedAt ?? null)],
  ]
}

async function readTableSizes({ sql }: StudioContext): Promise<TableSize[]> {
  return await sql<TableSize[]>`
    select n.nspname as schema, c.relname as name, c.reltuples::float8 as rows,
           pg_table_size(c.oid)::float8 as "tableBytes", pg_indexes_size(c.oid)::float8 as "indexBytes",
           pg_total_relation_size(c.oid)::float8 as "totalBytes"
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema')
      and n.nspname not like 'pg\\_%'
    order by pg_total_relation_size(c.oid) desc, 1, 2 limit 15`
}

interface ConnectionGroup {
  role: string
  program: string
  active: number
  idle: number
  inTransaction: number
  waiting: number
  oldestSeconds: number | null
}

async function readConnections({ sql }: StudioContext): Promise<ConnectionGroup[]> {
  return await sql<ConnectionGroup[]>`
    select coalesce(a.usename, '') as role, coalesce(a.application_name, '') as program,
           count(*) filter (where a.state = 'active')::int4 as active,
           count(*) filter (where a.state = 'idle')::int4 as idle,
           count(*) filter (where a.state like 'idle in transaction%')::int4 as "inTransaction",
           count(*) filter (where a.wait_event_type = 'Lock')::int4 as waiting,
           extract(epoch from max(clock_timestamp() - a.xact_start))::float8 as "oldestSeconds"
    from pg_stat_activity a where a.backend_type = 'client backend' group by 1, 2 order by count(*) desc, 1, 2`
}
