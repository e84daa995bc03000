import type { Post } from '@contract/post.ts'
import { InfiniteQueryObserver, QueryClient, type QueryKey } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import { toQuotedPost } from '../components/QuotedPostCard'
import { postFixture } from '../post-fixture'
import { invalidateSavedPosts, pruneSavedPosts, toggleLiked } from './post-actions'
import {
  addPost,
  adjustCommentCount,
  discoverQuery,
  findPost,
  followingList,
  forYouList,
  latestPostTime,
  type PostPages,
  postKeys,
  removePost,
  savedQuery,
  topicQuery,
  updatePost,
  userPostsQuery,
} from './posts'

const pages = (...ids: string[][]) => ({
  pages: ids.map((page) => ({ items: page.map((id) => postFixture(id)), nextCursor: 'next' })),
  pageParams: ids.map((_, index) => (index === 0 ? null : { cursor: `cursor ${index}`, limit: 10 })),
})

const toggled = (post: Post): Post => ({ ...post, ...toggleLiked(post) })

const feedQuery = forYouList.query

let client: QueryClient
beforeEach(() => {
  client = new QueryClient()
  client.setQueryData(feedQuery.queryKey, pages(['a', 'b'], ['c']))
  client.setQueryData(userPostsQuery('ada').queryKey, pages(['b']))
  client.setQueryData(postKeys.detail('b'), postFixture('b'))
})
const feedIds = () =>
  client.getQueryData(feedQuery.queryKey)?.pages.map((page) => page.items.map((post) => post.id))

test('updates a liked post in every list and on its own page, and no other post', () => {
  updatePost(client, 'b', toggled)
  const feed = client.getQueryData(feedQuery.queryKey)
  expect(feed?.pages[0]?.items.map((post) => post.likesCount)).toEqual([3, 4])
  expect(client.getQueryData(userPostsQuery('ada').queryKey)?.pages[0]?.items[0]?.liked).toBe(true)
  expect(client.getQueryData<Post>(postKeys.detail('b'))?.liked).toBe(true)
})

test('shows an unlocked or edited post in every list and on its own page', () => {
  const unlocked = postFixture('b', { isPremium: true, locked: false, content: 'Paid for' })
  updatePost(client, 'b', () => unlocked)
  expect(client.getQueryData(feedQuery.queryKey)?.pages[0]?.items[1]).toEqual(unlocked)
  expect(client.getQueryData(userPostsQuery('ada').queryKey)?.pages[0]?.items[0]).toEqual(unlocked)
  expect(findPost(client, 'b')).toEqual(unlocked)
})

test('adjusts the comment count wherever the post is shown, but never below zero', () => {
  adjustCommentCount(client, 'b', 1)
  expect(findPost(client, 'b')?.commentsCount).toBe(1)
  expect(client.getQueryData(feedQuery.queryKey)?.pages[0]?.items.map((post) => post.commentsCount)).toEqual([
    0, 1,
  ])
  adjustCommentCount(client, 'b', -3)
  expect(findPost(client, 'b')?.commentsCount).toBe(0)
})

test('keeps the identity of pages that do not contain the post', () => {
  const before = client.getQueryData(feedQuery.queryKey)?.pages[1]
  updatePost(client, 'b', toggled)
  expect(client.getQueryData(feedQuery.queryKey)?.pages[1]).toBe(before)
})

test('restores a post after its like is toggled twice, and never counts below zero', () => {
  expect(toggled(toggled(postFixture('a')))).toEqual(postFixture('a'))
  expect(toggled({ ...postFixture('a'), liked: true, likesCount: 0 }).likesCount).toBe(0)
})

test('removes a deleted post from every list', () => {
  removePost(client, 'b')
  expect(feedIds()).toEqual([['a'], ['c']])
  expect(client.getQueryData(userPostsQuery('ada').queryKey)?.pages[0]?.items).toEqual([])
})

