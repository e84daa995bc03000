import { join } from 'node:path'
import { createArchive, storeArchive } from '../backup/backup.ts'
import { discardContinuousArchive } from '../backup/continuous.ts'
import {
  archiveName,
  archiveTime,
  listArchives,
  openDestination,
  preUpgradeFolder,
} from '../backup/destination.ts'
import { type Progress, showProgress } from '../backup/progress.ts'
import { extractArchive } from '../backup/restore.ts'
import type { Binaries } from '../postgres/binaries.ts'
import type { ProcessUser } from '../postgres/process-user.ts'
import type { PostgresServer } from '../postgres/server.ts'
import { errorMessage, StartupError, UpgradeError } from '../shared/errors.ts'
import { exists, syncDirectory, syncFileSystem } from '../shared/files.ts'
import { withSuperuser } from './client.ts'
import { hasPendingMigrations, listMigrationVersions } from './migrate.ts'
import { readState, writeState } from './state.ts'
import { isNewerVersion, readVersion } from './version.ts'

/*
Before migrations run on existing data, the database is archived in DATA_DIR/before-upgrade. If the upgrade fails, that
archive replaces the database. Otherwise, the archive is kept for a week.
*/

const keepMs = 7 * 86_400_000

const openArchiveFolder = (dataDir: string) =>
  openDestination(join(dataDir, preUpgradeFolder), '/', () => undefined)

export interface UpgradeOptions {
  root: string
  dataDir: string
  /** The running database. It is stopped before a failed upgrade is undone. */
  database: PostgresServer
  /** The superuser's database URL. */
  url: string
  binaries: Binaries
  user: ProcessUser
  /** Whether to archive the database before an upgrade. */
  archivesFirst: boolean
  /** Whether the stack is being stopped. The next start continues an upgrade that fails for this reason. */
  isStopping: () => boolean
  /** Prints a line of progress. */
  print: (line: string) => void
}

/**
 * Runs `migrate`, which brings the database to the current version. If migrations have to run on existing data,
 * archives the database first, and restores it from the archive after a failure.
 *
 * @throws UpgradeError if the data is from a newer version, if the database cannot be archived, or if `migrate` fails
 *   on an archived database; the error of `migrate` itself if there is no archive or the stack is being stopped
 */
export async function upgradeDatabase<Result>(
  options: UpgradeOptions,
  migrate: () => Promise<Result>,
): Promise<Result> {
  const { root, dataDir, url, print } = options
  const version = await readVersion(root)
  const data = await inspectData(root, dataDir, url, version)
  const archive =
    data.needsUpgrade && options.archivesFirst ? await archiveDatabase(options, data, version) : null
  try {
    const result = await migrate()
    await withSuperuser(url, async (sql) => {
      if (data.needsUpgrade || data.version !== version) await writeState(sql, 'version', version)
    })
    return result
  } catch (error) {
    if (archive === null || options.isStopping()) throw error
    print('The upgrade failed. Restoring the database …')
    const failure = `The upgrade failed: ${errorMessage(error).replace(/\.$/, '')}.`
    await options.database.stop(60_000)
    try {
      await undoUpgrade(options, archive, version)
    } catch (undoError) {
      throw new UpgradeError(
        `${failure} The database could not be restored: ${errorMessage(undoError)} Its backup is ${join(dataDir, preUpgradeFolder, archive)}.`,
      )
    }
    throw new UpgradeError(
      `${failure} The database is as it was before: start Ovation ${data.version} again, or fix the cause and start again.`,
    )
  }
}

/** The state of the data before an upgrade. */
interface DataState {
  /** The version that last ran on this data; null for a new database. */
  version: string | null
  /** Whether migrations have to run on existing data. */
  needsUpgrade: boolean
  /** When the last complete upgrade ended, if a later one was killed after applying some migrations; otherwise null. */
  interruptedSince: Date | null
}

/**
 * Compares the data with this version of Ovation.
 *
 * @throws UpgradeError if the data is from a newer version
 */
async function inspectData(root: string, dataDir: string, url: string, current: string): Promise<DataState> {
  const known = await listMigrationVersions(root)
  return await withSuperuser(url, async (sql) => {
    const [row] = await sql<{ hasState: boolean; hasMigrations: boolean }[]>`
      select to_regclass('ovation_stack.state') is not null as "hasState",
             to_regclass('supabase_migrations.schema_migrations') is not null as "hasMigrations"`
    if (!row?.hasState || !row.hasMigrations)
      return { version: null, needsUpgrade: false, interruptedSince: null }
    // Versions before 0.2.0 did not record the version.
    const version = (await readState(sql, 'version')) ?? '0.1.0'
    const applied = await sql<
      { version: string }[]
    >`select version from supabase_migrations.schema_migrations`
    const newest = known.at(-1) ?? ''
    // If an upgrade to a newer version was killed, its migrations may have been applied, but its version has not been
    // recorded, because that happens last.
    const isNewer = isNewerVersion(version, current)
    if (isNewer || applied.some((migration) => migration.version > newest)) {
      const by = isNewer ? `Ovation ${version}` : 'a newer version of Ovation'
      throw new UpgradeError(
        `${dataDir} was last used by ${by}, but this is ${current}: install the newer version again, or restore a backup that was made by ${current} or earlier. Nothing was changed.`,
      )
    }
    const needsUpgrade = applied.length > 0 && (await hasPendingMigrations(root, sql))
    const recorded = (await readState(sql, 'migrations')) ?? ''
    const isInterrupted = needsUpgrade && applied.some((migration) => !recorded.includes(migration.version))
    const [last] = await sql<
      { at: Date }[]
    >`select updated_at as at from ovation_stack.state where key = 'version'`
    return { version, needsUpgrade, interruptedSince: isInterrupted ? (last?.at ?? new Date(0)) : null }
  })
}

