import { statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { withSuperuser } from '../database/client.ts'
import { isNewerVersion } from '../database/version.ts'
import { type Binaries, findBinaries } from '../postgres/binaries.ts'
import { findProcessUser, type ProcessUser } from '../postgres/process-user.ts'
import { PostgresServer } from '../postgres/server.ts'
import { diskError, errorMessage, StartupError } from '../shared/errors.ts'
import { exists, syncDirectory, syncFileSystem, writeFileAtomic, writeStream } from '../shared/files.ts'
import { formatBytes } from '../shared/format-bytes.ts'
import { createLog } from '../shared/log.ts'
import { storedFilePath } from '../storage/file-storage.ts'
import { lockDataDirectory } from '../supervisor/lock.ts'
import { pickPorts } from '../supervisor/ports.ts'
import { databaseUrlFor } from '../supervisor/processes.ts'
import { loadSecrets } from '../supervisor/secrets.ts'
import { type ArchiveHeader, type ArchiveManifest, type ArchiveSecrets, readArchive } from './archive.ts'
import { discardContinuousArchive, fetchFiles, fetchWal } from './continuous.ts'
import { type Destination, preUpgradeFolder } from './destination.ts'
import { decryptText } from './passphrase.ts'

export interface RestoreOptions {
  dataDir: string
  /** The gateway's port, which the restored database must not use. */
  port: number
  version: string
  destination: Destination
  /** The archive's name in the destination. */
  name: string
  /** Restores the state at this time, or the newest state, from archived WAL. Null restores the state in the backup. */
  toTime: Date | 'latest' | null
  /** Returns the passphrase for the secrets. */
  passphrase: () => Promise<string>
  /** Called when a step begins. Returns a function that shows the step's progress. */
  onStep: (label: string) => (done: number, total: number) => void
}

export interface RestoreResult {
  header: ArchiveHeader
  manifest: ArchiveManifest
  /** The row counts of some tables, by label. */
  rows: Record<string, number>
  /** How many of the files that the database refers to could not be restored. */
  missingFiles: number
  /** How many transactions in the ledger do not add up to zero. */
  unbalancedTransactions: number
  walSegments: number
}

/** The staging directory: everything is extracted and checked there, and only then moved to DATA_DIR. */
export const restoreFolder = 'restore.tmp'
/** This file in the staging directory shows that the data of a full archive is being moved to DATA_DIR. */
const movingMarker = 'moving'
/**
 * What a restore moves to DATA_DIR, in this order. `postgres` comes last, so that it is missing if the restore is
 * killed, and `checkUnfinishedRestore` recognizes the restore as incomplete.
 */
const restoredNames = ['storage', 'mailbox', 'secrets.json', 'postgres']

/** Deletes what a completed restore left behind. @throws StartupError if a restore was killed before it was complete */
export async function checkUnfinishedRestore(dataDir: string): Promise<void> {
  if (!(await exists(join(dataDir, restoreFolder)))) return
  if (!(await exists(join(dataDir, 'postgres')))) {
    throw new StartupError(`A restore to ${dataDir} was interrupted: run npm run restore again.`)
  }
  await Deno.remove(join(dataDir, restoreFolder), { recursive: true })
}

/**
 * Restores an archive to DATA_DIR, which must not contain a database yet or, for a full archive, any other data.
 * Nothing is moved there until the whole archive has been read and its database has been started.
 *
 * @throws StartupError if the archive cannot be restored; nothing has been moved to DATA_DIR then
 */
export async function restore(options: RestoreOptions): Promise<RestoreResult> {
  const { dataDir, destination, name } = options
  const lock = await lockDataDirectory(dataDir)
  const staging = join(dataDir, restoreFolder)
  try {
    await discardUnfinishedRestore(dataDir)
    const [binaries, user] = await Promise.all([findBinaries(), findProcessUser()])
    try {
      const content = await destination.read(name)
      const checkHeader = (header: ArchiveHeader) => checkTarget(header, dataDir, destination)
      const extracted = await extractArchive({ ...options, content, staging, binaries, user, checkHeader })
      const { header } = extracted
      const walSegments = await fetchContinuousArchive(options, extracted, staging, user)
      // Files must be on disk before they are moved.
      await syncFileSystem()
      const secrets = await loadSecrets(header.secrets ? staging : dataDir, true)
      const ports = await pickPorts(dataDir, options.port)
      const url = databaseUrlFor('postgres', secrets.superuserPassword, ports)
      const database = new PostgresServer({
        binaries,
        processUser: user,
        directory: join(staging, 'postgres'),
        url,
        previousPassword: secrets.unfinishedRotation?.superuserPassword,
        log: createLog('restore', 'error'),
        port: ports.database,
        settings: recoverySettings(options.toTime),
      })
      options.onStep('Checking the database')
      let checked: Awaited<ReturnType<typeof checkDatabase>>
      try {
        await database.start().catch(explainRecoveryFailure)
        checked = await checkDatabase(url, header.secrets ? join(staging, 'storage') : null)
      } finally {
        await database.stop(60_000)
      }
      await discardContinuousArchive(dataDir)
      if (header.secrets) await writeFileAtomic(join(staging, movingMarker), '')
      for (const restored of restoredNames) {
        if (await exists(join(staging, restored)))
          await Deno.rename(join(staging, restored), join(dataDir, restored))
      }
      await syncDirectory(dataDir)
      return { ...extracted, ...checked, walSegments }
    } finally {
      await Deno.remove(staging, { recursive: true }).catch(() => undefined)
    }
  } finally {
    lock.close()
  }
}

/** Deletes what a killed restore left behind, unless DATA_DIR contains a database. */
async function discardUnfinishedRestore(dataDir: string): Promise<void> {
  if (!(await exists(join(dataDir, restoreFolder))) || (await exists(join(dataDir, 'postgres')))) return
  // The marker is written only after DATA_DIR was found to have no data, so these files come from the killed restore.
  if (await exists(join(dataDir, restoreFolder, movingMarker))) {
    for (const name of restoredNames)
      await Deno.remove(join(dataDir, name), { recursive: true }).catch(() => undefined)
  }
  await Deno.remove(join(dataDir, restoreFolder), { recursive: true })
}

interface ExtractOptions {
  dataDir: string
  version: string
  content: ReadableStream<Uint8Array>
  /** The directory to which the archive is extracted. */
  staging: string
  binaries: Binaries
  user: ProcessUser
  /** A further check before anything is extracted. */
  checkHeader?: (header: ArchiveHeader) => Promise<void>
  passphrase: () => Promise<string>
  onStep: RestoreOptions['onStep']
}

/**
 * Extracts an archive after checking that this version can restore it and that there is enough disk space.
 *
 * @throws StartupError if a check fails or the archive is damaged
 */
export async function extractArchive(
  options: ExtractOptions,
): Promise<{ header: ArchiveHeader; manifest: ArchiveManifest }> {
  const { dataDir, staging, user } = options
  let header: ArchiveHeader | undefined
  let onProgress: (done: number, total: number) => void = () => undefined
  let folder = ''
  const owner = (name: string) => (user.kind === 'user' && name.startsWith('postgres') ? user : null)
  const makeFolder = async (name: string): Promise<void> => {
    await Deno.mkdir(join(staging, name), { recursive: true, mode: 0o700 })
    const ids = owner(name)
    if (ids) await Deno.chown(join(staging, name), ids.uid, ids.gid)
  }
  try {
    const manifest = await readArchive(options.content, {
      async onHeader(archiveHeader) {
        header = archiveHeader
        await options.checkHeader?.(archiveHeader)
        await checkFit(archiveHeader, options)
        // Decrypted before anything is written, so that a wrong passphrase is reported immediately.
        const secrets: ArchiveSecrets | null =
          archiveHeader.secrets && JSON.parse(decryptText(archiveHeader.secrets, await options.passphrase()))
        await Deno.mkdir(staging, { mode: 0o700 })
        if (user.kind === 'user') for (const path of [dataDir, staging]) await Deno.chmod(path, 0o711)
        await makeFolder('postgres')
        onProgress = options.onStep('Restoring')
        if (!secrets) return null
        await writeFileAtomic(join(staging, 'secrets.json'), `${JSON.stringify(secrets.secrets, null, 2)}\n`)
        return secrets.signingKey
      },
      onDirectory: (name) => makeFolder(name),
      async onFile(name, body) {
        if (dirname(name) !== folder) {
          folder = dirname(name)
          await makeFolder(folder)
        }
        const path = join(staging, name)
        await writeStream(path, body)
        const ids = owner(name)
        if (ids) await Deno.chown(path, ids.uid, ids.gid)
      },
      onProgress: (done, total) => onProgress(done, total),
    })
    if (!header) throw new StartupError('The archive has no header.')
    return { header, manifest }
  } catch (error) {
    if (/no space left|ENOSPC|quota/i.test(errorMessage(error))) throw diskError('Cannot restore', error)
    throw error
  }
}

/** @throws StartupError if this version of Ovation cannot restore the archive, or if the disk is too full */
async function checkFit(
  header: ArchiveHeader,
  { dataDir, version, binaries }: ExtractOptions,
): Promise<void> {
  if (isNewerVersion(header.version, version)) {
    throw new StartupError(
      `The archive was made by Ovation ${header.version}, but this is ${version}: update Ovation first.`,
    )
  }
  const { stdout } = await new Deno.Command(binaries.postgres, { args: ['--version'] }).output()
  const major = Number(/(\d+)\./.exec(new TextDecoder().decode(stdout))?.[1])
  if (header.postgresMajor !== major) {
    throw new StartupError(
      `The archive is from PostgreSQL ${header.postgresMajor}, but this version of Ovation uses PostgreSQL ${major}: restore it with Ovation ${header.version}.`,
    )
  }
  const { bavail, bsize } = await statfs(dataDir)
  const needed = Math.round((header.databaseBytes + header.fileBytes) * 1.05 + 100e6)
  if (bavail * bsize < needed) {
    throw new StartupError(
      `Restoring needs ${formatBytes(needed)}, but ${dataDir} has ${formatBytes(bavail * bsize)} free.`,
    )
  }
}

/**
 * @throws StartupError if DATA_DIR contains a database or, for a full archive, any other data, or if an archive that
 *   contains only a database does not come from the `before-upgrade` folder in DATA_DIR
 */
async function checkTarget(header: ArchiveHeader, dataDir: string, destination: Destination): Promise<void> {
  for (const name of header.secrets ? restoredNames : ['postgres']) {
    if (!(await exists(join(dataDir, name)))) continue
    throw new StartupError(
      header.secrets
        ? `${dataDir} already has data (${name}): move it away first, or set DATA_DIR to an empty folder.`
        : `${dataDir} already has a database: rename ${join(dataDir, name)} first.`,
    )
  }
  // An archive that contains only a database is not signed, so it is only accepted from a folder to which only Ovation
  // can write.
  const folder = join(dataDir, preUpgradeFolder)
  if (!header.secrets && destination.label !== folder) {
    throw new StartupError(`The archive contains only a database, so it can only be restored from ${folder}.`)
  }
}

/**
 * Prepares recovery from archived WAL, and fetches the files that were stored since the backup.
 *
 * @returns the number of WAL segments
 */
async function fetchContinuousArchive(
  { toTime, destination, onStep }: RestoreOptions,
  { header, manifest }: { header: ArchiveHeader; manifest: ArchiveManifest },
  staging: string,
  user: ProcessUser,
): Promise<number> {
  if (toTime === null) return 0
  if (!header.walArchive)
    throw new StartupError('No WAL was archived when this backup was made, so --to-time cannot be used.')
  if (toTime !== 'latest' && toTime.toISOString() < manifest.finishedAt) {
    throw new StartupError(
      `This backup was finished at ${manifest.finishedAt}: restore an earlier one, or choose a later time.`,
    )
  }
  const archive = { destination, id: header.walArchive, since: new Date(header.createdAt) }
  const onWalProgress = onStep('Fetching the archived WAL')
  const wal = join(staging, 'postgres', 'pg_wal')
  const { segments, newest } = await fetchWal({ ...archive, onProgress: onWalProgress }, wal, user)
  if (toTime !== 'latest' && toTime > newest) {
    throw new StartupError(
      `The archived WAL ends at ${newest.toISOString()}: choose an earlier time, or --to-time latest.`,
    )
  }
  const onFileProgress = onStep('Fetching the files stored since the backup')
  await fetchFiles({ ...archive, onProgress: onFileProgress }, join(staging, 'storage'))
  const signal = join(staging, 'postgres', 'recovery.signal')
  await Deno.writeTextFile(signal, '', { mode: 0o600 })
  if (user.kind === 'user') await Deno.chown(signal, user.uid, user.gid)
  return segments
}

/** Returns the server settings for recovery. Connections are accepted only after the recovery. */
function recoverySettings(toTime: RestoreOptions['toTime']): Record<string, string> {
  if (toTime === null) return {}
  return {
    hot_standby: 'off',
    // All archived WAL is in pg_wal already, so there is nothing to fetch.
    restore_command: 'false',
    ...(toTime === 'latest'
      ? {}
      : {
          // On its command line, PostgreSQL does not accept the time zone abbreviation Z.
          recovery_target_time: toTime.toISOString().replace('Z', '+00'),
          recovery_target_action: 'promote',
        }),
  }
}

function explainRecoveryFailure(error: unknown): never {
  if (/before configured recovery target/.test(errorMessage(error)))
    throw new StartupError(
      'The archived WAL contains no change after the requested time: choose an earlier time, or --to-time latest.',
    )
  throw error
}

/** Counts rows and unbalanced ledger transactions and, unless `storageFolder` is null, missing files. */
async function checkDatabase(
  url: string,
  storageFolder: string | null,
): Promise<Pick<RestoreResult, 'rows' | 'missingFiles' | 'unbalancedTransactions'>> {
  return await withSuperuser(url, async (sql) => {
    const rows: Record<string, number> = {}
    for (const [label, table] of [
      ['users', 'auth.users'],
      ['posts', 'public.posts'],
      ['messages', 'public.messages'],
      ['ledger entries', 'public.ledger_entries'],
      ['stored files', 'storage.objects'],
    ] as const) {
      const [row] = await sql<{ count: number }[]>`select count(*)::int as count from ${sql(table)}`
      rows[label] = row?.count ?? 0
    }
    const [ledger] = await sql<{ unbalanced: number }[]>`
      select count(*)::int as unbalanced
      from (select from public.ledger_entries group by transaction_id having sum(amount_cents) <> 0) t`
    let missingFiles = 0
    if (storageFolder) {
      const objects = sql<
        { bucket: string; name: string }[]
      >`select bucket_id as bucket, name from storage.objects`
      for await (const batch of objects.cursor(1000)) {
        for (const { bucket, name } of batch)
          if (!(await exists(storedFilePath(storageFolder, bucket, name)))) missingFiles++
      }
    }
    return { rows, missingFiles, unbalancedTransactions: ledger?.unbalanced ?? 0 }
  })
}
