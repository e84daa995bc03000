import { z } from 'zod'
import { asService } from '../db/run.ts'
import { removeFiles } from './storage.ts'

const Files = z.array(z.object({ bucket: z.string(), path: z.string() }))
const why = 'what nobody uses is nobody’s to remove but the schedule’s'

/** Uploads and files that are looked at together, and how often in one run. */
const batch = 200
const mostBatches = 25

/**
 * Deletes uploads that nobody uses, and removes the files of those that are gone. It may be run at any time, and by
 * several at once: what one of them did, the others need not.
 *
 * @returns how many uploads were looked at, and how many files removed
 * @throws ApiError 503 when Storage cannot be reached: the files stay noted for the next run
 */
export async function sweepMedia(): Promise<{ uploads: number; files: number }> {
  let uploads = 0
  let files = 0
  for (let run = 0; run < mostBatches; run++) {
    const [row] = await asService(
      why,
      (tx) => tx<{ seen: number }[]>`select private.sweep_media(${batch}::integer) as seen`,
    )
    uploads += row?.seen ?? 0
    if ((row?.seen ?? 0) < batch) break
  }
  for (let run = 0; run < mostBatches; run++) {
    const removed = await removeDoomed()
    files += removed
    if (removed < batch) break
  }
  return { uploads, files }
}

async function removeDoomed(): Promise<number> {
  const [row] = await asService(
    why,
    (tx) => tx<{ doomed: string }[]>`select private.doomed_files_due(${batch}::integer)::text as doomed`,
  )
  const doomed = Files.parse(JSON.parse(row?.doomed ?? '[]'))
  for (const bucket of new Set(doomed.map((file) => file.bucket))) {
    const inBucket = doomed.filter((file) => file.bucket === bucket)
    await removeFiles(
      inBucket.map((file) => file.path),
      bucket,
    )
    await asService(why, (tx) => tx`select private.forget_files(${JSON.stringify(inBucket)}::text::jsonb)`)
  }
  return doomed.length
}
