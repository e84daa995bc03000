import { env } from '../env.ts'
import { invalidField } from '../http/errors.ts'

export const mediaUrl = (id: string) => `/api/media/${id}`

/**
 * Returns the id of the upload that a URL field refers to, or null for an empty field.
 *
 * @throws ApiError 400 `media_not_usable` if the URL is not that of an upload
 */
export function mediaIdFromUrl(
  field: 'imageUrl' | 'videoUrl' | 'posterUrl' | 'voiceUrl',
  url: string | null | undefined,
): string | null {
  if (!url) return null
  const id = parseMediaUrl(url)
  if (!id) throw invalidField(field, 'This is not the URL of an upload.', 'media_not_usable')
  return id
}

/** Removes the origin from a URL if it is one of this site's. */
export function withoutOwnOrigin(url: string): string {
  const origin = [...env.origins].find((candidate) => url.startsWith(`${candidate}/`)) ?? ''
  return url.slice(origin.length)
}

/** Returns the id in `/api/media/<id>`. The URL may start with one of this site's origins. */
function parseMediaUrl(url: string): string | null {
  const match = /^\/api\/media\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.exec(withoutOwnOrigin(url))
  return match?.[1]?.toLowerCase() ?? null
}
