import { randomUUID } from 'node:crypto'
import { AdminUser, InstanceSettings } from '@contract/admin.ts'
import { Notification } from '@contract/notification.ts'
import { Post } from '@contract/post.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, authorizationHeader, call } from '../support/api.ts'
import { createPost } from '../support/content-api.ts'
import { createMp4, fileForm } from '../support/media-files.ts'
import { sql } from '../support/stack.ts'
import { uploadImage } from '../support/uploads.ts'
import { createUser, createUsers, makeAdmin, makeCreator, type TestUser } from '../support/users.ts'

let admin: TestUser
let otherAdmin: TestUser
let fan: TestUser
let creator: TestUser

beforeAll(async () => {
  ;({ admin, otherAdmin, fan, creator } = await createUsers('admin', 'otherAdmin', 'fan', 'creator'))
  await makeAdmin(admin, otherAdmin)
  await makeCreator(creator)
})

describe('POST /api/admin/create-post', () => {
  const path = '/api/admin/create-post'
  const publish = (body: Record<string, unknown>, status = 201) =>
    apiAs(admin).post(path, Post, { userId: creator.id, ...body }, status)
  const auditEntries = () => sql`
    select actor_id as actor, change, subject from public.audit_entries
    where target_id = ${creator.id} and action = 'post.create'`
  const expectPublishError = (body: Record<string, unknown>, status: number) =>
    apiAs(admin).expectError('POST', path, status, {
      body: { userId: creator.id, content: 'Hello', ...body },
    })

  it("creates one post for the creator with the admin's upload, and notifies the creator", async () => {
    const { imageUrl } = await uploadImage(admin)
    const body = { id: randomUUID(), content: 'By the team', imageUrl }
    const { body: created } = await publish(body)
    expect(created).toMatchObject({
      userId: creator.id,
      content: 'By the team',
      imageUrl,
      mine: false,
      madeByAi: false,
    })
    expect((await publish(body, 200)).body.id).toBe(body.id)
    const [media] =
      await sql`select owner_id as owner from public.media where id = ${imageUrl.split('/').at(-1) ?? ''}`
    expect(media?.owner).toBe(creator.id)
    expect((await apiAs(creator).get(`/api/posts/${body.id}`, Post)).body.mine).toBe(true)
    const { body: notifications } = await apiAs(creator).get('/api/notifications', z.array(Notification))
    expect(
      notifications.filter(({ kind }) => kind === 'admin').map(({ href, details }) => ({ href, details })),
    ).toEqual([{ href: `/post/${body.id}`, details: { event: 'post_published' } }])
    expect((await auditEntries()).map((row) => ({ ...row }))).toEqual([
      { actor: admin.id, subject: body.id, change: { premium: false } },
    ])
    // An upload that is already used and an upload by another user are rejected.
    expect((await expectPublishError({ imageUrl }, 400)).code).toBe('media_not_usable')
    const uploadOfOtherAdmin = await uploadImage(otherAdmin)
    expect((await expectPublishError({ imageUrl: uploadOfOtherAdmin.imageUrl }, 400)).code).toBe(
      'media_not_usable',
    )
    // The ID of another user's post is rejected.
    const otherPost = await createPost(fan, 'Mine')
    await expectPublishError({ id: otherPost.id }, 409)
  })

  it('creates premium posts priced at $0.01 or more, which are locked for the admin', async () => {
    const { body } = await publish({ content: 'Paid', isPremium: true, premiumPrice: 0.01 })
    expect(body).toMatchObject({ isPremium: true, premiumPrice: 0.01, locked: true, content: '' })
    const video = await uploadVideo()
    const premium = await publish({ content: 'Film', isPremium: true, videoUrl: video })
    expect(premium.body).toMatchObject({ premiumPrice: 10, locked: true, mediaType: 'video', videoUrl: null })
    expect((await apiAs(creator).get(`/api/posts/${premium.body.id}`, Post)).body.videoUrl).toBe(video)
    expect((await expectPublishError({ isPremium: true, premiumPrice: 0 }, 400)).message).toBe(
      'Please enter a price between $0.01 and $999.99.',
    )
    expect((await expectPublishError({ content: ' ' }, 400)).message).toBe('Post content is required')
  })

  it('is documented with only the fields that admins can set', async () => {
    const response = await call('GET', '/api/openapi.json')
    const [operation] = z
      .object({ paths: z.object({ [path]: z.object({ post: z.object({ requestBody: z.unknown() }) }) }) })
      .transform(({ paths }) => Object.values(paths))
      .parse(await response.json())
    const body = JSON.stringify(operation?.post.requestBody)
    expect(body).toContain('premiumPrice')
    expect(body).not.toMatch(/quotedPostId|showUnlocks|teaser/)
  })

  it('rejects suspended creators and users who are not creators', async () => {
    expect((await expectPublishError({ userId: fan.id }, 403)).code).toBe('creators_only')
    expect((await expectPublishError({ userId: randomUUID() }, 404)).message).toBe('User not found')
    const suspendedCreator = await createUser()
    await makeCreator(suspendedCreator)
    await apiAs(admin).post(`/api/admin/users/${suspendedCreator.id}/suspend`, AdminUser, {
      reason: 'Spam',
      days: 1,
    })
    expect((await expectPublishError({ userId: suspendedCreator.id }, 403)).code).toBe('creators_only')
  })

  async function uploadVideo(): Promise<string> {
    const headers = authorizationHeader(admin)
    const response = await call('POST', '/api/upload-video', {
      headers,
      form: fileForm('video', createMp4()),
    })
    return z.object({ videoUrl: z.string() }).parse(await response.json()).videoUrl
  }
})

