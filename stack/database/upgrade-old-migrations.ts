import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { errorMessage, StartupError } from '../shared/errors.ts'
import { withSuperuser } from './client.ts'
import type { MigrationHashes } from './migrate.ts'
import { writeState } from './state.ts'

/** How many migrations there were before they were squashed into one, and the hash of their hashes. */
const oldMigrations = {
  count: 49,
  hash: 'f1846fdd6173a7dee1ca8aea0114af12ef0ee017b252b556ec4b80f34a8a6420',
}

/** Returns whether exactly the migrations from before the squash have been applied, unchanged. */
export function hasOldMigrations(applied: MigrationHashes): boolean {
  const versions = Object.keys(applied).sort()
  if (versions.length !== oldMigrations.count) return false
  const sorted = JSON.stringify(Object.fromEntries(versions.map((version) => [version, applied[version]])))
  return createHash('sha256').update(sorted).digest('hex') === oldMigrations.hash
}

/**
 * Replaces the migrations from before the squash with the initial one, in one transaction. Tables keep their data,
 * constraints and indexes, some under new names. Policies, triggers and views are dropped, and the initial migration
 * creates them again; functions are dropped or replaced.
 *
 * @param url the superuser's database URL
 * @param files the hashes of supabase/migrations
 * @returns the hash of the initial migration by its version; the later migrations are not applied here
 * @throws StartupError if the initial migration is missing or the upgrade fails; the database is then unchanged
 */
export async function upgradeOldMigrations(
  root: string,
  url: string,
  files: MigrationHashes,
): Promise<MigrationHashes> {
  const [version = ''] = Object.keys(files).sort()
  const folder = join(root, 'supabase', 'migrations')
  const [file] = [...Deno.readDirSync(folder)]
    .map(({ name }) => name)
    .filter((name) => name.startsWith(version))
  const hash = files[version]
  if (!file || !hash) throw new StartupError('supabase/migrations has no initial migration.')
  const initial = await Deno.readTextFile(join(folder, file))
  const preparationScript = await Deno.readTextFile(
    join(root, 'stack', 'database', 'upgrade-old-migrations.sql'),
  )
  const applied = { [version]: hash }
  const upgrade = withSuperuser(url, (sql) =>
    sql.begin(async (tx) => {
      await tx.unsafe(preparationScript).simple()
      await tx.unsafe(tolerateExistingObjects(initial)).simple()
      await tx`delete from supabase_migrations.schema_migrations`
      await tx`insert into supabase_migrations.schema_migrations (version, name) values (${version}, 'initial')`
      await writeState(tx, 'migrations', JSON.stringify(applied))
    }),
  )
  await upgrade.catch((error: unknown) => {
    throw new StartupError(`The database could not be upgraded and is unchanged. ${errorMessage(error)}`)
  })
  return applied
}

/** Returns a migration that skips existing tables and indexes, and replaces existing functions. */
const tolerateExistingObjects = (migration: string) =>
  migration
    .replace(/^create (unlogged )?table /gm, 'create $1table if not exists ')
    .replace(/^create (unique )?index /gm, 'create $1index if not exists ')
    .replace(/^create function /gm, 'create or replace function ')
