import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createGzip } from 'node:zlib'
import { createTarDecoder, createTarPacker, type TarHeader } from 'modern-tar'
import postgres from 'postgres'
import { lastBackupFile } from '../../supabase/functions/_shared/system/last-backup.ts'
import { withSuperuser } from '../database/client.ts'
import { diskError, StartupError } from '../shared/errors.ts'
import { exists, writeFileAtomic } from '../shared/files.ts'
import { areFilesHeld, deleteHeldFiles, heldFolder, holdDeletedFiles } from '../storage/held-files.ts'
import { withDatabase } from '../supervisor/running-database.ts'
import { encryptionKeys, loadSecrets, type Secrets } from '../supervisor/secrets.ts'
import type { Settings } from '../supervisor/settings.ts'
import {
  type ArchiveHeader,
  type ArchiveManifest,
  type ArchiveSecrets,
  archiveFormat,
  chunkSize,
  createCounters,
  headerName,
  manifestName,
  type SectionCounter,
  type SectionName,
  signArchive,
  summarize,
  throughZlib,
} from './archive.ts'
import { readContinuousArchiveId } from './continuous.ts'
import { archiveName, type Destination, pruneArchives } from './destination.ts'
import { encryptText } from './passphrase.ts'

export interface BackupOptions {
  settings: Settings
  /** The version of Ovation. */
  version: string
  destination: Destination
  /** How many archives are kept; null keeps all. */
  keep: number | null
  passphrase: string
  onProgress: (done: number, total: number) => void
}

/**
 * Backs up a running stack, or the data of a stopped one.
 *
 * @throws StartupError if the backup fails; the destination then has no new archive, unless the error occurred while
 *   older archives were being deleted
 */
export async function backUp(
  options: BackupOptions,
): Promise<{ name: string; size: number; removed: number }> {
  const { settings, destination, keep } = options
  const { dataDir } = settings
  if (!(await exists(join(dataDir, 'postgres'))))
    throw new StartupError(`There is no database in ${dataDir}.`)
  const lock = await Deno.open(join(dataDir, 'backup.lock'), { write: true, create: true, mode: 0o600 })
  if (!(await lock.tryLock(true))) {
    lock.close()
    throw new StartupError('A backup is already running.')
  }
  try {
    return await withDatabase(dataDir, settings.port, async (databaseUrl) => {
      const secrets = await loadSecrets(dataDir, true)
      // The restored stack may run with different environment variables.
      const [encryptionKey, ...previousEncryptionKeys] = encryptionKeys(settings, secrets)
      secrets.encryptionKey = encryptionKey
      if (previousEncryptionKeys.length > 0) secrets.previousEncryptionKeys = previousEncryptionKeys
      const archive = await createArchive({
        dataDir,
        databaseUrl,
        version: options.version,
        secrets: { secrets, passphrase: options.passphrase },
        walArchive: await readContinuousArchiveId(dataDir),
        onProgress: options.onProgress,
      })
      const name = archiveName(new Date(archive.header.createdAt))
      const size = await storeArchive(archive, destination, name)
      // A full disk must not make the backup fail here: a failed backup is retried every hour, and each retry would
      // store another archive.
      await writeFileAtomic(join(dataDir, lastBackupFile), new Date().toISOString()).catch(() => undefined)
      const removed = keep === null ? 0 : await pruneArchives(destination, keep)
      return { name, size, removed }
    })
  } finally {
    lock.close()
  }
}

/** Writes an archive to its destination and returns its size. */
export async function storeArchive(
  archive: Awaited<ReturnType<typeof createArchive>>,
  destination: Destination,
  name: string,
): Promise<number> {
  try {
    return await destination.write(name, archive.stream)
  } catch (error) {
    // If the destination failed before it read anything, `finished` resolves only after the archive is aborted.
    archive.abort(error)
    throw error
  } finally {
    await archive.finished
  }
}

export interface ArchiveSource {
  dataDir: string
  /** The superuser's database URL. */
  databaseUrl: string
  version: string
  /** The secrets and the passphrase that encrypts them; null makes a database archive. */
  secrets: { secrets: Secrets; passphrase: string } | null
  walArchive: string | null
  onProgress: (done: number, total: number) => void
}