test('keeps the error on the page of a removed post', async () => {
  const queryKey = postKeys.detail('b')
  client.setQueryData(queryKey, postFixture('b'))
  const queryFn = () => Promise.reject(new Error('not found'))
  await client.fetchQuery({ queryKey, queryFn, staleTime: 0 }).catch(() => undefined)
  removePost(client, 'b')
  expect(client.getQueryState(queryKey)?.status).toBe('error')
})

test('removes a deleted post from the posts that quote it, in lists and on their own pages', () => {
  const quoting = postFixture('a', { quotedPost: toQuotedPost(postFixture('b')) })
  client.setQueryData(postKeys.detail('a'), quoting)
  client.setQueryData(postKeys.discover(), {
    ...pages(['a']),
    pages: [{ items: [quoting], nextCursor: null }],
  })
  removePost(client, 'b')
  const [post] = client.getQueryData(discoverQuery().queryKey)?.pages[0]?.items ?? []
  expect(post?.quotedPost).toEqual({ available: false })
  expect(client.getQueryData<Post>(postKeys.detail('a'))?.quotedPost).toEqual({ available: false })
})

test('a list has a next page until the server sends no cursor, even if posts of the last page were deleted', () => {
  const full = [...Array(10).keys()].map((number) => `post ${number}`)
  client.setQueryData(feedQuery.queryKey, pages(full))
  removePost(client, 'post 3')
  const hasMore = () => new InfiniteQueryObserver(client, feedQuery).getCurrentResult().hasNextPage
  expect(hasMore()).toBe(true)
  for (const id of full) removePost(client, id)
  expect(feedIds()).toEqual([[]])
  expect(hasMore()).toBe(true)

  const last = { pages: [{ items: full.map((id) => postFixture(id)), nextCursor: null }], pageParams: [null] }
  client.setQueryData(feedQuery.queryKey, last)
  expect(hasMore()).toBe(false)
})

test('keeps an unsaved post in the list of saved posts until the list is pruned and invalidated', () => {
  client.setQueryData(savedQuery.queryKey, pages(['a', 'b']))
  updatePost(client, 'a', (post) => ({ ...post, saved: true }))
  const savedIds = () => client.getQueryData(savedQuery.queryKey)?.pages[0]?.items.map((post) => post.id)
  expect(savedIds()).toEqual(['a', 'b'])
  pruneSavedPosts(client)
  expect(savedIds()).toEqual(['a'])
  expect(client.getQueryState(savedQuery.queryKey)?.isInvalidated).toBe(true)
})

test('refetches visible saved posts after another post is saved, but not after one of them is unsaved', async () => {
  client.setQueryData(savedQuery.queryKey, pages(['a']))
  const options = {
    ...savedQuery,
    queryFn: () => ({ items: [postFixture('b'), postFixture('a')], nextCursor: null }),
    staleTime: Number.POSITIVE_INFINITY,
  }
  const unsubscribe = new InfiniteQueryObserver(client, options).subscribe(() => undefined)
  const savedIds = () => client.getQueryData(savedQuery.queryKey)?.pages[0]?.items.map(({ id }) => id)
  invalidateSavedPosts(client, 'a')
  expect(client.isFetching()).toBe(0)
  invalidateSavedPosts(client, 'b')
  await vi.waitFor(() => expect(savedIds()).toEqual(['b', 'a']))
  unsubscribe()
})

