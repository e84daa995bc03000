import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { replaceUserCard, updateCachedUserCard } from './own-profile'

const ann = { id: 'ann', handle: 'ann', profileImageUrl: '/old' }
const ben = { id: 'ben', handle: 'ben', profileImageUrl: '/ben' }
const post = (id: string, user: object) => ({ id, user, tags: ['a'], media: { imageUrl: '/m' } })
const feed = {
  pages: [{ items: [post('1', ann), post('2', ben)] }, { items: [post('3', ben)] }],
  pageParams: [null],
}

test('replaces an image in every card of the user and keeps the identity of other data', () => {
  const next = replaceUserCard(feed, 'ann', { profileImageUrl: '/new' })
  expect(next.pages[0]?.items[0]?.user).toEqual({ ...ann, profileImageUrl: '/new' })
  expect(next.pages[0]?.items[0]?.media).toBe(feed.pages[0]?.items[0]?.media)
  expect(next.pages[0]?.items[1]).toBe(feed.pages[0]?.items[1])
  expect(next.pages[1]).toBe(feed.pages[1])
  expect(next.pageParams).toBe(feed.pageParams)
  expect(ann.profileImageUrl).toBe('/old')
})

test('returns the same data when it contains no card of the user or nothing changes', () => {
  expect(replaceUserCard(feed, 'eve', { profileImageUrl: '/new' })).toBe(feed)
  expect(replaceUserCard(feed, 'ann', { profileImageUrl: '/old' })).toBe(feed)
  for (const value of [undefined, null, 3, 'ann', new Date(0)]) {
    expect(replaceUserCard(value, 'ann', { profileImageUrl: '/new' })).toBe(value)
  }
})

test('adds no fields that a card lacks, and can remove an image', () => {
  const images = { profileImageUrl: null, backgroundImageUrl: '/cover' }
  expect(replaceUserCard(ann, 'ann', images)).toEqual({ ...ann, profileImageUrl: null })
  const fullCard = { ...ann, backgroundImageUrl: null }
  expect(replaceUserCard(fullCard, 'ann', images)).toEqual({ ...fullCard, ...images })
})

test('replaces a name only in objects that have one', () => {
  const notification = { id: 'ann', user: { id: 'ann', displayName: 'Ann Old', isCreator: false } }
  const next = replaceUserCard(notification, 'ann', {
    displayName: 'Ann New',
    fullName: 'Ann New',
    isCreator: true,
  })
  expect(next).toEqual({ id: 'ann', user: { id: 'ann', displayName: 'Ann New', isCreator: true } })
})

test('updates all cached queries and keeps their age and invalidation', () => {
  const client = new QueryClient()
  client.setQueryData(['feed'], feed, { updatedAt: 5 })
  client.setQueryData(['comments'], [{ id: 'c', user: ann }], { updatedAt: 6 })
  client.setQueryData(['other'], [ben], { updatedAt: 7 })
  void client.invalidateQueries({ queryKey: ['feed'] })
  const other = client.getQueryData(['other'])
  updateCachedUserCard(client, 'ann', { profileImageUrl: '/new' })
  expect(client.getQueryData(['feed'])).toMatchObject({
    pages: [{ items: [{ user: { profileImageUrl: '/new' } }, { user: ben }] }, {}],
  })
  expect(client.getQueryState(['feed'])).toMatchObject({ dataUpdatedAt: 5, isInvalidated: true })
  expect(client.getQueryData(['comments'])).toEqual([{ id: 'c', user: { ...ann, profileImageUrl: '/new' } }])
  expect(client.getQueryState(['comments'])).toMatchObject({ dataUpdatedAt: 6, isInvalidated: false })
  expect(client.getQueryData(['other'])).toBe(other)
})