describe('PATCH /api/admin/settings', () => {
  it('changes the given settings, validates the hours against the stored hours and logs the change', async () => {
    const path = '/api/admin/settings'
    const { body: before } = await apiAs(admin).get(path, InstanceSettings)
    const { fromHour, toHour, inputPrice } = before.autoPosting
    // Other tests change these settings in parallel. tests/rls/admin-races.test.ts checks that a change to one setting
    // does not overwrite the others.
    const changedByOtherTests = {
      creatorProBilling: expect.any(Boolean) as boolean,
      signInAfterRegistration: expect.any(Boolean) as boolean,
    }
    for (const autoPosting of [{ fromHour: toHour }, { toHour: fromHour }, { fromHour: 9, toHour: 9 }]) {
      if (autoPosting.fromHour === 24 || autoPosting.toHour === 0) continue
      const { message } = await apiAs(admin).expectError('PATCH', path, 400, { body: { autoPosting } })
      expect(message).toBe('Auto-posting must start before it ends.')
    }
    for (const body of [
      {},
      { bannedWords: ['x'] },
      { autoPosting: { timeZone: 'Nowhere/At_all' } },
      { other: 1 },
    ]) {
      await apiAs(admin).expectError('PATCH', path, 400, { body })
    }
    const setInputPrice = (price: number) =>
      apiAs(admin).patch(path, InstanceSettings, { autoPosting: { inputPrice: price } })
    try {
      const { body: after } = await setInputPrice(inputPrice + 0.5)
      expect(after).toEqual({
        ...before,
        ...changedByOtherTests,
        autoPosting: { ...before.autoPosting, inputPrice: inputPrice + 0.5 },
      })
    } finally {
      expect((await setInputPrice(inputPrice)).body).toEqual({ ...before, ...changedByOtherTests })
    }
    const rows = await sql`
      select action, subject from public.audit_entries where actor_id = ${admin.id} and action = 'settings.change'`
    expect(rows.map((row) => ({ ...row }))).toEqual([
      { action: 'settings.change', subject: 'auto_posting' },
      { action: 'settings.change', subject: 'auto_posting' },
    ])
  })
})
