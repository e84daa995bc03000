import { join } from 'node:path'
import { diskError, StartupError } from '../shared/errors.ts'

/**
 * Locks DATA_DIR for this process. If the directory does not exist, creates it first, accessible only to its owner. The
 * lock is an operating system lock on an open file. It is released when the process exits, even after `kill -9`, so it
 * is never stale.
 *
 * @returns the open file; closing the file releases the lock
 * @throws StartupError if another process holds the lock, or DATA_DIR cannot be written
 */
export async function lockDataDirectory(dataDir: string): Promise<Deno.FsFile> {
  let file: Deno.FsFile
  try {
    await Deno.mkdir(dataDir, { recursive: true, mode: 0o700 })
    file = await Deno.open(join(dataDir, 'lock'), { read: true, write: true, create: true, mode: 0o600 })
  } catch (error) {
    throw diskError(`Cannot write to DATA_DIR (${dataDir})`, error)
  }
  if (!(await file.tryLock(true))) {
    file.close()
    throw new StartupError(
      `Ovation is already running on ${dataDir}: stop it first, or use another DATA_DIR and PORT.`,
    )
  }
  return file
}
