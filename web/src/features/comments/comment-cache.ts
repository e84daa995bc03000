import type { Comment } from '@contract/comment.ts'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { Page } from '@/lib/api'
import { commentKeys } from './keys'

/** A list of comments as the cache holds it. */
type Lists = InfiniteData<Page<Comment>, string | null>

/** Shows a comment that was just written: on top of its post's, or below the replies that are there. */
export function addCommentToCache(client: QueryClient, comment: Comment): void {
  const parent = comment.parentCommentId
  if (!parent) {
    client.setQueryData<Lists>(commentKeys.of(comment.postId), (data) =>
      change(data, (items, at) => (at === 0 ? [comment, ...without(items, comment.id)] : items)),
    )
    return
  }
  client.setQueryData<Lists>(commentKeys.replies(parent), (data) =>
    change(data, (items, at, last) => (at === last ? [...without(items, comment.id), comment] : items)),
  )
  countReplies(client, comment, 1)
}

/** Takes a comment away, with its replies. */
export function removeCommentFromCache(client: QueryClient, comment: Comment): void {
  const parent = comment.parentCommentId
  const list = parent ? commentKeys.replies(parent) : commentKeys.of(comment.postId)
  client.setQueryData<Lists>(list, (data) => change(data, (items) => without(items, comment.id)))
  if (parent) countReplies(client, comment, -1)
  else client.removeQueries({ queryKey: commentKeys.replies(comment.id) })
}

/** How many go when this one does. */
export function countWithReplies(comment: Comment): number {
  return 1 + comment.repliesCount
}

/** What a list shows: each comment once, where it came last, since a page that shifted may repeat one. */
export function uniqueComments(data: Pick<Lists, 'pages'> | undefined): Comment[] {
  const all = data?.pages.flatMap((page) => page.items) ?? []
  const last = new Map(all.map((comment, at) => [comment.id, at]))
  return all.filter((comment, at) => last.get(comment.id) === at)
}

function countReplies(client: QueryClient, { postId, parentCommentId }: Comment, by: number): void {
  client.setQueryData<Lists>(commentKeys.of(postId), (data) =>
    change(data, (items) =>
      items.map((one) =>
        one.id === parentCommentId ? { ...one, repliesCount: Math.max(0, one.repliesCount + by) } : one,
      ),
    ),
  )
}

function without(items: Comment[], id: string): Comment[] {
  return items.filter((one) => one.id !== id)
}

function change(
  data: Lists | undefined,
  items: (items: Comment[], at: number, last: number) => Comment[],
): Lists | undefined {
  if (!data) return data
  const last = data.pages.length - 1
  return { ...data, pages: data.pages.map((page, at) => ({ ...page, items: items(page.items, at, last) })) }
}
