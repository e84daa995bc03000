import { type CreatePostRequest, Post } from '@contract/post.ts'
import { type EditScheduledPostRequest, ScheduledPost } from '@contract/scheduled-post.ts'
import { t } from '@lingui/core/macro'
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { api } from '@/lib/api'
import { errorMessage, isNotFound, isTransient, NetworkError } from '@/lib/errors'
import { pendingMutationCount } from '@/lib/query-cache'
import { pageFreshness, queryKeys } from '@/lib/query-client'
import { toast } from '@/ui/toaster'
import { dayAndTime } from '../model'
import { addPost } from './posts'

const path = '/api/posts/scheduled'

/** The viewer's scheduled posts, the earliest first. */
export const scheduledPostsQuery = queryOptions({
  queryKey: queryKeys.scheduledPosts,
  queryFn: ({ signal }) => api.get(path, z.array(ScheduledPost), { signal }),
  ...pageFreshness,
})

/**
 * Schedules a post and shows a toast. Returns null or, if an earlier attempt scheduled the post and it has since been
 * published, the published post.
 *
 * @param onView shows the scheduled posts
 */
export async function schedulePost(
  client: QueryClient,
  request: CreatePostRequest,
  onView: () => void,
): Promise<Post | null> {
  const result = await api.post('/api/posts', request, z.union([ScheduledPost, Post]))
  void client.invalidateQueries({ queryKey: queryKeys.scheduledPosts })
  if (!('publishAt' in result)) return result
  toast({
    title: t`Post scheduled`,
    description: dayAndTime(result.publishAt),
    action: { label: t({ message: 'View', context: 'verb' }), run: onView },
  })
  return null
}

/** Publishes, edits and deletes a scheduled post. */
export function useScheduledPostActions(id: string) {
  const client = useQueryClient()
  const scope = `scheduled-post:${id}`
  const setPosts = (change: (posts: ScheduledPost[]) => ScheduledPost[]) =>
    client.setQueryData<ScheduledPost[]>(scheduledPostsQuery.queryKey, (posts) => posts && change(posts))
  const remove = () => setPosts((posts) => posts.filter((post) => post.id !== id))
  const options = (fallback: string, connectionLost = fallback) => ({
    scope: { id: scope },
    meta: {
      errorMessage: (error: unknown) => {
        if (error instanceof NetworkError) return connectionLost
        if (isNotFound(error)) return t`This post has already been published or deleted.`
        return isTransient(error) ? fallback : errorMessage(error, fallback)
      },
    },
    // A refetch that was in progress may have overwritten the change.
    onSettled: () => void client.invalidateQueries({ queryKey: queryKeys.scheduledPosts }),
  })
  const edit = useMutation({
    ...options(t`Couldn't save the post. Try again.`),
    mutationFn: (changes: EditScheduledPostRequest) => api.patch(`${path}/${id}`, changes, ScheduledPost),
    onSuccess: (post) => {
      setPosts((posts) =>
        posts
          .map((other) => (other.id === id ? post : other))
          .sort((a, b) => Date.parse(a.publishAt) - Date.parse(b.publishAt)),
      )
      toast({ title: t`Post updated` })
    },
  })
  const publish = useMutation({
    ...options(
      t`Failed to create post. Please try again.`,
      t`The post may have been published. You can safely try again.`,
    ),
    mutationFn: () => api.post(`${path}/${id}/publish`, {}, Post),
    // The first request may have published the post. The second one then returns it.
    retry: (failures, error) => failures === 0 && isTransient(error),
    onSuccess: async (post) => {
      remove()
      toast({ title: t`Post created successfully!` })
      void client.invalidateQueries({ queryKey: queryKeys.userStats })
      await addPost(client, post)
    },
  })
  const discard = useMutation({
    ...options(t`Failed to delete post. Please try again.`),
    mutationFn: () => api.delete(`${path}/${id}`),
    onSuccess: () => {
      remove()
      toast({ title: t`Post Deleted` })
    },
  })
  // `isPending` disables the buttons only after the next render, which is too late to prevent a double click.
  const unlessPending = (action: () => void) => {
    if (pendingMutationCount(client, scope) === 0) action()
  }
  return {
    edit: (changes: EditScheduledPostRequest, onSuccess: () => void) =>
      unlessPending(() => edit.mutate(changes, { onSuccess })),
    publish: () => unlessPending(() => publish.mutate()),
    discard: () => unlessPending(() => discard.mutate()),
    isEditing: edit.isPending,
    isPublishing: publish.isPending,
    isDiscarding: discard.isPending,
  }
}
