import type { User } from '@contract/user.ts'
import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, test } from 'vitest'
import { cardOf } from '@/lib/testCard'
import { userKeys } from '../api/keys'
import { applyFollow, findUser, nextStatus, withFollower } from './follow'

const ada: User = {
  ...cardOf('00000000-0000-4000-8000-00000000000a'),
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
  client.setQueryData(userKeys.directory(3), [bea, ada])
  client.setQueryData(userKeys.stats(ada.id), stats)
  client.setQueryData(userKeys.blocked, [])
})

test('a public profile is followed at once, another is asked, and a second press takes either back', () => {
  expect(nextStatus(ada)).toBe('following')
  expect(nextStatus({ ...ada, profileVisibility: 'followers' })).toBe('requested')
  expect(nextStatus({ ...ada, profileVisibility: 'private' })).toBe('requested')
  expect(nextStatus({ ...ada, followStatus: 'following' })).toBe('none')
  expect(nextStatus({ ...ada, followStatus: 'requested' })).toBe('none')
})

test('a relation changes wherever the person is shown, with their followers', () => {
  applyFollow(client, ada.id, 'following')
  expect(client.getQueryData<User>(userKeys.detail('ada'))).toMatchObject({
    following: true,
    followStatus: 'following',
  })
  const directory = client.getQueryData<User[]>(userKeys.directory(3))
  expect(directory?.map((one) => one.followStatus)).toEqual(['none', 'following'])
  expect(client.getQueryData(userKeys.stats(ada.id))).toEqual({ ...stats, followers: 6 })
})

test('told twice, it counts once', () => {
  applyFollow(client, ada.id, 'following')
  applyFollow(client, ada.id, 'following')
  expect(client.getQueryData(userKeys.stats(ada.id))).toEqual({ ...stats, followers: 6 })
})

test('counts: a request is no follower, hidden stays hidden, nothing below zero', () => {
  expect(withFollower(stats, 'none', 'requested')).toBe(stats)
  expect(withFollower({ ...stats, followers: null }, 'none', 'following').followers).toBeNull()
  expect(withFollower({ ...stats, followers: 0 }, 'following', 'none').followers).toBe(0)
})

test('a person is found wherever they are cached', () => {
  expect(findUser(client, bea.id)?.handle).toBe('bea')
  expect(findUser(client, 'nobody')).toBeUndefined()
})
