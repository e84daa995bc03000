import { expect, test } from 'vitest'
import { postFixture } from '../post-fixture'
import { keepOwnNewPosts, newestPostTime, newPostsText } from './new-posts'

const othersPost = (createdAt: string) => postFixture(createdAt, { createdAt, mine: false })
const ownPost = (createdAt: string) => postFixture(createdAt, { createdAt, mine: true })
const pageOf = (...times: string[]) => ({ items: times.map(othersPost), nextCursor: null })

test('returns the time of the newest cached post, or the epoch if there are no posts', () => {
  const pages = [pageOf('2026-03-02T00:00:00Z', '2026-03-01T00:00:00Z'), pageOf('2026-02-01T00:00:00Z')]
  expect(newestPostTime(pages)).toBe('2026-03-02T00:00:00Z')
  expect(newestPostTime([pageOf(), pageOf('2026-02-01T00:00:00Z')])).toBe('2026-02-01T00:00:00Z')
  expect(Date.parse(newestPostTime([pageOf()]))).toBe(0)
})

test('finds the newest post below an older one that is pinned', () => {
  expect(newestPostTime([pageOf('2026-01-01T00:00:00Z', '2026-03-02T00:00:00Z')])).toBe(
    '2026-03-02T00:00:00Z',
  )
})

test("ignores the viewer's new posts, so that earlier posts by others are counted", () => {
  const own = { items: [ownPost('2026-03-05T00:00:00Z'), ownPost('2026-03-04T00:00:00Z')], nextCursor: null }
  expect(newestPostTime([own, pageOf('2026-03-02T00:00:00Z')])).toBe('2026-03-02T00:00:00Z')
  expect(newestPostTime([own])).toBe('2026-03-04T00:00:00Z')
})

test("keeps the viewer's posts that were created during the fetch, above those of the newest page", () => {
  const fetched = pageOf('2026-03-02T00:00:00Z', '2026-03-01T00:00:00Z')
  const cached = {
    items: [
      ownPost('2026-03-04T00:00:00Z'),
      ownPost('2026-03-03T00:00:00Z'),
      othersPost('2026-02-02T00:00:00Z'),
    ],
    nextCursor: 'next',
  }
  const ids = (items: { id: string }[]) => items.map(({ id }) => id)
  expect(ids(keepOwnNewPosts(fetched, cached).items)).toEqual([
    '2026-03-04T00:00:00Z',
    '2026-03-03T00:00:00Z',
    '2026-03-02T00:00:00Z',
    '2026-03-01T00:00:00Z',
  ])
  expect(keepOwnNewPosts(fetched, cached).nextCursor).toBeNull()
  // Not kept: the viewer's posts that the page contains or that are older, and posts by others.
  const [first] = cached.items
  const containsFirst = { items: [first ?? ownPost(''), ...fetched.items], nextCursor: null }
  const withOlder = {
    items: [...cached.items.slice(0, 1), ownPost('2026-01-01T00:00:00Z'), othersPost('2026-03-09T00:00:00Z')],
    nextCursor: null,
  }
  expect(keepOwnNewPosts(containsFirst, withOlder)).toBe(containsFirst)
  expect(keepOwnNewPosts(fetched, undefined)).toBe(fetched)
  expect(ids(keepOwnNewPosts(pageOf(), cached).items)).toEqual([
    '2026-03-04T00:00:00Z',
    '2026-03-03T00:00:00Z',
  ])
})

test.each([
  [1, '1 new post'],
  [2, '2 new posts'],
  [98, '98 new posts'],
  [99, '99+ new posts'],
])('formats a count of %i as %s', (count, text) => {
  expect(newPostsText(count)).toBe(text)
})