/**
 * Checks that a database has been upgraded to this version of Ovation.
 *
 * @throws StartupError if the data is from a newer version, or if the upgrade or the first start has not begun or was
 *   interrupted
 */
export async function requireUpgraded(root: string, dataDir: string, url: string): Promise<void> {
  const data = await inspectData(root, dataDir, url, await readVersion(root))
  if (data.version !== null && !data.needsUpgrade) return
  throw new StartupError(
    'The database has not been upgraded to this version: start Ovation, stop it when it is ready, and run this command again. Nothing was changed.',
  )
}

/**
 * Archives the database before an upgrade. An upgrade that continues an interrupted one keeps the earlier archive.
 *
 * @returns the name of the archive
 */
async function archiveDatabase(options: UpgradeOptions, data: DataState, version: string): Promise<string> {
  const { dataDir, url, print } = options
  const folder = openArchiveFolder(dataDir)
  const [existing] = await listArchives(folder)
  const existingAt = existing && archiveTime(existing.name)
  // An older archive belongs to an earlier upgrade.
  if (data.interruptedSince && existingAt && existingAt > data.interruptedSince) return existing.name
  print(`Upgrading from ${data.version} to ${version}: backing up the database first …`)
  const progress = showProgress('Backing up the database')
  const onProgress: Progress['update'] = (done, total) => {
    if (options.isStopping()) throw new StartupError('Cancelled.')
    progress.update(done, total)
  }
  try {
    const archive = await createArchive({
      dataDir,
      databaseUrl: url,
      version,
      secrets: null,
      walArchive: null,
      onProgress,
    })
    const name = archiveName(new Date(archive.header.createdAt))
    await storeArchive(archive, folder, name)
    return name
  } catch (error) {
    throw new UpgradeError(
      `The database could not be backed up before the upgrade, so nothing was changed. ${errorMessage(error)} If you have another backup, set UPGRADE_BACKUP=off to upgrade without this one.`,
    )
  } finally {
    progress.end()
  }
}

const stagingName = 'undo-upgrade.tmp'
const failedName = 'postgres.failed'
/** What undoing an upgrade may leave in DATA_DIR. */
export const undoNames = [stagingName, failedName]

/** Replaces the database with the archived one. The server must not be running. */
async function undoUpgrade(
  { dataDir, binaries, user }: UpgradeOptions,
  name: string,
  version: string,
): Promise<void> {
  const staging = join(dataDir, stagingName)
  await Deno.remove(staging, { recursive: true }).catch(() => undefined)
  const content = await openArchiveFolder(dataDir).read(name)
  await extractArchive({
    dataDir,
    version,
    binaries,
    user,
    staging,
    content,
    passphrase: () => Promise.reject(new Error('a database archive has no secrets')),
    onStep: () => () => undefined,
  })
  await syncFileSystem()
  await Deno.rename(join(dataDir, 'postgres'), join(dataDir, failedName))
  await Deno.rename(join(staging, 'postgres'), join(dataDir, 'postgres'))
  await syncDirectory(dataDir)
  await discardContinuousArchive(dataDir)
  await openArchiveFolder(dataDir).remove(name)
  await cleanUpAfterUpgrades(dataDir)
}

/** Completes an `undoUpgrade` that was killed. Then deletes its leftovers and all archives older than a week. */
export async function cleanUpAfterUpgrades(dataDir: string): Promise<void> {
  const [postgres, failed, staging] = ['postgres', failedName, stagingName].map((name) =>
    join(dataDir, name),
  ) as [string, string, string]
  if (!(await exists(postgres)) && (await exists(join(staging, 'postgres'))) && (await exists(failed)))
    await Deno.rename(join(staging, 'postgres'), postgres)
  if (await exists(postgres)) {
    for (const path of [failed, staging]) await Deno.remove(path, { recursive: true }).catch(() => undefined)
  }
  const folder = openArchiveFolder(dataDir)
  for (const { name } of await listArchives(folder)) {
    const time = archiveTime(name)
    if (time && Date.now() - time.getTime() > keepMs) await folder.remove(name)
  }
}
