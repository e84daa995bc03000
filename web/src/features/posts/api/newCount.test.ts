import { expect, test } from 'vitest'
import { newestOf, newPostsText } from './newCount'
import { postOf } from './testPost'

const at = (createdAt: string) => postOf(createdAt, { createdAt, mine: false })
const own = (createdAt: string) => postOf(createdAt, { createdAt, mine: true })
const page = (...times: string[]) => ({ items: times.map(at), nextCursor: null })

test('new posts are those after the newest that is shown, and all where none is', () => {
  const pages = [page('2026-03-02T00:00:00Z', '2026-03-01T00:00:00Z'), page('2026-02-01T00:00:00Z')]
  expect(newestOf(pages)).toBe('2026-03-02T00:00:00Z')
  expect(newestOf([page(), page('2026-02-01T00:00:00Z')])).toBe('2026-02-01T00:00:00Z')
  expect(Date.parse(newestOf([page()]))).toBe(0)
})

test("one's own new post does not hide what others posted before it", () => {
  const mine = { items: [own('2026-03-05T00:00:00Z'), own('2026-03-04T00:00:00Z')], nextCursor: null }
  expect(newestOf([mine, page('2026-03-02T00:00:00Z')])).toBe('2026-03-02T00:00:00Z')
  expect(newestOf([mine])).toBe('2026-03-04T00:00:00Z')
})

test.each([
  [1, '1 new post'],
  [2, '2 new posts'],
  [98, '98 new posts'],
  [99, '99+ new posts'],
])('%i are told as %s', (count, text) => {
  expect(newPostsText(count)).toBe(text)
})
