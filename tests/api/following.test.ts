import { Id } from '@contract/common.ts'
import { BlockResponse, FollowResponse, OwnUser, User, UserCard, UserDetails } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs } from '../support/api.ts'
import { sql } from '../support/stack.ts'
import { createUsers, type TestUser } from '../support/users.ts'

const Users = z.array(User)
const Ids = z.array(Id)
const visitor = apiAs(null)
let fan: TestUser
let open: TestUser
let closed: TestUser
let other: TestUser

beforeAll(async () => {
  ;({ fan, open, closed, other } = await createUsers('fan', 'open', 'closed', 'other'))
  await apiAs(closed).patch('/api/settings/privacy', OwnUser, { profileVisibility: 'followers' })
})

const toggle = async (person: TestUser, target: TestUser) =>
  (await apiAs(person).post(`/api/users/${target.id}/follow`, FollowResponse)).body

describe('following', () => {
  it('takes effect at once for a public profile, and a second call takes it back', async () => {
    expect(await toggle(fan, open)).toEqual({ status: 'following', following: true, followersCount: 1 })
    expect((await apiAs(fan).get('/api/user/following', Ids)).body).toEqual([open.id])
    expect((await apiAs(fan).get(`/api/users/${open.id}`, UserDetails)).body).toMatchObject({
      following: true,
      followStatus: 'following',
    })
    expect(await toggle(fan, open)).toEqual({ status: 'none', following: false, followersCount: 0 })
    expect((await apiAs(fan).get('/api/user/following', Ids)).body).toEqual([])
  })

  it('makes clean steps of calls at once', async () => {
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => toggle(other, open)))
    expect(answers.filter(({ following }) => following)).toHaveLength(3)
    const [row] = await sql`
      select c.followers, (select count(*)::int from public.follows f where f.followee_id = c.user_id) as edges
      from public.profile_counts c where c.user_id = ${open.id}`
    expect(row).toEqual({ followers: 1, edges: 1 })
    await toggle(other, open)
  })

  it('leaves the count out where it is hidden', async () => {
    await apiAs(open).patch('/api/settings/privacy', OwnUser, { showFollowerCount: false })
    expect(await toggle(fan, open)).toEqual({ status: 'following', following: true })
    await apiAs(open).patch('/api/settings/privacy', OwnUser, { showFollowerCount: true })
    await toggle(fan, open)
  })

  it('refuses oneself, nobody, and visitors', async () => {
    const self = await apiAs(fan).expectError('POST', `/api/users/${fan.id}/follow`, 400)
    expect(self.message).toBe('You cannot follow yourself.')
    await apiAs(fan).expectError('POST', '/api/users/00000000-0000-4000-8000-000000000000/follow', 404)
    await apiAs(fan).expectError('POST', '/api/users/nonsense/follow', 404)
    await visitor.expectError('POST', `/api/users/${open.id}/follow`, 401)
    await visitor.expectError('GET', '/api/user/following', 401)
  })

  it('lists whom one follows, creators first', async () => {
    await sql`update public.profiles set is_creator = true where id = ${closed.id}`
    await sql`insert into public.follows (follower_id, followee_id, created_at) values
      (${fan.id}, ${closed.id}, now() - interval '2 hours'), (${fan.id}, ${open.id}, now() - interval '1 hour'),
      (${fan.id}, ${other.id}, now())`
    const wanted = [closed.id, other.id, open.id]
    const { body } = await apiAs(fan).get('/api/user/following-users', Users)
    expect(body.map(({ id }) => id)).toEqual(wanted)
    expect(body.every(({ following }) => following)).toBe(true)
    const paged = await apiAs(fan).getAllPages('/api/user/following-users?limit=1', Users)
    expect(paged.map(({ id }) => id)).toEqual(wanted)
    expect((await apiAs(other).get(`/api/users/${fan.id}/following`, Users)).body).toHaveLength(3)
    const followers = await apiAs(fan).get(`/api/users/${other.id}/followers`, Users)
    expect(followers.body.map(({ id }) => id)).toEqual([fan.id])
    await visitor.expectError('GET', `/api/users/${other.id}/followers`, 401)
    await apiAs(other).expectError('GET', `/api/users/${closed.id}/followers`, 403)
    await apiAs(fan).expectError('GET', '/api/users/00000000-0000-4000-8000-000000000000/followers', 404)
    await sql`delete from public.follows where follower_id = ${fan.id}`
  })
})

