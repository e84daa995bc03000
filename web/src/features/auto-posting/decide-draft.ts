import type { AutoDraft } from '@contract/auto-posting.ts'
import { Post } from '@contract/post.ts'
import { type InfiniteData, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { api, errorMessage, isUnauthorized, type Page } from '@/lib/api'
import { pendingMutationCount } from '@/lib/pending-mutation-count'
import { queryKeys } from '@/lib/query-keys'
import { toast } from '@/ui/toaster'
import { autoPostingKey, draftsQuery } from './api'

const path = (id: string) => `/api/auto-posts/drafts/${id}`

/**
 * What a creator says to a draft: publishes it, as they changed it, or discards it. Each may be said again, and changes
 * nothing then. `onDone` is told when it is settled.
 */
export function useDecideDraft(draft: AutoDraft, onDone: () => void) {
  const client = useQueryClient()
  const scope = `auto-draft:${draft.id}`
  const options = {
    scope: { id: scope },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: autoPostingKey })
    },
  }
  const publishing = useMutation({
    ...options,
    mutationFn: (content: string | undefined) =>
      api.post(`${path(draft.id)}/publish`, content === undefined ? {} : { content }, Post),
    onSuccess: (post) => {
      // It is kept as it was written; the post has the words as they were changed.
      settle(client, draft.id, 'published')
      toast({ title: 'Post created successfully!' })
      void client.invalidateQueries({ queryKey: queryKeys.postLists })
      void client.invalidateQueries({ queryKey: queryKeys.userStats })
      client.setQueryData<Post>([...queryKeys.posts, 'detail', post.id], post)
      onDone()
    },
    onError: (error) => fail(error, 'Failed to create post. Please try again.'),
  })
  const discarding = useMutation({
    ...options,
    mutationFn: () => api.delete(path(draft.id)),
    onSuccess: () => {
      settle(client, draft.id, 'discarded')
      toast({ title: 'Draft discarded' })
      onDone()
    },
    onError: (error) => fail(error, 'The draft could not be discarded. Please try again.'),
  })
  // A second press comes before the button is drawn anew.
  const unlessBusy = (act: () => void) => {
    if (pendingMutationCount(client, scope) === 0) act()
  }
  return {
    publish: (content: string | undefined) => unlessBusy(() => publishing.mutate(content)),
    discard: () => unlessBusy(() => discarding.mutate()),
    publishing: publishing.isPending,
    discarding: discarding.isPending,
  }
}

function settle(client: QueryClient, id: string, state: AutoDraft['state']): void {
  client.setQueryData<InfiniteData<Page<AutoDraft>, string | null>>(
    draftsQuery.queryKey,
    (data) =>
      data && {
        ...data,
        pages: data.pages.map((page) => ({
          ...page,
          items: page.items.map((one) =>
            one.id === id ? { ...one, state, decidedAt: new Date().toISOString() } : one,
          ),
        })),
      },
  )
}

function fail(error: unknown, fallback: string): void {
  if (isUnauthorized(error)) return
  toast({ title: 'Error', description: errorMessage(error, fallback), tone: 'destructive' })
}
