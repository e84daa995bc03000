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
 * @throws ApiError 503 when files could not be removed, after all others were: they stay noted for a later run
 */
export async function sweepMedia(): Promise<{ uploads: number; files: number }> {
  let uploads = 0
  let files = 0
  let failure: unknown
  for (let run = 0; run < mostBatches; run++) {
    const [row] = await asService(
      why,
      (tx) => tx<{ seen: number }[]>`select private.sweep_media(${batch}::integer) as seen`,
    )
    uploads += row?.seen ?? 0
    if ((row?.seen ?? 0) < batch) break
  }
  for (let run = 0; run < mostBatches; run++) {
    const done = await removeDoomed()
    files += done.removed
    failure ??= done.failure
    if (done.seen < batch) break
  }
  if (failure) throw failure
  return { uploads, files }
}

async function removeDoomed(): Promise<{ seen: number; removed: number; failure?: unknown }> {
  const [row] = await asService(
    why,
    (tx) => tx<{ doomed: string }[]>`select private.doomed_files_due(${batch}::integer)::text as doomed`,
  )
  const doomed = Files.parse(JSON.parse(row?.doomed ?? '[]'))
  let removed = 0
  let failure: unknown
  for (const bucket of new Set(doomed.map((file) => file.bucket))) {
    const inBucket = doomed.filter((file) => file.bucket === bucket)
    const list = JSON.stringify(inBucket)
    const paths = inBucket.map((file) => file.path)
    try {
      await removeFiles(paths, bucket)
    } catch (error) {
      failure ??= error
      // They would be the oldest next time too, and in the way of all others.
      await asService(why, (tx) => tx`select private.put_off_files(${list}::text::jsonb)`)
      continue
    }
    await asService(why, (tx) => tx`select private.forget_files(${list}::text::jsonb)`)
    removed += inBucket.length
  }
  return { seen: doomed.length, removed, failure }
}
