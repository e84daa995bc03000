import { limits } from '@contract/limits.ts'
import { Post } from '@contract/post.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api, type Page, withQuery } from '@/lib/api'
import { postKeys } from './keys'

const size = limits.page.posts

function listQuery(queryKey: readonly unknown[], path: string) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }): Promise<Page<Post>> =>
      api.page(withQuery(path, { limit: size, cursor: pageParam ?? undefined }), Post, { signal }),
    initialPageParam: null as string | null,
    // Only a full page comes with a cursor. Its length says nothing later: a post deleted here leaves it shorter.
    getNextPageParam: (last) => last.nextCursor,
  })
}

/** A list of posts by pages, whatever it lists. */
export type PostListQuery = ReturnType<typeof listQuery>

/** All posts, the newest first. */
export const feedQuery = listQuery(postKeys.feed, '/api/posts')

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
