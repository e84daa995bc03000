import type { Comment } from '@contract/comment.ts'
import {
  InfiniteQueryObserver,
  QueryClient,
  QueryClientProvider,
  useInfiniteQuery,
} from '@tanstack/react-query'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '@/lib/errors'
import { userCardFixture } from '@/profile/user-card-fixture'
import {
  addCommentToCache,
  commentsQuery,
  countWithReplies,
  endAtSameComment,
  isPostGone,
  keepOrder,
  linkedCommentQuery,
  removeCommentFromCache,
  repliesQuery,
  uniqueComments,
  updateCachedComment,
} from './api'

const missingPostQuery = {
  ...commentsQuery('a'),
  queryFn: () => Promise.reject(new ApiError(404, '')),
}

const renders: { hasError: boolean; isGone: boolean }[] = []

/** Records the state of the list each time it renders. */
function List() {
  const list = useInfiniteQuery(missingPostQuery)
  renders.push({ hasError: list.error !== null, isGone: isPostGone(list) })
  return null
}

describe('isPostGone', () => {
  it('returns false while a list with an earlier 404 is refetched', async () => {
    const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 1e9 } } })
    queryClient.setQueryData(missingPostQuery.queryKey, {
      pages: [{ items: [], nextCursor: null }],
      pageParams: [null],
    })
    const observer = new InfiniteQueryObserver(queryClient, missingPostQuery)
    const unsubscribe = observer.subscribe(() => undefined)
    await observer.refetch()
    await vi.waitFor(() => expect(isPostGone(observer.getCurrentResult())).toBe(true))
    unsubscribe()

    // The cache still contains the list and its error. The new component refetches the list.
    renderToStaticMarkup(createElement(QueryClientProvider, { client: queryClient }, createElement(List)))
    expect(renders).toEqual([{ hasError: true, isGone: false }])
  })
})

const comment = (id: string, fields: Partial<Comment> = {}): Comment => ({
  id,
  postId: 'post',
  content: id,
  user: userCardFixture('u'),
  createdAt: '2026-01-01T00:00:00Z',
  parentCommentId: null,
  repliesCount: 0,
  likesCount: 0,
  liked: false,
  mine: true,
  canDelete: true,
  hidden: false,
  ...fields,
})
const reply = (id: string) => comment(id, { parentCommentId: 'a' })
const repliesKey = (id: string) => repliesQuery({ id, postId: 'post' }).queryKey
const pages = (...pages: Comment[][]) => ({
  pages: pages.map((items) => ({ items, nextCursor: 'next' })),
  pageParams: pages.map((_, index) => (index === 0 ? null : `cursor ${index}`)),
})

describe('comment cache', () => {
  let queryClient: QueryClient
  beforeEach(() => {
    queryClient = new QueryClient()
    queryClient.setQueryData(
      commentsQuery('post').queryKey,
      pages([comment('b')], [comment('a', { repliesCount: 1 })]),
    )
    queryClient.setQueryData(repliesKey('a'), pages([reply('r1')], [reply('r2')]))
  })
  const comments = () => uniqueComments(queryClient.getQueryData(commentsQuery('post').queryKey))
  const replies = () => uniqueComments(queryClient.getQueryData(repliesKey('a'))).map(({ id }) => id)

  it('adds a new comment at the start of the list, and only once', () => {
    addCommentToCache(queryClient, comment('c'))
    addCommentToCache(queryClient, comment('c'))
    expect(comments().map(({ id }) => id)).toEqual(['c', 'b', 'a'])
  })

  it("adds a reply at the end of the list and increments the parent's reply count", () => {
    addCommentToCache(queryClient, reply('r3'))
    expect(replies()).toEqual(['r1', 'r2', 'r3'])
    expect(comments().map(({ repliesCount }) => repliesCount)).toEqual([0, 2])
  })

  it('shows the first reply as the preview of its parent until the reply is deleted', () => {
    const first = comment('r', { parentCommentId: 'b' })
    addCommentToCache(queryClient, first)
    addCommentToCache(queryClient, comment('s', { parentCommentId: 'b' }))
    updateCachedComment(queryClient, first, (cached) => ({ ...cached, liked: true }))
    expect(comments()[0]).toMatchObject({ repliesCount: 2, previewReply: { id: 'r', liked: true } })
    removeCommentFromCache(queryClient, first)
    expect(comments()[0]).toMatchObject({ repliesCount: 1, previewReply: null })
  })

  it('does not create a list of replies that has not been loaded', () => {
    addCommentToCache(queryClient, comment('r', { parentCommentId: 'b' }))
    expect(queryClient.getQueryData(repliesKey('b'))).toBeUndefined()
    expect(comments()[0]?.repliesCount).toBe(1)
  })

  it('removes a deleted reply, and a deleted comment with its replies', () => {
    removeCommentFromCache(queryClient, reply('r1'))
    expect(replies()).toEqual(['r2'])
    expect(comments()[1]?.repliesCount).toBe(0)
    removeCommentFromCache(queryClient, comment('a'))
    expect(comments().map(({ id }) => id)).toEqual(['b'])
    expect(queryClient.getQueryData(repliesKey('a'))).toBeUndefined()
  })
})

