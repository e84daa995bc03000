import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { withTimeout } from '../../supabase/functions/_shared/with-timeout.ts'
import type { ProcessUser } from '../postgres/process-user.ts'
import { diskError, errorMessage, StartupError } from '../shared/errors.ts'
import { exists, readTextIfExists, writeAll, writeFileAtomic, writeStream } from '../shared/files.ts'
import type { Log } from '../shared/log.ts'
import {
  archiveMarginMs,
  type Destination,
  filesPrefix,
  type StoredObject,
  walPrefix,
} from './destination.ts'

/*
Continuous archiving makes it possible to restore the state at any time since a backup. PostgreSQL's module
basic_archive copies each completed WAL segment to DATA_DIR/wal. The supervisor compresses the segments and moves them
to the destination (wal/<id>-<segment>.gz), and copies new stored files there (files/<id>-<name>). The id changes with
every restore, so that WAL and files from before and after the restore are never mixed.
*/

const folderName = 'wal'
const idFile = 'wal-archive.json'
/** What continuous archiving keeps in DATA_DIR. */
export const continuousArchiveNames = [idFile, folderName]
/** A segment with new data is completed after this time even if it is not full, to limit the loss if the disk fails. */
const segmentSeconds = 60
const intervalMs = 5000
const retryIntervalMs = 30_000
const segmentPattern = /^[0-9A-F]{24}$/
/** File systems may round the times of directories. */
const timeMarginMs = 2000

type Bytes = Uint8Array<ArrayBuffer>
type OnProgress = (done: number, total: number) => void

interface ContinuousArchive {
  id: string
  startedAt: string
}

/** Returns the server settings for archiving WAL in DATA_DIR. */
export const walArchiveSettings = (dataDir: string): Record<string, string> => ({
  archive_mode: 'on',
  archive_library: 'basic_archive',
  'basic_archive.archive_directory': join(dataDir, folderName),
  archive_timeout: `${segmentSeconds}s`,
})

async function readArchive(dataDir: string): Promise<ContinuousArchive | null> {
  const text = await readTextIfExists(join(dataDir, idFile))
  return text === null ? null : JSON.parse(text)
}

/**
 * Returns the server settings for a command that starts the database without the stack. They enable WAL archiving if it
 * is enabled for the stack.
 */
export const currentArchiveSettings = async (dataDir: string): Promise<Record<string, string>> =>
  (await readArchive(dataDir)) ? walArchiveSettings(dataDir) : {}

/** Returns the id of the continuous archive, or null if continuous archiving is off. */
export const readContinuousArchiveId = async (dataDir: string): Promise<string | null> =>
  (await readArchive(dataDir))?.id ?? null

/**
 * Prepares DATA_DIR for a server that archives WAL.
 *
 * @returns when the continuous archive was started; the archive can extend only backups made after that time
 */
export async function enableContinuousArchive(dataDir: string, user: ProcessUser): Promise<Date> {
  const folder = join(dataDir, folderName)
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 })
  if (user.kind === 'user') await Deno.chown(folder, user.uid, user.gid)
  const existing = await readArchive(dataDir)
  if (existing) return new Date(existing.startedAt)
  const startedAt = new Date()
  const archive: ContinuousArchive = { id: randomUUID().slice(0, 8), startedAt: startedAt.toISOString() }
  await writeFileAtomic(join(dataDir, idFile), JSON.stringify(archive))
  return startedAt
}

/** Ends the continuous archive. The next one gets a new id, because the WAL from between the two is missing. */
export async function discardContinuousArchive(dataDir: string): Promise<void> {
  for (const name of continuousArchiveNames)
    await Deno.remove(join(dataDir, name), { recursive: true }).catch(() => undefined)
}

/**
 * Archives completed WAL segments and new stored files, until stopped.
 *
 * @returns a function that stops archiving, after spending up to five seconds on the remaining WAL and files
 */
export function startContinuousArchive(
  dataDir: string,
  destination: Destination,
  log: Log,
): () => Promise<void> {
  let stopped = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let running: Promise<void> = Promise.resolve()
  const copyNewFiles = createFileCopier(dataDir, destination)

  const archiveAll = async (): Promise<void> => {
    const archive = await readArchive(dataDir)
    if (!archive) return
    // Files are archived before WAL, so a restored database has all the files that it refers to.
    await copyNewFiles(archive)
    await moveSegments(dataDir, destination, archive.id)
  }
  const run = (): void => {
    let delayMs = intervalMs
    running = archiveAll()
      .catch((error) => {
        delayMs = retryIntervalMs
        log.error('continuous_archive_failed', { reason: errorMessage(error) })
      })
      .then(() => {
        if (!stopped) timer = setTimeout(run, delayMs)
      })
  }
  run()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await withTimeout(running.then(archiveAll), 5000).catch(() => undefined)
  }
}

async function moveSegments(dataDir: string, destination: Destination, id: string): Promise<void> {
  const folder = join(dataDir, folderName)
  const names: string[] = []
  for await (const { name } of Deno.readDir(folder)) if (segmentPattern.test(name)) names.push(name)
  for (const name of names.sort()) {
    const path = join(folder, name)
    const content = await promisify(gzip)(await Deno.readFile(path), { level: 1 })
    await destination.write(`${walPrefix}${id}-${name}.gz`, ReadableStream.from([new Uint8Array(content)]))
    await Deno.remove(path)
  }
}

/**
 * Returns a function that copies the files stored since its last call. The first call copies the files that were stored
 * since the archive was started and that the destination lacks.
 */
