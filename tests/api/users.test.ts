import { OwnUser, User, UserDetails, UserStats } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, authorizationHeader } from '../support/api.ts'
import { startApiServer } from '../support/function-server.ts'
import { clearRateLimits, exhaustRateLimit, sql } from '../support/stack.ts'
import { createUser, createUsers, getOwnUser, type TestUser } from '../support/users.ts'

const Users = z.array(User)
const visitor = apiAs(null)
let owner: TestUser
let stranger: TestUser
let follower: TestUser
let blocked: TestUser

beforeAll(async () => {
  ;({ owner, stranger, follower, blocked } = await createUsers('owner', 'stranger', 'follower', 'blocked'))
  await sql`update public.profile_details set bio = 'About me' where user_id = ${owner.id}`
  await sql`insert into public.follows (follower_id, followee_id) values (${follower.id}, ${owner.id})`
  await sql`insert into public.blocks (blocker_id, blocked_id) values (${owner.id}, ${blocked.id})`
})

const setPrivacy = (fields: Record<string, unknown>) =>
  apiAs(owner).patch('/api/settings/privacy', OwnUser, fields)

describe('GET /api/users/:identifier', () => {
  it('finds a user by ID and by username, ignoring case', async () => {
    const { body } = await apiAs(stranger).get(`/api/users/${owner.id}`, UserDetails)
    expect(body).toMatchObject({
      id: owner.id,
      username: owner.username,
      bio: 'About me',
      canView: true,
      canMessage: true,
      following: false,
      followStatus: 'none',
    })
    const byName = await apiAs(stranger).get(`/api/users/${owner.username.toUpperCase()}`, UserDetails)
    expect(byName.body).toEqual(body)
    const byUppercaseId = await apiAs(stranger).get(`/api/users/${owner.id.toUpperCase()}`, UserDetails)
    expect(byUppercaseId.body).toEqual(body)
  })

  it('shows a user to visitors, who cannot message the user', async () => {
    const { body } = await visitor.get(`/api/users/${owner.username}`, UserDetails)
    expect(body).toMatchObject({ bio: 'About me', canView: true, canMessage: false, following: false })
    expect(JSON.stringify(body)).not.toContain(owner.email)
  })

  it('names a follower whom the caller follows, unless the user or that follower hides follow lists', async () => {
    const { reader, popular, friend, secondFriend } = await createUsers(
      'reader',
      'popular',
      'friend',
      'secondFriend',
    )
    const hideCounts = (user: TestUser) =>
      apiAs(user).patch('/api/settings/privacy', OwnUser, { showFollowerCount: false })
    const followedBy = async (caller = apiAs(reader)) =>
      (await caller.get(`/api/users/${popular.id}`, UserDetails)).body.followedBy
    const follow = (from: TestUser, to: TestUser) =>
      sql`insert into public.follows (follower_id, followee_id) values (${from.id}, ${to.id})`
    await follow(friend, popular)
    // The reader does not follow the friend yet.
    expect(await followedBy()).toBeNull()
    await follow(reader, friend)
    expect(await followedBy()).toMatchObject({ user: { id: friend.id }, othersCount: 0 })
    await follow(secondFriend, popular)
    await follow(reader, secondFriend)
    expect(await followedBy()).toMatchObject({ user: { id: secondFriend.id }, othersCount: 1 })
    expect([await followedBy(visitor), await followedBy(apiAs(stranger))]).toEqual([null, null])
    await hideCounts(secondFriend)
    expect(await followedBy()).toMatchObject({ user: { id: friend.id }, othersCount: 0 })
    await hideCounts(popular)
    expect(await followedBy()).toBeNull()
  })

  it('returns 404 to users whom the owner blocked, and for unknown names', async () => {
    for (const path of [
      `/api/users/${owner.id}`,
      `/api/users/${owner.username}/stats`,
      `/api/users/${owner.id}/posts`,
    ]) {
      const body = await apiAs(blocked).expectError('GET', path, 404)
      expect(body).toEqual({ message: 'User not found', code: 'not_found' })
    }
    await visitor.expectError('GET', '/api/users/nobody_by_this_name', 404)
    await visitor.expectError('GET', '/api/users/x', 404)
    await visitor.expectError('GET', '/api/users/00000000-0000-4000-8000-000000000000', 404)
  })

  it('hides details according to the profile visibility', async () => {
    await setPrivacy({ profileVisibility: 'followers' })
    const hidden = { bio: null, canView: false, username: owner.username }
    expect((await apiAs(stranger).get(`/api/users/${owner.id}`, UserDetails)).body).toMatchObject(hidden)
    expect((await visitor.get(`/api/users/${owner.id}`, UserDetails)).body).toMatchObject(hidden)
    const details = await apiAs(follower).get(`/api/users/${owner.id}`, UserDetails)
    expect(details.body).toMatchObject({ bio: 'About me', canView: true, following: true })
    await setPrivacy({ profileVisibility: 'private' })
    expect((await apiAs(follower).get(`/api/users/${owner.id}`, UserDetails)).body).toMatchObject({
      ...hidden,
      following: true,
      followStatus: 'following',
    })
    expect((await apiAs(owner).get(`/api/users/${owner.id}`, UserDetails)).body.bio).toBe('About me')
    await setPrivacy({ profileVisibility: 'public' })
  })
})

