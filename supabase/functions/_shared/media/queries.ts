import { z } from 'zod'
import type { StorageUsage } from '../contract/media.ts'
import type { Caller } from '../http/caller.ts'
import { asCaller, asService, asUser } from '../http/run-as.ts'
import type { MediaType } from './file-types.ts'

/** A file that is about to be stored. */
type NewMedia = {
  id: string
  type: MediaType
  /** The size in bytes that is known so far. `markMediaReady` sets the final size. */
  bytes: number
  path: string
  /** The path to which the client uploads the file, if it sends the file directly to Storage. */
  incomingPath?: string
  width?: number
  height?: number
  placeholder?: string | undefined
}

/**
 * Counts an upload, before any of its body is read, against the account's limit of 60 uploads an hour.
 *
 * @throws ApiError 401; 403 if the account is read-only; 429 if the limit is reached
 */
export async function consumeUploadLimit(caller: Caller): Promise<void> {
  await asUser(caller, (tx) => tx`select private.consume_upload_limit()`)
}

/**
 * Inserts the pending media row of a file, before the file is stored.
 *
 * @throws ApiError 401; 403 if the account is read-only, or `storage_quota_reached` if the file exceeds the quota
 */
export async function insertPendingMedia(caller: Caller, media: NewMedia): Promise<void> {
  const kind = media.type.split('/')[0] ?? ''
  await asUser(
    caller,
    (tx) => tx`
      select private.begin_upload(
        ${media.id}::text::uuid, ${kind}::text, ${media.type}::text, ${media.bytes}::bigint, ${media.path}::text,
        ${media.incomingPath ?? null}::text, ${media.width ?? null}::integer, ${media.height ?? null}::integer,
        ${media.placeholder ?? null}::text)`,
  )
}

/**
 * Marks a stored and checked file as ready. Returns false if its row has been deleted in the meantime.
 *
 * @param type the detected type, which may differ from the declared one
 * @param seconds the duration of a video or voice recording, if known
 * @throws ApiError 403 `storage_quota_reached` if the file is larger than previously known and exceeds the quota
 */
export async function markMediaReady(
  id: string,
  bytes: number,
  type: MediaType,
  seconds: number | null = null,
): Promise<boolean> {
  // Only the server, which has checked the file, may mark it as ready.
  const [row] = await asService(
    (tx) => tx<{ done: boolean }[]>`
      select private.finish_upload(${id}::text::uuid, ${bytes}::bigint, ${type}::text, ${seconds}::integer) as done`,
  )
  return row?.done ?? false
}

/** Returns the caller's used storage and quota. @throws ApiError 401 */
export async function readStorageUsage(caller: Caller): Promise<StorageUsage> {
  const [usage] = await asUser(
    caller,
    (tx) => tx<StorageUsage[]>`
      select s.used_bytes::float8 as "usedBytes", s.quota_bytes::float8 as "quotaBytes" from private.own_storage() s`,
  )
  return usage ?? { usedBytes: 0, quotaBytes: 0 }
}

/** Deletes a pending media row. Returns false if the row does not exist or is already ready. */
export async function deletePendingMedia(id: string): Promise<boolean> {
  // Runs as the service role, because users may not delete media rows.
  const [deleted] = await asService(
    (tx) =>
      tx`delete from public.media m where m.id = ${id}::text::uuid and m.state = 'pending' returning m.id`,
  )
  return deleted !== undefined
}

/**
 * Deletes a media row. Returns the path of its file, or null if the row does not exist.
 *
 * @throws ApiError 404 if another row refers to it
 */
export async function deleteMedia(id: string): Promise<string | null> {
  // Runs as the service role, because users may not delete media rows.
  const [deleted] = await asService(
    (tx) =>
      tx<{ path: string }[]>`delete from public.media m where m.id = ${id}::text::uuid returning m.path`,
  )
  return deleted?.path ?? null
}

