import { Count } from '@contract/common.ts'
import { limits } from '@contract/limits.ts'
import type { Post } from '@contract/post.ts'
import { queryOptions, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, type Page, withQuery } from '@/lib/api'
import { isUnauthorized } from '@/lib/unauthorized'
import { toast } from '@/ui/toaster'
import type { Lists } from './cache'
import { postKeys } from './keys'
import { feedQuery, readNewest } from './lists'

/** Before every post: asked with where the feed holds none. */
const ever = '1970-01-01T00:00:00Z'

/** When the newest of the posts was made that the page holds. */
export function newestOf(pages: Page<Post>[]): string {
  for (const { items } of pages) if (items[0]) return items[0].createdAt
  return ever
}

/** Whether the server stopped counting. */
const isMany = (count: number) => count >= limits.newPosts

/** '1 new post', '3 new posts', '99+ new posts'. */
export function newPostsText(count: number): string {
  if (count === 1) return '1 new post'
  return `${isMany(count) ? `${limits.newPosts}+` : count} new posts`
}

/**
 * How many posts others made since `since`; polled with the unread counts, and when one comes back to the page.
 * Nobody has to be asked about what was read at `readAt` (milliseconds since 1970) itself.
 */
function newCountQuery(since: string, readAt: number) {
  return queryOptions({
    queryKey: postKeys.newCount(since),
    queryFn: ({ signal }) => api.get(withQuery('/api/posts/new-count', { since }), Count, { signal }),
    initialData: { count: 0 },
    initialDataUpdatedAt: readAt,
    staleTime: limits.pollInterval,
    refetchInterval: ({ state }) => (isMany(state.data?.count ?? 0) ? false : limits.pollInterval),
    refetchOnWindowFocus: 'always',
  })
}

/** How many posts the home feed does not show yet, at most as many as the server counts. */
export function useNewCount(): number {
  const feed = useInfiniteQuery({ ...feedQuery, select: ({ pages }) => newestOf(pages) })
  const since = feed.data
  const news = useQuery({ ...newCountQuery(since ?? ever, feed.dataUpdatedAt), enabled: since !== undefined })
  return since === undefined ? 0 : news.data.count
}

/** Begins the home feed anew with its newest posts. */
export function useShowNewest() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      // A page that is still on its way would be hung below posts that it does not follow.
      await client.cancelQueries({ queryKey: postKeys.feed, exact: true })
      return readNewest()
    },
    onSuccess: (page) => {
      client.setQueryData<Lists>(postKeys.feed, { pages: [page], pageParams: [null] })
    },
    onError: (error) => {
      if (!isUnauthorized(error)) toast({ title: 'Failed to fetch posts', tone: 'destructive' })
    },
  })
}
