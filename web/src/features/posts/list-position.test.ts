import { beforeEach, describe, expect, it } from 'vitest'
import { groupIntoBlocks, isSameBlock, type PostBlockKeys } from './list-position'
import { postFixture } from './post-fixture'

let keys: PostBlockKeys
beforeEach(() => {
  keys = new Map()
})
const group = (ids: string) =>
  groupIntoBlocks(
    [...ids].map((id) => postFixture(id)),
    keys,
  )
const groupedIds = (ids: string) => group(ids).map(({ posts }) => posts.map((post) => post.id).join(''))

describe('groupIntoBlocks', () => {
  it('groups posts into blocks of five and keeps their order', () => {
    expect(groupedIds('abcdefghijklm')).toEqual(['abcde', 'fghij', 'klm'])
    expect(groupedIds('')).toEqual([])
  })

  it('puts added posts into new blocks', () => {
    const before = group('abcdefg')
    expect(groupedIds('xyabcdefghi')).toEqual(['xy', 'abcde', 'fg', 'hi'])
    expect(group('xyabcdefghi').map(({ key }) => key)).toEqual(
      expect.arrayContaining(before.map(({ key }) => key)),
    )
  })

  it("keeps a block's key while any of its posts remains", () => {
    const [first, second] = group('abcdefg')
    expect(group('bdefg').map(({ key }) => key)).toEqual([first?.key, second?.key])
    expect(groupedIds('bdefg')).toEqual(['bde', 'fg'])
  })

  it('returns every post once, in blocks with unique keys, after the order has changed', () => {
    group('abcdefghij')
    const blocks = group('jaficbgdhe')
    expect(blocks.flatMap(({ posts }) => posts.map((post) => post.id)).join('')).toBe('jaficbgdhe')
    expect(new Set(blocks.map(({ key }) => key)).size).toBe(blocks.length)
  })
})

describe('isSameBlock', () => {
  it('returns false only for a block with a changed post', () => {
    const posts = [...'abcdefg'].map((id) => postFixture(id))
    const before = groupIntoBlocks(posts, keys)
    const after = groupIntoBlocks(
      posts.map((post) => (post.id === 'g' ? { ...post, liked: true } : post)),
      keys,
    )
    expect(after.map((block, index) => before[index] && isSameBlock(block, before[index]))).toEqual([
      true,
      false,
    ])
  })
})