/** Returns the file of a ready upload that the caller may see, or null. */
export async function findReadyMedia(
  caller: Caller | null,
  id: string,
): Promise<{ path: string; type: string; bytes: number } | null> {
  const [media] = await asCaller(
    caller,
    (tx) => tx<{ path: string; type: string; bytes: number }[]>`
      select m.path, m.content_type as type, m.bytes::float8 as bytes
      from public.media m where m.id = ${id}::text::uuid and m.state = 'ready'`,
  )
  return media ?? null
}

/**
 * A video that the client sends directly to Storage: to `incomingPath`, from where it is later moved to `path`. `bytes`
 * and `type` are what the client declared.
 */
export type PendingVideo = { path: string; incomingPath: string; bytes: number; type: string }

/** Returns one of the caller's own pending direct video uploads, or null. */
export async function findPendingVideo(caller: Caller, id: string): Promise<PendingVideo | null> {
  const [pending] = await asUser(
    caller,
    (tx) => tx<PendingVideo[]>`
      select m.path, m.incoming_path as "incomingPath", m.bytes::float8 as bytes, m.content_type as type
      from public.media m
      where m.id = ${id}::text::uuid and m.owner_id = ${caller.userId}::text::uuid
        and m.kind = 'video' and m.state = 'pending' and m.incoming_path is not null`,
  )
  return pending ?? null
}

/**
 * Counts the check of a video against the account's limit of 30 checks a minute. Each check takes several calls to
 * Storage.
 *
 * @throws ApiError 401, 429
 */
export async function consumeVideoCheckLimit(caller: Caller): Promise<void> {
  await asUser(caller, (tx) => tx`select private.consume_video_check()`)
}

/**
 * Schedules the deletion of a profile image that is about to be stored. The deletion is cancelled when a profile uses
 * the image.
 *
 * @throws ApiError 401, 403
 */
export async function insertPendingProfileImage(caller: Caller, path: string): Promise<void> {
  await asUser(caller, (tx) => tx`select private.begin_profile_image_upload(${path}::text)`)
}

/** The profile image or the background image of a profile. */
export type ProfileImageKind = 'profile' | 'background'

/**
 * Sets one of the caller's profile images to a stored file; null removes the image.
 *
 * @throws ApiError 400, 401, 403
 */
export async function setProfileImage(
  caller: Caller,
  kind: ProfileImageKind,
  path: string | null,
): Promise<void> {
  await asUser(caller, (tx) => tx`select private.set_own_profile_image(${kind}::text, ${path}::text)`)
}

/**
 * Checks at most `limit` possibly orphaned uploads and deletes the unused ones. Returns the number of checked uploads.
 */
export async function deleteOrphanedMedia(limit: number): Promise<number> {
  const [row] = await asService(
    (tx) => tx<{ checked: number }[]>`select private.delete_orphaned_media(${limit}::integer) as checked`,
  )
  return row?.checked ?? 0
}

const StoredFiles = z.array(z.object({ bucket: z.string(), path: z.string() }))
type StoredFile = z.infer<typeof StoredFiles>[number]

/** Returns at most `limit` files from the deletion queue that are due. */
export async function listFilesToDelete(limit: number): Promise<StoredFile[]> {
  const [row] = await asService(
    (tx) => tx<{ files: string }[]>`select private.due_file_deletions(${limit}::integer)::text as files`,
  )
  return StoredFiles.parse(JSON.parse(row?.files ?? '[]'))
}

/** Postpones the deletion of files by half an hour. */
export async function postponeFileDeletions(files: readonly StoredFile[]): Promise<void> {
  const list = JSON.stringify(files)
  await asService((tx) => tx`select private.postpone_file_deletions(${list}::text::jsonb)`)
}

/** Removes deleted files from the deletion queue. */
export async function dequeueFileDeletions(files: readonly StoredFile[]): Promise<void> {
  const list = JSON.stringify(files)
  await asService((tx) => tx`select private.complete_file_deletions(${list}::text::jsonb)`)
}
