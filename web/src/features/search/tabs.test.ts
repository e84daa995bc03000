import { expect, test } from 'vitest'
import { countPages, firstTab, type ResultCount, tabWithResults } from './tabs'

const pending: ResultCount = { isPending: true, count: undefined, hasMore: false }
const failed: ResultCount = { isPending: false, count: undefined, hasMore: false }
const count = (value: number, hasMore = false): ResultCount => ({ isPending: false, count: value, hasMore })

test.each([
  ['the first tab with results', { people: count(0), posts: count(2), topics: count(1) }, 'posts'],
  [
    'a tab whose loaded page is empty, if there are more',
    { people: count(0, true), posts: count(2), topics: pending },
    'people',
  ],
  ['a tab that failed to load', { people: failed, posts: count(2), topics: count(1) }, 'people'],
  ['the first tab if all are empty', { people: count(0), posts: count(0), topics: count(0) }, 'people'],
  ['no tab while an earlier one loads', { people: pending, posts: count(2), topics: count(1) }, undefined],
  [
    'no tab while the only ones that are not empty load',
    { people: count(0), posts: count(0), topics: pending },
    undefined,
  ],
])('opens %s', (_, counts, tab) => {
  expect(firstTab(counts)).toBe(tab)
})

test('offers the first tab that has loaded results, if any', () => {
  expect(tabWithResults({ people: count(0), posts: pending, topics: count(1) })).toBe('topics')
  expect(tabWithResults({ people: count(0), posts: failed, topics: count(0) })).toBeUndefined()
})

test('counts the items of all loaded pages', () => {
  const data = { pages: [{ items: ['a', 'b'] }, { items: ['c'] }] }
  expect(countPages({ isPending: false, data, hasNextPage: true })).toEqual(count(3, true))
  expect(countPages({ isPending: true, data: undefined, hasNextPage: false })).toEqual(pending)
})
