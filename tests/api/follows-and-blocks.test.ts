import { Id } from '@contract/common.ts'
import { BlockResponse, FollowResponse, OwnUser, User, UserCard, UserDetails } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs } from '../support/api.ts'
import { clearRateLimits, exhaustRateLimit, sql } from '../support/stack.ts'
import { createUsers, makeCreator, type TestUser } from '../support/users.ts'

const Users = z.array(User)
const Ids = z.array(Id)
const visitor = apiAs(null)
let fan: TestUser
let publicUser: TestUser
let followersOnlyUser: TestUser
let other: TestUser

beforeAll(async () => {
  ;({ fan, publicUser, followersOnlyUser, other } = await createUsers(
    'fan',
    'publicUser',
    'followersOnlyUser',
    'other',
  ))
  await apiAs(followersOnlyUser).patch('/api/settings/privacy', OwnUser, { profileVisibility: 'followers' })
})

const toggleFollow = async (user: TestUser, target: TestUser) =>
  (await apiAs(user).post(`/api/users/${target.id}/follow`, FollowResponse)).body

describe('POST /api/users/:id/follow', () => {
  it('takes effect immediately for a public profile and is undone by a second call', async () => {
    expect(await toggleFollow(fan, publicUser)).toEqual({
      status: 'following',
      following: true,
      followersCount: 1,
    })
    expect((await apiAs(fan).get('/api/user/following', Ids)).body).toEqual([publicUser.id])
    expect((await apiAs(fan).get(`/api/users/${publicUser.id}`, UserDetails)).body).toMatchObject({
      following: true,
      followStatus: 'following',
    })
    expect(await toggleFollow(fan, publicUser)).toEqual({
      status: 'none',
      following: false,
      followersCount: 0,
    })
    expect((await apiAs(fan).get('/api/user/following', Ids)).body).toEqual([])
  })

  it('stays consistent under parallel calls', async () => {
    const responses = await Promise.all([1, 2, 3, 4, 5].map(() => toggleFollow(other, publicUser)))
    expect(responses.filter(({ following }) => following)).toHaveLength(3)
    const [row] = await sql`
      select c.followers, (select count(*)::int from public.follows f where f.followee_id = c.user_id) as edges
      from public.profile_counts c where c.user_id = ${publicUser.id}`
    expect(row).toEqual({ followers: 1, edges: 1 })
    await toggleFollow(other, publicUser)
  })

  it('omits a hidden follower count', async () => {
    await apiAs(publicUser).patch('/api/settings/privacy', OwnUser, { showFollowerCount: false })
    expect(await toggleFollow(fan, publicUser)).toEqual({ status: 'following', following: true })
    await apiAs(publicUser).patch('/api/settings/privacy', OwnUser, { showFollowerCount: true })
    await toggleFollow(fan, publicUser)
  })

  it('rejects visitors, and following oneself or unknown users', async () => {
    const self = await apiAs(fan).expectError('POST', `/api/users/${fan.id}/follow`, 400)
    expect(self.message).toBe('You cannot follow yourself.')
    await apiAs(fan).expectError('POST', '/api/users/00000000-0000-4000-8000-000000000000/follow', 404)
    await apiAs(fan).expectError('POST', '/api/users/nonsense/follow', 404)
    await visitor.expectError('POST', `/api/users/${publicUser.id}/follow`, 401)
    await visitor.expectError('GET', '/api/user/following', 401)
  })

  it('makes users appear in the list of followed users, creators first, and in the list of followers', async () => {
    await makeCreator(followersOnlyUser)
    await sql`insert into public.follows (follower_id, followee_id, created_at) values
      (${fan.id}, ${followersOnlyUser.id}, now() - interval '2 hours'), (${fan.id}, ${publicUser.id}, now() - interval '1 hour'),
      (${fan.id}, ${other.id}, now())`
    const expected = [followersOnlyUser.id, other.id, publicUser.id]
    const { body } = await apiAs(fan).get('/api/user/following-users', Users)
    expect(body.map(({ id }) => id)).toEqual(expected)
    expect(body.every(({ following }) => following)).toBe(true)
    const paged = await apiAs(fan).getAllPages('/api/user/following-users?limit=1', Users)
    expect(paged.map(({ id }) => id)).toEqual(expected)
    expect((await apiAs(other).get(`/api/users/${fan.id}/following`, Users)).body).toHaveLength(3)
    const followers = await apiAs(fan).get(`/api/users/${other.id}/followers`, Users)
    expect(followers.body.map(({ id }) => id)).toEqual([fan.id])
    await visitor.expectError('GET', `/api/users/${other.id}/followers`, 401)
    await apiAs(other).expectError('GET', `/api/users/${followersOnlyUser.id}/followers`, 403)
    await apiAs(fan).expectError('GET', '/api/users/00000000-0000-4000-8000-000000000000/followers', 404)
    await sql`delete from public.follows where follower_id = ${fan.id}`
  })
})

