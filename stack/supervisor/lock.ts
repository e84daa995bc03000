import { join } from 'node:path'
import { diskSentence, Sentence } from '../shared/sentence.ts'

/**
 * Makes DATA_DIR (private to its user) and takes it for this process. The lock is the operating system's,
 * on an open file: it is gone the moment the process is, even after `kill -9`, and never stays behind.
 *
 * @returns the open file; the lock lasts while it is open
 */
export async function takeDataDirectory(dataDir: string): Promise<Deno.FsFile> {
  let file: Deno.FsFile
  try {
    await Deno.mkdir(dataDir, { recursive: true, mode: 0o700 })
    file = await Deno.open(join(dataDir, 'lock'), { read: true, write: true, create: true, mode: 0o600 })
  } catch (error) {
    throw diskSentence(`Cannot write to DATA_DIR (${dataDir})`, error)
  }
  if (!(await file.tryLock(true))) {
    file.close()
    throw new Sentence(
      `Ovation is already running on ${dataDir}: stop it first, or start this one with another DATA_DIR and PORT.`,
    )
  }
  return file
}
