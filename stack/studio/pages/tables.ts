import type { Hono } from 'hono'
import { html } from 'hono/html'
import { formatBytes } from '../../shared/format-bytes.ts'
import type { StudioContext } from '../context.ts'
import {
  badge,
  code,
  formatNumber,
  type Html,
  link,
  maxValueLength,
  nothing,
  pager,
  readOffset,
  renderPage,
  renderTable,
  renderValue,
  text,
  type Value,
} from '../layout.ts'
import { findSecretSetting, isSecretColumn } from '../secrets.ts'

const pageSize = 50

interface Table {
  schema: string
  name: string
  kind: 'table' | 'view' | 'materialized view' | 'foreign table'
  rows: number
  bytes: number
  hasRowSecurity: boolean
  comment: string | null
}

interface TableColumn {
  name: string
  type: string
  isBinary: boolean
  isRequired: boolean
  isKey: boolean
  isSecret: boolean
  default: string | null
  comment: string | null
}

/** Adds the pages that show the tables of all schemas except PostgreSQL's own, with their structure and rows. */
export function addTablePages(app: Hono, context: StudioContext): void {
  app.get('/tables', async (c) => {
    const tables = await readTables(context)
    const schemas = [...new Set(tables.map(({ schema }) => schema))]
    const schema = c.req.query('schema') ?? 'public'
    const tabs = schemas.map(
      (name) =>
        html`<a href="${link(context, '/tables', { schema: name })}" ${name === schema ? html`aria-current="page"` : ''}>${text(name)}</a>`,
    )
    const rows = tables
      .filter((table) => table.schema === schema)
      .map((table) => [
        html`<a href="${link(context, tablePath(table.schema, table.name))}">${text(table.name)}</a>`,
        html`${table.kind}`,
        html`${estimate(table)}`,
        html`${table.bytes > 0 ? formatBytes(table.bytes) : '–'}`,
        table.kind !== 'table'
          ? nothing()
          : table.hasRowSecurity
            ? badge('on', 'good')
            : badge('off', 'quiet'),
        table.comment === null ? nothing() : text(table.comment),
      ])
    const columns = [
      'Table',
      'Kind',
      { title: 'Rows (estimate)', isNumber: true },
      { title: 'Size', isNumber: true },
      'Row-level security',
      { title: 'Comment', isLong: true },
    ]
    const content = html`<nav class="tabs" aria-label="Schemas">${tabs}</nav>
${renderTable(columns, rows, 'This schema has no tables.')}`
    return c.html(renderPage(context, 'Tables', content, { section: '/tables' }))
  })

  app.get('/tables/:schema/:table', async (c) => {
    const tables = await readTables(context)
    const { schema, table: name } = c.req.param()
    const table = tables.find((each) => each.schema === schema && each.name === name)
    if (!table) return c.notFound()
    const columns = await readColumns(context, table)
    const isStructure = c.req.query('view') === 'structure'
    const path = tablePath(schema, name)
    const tabs: [string, string, boolean][] = [
      [link(context, path), 'Rows', !isStructure],
      [link(context, path, { view: 'structure' }), 'Structure', isStructure],
    ]
    const content = html`
<nav class="tabs" aria-label="Views">${tabs.map(([href, label, isCurrent]) => html`<a href="${href}" ${isCurrent ? html`aria-current="page"` : ''}>${label}</a>`)}</nav>
${
  isStructure
    ? await renderStructure(context, table, columns)
    : await renderRows(
        context,
        table,
        columns,
        c.req.query('column') ?? '',
        c.req.query('contains') ?? '',
        readOffset(c.req.query('offset')),
      )
}`
    const parents: [string, string][] = [
      [link(context, '/tables'), 'Tables'],
      [link(context, '/tables', { schema }), schema],
    ]
    return c.html(renderPage(context, name, content, { section: '/tables', parents }))
  })
}

const tablePath = (schema: string, name: string): string =>
  `/tables/${encodeURIComponent(schema)}/${encodeURIComponent(name)}`

const estimate = ({ rows, kind }: Table): string =>
  kind === 'view' || kind === 'foreign table' || rows < 0 ? '–' : formatNumber(rows)

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`
const quoteText = (value: string): string => `'${value.replaceAll("'", "''")}'`
const qualifiedName = ({ schema, name }: Table): string => `${quote(schema)}.${quote(name)}`

