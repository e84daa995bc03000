import { Id } from '@contract/common.ts'
import { type DiscoverPostsQuery, TrendingTag } from '@contract/discover.ts'
import { limits } from '@contract/limits.ts'
import { type Feed, Post, type PostKind } from '@contract/post.ts'
import { t } from '@lingui/core/macro'
import {
  type InfiniteData,
  infiniteQueryOptions,
  type Query,
  type QueryClient,
  type QueryKey,
  queryOptions,
} from '@tanstack/react-query'
import { z } from 'zod'
import { api, type Page, withQuery } from '@/lib/api'
import { invalidateQueries, pauseRefetching, uniqueItems, updateItems } from '@/lib/query-cache'
import { pageFreshness, queryKeys } from '@/lib/query-client'
import { toast } from '@/ui/toaster'
import { endsInFoldedRun } from '../folding'

type DiscoverSort = DiscoverPostsQuery['sort']

/** Query keys for posts. Lists and single posts have separate prefixes. */
export const postKeys = {
  all: queryKeys.posts,
  lists: queryKeys.postLists,
  feeds: queryKeys.feeds,
  feed: (feed: Feed) => [...queryKeys.feeds, feed] as const,
  discover: (topic?: string, sort: DiscoverSort = 'popular') =>
    [...queryKeys.postLists, 'discover', topic ?? null, sort] as const,
  saved: [...queryKeys.postLists, 'saved'] as const,
  liked: [...queryKeys.postLists, 'liked'] as const,
  byUser: (identifier: string) => [...queryKeys.profilePosts, identifier] as const,
  /** The posts that a user reposted. */
  reposts: (userId: string) => [...postKeys.byUser(userId), 'reposts'] as const,
  byTopic: (tag: string) => [...queryKeys.postLists, 'topic', tag] as const,
  search: (term: string) => [...queryKeys.postLists, 'search', term] as const,
  /** Not under the prefix `lists`, because a count contains no posts to update. */
  newCount: (list: string, since: string) => [...queryKeys.newPosts, list, since] as const,
  trendingTags: ['trending-tags'] as const,
  followedIds: ['followed-ids'] as const,
  detail: (id: string) => [...queryKeys.postDetails, id] as const,
}

/** The key of the mutations that publish a user's draft. */
export const publishKey = (userId: string) => ['posts', 'create', userId] as const

const pageSize = limits.page.posts

function fetchPage(
  path: string,
  query: {
    q?: string
    kind?: PostKind | undefined
    cursor?: string | undefined
    limit?: number
    until?: string | undefined
    feed?: Feed | undefined
  },
  signal?: AbortSignal,
): Promise<Page<Post>> {
  return api.page(withQuery(path, { limit: pageSize, ...query }), Post, signal ? { signal } : {})
}

/** The query parameters for a page after the first one. */
type NextPage = { cursor: string; limit: number }

const nextPage = ({ nextCursor: cursor }: Page<Post>, limit: number = pageSize): NextPage | null =>
  cursor === null ? null : { cursor, limit }

/** How long a list stays cached after the user leaves its page, so that they can return to the same position. */
const listCacheMs = 60 * 60_000

function listQuery(queryKey: readonly unknown[], path: string, limit: number = pageSize) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) => fetchPage(path, { limit, ...pageParam }, signal),
    gcTime: listCacheMs,
    initialPageParam: null as NextPage | null,
    // Does not depend on the number of cached posts, because deleting a post shortens a full page.
    getNextPageParam: (lastPage) => nextPage(lastPage, limit),
    ...pageFreshness,
  })
}

/**
 * Returns the query of a list that announces new posts with a button. A refetch updates the shown posts but adds no new
 * ones, so that the user keeps their position. An empty list has no position to keep, so its refetch adds new posts.
 */
function announcingListQuery(queryKey: readonly unknown[], path: string, feed?: Feed): PostListQuery {
  return {
    ...listQuery(queryKey, path),
    queryFn: ({ pageParam, signal, client }) => {
      // In the Following feed, a new repost moves a post to the top. With `until`, the post stays where it is.
      const until =
        pageParam === null || feed === 'following'
          ? latestPostTime(client.getQueryData<PostPages>(queryKey))
          : undefined
      return fetchPage(path, { ...pageParam, until, feed }, signal)
    },
  }
}