describe('follow requests', () => {
  const requests = async () =>
    (await apiAs(followersOnlyUser).get('/api/user/follow-requests', Users)).body.map(({ id }) => id)

  it('stay pending until answered, and can be withdrawn', async () => {
    expect(await toggleFollow(fan, followersOnlyUser)).toEqual({ status: 'requested', following: false })
    expect((await apiAs(fan).get(`/api/users/${followersOnlyUser.id}`, UserDetails)).body).toMatchObject({
      following: false,
      followStatus: 'requested',
      canView: false,
    })
    expect(await requests()).toEqual([fan.id])
    expect(await toggleFollow(fan, followersOnlyUser)).toEqual({ status: 'none', following: false })
    expect(await requests()).toEqual([])
  })

  it('become follows when accepted, and cannot be accepted twice', async () => {
    await toggleFollow(fan, followersOnlyUser)
    await apiAs(followersOnlyUser).expectNoContent('POST', `/api/user/follow-requests/${fan.id}/accept`)
    expect((await apiAs(fan).get(`/api/users/${followersOnlyUser.id}`, UserDetails)).body).toMatchObject({
      following: true,
      canView: true,
    })
    expect(await requests()).toEqual([])
    await apiAs(followersOnlyUser).expectError('POST', `/api/user/follow-requests/${fan.id}/accept`, 404)
    await toggleFollow(fan, followersOnlyUser)
  })

  it('are removed when declined', async () => {
    await toggleFollow(fan, followersOnlyUser)
    await apiAs(followersOnlyUser).expectNoContent('POST', `/api/user/follow-requests/${fan.id}/decline`)
    expect((await apiAs(fan).get(`/api/users/${followersOnlyUser.id}`, UserDetails)).body.followStatus).toBe(
      'none',
    )
    await apiAs(followersOnlyUser).expectError('POST', `/api/user/follow-requests/${fan.id}/decline`, 404)
  })

  it('can be accepted by the requested user only', async () => {
    await toggleFollow(fan, followersOnlyUser)
    await apiAs(other).expectError('POST', `/api/user/follow-requests/${fan.id}/accept`, 404)
    await apiAs(fan).expectError('POST', `/api/user/follow-requests/${fan.id}/accept`, 404)
    await visitor.expectError('POST', `/api/user/follow-requests/${fan.id}/accept`, 401)
    expect(await requests()).toEqual([fan.id])
    await toggleFollow(fan, followersOnlyUser)
  })
})

describe('POST /api/users/:id/block', () => {
  it('hides the two users from each other until the block is removed, and lists the block only for the blocker', async () => {
    await toggleFollow(fan, publicUser)
    const first = await apiAs(publicUser).post(`/api/users/${fan.id}/block`, BlockResponse)
    expect(first.body).toEqual({ blocked: true })
    await apiAs(publicUser).post(`/api/users/${fan.id}/block`, BlockResponse)
    for (const [user, hiddenUser] of [
      [fan, publicUser],
      [publicUser, fan],
    ] as const) {
      await apiAs(user).expectError('GET', `/api/users/${hiddenUser.id}`, 404)
      await apiAs(user).expectError('POST', `/api/users/${hiddenUser.id}/follow`, 404)
    }
    expect((await apiAs(fan).get('/api/user/following', Ids)).body).toEqual([])
    const listed = await apiAs(publicUser).get('/api/user/blocked-users', z.array(UserCard))
    expect(listed.body.map(({ id }) => id)).toEqual([fan.id])
    expect((await apiAs(fan).get('/api/user/blocked-users', z.array(UserCard))).body).toEqual([])

    await apiAs(fan).expectNoContent('DELETE', `/api/users/${publicUser.id}/block`)
    await apiAs(fan).expectError('GET', `/api/users/${publicUser.id}`, 404)
    await apiAs(publicUser).expectNoContent('DELETE', `/api/users/${fan.id}/block`)
    expect((await apiAs(fan).get(`/api/users/${publicUser.id}`, UserDetails)).body.following).toBe(false)
  })

  it('is limited to 30 requests per minute, but unblocking is not', async () => {
    await apiAs(other).post(`/api/users/${fan.id}/block`, BlockResponse)
    await exhaustRateLimit('blocks', other.id, 30, '1 minute')
    await apiAs(other).expectError('POST', `/api/users/${publicUser.id}/block`, 429)
    await apiAs(other).expectNoContent('DELETE', `/api/users/${fan.id}/block`)
    await clearRateLimits(other.id, 'blocks')
  })

  it('rejects visitors, and blocking oneself or unknown users', async () => {
    expect((await apiAs(fan).expectError('POST', `/api/users/${fan.id}/block`, 400)).message).toBe(
      'You cannot block yourself.',
    )
    const unknownUserPath = '/api/users/00000000-0000-4000-8000-000000000000/block'
    expect((await apiAs(fan).expectError('POST', unknownUserPath, 404)).message).toBe('User not found')
    await visitor.expectError('POST', `/api/users/${fan.id}/block`, 401)
    await visitor.expectError('GET', '/api/user/blocked-users', 401)
  })
})