/** Renders a page of rows. The database truncates long values and omits the values of secret columns. */
async function renderRows(
  context: StudioContext,
  table: Table,
  columns: TableColumn[],
  filterColumn: string,
  filterText: string,
  offset: number,
): Promise<Html> {
  const readable = columns.filter(({ isSecret }) => !isSecret)
  const filter = readable.find(({ name }) => name === filterColumn)
  const searchText = filterText.replaceAll('\0', '').slice(0, 1000)
  const { rows, hasMore } = await readRows(
    context,
    table,
    columns,
    filter && searchText ? filter.name : null,
    searchText,
    offset,
  )
  const options = readable.map(
    ({ name }) =>
      html`<option ${name === filterColumn ? 'selected' : ''} value="${name}">${text(name)}</option>`,
  )
  const names = columns.map(({ name }) => name)
  const keys = columns.filter(({ isKey }) => isKey).map(({ name }) => name)
  const path = tablePath(table.schema, table.name)
  const cells = rows.map((row) => {
    const edit = editStatement(table, names, keys, row)
    return [
      ...(keys.length > 0
        ? [edit === null ? html`` : html`<a href="${link(context, '/sql', { statement: edit })}">Edit</a>`]
        : []),
      ...row.map(renderValue),
    ]
  })
  return html`
<form method="get" action="${link(context, path)}" class="filters"><label>Column <select name="column">${options}</select></label>
<label>contains <input name="contains" value="${filterText}" maxlength="1000"></label><button>Filter</button>
${searchText ? html`<a href="${link(context, path)}">All rows</a>` : ''}</form>
${renderTable([...(keys.length > 0 ? [''] : []), ...names], cells, searchText ? 'No rows match.' : 'This table has no rows.')}
${pager(context, path, { column: filterColumn, contains: filterText }, offset, pageSize, hasMore)}`
}

/**
 * Returns an UPDATE statement for one row, for the SQL editor. The operator fills in its empty SET clause. Returns null
 * if the row's key is truncated or secret.
 */
function editStatement(table: Table, names: string[], keys: string[], row: (Value | null)[]): string | null {
  const conditions: string[] = []
  for (const key of keys) {
    const value = row[names.indexOf(key)]
    if (!value || value.isSecret || value.totalBytes !== undefined) return null
    conditions.push(`${quote(key)} = ${quoteText(value.text)}`)
  }
  return `update ${qualifiedName(table)}\nset \nwhere ${conditions.join(' and ')}`
}

async function readRows(
  { sql }: StudioContext,
  table: Table,
  columns: TableColumn[],
  filterColumn: string | null,
  searchText: string,
  offset: number,
): Promise<{ rows: (Value | null)[][]; hasMore: boolean }> {
  // Two expressions for each column: the beginning of the value and, if the value is truncated, its size in bytes.
  const expressions = columns.flatMap(({ name, isBinary, isSecret }) => {
    const column = `t.${quote(name)}`
    if (isSecret) return [`case when ${column} is not null then '' end`, 'null']
    return isBinary
      ? [
          `'\\x' || encode(substring(${column} from 1 for ${maxValueLength / 4}), 'hex')`,
          `case when octet_length(${column}) > ${maxValueLength / 4} then octet_length(${column}) end`,
        ]
      : [
          `left(${column}::text, ${maxValueLength})`,
          `case when length(${column}::text) > ${maxValueLength} then octet_length(${column}::text) end`,
        ]
  })
  const filter =
    filterColumn === null ? '' : `where strpos(lower(t.${quote(filterColumn)}::text), lower($1)) > 0`
  const keys = columns.filter(({ isKey }) => isKey).map(({ name }) => `t.${quote(name)}`)
  const order = keys.length > 0 ? `order by ${keys.join(', ')}` : ''
  const found = (await sql
    .unsafe(
      `select ${expressions.join(', ') || 'null'} from ${qualifiedName(table)} t ${filter} ${order} limit ${pageSize + 1} offset ${offset}`,
      filterColumn === null ? [] : [searchText],
    )
    .values()) as (string | number | null)[][]
  const names = columns.map(({ name }) => name)
  const rows = found.slice(0, pageSize).map((values) => {
    const row = columns.map(({ isSecret }, index): Value | null => {
      const value = values[2 * index]
      const bytes = values[2 * index + 1]
      if (value === null || value === undefined) return null
      if (isSecret) return { text: '', isSecret: true }
      return { text: String(value), ...(typeof bytes === 'number' && { totalBytes: bytes }) }
    })
    const secret = row[findSecretSetting(names, row)]
    if (secret) Object.assign(secret, { text: '', isSecret: true })
    return row
  })
  return { rows, hasMore: found.length > pageSize }
}

