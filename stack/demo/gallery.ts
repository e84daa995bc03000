import type { TransactionSql } from 'postgres'
import { gallery } from './content/gallery.ts'
import { idOf, userIdOf } from './ids.ts'
import type { DemoPicture } from './pictures.ts'
import { daysBefore } from './time.ts'

/** A gallery item. Its picture has the owner's theme. */
interface DemoGalleryItem {
  id: string
  owner: string
  title: string
  description: string | null
  at: Date
}

export const makeGallery = (now: Date): DemoGalleryItem[] =>
  Object.entries(gallery).flatMap(([owner, items]) =>
    items.map(([daysAgo, title, description = null]) => ({
      id: idOf('gallery', `${owner} ${daysAgo}`),
      owner,
      title,
      description,
      at: daysBefore(now, daysAgo),
    })),
  )

/** Inserts the items that have a picture. The API's function cannot be used, because it needs a signed-in caller. */
export async function insertGallery(
  tx: TransactionSql,
  items: DemoGalleryItem[],
  pictures: Map<string, DemoPicture>,
): Promise<void> {
  const rows = items.map((item) => ({
    ...item,
    owner: userIdOf(item.owner),
    media: pictures.get(item.id)?.id,
  }))
  await tx`
    insert into public.gallery_items (id, user_id, media_id, title, description, created_at)
    select r.id, r.owner, r.media, r.title, r.description, r.at
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as r (id uuid, owner uuid, media uuid, title text,
      description text, at timestamptz)
    where r.media is not null`
}
