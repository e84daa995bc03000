import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deno, root } from '../../scripts/lib/paths.mjs'
import { diffDatabases } from '../../scripts/lib/schema.mjs'
import { readConnection } from '../support/connection.ts'

// Upgrades a database that contains data and was created by the 49 migrations from before the squash.

const fixture = (name: string) => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url))
const oldMigrations = gunzipSync(readFileSync(fixture('old-migrations.sql.gz'))).toString()
const migrationVersions = readdirSync(join(root, 'supabase', 'migrations'))
  .map((name) => name.split('_', 1)[0])
  .sort()
const renames = readFileSync(join(root, 'stack', 'database', 'upgrade-old-migrations.sql'), 'utf8')

const { databaseUrl } = readConnection()
const server = postgres(databaseUrl, { max: 1, onnotice: () => undefined })
const database = `upgrade_${randomUUID().replaceAll('-', '')}`
const url = Object.assign(new URL(databaseUrl), { pathname: `/${database}` }).href
const sql = postgres(url, { max: 1, onnotice: () => undefined })

/** Runs a program of the stack against the database. */
async function runDeno(...args: string[]) {
  const { stdout } = await promisify(execFile)(deno, args, {
    cwd: root,
    env: { ...process.env, DATABASE_URL: url },
  })
  return stdout
}

/** Runs the migration step of a start. Returns the lines of progress that it prints, or its error message. */
const migrate = () =>
  runDeno(
    'eval',
    '--quiet',
    '--ext=ts',
    `import { migrate } from '${join(root, 'stack', 'database', 'migrate.ts')}'
     const url = Deno.env.get('DATABASE_URL') ?? ''
     await migrate('${root}', '${join(tmpdir(), database)}', url, console.log).catch((error) => console.log(error.message))`,
  )

/** Returns the rows of the given tables as text. `key` is the name that a table has after the upgrade. */
async function readTables(names: { schema: string; table: string; key: string }[]) {
  const tables: Record<string, string[]> = {}
  for (const { schema, table, key } of names) {
    const rows = await sql<
      { row: string }[]
    >`select t::text as row from ${sql(schema)}.${sql(table)} t order by 1`
    tables[key] = rows.map(({ row }) => row)
  }
  return tables
}

const listTables = () => sql<{ schema: string; table: string }[]>`
  select schemaname as schema, tablename as table from pg_tables
  where schemaname in ('public', 'private', 'auth', 'storage') order by 1, 2`

beforeAll(async () => {
  await server.unsafe(`create database ${database}`)
  await runDeno('run', '--allow-all', '--no-lock', '--quiet', join(root, 'stack', 'database', 'bootstrap.ts'))
  const hashes: Record<string, string> = {}
  for (const section of oldMigrations.split(/^-- migration /m).slice(1)) {
    const version = section.slice(0, 14)
    // An empty line separates the sections.
    const text = section.slice(section.indexOf('\n') + 1).replace(/\n\n$/, '\n')
    hashes[version] = createHash('sha256').update(text).digest('hex')
    await sql.unsafe(text).simple()
  }
  await sql.unsafe(readFileSync(fixture('old-data.sql'), 'utf8')).simple()
  await sql`select set_config('request.jwt.claims', '', false)`
  await sql
    .unsafe(`
    create schema supabase_migrations;
    create table supabase_migrations.schema_migrations (version text primary key, statements text[], name text)`)
    .simple()
  for (const version of Object.keys(hashes)) {
    await sql`insert into supabase_migrations.schema_migrations (version) values (${version})`
  }
  await sql`
    insert into ovation_stack.state (key, value) values ('migrations', ${sql.json(JSON.stringify(hashes))})
    on conflict (key) do update set value = excluded.value`
})

afterAll(async () => {
  await sql.end()
  await server.unsafe(`drop database ${database} with (force)`)
  await server.end()
})

describe('upgrading a database from before the migrations were squashed', () => {
  it('fails and changes nothing if a migration differs from the released one', async () => {
    const [state] = await sql<
      { value: string }[]
    >`select value from ovation_stack.state where key = 'migrations'`
    const altered = state?.value.replace(/":"./, '":"x') ?? ''
    await sql`update ovation_stack.state set value = ${sql.json(altered)} where key = 'migrations'`
    const before = await listTables()
    expect(await migrate()).toMatch(
      /^Migrations were changed or removed after they were applied to .*: 20261121000100, /,
    )
    expect(await listTables()).toEqual(before)
    await sql`update ovation_stack.state set value = ${sql.json(state?.value ?? '')} where key = 'migrations'`
  })

  it('produces the schema of a new database and keeps every row', async () => {
    const renamed = new Map(
      [...renames.matchAll(/^alter table (\w+)\.(\w+) rename to (\w+);/gm)].map(
        ([, schema, from, to]): [string, string] => [`${schema}.${from}`, `${schema}.${to}`],
      ),
    )
    const before = await readTables(
      (await listTables()).map(({ schema, table }) => {
        const name = `${schema}.${table}`
        return { schema, table, key: renamed.get(name) ?? name }
      }),
    )
    expect(before['public.ledger_entries']).toHaveLength(22)
    expect(await migrate()).toMatch(/^Upgrading the database …\n/)
    expect(await diffDatabases(url, databaseUrl)).toBe('')
    const after = await readTables(
      (await listTables()).map(({ schema, table }) => ({ schema, table, key: `${schema}.${table}` })),
    )
    // Later migrations have added a last column to these tables.
    for (const table of ['ledger_transactions', 'payouts', 'creator_balances']) {
      after[`public.${table}`] = after[`public.${table}`]?.map((row) => row.replace(/,-?\w+\)$/, ')')) ?? []
    }
    // A payment has the provider that took the money.
    before['public.payments'] =
      before['public.payments']?.map((row) => row.replace(',stripe,test_', ',test,test_')) ?? []
    expect(after).toEqual(before)
  })

  it('leaves a working database that is not upgraded again', async () => {
    expect(await migrate()).toBe('')
    const applied = await sql<{ version: string }[]>`
      select version from supabase_migrations.schema_migrations order by version`
    expect(applied.map(({ version }) => version)).toEqual(migrationVersions)
    const [balance] = await sql`
      select private.balance_cents('00000000-0000-4000-8000-000000000001', false)::int as real,
             private.balance_cents('00000000-0000-4000-8000-000000000001', true)::int as test`
    expect(balance).toEqual({ real: 0, test: 1575 })
    // Real money does not cover the unsettled payout, so it is test money and can only be marked as failed.
    const [mixed] = await sql`
      select private.balance_cents(o.user_id, false)::int as real, private.balance_cents(o.user_id, true)::int as test,
             o.is_test as payout
      from public.payouts o`
    expect(mixed).toEqual({ real: 9000, test: 18_900 - 27_000, payout: true })
    await sql`insert into public.posts (author_id, content) values ('00000000-0000-4000-8000-000000000001', 'More')`
    const [counts] = await sql`
      select posts from public.profile_counts where user_id = '00000000-0000-4000-8000-000000000001'`
    expect(counts?.posts).toBe(3)
  })
})
