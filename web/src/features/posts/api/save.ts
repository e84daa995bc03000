import { type Post, SaveResponse } from '@contract/post.ts'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { api } from '@/lib/api'
import type { Lists } from './cache'
import { postKeys } from './keys'
import { useToggle } from './toggle'

type Saved = Pick<Post, 'saved'>

/** Saves a post or takes that back. */
export function useToggleSave(postId: string) {
  const client = useQueryClient()
  return useToggle({
    postId,
    name: 'save',
    send: () => api.post(`/api/posts/${postId}/save`, undefined, SaveResponse),
    partOf: (post): Saved => ({ saved: post.saved }),
    turned: (post): Saved => ({ saved: !post.saved }),
    failed: 'Failed to save post',
    // What is in it has changed; where it is shown, nothing leaves it under the reader's eyes.
    onSettled: () => void client.invalidateQueries({ queryKey: postKeys.saved, refetchType: 'none' }),
  })
}

/** Takes out of the saved posts what no longer is, and has the list read again when it is next shown. */
export function settleSaved(client: QueryClient): void {
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