describe('GET /api/users/:identifier/stats', () => {
  it('returns the counts, or null to other users if the counts are hidden', async () => {
    const { body } = await visitor.get(`/api/users/${owner.username}/stats`, UserStats)
    const postCounts = { posts: 0, photos: 0, videos: 0, premiumPosts: 0 }
    expect(body).toEqual({
      ...postCounts,
      followers: 1,
      following: 0,
      subscribers: 0,
      viewsThisWeek: null,
      hasReposts: false,
    })
    await setPrivacy({ showFollowerCount: false })
    const hidden = {
      ...Object.fromEntries(Object.keys(body).map((count) => [count, null])),
      hasReposts: false,
    }
    expect((await visitor.get(`/api/users/${owner.id}/stats`, UserStats)).body).toEqual(hidden)
    expect((await apiAs(follower).get(`/api/users/${owner.id}/stats`, UserStats)).body).toEqual(hidden)
    expect((await apiAs(owner).get(`/api/users/${owner.id}/stats`, UserStats)).body).toEqual({
      ...body,
      viewsThisWeek: 0,
    })
    await apiAs(stranger).expectError('GET', `/api/users/${owner.id}/followers`, 403)
    await setPrivacy({ showFollowerCount: true })
  })
})

describe('PATCH /api/settings/privacy', () => {
  it('changes one field and keeps the others', async () => {
    const before = await getOwnUser(owner)
    const { body } = await setPrivacy({ allowDirectMessages: false })
    expect(body).toEqual({ ...before, allowDirectMessages: false })
    expect((await apiAs(stranger).get(`/api/users/${owner.id}`, UserDetails)).body.canMessage).toBe(false)
    expect((await setPrivacy({ allowDirectMessages: true })).body).toEqual(before)
  })

  it('rejects unknown fields and values', async () => {
    const expectPrivacyError = async (body: unknown) =>
      apiAs(owner).expectError('PATCH', '/api/settings/privacy', 400, { body })
    expect((await expectPrivacyError({})).message).toBe('Please change at least one setting.')
    await expectPrivacyError({ profileVisibility: 'friends' })
    await expectPrivacyError({ isAdmin: true })
    await expectPrivacyError({ allowDirectMessages: true, isCreator: true })
    await visitor.expectError('PATCH', '/api/settings/privacy', 401, { body: {} })
    const [row] = await sql`select is_admin, is_creator from public.profiles where id = ${owner.id}`
    expect(row).toEqual({ is_admin: false, is_creator: false })
  })
})

