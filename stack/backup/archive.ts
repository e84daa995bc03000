import { createHash, createHmac, type Hash } from 'node:crypto'
import { type Duplex, pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { createTarDecoder } from 'modern-tar'
import { errorMessage, StartupError } from '../shared/errors.ts'
import type { EncryptedText } from './passphrase.ts'

/*
An archive is a tar file compressed with gzip. A backup is a full archive. The archive made before an upgrade is a
database archive, which contains neither files nor secrets.

  backup.json     metadata and, in a full archive, the encrypted secrets
  postgres/…      a physical copy of the database cluster
  storage/…       stored files; only in a full archive
  mailbox/…       mail; only in a full archive
  manifest.json   counts and checksums of the folders, and the signature

The stored files are copied after the database. Every file that the copied database refers to still exists at that
point, because files deleted during a backup are held until it ends (stack/storage/held-files.ts). If an upload has
replaced a file in the meantime, the archive contains the new version.
*/

export const archiveFormat = 1
export const headerName = 'backup.json'
export const manifestName = 'manifest.json'
const sectionNames = ['postgres', 'storage', 'mailbox'] as const
export type SectionName = (typeof sectionNames)[number]

export interface ArchiveHeader {
  format: number
  /** The version of Ovation that made the archive. */
  version: string
  postgresMajor: number
  createdAt: string
  /** Estimates, used to show the progress and to check the free disk space. */
  databaseBytes: number
  fileBytes: number
  /** Null in a database archive. */
  secrets: EncryptedText | null
  /** Identifies the WAL archive that continues this archive; null if WAL was not archived. */
  walArchive: string | null
}

interface SectionSummary {
  files: number
  bytes: number
  /** SHA-256 of the names, sizes and contents of all files, in archive order. */
  sha256: string
}

type Sections = Record<SectionName, SectionSummary>

export interface ArchiveManifest {
  finishedAt: string
  sections: Sections
  /** Signature of the header and the sections; null in a database archive. */
  signature: string | null
}

/** The encrypted part of a full archive's header. */
export interface ArchiveSecrets {
  /** The content of secrets.json. */
  secrets: unknown
  /** Signs the archive, so that a restore accepts only archives made by someone who knows the passphrase. */
  signingKey: string
}

/** Returns the signature of an archive. */
export const signArchive = (key: string, header: ArchiveHeader, sections: Sections): string =>
  createHmac('sha256', key)
    .update(JSON.stringify([header, sections]))
    .digest('hex')

/** Counts and hashes the files of a section. Its memory use does not depend on the number of files. */
export class SectionCounter {
  #hash: Hash = createHash('sha256')
  #files = 0
  #bytes = 0
  startFile(name: string, size: number): void {
    this.#files++
    this.#hash.update(`${name}\0${size}\0`)
  }
  add(chunk: Uint8Array): void {
    this.#bytes += chunk.length
    this.#hash.update(chunk)
  }
  summary(): SectionSummary {
    return { files: this.#files, bytes: this.#bytes, sha256: this.#hash.digest('hex') }
  }
}

export const createCounters = () => ({
  postgres: new SectionCounter(),
  storage: new SectionCounter(),
  mailbox: new SectionCounter(),
})

export const summarize = (counters: Record<SectionName, SectionCounter>): Sections => ({
  postgres: counters.postgres.summary(),
  storage: counters.storage.summary(),
  mailbox: counters.mailbox.summary(),
})

export const chunkSize = 256 * 1024

/** Pipes a stream through a zlib transform. */
export function throughZlib(source: AsyncIterable<Uint8Array>, zlib: Duplex): AsyncIterable<Uint8Array> {
  // An error in `source` destroys `zlib`, so the reader of the result receives the error.
  return pipeline(Readable.from(source), zlib, () => undefined)
}

export interface ArchiveHandlers {
  /**
   * Called first. Returns the key that signed the archive, or null for a database archive. Throws to stop reading the
   * archive.
   */
  onHeader: (header: ArchiveHeader) => Promise<string | null>
  /** `name` is a relative path without `..`. */
  onDirectory: (name: string) => Promise<void>
  onFile: (name: string, body: ReadableStream<Uint8Array>) => Promise<void>
  onProgress: (done: number, total: number) => void
}

/**
 * Reads an archive from beginning to end and verifies its checksums.
 *
 * @throws StartupError if the archive is damaged or incomplete, or if a handler fails
 */
export async function readArchive(
  stream: ReadableStream<Uint8Array>,
  handlers: ArchiveHandlers,
): Promise<ArchiveManifest> {
  const counters = createCounters()
  let header: ArchiveHeader | undefined
  let manifest: ArchiveManifest | undefined
  let signingKey: string | null = null
  let done = 0
  const tar = ReadableStream.from(throughZlib(stream, createGunzip({ chunkSize })))
  const entries = tar.pipeThrough(createTarDecoder({ strict: true }))
  try {
    for await (const { header: entry, body } of entries) {
      if (!header) {
        if (entry.name !== headerName) throw new StartupError('This file is not a backup of Ovation.')
        header = await readJson<ArchiveHeader>(entry.size, body)
        if (header.format !== archiveFormat)
          throw new StartupError('The archive was made by a newer version of Ovation.')
        signingKey = await handlers.onHeader(header)
      } else if (entry.name === manifestName) manifest = await readJson<ArchiveManifest>(entry.size, body)
      else {
        const section = checkName(entry.name)
        if (entry.type === 'directory') {
          await handlers.onDirectory(entry.name)
          continue
        }
        if (entry.type !== 'file') throw new Error(`unexpected ${entry.type}: ${entry.name}`)
        const counter = counters[section]
        const total = header.databaseBytes + header.fileBytes
        counter.startFile(entry.name, entry.size)
        const counted = body.pipeThrough(
          new TransformStream<Uint8Array, Uint8Array>({
            transform(chunk, controller) {
              counter.add(chunk)
              done += chunk.length
              handlers.onProgress(done, Math.max(done, total))
              controller.enqueue(chunk)
            },
          }),
        )
        await handlers.onFile(entry.name, counted)
      }
    }
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw new StartupError(`The archive is damaged or incomplete: ${errorMessage(error)}.`)
  }
  if (!header) throw new StartupError('This file is not a backup of Ovation.')
  if (!manifest) throw new StartupError('The archive is incomplete: its end is missing.')
  const actual = summarize(counters)
  for (const name of sectionNames) {
    if (JSON.stringify(actual[name]) !== JSON.stringify(manifest.sections[name]))
      throw new StartupError(`The archive is damaged: the checksum of ${name} does not match.`)
  }
  if (signingKey !== null && manifest.signature !== signArchive(signingKey, header, actual))
    throw new StartupError('The archive was altered: its signature does not match.')
  return manifest
}

/** Returns the section to which a file belongs. @throws Error if the name is not a path within a section */
function checkName(name: string): SectionName {
  const [first, ...rest] = name.replace(/\/$/, '').split('/')
  const section = sectionNames.find((known) => known === first)
  if (!section || rest.length === 0 || rest.some((part) => !/^[\w.-]+$/.test(part) || /^\.+$/.test(part)))
    throw new Error(`unexpected entry: ${name}`)
  return section
}

async function readJson<Value>(size: number, body: ReadableStream<Uint8Array>): Promise<Value> {
  if (size > 1024 * 1024) throw new Error('the header or the manifest is too large')
  return (await new Response(body as ReadableStream<Uint8Array<ArrayBuffer>>).json()) as Value
}
