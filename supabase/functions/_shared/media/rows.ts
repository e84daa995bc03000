import type { VideoType } from '../contract/media.ts'
import { asService, asUser } from '../db/run.ts'
import { log } from '../http/log.ts'
import type { Caller } from '../http/session.ts'
import { extensions, type ImageType } from './kinds.ts'
import { removeFiles } from './storage.ts'

/** Milliseconds for taking a file back: somebody waits to hear why, and the job does it again. */
const shortly = 3_000

/** A file that is about to be stored. */
type NewMedia = {
  id: string
  type: ImageType | VideoType
  /** Its bytes, as far as they are known: they are counted again when it is ready. */
  bytes: number
  path: string
  incomingPath?: string
  width?: number
  height?: number
  placeholder?: string
}

/** Where a file lies in its bucket. */
export const pathOf = (caller: Caller, id: string, type: ImageType | VideoType) =>
  `${caller.userId}/${id}.${extensions[type]}`

/**
 * Counts an upload before anything of it is read: 60 an hour for an account.
 *
 * @throws ApiError 401, 403 for an account that is read-only, 429
 */
export async function takeUpload(caller: Caller): Promise<void> {
  await asUser(caller, (tx) => tx`select private.take_upload()`)
}

/**
 * Records a file as pending, before it is stored.
 *
 * @throws ApiError 401, 403
 */
export async function beginMedia(caller: Caller, media: NewMedia): Promise<void> {
  const kind = media.type.startsWith('image/') ? 'image' : 'video'
  await asUser(
    caller,
    (tx) => tx`
      select private.begin_media(
        ${media.id}::text::uuid, ${kind}::text, ${media.type}::text, ${media.bytes}::bigint, ${media.path}::text,
        ${media.incomingPath ?? null}::text, ${media.width ?? null}::integer, ${media.height ?? null}::integer,
        ${media.placeholder ?? null}::text)`,
  )
}

/**
 * Counts a look at a video in Storage, which takes several calls there: 30 a minute for an account.
 *
 * @throws ApiError 401, 429
 */
export async function takeLook(caller: Caller): Promise<void> {
  await asUser(caller, (tx) => tx`select private.take_look()`)
}

/**
 * A file is stored and has been looked at; false when its row has gone meanwhile.
 *
 * @param type what it is, whatever was announced
 */
export async function finishMedia(id: string, bytes: number, type: ImageType | VideoType): Promise<boolean> {
  const [row] = await asService(
    'that a file is what it should be is for nobody to say but who looked at it',
    (tx) => tx<{ done: boolean }[]>`
      select private.finish_media(${id}::text::uuid, ${bytes}::bigint, ${type}::text) as done`,
  )
  return row?.done ?? false
}

/**
 * Takes a file back that was refused or did not arrive: its row, which notes its paths for the job that removes files,
 * and at once, as far as Storage can be reached, the file itself. Never throws: it stands where something has failed.
 */
export async function dropMedia(id: string, paths: readonly string[]): Promise<void> {
  try {
    const [dropped] = await asService(
      'no caller may delete a row of uploads',
      (tx) =>
        tx`delete from public.media m where m.id = ${id}::text::uuid and m.state = 'pending' returning m.id`,
    )
    // One that became ready, though its caller was never told, keeps its file for as long as its row.
    if (dropped) await removeFiles(paths, undefined, shortly)
  } catch (error) {
    // A pending row that stays is taken out by the job.
    log('warn', 'upload_not_taken_back', { reason: error instanceof Error ? error.name : '' })
  }
}

/**
 * Takes back an upload that is ready and that nobody was told of, when what it was for has failed. One that is in use
 * after all stays. Never throws.
 */
export async function dropUnused(id: string): Promise<void> {
  try {
    const [dropped] = await asService(
      'no caller may delete a row of uploads',
      (tx) =>
        tx<{ path: string }[]>`delete from public.media m where m.id = ${id}::text::uuid returning m.path`,
    )
    if (dropped) await removeFiles([dropped.path], undefined, shortly)
  } catch (error) {
    // What refers to it keeps it; else the job takes it out.
    log('warn', 'upload_not_taken_back', { reason: error instanceof Error ? error.name : '' })
  }
}
