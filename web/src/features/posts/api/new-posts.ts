import { Count } from '@contract/common.ts'
import { intervals } from '@contract/intervals.ts'
import { limits } from '@contract/limits.ts'
import type { Post } from '@contract/post.ts'
import { queryOptions, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, isUnauthorized, type Page, withQuery } from '@/lib/api'
import { invalidateQueries } from '@/lib/query-cache'
import { toast } from '@/ui/toaster'
import { postKeys } from './keys'
import type { Lists } from './post-cache'
import { feedQuery, fetchNewestPosts } from './posts'

/** Before every post: asked with where the feed holds none. */
const ever = '1970-01-01T00:00:00Z'

/**
 * When the newest post by others was made that the page holds. The viewer's own do not count: one that was put on top
 * says nothing of what others posted before it. Where all are the viewer's, when the oldest was made.
 */
export function newestPostTime(pages: Page<Post>[]): string {
  const posts = pages.flatMap((page) => page.items)
  const newest = posts.find((post) => !post.mine) ?? posts.at(-1)
  return newest?.createdAt ?? ever
}

/**
 * The newest page as it was read, below what the viewer posted since it was asked for: those posts stand on top of the
 * page that was shown until now.
 */
export function keepOwnNewPosts(page: Page<Post>, shown: Page<Post> | undefined): Page<Post> {
  const [newest] = page.items
  const isNewer = (post: Post) => !newest || Date.parse(post.createdAt) >= Date.parse(newest.createdAt)
  const isIn = (post: Post) => page.items.some(({ id }) => id === post.id)
  const own = shown?.items.filter((post) => post.mine && isNewer(post) && !isIn(post)) ?? []
  return own.length > 0 ? { ...page, items: [...own, ...page.items] } : page
}

/** Whether the server stopped counting. */
const isMany = (count: number) => count >= limits.newPostsCountCap

/** '1 new post', '3 new posts', '99+ new posts'. */
export function newPostsText(count: number): string {
  if (count === 1) return '1 new post'
  return `${isMany(count) ? `${limits.newPostsCountCap}+` : count} new posts`
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
    staleTime: intervals.pollMs,
    refetchInterval: ({ state }) => (isMany(state.data?.count ?? 0) ? false : intervals.pollMs),
    refetchOnWindowFocus: 'always',
  })
}

/**
 * How many posts the home feed does not show yet, at most as many as the server counts. A feed without posts
 * shows them by itself: nobody reads there.
 */
export function useNewPostCount(): number {
  const client = useQueryClient()
  const feed = useInfiniteQuery({
    ...feedQuery,
    select: ({ pages }) => ({
      since: newestPostTime(pages),
      isEmpty: pages.every((page) => page.items.length === 0),
    }),
  })
  const since = feed.data?.since
  const isEmpty = feed.data?.isEmpty === true
  // Under a name of its own until the feed is read: what is kept of one without posts was read with it.
  const news = useQuery({
    ...newCountQuery(since ?? 'unread', feed.dataUpdatedAt),
    enabled: since !== undefined,
  })
  const count = since === undefined ? 0 : news.data.count
  useEffect(() => {
    if (isEmpty && count > 0) invalidateQueries(client, { queryKey: postKeys.feed, exact: true })
  }, [client, isEmpty, count])
  return isEmpty ? 0 : count
}

/** Begins the home feed anew with its newest posts. */
export function useShowNewPosts() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async () => {
      // A page that is still on its way would be hung below posts that it does not follow.
      await client.cancelQueries({ queryKey: postKeys.feed, exact: true })
      return fetchNewestPosts()
    },
    onSuccess: (page) => {
      client.setQueryData<Lists>(postKeys.feed, (shown) => ({
        pages: [keepOwnNewPosts(page, shown?.pages[0])],
        pageParams: [null],
      }))
    },
    onError: (error) => {
      if (!isUnauthorized(error)) toast({ title: 'Failed to fetch posts', tone: 'destructive' })
    },
  })
}
