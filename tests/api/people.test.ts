import { OwnUser, User, UserDetails, UserStats } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs } from '../support/api.ts'
import { clearRateLimits, clientAddress, exhaustRateLimit, sql } from '../support/stack.ts'
import { createUser, createUsers, type TestUser } from '../support/users.ts'

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

describe('one person', () => {
  it('is found by id and by username in any case of letters', async () => {
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
    const byUpperId = await apiAs(stranger).get(`/api/users/${owner.id.toUpperCase()}`, UserDetails)
    expect(byUpperId.body).toEqual(body)
  })

  it('is seen by a visitor, who can do nothing with them', async () => {
    const { body } = await visitor.get(`/api/users/${owner.username}`, UserDetails)
    expect(body).toMatchObject({ bio: 'About me', canView: true, canMessage: false, following: false })
    expect(JSON.stringify(body)).not.toContain(owner.email)
  })

  it('is nobody for the one they blocked, and for an unknown name', async () => {
    for (const path of [
      `/api/users/${owner.id}`,
      `/api/users/${owner.username}/stats`,
      `/api/users/${owner.id}/posts`,
    ]) {
      const body = await apiAs(blocked).expectError('GET', path, 404)
      expect(body).toEqual({ message: 'User not found', code: 'not_found' })
    }
    await visitor.expectError('GET', '/api/users/nobody_of_this_name', 404)
    await visitor.expectError('GET', '/api/users/x', 404)
    await visitor.expectError('GET', '/api/users/00000000-0000-4000-8000-000000000000', 404)
  })

  it('shows their profile to followers only, when they say so', async () => {
    await setPrivacy({ profileVisibility: 'followers' })
    const hidden = { bio: null, canView: false, username: owner.username }
    expect((await apiAs(stranger).get(`/api/users/${owner.id}`, UserDetails)).body).toMatchObject(hidden)
    expect((await visitor.get(`/api/users/${owner.id}`, UserDetails)).body).toMatchObject(hidden)
    const seen = await apiAs(follower).get(`/api/users/${owner.id}`, UserDetails)
    expect(seen.body).toMatchObject({ bio: 'About me', canView: true, following: true })
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

describe('the counts', () => {
  it('are there for everybody, and null for others when they are hidden', async () => {
    const { body } = await visitor.get(`/api/users/${owner.username}/stats`, UserStats)
    expect(body).toEqual({ posts: 0, followers: 1, following: 0, subscribers: 0 })
    await setPrivacy({ showFollowerCount: false })
    const hidden = { posts: null, followers: null, following: null, subscribers: null }
    expect((await visitor.get(`/api/users/${owner.id}/stats`, UserStats)).body).toEqual(hidden)
    expect((await apiAs(follower).get(`/api/users/${owner.id}/stats`, UserStats)).body).toEqual(hidden)
    expect((await apiAs(owner).get(`/api/users/${owner.id}/stats`, UserStats)).body).toEqual(body)
    await apiAs(stranger).expectError('GET', `/api/users/${owner.id}/followers`, 403)
    await setPrivacy({ showFollowerCount: true })
  })
})

describe('privacy', () => {
  it('changes one field and leaves the others', async () => {
    const before = (await apiAs(owner).get('/api/auth/user', OwnUser)).body
    const { body } = await setPrivacy({ allowDirectMessages: false })
    expect(body).toEqual({ ...before, allowDirectMessages: false })
    expect((await apiAs(stranger).get(`/api/users/${owner.id}`, UserDetails)).body.canMessage).toBe(false)
    expect((await setPrivacy({ allowDirectMessages: true })).body).toEqual(before)
  })

  it('takes nothing else', async () => {
    const refuse = async (body: unknown) =>
      apiAs(owner).expectError('PATCH', '/api/settings/privacy', 400, { body })
    expect((await refuse({})).message).toBe('Please change at least one setting.')
    await refuse({ profileVisibility: 'friends' })
    await refuse({ isAdmin: true })
    await refuse({ allowDirectMessages: true, isCreator: true })
    await visitor.expectError('PATCH', '/api/settings/privacy', 401, { body: {} })
    const [row] = await sql`select is_admin, is_creator from public.profiles where id = ${owner.id}`
    expect(row).toEqual({ is_admin: false, is_creator: false })
  })
})

describe('the directory', () => {
  it('lists others by sign-up, page by page, without those who do not want to be listed', async () => {
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
    const blockedSees = await apiAs(blocked).getAllPages('/api/users?limit=50', Users)
    expect(blockedSees.map((user) => user.id)).not.toContain(owner.id)
  })

  it('is for people, in pages of at most 50', async () => {
    await visitor.expectError('GET', '/api/users', 401)
    await apiAs(stranger).expectError('GET', '/api/users?limit=51', 400)
    const body = await apiAs(stranger).expectError('GET', '/api/users?cursor=elsewhere', 400)
    expect(body.errors).toEqual({ cursor: ['This cursor is not valid.'] })
    // A cursor in form, of a day that there is not.
    const never = `2026-13-45T00:00:00.000000Z_${owner.id}`
    await apiAs(stranger).expectError('GET', `/api/users?cursor=${never}`, 400)
  })
})

describe('the search', () => {
  const search = async (person: TestUser, query: string) =>
    (await apiAs(person).get(`/api/users/search?q=${encodeURIComponent(query)}`, Users)).body.map(
      ({ id }) => id,
    )

  it('finds part of a name or username in any case, the closest first', async () => {
    const mark = `z${owner.username.slice(2, 9)}`
    const far = await createUser({ fullName: `Somebody ${mark} Else` })
    const near = await createUser({ username: `${mark}_2` })
    const exact = await createUser({ username: mark })
    expect(await search(stranger, mark.toUpperCase())).toEqual([exact.id, near.id, far.id])
    const paged = await apiAs(stranger).getAllPages(`/api/users/search?q=${mark}&limit=1`, Users)
    expect(paged.map(({ id }) => id)).toEqual([exact.id, near.id, far.id])
  })

  it('takes every sign for itself, and nothing for nobody', async () => {
    expect(await search(stranger, '%')).toEqual([])
    expect(await search(stranger, `${owner.username.slice(0, 5)}%`)).toEqual([])
    expect(await search(stranger, "'; drop table public.profiles; --")).toEqual([])
    expect(await search(stranger, '   ')).toEqual([])
    expect((await apiAs(stranger).get('/api/users/search', Users)).body).toEqual([])
    await apiAs(stranger).expectError('GET', `/api/users/search?q=${'x'.repeat(101)}`, 400)
    await visitor.expectError('GET', '/api/users/search?q=x', 401)
  })

  it('does not find the hidden, unless the two talk with each other, nor the blocked', async () => {
    expect(await search(stranger, owner.username)).toEqual([owner.id])
    expect(await search(blocked, owner.username)).toEqual([])
    await setPrivacy({ showProfileInDirectory: false })
    expect(await search(stranger, owner.username)).toEqual([])
    await sql`insert into public.messages (sender_id, receiver_id, content)
              values (${owner.id}, ${stranger.id}, 'Hello')`
    expect(await search(stranger, owner.username)).toEqual([owner.id])
  })

  it('stops after 120 a minute for an account and 300 for an address', async () => {
    const forget = () =>
      Promise.all([clearRateLimits(stranger.id, 'search'), clearRateLimits(clientAddress, 'search_address')])
    const fill = async (bucket: string, subject: string, hits: number) => {
      await forget()
      await exhaustRateLimit(bucket, subject, hits, '1 minute')
      return await apiAs(stranger).expectError('GET', '/api/users/search?q=x', 429)
    }
    expect((await fill('search', stranger.id, 120)).code).toBe('rate_limited')
    expect((await fill('search_address', clientAddress, 300)).code).toBe('rate_limited')
    await forget()
    await apiAs(stranger).get('/api/users/search?q=x', Users)
  })
})