test("adds a new post once at the top of both feeds and the author's list, invalidating only other lists", async () => {
  const post = postFixture('new')
  const ownKey = userPostsQuery(post.user.username.toUpperCase()).queryKey
  const otherKey = userPostsQuery('bob').queryKey
  client.setQueryData(otherKey, pages(['b']))
  client.setQueryData(ownKey, pages(['a'], ['c']))
  client.setQueryData(followingList.query.queryKey, pages(['c']))
  const before = client.getQueryData(feedQuery.queryKey)
  await addPost(client, post)
  await addPost(client, post)
  expect(client.getQueryData(followingList.query.queryKey)?.pages[0]?.items.map(({ id }) => id)).toEqual([
    'new',
    'c',
  ])
  expect(feedIds()).toEqual([['new', 'a', 'b'], ['c']])
  expect(client.getQueryData(feedQuery.queryKey)?.pageParams).toEqual(before?.pageParams)
  expect(client.getQueryData(ownKey)?.pages[0]?.items.map(({ id }) => id)).toEqual(['new', 'a'])
  // The new post is added below a pinned one.
  client.setQueryData(ownKey, {
    pages: [{ items: [postFixture('pinned', { pinned: true }), postFixture('a')], nextCursor: null }],
    pageParams: [null],
  })
  await addPost(client, post)
  expect(client.getQueryData(ownKey)?.pages[0]?.items.map(({ id }) => id)).toEqual(['pinned', 'new', 'a'])
  const isStale = (queryKey: QueryKey) => client.getQueryState(queryKey)?.isInvalidated
  expect(isStale(feedQuery.queryKey)).toBe(false)
  expect(isStale(ownKey)).toBe(false)
  expect(isStale(otherKey)).toBe(true)
})

/** Mounts the feed. Each function in `responses` resolves one of its requests to posts with the given ids. */
function mountFeed() {
  const responses: ((ids: string[]) => void)[] = []
  const queryFn = () =>
    new Promise<{ items: Post[]; nextCursor: string }>((resolve) => {
      responses.push((ids) => resolve({ items: ids.map((id) => postFixture(id)), nextCursor: 'next' }))
    })
  const observer = new InfiniteQueryObserver(client, { ...feedQuery, queryFn, staleTime: 1e6 })
  return { responses, observer, unmount: observer.subscribe(() => undefined) }
}

test('keeps a new post when the response to an earlier request arrives after it', async () => {
  const { responses, observer, unmount } = mountFeed()
  const nextPage = observer.fetchNextPage()
  await vi.waitFor(() => expect(responses).toHaveLength(1))
  await addPost(client, postFixture('new'))
  responses[0]?.(['d'])
  await nextPage
  expect(feedIds()).toEqual([['new', 'a', 'b'], ['c']])
  unmount()
})

test('refetches a list whose first fetch was in flight when a post was added', async () => {
  client.removeQueries({ queryKey: postKeys.feeds })
  const { responses, unmount } = mountFeed()
  await vi.waitFor(() => expect(responses).toHaveLength(1))
  await addPost(client, postFixture('new'))
  responses[0]?.(['a'])
  await vi.waitFor(() => expect(responses).toHaveLength(2))
  responses[1]?.(['new', 'a'])
  await vi.waitFor(() => expect(feedIds()).toEqual([['new', 'a']]))
  unmount()
})

test('refetches a list that was empty when a post was added, to get earlier posts by others', async () => {
  client.setQueryData(feedQuery.queryKey, pages([]))
  const { responses, unmount } = mountFeed()
  await addPost(client, postFixture('new'))
  expect(feedIds()).toEqual([['new']])
  await vi.waitFor(() => expect(responses).toHaveLength(1))
  responses[0]?.(['new', 'before'])
  await vi.waitFor(() => expect(feedIds()).toEqual([['new', 'before']]))
  unmount()
})

