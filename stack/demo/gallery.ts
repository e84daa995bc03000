import type { TransactionSql } from 'postgres'
import { rowsOf, uidOf } from './insert-people.ts'
import { idOf } from './numbers.ts'
import type { DemoPicture } from './pictures/posts.ts'
import { gallery } from './texts/gallery.ts'

/** One item of somebody's gallery; its picture is painted after its owner's theme. */
export interface DemoItem {
  id: string
  owner: string
  title: string
  description: string | null
  at: Date
}

export function makeGallery(now: Date): DemoItem[] {
  return Object.entries(gallery).flatMap(([owner, items]) =>
    items.map(([daysAgo, title, description = null]) => ({
      id: idOf('gallery', `${owner} ${daysAgo}`),
      owner,
      title,
      description,
      at: new Date(now.getTime() - daysAgo * 86_400_000),
    })),
  )
}

/** The items with their pictures; without its picture there is none. */
export async function insertGallery(
  tx: TransactionSql,
  items: DemoItem[],
  pictures: Map<string, DemoPicture>,
): Promise<void> {
  const rows = rowsOf(
    items.flatMap((item) => {
      const picture = pictures.get(item.id)
      return picture ? [{ ...picture, ...item, media: picture.id, owner: uidOf(item.owner) }] : []
    }),
  )
  await tx`
    insert into public.media
      (id, owner_id, kind, state, path, content_type, bytes, width, height, placeholder, created_at)
    select r.media, r.owner, 'image', 'ready', r.path, 'image/png', r.bytes, r.width, r.height, r.placeholder, r.at
    from jsonb_to_recordset(${rows}::text::jsonb) as r (media uuid, owner uuid, path text, bytes bigint,
      width integer, height integer, placeholder text, at timestamptz)`
  await tx`
    insert into public.gallery_items (id, user_id, media_id, title, description, created_at)
    select r.id, r.owner, r.media, r.title, r.description, r.at
    from jsonb_to_recordset(${rows}::text::jsonb) as r (id uuid, owner uuid, media uuid, title text, description text,
      at timestamptz)`
}
