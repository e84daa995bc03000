import { createHash } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { App } from '@supabase/lite'
import { syncDirectory } from '../shared/durable.ts'
import { refuseSize, takeRange } from './ranges.ts'

type Adapter = NonNullable<App['_storageAdapter']>
type Body = Parameters<Adapter['uploadObject']>[3]

/** What is known of a stored file beside its bytes. */
interface Header {
  contentType: string
  cacheControl: string
  size: number
  eTag: string
}

/** The header fills the first block of a file, so that one rename replaces both it and the bytes. */
const headerBytes = 4096

/**
 * Stores objects in one folder. A file's name is the hash of bucket and key, so nothing a caller names ever
 * becomes a path. An upload goes to a temporary file, which is synced and then renamed into place: after any
 * crash an object is whole or not there. Versions are ignored: lite stores without and asks with one.
 *
 * @param mostBytes how large a file of a bucket may be; lite itself only looks at what is announced
 */
export async function openFiles(
  folder: string,
  mostBytes: (bucket: string) => Promise<number> = () => Promise.resolve(Number.POSITIVE_INFINITY),
): Promise<Adapter> {
  const incoming = join(folder, 'incoming')
  await Deno.remove(incoming, { recursive: true }).catch(() => undefined)
  await Deno.mkdir(incoming, { recursive: true, mode: 0o700 })

  const place = (bucket: string, key: string): string => {
    const name = createHash('sha256')
      .update(JSON.stringify([bucket, key]))
      .digest('hex')
    return join(folder, name.slice(0, 2), name)
  }

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

  // A stored file is never written to again, so a copy may be the same file under another name.
  const link = async (from: string, to: string): Promise<void> => {
    const temporary = join(incoming, crypto.randomUUID())
    await Deno.link(from, temporary)
    await Deno.mkdir(dirname(to), { recursive: true, mode: 0o700 })
    await Deno.rename(temporary, to)
    await syncDirectory(dirname(to))
    await syncDirectory(folder)
  }

  const remove = async (bucket: string, key: string): Promise<void> => {
    const path = place(bucket, key)
    try {
      await Deno.remove(path)
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return
      throw error
    }
    await syncDirectory(dirname(path))
  }

  return {
    driver: folder,
    async getObject(bucket, key) {
      const path = place(bucket, key)
      const { file, header, modified } = await openStored(path)
      return { metadata: describe(header, modified), httpStatusCode: 200, body: await wantedOf(file, header) }
    },
    async uploadObject(bucket, key, _version, body, contentType, cacheControl) {
      const path = place(bucket, key)
      const counted = upTo(await mostBytes(bucket), chunks(body))
      return describe(await write(path, counted, contentType, cacheControl), new Date())
    },
    deleteObject: (bucket, key) => remove(bucket, key),
    async deleteObjects(bucket, keys) {
      for (const key of keys) await remove(bucket, key)
    },
    async copyObject(sourceBucket, source, _version, bucket, key) {
      const { file, header } = await openStored(place(sourceBucket, source))
      file.close()
      await link(place(sourceBucket, source), place(bucket, key))
      return { httpStatusCode: 200, eTag: header.eTag, lastModified: new Date() }
    },
    async headObject(bucket, key) {
      const { file, header, modified } = await openStored(place(bucket, key))
      file.close()
      return describe(header, modified)
    },
    // Only asked for by image services elsewhere, of which there is none here.
    privateAssetUrl: () => Promise.reject(new Error('stored files have no address of their own')),
  }
}

/** Stands where an adapter has to be, for making the schema. */
export function unusedFiles(): Adapter {
  const refuse = () => Promise.reject(new Error('nothing is stored here'))
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
    if (text.length >= headerBytes) throw new Error('the type of the file is too long')
    block.set(text)
    await file.seek(0, Deno.SeekMode.Start)
    await writeAll(file, block)
    await file.sync()
    return header
  } finally {
    file.close()
  }
}

async function writeAll(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  let written = 0
  while (written < bytes.length) written += await file.write(bytes.subarray(written))
}

/** Opens a stored file, placed at the first byte of its content. */
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

/** The part of an opened file that its reader wants; the file is closed when it has been read, or is left. */
async function wantedOf(file: Deno.FsFile, { size }: Header): Promise<ReadableStream<Uint8Array>> {
  const range = takeRange(size)
  if (range === null) return file.readable
  if (range === 'beyond' || range === 'nothing') {
    file.close()
    return new Blob().stream()
  }
  await file.seek(headerBytes + range.first, Deno.SeekMode.Start)
  let left = range.last - range.first + 1
  const limited = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, target) {
      target.enqueue(chunk.subarray(0, left))
      left -= chunk.length
      if (left <= 0) target.terminate()
    },
  })
  return file.readable.pipeThrough(limited)
}

async function* upTo(most: number, stream: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > most) refuseSize()
    yield chunk
  }
}

async function* chunks(body: Body): AsyncGenerator<Uint8Array> {
  if (body instanceof Uint8Array) yield body
  else for await (const chunk of body as AsyncIterable<Uint8Array>) yield chunk
}