test('refetches a visible topic list when a post is added, and other lists only when they are next shown', async () => {
  const fetched: string[] = []
  const unsubscribes = [topicQuery('cats'), savedQuery].map((query) => {
    client.setQueryData<PostPages>(query.queryKey, pages(['a']))
    const queryFn = () => {
      fetched.push(query.queryKey.join(' '))
      return { items: [postFixture('new'), postFixture('a')], nextCursor: null }
    }
    const options = { ...query, queryFn, staleTime: Number.POSITIVE_INFINITY, refetchOnMount: false }
    return new InfiniteQueryObserver(client, options).subscribe(() => undefined)
  })
  await addPost(client, postFixture('new'))
  await vi.waitFor(() =>
    expect(client.getQueryData(topicQuery('cats').queryKey)?.pages[0]?.items.map((post) => post.id)).toEqual([
      'new',
      'a',
    ]),
  )
  expect(fetched).toEqual([topicQuery('cats').queryKey.join(' ')])
  expect(client.getQueryState(savedQuery.queryKey)?.isInvalidated).toBe(true)
  for (const unsubscribe of unsubscribes) unsubscribe()
})

test('finds a post in a list when its own page was never opened', () => {
  expect(findPost(client, 'c')?.content).toBe('c')
  expect(findPost(client, 'nowhere')).toBeUndefined()
})

test('returns the time of the newest cached post with microsecond precision', () => {
  const at = (...times: string[]): PostPages => ({
    pages: [{ items: times.map((createdAt) => postFixture(createdAt, { createdAt })), nextCursor: null }],
    pageParams: [null],
  })
  const [whole, early, late] = ['', '.5', '.512345'].map((part) => `2026-03-01T10:00:00${part}+00:00`)
  expect(latestPostTime(at(early ?? '', late ?? '', whole ?? ''))).toBe(late)
  expect(latestPostTime(at(whole ?? '', early ?? ''))).toBe(early)
  expect(latestPostTime(at())).toBeUndefined()
  expect(latestPostTime(undefined)).toBeUndefined()
})

/** Returns the URLs that `action` requests. Every response is an empty page. */
async function recordUrls(action: () => Promise<unknown>): Promise<URL[]> {
  const urls: URL[] = []
  vi.stubGlobal('fetch', async (url: string) => {
    urls.push(new URL(url, 'http://localhost'))
    return Response.json([])
  })
  await action()
  vi.unstubAllGlobals()
  return urls
}

test("refetches a feed only up to its newest shown post, and the viewer's own profile without that limit", async () => {
  client.setQueryData(userPostsQuery('own').queryKey, pages(['a']))
  client.setQueryData(followingList.query.queryKey, pages(['a']))
  const urls = await recordUrls(async () => {
    for (const query of [feedQuery, followingList.query, userPostsQuery('own', true)])
      await client.fetchInfiniteQuery({ ...query, staleTime: 0 })
  })
  const until = postFixture('a').createdAt
  expect(urls.map(({ searchParams }) => [searchParams.get('feed'), searchParams.get('until')])).toEqual([
    [null, until],
    ['following', until],
    [null, null],
  ])
})

test('requests larger pages while one author fills the "For you" feed, but not in other feeds', async () => {
  const by = (userId: string, from: number) =>
    [0, 1, 2, 3].map((index) => postFixture(`${userId} ${from + index}`, { userId }))
  const nextLimit = (list: typeof forYouList, ...items: Post[][]) => {
    const data = {
      pages: items.map((page) => ({ items: page, nextCursor: 'next' })),
      pageParams: items.map(() => null),
    }
    client.setQueryData(list.query.queryKey, data)
    return recordUrls(async () => {
      const observer = new InfiniteQueryObserver(client, { ...list.query, staleTime: 1e6 })
      await observer.fetchNextPage()
    }).then(([url]) => url?.searchParams.get('limit'))
  }
  expect(await nextLimit(forYouList, by('ann', 0))).toBe('50')
  expect(await nextLimit(forYouList, by('ann', 0).slice(0, 2), by('ann', 2).slice(0, 2))).toBe('50')
  expect(await nextLimit(forYouList, by('ann', 0).slice(0, 3))).toBe('10')
  expect(await nextLimit(forYouList, by('ann', 0), by('bob', 0).slice(0, 1))).toBe('10')
  expect(await nextLimit(followingList, by('ann', 0))).toBe('10')
})
