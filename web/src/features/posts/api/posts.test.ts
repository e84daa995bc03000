import type { Post } from '@contract/post.ts'
import { InfiniteQueryObserver, QueryClient, type QueryKey } from '@tanstack/react-query'
import { beforeEach, expect, test, vi } from 'vitest'
import { postFixture } from '../post-fixture'
import { postKeys } from './keys'
import { toggleLiked } from './like-post'
import { addPost, adjustCommentCount, findPost, type Lists, removePost, updatePost } from './post-cache'
import { feedQuery, savedQuery, topicQuery, userPostsQuery } from './posts'
import { invalidateSavedPosts, pruneSavedPosts } from './save-post'

const pages = (...ids: string[][]) => ({
  pages: ids.map((page) => ({ items: page.map((id) => postFixture(id)), nextCursor: 'next' })),
  pageParams: ids.map((_, index) => (index === 0 ? null : `cursor ${index}`)),
})

const toggled = (post: Post): Post => ({ ...post, ...toggleLiked(post) })

let client: QueryClient
beforeEach(() => {
  client = new QueryClient()
  client.setQueryData(feedQuery.queryKey, pages(['a', 'b'], ['c']))
  client.setQueryData(userPostsQuery('ada').queryKey, pages(['b']))
  client.setQueryData(postKeys.detail('b'), postFixture('b'))
})
const ids = () =>
  client.getQueryData(feedQuery.queryKey)?.pages.map((page) => page.items.map((one) => one.id))

test('a like shows everywhere the post is shown, and nowhere else', () => {
  updatePost(client, 'b', toggled)
  const feed = client.getQueryData(feedQuery.queryKey)
  expect(feed?.pages[0]?.items.map((one) => one.likesCount)).toEqual([3, 4])
  expect(client.getQueryData(userPostsQuery('ada').queryKey)?.pages[0]?.items[0]?.liked).toBe(true)
  expect(client.getQueryData<Post>(postKeys.detail('b'))?.liked).toBe(true)
})

test('what was unlocked or edited is open in every list and on its own page', () => {
  const open = postFixture('b', { isPremium: true, locked: false, content: 'Paid for' })
  updatePost(client, 'b', () => open)
  expect(client.getQueryData(feedQuery.queryKey)?.pages[0]?.items[1]).toEqual(open)
  expect(client.getQueryData(userPostsQuery('ada').queryKey)?.pages[0]?.items[0]).toEqual(open)
  expect(findPost(client, 'b')).toEqual(open)
})

test('comments are counted wherever the post is shown, and taken back', () => {
  adjustCommentCount(client, 'b', 1)
  expect(findPost(client, 'b')?.commentsCount).toBe(1)
  expect(client.getQueryData(feedQuery.queryKey)?.pages[0]?.items.map((one) => one.commentsCount)).toEqual([
    0, 1,
  ])
  adjustCommentCount(client, 'b', -3)
  expect(findPost(client, 'b')?.commentsCount).toBe(0)
})

test('pages without the post stay the very same', () => {
  const before = client.getQueryData(feedQuery.queryKey)?.pages[1]
  updatePost(client, 'b', toggled)
  expect(client.getQueryData(feedQuery.queryKey)?.pages[1]).toBe(before)
})

test('two presses come back to where they began, and counts never fall below zero', () => {
  expect(toggled(toggled(postFixture('a')))).toEqual(postFixture('a'))
  expect(toggled({ ...postFixture('a'), liked: true, likesCount: 0 }).likesCount).toBe(0)
})

test('a deleted post leaves every list', () => {
  removePost(client, 'b')
  expect(ids()).toEqual([['a'], ['c']])
  expect(client.getQueryData(userPostsQuery('ada').queryKey)?.pages[0]?.items).toEqual([])
})

test('a list goes on after a post of its last page was deleted, and ends where the server says so', () => {
  const full = [...Array(10).keys()].map((number) => `post ${number}`)
  client.setQueryData(feedQuery.queryKey, pages(full))
  removePost(client, 'post 3')
  const hasMore = () => new InfiniteQueryObserver(client, feedQuery).getCurrentResult().hasNextPage
  expect(hasMore()).toBe(true)
  for (const id of full) removePost(client, id)
  expect(ids()).toEqual([[]])
  expect(hasMore()).toBe(true)

  const last = { pages: [{ items: full.map((id) => postFixture(id)), nextCursor: null }], pageParams: [null] }
  client.setQueryData(feedQuery.queryKey, last)
  expect(hasMore()).toBe(false)
})

