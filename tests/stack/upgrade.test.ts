import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { root } from '../../scripts/lib/paths.mjs'
import { diffDatabases } from '../../scripts/lib/schema.mjs'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import { readConnection } from '../support/connection.ts'
import { evalDeno } from '../support/deno-program.ts'
import {
  loadRelease,
  readColumns,
  readTables,
  releases,
  withStoppedDatabase,
} from '../support/release-data.ts'
import {
  createTempDir,
  discardStack,
  type StackProcess,
  startStack,
  waitForStartupFailure,
} from '../support/stack-process.ts'

const migrationVersions = readdirSync(join(root, 'supabase', 'migrations'))
  .map((name) => name.slice(0, 14))
  .sort()
const renames = readFileSync(join(root, 'stack', 'database', 'upgrade-old-migrations.sql'), 'utf8')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const adaId = '00000000-0000-4000-8000-000000000001'

/** Replaces old table names with the current ones. */
function withCurrentNames<Value>(tables: Record<string, Value>): Record<string, Value> {
  const newNames = new Map(
    [...renames.matchAll(/^alter table (\w+)\.(\w+) rename to (\w+);/gm)].map(
      ([, schema, from, to]): [string, string] => [`${schema}.${from}`, `${schema}.${to}`],
    ),
  )
  return Object.fromEntries(
    Object.entries(tables).map(([name, value]) => [newNames.get(name) ?? name, value]),
  )
}

