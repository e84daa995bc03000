import { GalleryItem } from '@contract/gallery.ts'
import { limits } from '@contract/limits.ts'
import { type InfiniteData, infiniteQueryOptions, type QueryClient } from '@tanstack/react-query'
import { api, type Page, withQuery } from '@/lib/api'

export const galleryKeys = {
  of: (userId: string) => ['media-gallery', userId] as const,
}

/** What somebody shows in their gallery, the newest first. Read anew whenever it is shown: no event tells of it. */
export function galleryQuery(userId: string) {
  return infiniteQueryOptions({
    queryKey: galleryKeys.of(userId),
    queryFn: ({ pageParam, signal }) => {
      const paging = { limit: limits.page.gallery, cursor: pageParam ?? undefined }
      return api.page(withQuery('/api/media-gallery', { userId, ...paging }), GalleryItem, { signal })
    },
    initialPageParam: null as string | null,
    // Only a full page comes with a cursor. Its length says nothing later: an item deleted here leaves it shorter.
    getNextPageParam: (last) => last.nextCursor,
    staleTime: 0,
  })
}

export type GalleryPages = InfiniteData<Page<GalleryItem>>

/** The newest first, as the server has them. */
const isBefore = (one: GalleryItem, other: GalleryItem) =>
  one.createdAt > other.createdAt || (one.createdAt === other.createdAt && one.id > other.id)

/**
 * The pages with an item at its place. One that belongs behind the last page that was read comes with the next one.
 */
export function insertItem(pages: GalleryPages, item: GalleryItem): GalleryPages {
  const without = removeItem(pages, item.id)
  const at = without.pages.findIndex((page) => page.items.some((other) => isBefore(item, other)))
  const last = without.pages.length - 1
  const target = at >= 0 ? at : last
  if (at < 0 && without.pages[last]?.nextCursor) return without
  const insert = (page: Page<GalleryItem>) => {
    const place = page.items.findIndex((other) => isBefore(item, other))
    return { ...page, items: page.items.toSpliced(place >= 0 ? place : page.items.length, 0, item) }
  }
  return { ...without, pages: without.pages.map((page, index) => (index === target ? insert(page) : page)) }
}

/** The pages without an item. */
export function removeItem(pages: GalleryPages, id: string): GalleryPages {
  return {
    ...pages,
    pages: pages.pages.map((page) => ({ ...page, items: page.items.filter((item) => item.id !== id) })),
  }
}

/** Shows an item that was added or brought back, where its gallery has been read. */
export function addItemToCache(client: QueryClient, item: GalleryItem): void {
  const { queryKey } = galleryQuery(item.userId)
  client.setQueryData(queryKey, (pages) => pages && insertItem(pages, item))
}

/** Takes an item out, where its gallery has been read. */
export function removeItemFromCache(client: QueryClient, { id, userId }: GalleryItem): void {
  const { queryKey } = galleryQuery(userId)
  client.setQueryData(queryKey, (pages) => pages && removeItem(pages, id))
}
