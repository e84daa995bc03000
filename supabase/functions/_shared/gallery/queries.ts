import type { GalleryItem } from '../contract/gallery.ts'
import {
  afterCursor,
  cursorKey,
  limitClause,
  type Page,
  type PageRange,
  type PageRow,
  toPage,
} from '../db/page.ts'
import { type JsonText, type Sql, sql } from '../db/sql.ts'
import type { Caller } from '../http/caller.ts'
import { notFound } from '../http/errors.ts'
import { asCaller, asUser } from '../http/run-as.ts'
import { userNotFound } from '../users/queries.ts'
import { galleryItemJson } from './presenter.ts'

type Row = { item: JsonText<GalleryItem> }

/**
 * Lists a user's gallery, newest first. The list is empty if the caller may not view the profile. The inner query
 * applies the limit before the join and checks visibility once, so the cost of listing a hidden gallery does not depend
 * on its size.
 *
 * @throws ApiError 404 for an unknown user, or if the user or the caller has blocked the other
 */
export async function listGallery(
  caller: Caller | null,
  userId: string,
  range: PageRange,
): Promise<Page<GalleryItem>> {
  const [profiles, rows] = await asCaller(caller, (tx) => [
    tx`select from public.profiles u where u.id = ${userId}::text::uuid`,
    tx<PageRow[]>`
      select ${galleryItemJson} as item, ${cursorKey(sql`g.created_at`, sql`g.id`)} as key
      from (
        select g.* from public.gallery_items g
        where (select private.can_view_profile(${userId}::text::uuid))
          and g.user_id = ${userId}::text::uuid and g.deleted_at is null
        ${afterCursor(range, sql`g.created_at`, sql`g.id`)}
        order by g.created_at desc, g.id desc ${limitClause(range)}
      ) g join public.media m on m.id = g.media_id
      order by g.created_at desc, g.id desc`,
  ])
  if (profiles.count === 0) throw userNotFound()
  return toPage(rows, range)
}

/**
 * Deletes one of the caller's items. The item can be restored for ten minutes.
 *
 * @throws ApiError 403 for another user's item; 404 if the item does not exist or is hidden from the caller
 */
export async function deleteItem(caller: Caller, id: string): Promise<void> {
  await asUser(caller, (tx) => tx`select private.delete_gallery_item(${id}::text::uuid)`)
}

/**
 * Restores a deleted item to its previous position in the gallery.
 *
 * @throws ApiError 403 for a read-only account; 404 for an item that is not the caller's or was deleted too long ago
 */
export async function restoreItem(caller: Caller, id: string): Promise<JsonText<GalleryItem>> {
  const [, [row]] = await asUser(caller, (tx) => [
    tx`select private.restore_gallery_item(${id}::text::uuid)`,
    selectOwnItem(tx, caller, id),
  ])
  if (!row) throw notFound()
  return row.item
}

/** Returns one of the caller's own items, or null. */
export async function findOwnItem(caller: Caller, id: string): Promise<JsonText<GalleryItem> | null> {
  const [row] = await asUser(caller, (tx) => selectOwnItem(tx, caller, id))
  return row?.item ?? null
}

/**
 * Adds one of the caller's uploads to their gallery.
 *
 * @throws ApiError 400 if the upload cannot be used; 401; 403; 409 if an item with this id exists
 */
export async function insertItem(
  caller: Caller,
  { id, mediaId, kind, title, description }: NewItem,
): Promise<JsonText<GalleryItem>> {
  const [, [row]] = await asUser(caller, (tx) => [
    tx`select private.add_gallery_item(
         ${id}::text::uuid, ${mediaId}::text::uuid, ${kind}::text, ${title}::text, ${description}::text)`,
    selectOwnItem(tx, caller, id),
  ])
  if (!row) throw notFound()
  return row.item
}

type NewItem = {
  id: string
  mediaId: string
  kind: 'image' | 'video'
  title: string
  description: string
}

const selectOwnItem = (tx: Sql, caller: Caller, id: string) => tx<Row[]>`
  select ${galleryItemJson} as item from public.gallery_items g join public.media m on m.id = g.media_id
  where g.id = ${id}::text::uuid and g.user_id = ${caller.userId}::text::uuid`
