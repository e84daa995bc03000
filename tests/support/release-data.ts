import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import postgres from 'postgres'
import { deno, root } from '../../scripts/lib/paths.mjs'
import { startDeno } from './deno-program.ts'

/*
tests/stack/fixtures has a folder for each release, with a little data in the release's schema. The folder of version
0.1.0 also contains that version's migrations, which were squashed later. The migrations of later releases are in
supabase/migrations, and the first line of a later release's data.sql names its newest migration.
*/

const fixtures = join(root, 'tests', 'stack', 'fixtures')
const migrationFolder = join(root, 'supabase', 'migrations')

/** The released versions, oldest first. */
export const releases = readdirSync(fixtures)
  .filter((name) => /^\d/.test(name))
  .sort()

const runArgs = ['run', '--allow-all', '--no-lock', '--quiet']

/** Returns the SQL text of each migration of a release, by migration version. */
function readMigrations(release: string, data: string): Record<string, string> {
  if (release === '0.1.0') {
    const text = gunzipSync(readFileSync(join(fixtures, release, 'migrations.sql.gz'))).toString()
    const sections = text.split(/^-- migration /m).slice(1)
    // An empty line separates the sections.
    const toEntry = (section: string) => [
      section.slice(0, 14),
      section.slice(section.indexOf('\n') + 1).replace(/\n\n$/, '\n'),
    ]
    return Object.fromEntries(sections.map(toEntry))
  }
  const newest = /^-- Newest migration: (\d{14})$/m.exec(data)?.[1] ?? ''
  const files = readdirSync(migrationFolder).filter((name) => name.slice(0, 14) <= newest)
  return Object.fromEntries(
    files.sort().map((name) => [name.slice(0, 14), readFileSync(join(migrationFolder, name), 'utf8')]),
  )
}

/**
 * Loads a release's schema, data and state into an empty database.
 *
 * @param url the superuser's database URL
 */
export async function loadRelease(url: string, release: string): Promise<void> {
  execFileSync(deno, [...runArgs, join(root, 'stack', 'database', 'bootstrap.ts')], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: url },
  })
  const data = readFileSync(join(fixtures, release, 'data.sql'), 'utf8')
  const migrations = readMigrations(release, data)
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  try {
    for (const text of Object.values(migrations)) await sql.unsafe(text).simple()
    if (release !== '0.1.0') {
      await sql.unsafe(readFileSync(join(root, 'supabase', 'seed.sql'), 'utf8')).simple()
    }
    await sql.unsafe(data).simple()
    await sql`select set_config('request.jwt.claims', '', false)`
    await sql
      .unsafe(`
      create schema supabase_migrations;
      create table supabase_migrations.schema_migrations (version text primary key, statements text[], name text)`)
      .simple()
    for (const version of Object.keys(migrations))
      await sql`insert into supabase_migrations.schema_migrations (version) values (${version})`
    const hashes = Object.entries(migrations).map(([version, text]) => [
      version,
      createHash('sha256').update(text).digest('hex'),
    ])
    const state: Record<string, string> = { migrations: JSON.stringify(Object.fromEntries(hashes)) }
    // Version 0.1.0 did not record its version.
    if (release !== '0.1.0') state.version = release
    for (const [key, value] of Object.entries(state)) {
      await sql`
        insert into ovation_stack.state (key, value) values (${key}, ${sql.json(value)})
        on conflict (key) do update set value = excluded.value`
    }
  } finally {
    await sql.end()
  }
}

/**
 * Runs `work` with a superuser's connection to the database in a DATA_DIR that no stack uses. Creates the database if
 * there is none.
 */
export async function withStoppedDatabase<Result>(
  dataDir: string,
  work: (sql: postgres.Sql, url: string) => Promise<Result>,
): Promise<Result> {
  const stack = join(root, 'stack')
  const program = `
    import { findBinaries } from '${stack}/postgres/binaries.ts'
    import { initCluster } from '${stack}/postgres/init-cluster.ts'
    import { findProcessUser } from '${stack}/postgres/process-user.ts'
    import { waitForStdinEnd } from '${stack}/shared/child-process.ts'
    import { withDatabase } from '${stack}/supervisor/running-database.ts'
    import { loadSecrets } from '${stack}/supervisor/secrets.ts'
    const { superuserPassword } = await loadSecrets('${dataDir}', false)
    await initCluster('${dataDir}', await findBinaries(), await findProcessUser(), superuserPassword)
    await withDatabase('${dataDir}', 0, async (url) => {
      console.log(url)
      await waitForStdinEnd()
    })`
  const { firstLine: url, stop } = await startDeno(program)
  const sql = postgres(url, { max: 4, onnotice: () => undefined })
  try {
    return await work(sql, url)
  } finally {
    await sql.end()
    await stop()
  }
}

/** Returns the columns of the permanent tables of the app, Auth and Storage, by schema and table. */
export async function readColumns(sql: postgres.Sql): Promise<Record<string, string[]>> {
  const tables = await sql<{ name: string; columns: string[] }[]>`
    select n.nspname || '.' || c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where n.nspname in ('public', 'private', 'auth', 'storage') and c.relkind = 'r' and c.relpersistence = 'p'
    group by 1 order by 1`
  return Object.fromEntries(tables.map(({ name, columns }) => [name, columns]))
}

/**
 * Returns the rows of the tables in `readColumns` as text, by schema and table.
 *
 * @param columnCounts the number of columns to read, by table; tables without an entry are skipped
 */
export async function readTables(
  sql: postgres.Sql,
  columnCounts?: Record<string, number>,
): Promise<Record<string, string[]>> {
  const result: Record<string, string[]> = {}
  for (const [name, columns] of Object.entries(await readColumns(sql))) {
    const count = columnCounts ? columnCounts[name] : columns.length
    if (count === undefined) continue
    const rows = await sql<{ row: string }[]>`
      select row(${sql(columns.slice(0, count))})::text as row from ${sql(name)} t order by 1`
    result[name] = rows.map(({ row }) => row)
  }
  return result
}
