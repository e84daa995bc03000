import { randomUUID } from 'node:crypto'
import { Notification } from '@contract/notification.ts'
import { BlockResponse, FollowResponse, OwnUser, PostAlertsResponse, UserDetails } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs } from '../support/api.ts'
import { createPost, subscribe } from '../support/content-api.ts'
import { runJob } from '../support/run-job.ts'
import { sql } from '../support/stack.ts'
import { createUsers, makeCreator, type TestUser } from '../support/users.ts'

let author: TestUser
let fan: TestUser
let stranger: TestUser
beforeAll(async () => {
  ;({ author, fan, stranger } = await createUsers('author', 'fan', 'stranger'))
  await makeCreator(author)
  await apiAs(fan).post(`/api/users/${author.id}/follow`, FollowResponse)
})

const readLevel = async (user: TestUser | null) =>
  (await apiAs(user).get(`/api/users/${author.id}`, UserDetails)).body.postAlerts
const setLevel = (user: TestUser, postAlerts: string, userId = author.id) =>
  apiAs(user).put(`/api/users/${userId}/post-alerts`, PostAlertsResponse, { postAlerts })
const publish = async (fields: object = { content: 'Hello' }) => (await createPost(author, fields)).id
const listAlerts = async (user: TestUser) =>
  (await apiAs(user).get('/api/notifications', z.array(Notification))).body.filter(
    ({ kind }) => kind === 'new_post',
  )

describe('PUT /api/users/:id/post-alerts', () => {
  it('sets the alert level of a follower, which is initially `off`, or `all` for a subscriber', async () => {
    expect([await readLevel(fan), await readLevel(stranger), await readLevel(null)]).toEqual([
      'off',
      null,
      null,
    ])
    await subscribe(fan, author)
    expect(await readLevel(fan)).toBe('all')
    for (const level of ['highlights', 'off', 'all']) {
      expect((await setLevel(fan, level)).body).toEqual({ postAlerts: level })
      expect(await readLevel(fan)).toBe(level)
    }
    for (const follow of [false, true]) {
      await apiAs(fan).post(`/api/users/${author.id}/follow`, FollowResponse)
      expect(await readLevel(fan)).toBe(follow ? 'all' : null)
    }
  })

  it('rejects visitors, callers who do not follow the user, unknown users and unknown levels', async () => {
    const path = `/api/users/${author.id}/post-alerts`
    await apiAs(null).expectError('PUT', path, 401, { body: { postAlerts: 'all' } })
    const { blocked } = await createUsers('blocked')
    await apiAs(author).post(`/api/users/${blocked.id}/block`, BlockResponse)
    for (const user of [stranger, author, blocked]) {
      const error = await apiAs(user).expectError('PUT', path, 404, { body: { postAlerts: 'all' } })
      expect(error.message).toBe("You don't follow this user.")
    }
    await apiAs(fan).expectError('PUT', `/api/users/${randomUUID()}/post-alerts`, 404, {
      body: { postAlerts: 'all' },
    })
    for (const body of [{ postAlerts: 'loud' }, {}, { postAlerts: 'all', extra: 1 }])
      await apiAs(fan).expectError('PUT', path, 400, { body })
  })
})

describe('notifications about new posts', () => {
  it('are created after publishing, link to the post or the profile, and reflect deletions and settings', async () => {
    await setLevel(fan, 'all')
    const first = await publish()
    await expect.poll(() => listAlerts(fan)).toHaveLength(1)
    expect((await listAlerts(fan))[0]).toMatchObject({
      title: 'New post',
      message: 'Test Person published a post.',
      href: `/post/${first}`,
      othersCount: 0,
      isRead: false,
      relatedUser: { id: author.id },
      details: { postsCount: 1 },
    })
    const second = await publish({ content: 'For sale', isPremium: true, premiumPrice: 5 })
    await expect
      .poll(async () => (await listAlerts(fan)).map(({ message }) => message))
      .toEqual(['Test Person published 2 posts.'])
    expect((await listAlerts(fan))[0]).toMatchObject({
      title: 'New posts',
      href: `/profile/${author.username}#new-posts`,
      details: { postsCount: 2 },
    })
    await apiAs(author).expectNoContent('DELETE', `/api/posts/${first}`)
    expect((await listAlerts(fan)).map(({ href }) => href)).toEqual([`/post/${second}`])
    await apiAs(author).expectNoContent('DELETE', `/api/posts/${second}`)
    expect(await listAlerts(fan)).toEqual([])
    await expect
      .poll(() => sql`select from public.notifications where user_id = ${fan.id} and kind = 'new_post'`)
      .toHaveLength(0)

    await apiAs(fan).patch('/api/settings/notifications', OwnUser, { newPosts: false })
    const third = await publish()
    expect((await runJob('new-posts')).status).toBe(200)
    // The API may have started the job too, so the test waits until the post has been processed.
    const pendingPosts = () => sql`
      select from private.announced_posts q left join private.post_announcements a on a.id = q.announcement_id
      where q.post_id = ${third} and (a.id is null or a.position_at is not null)`
    await expect.poll(pendingPosts).toHaveLength(0)
    expect(await sql`select from private.announced_posts where post_id = ${third}`).toHaveLength(1)
    expect(await listAlerts(fan)).toEqual([])
  })
})
