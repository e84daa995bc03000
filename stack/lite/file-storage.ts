import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { App } from '@supabase/lite'
import { syncDirectory, writeAll } from '../shared/files.ts'
import { removeStoredFile } from './held-files.ts'
import { rejectTooLarge, requestedRange } from './range-requests.ts'

type Adapter = NonNullable<App['_storageAdapter']>
type Body = Parameters<Adapter['uploadObject']>[3]

/** The metadata of a stored file. */
interface Header {
  contentType: string
  cacheControl: string
  size: number
  eTag: string
}

/** The header occupies the first block of the file, so that one rename replaces metadata and content together. */
const headerBytes = 4096

/**
 * Opens a storage adapter that keeps objects in one directory. A file is named after the hash of bucket and key, so
 * client input never becomes a path. An upload is written to a temporary file, synced and renamed, so that after a
 * crash an object is either complete or absent. Versions are ignored: lite stores without a version, but reads with
 * one.
 *
 * @param maxBytes returns the size limit of a new file; lite itself checks only the declared length
 */
export async function openFileStorage(
  folder: string,
  maxBytes: (bucket: string, key: string) => Promise<number> = () =>
    Promise.resolve(Number.POSITIVE_INFINITY),
): Promise<Adapter> {
  const incoming = join(folder, 'incoming')
  await Deno.remove(incoming, { recursive: true }).catch(() => undefined)
  await Deno.mkdir(incoming, { recursive: true, mode: 0o700 })

  const pathOf = (bucket: string, key: string): string => storedFilePath(folder, bucket, key)

  const write = async (
    path: string,
    stream: AsyncIterable<Uint8Array>,
    contentType: string,
    cacheControl: string,
  ) => {
    const temporary = join(incoming, crypto.randomUUID())
    try {
      const header = await writeFile(temporary, stream, contentType, cacheControl)
      await Deno.mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await Deno.rename(temporary, path)
      await syncDirectory(dirname(path))
      await syncDirectory(folder)
      return header
    } catch (error) {
      await Deno.remove(temporary).catch(() => undefined)
      throw error
    }
  }

  // Stored files are never modified, so a copy can be a hard link.
  const link = async (from: string, to: string): Promise<void> => {
    const temporary = join(incoming, crypto.randomUUID())
    await Deno.link(from, temporary)
    await Deno.mkdir(dirname(to), { recursive: true, mode: 0o700 })
    await Deno.rename(temporary, to)
    await syncDirectory(dirname(to))
    await syncDirectory(folder)
  }

  const remove = async (bucket: string, key: string): Promise<void> => {
    const path = pathOf(bucket, key)
    try {
      await removeStoredFile(folder, path)
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return
      throw error
    }
    await syncDirectory(dirname(path))
  }

  return {
    driver: folder,
    async getObject(bucket, key) {
      const path = pathOf(bucket, key)
      const { file, header, modified } = await openStored(path)
      return { metadata: describe(header, modified), httpStatusCode: 200, body: await bodyOf(file, header) }
    },
    async uploadObject(bucket, key, _version, body, contentType, cacheControl) {
      const path = pathOf(bucket, key)
      const limited = limitBytes(await maxBytes(bucket, key), toChunks(body))
      return describe(await write(path, limited, contentType, cacheControl), new Date())
    },
    deleteObject: (bucket, key) => remove(bucket, key),
    async deleteObjects(bucket, keys) {
      for (const key of keys) await remove(bucket, key)
    },
    async copyObject(sourceBucket, source, _version, bucket, key) {
      const { file, header } = await openStored(pathOf(sourceBucket, source))
      file.close()
      await link(pathOf(sourceBucket, source), pathOf(bucket, key))
      return { httpStatusCode: 200, eTag: header.eTag, lastModified: new Date() }
    },
    async headObject(bucket, key) {
      const { file, header, modified } = await openStored(pathOf(bucket, key))
      file.close()
      return describe(header, modified)
    },
    // Only external image services use this URL, and this stack has none.
    privateAssetUrl: () => Promise.reject(new Error('stored files have no URL')),
  }
}

/** Returns where the file of an object is. */
export function storedFilePath(folder: string, bucket: string, key: string): string {
  const name = createHash('sha256')
    .update(JSON.stringify([bucket, key]))
    .digest('hex')
  return join(folder, name.slice(0, 2), name)
}

/** Returns a storage adapter that rejects every call, for creating the schema, which requires an adapter. */
export function unusedFileStorage(): Adapter {
  const refuse = () => Promise.reject(new Error('this storage adapter stores nothing'))
  return {
    driver: null,
    getObject: refuse,
    uploadObject: refuse,
    deleteObject: refuse,
    deleteObjects: refuse,
    copyObject: refuse,
    headObject: refuse,
    privateAssetUrl: refuse,
  }
}

async function writeFile(
  path: string,
  stream: AsyncIterable<Uint8Array>,
  contentType: string,
  cacheControl: string,
): Promise<Header> {
  const file = await Deno.open(path, { write: true, createNew: true, mode: 0o600 })
  try {
    const hash = createHash('sha256')
    let size = 0
    await file.seek(headerBytes, Deno.SeekMode.Start)
    for await (const chunk of stream) {
      hash.update(chunk)
      size += chunk.length
      await writeAll(file, chunk)
    }
    const header = { contentType, cacheControl, size, eTag: `"${hash.digest('hex').slice(0, 32)}"` }
    const block = new Uint8Array(headerBytes)
    const text = new TextEncoder().encode(JSON.stringify(header))
    if (text.length >= headerBytes) throw new Error('the content type is too long')
    block.set(text)
    await file.seek(0, Deno.SeekMode.Start)
    await writeAll(file, block)
    await file.sync()
    return header
  } finally {
    file.close()
  }
}

/** Opens a stored file, positioned at the first byte of its content. */
async function openStored(path: string): Promise<{ file: Deno.FsFile; header: Header; modified: Date }> {
  const file = await Deno.open(path, { read: true })
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

function describe(header: Header, modified: Date) {
  return {
    cacheControl: header.cacheControl,
    contentLength: header.size,
    size: header.size,
    mimetype: header.contentType,
    lastModified: modified,
    eTag: header.eTag,
  }
}

/** Returns the requested bytes of an open file as a stream. The file is closed when the stream ends or is cancelled. */
async function bodyOf(file: Deno.FsFile, { size }: Header): Promise<ReadableStream<Uint8Array>> {
  const range = requestedRange(size)
  if (range === null) return file.readable
  if (range === 'unsatisfiable' || range === 'nothing') {
    file.close()
    return new Blob().stream()
  }
  await file.seek(headerBytes + range.first, Deno.SeekMode.Start)
  let remaining = range.last - range.first + 1
  const limited = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, target) {
      target.enqueue(chunk.subarray(0, remaining))
      remaining -= chunk.length
      if (remaining <= 0) target.terminate()
    },
  })
  return file.readable.pipeThrough(limited)
}

async function* limitBytes(maxBytes: number, stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > maxBytes) rejectTooLarge()
    yield chunk
  }
}

async function* toChunks(body: Body): AsyncGenerator<Uint8Array> {
  if (body instanceof Uint8Array) yield body
  else for await (const chunk of body as AsyncIterable<Uint8Array>) yield chunk
}
