import type { User } from '@contract/user.ts'
import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test } from 'vitest'
import { queryKeys } from '@/lib/query-client'
import { userCardFixture } from '@/profile/user-card-fixture'
import {
  applyFollowStatus,
  findCachedUser,
  nextFollowStatus,
  pruneFollowing,
  updateFollowerCount,
  userKeys,
} from './api'

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
const stats = {
  posts: 1,
  followers: 5,
  following: 2,
  subscribers: null,
  photos: 1,
  videos: 0,
  premiumPosts: 1,
  viewsThisWeek: null,
  hasReposts: false,
}

let client: QueryClient
beforeEach(() => {
  client = new QueryClient()
  client.setQueryData(userKeys.detail('ada'), ada)
  client.setQueryData(userKeys.featured(3), [bea, ada])
  client.setQueryData(userKeys.stats(ada.id), stats)
  client.setQueryData(userKeys.blocked, [])
})

test('follows public profiles, requests to follow others, and reverts both on a second click', () => {
  expect(nextFollowStatus(ada)).toBe('following')
  expect(nextFollowStatus({ ...ada, profileVisibility: 'followers' })).toBe('requested')
  expect(nextFollowStatus({ ...ada, profileVisibility: 'private' })).toBe('requested')
  expect(nextFollowStatus({ ...ada, followStatus: 'following' })).toBe('none')
  expect(nextFollowStatus({ ...ada, followStatus: 'requested' })).toBe('none')
})

test('updates the follow status in all cached queries, and the follower count', () => {
  applyFollowStatus(client, ada.id, 'following')
  expect(client.getQueryData<User>(userKeys.detail('ada'))).toMatchObject({
    following: true,
    followStatus: 'following',
  })
  const featured = client.getQueryData<User[]>(userKeys.featured(3))
  expect(featured?.map((user) => user.followStatus)).toEqual(['none', 'following'])
  expect(client.getQueryData(userKeys.stats(ada.id))).toEqual({ ...stats, followers: 6 })
})

const pages = (...users: User[]) => ({
  pages: users.map((user) => ({ items: [user], nextCursor: null })),
  pageParams: users.map(() => null),
})
const statuses = (data: ReturnType<typeof pages> | undefined) =>
  data?.pages.map((page) => page.items.map((user) => user.followStatus))

test('updates the follow status in paginated lists and search results, and keeps other pages identical', () => {
  const list = pages(bea, ada)
  client.setQueryData(userKeys.everybody, list)
  client.setQueryData([...queryKeys.userSearch, 'a'], pages(ada))
  applyFollowStatus(client, ada.id, 'following')
  const updated = client.getQueryData<typeof list>(userKeys.everybody)
  expect(statuses(updated)).toEqual([['none'], ['following']])
  expect(updated?.pages[0]).toBe(list.pages[0])
  expect(statuses(client.getQueryData([...queryKeys.userSearch, 'a']))).toEqual([['following']])
})

test('keeps an unfollowed user in the list until the list is pruned, which also marks it as stale', () => {
  const followed: User = { ...ada, following: true, followStatus: 'following' }
  client.setQueryData(userKeys.followed, pages(followed, { ...followed, id: bea.id }))
  applyFollowStatus(client, ada.id, 'none')
  expect(statuses(client.getQueryData(userKeys.followed))).toEqual([['none'], ['following']])
  pruneFollowing(client)
  expect(statuses(client.getQueryData(userKeys.followed))).toEqual([[], ['following']])
  expect(client.getQueryState(userKeys.followed)?.isInvalidated).toBe(true)
})

test('counts a new follower only once if the same status is applied again', () => {
  applyFollowStatus(client, ada.id, 'following')
  applyFollowStatus(client, ada.id, 'following')
  expect(client.getQueryData(userKeys.stats(ada.id))).toEqual({ ...stats, followers: 6 })
})

test('does not count requests as followers, keeps hidden counts hidden and never goes below zero', () => {
  expect(updateFollowerCount(stats, 'none', 'requested')).toBe(stats)
  expect(updateFollowerCount({ ...stats, followers: null }, 'none', 'following').followers).toBeNull()
  expect(updateFollowerCount({ ...stats, followers: 0 }, 'following', 'none').followers).toBe(0)
})

test('finds a user in any cached query', () => {
  const cleo = { ...ada, id: '00000000-0000-4000-8000-00000000000c', handle: 'cleo' }
  client.setQueryData(userKeys.followed, pages(bea, cleo))
  expect(findCachedUser(client, cleo.id)?.handle).toBe('cleo')
  expect(findCachedUser(client, bea.id)?.handle).toBe('bea')
  expect(findCachedUser(client, 'unknown')).toBeUndefined()
})