describe('asking to follow', () => {
  const requests = async () =>
    (await apiAs(closed).get('/api/user/follow-requests', Users)).body.map(({ id }) => id)

  it('waits for the answer, and can be taken back', async () => {
    expect(await toggle(fan, closed)).toEqual({ status: 'requested', following: false })
    expect((await apiAs(fan).get(`/api/users/${closed.id}`, UserDetails)).body).toMatchObject({
      following: false,
      followStatus: 'requested',
      canView: false,
    })
    expect(await requests()).toEqual([fan.id])
    expect(await toggle(fan, closed)).toEqual({ status: 'none', following: false })
    expect(await requests()).toEqual([])
  })

  it('becomes following when it is accepted, once', async () => {
    await toggle(fan, closed)
    await apiAs(closed).expectNoContent('POST', `/api/user/follow-requests/${fan.id}/accept`)
    expect((await apiAs(fan).get(`/api/users/${closed.id}`, UserDetails)).body).toMatchObject({
      following: true,
      canView: true,
    })
    expect(await requests()).toEqual([])
    await apiAs(closed).expectError('POST', `/api/user/follow-requests/${fan.id}/accept`, 404)
    await toggle(fan, closed)
  })

  it('is gone when it is declined', async () => {
    await toggle(fan, closed)
    await apiAs(closed).expectNoContent('POST', `/api/user/follow-requests/${fan.id}/decline`)
    expect((await apiAs(fan).get(`/api/users/${closed.id}`, UserDetails)).body.followStatus).toBe('none')
    await apiAs(closed).expectError('POST', `/api/user/follow-requests/${fan.id}/decline`, 404)
  })

  it('is answered by the one who was asked, nobody else', async () => {
    await toggle(fan, closed)
    await apiAs(other).expectError('POST', `/api/user/follow-requests/${fan.id}/accept`, 404)
    await apiAs(fan).expectError('POST', `/api/user/follow-requests/${fan.id}/accept`, 404)
    await visitor.expectError('POST', `/api/user/follow-requests/${fan.id}/accept`, 401)
    expect(await requests()).toEqual([fan.id])
    await toggle(fan, closed)
  })
})

describe('blocking', () => {
  it('parts the two at once, is listed for its maker alone, and can be taken back', async () => {
    await toggle(fan, open)
    const first = await apiAs(open).post(`/api/users/${fan.id}/block`, BlockResponse)
    expect(first.body).toEqual({ blocked: true })
    await apiAs(open).post(`/api/users/${fan.id}/block`, BlockResponse)
    for (const [one, two] of [
      [fan, open],
      [open, fan],
    ] as const) {
      await apiAs(one).expectError('GET', `/api/users/${two.id}`, 404)
      await apiAs(one).expectError('POST', `/api/users/${two.id}/follow`, 404)
    }
    expect((await apiAs(fan).get('/api/user/following', Ids)).body).toEqual([])
    const listed = await apiAs(open).get('/api/user/blocked-users', z.array(UserCard))
    expect(listed.body.map(({ id }) => id)).toEqual([fan.id])
    expect((await apiAs(fan).get('/api/user/blocked-users', z.array(UserCard))).body).toEqual([])

    await apiAs(fan).expectNoContent('DELETE', `/api/users/${open.id}/block`)
    await apiAs(fan).expectError('GET', `/api/users/${open.id}`, 404)
    await apiAs(open).expectNoContent('DELETE', `/api/users/${fan.id}/block`)
    expect((await apiAs(fan).get(`/api/users/${open.id}`, UserDetails)).body.following).toBe(false)
  })

  it('refuses oneself, nobody, and visitors', async () => {
    expect((await apiAs(fan).expectError('POST', `/api/users/${fan.id}/block`, 400)).message).toBe(
      'You cannot block yourself.',
    )
    const nobody = '/api/users/00000000-0000-4000-8000-000000000000/block'
    expect((await apiAs(fan).expectError('POST', nobody, 404)).message).toBe('User not found')
    await visitor.expectError('POST', `/api/users/${fan.id}/block`, 401)
    await visitor.expectError('GET', '/api/user/blocked-users', 401)
  })
})