describe('GET /api/users', () => {
  it('lists other users by sign-up date, page by page, except those who opted out', async () => {
    await setPrivacy({ showProfileInDirectory: false })
    const listed = await apiAs(stranger).getAllPages('/api/users?limit=2', Users)
    const ids = listed.map((user) => user.id)
    expect(ids).toEqual(expect.arrayContaining([follower.id, blocked.id]))
    expect(ids).not.toContain(owner.id)
    expect(ids).not.toContain(stranger.id)
    expect(new Set(ids).size).toBe(ids.length)
    const times = listed.map((user) => user.createdAt)
    expect(times).toEqual([...times].sort())
    await setPrivacy({ showProfileInDirectory: true })
    const seenByBlocked = await apiAs(blocked).getAllPages('/api/users?limit=50', Users)
    expect(seenByBlocked.map((user) => user.id)).not.toContain(owner.id)
  })

  it('requires a session and allows up to 50 users per page', async () => {
    await visitor.expectError('GET', '/api/users', 401)
    await apiAs(stranger).expectError('GET', '/api/users?limit=51', 400)
    const body = await apiAs(stranger).expectError('GET', '/api/users?cursor=elsewhere', 400)
    expect(body.errors).toEqual({ cursor: ['This cursor is not valid.'] })
    // This cursor is well formed, but its date is impossible.
    const cursor = `2026-13-45T00:00:00.000000Z_${owner.id}`
    await apiAs(stranger).expectError('GET', `/api/users?cursor=${cursor}`, 400)
  })
})

describe('GET /api/users/search', () => {
  const search = async (caller: TestUser, query: string) =>
    (await apiAs(caller).get(`/api/users/search?q=${encodeURIComponent(query)}`, Users)).body.map(
      ({ id }) => id,
    )

  it('finds parts of names and usernames, ignoring case, best match first', async () => {
    const prefix = `z${owner.username.slice(2, 9)}`
    const nameMatch = await createUser({ fullName: `Somebody ${prefix} Else` })
    const usernameMatch = await createUser({ username: `${prefix}_2` })
    const exact = await createUser({ username: prefix })
    expect(await search(stranger, prefix.toUpperCase())).toEqual([exact.id, usernameMatch.id, nameMatch.id])
    const paged = await apiAs(stranger).getAllPages(`/api/users/search?q=${prefix}&limit=1`, Users)
    expect(paged.map(({ id }) => id)).toEqual([exact.id, usernameMatch.id, nameMatch.id])
  })

  it('treats special characters literally, and an empty query matches nobody', async () => {
    expect(await search(stranger, '%')).toEqual([])
    expect(await search(stranger, `${owner.username.slice(0, 5)}%`)).toEqual([])
    expect(await search(stranger, "'; drop table public.profiles; --")).toEqual([])
    expect(await search(stranger, '   ')).toEqual([])
    expect((await apiAs(stranger).get('/api/users/search', Users)).body).toEqual([])
    await apiAs(stranger).expectError('GET', `/api/users/search?q=${'x'.repeat(101)}`, 400)
    await visitor.expectError('GET', '/api/users/search?q=x', 401)
  })

  it('finds no users who blocked the caller, and finds hidden users only if they share a conversation with the caller', async () => {
    expect(await search(stranger, owner.username)).toEqual([owner.id])
    expect(await search(blocked, owner.username)).toEqual([])
    await setPrivacy({ showProfileInDirectory: false })
    expect(await search(stranger, owner.username)).toEqual([])
    await sql`insert into public.messages (sender_id, receiver_id, content)
              values (${owner.id}, ${stranger.id}, 'Hello')`
    expect(await search(stranger, owner.username)).toEqual([owner.id])
  })

  it('is limited to 120 searches a minute per account and 300 per network', async () => {
    await exhaustRateLimit('search', stranger.id, 120, '1 minute')
    const limited = await apiAs(stranger).expectError('GET', '/api/users/search?q=x', 429)
    expect(limited.code).toBe('rate_limited')
    await clearRateLimits(stranger.id, 'search')
    await apiAs(stranger).get('/api/users/search?q=x', Users)

    // Other test files search through the shared stack at the same time, so this test uses an address of its own.
    const address = '198.51.100.41'
    await exhaustRateLimit('search_address', address, 300, '1 minute')
    const api = await startApiServer({})
    try {
      const headers = { ...authorizationHeader(stranger), 'X-Forwarded-For': address }
      expect((await fetch(`${api.url}/api/users/search?q=x`, { headers })).status).toBe(429)
    } finally {
      await api.stop()
    }
  })
})