/** Returns the time of the newest cached post, or undefined if there are no posts. */
export function latestPostTime(data: PostPages | undefined): string | undefined {
  return latestTime(data?.pages.flatMap((page) => page.items) ?? [])
}

/** Returns the time that a list sorts a post by: the repost's, or the post's own. */
export const listedAt = ({ repostedBy, createdAt }: Post): string => repostedBy?.at ?? createdAt

/** Returns the time of the newest post, or undefined if there are no posts. */
export function latestTime(posts: readonly Post[]): string | undefined {
  // Compares the times as text, because `Date` drops their microseconds.
  return posts
    .map(listedAt)
    .reduce<string | undefined>((latest, at) => (latest && latest >= at ? latest : at), undefined)
}

/** The query of a paginated list of posts. */
export type PostListQuery = ReturnType<typeof listQuery>

const userPostsPath = (identifier: string) => `/api/users/${encodeURIComponent(identifier)}/posts`

/** A list that announces new posts: a tab of the home feed, or the posts on a profile. */
export interface AnnouncingList {
  query: PostListQuery
  path: string
  /** The path of the endpoint that counts new posts. */
  countPath: string
  /** The `feed` query parameter. */
  feed?: Feed
}

const feedPath = '/api/posts'

const feedCountPath = `${feedPath}/new-count`

/** Posts by the viewer, and posts that the people whom they follow published or reposted, newest first. */
export const followingList: AnnouncingList = {
  query: announcingListQuery(postKeys.feed('following'), feedPath, 'following'),
  path: feedPath,
  countPath: feedCountPath,
  feed: 'following',
}

/**
 * Posts by everyone, newest first. Long runs of posts by one author are folded. While the list ends in such a run, it
 * requests larger pages, so that it reaches posts by other authors with fewer requests.
 */
export const forYouList: AnnouncingList = {
  path: feedPath,
  countPath: feedCountPath,
  query: {
    ...announcingListQuery(postKeys.feed('for-you'), feedPath),
    getNextPageParam: (lastPage, pages) =>
      nextPage(lastPage, endsInFoldedRun(uniqueItems(pages)) ? limits.page.max : pageSize),
  },
}

/** Posts by the creators whom the viewer is subscribed to, newest first. */
export const subscriptionsList: AnnouncingList = {
  query: announcingListQuery([...queryKeys.postLists, 'subscriptions'], feedPath, 'subscriptions'),
  path: feedPath,
  countPath: feedCountPath,
  feed: 'subscriptions',
}

export const userPostsList = (identifier: string, own: boolean): AnnouncingList => ({
  query: userPostsQuery(identifier, own),
  path: userPostsPath(identifier),
  countPath: `${userPostsPath(identifier)}/new-count`,
})

/** Fetches the newest page of a list, bypassing the cache. */
export const fetchNewestPosts = ({ path, feed }: AnnouncingList) => fetchPage(path, { feed })

/** Fills whole rows of three or four tiles. */
const gridPageSize = 24

/**
 * Posts by other users who allow their posts to be discovered. If `topic` is given, only those with this hashtag, which
 * is normalized and has no #.
 */
export const discoverQuery = (topic?: string, sort: DiscoverSort = 'popular'): PostListQuery =>
  listQuery(postKeys.discover(topic, sort), withQuery('/api/discover/posts', { sort, topic }), gridPageSize)

/** The ids of the users whom the viewer followed most recently. */
export const followedIdsQuery = queryOptions({
  queryKey: postKeys.followedIds,
  queryFn: ({ signal }) => api.get('/api/user/following', z.array(Id), { signal }),
  ...pageFreshness,
})

/** The current user's saved posts, most recently saved first. */
export const savedQuery = listQuery(postKeys.saved, '/api/user/saved-posts')

/** The posts that the current user likes, most recently liked first. Refetched whenever the list is opened. */
export const likedQuery: PostListQuery = {
  ...listQuery(postKeys.liked, '/api/user/liked-posts/details'),
  staleTime: 0,
}

/**
 * The posts by the user with this id or username, the pinned one first. On the viewer's `own` profile, new posts appear
 * without a button.
 */
export function userPostsQuery(identifier: string, own = false): PostListQuery {
  const query = own ? listQuery : announcingListQuery
  return query(postKeys.byUser(identifier), userPostsPath(identifier))
}

/** A kind of post by a user, or `reposts`: all posts that the user reposted, including their own. */
export type FilterKind = PostKind | 'reposts'

