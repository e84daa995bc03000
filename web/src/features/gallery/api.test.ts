import type { GalleryItem } from '@contract/gallery.ts'
import { expect, test } from 'vitest'
import { type GalleryPages, insertItem, removeItem } from './api'

const item = (at: number): GalleryItem => ({
  id: `00000000-0000-7000-8000-00000000000${at}`,
  userId: '00000000-0000-7000-8000-000000000000',
  mediaType: 'image',
  mediaUrl: `/api/media/${at}`,
  title: null,
  description: null,
  placeholder: null,
  width: 1,
  height: 1,
  createdAt: `2026-01-01T00:00:0${at}+00:00`,
})

const pages = (...lists: number[][]): GalleryPages => ({
  pageParams: lists.map((_, at) => (at === 0 ? null : `${at}`)),
  pages: lists.map((list, at) => ({
    items: list.map(item),
    nextCursor: at < lists.length - 1 ? `${at + 1}` : null,
  })),
})
const shown = ({ pages: all }: GalleryPages) =>
  all.map((page) => page.items.map(({ createdAt }) => Number(createdAt.slice(18, 19))))

test('an item stands at its place, once', () => {
  const read = pages([9, 7], [5, 3])
  expect(shown(insertItem(read, item(8))).flat()).toEqual([9, 8, 7, 5, 3])
  expect(shown(insertItem(read, item(6))).flat()).toEqual([9, 7, 6, 5, 3])
  expect(shown(insertItem(read, item(7))).flat()).toEqual([9, 7, 5, 3])
  expect(shown(insertItem(read, item(1))).flat()).toEqual([9, 7, 5, 3, 1])
  expect(shown(insertItem(pages([]), item(1)))).toEqual([[1]])
})

test('one behind what was read comes with the next page', () => {
  const [first] = pages([9, 7], [5]).pages
  if (!first) throw new Error('There is no first page')
  expect(shown(insertItem({ pages: [first], pageParams: [null] }, item(4)))).toEqual([[9, 7]])
})

test('what is taken out leaves its page shorter', () => {
  expect(shown(removeItem(pages([9], [5, 3]), item(9).id))).toEqual([[], [5, 3]])
})
