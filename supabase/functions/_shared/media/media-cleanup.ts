import {
  deleteOrphanedMedia,
  dequeueFileDeletions,
  listFilesToDelete,
  postponeFileDeletions,
} from './queries.ts'
import { removeFiles } from './storage.ts'

const batchSize = 200
const maxBatches = 25

/**
 * Deletes orphaned uploads, and removes from Storage the files that are due in the deletion queue, up to `maxBatches`
 * batches of each. Safe to run at any time, even concurrently.
 *
 * @returns how many uploads were checked and how many files were removed
 * @throws ApiError 503 if some files could not be removed. These stay in the queue; the others are still removed.
 */
export async function cleanUpMedia(): Promise<{ uploads: number; files: number }> {
  let uploads = 0
  let files = 0
  let error: unknown
  for (let batch = 0; batch < maxBatches; batch++) {
    const checkedCount = await deleteOrphanedMedia(batchSize)
    uploads += checkedCount
    if (checkedCount < batchSize) break
  }
  for (let batch = 0; batch < maxBatches; batch++) {
    const result = await removeQueuedFiles()
    files += result.removed
    error ??= result.error
    if (result.due < batchSize) break
  }
  if (error) throw error
  return { uploads, files }
}

async function removeQueuedFiles(): Promise<{ due: number; removed: number; error?: unknown }> {
  const dueFiles = await listFilesToDelete(batchSize)
  let removed = 0
  let firstError: unknown
  for (const bucket of new Set(dueFiles.map((file) => file.bucket))) {
    const files = dueFiles.filter((file) => file.bucket === bucket)
    const paths = files.map((file) => file.path)
    try {
      await removeFiles(paths, bucket)
    } catch (error) {
      firstError ??= error
      // If these files were not postponed, they would come first in every batch and block all others.
      await postponeFileDeletions(files)
      continue
    }
    await dequeueFileDeletions(files)
    removed += files.length
  }
  return { due: dueFiles.length, removed, error: firstError }
}
