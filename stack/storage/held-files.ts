import { basename, join } from 'node:path'
import { exists } from '../shared/files.ts'

/*
While a backup runs, the folder storage/held exists, and a deleted file is moved there. So every file that existed when
the database was copied still exists when the files are copied (stack/backup/archive.ts).
*/

export const heldFolder = 'held'

/** Starts holding deleted files. */
export async function holdDeletedFiles(storageFolder: string): Promise<void> {
  await Deno.mkdir(join(storageFolder, heldFolder), { recursive: true, mode: 0o700 })
}

/**
 * Returns whether deleted files are being held: `holdDeletedFiles` has run, and `deleteHeldFiles` has not run since.
 */
export const areFilesHeld = (storageFolder: string): Promise<boolean> =>
  exists(join(storageFolder, heldFolder))

/** Deletes the held files. Also runs when the stack starts, in case a backup was killed. */
export async function deleteHeldFiles(storageFolder: string): Promise<void> {
  const released = join(storageFolder, 'released')
  const ignoreMissing = (error: unknown) => {
    if (!(error instanceof Deno.errors.NotFound)) throw error
  }
  await Deno.remove(released, { recursive: true }).catch(ignoreMissing)
  // The folder is renamed first, because files may be moved into it at the same time.
  await Deno.rename(join(storageFolder, heldFolder), released).catch(ignoreMissing)
  await Deno.remove(released, { recursive: true }).catch(ignoreMissing)
}

/**
 * Deletes a stored file, or holds it while a backup runs.
 *
 * @throws Deno.errors.NotFound if there is no such file
 */
export async function removeStoredFile(storageFolder: string, path: string): Promise<void> {
  try {
    await Deno.rename(path, join(storageFolder, heldFolder, basename(path)))
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error
    // Either deleted files are not being held, or the file does not exist.
    await Deno.remove(path)
  }
}
