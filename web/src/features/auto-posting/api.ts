import { AutoDraft, AutoPostingState } from '@contract/auto-posting.ts'
import { intervals } from '@contract/intervals.ts'
import { limits } from '@contract/limits.ts'
import { Post } from '@contract/post.ts'
import { t } from '@lingui/core/macro'
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import { api, type Page, pagedList } from '@/lib/api'
import { errorMessage } from '@/lib/errors'
import { pendingMutationCount, updateItems } from '@/lib/query-cache'
import { queryKeys } from '@/lib/query-client'
import { toast } from '@/ui/toaster'

/** The viewer's auto-posting state. Polled, because no realtime event reports scheduled posts or changes by admins. */
export const autoPostingStatusQuery = queryOptions({
  queryKey: [...queryKeys.autoPosts, 'state'],
  queryFn: ({ signal }) => api.get('/api/auto-posts', AutoPostingState, { signal }),
  staleTime: 0,
  refetchInterval: intervals.pollMs,
})

/** The drafts written for the viewer to approve, newest first, including published, discarded and expired ones. */
export const draftsQuery = infiniteQueryOptions({
  queryKey: [...queryKeys.autoPosts, 'drafts'],
  ...pagedList('/api/auto-posts/drafts', { limit: limits.page.autoDrafts }, AutoDraft),
  staleTime: 0,
  refetchInterval: intervals.pollMs,
})

const draftPath = (id: string) => `/api/auto-posts/drafts/${id}`

/**
 * Publishes a draft, with the creator's changes if there are any, or discards it. Both requests are idempotent.
 * `onDecided` is called after either of them has succeeded.
 */
export function useDecideDraft(draft: AutoDraft, onDecided: () => void) {
  const client = useQueryClient()
  const scope = `auto-draft:${draft.id}`
  const options = {
    scope: { id: scope },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: queryKeys.autoPosts })
    },
  }
  const publishing = useMutation({
    ...options,
    mutationFn: (content: string | undefined) =>
      api.post(`${draftPath(draft.id)}/publish`, content === undefined ? {} : { content }, Post),
    onSuccess: (post) => {
      // The draft keeps its original text; only the post has the creator's changes.
      updateCachedDraft(client, draft.id, 'published')
      toast({ title: t`Post created successfully!` })
      void client.invalidateQueries({ queryKey: queryKeys.postLists })
      void client.invalidateQueries({ queryKey: queryKeys.userStats })
      client.setQueryData<Post>([...queryKeys.posts, 'detail', post.id], post)
      onDecided()
    },
    meta: { errorMessage: (error) => errorMessage(error, t`Failed to create post. Please try again.`) },
  })
  const discarding = useMutation({
    ...options,
    mutationFn: () => api.delete(draftPath(draft.id)),
    onSuccess: () => {
      updateCachedDraft(client, draft.id, 'discarded')
      toast({ title: t`Draft discarded` })
      onDecided()
    },
    meta: { errorMessage: (error) => errorMessage(error, t`Couldn't discard the draft. Try again.`) },
  })
  // `isPending` disables the buttons only after the next render, which is too late to prevent a double click.
  const unlessPending = (action: () => void) => {
    if (pendingMutationCount(client, scope) === 0) action()
  }
  return {
    publish: (content: string | undefined) => unlessPending(() => publishing.mutate(content)),
    discard: () => unlessPending(() => discarding.mutate()),
    isPublishing: publishing.isPending,
    isDiscarding: discarding.isPending,
  }
}

function updateCachedDraft(client: QueryClient, id: string, state: AutoDraft['state']): void {
  client.setQueryData<InfiniteData<Page<AutoDraft>, string | null>>(draftsQuery.queryKey, (data) =>
    updateItems(data, (items) =>
      items.map((draft) =>
        draft.id === id ? { ...draft, state, decidedAt: new Date().toISOString() } : draft,
      ),
    ),
  )
}
