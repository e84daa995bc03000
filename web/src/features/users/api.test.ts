import type { User } from '@contract/user.ts'
import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test } from 'vitest'
import { queryKeys } from '@/lib/query-keys'
import { userCardFixture } from '@/profile/user-card-fixture'
import { applyFollowStatus, findCachedUser, nextFollowStatus, updateFollowerCount } from './follow-cache'
import { userKeys } from './keys'
import { pruneFollowing } from './lists'

const ada: User = {
  ...userCardFixture('00000000-0000-4000-8000-00000000000a'),
  createdAt: '2026-01-01T00:00:00Z',
  profileVisibility: 'public',
  allowDirectMessages: true,
  showFollowerCount: true,
  bio: null,
  backgroundImageUrl: null,
  following: false,
  followStatus: 'none',
  canView: true,
  canMessage: true,
}
const bea: User = { ...ada, id: '00000000-0000-4000-8000-00000000000b', username: 'bea', handle: 'bea' }
const stats = { posts: 1, followers: 5, following: 2, subscribers: null }

let client: QueryClient
beforeEach(() => {
  client = new QueryClient()
  client.setQueryData(userKeys.detail('ada'), ada)
  client.setQueryData(userKeys.featured(3), [bea, ada])
  client.setQueryData(userKeys.stats(ada.id), stats)
  client.setQueryData(userKeys.blocked, [])
})

test('a public profile is followed at once, another is asked, and a second press takes either back', () => {
  expect(nextFollowStatus(ada)).toBe('following')
  expect(nextFollowStatus({ ...ada, profileVisibility: 'followers' })).toBe('requested')
  expect(nextFollowStatus({ ...ada, profileVisibility: 'private' })).toBe('requested')
  expect(nextFollowStatus({ ...ada, followStatus: 'following' })).toBe('none')
  expect(nextFollowStatus({ ...ada, followStatus: 'requested' })).toBe('none')
})

test('a relation changes wherever the person is shown, with their followers', () => {
  applyFollowStatus(client, ada.id, 'following')
  expect(client.getQueryData<User>(userKeys.detail('ada'))).toMatchObject({
    following: true,
    followStatus: 'following',
  })
  const directory = client.getQueryData<User[]>(userKeys.featured(3))
  expect(directory?.map((one) => one.followStatus)).toEqual(['none', 'following'])
  expect(client.getQueryData(userKeys.stats(ada.id))).toEqual({ ...stats, followers: 6 })
})

const pages = (...people: User[]) => ({
  pages: people.map((person) => ({ items: [person], nextCursor: null })),
  pageParams: people.map(() => null),
})
const statuses = (data: ReturnType<typeof pages> | undefined) =>
  data?.pages.map((page) => page.items.map((one) => one.followStatus))

test('a relation changes in lists by pages and among who was found; other pages stay the very same', () => {
  const list = pages(bea, ada)
  client.setQueryData(userKeys.everybody, list)
  client.setQueryData([...queryKeys.userSearch, 'a'], pages(ada))
  applyFollowStatus(client, ada.id, 'following')
  const after = client.getQueryData<typeof list>(userKeys.everybody)
  expect(statuses(after)).toEqual([['none'], ['following']])
  expect(after?.pages[0]).toBe(list.pages[0])
  expect(statuses(client.getQueryData([...queryKeys.userSearch, 'a']))).toEqual([['following']])
})

test('who is unfollowed stays in the list of the followed until it is settled, which has it read again', () => {
  const followed: User = { ...ada, following: true, followStatus: 'following' }
  client.setQueryData(userKeys.followed, pages(followed, { ...followed, id: bea.id }))
  applyFollowStatus(client, ada.id, 'none')
  expect(statuses(client.getQueryData(userKeys.followed))).toEqual([['none'], ['following']])
  pruneFollowing(client)
  expect(statuses(client.getQueryData(userKeys.followed))).toEqual([[], ['following']])
  expect(client.getQueryState(userKeys.followed)?.isInvalidated).toBe(true)
})

test('told twice, it counts once', () => {
  applyFollowStatus(client, ada.id, 'following')
  applyFollowStatus(client, ada.id, 'following')
  expect(client.getQueryData(userKeys.stats(ada.id))).toEqual({ ...stats, followers: 6 })
})

test('counts: a request is no follower, hidden stays hidden, nothing below zero', () => {
  expect(updateFollowerCount(stats, 'none', 'requested')).toBe(stats)
  expect(updateFollowerCount({ ...stats, followers: null }, 'none', 'following').followers).toBeNull()
  expect(updateFollowerCount({ ...stats, followers: 0 }, 'following', 'none').followers).toBe(0)
})

test('a person is found wherever they are cached', () => {
  const cleo = { ...ada, id: '00000000-0000-4000-8000-00000000000c', handle: 'cleo' }
  client.setQueryData(userKeys.followed, pages(bea, cleo))
  expect(findCachedUser(client, cleo.id)?.handle).toBe('cleo')
  expect(findCachedUser(client, bea.id)?.handle).toBe('bea')
  expect(findCachedUser(client, 'nobody')).toBeUndefined()
})
