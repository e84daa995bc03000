import { GalleryItem } from '@contract/gallery.ts'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, errorMessage, isUnauthorized } from '@/lib/api'
import { ignoreNotFound } from '@/lib/ignore-not-found'
import { pauseRefetching } from '@/lib/pause-refetching'
import { toast } from '@/ui/toaster'
import { addItemToCache, galleryKeys, removeItemFromCache } from './api'

/**
 * Deletes one of one's own items. It goes from the screen at once and comes back when that fails; a toast offers to
 * bring it back. What it says stands here and not in the item's tile, which is gone by then.
 */
export function useDeleteGalleryItem() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: GalleryItem) => ignoreNotFound(api.delete(`/api/media-gallery/${id}`)),
    onMutate: async (item) => {
      const readAgain = await pauseRefetching(client, { queryKey: galleryKeys.of(item.userId) })
      removeItemFromCache(client, item)
      return readAgain
    },
    onSuccess: (_done, item) => {
      // A page that was being read meanwhile may have brought it again.
      removeItemFromCache(client, item)
      const action = { label: 'Undo', run: () => void bringBack(client, item) }
      toast({ title: item.mediaType === 'image' ? 'Picture deleted' : 'Video deleted', action })
    },
    onError: (error, item) => {
      addItemToCache(client, item)
      if (isUnauthorized(error)) return
      const description = errorMessage(error, 'Please try again.')
      toast({ title: 'Delete failed', description, tone: 'destructive' })
    },
    onSettled: (_done, _error, _item, readAgain) => readAgain?.(),
  })
}

async function bringBack(client: QueryClient, { id }: GalleryItem): Promise<void> {
  try {
    addItemToCache(client, await api.post(`/api/media-gallery/${id}/restore`, undefined, GalleryItem))
  } catch (error) {
    if (isUnauthorized(error)) return
    const description = errorMessage(error, 'It could not be brought back. Please try again.')
    toast({ title: 'Undo failed', description, tone: 'destructive' })
  }
}