/** Which of a user's posts to list: those of `kind`, if it is set, that contain all words of `q`. */
export interface PostFilter {
  kind: FilterKind | undefined
  /** Empty for all posts. Reposts cannot be searched. */
  q: string
}

/** Returns whether posts of a kind are shown as a grid by default. */
export const isGridKind = (kind: FilterKind | undefined) => kind === 'image' || kind === 'video'

/** The posts by a user that match a filter, newest first. */
export function filteredPostsQuery(userId: string, filter: PostFilter): PostListQuery {
  const { kind, q } = filter
  if (kind === 'reposts') return listQuery(postKeys.reposts(userId), `/api/users/${userId}/reposts`)
  const path = userPostsPath(userId)
  const limit = isGridKind(kind) ? gridPageSize : pageSize
  return {
    ...listQuery([...postKeys.byUser(userId), filter], path, limit),
    queryFn: ({ pageParam, signal }) => fetchPage(path, { kind, q, limit, ...pageParam }, signal),
  }
}

/** Posts with a hashtag, newest first. `tag` is normalized and has no #. */
export function topicQuery(tag: string): PostListQuery {
  return listQuery(postKeys.byTopic(tag), `/api/topics/${encodeURIComponent(tag)}/posts`)
}

/** Posts whose public text or product name matches a search term, newest first in groups of 100, each by relevance. */
export function postSearchQuery(term: string): PostListQuery {
  return {
    ...listQuery(postKeys.search(term), postSearchPath),
    queryFn: ({ pageParam, signal }) => fetchPage(postSearchPath, { q: term, ...pageParam }, signal),
  }
}

const postSearchPath = '/api/posts/search'

export function postQuery(id: string) {
  return queryOptions({
    queryKey: postKeys.detail(id),
    queryFn: ({ signal }) => api.get(`/api/posts/${encodeURIComponent(id)}`, Post, { signal }),
    ...pageFreshness,
  })
}

/** The hashtags that the most users have used in the last 7 days, the most used first. */
export const trendingTagsQuery = queryOptions({
  queryKey: postKeys.trendingTags,
  queryFn: ({ signal }) => api.get('/api/discover/trending-hashtags', z.array(TrendingTag), { signal }),
  ...pageFreshness,
})

/** A cached list of posts. */
export type PostPages = InfiniteData<Page<Post>, NextPage | null>

/** Updates a post in every cached list. */
export function updateListedPost(client: QueryClient, id: string, change: (post: Post) => Post): void {
  client.setQueriesData<PostPages>({ queryKey: postKeys.lists }, (data) =>
    // `change` may return a post from another source, which has no `repostedBy`.
    mapPosts(data, (post) => (post.id === id ? { ...change(post), repostedBy: post.repostedBy } : post)),
  )
}

/**
 * Updates the posts in every cached list and on their own pages. `change` must return the same object for a post that
 * it does not change.
 */
export function updateAllPosts(client: QueryClient, change: (post: Post) => Post): void {
  client.setQueriesData<PostPages>({ queryKey: postKeys.lists }, (data) => mapPosts(data, change))
  client.setQueriesData<Post>({ queryKey: queryKeys.postDetails }, (post) => (post ? change(post) : post))
}

/** Updates a post in every cached list and on its own page. */
export function updatePost(client: QueryClient, id: string, change: (post: Post) => Post): void {
  updateListedPost(client, id, change)
  client.setQueryData<Post>(postKeys.detail(id), (post) => (post ? change(post) : post))
}

/** Adds `delta`, which may be negative, to a post's comment count wherever the post is cached. */
export function adjustCommentCount(client: QueryClient, id: string, delta: number): void {
  updatePost(client, id, (post) => ({ ...post, commentsCount: Math.max(0, post.commentsCount + delta) }))
}

/** Removes a post from every cached list, and from the cached posts that quote it. */
export function removePost(client: QueryClient, id: string): void {
  void client.invalidateQueries({ queryKey: queryKeys.creatorUpdates })
  client.setQueriesData<PostPages>({ queryKey: postKeys.lists }, (data) => {
    if (!data?.pages.some((page) => page.items.some((post) => post.id === id))) return data
    return updateItems(data, (posts) => posts.filter((post) => post.id !== id))
  })
  const quotesPost = ({ quotedPost }: Post) => quotedPost?.available === true && quotedPost.id === id
  const hideQuote = (post: Post): Post =>
    quotesPost(post) ? { ...post, quotedPost: { available: false } } : post
  client.setQueriesData<PostPages>({ queryKey: postKeys.lists }, (data) => mapPosts(data, hideQuote))
  // Updates only the pages of posts that quote it. New data would clear the error on the removed post's own page.
  const isQuotePage = ({ state }: Query) => state.data !== undefined && quotesPost(state.data as Post)
  client.setQueriesData<Post>(
    { queryKey: queryKeys.postDetails, predicate: isQuotePage },
    (post) => post && hideQuote(post),
  )
}