describe('updateCachedComment', () => {
  it('changes a comment or a reply in its list and in the cached linked comment', () => {
    const queryClient = new QueryClient()
    const linkedKey: readonly unknown[] = linkedCommentQuery('post', 'r1').queryKey
    queryClient.setQueryData(commentsQuery('post').queryKey, pages([comment('a'), comment('b')]))
    queryClient.setQueryData(repliesKey('a'), pages([reply('r1')]))
    queryClient.setQueryData(linkedKey, { comment: reply('r1'), parent: comment('a') })
    const like = (target: Comment) =>
      updateCachedComment(queryClient, target, (cached) => ({ ...cached, liked: true }))
    const likedIds = (key: readonly unknown[]) =>
      uniqueComments(queryClient.getQueryData(key))
        .filter(({ liked }) => liked)
        .map(({ id }) => id)
    like(reply('r1'))
    expect(likedIds(repliesKey('a'))).toEqual(['r1'])
    expect(likedIds(commentsQuery('post').queryKey)).toEqual([])
    like(comment('a'))
    expect(likedIds(commentsQuery('post').queryKey)).toEqual(['a'])
    expect(queryClient.getQueryData(linkedKey)).toMatchObject({
      comment: { liked: true },
      parent: { liked: true },
    })
  })
})

describe('countWithReplies', () => {
  it('counts a comment and its replies', () => {
    expect(countWithReplies(comment('a', { repliesCount: 3 }))).toBe(4)
    expect(countWithReplies(reply('r'))).toBe(1)
  })
})

describe('endAtSameComment', () => {
  const page = (ids: string[], nextCursor: string | null = 'fetched') => ({
    items: ids.map((id) => comment(id)),
    nextCursor,
  })
  const shown = page(['b', 'a'], 'shown')

  it('cuts off the fetched page after the last comment already shown, and keeps the previous cursor', () => {
    expect(endAtSameComment(page(['d', 'c', 'b', 'a', 'older']), shown)).toEqual(
      page(['d', 'c', 'b', 'a'], 'shown'),
    )
  })

  it('returns the fetched page unchanged if the last comment shown is gone or nothing followed it', () => {
    expect(endAtSameComment(page(['c', 'b', 'older']), shown)).toEqual(page(['c', 'b', 'older']))
    expect(endAtSameComment(page(['b', 'a'], null), page(['a'], null))).toEqual(page(['b', 'a'], null))
  })
})

describe('keepOrder', () => {
  it('returns the comments in the earlier order, and new ones last', () => {
    const comments = ['new', 'c', 'b', 'a'].map((id) => comment(id))
    expect(keepOrder(comments, ['a', 'gone', 'b', 'c']).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'new'])
  })
})

describe('uniqueComments', () => {
  it('returns a comment once, at its last position, if two pages contain it', () => {
    const shifted = pages([comment('c'), comment('b')], [comment('b'), comment('a')])
    expect(uniqueComments(shifted).map(({ id }) => id)).toEqual(['c', 'b', 'a'])
  })
})
