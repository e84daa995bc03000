import type { GalleryItem } from '@contract/gallery.ts'
import { describe, expect, it } from 'vitest'
import { type GalleryPages, insertItem, removeItem } from './api'

const item = (second: number): GalleryItem => ({
  id: `00000000-0000-7000-8000-00000000000${second}`,
  userId: '00000000-0000-7000-8000-000000000000',
  mediaType: 'image',
  mediaUrl: `/api/media/${second}`,
  title: null,
  description: null,
  placeholder: null,
  width: 1,
  height: 1,
  createdAt: `2026-01-01T00:00:0${second}+00:00`,
})

const gallery = (...pages: number[][]): GalleryPages => ({
  pageParams: pages.map((_, index) => (index === 0 ? null : `${index}`)),
  pages: pages.map((page, index) => ({
    items: page.map(item),
    nextCursor: index < pages.length - 1 ? `${index + 1}` : null,
  })),
})
const secondsByPage = ({ pages }: GalleryPages) =>
  pages.map((page) => page.items.map(({ createdAt }) => Number(createdAt.slice(18, 19))))

describe('insertItem', () => {
  it('inserts an item once, at its sorted position', () => {
    const loaded = gallery([9, 7], [5, 3])
    expect(secondsByPage(insertItem(loaded, item(8))).flat()).toEqual([9, 8, 7, 5, 3])
    expect(secondsByPage(insertItem(loaded, item(6))).flat()).toEqual([9, 7, 6, 5, 3])
    expect(secondsByPage(insertItem(loaded, item(7))).flat()).toEqual([9, 7, 5, 3])
    expect(secondsByPage(insertItem(loaded, item(1))).flat()).toEqual([9, 7, 5, 3, 1])
    expect(secondsByPage(insertItem(gallery([]), item(1)))).toEqual([[1]])
  })

  it('leaves out an item that belongs on a page that has not been loaded', () => {
    const [first] = gallery([9, 7], [5]).pages
    if (!first) throw new Error('There is no first page')
    expect(secondsByPage(insertItem({ pages: [first], pageParams: [null] }, item(4)))).toEqual([[9, 7]])
  })
})

describe('removeItem', () => {
  it('removes an item without moving items between pages', () => {
    expect(secondsByPage(removeItem(gallery([9], [5, 3]), item(9).id))).toEqual([[], [5, 3]])
  })
})
