import { Count } from '@contract/common.ts'
import { intervals } from '@contract/intervals.ts'
import { limits } from '@contract/limits.ts'
import type { Post } from '@contract/post.ts'
import { plural, t } from '@lingui/core/macro'
import {
  hashKey,
  queryOptions,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, type Page, withQuery } from '@/lib/api'
import { formatCount } from '@/lib/format'
import { invalidateQueries } from '@/lib/query-cache'
import {
  type AnnouncingList,
  fetchNewestPosts,
  latestTime,
  listedAt,
  type PostPages,
  postKeys,
} from './posts'

/**
 * Returns how many new posts a list does not show yet, up to the server's limit. An empty list is refetched instead,
 * because it has no reading position to lose.
 */
export function useNewPostCount(list: AnnouncingList): number {
  const client = useQueryClient()
  const { queryKey } = list.query
  const shown = useInfiniteQuery({
    ...list.query,
    select: ({ pages }) => ({
      since: newestPostTime(pages),
      isEmpty: pages.every((page) => page.items.length === 0),
    }),
  })
  const since = shown.data?.since
  const isEmpty = shown.data?.isEmpty === true
  // Until the list has loaded, the query has its own key, so that it does not use the cached count of an empty list.
  const newCount = useQuery({
    ...newCountQuery(list, since ?? 'not-loaded', shown.dataUpdatedAt),
    enabled: since !== undefined,
  })
  const count = since === undefined ? 0 : newCount.data.count
  useEffect(() => {
    if (isEmpty && count > 0) invalidateQueries(client, { queryKey, exact: true })
  }, [client, queryKey, isEmpty, count])
  return isEmpty ? 0 : count
}

/** Replaces a list with its newest page. */
export function useShowNewPosts(list: AnnouncingList) {
  const client = useQueryClient()
  const { queryKey } = list.query
  return useMutation({
    mutationFn: async () => {
      // A page that is being fetched would be appended to the newest page, although other posts lie between them.
      await client.cancelQueries({ queryKey, exact: true })
      return fetchNewestPosts(list)
    },
    onSuccess: (page) => {
      client.setQueryData<PostPages>(queryKey, (cached) => ({
        pages: [keepOwnNewPosts(page, cached?.pages[0])],
        pageParams: [null],
      }))
    },
    meta: {
      errorTitle: t`Failed to fetch posts`,
      errorMessage: t`Check your connection and try again.`,
    },
  })
}

/** '1 new post', '3 new posts', '99+ new posts'. */
export function newPostsText(count: number): string {
  const cap = formatCount(limits.newPostsCountCap)
  if (isCapped(count)) return t`${cap}+ new posts`
  return t`${plural(count, { one: '# new post', other: '# new posts' })}`
}

/** 'Show 1 new post', 'Show 3 new posts', 'Show 99+ new posts'. */
export function showNewPostsText(count: number): string {
  const cap = formatCount(limits.newPostsCountCap)
  if (isCapped(count)) return t`Show ${cap}+ new posts`
  return t`${plural(count, { one: 'Show # new post', other: 'Show # new posts' })}`
}

const isCapped = (count: number) => count >= limits.newPostsCountCap

/**
 * Returns a query that counts the posts that others have created after the time `since`. It polls as often as the
 * unread counts and refetches when the window regains focus. The count starts at 0 and is considered as fresh as the
 * list, which was fetched at `fetchedAt` (epoch milliseconds).
 */
function newCountQuery({ query, countPath, feed }: AnnouncingList, since: string, fetchedAt: number) {
  return queryOptions({
    queryKey: postKeys.newCount(hashKey(query.queryKey.slice(2)), since),
    queryFn: ({ signal }) => api.get(withQuery(countPath, { since, feed }), Count, { signal }),
    initialData: { count: 0 },
    initialDataUpdatedAt: fetchedAt,
    staleTime: intervals.pollMs,
    refetchInterval: ({ state }) => (isCapped(state.data?.count ?? 0) ? false : intervals.pollMs),
    refetchOnWindowFocus: 'always',
  })
}

const epoch = '1970-01-01T00:00:00Z'

/**
 * Returns the time of the newest post that others published or reposted in the given pages. Ignores the viewer's own
 * posts: a new one is added to the top of the list, and earlier posts by others may be missing below it. If all posts
 * are the viewer's, returns the time of the oldest one. If there are no posts, returns the epoch.
 */
export function newestPostTime(pages: Page<Post>[]): string {
  const posts = pages.flatMap((page) => page.items)
  // Compares all times, because the first post may be an older, pinned one.
  return latestTime(posts.filter((post) => !post.mine || post.repostedBy)) ?? posts.at(-1)?.createdAt ?? epoch
}

/** Returns the newest page, preceded by the viewer's posts in `cached` that were created during the fetch. */
export function keepOwnNewPosts(page: Page<Post>, cached: Page<Post> | undefined): Page<Post> {
  const [newest] = page.items
  const isNewer = (post: Post) => !newest || Date.parse(post.createdAt) >= Date.parse(listedAt(newest))
  const isIncluded = (post: Post) => page.items.some(({ id }) => id === post.id)
  const own = cached?.items.filter((post) => post.mine && isNewer(post) && !isIncluded(post)) ?? []
  return own.length > 0 ? { ...page, items: [...own, ...page.items] } : page
}
