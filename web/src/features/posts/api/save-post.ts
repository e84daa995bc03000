import { type Post, SaveResponse } from '@contract/post.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { api } from '@/lib/api'
import { postKeys } from './keys'
import { useTogglePost } from './post-actions'
import type { Lists } from './post-cache'

type Saved = Pick<Post, 'saved'>

/** Saves a post or takes that back. */
export function useToggleSave(postId: string) {
  const client = useQueryClient()
  return useTogglePost({
    postId,
    name: 'save',
    send: () => api.post(`/api/posts/${postId}/save`, undefined, SaveResponse),
    partOf: (post): Saved => ({ saved: post.saved }),
    turned: (post): Saved => ({ saved: !post.saved }),
    failed: 'Failed to save post',
    onSettled: () => invalidateSavedPosts(client, postId),
  })
}

/**
 * Invalidates the saved posts after one was saved or unsaved. A list on the screen that contains the post is refetched
 * only when it is shown again, so that an unsaved post does not disappear while it is read.
 */
export function invalidateSavedPosts(client: QueryClient, postId: string): void {
  const pages = client.getQueryData<Lists>(postKeys.saved)?.pages ?? []
  const isListed = pages.some((page) => page.items.some(({ id }) => id === postId))
  void client.invalidateQueries({ queryKey: postKeys.saved, refetchType: isListed ? 'none' : 'active' })
}

/** Takes out of the saved posts what no longer is, and has the list read again when it is next shown. */
export function pruneSavedPosts(client: QueryClient): void {
  client.setQueryData<Lists>(postKeys.saved, (data) =>
    data
      ? {
          ...data,
          pages: data.pages.map((page) => ({ ...page, items: page.items.filter((post) => post.saved) })),
        }
      : data,
  )
  void client.invalidateQueries({ queryKey: postKeys.saved, refetchType: 'none' })
}
