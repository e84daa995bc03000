import { randomUUID } from 'node:crypto'
import { StorageUsage } from '@contract/media.ts'
import { Notification } from '@contract/notification.ts'
import { Post } from '@contract/post.ts'
import { ScheduledPost } from '@contract/scheduled-post.ts'
import { FollowResponse, PostAlertsResponse } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs } from '../support/api.ts'
import { createPost } from '../support/content-api.ts'
import { createPng } from '../support/media-files.ts'
import { runJob } from '../support/run-job.ts'
import { sql } from '../support/stack.ts'
import { uploadImage } from '../support/uploads.ts'
import { createUsers, makeCreator, type TestUser } from '../support/users.ts'

let author: TestUser
let fan: TestUser
let stranger: TestUser
const path = '/api/posts/scheduled'
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

const schedule = async (user: TestUser, fields: Record<string, unknown>) =>
  (await apiAs(user).post('/api/posts', ScheduledPost, { publishAt: inHours(2), ...fields }, 202)).body
const list = async (user: TestUser) => (await apiAs(user).get(path, z.array(ScheduledPost))).body
const makeDue = (id: string) =>
  sql`update public.scheduled_posts set publish_at = now() - interval '1 minute' where id = ${id}`

beforeAll(async () => {
  ;({ author, fan, stranger } = await createUsers('author', 'fan', 'stranger'))
  await makeCreator(author)
})

describe('POST /api/posts with publishAt', () => {
  it('schedules a post with all possible fields, and shows it only to its author', async () => {
    const { imageUrl } = await uploadImage(author, createPng({ width: 40, height: 30 }))
    const { id: quotedPostId } = await createPost(fan, 'Worth quoting')
    const fields = {
      id: randomUUID(),
      content: 'Opening night',
      isPremium: true,
      premiumPrice: 12.5,
      teaser: 'Soon',
      includedInSubscription: true,
      showUnlocks: true,
      imageUrl,
      altText: 'A stage',
      quotedPostId,
    }
    const post = await schedule(author, fields)
    expect(post).toMatchObject({ ...fields, failure: null, mediaType: 'image', videoUrl: null })
    // A repeated request changes nothing.
    expect(await schedule(author, { ...fields, content: 'Again' })).toEqual(post)
    expect(await list(author)).toEqual([post])
    expect(await list(stranger)).toEqual([])
    await apiAs(null).expectError('GET', path, 401)
    for (const user of [author, stranger, null])
      await apiAs(user).expectError('GET', `/api/posts/${post.id}`, 404)
    await apiAs(stranger).expectError('POST', '/api/posts', 409, {
      body: { id: post.id, content: 'Mine', publishAt: inHours(1) },
    })
    await apiAs(author).expectError('POST', '/api/posts', 409, { body: { id: post.id, content: 'Now' } })
  })

  it('rejects invalid times and posts that could not be published', async () => {
    for (const publishAt of [
      'tomorrow',
      '0000-01-01T00:00:00Z',
      inHours(-1),
      inHours(0.05),
      inHours(24 * 366),
    ])
      await apiAs(author).expectError('POST', '/api/posts', 400, { body: { content: 'x', publishAt } })
    const publishAt = inHours(1)
    await apiAs(author).expectError('POST', '/api/posts', 400, { body: { content: ' ', publishAt } })
    await apiAs(stranger).expectError('POST', '/api/posts', 403, {
      body: { content: 'x', isPremium: true, publishAt },
    })
    await apiAs(author).expectError('POST', '/api/posts', 404, {
      body: { content: 'x', quotedPostId: randomUUID(), publishAt },
    })
    await apiAs(null).expectError('POST', '/api/posts', 401, { body: { content: 'x', publishAt } })
    // With null as the time, the post is published right away.
    await apiAs(author).post('/api/posts', Post, { content: 'Now', publishAt: null }, 201)
  })

  it('returns the published post if the request is repeated after the scheduled time', async () => {
    const body = { id: randomUUID(), content: 'Twice', publishAt: inHours(1) }
    await schedule(author, body)
    await makeDue(body.id)
    await runJob('scheduled-posts')
    const { body: post } = await apiAs(author).post('/api/posts', Post, body, 200)
    expect(post).toMatchObject({ id: body.id, content: 'Twice' })
  })

  it('counts the upload toward the quota until the scheduled post is deleted', async () => {
    const used = async () => (await apiAs(author).get('/api/account/storage', StorageUsage)).body.usedBytes
    const before = await used()
    const { imageUrl } = await uploadImage(author, createPng({ width: 50, height: 40 }))
    const { id } = await schedule(author, { imageUrl })
    expect(await used()).toBeGreaterThan(before)
    await apiAs(author).expectNoContent('DELETE', `${path}/${id}`)
    await expect
      .poll(async () => {
        await runJob('media')
        return await used()
      })
      .toBe(before)
  })
})

