import { sql } from '../db/sql.ts'

/** SQL for a `GalleryItem` as JSON text, built from the item `g` and its media `m`. */
export const galleryItemJson = sql`json_build_object(
  'id', g.id, 'userId', g.user_id, 'mediaType', m.kind, 'mediaUrl', '/api/media/' || m.id,
  'title', g.title, 'description', g.description, 'placeholder', m.placeholder,
  'width', m.width, 'height', m.height, 'createdAt', g.created_at)::text`
