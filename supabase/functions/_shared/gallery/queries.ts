import type { GalleryItem } from '../contract/gallery.ts'
import { keyOf, type PageRow, type Range, sql, toPage, window } from '../db/page.ts'
import { asCaller, asUser, type Sql } from '../db/run.ts'
import type { JsonText, Page } from '../http/answers.ts'
import { notFound } from '../http/errors.ts'
import type { Caller } from '../http/session.ts'
import { userNotFound } from '../users/queries.ts'

type Row = { item: JsonText<GalleryItem> }

/** A `GalleryItem` as JSON text, of the row `g` and its upload `m`. */
const item = sql`json_build_object(
  'id', g.id, 'userId', g.user_id, 'mediaType', m.kind, 'mediaUrl', '/api/media/' || m.id,
  'title', g.title, 'description', g.description, 'placeholder', m.placeholder,
  'width', m.width, 'height', m.height, 'createdAt', g.created_at)::text`

/**
 * What somebody shows in their gallery, the newest first; nothing where their profile is not open to the caller. The
 * page is cut before its uploads are looked up, and a closed gallery is not walked through: it costs the same whatever
 * lies in it.
 *
 * @throws ApiError 404 for nobody, or somebody in a block with the caller
 */
export async function listGallery(
  caller: Caller | null,
  userId: string,
  range: Range,
): Promise<Page<GalleryItem>> {
  const { after } = range
  const [people, rows] = await asCaller(caller, (tx) => [
    tx`select from public.profiles u where u.id = ${userId}::text::uuid`,
    tx<PageRow[]>`
      select ${item} as item, ${keyOf(sql`g.created_at`, sql`g.id`)} as key
      from (
        select g.* from public.gallery_items g
        where (select private.can_view(${userId}::text::uuid))
          and g.user_id = ${userId}::text::uuid and g.deleted_at is null
        ${after ? sql`and (g.created_at, g.id) < (${after.at}::text::timestamptz, ${after.id}::text::uuid)` : sql``}
        order by g.created_at desc, g.id desc ${window(range)}
      ) g join public.media m on m.id = g.media_id
      order by g.created_at desc, g.id desc`,
  ])
  if (people.count === 0) throw userNotFound()
  return toPage(rows, range)
}

/** Deletes an item, which can be brought back for ten minutes. */
export async function deleteItem(caller: Caller, id: string): Promise<void> {
  await asUser(caller, (tx) => tx`select private.delete_gallery_item(${id}::text::uuid)`)
}

/**
 * Brings a deleted item back, to its place.
 *
 * @throws ApiError 403 for an account that is read-only, 404 for what is not the caller's, or too late
 */
export async function restoreItem(caller: Caller, id: string): Promise<JsonText<GalleryItem>> {
  const [, [row]] = await asUser(caller, (tx) => [
    tx`select private.restore_gallery_item(${id}::text::uuid)`,
    selectOwn(tx, caller, id),
  ])
  if (!row) throw notFound()
  return row.item
}

/** One of the caller's own items, null where there is none. */
export async function findOwnItem(caller: Caller, id: string): Promise<JsonText<GalleryItem> | null> {
  const [row] = await asUser(caller, (tx) => selectOwn(tx, caller, id))
  return row?.item ?? null
}

/**
 * Puts a ready upload of the caller into their gallery.
 *
 * @throws ApiError 401, 403, 409 where there is an item of this id
 */
export async function insertItem(
  caller: Caller,
  { id, upload, kind, title, description }: NewItem,
): Promise<JsonText<GalleryItem>> {
  const [, [row]] = await asUser(caller, (tx) => [
    tx`select private.add_gallery_item(
         ${id}::text::uuid, ${upload}::text::uuid, ${kind}::text, ${title}::text, ${description}::text)`,
    selectOwn(tx, caller, id),
  ])
  if (!row) throw notFound()
  return row.item
}

type NewItem = {
  id: string
  /** The upload that it shows. */
  upload: string
  kind: 'image' | 'video'
  title: string
  description: string
}

const selectOwn = (tx: Sql, caller: Caller, id: string) => tx<Row[]>`
  select ${item} as item from public.gallery_items g join public.media m on m.id = g.media_id
  where g.id = ${id}::text::uuid and g.user_id = ${caller.userId}::text::uuid`