describe('PATCH and DELETE /api/posts/scheduled/:id', () => {
  it('edit and delete only the caller’s scheduled posts', async () => {
    const { id } = await schedule(author, { content: 'Draft', isPremium: true, premiumPrice: 5 })
    const publishAt = inHours(48)
    const { body: edited } = await apiAs(author).patch(`${path}/${id}`, ScheduledPost, {
      content: 'Final',
      teaser: 'A teaser',
      premiumPrice: 6,
      showUnlocks: true,
      publishAt,
    })
    expect(edited).toMatchObject({ content: 'Final', teaser: 'A teaser', premiumPrice: 6, showUnlocks: true })
    expect(Date.parse(edited.publishAt)).toBe(Date.parse(publishAt))
    for (const body of [
      {},
      { publishAt: inHours(-1) },
      { content: '' },
      { imageUrl: null },
      { publishAt: 'x' },
    ])
      await apiAs(author).expectError('PATCH', `${path}/${id}`, 400, { body })
    await apiAs(stranger).expectError('PATCH', `${path}/${id}`, 404, { body: { content: 'Mine' } })
    await apiAs(null).expectError('PATCH', `${path}/${id}`, 401, { body: { content: 'Mine' } })
    for (const method of ['DELETE', 'POST'] as const) {
      const url = method === 'POST' ? `${path}/${id}/publish` : `${path}/${id}`
      await apiAs(stranger).expectError(method, url, 404)
      await apiAs(null).expectError(method, url, 401)
    }
    await apiAs(author).expectNoContent('DELETE', `${path}/${id}`)
    await apiAs(author).expectError('DELETE', `${path}/${id}`, 404)
    await apiAs(author).expectError('POST', `${path}/${id}/publish`, 404)
    await apiAs(author).expectError('PATCH', `${path}/${randomUUID()}`, 404, { body: { content: 'x' } })
  })
})

describe('POST /api/posts/scheduled/:id/publish', () => {
  it('publishes the post once', async () => {
    const { id } = await schedule(author, { content: 'Right now' })
    const responses = await Promise.all(
      [1, 2].map(() => apiAs(author).post(`${path}/${id}/publish`, Post, {})),
    )
    for (const { body } of responses) expect(body).toMatchObject({ id, content: 'Right now', mine: true })
    expect((await list(author)).map((post) => post.id)).not.toContain(id)
    expect((await apiAs(null).get(`/api/posts/${id}`, Post)).body.content).toBe('Right now')
  })
})

describe('the scheduled-posts job', () => {
  it('publishes due posts and notifies followers, even if another post fails', async () => {
    await apiAs(fan).post(`/api/users/${author.id}/follow`, FollowResponse)
    await apiAs(fan).put(`/api/users/${author.id}/post-alerts`, PostAlertsResponse, { postAlerts: 'all' })
    const { id: quotedPostId } = await createPost(fan, 'Soon gone')
    const failing = await schedule(author, { content: 'Quote', quotedPostId })
    const working = await schedule(author, { content: 'Published later' })
    await apiAs(fan).expectNoContent('DELETE', `/api/posts/${quotedPostId}`)
    await makeDue(failing.id)
    await makeDue(working.id)
    expect((await runJob('scheduled-posts')).status).toBe(200)
    await expect
      .poll(async () => (await list(author)).find(({ id }) => id === failing.id)?.failure)
      .toBe('quote_unavailable')
    const { body: post } = await apiAs(fan).get(`/api/posts/${working.id}`, Post)
    expect(post.content).toBe('Published later')
    const notifications = async (user: TestUser) =>
      (await apiAs(user).get('/api/notifications', z.array(Notification))).body
    await expect.poll(async () => (await notifications(fan)).map(({ kind }) => kind)).toContain('new_post')
    const failures = (await notifications(author)).filter(({ kind }) => kind === 'scheduled_post')
    expect(failures).toMatchObject([{ title: 'Scheduled post', href: '/scheduled' }])
    await apiAs(author).expectNoContent('DELETE', `${path}/${failing.id}`)
  })
})
