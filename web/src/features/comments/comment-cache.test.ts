import type { Comment } from '@contract/comment.ts'
import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test } from 'vitest'
import { userCardFixture } from '@/profile/user-card-fixture'
import { commentsQuery, repliesQuery } from './api'
import { addCommentToCache, countWithReplies, removeCommentFromCache, uniqueComments } from './comment-cache'

const comment = (id: string, fields: Partial<Comment> = {}): Comment => ({
  id,
  postId: 'post',
  content: id,
  user: userCardFixture('u'),
  createdAt: '2026-01-01T00:00:00Z',
  parentCommentId: null,
  repliesCount: 0,
  mine: true,
  canDelete: true,
  hidden: false,
  ...fields,
})
const reply = (id: string) => comment(id, { parentCommentId: 'a' })
const pages = (...pages: Comment[][]) => ({
  pages: pages.map((items) => ({ items, nextCursor: 'next' })),
  pageParams: pages.map((_, index) => (index === 0 ? null : `cursor ${index}`)),
})

let client: QueryClient
beforeEach(() => {
  client = new QueryClient()
  client.setQueryData(
    commentsQuery('post').queryKey,
    pages([comment('b')], [comment('a', { repliesCount: 1 })]),
  )
  client.setQueryData(repliesQuery('a').queryKey, pages([reply('r1')], [reply('r2')]))
})
const comments = () => uniqueComments(client.getQueryData(commentsQuery('post').queryKey))
const replies = () => uniqueComments(client.getQueryData(repliesQuery('a').queryKey)).map((one) => one.id)

test('a new comment comes on top, once however often it is answered', () => {
  addCommentToCache(client, comment('c'))
  addCommentToCache(client, comment('c'))
  expect(comments().map((one) => one.id)).toEqual(['c', 'b', 'a'])
})

test('a reply comes last under its comment, which counts it', () => {
  addCommentToCache(client, reply('r3'))
  expect(replies()).toEqual(['r1', 'r2', 'r3'])
  expect(comments().map((one) => one.repliesCount)).toEqual([0, 2])
})

test('a reply to a comment whose replies were never shown leaves their list to be read', () => {
  addCommentToCache(client, comment('r', { parentCommentId: 'b' }))
  expect(client.getQueryData(repliesQuery('b').queryKey)).toBeUndefined()
  expect(comments()[0]?.repliesCount).toBe(1)
})

test('what is deleted is gone, a comment with its replies', () => {
  removeCommentFromCache(client, reply('r1'))
  expect(replies()).toEqual(['r2'])
  expect(comments()[1]?.repliesCount).toBe(0)
  removeCommentFromCache(client, comment('a'))
  expect(comments().map((one) => one.id)).toEqual(['b'])
  expect(client.getQueryData(repliesQuery('a').queryKey)).toBeUndefined()
})

test('a post counts a comment and all its replies', () => {
  expect(countWithReplies(comment('a', { repliesCount: 3 }))).toBe(4)
  expect(countWithReplies(reply('r'))).toBe(1)
})

test('pages that shifted show a comment once, where it came last', () => {
  const shifted = pages([comment('c'), comment('b')], [comment('b'), comment('a')])
  expect(uniqueComments(shifted).map((one) => one.id)).toEqual(['c', 'b', 'a'])
})
