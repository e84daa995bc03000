import { dirname } from 'node:path'

/** Makes a rename or a new name in `directory` survive a power cut. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await Deno.open(directory, { read: true })
  try {
    await handle.sync()
  } finally {
    handle.close()
  }
}

/**
 * Replaces a file in one step: whoever reads it, even after a crash, sees the old content or the new.
 *
 * @param mode permission bits of the new file
 */
export async function writeDurably(path: string, content: string | Uint8Array, mode = 0o600): Promise<void> {
  const temporary = `${path}.${crypto.randomUUID()}.tmp`
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
  try {
    const handle = await Deno.open(temporary, { write: true, createNew: true, mode })
    try {
      let written = 0
      while (written < bytes.length) written += await handle.write(bytes.subarray(written))
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

/** The content of a file, or null where there is none. */
export async function readIfThere(path: string): Promise<string | null> {
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
