import type { Post } from '@contract/post.ts'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { Page } from '@/lib/api'
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
export function countComments(client: QueryClient, id: string, by: number): void {
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

/** Puts a new post on top of a list and keeps only its first page: the rest is read again from there. */
export function prependPost(data: Lists | undefined, post: Post): Lists | undefined {
  const first = data?.pages[0]
  if (!data || !first) return data
  const items = [post, ...first.items.filter((one) => one.id !== post.id)]
  return { pages: [{ ...first, items }], pageParams: data.pageParams.slice(0, 1) }
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