/**
 * Adds the current user's new post to the top of both home feeds and of their own list of posts, where a pinned post
 * stays above it. The cached pages of these lists are kept, which preserves the scroll position. Topic lists and
 * filtered lists on the screen are refetched immediately, and other lists when they are next shown.
 */
export async function addPost(client: QueryClient, post: Post): Promise<void> {
  const identifiers = [post.userId, post.user.handle, post.user.username].map((name) => name.toLowerCase())
  const isFiltered = (queryKey: QueryKey) => queryKey[2] === postKeys.byUser('')[2] && queryKey.length > 4
  const isFeedOrAuthorList = ({ queryKey }: { queryKey: QueryKey }) =>
    queryKey[2] === postKeys.feeds[2] ||
    (queryKey[2] === postKeys.byUser('')[2] &&
      !isFiltered(queryKey) &&
      identifiers.includes(String(queryKey[3]).toLowerCase()))
  const prepended = { queryKey: postKeys.lists, predicate: isFeedOrAuthorList }
  // A fetch that is in flight would overwrite the list with one that lacks the new post.
  const resume = await pauseRefetching(client, prepended)
  const before = client.getQueriesData<PostPages>(prepended)
  const empty = before.filter(([, data]) => !hasPosts(data)).map(([queryKey]) => queryKey)
  for (const [queryKey, data] of before) {
    const hasPinned = queryKey[2] === postKeys.byUser('')[2] && data?.pages[0]?.items[0]?.pinned === true
    client.setQueryData(queryKey, insertPost(data, post, hasPinned ? 1 : 0))
  }
  resume()
  // The response to a list's first fetch may be older than the post. An empty list may also lack posts that others
  // created before this one. The count of new posts includes only later ones, so it would never report them.
  invalidateQueries(client, { ...prepended, predicate: (query) => empty.includes(query.queryKey) })
  const isTopicOrFiltered = ({ queryKey }: Query) =>
    queryKey[2] === postKeys.byTopic('')[2] || isFiltered(queryKey)
  void client.invalidateQueries({ queryKey: postKeys.lists, predicate: isTopicOrFiltered })
  const isOther = (query: Query) => !isFeedOrAuthorList(query) && !isTopicOrFiltered(query)
  void client.invalidateQueries({ queryKey: postKeys.lists, predicate: isOther, refetchType: 'none' })
}

/** Returns the cached post from its own page or from any list. */
export function findPost(client: QueryClient, id: string): Post | undefined {
  const detail = client.getQueryData<Post>(postKeys.detail(id))
  if (detail) return detail
  for (const [, data] of client.getQueriesData<PostPages>({ queryKey: postKeys.lists })) {
    const post = data?.pages.flatMap((page) => page.items).find((item) => item.id === id)
    if (post) return post
  }
  return undefined
}

/** Removes a deleted post from the cached lists and shows a toast. An open page of the post is refetched. */
export function removeGonePost(client: QueryClient, postId: string): void {
  // Several requests for the post may fail; the toast appears only for the first one.
  if (!findPost(client, postId)) return
  toast({ title: t`This post is no longer available` })
  removePost(client, postId)
  void client.resetQueries({ queryKey: postKeys.detail(postId) })
}

const hasPosts = (data: PostPages | undefined) => data?.pages.some((page) => page.items.length > 0) ?? false

/** Inserts a post into the first page. */
function insertPost(data: PostPages | undefined, post: Post, index: number): PostPages | undefined {
  if (!data) return data
  const pages = data.pages.map((page, pageIndex) => {
    const items = page.items.filter((item) => item.id !== post.id)
    return { ...page, items: pageIndex === 0 ? items.toSpliced(index, 0, post) : items }
  })
  return { ...data, pages }
}

/** Applies `change` to each post. Unchanged pages, and the data if no page has changed, keep their identity. */
function mapPosts(data: PostPages | undefined, change: (post: Post) => Post): PostPages | undefined {
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
