import { SaveAnswer } from '@contract/post.ts'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '@/lib/api'
import { holdReading } from '@/lib/optimistic'
import { isUnauthorized } from '@/lib/unauthorized'
import { toast } from '@/ui/toaster'
import { findPost, type Lists, updatePost } from './cache'
import { postKeys } from './keys'

/**
 * Saves a post or takes that back: at once on the screen, then as the server answers, back again when it fails.
 * Presses of one post are sent one after the other, since each of them toggles.
 */
export function useToggleSave(postId: string) {
  const client = useQueryClient()
  const scope = `save:${postId}`
  return useMutation({
    scope: { id: scope },
    mutationFn: () => api.post(`/api/posts/${postId}/save`, undefined, SaveAnswer),
    onMutate: async () => {
      const resume = await holdReading(client, { queryKey: postKeys.all })
      const post = findPost(client, postId)
      updatePost(client, postId, (one) => ({ ...one, saved: !one.saved }))
      return { resume, before: post && { saved: post.saved } }
    },
    onSuccess: (answer) => {
      // While another press waits its turn, the screen already shows what comes after it.
      const waiting = client.isMutating({ predicate: (mutation) => mutation.options.scope?.id === scope })
      if (waiting <= 1) updatePost(client, postId, (post) => ({ ...post, ...answer }))
    },
    onError: (error, _, shown) => {
      const before = shown?.before
      if (before) updatePost(client, postId, (post) => ({ ...post, ...before }))
      if (!isUnauthorized(error)) toast({ title: 'Failed to save post', tone: 'destructive' })
    },
    onSettled: (_answer, _error, _sent, shown) => {
      shown?.resume()
      // What is in it has changed; where it is shown, nothing leaves it under the reader's eyes.
      void client.invalidateQueries({ queryKey: postKeys.saved, refetchType: 'none' })
    },
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
