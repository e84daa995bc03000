import { describe, expect, test } from 'vitest'
import { contentPreview, extractPostLink, withPostLink } from './post-link'

const id = '0198c1f2-6d3e-7c4a-9b1d-2f5e8a7c3b60'
const path = `/post/${id}`
const origin = 'https://ovation.example'

describe('extractPostLink', () => {
  test('finds a URL or path of a post, and removes it if the message ends with it', () => {
    for (const link of [path, origin + path]) {
      expect(extractPostLink(link, origin)).toEqual({ text: '', postId: id })
      expect(extractPostLink(`For you:\n${link} `, origin)).toEqual({ text: 'For you:', postId: id })
    }
  })

  test('keeps a link within a sentence, and later links', () => {
    for (const text of [`See ${path}, it is new`, `${path} and ${path.replace('0198', '0199')} too`])
      expect(extractPostLink(text)).toEqual({ text, postId: id })
  })

  test('ignores posts of other sites, other paths, and links within a word', () => {
    for (const text of [
      `https://elsewhere.example${path}`,
      `${path}/edit`,
      `${path}?ref=1`,
      '/post/1',
      `a${path}`,
    ])
      expect(extractPostLink(text, origin)).toEqual({ text, postId: null })
  })
})

test('withPostLink adds a link that extractPostLink finds', () => {
  for (const text of ['', 'New today'])
    expect(extractPostLink(withPostLink(` ${text} `, id, origin), origin)).toEqual({ text, postId: id })
  expect(withPostLink(' Hello ', null)).toBe('Hello')
})

test('contentPreview shows the text of a message, or else that it contains a post', () => {
  expect(contentPreview(`New today\n${path}`)).toBe('New today')
  expect(contentPreview(path)).toBe('Post')
  expect(contentPreview('')).toBe('')
})
