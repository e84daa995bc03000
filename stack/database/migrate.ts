import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { StartupError } from '../shared/errors.ts'
import { type Sql, withSuperuser } from './client.ts'
import { readState, writeState } from './state.ts'
import { runSupabaseCli } from './supabase-cli.mjs'
import { hasOldMigrations, upgradeOldMigrations } from './upgrade-old-migrations.ts'

/** SHA-256 of the content of each migration, by version (the time at the start of its file name). */
export type MigrationHashes = Record<string, string>

/**
 * Applies pending migrations with `supabase db push`, and runs the seed if it has changed. First upgrades a database
 * that was created by the old migrations, which have since been squashed into one.
 *
 * @param url the superuser's database URL
 * @param log prints a line of progress
 * @throws StartupError if an applied migration has been changed or removed, so the database does not match the files,
 *   or if a migration fails
 */
export async function migrate(
  root: string,
  dataDir: string,
  url: string,
  log: (line: string) => void,
): Promise<void> {
  const files = await hashMigrations(join(root, 'supabase', 'migrations'))
  let applied = parseHashes(await withSuperuser(url, (sql) => readState(sql, 'migrations')))
  if (hasOldMigrations(applied)) {
    log('Upgrading the database …')
    applied = await upgradeOldMigrations(root, url, files)
  }
  const changed = Object.keys(applied).filter((version) => files[version] !== applied[version])
  if (changed.length > 0) {
    throw new StartupError(
      `Migrations were changed or removed after they were applied to ${dataDir}: ${changed.join(', ')}. Write the change as a new migration, or start over with npm run reset.`,
    )
  }
  if (Object.keys(files).some((version) => !(version in applied))) {
    log('Applying the migrations …')
    await push(dataDir, url)
    await withSuperuser(url, (sql) => writeState(sql, 'migrations', JSON.stringify(files)))
  }
  await seed(root, url)
}

/** Returns the versions of all migrations, in ascending order. */
export async function listMigrationVersions(root: string): Promise<string[]> {
  return Object.keys(await hashMigrations(join(root, 'supabase', 'migrations'))).sort()
}

/** Returns whether `migrate` would change the schema of a database. */
export async function hasPendingMigrations(root: string, sql: Sql): Promise<boolean> {
  const applied = parseHashes(await readState(sql, 'migrations'))
  return (
    hasOldMigrations(applied) || (await listMigrationVersions(root)).some((version) => !(version in applied))
  )
}

/** Runs supabase/seed.sql, which is idempotent, unless its current version has already run on this database. */
async function seed(root: string, url: string): Promise<void> {
  const script = await Deno.readTextFile(join(root, 'supabase', 'seed.sql'))
  const hash = sha256(script)
  await withSuperuser(url, async (sql) => {
    if ((await readState(sql, 'seed')) === hash) return
    await sql.unsafe(script).simple()
    await writeState(sql, 'seed', hash)
  })
}

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')

async function hashMigrations(folder: string): Promise<MigrationHashes> {
  const hashes: MigrationHashes = {}
  for await (const { name } of Deno.readDir(folder)) {
    if (!name.endsWith('.sql')) continue
    hashes[name.split('_')[0] ?? name] = sha256(await Deno.readFile(join(folder, name)))
  }
  return hashes
}

const parseHashes = (state: string | null): MigrationHashes =>
  state?.startsWith('{') ? JSON.parse(state) : {}

async function push(dataDir: string, url: string): Promise<void> {
  const { code, stdout, stderr } = await runSupabaseCli(
    ['db', 'push', '--skip-vault', '--yes'],
    url,
    join(dataDir, 'cli'),
  )
  if (code === 0) return
  const output = `${stdout}\n${stderr}`
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('at '))
  const reason = output
    .filter((line) => /error|failed|remote migration/i.test(line))
    .slice(-3)
    .join(' ')
  throw new StartupError(`The migrations could not be applied. ${reason || output.slice(-3).join(' ')}`)
}