test('a post that is no longer saved stays in the list until it is settled, which has it read again', () => {
  client.setQueryData(savedQuery.queryKey, pages(['a', 'b']))
  updatePost(client, 'a', (one) => ({ ...one, saved: true }))
  const saved = () => client.getQueryData(savedQuery.queryKey)?.pages[0]?.items.map((one) => one.id)
  expect(saved()).toEqual(['a', 'b'])
  pruneSavedPosts(client)
  expect(saved()).toEqual(['a'])
  expect(client.getQueryState(savedQuery.queryKey)?.isInvalidated).toBe(true)
})

test('refetches the saved posts on the screen after saving another one, but not after unsaving one of them', async () => {
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

test('a new post goes on top of what was read, once, and only lists that it does not head are stale', async () => {
  const post = postFixture('new')
  const own = userPostsQuery(post.user.username.toUpperCase()).queryKey
  const others = userPostsQuery('bob').queryKey
  client.setQueryData(others, pages(['b']))
  client.setQueryData(own, pages(['a'], ['c']))
  const before = client.getQueryData(feedQuery.queryKey)
  await addPost(client, post)
  await addPost(client, post)
  expect(ids()).toEqual([['new', 'a', 'b'], ['c']])
  expect(client.getQueryData(feedQuery.queryKey)?.pageParams).toEqual(before?.pageParams)
  expect(client.getQueryData(own)?.pages[0]?.items.map((one) => one.id)).toEqual(['new', 'a'])
  const isStale = (queryKey: QueryKey) => client.getQueryState(queryKey)?.isInvalidated
  expect(isStale(feedQuery.queryKey)).toBe(false)
  expect(isStale(own)).toBe(false)
  expect(isStale(others)).toBe(true)
})

/** Shows the feed, and gives the answers that it asks for. */
function showFeed() {
  const asked: ((ids: string[]) => void)[] = []
  const queryFn = () =>
    new Promise<{ items: Post[]; nextCursor: string }>((resolve) => {
      asked.push((ids) => resolve({ items: ids.map((id) => postFixture(id)), nextCursor: 'next' }))
    })
  const observer = new InfiniteQueryObserver(client, { ...feedQuery, queryFn, staleTime: 1e6 })
  return { asked, observer, stop: observer.subscribe(() => undefined) }
}

test('a page that was on its way when one posted does not take the post away', async () => {
  const { asked, observer, stop } = showFeed()
  const more = observer.fetchNextPage()
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  await addPost(client, postFixture('new'))
  asked[0]?.(['d'])
  await more
  expect(ids()).toEqual([['new', 'a', 'b'], ['c']])
  stop()
})

test('a list that was first read while one posted is read again', async () => {
  client.removeQueries({ queryKey: postKeys.feed })
  const { asked, stop } = showFeed()
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  await addPost(client, postFixture('new'))
  asked[0]?.(['a'])
  await vi.waitFor(() => expect(asked).toHaveLength(2))
  asked[1]?.(['new', 'a'])
  await vi.waitFor(() => expect(ids()).toEqual([['new', 'a']]))
  stop()
})

test('a list that was empty when one posted is read again for what others posted before', async () => {
  client.setQueryData(feedQuery.queryKey, pages([]))
  const { asked, stop } = showFeed()
  await addPost(client, postFixture('new'))
  expect(ids()).toEqual([['new']])
  await vi.waitFor(() => expect(asked).toHaveLength(1))
  asked[0]?.(['new', 'before'])
  await vi.waitFor(() => expect(ids()).toEqual([['new', 'before']]))
  stop()
})

test('the list of a topic that is shown while one posts is read again, other lists only when they are next shown', async () => {
  const asked: string[] = []
  const stops = [topicQuery('cats'), savedQuery].map((query) => {
    client.setQueryData<Lists>(query.queryKey, pages(['a']))
    const queryFn = () => {
      asked.push(query.queryKey.join(' '))
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
  expect(asked).toEqual([topicQuery('cats').queryKey.join(' ')])
  expect(client.getQueryState(savedQuery.queryKey)?.isInvalidated).toBe(true)
  for (const stop of stops) stop()
})

test('a post is found in a list when its own page was never open', () => {
  expect(findPost(client, 'c')?.content).toBe('c')
  expect(findPost(client, 'nowhere')).toBeUndefined()
})
