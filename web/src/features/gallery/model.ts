import type { GalleryItem } from '@contract/gallery.ts'

/** What a picture or video is called where it cannot be seen. */
export function mediaAltText({ mediaType, title, description }: GalleryItem, by: string): string {
  const what = mediaType === 'image' ? 'Picture' : 'Video'
  const said = title ?? description
  return said ? `${what}: ${said}` : `${what} by ${by}`
}

/** The id of an item's tile in the page. */
export const tileId = (id: string) => `gallery-${id}`