/**
 * Compresses a tar file with gzip. Media is already compressed, so it is stored in the gzip file without compression.
 *
 * @param isMedia returns whether the rest of the tar file consists of stored files, which are mostly media
 */
async function* compress(
  tar: ReadableStream<Uint8Array>,
  isMedia: () => boolean,
): AsyncGenerator<Uint8Array> {
  const reader = tar.getReader()
  async function* readPart(isEnd: () => boolean): AsyncGenerator<Uint8Array> {
    while (!isEnd()) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  }
  const compressPart = (level: number, isEnd: () => boolean): AsyncIterable<Uint8Array> =>
    throughZlib(readPart(isEnd), createGzip({ level, chunkSize }))
  try {
    // A gzip file may consist of several members, one after the other (RFC 1952).
    yield* compressPart(1, isMedia)
    yield* compressPart(0, () => false)
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/**
 * Archives a running database and its files.
 *
 * @returns the header, the archive as a stream, a function that aborts it, and a promise that resolves once the source
 *   is no longer being read
 */
export async function createArchive(source: ArchiveSource) {
  const { dataDir, secrets } = source
  const [row] = await withSuperuser(
    source.databaseUrl,
    (sql) =>
      sql<{ bytes: string; major: number }[]>`
        select (select sum(pg_database_size(oid)) from pg_database)::text as bytes,
               current_setting('server_version_num')::int / 10000 as major`,
  )
  const signingKey = randomBytes(32).toString('hex')
  const header: ArchiveHeader = {
    format: archiveFormat,
    version: source.version,
    postgresMajor: row?.major ?? 0,
    createdAt: new Date().toISOString(),
    databaseBytes: Number(row?.bytes ?? 0),
    fileBytes: secrets ? await countFileBytes(dataDir) : 0,
    secrets:
      secrets &&
      encryptText(
        JSON.stringify({ secrets: secrets.secrets, signingKey } satisfies ArchiveSecrets),
        secrets.passphrase,
      ),
    walArchive: source.walArchive,
  }
  const counters = createCounters()
  const { readable, controller } = createTarPacker()
  let isMedia = false
  let done = 0

  const addEntry = async (entry: TarHeader, body: AsyncIterable<Uint8Array>, counter?: SectionCounter) => {
    const writer = controller.add(entry).getWriter()
    counter?.startFile(entry.name, entry.size)
    for await (const chunk of body) {
      counter?.add(chunk)
      await writer.write(chunk)
      done += chunk.length
      source.onProgress(done, Math.max(done, header.databaseBytes + header.fileBytes))
    }
    await writer.close()
  }
  const addJson = (name: string, value: unknown) => {
    const bytes = new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`)
    return addEntry({ name, size: bytes.length, type: 'file', mode: 0o600 }, ReadableStream.from([bytes]))
  }
  const addFile = async (section: SectionName, name: string, path: string) => {
    let file: Deno.FsFile
    try {
      file = await Deno.open(path, { read: true })
    } catch (error) {
      // The file was deleted after it was listed. If it was held, `listFiles` lists it again at the end.
      if (error instanceof Deno.errors.NotFound) return
      throw error
    }
    const { size } = await file.stat()
    const entry: TarHeader = { name: `${section}/${name}`, size, type: 'file', mode: 0o600 }
    await addEntry(entry, file.readable, counters[section])
  }

  const storage = join(dataDir, 'storage')
  const produce = async (): Promise<void> => {
    await addJson(headerName, header)
    if (secrets) await holdDeletedFiles(storage)
    const entries = ReadableStream.from(streamBaseBackup(source.databaseUrl)).pipeThrough(
      createTarDecoder({ strict: true }),
    )
    for await (const { header: entry, body } of entries) {
      if (entry.type !== 'file' && entry.type !== 'directory')
        throw new Error(`the database cluster contains a ${entry.type}`)
      const name = `postgres/${entry.name.replace(/^\.\//, '')}`
      if (entry.type === 'file') {
        await addEntry({ name, size: entry.size, type: 'file', mode: 0o600 }, body, counters.postgres)
      } else await controller.add({ name, size: 0, type: 'directory', mode: 0o700 }).close()
    }
    if (secrets) {
      isMedia = true
      for await (const { name, path } of listFiles(dataDir, 'storage')) await addFile('storage', name, path)
      for await (const { name, path } of listFiles(dataDir, 'mailbox')) await addFile('mailbox', name, path)
      if (!(await areFilesHeld(storage))) throw new Error('the stack was started during the backup')
    }
    const sections = summarize(counters)
    const manifest: ArchiveManifest = {
      finishedAt: new Date().toISOString(),
      sections,
      signature: secrets && signArchive(signingKey, header, sections),
    }
    await addJson(manifestName, manifest)
    controller.finalize()
  }
  const finished = produce()
    .catch((error) => controller.error(diskError(`The backup failed in ${dataDir}`, error)))
    .finally(() => secrets && deleteHeldFiles(storage))
  const stream = ReadableStream.from(compress(readable, () => isMedia))
  return { header, stream, abort: (error: unknown) => controller.error(error), finished }
}

/** Lists a section's files, each with its name in the archive and its path. Held files come last. */
async function* listFiles(
  dataDir: string,
  section: 'storage' | 'mailbox',
): AsyncGenerator<{ name: string; path: string }> {
  const folder = join(dataDir, section)
  if (section === 'mailbox') {
    for await (const { name } of readFolder(folder))
      if (name.endsWith('.json')) yield { name, path: join(folder, name) }
    return
  }
  for await (const { name: prefix } of readFolder(folder)) {
    if (!/^[0-9a-f]{2}$/.test(prefix)) continue
    for await (const { name } of readFolder(join(folder, prefix)))
      yield { name: `${prefix}/${name}`, path: join(folder, prefix, name) }
  }
  for await (const { name } of readFolder(join(folder, heldFolder)))
    yield { name: `${name.slice(0, 2)}/${name}`, path: join(folder, heldFolder, name) }
}

async function* readFolder(folder: string): AsyncGenerator<Deno.DirEntry> {
  try {
    yield* Deno.readDir(folder)
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error
  }
}

async function countFileBytes(dataDir: string): Promise<number> {
  let bytes = 0
  for (const section of ['storage', 'mailbox'] as const) {
    for await (const { path } of listFiles(dataDir, section)) {
      bytes += await Deno.stat(path).then(
        ({ size }) => size,
        () => 0,
      )
    }
  }
  return bytes
}

/**
 * Streams a physical copy of the running database as a tar file. The copy contains the WAL that makes it consistent: a
 * server that starts on it recovers to the state at the end of the stream. Also verifies the checksum of every page.
 *
 * @param url the superuser's database URL
 * @throws Error if the connection breaks or a page of the database is damaged
 */
async function* streamBaseBackup(url: string): AsyncGenerator<Uint8Array> {
  const warnings: string[] = []
  const sql = postgres(url, {
    max: 1,
    connect_timeout: 10,
    // The connection stays open during the whole backup.
    max_lifetime: null,
    // A replication connection accepts only simple queries, but the driver reads the types with an extended query.
    fetch_types: false,
    connection: { replication: 'database' },
    onnotice: ({ severity, message }) => {
      if (severity === 'WARNING' && message) warnings.push(message)
    },
  })
  try {
    // Until the connection is closed, the slot prevents the server from removing the WAL that a long backup needs.
    const slot = `ovation_backup_${randomBytes(8).toString('hex')}`
    await sql.unsafe(`CREATE_REPLICATION_SLOT ${slot} TEMPORARY PHYSICAL RESERVE_WAL`).simple()
    const command = "BASE_BACKUP (LABEL 'ovation', CHECKPOINT 'fast', WAL true, MANIFEST 'no')"
    // Each message begins with its type: n (next tar file), d (data) or p (progress).
    let archives = 0
    for await (const message of await sql.unsafe(command).readable()) {
      if (message[0] === 0x64) yield message.subarray(1)
      else if (message[0] === 0x6e && ++archives > 1)
        throw new Error('databases with tablespaces cannot be backed up')
    }
    const damage = warnings.find((warning) => /checksum|verification/i.test(warning))
    if (damage) throw new Error(`the database is damaged: ${damage}`)
  } finally {
    // Closes the connection immediately: it may be paused, and postgres.js does not resume it after the last message.
    await sql.end({ timeout: 0 })
  }
}
