import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import { syncDirectory, writeAll } from '../shared/files.ts'
import { removeStoredFile } from './held-files.ts'

/** The metadata of a stored file. */
export interface FileHeader {
  contentType: string
  cacheControl: string
  size: number
  eTag: string
}

/** A stored file that is open, positioned at the first byte of its content. */
interface StoredFile {
  file: Deno.FsFile
  header: FileHeader
  modified: Date
}

/** A received file that is not yet an object. */
export interface StagedFile {
  path: string
  size: number
  eTag: string
}

/** The header occupies the first block of the file, so that one rename replaces metadata and content together. */
export const headerBytes = 4096

/**
 * Stores objects in one directory. A file is named after the hash of bucket and key, so client input never becomes a
 * path. An upload is staged in a temporary file, synced and renamed, so that after a crash an object is either complete
 * or absent. Stored files are never modified.
 */
export class FileStorage {
  private constructor(private readonly folder: string) {}

  /** Opens the directory and deletes uploads that a crash interrupted. */
  static async open(folder: string): Promise<FileStorage> {
    const incoming = join(folder, 'incoming')
    await Deno.remove(incoming, { recursive: true }).catch(() => undefined)
    await Deno.mkdir(incoming, { recursive: true, mode: 0o700 })
    return new FileStorage(folder)
  }

  /** Writes a stream to a temporary file. Deletes the file if the stream fails. */
  async stage(chunks: AsyncIterable<Uint8Array>): Promise<StagedFile> {
    const path = join(this.folder, 'incoming', crypto.randomUUID())
    try {
      const file = await Deno.open(path, { write: true, createNew: true, mode: 0o600 })
      try {
        const hash = createHash('sha256')
        let size = 0
        await file.seek(headerBytes, Deno.SeekMode.Start)
        for await (const chunk of chunks) {
          hash.update(chunk)
          size += chunk.length
          await writeAll(file, chunk)
        }
        return { path, size, eTag: `"${hash.digest('hex').slice(0, 32)}"` }
      } finally {
        file.close()
      }
    } catch (error) {
      await Deno.remove(path).catch(() => undefined)
      throw error
    }
  }

  /** Writes the header of a staged file, and flushes the file to disk. */
  async seal(
    { path, size, eTag }: StagedFile,
    type: Pick<FileHeader, 'contentType' | 'cacheControl'>,
  ): Promise<FileHeader> {
    const header = { ...type, size, eTag }
    const text = new TextEncoder().encode(JSON.stringify(header))
    if (text.length >= headerBytes) throw new Error('the content type is too long')
    const block = new Uint8Array(headerBytes)
    block.set(text)
    const file = await Deno.open(path, { write: true })
    try {
      await writeAll(file, block)
      await file.sync()
    } finally {
      file.close()
    }
    return header
  }

  /** Makes a sealed file the object's file, replacing any previous one. */
  async place(path: string, bucket: string, key: string): Promise<void> {
    const target = storedFilePath(this.folder, bucket, key)
    await Deno.mkdir(dirname(target), { recursive: true, mode: 0o700 })
    await Deno.rename(path, target)
    await syncDirectory(dirname(target))
    await syncDirectory(this.folder)
  }

  discard({ path }: Pick<StagedFile, 'path'>): Promise<void> {
    return Deno.remove(path).catch(() => undefined)
  }

  /** Copies an object. Because files are never modified, the copy is a hard link. */
  async copy(fromBucket: string, from: string, toBucket: string, to: string): Promise<void> {
    const temporary = join(this.folder, 'incoming', crypto.randomUUID())
    await Deno.link(storedFilePath(this.folder, fromBucket, from), temporary)
    try {
      await this.place(temporary, toBucket, to)
    } finally {
      // If the target is already a link to the same file, `rename` does nothing, and the temporary link would remain.
      await this.discard({ path: temporary })
    }
  }

  /** Removes an object's file, if it exists. */
  async remove(bucket: string, key: string): Promise<void> {
    const path = storedFilePath(this.folder, bucket, key)
    try {
      await removeStoredFile(this.folder, path)
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return
      throw error
    }
    await syncDirectory(dirname(path))
  }

  /** Opens an object's file, or returns null if it does not exist. The caller must close it. */
  async open(bucket: string, key: string): Promise<StoredFile | null> {
    let file: Deno.FsFile
    try {
      file = await Deno.open(storedFilePath(this.folder, bucket, key), { read: true })
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return null
      throw error
    }
    try {
      const block = new Uint8Array(headerBytes)
      let read = 0
      while (read < headerBytes) {
        const count = await file.read(block.subarray(read))
        if (count === null) throw new Error('a stored file is damaged')
        read += count
      }
      const text = new TextDecoder().decode(block.subarray(0, block.indexOf(0)))
      const { mtime } = await file.stat()
      return { file, header: JSON.parse(text), modified: mtime ?? new Date(0) }
    } catch (error) {
      file.close()
      throw error
    }
  }

  /** Returns the header and modification time of an object's file, or null if the file does not exist. */
  async head(bucket: string, key: string): Promise<Omit<StoredFile, 'file'> | null> {
    const stored = await this.open(bucket, key)
    stored?.file.close()
    return stored
  }
}

/** Returns the path of an object's file. */
export function storedFilePath(folder: string, bucket: string, key: string): string {
  const name = createHash('sha256')
    .update(JSON.stringify([bucket, key]))
    .digest('hex')
  return join(folder, name.slice(0, 2), name)
}

/** Returns the metadata for an object's row, with the names that Supabase uses. */
export const objectMetadata = (header: FileHeader, modified = new Date()) => ({
  eTag: header.eTag,
  size: header.size,
  mimetype: header.contentType,
  cacheControl: header.cacheControl,
  lastModified: modified.toISOString(),
  contentLength: header.size,
  httpStatusCode: 200,
})