describe.each(releases)('migrating the data of version %s', (release) => {
  const { databaseUrl } = readConnection()
  const server = postgres(databaseUrl, { max: 1, onnotice: () => undefined })
  const database = `upgrade_${randomUUID().replaceAll('-', '')}`
  const url = Object.assign(new URL(databaseUrl), { pathname: `/${database}` }).href
  const sql = postgres(url, { max: 1, onnotice: () => undefined })

  /** Runs the stack's migration step. Returns the progress that it prints, or its error message. */
  const migrate = async () => {
    const program = `
      import { migrate } from '${join(root, 'stack', 'database', 'migrate.ts')}'
      await migrate('${root}', '${join(tmpdir(), database)}', '${url}', console.log).catch((error) => console.log(error.message))`
    return (await evalDeno(program)).stdout
  }

  beforeAll(async () => {
    await server.unsafe(`create database ${database}`)
    await loadRelease(url, release)
  })

  afterAll(async () => {
    await sql.end()
    await server.unsafe(`drop database ${database} with (force)`)
    await server.end()
  })

  it('fails and changes nothing if a migration differs from the released one', async () => {
    const [state] = await sql<
      { value: string }[]
    >`select value from ovation_stack.state where key = 'migrations'`
    const altered = state?.value.replace(/":"./, '":"x') ?? ''
    await sql`update ovation_stack.state set value = ${sql.json(altered)} where key = 'migrations'`
    const before = await readTables(sql)
    expect(await migrate()).toMatch(
      /^Migrations were changed or removed after they were applied to .*: \d{14}/,
    )
    expect(await readTables(sql)).toEqual(before)
    await sql`update ovation_stack.state set value = ${sql.json(state?.value ?? '')} where key = 'migrations'`
  })

  it('produces the schema of a new database and keeps the rows of every remaining table', async () => {
    const before = withCurrentNames(await readTables(sql))
    const columns = Object.entries(withCurrentNames(await readColumns(sql)))
    expect(before['public.ledger_entries']).toHaveLength(release === '0.1.0' ? 22 : 8)
    await migrate()
    expect(await diffDatabases(url, databaseUrl)).toBe('')
    // Migrations append columns, so only the columns that existed before are compared.
    const after = await readTables(
      sql,
      Object.fromEntries(columns.map(([name, { length }]) => [name, length])),
    )
    const newSettings = /^\((storage_quota_bytes|require_email_confirmation|sign_in_after_registration),/
    const settings = 'private.settings'
    for (const tables of [before, after])
      tables[settings] = tables[settings]?.filter((row) => !newSettings.test(row)) ?? []
    if (release === '0.1.0') {
      // The migrations correct the provider of payments that the test provider took but that were stored as `stripe`.
      before['public.payments'] =
        before['public.payments']?.map((row) => row.replace(',stripe,test_', ',test,test_')) ?? []
    }
    // The migrations allow voice messages in the bucket of uploads.
    before['storage.buckets'] =
      before['storage.buckets']?.map((row) =>
        row.replace('video/quicktime}', 'video/quicktime,audio/mp4,audio/webm}'),
      ) ?? []
    // The migrations drop the log of webhook events, which was never read.
    delete before['private.payment_events']
    // The migrations add a row for every creator, so that the creator's audience is counted soon.
    const audiences = 'private.creator_audiences'
    expect(before[audiences]).toEqual([])
    const isDue = (row: string) => row.endsWith(',-infinity,[],[])')
    expect(after[audiences]?.every(isDue)).toBe(true)
    before[audiences] = after[audiences] ?? []
    expect(after).toEqual(before)
    // Existing accounts count as confirmed and onboarded.
    const [waiting] = await sql<{ count: number }[]>`
      select count(*)::int from public.accounts where email_confirmed_at is null or onboarded_at is null`
    expect(waiting?.count).toBe(0)
  })

  it('leaves a working database that is not migrated again', async () => {
    expect(await migrate()).toBe('')
    const applied = await sql<{ version: string }[]>`
      select version from supabase_migrations.schema_migrations order by version`
    expect(applied.map((migration) => migration.version)).toEqual(migrationVersions)
    const [balance] = await sql`
      select private.balance_cents(${adaId}, false)::int as real, private.balance_cents(${adaId}, true)::int as test`
    expect(balance).toEqual({ real: 0, test: 1575 })
    if (release === '0.1.0') {
      // Real money does not cover the unsettled payout, so the payout is marked as test money and can only fail.
      const [mixed] = await sql`
        select private.balance_cents(o.user_id, false)::int as real, private.balance_cents(o.user_id, true)::int as test,
               o.is_test as payout
        from public.payouts o`
      expect(mixed).toEqual({ real: 9000, test: 18_900 - 27_000, payout: true })
    }
    await sql`insert into public.posts (author_id, content) values (${adaId}, 'More')`
    const [counts] = await sql`select posts from public.profile_counts where user_id = ${adaId}`
    expect(counts?.posts).toBe(3)
  })
})

describe('a stack with data of version 0.1.0', () => {
  const dataDir = createTempDir()
  const archives = join(dataDir, 'before-upgrade')
  let stack: StackProcess | undefined

  beforeAll(async () => {
    await withStoppedDatabase(dataDir, (_, url) => loadRelease(url, '0.1.0'))
  })

  afterAll(async () => {
    await discardStack(stack, dataDir)
  })

  it('restores the database if a migration fails after others were applied', async () => {
    // Simulates an earlier attempt at this upgrade that was interrupted. The only archive is from a previous upgrade.
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString().slice(0, 19).replaceAll(':', '-')
    const outdated = join(archives, `ovation-${hourAgo}Z.tar.gz`)
    mkdirSync(archives)
    writeFileSync(outdated, 'outdated')
    const before = await withStoppedDatabase(dataDir, async (sql) => {
      await sql`insert into ovation_stack.state (key, value) values ('version', '"0.1.0"')`
      await sql`insert into supabase_migrations.schema_migrations (version) values (${migrationVersions[2] ?? ''})`
      await sql
        .unsafe(`
        create schema faults;
        create function faults.fail_upgrade() returns event_trigger language plpgsql as $$
        begin
          if exists (select from supabase_migrations.schema_migrations where version = '${migrationVersions[1]}') then
            raise exception 'no more migrations';
          end if;
        end $$;
        create event trigger fail_upgrade on ddl_command_end execute function faults.fail_upgrade()`)
        .simple()
      return await readTables(sql)
    })
    const { code, lines } = await waitForStartupFailure(startStack(dataDir, await freePort()))
    expect(code).toBe(3)
    expect(lines.at(-1)).toMatch(
      /^The upgrade failed: .*no more migrations.* The database is as it was before: start Ovation 0\.1\.0 again, or fix the cause and start again\.$/,
    )
    await withStoppedDatabase(dataDir, async (sql) => {
      expect(await readTables(sql)).toEqual(before)
      expect(await sql`select to_regclass('private.barred_addresses') is not null as old`).toEqual([
        { old: true },
      ])
      await sql`drop event trigger fail_upgrade`
      await sql`drop schema faults cascade`
      await sql`delete from ovation_stack.state where key = 'version'`
      await sql`delete from supabase_migrations.schema_migrations where version = ${migrationVersions[2] ?? ''}`
    })
    rmSync(outdated)
    expect(readdirSync(dataDir).filter((name) => /failed|tmp/.test(name))).toEqual([])
  })

  it('backs up and upgrades the database', async () => {
    stack = startStack(dataDir, await freePort())
    const { apiUrl, databaseUrl } = await stack.ready()
    expect(stack.output()).toContain(`Upgrading from 0.1.0 to ${version}: backing up the database first …`)
    expect(readdirSync(archives)).toEqual([expect.stringMatching(/^ovation-.*Z\.tar\.gz$/)])
    expect((await fetch(`${apiUrl}/api/health`)).status).toBe(200)
    const sql = postgres(databaseUrl, { max: 1 })
    const [state] = await sql`select value from ovation_stack.state where key = 'version'`
    expect(state?.value).toBe(version)
    const [balance] = await sql`select private.balance_cents(${adaId}, true)::int as cents`
    expect(balance?.cents).toBe(1575)
    await sql.end()
  })

  it('does not start and changes nothing after a newer version has used the data', async () => {
    stack?.process.kill('SIGTERM')
    await stack?.ended
    const setVersion = (sql: postgres.Sql, value: string) =>
      sql`update ovation_stack.state set value = ${sql.json(value)} where key = 'version'`
    const before = await withStoppedDatabase(dataDir, async (sql) => {
      await setVersion(sql, '9.0.0')
      return await readTables(sql)
    })
    const { code, lines } = await waitForStartupFailure(startStack(dataDir, await freePort()))
    expect(code).toBe(3)
    expect(lines).toEqual([
      `${dataDir} was last used by Ovation 9.0.0, but this is ${version}: install the newer version again, or restore a backup that was made by ${version} or earlier. Nothing was changed.`,
    ])
    await withStoppedDatabase(dataDir, async (sql) => {
      expect(await readTables(sql)).toEqual(before)
      await setVersion(sql, version)
      // Simulates a newer version that was killed during its upgrade: it recorded a migration, but not its own version.
      await sql`insert into supabase_migrations.schema_migrations (version) values ('29990101000000')`
    })
    const second = await waitForStartupFailure(startStack(dataDir, await freePort()))
    expect(second.lines).toEqual([expect.stringMatching(/was last used by a newer version of Ovation/)])
  })

  it('can be restored by hand from the archive of its database', async () => {
    // `npm run restore` does not replace an existing database.
    const [archive = ''] = readdirSync(archives)
    const args = [join(root, 'scripts', 'backup.mjs'), 'restore', join(archives, archive)]
    const restore = () =>
      promisify(execFile)(process.execPath, args, { cwd: root, env: { ...process.env, DATA_DIR: dataDir } })
    await expect(restore()).rejects.toThrow(/already has a database: rename .*postgres first/)
    await promisify(execFile)('mv', [join(dataDir, 'postgres'), join(dataDir, 'postgres.away')])
    expect((await restore()).stdout).toMatch(
      /backed up with Ovation .*\n- Database: .*\nInstall the older version before you start Ovation\.\n$/,
    )
    expect(existsSync(join(dataDir, 'postgres', 'PG_VERSION'))).toBe(true)
    await withStoppedDatabase(dataDir, async (sql) => {
      expect(await sql`select to_regclass('private.barred_addresses') is not null as old`).toEqual([
        { old: true },
      ])
    })
  })
})
