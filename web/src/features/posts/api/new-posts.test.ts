import { expect, test } from 'vitest'
import { postFixture } from '../post-fixture'
import { keepOwnNewPosts, newestPostTime, newPostsText } from './new-posts'

const at = (createdAt: string) => postFixture(createdAt, { createdAt, mine: false })
const own = (createdAt: string) => postFixture(createdAt, { createdAt, mine: true })
const page = (...times: string[]) => ({ items: times.map(at), nextCursor: null })

test('new posts are those after the newest that is shown, and all where none is', () => {
  const pages = [page('2026-03-02T00:00:00Z', '2026-03-01T00:00:00Z'), page('2026-02-01T00:00:00Z')]
  expect(newestPostTime(pages)).toBe('2026-03-02T00:00:00Z')
  expect(newestPostTime([page(), page('2026-02-01T00:00:00Z')])).toBe('2026-02-01T00:00:00Z')
  expect(Date.parse(newestPostTime([page()]))).toBe(0)
})

test("one's own new post does not hide what others posted before it", () => {
  const mine = { items: [own('2026-03-05T00:00:00Z'), own('2026-03-04T00:00:00Z')], nextCursor: null }
  expect(newestPostTime([mine, page('2026-03-02T00:00:00Z')])).toBe('2026-03-02T00:00:00Z')
  expect(newestPostTime([mine])).toBe('2026-03-04T00:00:00Z')
})

test('what one posted while the newest were read stays on top of them', () => {
  const read = page('2026-03-02T00:00:00Z', '2026-03-01T00:00:00Z')
  const shown = {
    items: [own('2026-03-04T00:00:00Z'), own('2026-03-03T00:00:00Z'), at('2026-02-02T00:00:00Z')],
    nextCursor: 'next',
  }
  const ids = (items: { id: string }[]) => items.map(({ id }) => id)
  expect(ids(keepOwnNewPosts(read, shown).items)).toEqual([
    '2026-03-04T00:00:00Z',
    '2026-03-03T00:00:00Z',
    '2026-03-02T00:00:00Z',
    '2026-03-01T00:00:00Z',
  ])
  expect(keepOwnNewPosts(read, shown).nextCursor).toBeNull()
  // One that the page holds, one that is older than it, and others' posts, which it would hold.
  const [first] = shown.items
  const with3 = { items: [first ?? own(''), ...read.items], nextCursor: null }
  const older = {
    items: [...shown.items.slice(0, 1), own('2026-01-01T00:00:00Z'), at('2026-03-09T00:00:00Z')],
  }
  expect(keepOwnNewPosts(with3, { ...older, nextCursor: null })).toBe(with3)
  expect(keepOwnNewPosts(read, undefined)).toBe(read)
  expect(ids(keepOwnNewPosts(page(), shown).items)).toEqual(['2026-03-04T00:00:00Z', '2026-03-03T00:00:00Z'])
})

test.each([
  [1, '1 new post'],
  [2, '2 new posts'],
  [98, '98 new posts'],
  [99, '99+ new posts'],
])('%i are told as %s', (count, text) => {
  expect(newPostsText(count)).toBe(text)
})
