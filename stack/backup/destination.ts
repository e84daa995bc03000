import { basename, dirname, join, resolve } from 'node:path'
import { diskError, StartupError } from '../shared/errors.ts'
import { syncDirectory, writeStream } from '../shared/files.ts'
import { openS3 } from './s3.ts'

export interface StoredObject {
  name: string
  size: number
  modified: Date
}

/** A folder or a bucket that keeps backups. Names may contain slashes. */
export interface Destination {
  /** The path of the folder or the URL of the bucket, as shown in messages. */
  label: string
  /** Lists the objects directly under `prefix`, which is empty or ends with a slash. */
  list(prefix: string): Promise<StoredObject[]>
  /** Stores an object and returns its size. An incomplete object is never visible under its name. */
  write(name: string, content: ReadableStream<Uint8Array>): Promise<number>
  read(name: string): Promise<ReadableStream<Uint8Array>>
  remove(name: string): Promise<void>
}

type Environment = (name: string) => string | undefined

/**
 * Opens a destination: a folder, or `s3://bucket/prefix` in S3 or S3-compatible storage.
 *
 * @param root the directory against which a relative path is resolved
 * @throws StartupError if the bucket's settings are invalid or missing
 */
export function openDestination(to: string, root: string, env: Environment): Destination {
  return to.startsWith('s3://') ? openS3(to, env) : openFolder(resolve(root, to))
}

/**
 * Splits a path or URL into a destination and the name of an archive there. The name is empty if the path or URL
 * is the destination itself.
 */
export function splitArchivePath(path: string): { to: string; name: string } {
  if (!path.endsWith('.tar.gz')) return { to: path, name: '' }
  const slash = path.lastIndexOf('/')
  if (path.startsWith('s3://')) return { to: path.slice(0, slash), name: path.slice(slash + 1) }
  return { to: dirname(path), name: basename(path) }
}

/** Incomplete archives that a killed backup left behind are deleted after this time. */
const staleMs = 86_400_000

async function removeStaleFiles(folder: string): Promise<void> {
  for await (const { name } of Deno.readDir(folder)) {
    if (!name.endsWith('.tar.gz.partial')) continue
    const { mtime } = await Deno.stat(join(folder, name))
    if (Date.now() - (mtime?.getTime() ?? 0) > staleMs) await Deno.remove(join(folder, name))
  }
}

function openFolder(folder: string): Destination {
  return {
    label: folder,
    async list(prefix) {
      const objects: StoredObject[] = []
      try {
        for await (const { name, isFile } of Deno.readDir(join(folder, prefix))) {
          if (!isFile || name.endsWith('.partial')) continue
          const { size, mtime } = await Deno.stat(join(folder, prefix, name))
          objects.push({ name: `${prefix}${name}`, size, modified: mtime ?? new Date(0) })
        }
      } catch (error) {
        if (!(error instanceof Deno.errors.NotFound))
          throw diskError(`Cannot read ${join(folder, prefix)}`, error)
      }
      return objects
    },
    async write(name, content) {
      const path = join(folder, name)
      const partial = `${path}.partial`
      try {
        await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 })
        await removeStaleFiles(dirname(path))
        await writeStream(partial, content, { sync: true })
        await Deno.rename(partial, path)
        await syncDirectory(dirname(path))
        return (await Deno.stat(path)).size
      } catch (error) {
        await Deno.remove(partial).catch(() => undefined)
        throw error instanceof StartupError ? error : diskError(`Cannot write ${path}`, error)
      }
    },
    async read(name) {
      try {
        return (await Deno.open(join(folder, name), { read: true })).readable
      } catch (error) {
        if (error instanceof Deno.errors.NotFound)
          throw new StartupError(`${join(folder, name)} does not exist.`)
        throw diskError(`Cannot read ${join(folder, name)}`, error)
      }
    },
    remove: (name) => Deno.remove(join(folder, name)),
  }
}

/** The folder in DATA_DIR for the archives that are made before upgrades. */
export const preUpgradeFolder = 'before-upgrade'

const archivePattern = /^ovation-(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)Z\.tar\.gz$/

/** Returns the name of an archive that is made at `now`, such as ovation-2026-01-31T03-30-00Z.tar.gz. */
export const archiveName = (now: Date): string =>
  `ovation-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z.tar.gz`

/** Returns the time in an archive's name, or null if `name` is not the name of an archive. */
export function archiveTime(name: string): Date | null {
  const match = archivePattern.exec(name)
  return match && new Date(`${match[1]}T${match[2]}:${match[3]}:${match[4]}Z`)
}

/** Lists the archives, newest first. */
export async function listArchives(destination: Destination): Promise<StoredObject[]> {
  const objects = await destination.list('')
  return objects.filter(({ name }) => archiveTime(name) !== null).sort((a, b) => (a.name < b.name ? 1 : -1))
}

/**
 * How much the clocks of this machine and of the storage may differ. Continuously archived WAL and files are kept this
 * much longer than needed.
 */
export const archiveMarginMs = 3_600_000

/** The prefixes of continuously archived WAL and files (continuous.ts). */
export const walPrefix = 'wal/'
export const filesPrefix = 'files/'

/**
 * Deletes all archives except the newest ones. Also deletes the continuously archived WAL and files from before the
 * oldest remaining archive: restoring that archive needs only the WAL and files that were archived after its backup
 * began.
 *
 * @param keep how many archives to keep
 * @returns how many archives were deleted
 */
export async function pruneArchives(destination: Destination, keep: number): Promise<number> {
  const archives = await listArchives(destination)
  const removed = archives.slice(keep)
  for (const { name } of removed) await destination.remove(name)
  const oldest = archives.slice(0, keep).at(-1)
  const cutoff = oldest && archiveTime(oldest.name)
  if (cutoff) {
    for (const prefix of [walPrefix, filesPrefix]) {
      for (const { name, modified } of await destination.list(prefix))
        if (modified.getTime() < cutoff.getTime() - archiveMarginMs) await destination.remove(name)
    }
  }
  return removed.length
}
