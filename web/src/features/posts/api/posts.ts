import { limits } from '@contract/limits.ts'
import { Post } from '@contract/post.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, type Page, withQuery } from '@/lib/api'
import { postKeys } from './keys'

const size = limits.page.posts

function readPage(path: string, cursor: string | null, signal?: AbortSignal): Promise<Page<Post>> {
  const query = withQuery(path, { limit: size, cursor: cursor ?? undefined })
  return api.page(query, Post, signal ? { signal } : {})
}

/** Milliseconds that a list which nobody looks at is kept, for its reader to find their place again. */
const keptFor = 60 * 60_000

function listQuery(queryKey: readonly unknown[], path: string) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => readPage(path, pageParam, signal),
    gcTime: keptFor,
    initialPageParam: null as string | null,
    // Only a full page comes with a cursor. Its length says nothing later: a post deleted here leaves it shorter.
    getNextPageParam: (last) => last.nextCursor,
  })
}

/** A list of posts by pages, whatever it lists. */
export type PostListQuery = ReturnType<typeof listQuery>

const feedPath = '/api/posts'

/** All posts, the newest first. */
export const feedQuery = listQuery(postKeys.feed, feedPath)

/** The newest page of the feed, whatever is kept of it. */
export const fetchNewestPosts = () => readPage(feedPath, null)

/** Posts by others who let theirs be discovered, the newest first. */
export const discoverQuery = listQuery(postKeys.discover, '/api/discover/posts')

/** What the signed-in person saved, the latest saved first. */
export const savedQuery = listQuery(postKeys.saved, '/api/user/saved-posts')

/** One person's posts, by id or username. */
export function userPostsQuery(identifier: string): PostListQuery {
  return listQuery(postKeys.ofUser(identifier), `/api/users/${encodeURIComponent(identifier)}/posts`)
}

/** Posts with a hashtag, the newest first; `tag` as posts hold it. */
export function topicQuery(tag: string): PostListQuery {
  return listQuery(postKeys.ofTopic(tag), `/api/topics/${encodeURIComponent(tag)}/posts`)
}

/** One post. */
export function postQuery(id: string) {
  return queryOptions({
    queryKey: postKeys.detail(id),
    queryFn: ({ signal }) => api.get(`/api/posts/${encodeURIComponent(id)}`, Post, { signal }),
  })
}