function createFileCopier(
  dataDir: string,
  destination: Destination,
): (archive: ContinuousArchive) => Promise<void> {
  const storage = join(dataDir, 'storage')
  const readTimes = async (path: string): Promise<{ storedAt: number; changedAt: number }> => {
    const { mtime, ctime } = await Deno.stat(path)
    const changedAt = mtime?.getTime() ?? 0
    // Moving a file changes its ctime, but not its mtime.
    return { changedAt, storedAt: Math.max(changedAt, ctime?.getTime() ?? 0) }
  }
  /**
   * When each copied file was last changed or, if it was copied before a restart, when it was copied. A file may be
   * replaced, for example by a repeated upload.
   */
  let copied: Map<string, number> | undefined
  let lastAt = 0
  return async ({ id, startedAt }) => {
    if (!(await exists(storage))) return
    const prefix = `${filesPrefix}${id}-`
    copied ??= new Map(
      (await listFrom(destination, prefix)).map(({ name, modified }) => [
        name.slice(prefix.length),
        modified.getTime(),
      ]),
    )
    const now = Date.now()
    const since = new Date(startedAt).getTime() - archiveMarginMs
    for await (const { name: folder } of Deno.readDir(storage)) {
      if (
        !/^[0-9a-f]{2}$/.test(folder) ||
        (await readTimes(join(storage, folder))).changedAt < lastAt - timeMarginMs
      )
        continue
      for await (const { name } of Deno.readDir(join(storage, folder))) {
        const path = join(storage, folder, name)
        try {
          const { storedAt, changedAt } = await readTimes(path)
          const copiedAt = copied.get(name)
          if (copiedAt === undefined ? storedAt < since : changedAt <= copiedAt) continue
          await destination.write(`${prefix}${name}`, (await Deno.open(path)).readable)
          copied.set(name, changedAt)
        } catch (error) {
          // The file has been deleted since it was listed.
          if (!(error instanceof Deno.errors.NotFound)) throw error
        }
      }
    }
    lastAt = now
  }
}

const listFrom = async (destination: Destination, prefix: string): Promise<StoredObject[]> =>
  (await destination.list(prefix.slice(0, prefix.indexOf('/') + 1))).filter(({ name }) =>
    name.startsWith(prefix),
  )

export interface FetchOptions {
  destination: Destination
  /** Identifies the continuous archive. */
  id: string
  /** The start of the backup that the continuous archive extends. */
  since: Date
  onProgress: OnProgress
}

/** Calls `receive` with each object that was archived after the backup was started. */
async function fetchObjects(
  { destination, since, onProgress }: FetchOptions,
  prefix: string,
  receive: (name: string, content: ReadableStream<Uint8Array>) => Promise<void>,
): Promise<StoredObject[]> {
  const objects = (await listFrom(destination, prefix)).filter(
    ({ modified }) => modified.getTime() >= since.getTime() - archiveMarginMs,
  )
  const total = objects.reduce((sum, { size }) => sum + size, 0)
  let done = 0
  for (const { name, size } of objects) {
    const content = await destination.read(name)
    try {
      await receive(name.slice(prefix.length), content)
    } catch (error) {
      const isDamaged = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
      throw isDamaged ? new StartupError(`${name} is damaged.`) : diskError(`Cannot restore ${name}`, error)
    }
    done += size
    onProgress(done, total)
  }
  return objects
}

/**
 * Copies the archived WAL to a directory.
 *
 * @param target the directory `pg_wal` of a restored cluster
 * @returns the number of segments, and when the newest one was archived
 */
export async function fetchWal(
  options: FetchOptions,
  target: string,
  user: ProcessUser,
): Promise<{ segments: number; newest: Date }> {
  const objects = await fetchObjects(options, `${walPrefix}${options.id}-`, async (name, content) => {
    const segment = name.replace(/\.gz$/, '')
    if (!segmentPattern.test(segment)) return
    const compressed = await new Response(content as ReadableStream<Bytes>).arrayBuffer()
    await writeSparse(join(target, segment), await promisify(gunzip)(new Uint8Array(compressed)), user)
  })
  const newest = Math.max(0, ...objects.map(({ modified }) => modified.getTime()))
  return { segments: objects.length, newest: new Date(newest) }
}

/** Copies the archived files to a restored storage folder. They replace older versions from the backup. */
export async function fetchFiles(options: FetchOptions, storage: string): Promise<void> {
  await fetchObjects(options, `${filesPrefix}${options.id}-`, async (name, content) => {
    const folder = join(storage, name.slice(0, 2))
    if (!/^[0-9a-f]{64}$/.test(name)) return await content.cancel()
    await Deno.mkdir(folder, { recursive: true, mode: 0o700 })
    await writeStream(join(folder, name), content)
  })
}

const blockBytes = 64 * 1024

/** Writes a sparse file. WAL segments that are completed before they are full consist mostly of zeros. */
async function writeSparse(path: string, content: Uint8Array, user: ProcessUser): Promise<void> {
  const zeros = Buffer.alloc(blockBytes)
  const file = await Deno.open(path, { write: true, create: true, truncate: true, mode: 0o600 })
  try {
    for (let start = 0; start < content.length; start += blockBytes) {
      const block = content.subarray(start, start + blockBytes)
      if (zeros.subarray(0, block.length).equals(block)) continue
      await file.seek(start, Deno.SeekMode.Start)
      await writeAll(file, block)
    }
    await file.truncate(content.length)
  } finally {
    file.close()
  }
  if (user.kind === 'user') await Deno.chown(path, user.uid, user.gid)
}
