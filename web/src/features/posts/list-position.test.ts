import { beforeEach, expect, test } from 'vitest'
import { groupIntoBlocks, isSameBlock, type PostBlockKeys } from './post-blocks'
import { postFixture } from './post-fixture'

let keys: PostBlockKeys
beforeEach(() => {
  keys = new Map()
})
const cut = (ids: string) =>
  groupIntoBlocks(
    [...ids].map((id) => postFixture(id)),
    keys,
  )
const shown = (ids: string) => cut(ids).map(({ posts }) => posts.map((post) => post.id).join(''))

test('a list is cut into short stretches in its order', () => {
  expect(shown('abcdefghijklm')).toEqual(['abcde', 'fghij', 'klm'])
  expect(shown('')).toEqual([])
})

test('what is added stands in stretches of its own', () => {
  const before = cut('abcdefg')
  expect(shown('xyabcdefghi')).toEqual(['xy', 'abcde', 'fg', 'hi'])
  expect(cut('xyabcdefghi').map(({ key }) => key)).toEqual(
    expect.arrayContaining(before.map(({ key }) => key)),
  )
})

test('a stretch keeps its key while any of its posts is there', () => {
  const [first, second] = cut('abcdefg')
  expect(cut('bdefg').map(({ key }) => key)).toEqual([first?.key, second?.key])
  expect(shown('bdefg')).toEqual(['bde', 'fg'])
})

test('in another order every post is there once, under keys that differ', () => {
  cut('abcdefghij')
  const stretches = cut('jaficbgdhe')
  expect(stretches.flatMap(({ posts }) => posts.map((post) => post.id)).join('')).toBe('jaficbgdhe')
  expect(new Set(stretches.map(({ key }) => key)).size).toBe(stretches.length)
})

test('only a stretch with a changed post is another one', () => {
  const posts = [...'abcdefg'].map((id) => postFixture(id))
  const before = groupIntoBlocks(posts, keys)
  const after = groupIntoBlocks(
    posts.map((post) => (post.id === 'g' ? { ...post, liked: true } : post)),
    keys,
  )
  expect(after.map((stretch, at) => before[at] && isSameBlock(stretch, before[at]))).toEqual([true, false])
})