async function renderStructure({ sql }: StudioContext, table: Table, columns: TableColumn[]): Promise<Html> {
  const name = qualifiedName(table)
  const [indexes, policies, constraints, triggers] = await Promise.all([
    sql<{ definition: string; bytes: number; scans: number }[]>`
      select pg_get_indexdef(i.indexrelid) as definition, pg_relation_size(i.indexrelid)::float8 as bytes,
             coalesce(s.idx_scan, 0)::float8 as scans
      from pg_index i left join pg_stat_all_indexes s on s.indexrelid = i.indexrelid
      where i.indrelid = ${name}::text::regclass order by i.indisprimary desc, 1`,
    sql<
      {
        name: string
        command: string
        roles: string
        kind: string
        using: string | null
        check: string | null
      }[]
    >`
      select p.policyname as name, p.cmd as command, array_to_string(p.roles, ', ') as roles, lower(p.permissive) as kind,
             p.qual as using, p.with_check as check
      from pg_policies p where p.schemaname = ${table.schema} and p.tablename = ${table.name} order by p.cmd, p.policyname`,
    sql<{ name: string; definition: string }[]>`
      select c.conname as name, pg_get_constraintdef(c.oid) as definition
      from pg_constraint c where c.conrelid = ${name}::text::regclass order by c.contype desc, c.conname`,
    sql<{ definition: string }[]>`
      select pg_get_triggerdef(t.oid) as definition
      from pg_trigger t where t.tgrelid = ${name}::text::regclass and not t.tgisinternal order by t.tgname`,
  ])
  return html`
<section><h2>Columns</h2>${renderTable(
    ['Column', 'Type', 'Required', 'Default', { title: 'Comment', isLong: true }],
    columns.map((column) => [
      html`${text(column.name)} ${column.isKey ? badge('key', 'quiet') : ''} ${column.isSecret ? badge('secret', 'bad') : ''}`,
      code(column.type),
      html`${column.isRequired ? 'yes' : 'no'}`,
      column.default === null ? nothing() : code(column.default),
      column.comment === null ? nothing() : text(column.comment),
    ]),
    'No columns.',
  )}</section>
<section><h2>Indexes</h2>${renderTable(
    [
      { title: 'Index', isLong: true },
      { title: 'Size', isNumber: true },
      { title: 'Scans', isNumber: true },
    ],
    indexes.map(({ definition, bytes, scans }) => [
      code(definition),
      html`${formatBytes(bytes)}`,
      html`${formatNumber(scans)}`,
    ]),
    'No indexes.',
  )}</section>
<section><h2>Policies</h2>${renderTable(
    [
      'Policy',
      'Command',
      'Roles',
      'Kind',
      { title: 'USING', isLong: true },
      { title: 'WITH CHECK', isLong: true },
    ],
    policies.map((policy) => [
      text(policy.name),
      html`${policy.command}`,
      text(policy.roles),
      html`${policy.kind}`,
      policy.using === null ? nothing() : code(policy.using),
      policy.check === null ? nothing() : code(policy.check),
    ]),
    'No policies.',
  )}</section>
<section><h2>Constraints</h2>${renderTable(
    ['Constraint', { title: 'Definition', isLong: true }],
    constraints.map((constraint) => [text(constraint.name), code(constraint.definition)]),
    'No constraints.',
  )}</section>
<section><h2>Triggers</h2>${renderTable(
    [{ title: 'Trigger', isLong: true }],
    triggers.map(({ definition }) => [code(definition)]),
    'No triggers.',
  )}</section>`
}

async function readTables({ sql }: StudioContext): Promise<Table[]> {
  return await sql<Table[]>`
    select n.nspname as schema, c.relname as name,
           case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'f' then 'foreign table'
             else 'table' end as kind,
           c.reltuples::float8 as rows, pg_total_relation_size(c.oid)::float8 as bytes,
           c.relrowsecurity as "hasRowSecurity", left(obj_description(c.oid, 'pg_class'), 300) as comment
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p', 'v', 'm', 'f') and n.nspname not in ('pg_catalog', 'information_schema')
      and n.nspname not like 'pg\\_%'
    order by n.nspname = 'public' desc, n.nspname, c.relname`
}

async function readColumns({ sql }: StudioContext, table: Table): Promise<TableColumn[]> {
  const columns = await sql<Omit<TableColumn, 'isSecret'>[]>`
    select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, a.atttypid = 'bytea'::regtype as "isBinary",
           a.attnotnull as "isRequired", pg_get_expr(d.adbin, d.adrelid) as default,
           left(col_description(a.attrelid, a.attnum), 300) as comment,
           exists (select from pg_index i where i.indrelid = a.attrelid and i.indisprimary and a.attnum = any (i.indkey))
             as "isKey"
    from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = ${qualifiedName(table)}::text::regclass and a.attnum > 0 and not a.attisdropped
    order by a.attnum`
  const { schema, name } = table
  return columns.map((column) => ({ ...column, isSecret: isSecretColumn(`${schema}.${name}`, column.name) }))
}
