import type { Post } from '@contract/post.ts'
import type { InfiniteData, Query, QueryClient, QueryKey } from '@tanstack/react-query'
import type { Page } from '@/lib/api'
import { pauseRefetching } from '@/lib/pause-refetching'
import { invalidateQueries } from '@/lib/query-cache'
import { postKeys } from './keys'

/** A list of posts as the cache holds it. */
export type Lists = InfiniteData<Page<Post>, string | null>

/** Changes one post in every list and on its own page at once. */
export function updatePost(client: QueryClient, id: string, change: (post: Post) => Post): void {
  client.setQueriesData<Lists>({ queryKey: postKeys.lists }, (data) =>
    mapItems(data, (post) => (post.id === id ? change(post) : post)),
  )
  client.setQueryData<Post>(postKeys.detail(id), (post) => (post ? change(post) : post))
}

/** Adds to a post's count of comments wherever it is shown, or takes from it. */
export function adjustCommentCount(client: QueryClient, id: string, by: number): void {
  updatePost(client, id, (post) => ({ ...post, commentsCount: Math.max(0, post.commentsCount + by) }))
}

/** Takes a post out of every list. */
export function removePost(client: QueryClient, id: string): void {
  client.setQueriesData<Lists>({ queryKey: postKeys.lists }, (data) => {
    if (!data?.pages.some((page) => page.items.some((post) => post.id === id))) return data
    return {
      ...data,
      pages: data.pages.map((page) => ({ ...page, items: page.items.filter((post) => post.id !== id) })),
    }
  })
}

/**
 * Puts somebody's new post on top of the lists that it heads, the home feed and their own. All that was read of them
 * stays, and so does the reader's place; the other lists are read again when they are next shown, those of topics at
 * once.
 */
export async function addPost(client: QueryClient, post: Post): Promise<void> {
  const names = [post.userId, post.user.handle, post.user.username].map((name) => name.toLowerCase())
  const heads = ({ queryKey }: { queryKey: QueryKey }) =>
    queryKey[2] === postKeys.feed[2] ||
    (queryKey[2] === postKeys.ofUser('')[2] && names.includes(String(queryKey[3]).toLowerCase()))
  const headed = { queryKey: postKeys.lists, predicate: heads }
  // A page that is on its way would be hung below the posts as they were.
  const resume = await pauseRefetching(client, headed)
  const before = client.getQueriesData<Lists>(headed)
  const empty = before.filter(([, data]) => !hasPosts(data)).map(([queryKey]) => queryKey)
  client.setQueriesData<Lists>(headed, (data) => prependPost(data, post))
  resume()
  // A first reading may have been answered before there was the post. And one that found nothing says nothing of what
  // others posted since: now that the list holds a post, nobody would be told of it.
  invalidateQueries(client, { ...headed, predicate: (query) => empty.includes(query.queryKey) })
  const isTopic = ({ queryKey }: Query) => queryKey[2] === postKeys.ofTopic('')[2]
  void client.invalidateQueries({ queryKey: postKeys.lists, predicate: isTopic })
  const others = { queryKey: postKeys.lists, predicate: (query: Query) => !heads(query) && !isTopic(query) }
  void client.invalidateQueries({ ...others, refetchType: 'none' })
}

const hasPosts = (data: Lists | undefined) => data?.pages.some((page) => page.items.length > 0) ?? false

function prependPost(data: Lists | undefined, post: Post): Lists | undefined {
  if (!data) return data
  const pages = data.pages.map((page, at) => {
    const items = page.items.filter((one) => one.id !== post.id)
    return { ...page, items: at === 0 ? [post, ...items] : items }
  })
  return { ...data, pages }
}

/** The post as some list or page holds it now. */
export function findPost(client: QueryClient, id: string): Post | undefined {
  const own = client.getQueryData<Post>(postKeys.detail(id))
  if (own) return own
  for (const [, data] of client.getQueriesData<Lists>({ queryKey: postKeys.lists })) {
    const found = data?.pages.flatMap((page) => page.items).find((post) => post.id === id)
    if (found) return found
  }
  return undefined
}

function mapItems(data: Lists | undefined, change: (post: Post) => Post): Lists | undefined {
  if (!data) return data
  let changed = false
  const pages = data.pages.map((page) => {
    const items = page.items.map(change)
    if (items.every((item, index) => item === page.items[index])) return page
    changed = true
    return { ...page, items }
  })
  return changed ? { ...data, pages } : data
}
