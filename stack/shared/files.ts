import { dirname } from 'node:path'

/** Flushes a directory to disk, so that a renamed or new file in it survives a power failure. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await Deno.open(directory, { read: true })
  try {
    await handle.sync()
  } finally {
    handle.close()
  }
}

/**
 * Replaces a file atomically: even after a crash, readers see either the old or the new content.
 *
 * @param mode permission bits of the new file
 */
export async function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  mode = 0o600,
): Promise<void> {
  const temporary = `${path}.${crypto.randomUUID()}.tmp`
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  try {
    const handle = await Deno.open(temporary, { write: true, createNew: true, mode })
    try {
      await writeAll(handle, bytes)
      await handle.sync()
    } finally {
      handle.close()
    }
    await Deno.rename(temporary, path)
  } catch (error) {
    await Deno.remove(temporary).catch(() => undefined)
    throw error
  }
  await syncDirectory(dirname(path))
}

/** Writes all bytes; a single `write` may write only some of them. */
export async function writeAll(file: Deno.FsFile, bytes: Uint8Array): Promise<void> {
  let written = 0
  while (written < bytes.length) written += await file.write(bytes.subarray(written))
}

/** Writes a stream to a file, which is created or replaced. `sync` also flushes the file to disk. */
export async function writeStream(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  { sync = false } = {},
): Promise<void> {
  const file = await Deno.open(path, { write: true, create: true, truncate: true, mode: 0o600 })
  try {
    // Not `pipeTo`: in Deno, it may resolve before the last chunk is written.
    for await (const chunk of chunks) await writeAll(file, chunk)
    if (sync) await file.sync()
  } finally {
    file.close()
  }
}

/** Flushes all pending writes to disk, if the `sync` command exists. */
export async function syncFileSystem(): Promise<void> {
  await new Deno.Command('sync').output().catch(() => undefined)
}

/** Returns the content of a text file, or null if it does not exist. */
export async function readTextIfExists(path: string): Promise<string | null> {
  try {
    return await Deno.readTextFile(path)
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null
    throw error
  }
}

export async function exists(path: string): Promise<boolean> {
  try {
    await Deno.stat(path)
    return true
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false
    throw error
  }
}
