import { randomUUID } from 'node:crypto'
import { GalleryItem, galleryErrors } from '@contract/gallery.ts'
import type { ProfileVisibility } from '@contract/profile-visibility.ts'
import { BlockResponse, FollowResponse } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, authorizationHeader, call } from '../support/api.ts'
import {
  animatedGif,
  createJpegWithMetadata,
  createMp4,
  createPng,
  createWebm,
  withPngSize,
} from '../support/media-files.ts'
import { runJob } from '../support/run-job.ts'
import { sql, stack } from '../support/stack.ts'
import { createUser, createUsers, makeAdmin, type TestUser } from '../support/users.ts'

const Items = z.array(GalleryItem)
const path = '/api/media-gallery'

let ann: TestUser
let ben: TestUser

beforeAll(async () => {
  ;({ ann, ben } = await createUsers('ann', 'ben'))
})

type Fields = Record<string, string>

/** Returns a form with a file, and text fields before and after it. The file name does not match the content. */
function form(bytes: Uint8Array, before: Fields = {}, after: Fields = {}, type = 'image/png'): FormData {
  const body = new FormData()
  for (const [name, value] of Object.entries(before)) body.append(name, value)
  body.append('media', new Blob([new Uint8Array(bytes)], { type }), 'page.html')
  for (const [name, value] of Object.entries(after)) body.append(name, value)
  return body
}

async function addItem(
  body: FormData | Uint8Array = animatedGif,
  user = ann,
  status = 201,
): Promise<GalleryItem> {
  const response = await call('POST', path, {
    headers: authorizationHeader(user),
    form: body instanceof FormData ? body : form(body),
  })
  const json: unknown = await response.json()
  expect({ status: response.status, json }).toEqual({ status, json })
  return GalleryItem.parse(json)
}

const expectAddError = (status: number, body: FormData, user = ann) =>
  apiAs(user).expectError('POST', path, status, { form: body })

const list = async (reader: TestUser | null, owner: TestUser) =>
  (await apiAs(reader).get(`${path}?userId=${owner.id}`, Items)).body

/** Returns whether a user can download an item's file. */
async function canRead(reader: TestUser | null, url: string): Promise<boolean> {
  const response = await call('GET', url, {
    headers: authorizationHeader(reader),
  })
  await response.arrayBuffer()
  expect([200, 404]).toContain(response.status)
  return response.status === 200
}

async function bytesAt(url: string, user: TestUser): Promise<Buffer> {
  const response = await call('GET', url, { headers: authorizationHeader(user) })
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

const countItems = async ({ id }: TestUser) =>
  (await sql`select from public.gallery_items where user_id = ${id}`).count
const countMedia = async ({ id }: TestUser) =>
  (await sql`select from public.media where owner_id = ${id}`).count

describe('POST /api/media-gallery', () => {
  it('detects the type from the bytes and accepts text fields before and after the file', async () => {
    const sent = createJpegWithMetadata()
    const photo = await addItem(
      form(sent, { title: '  Dusk ' }, { description: 'Over the bay.\nSecond line' }),
    )
    const anyString = expect.any(String)
    const commonFields = { id: anyString, userId: ann.id, createdAt: anyString, mediaUrl: anyString }
    expect(photo).toEqual({
      ...commonFields,
      mediaType: 'image',
      title: 'Dusk',
      description: 'Over the bay.\nSecond line',
      placeholder: expect.stringMatching(/^data:image\/webp;base64,/),
      width: 16,
      height: 32,
    })
    const storedFile = await bytesAt(photo.mediaUrl, ann)
    for (const word of ['Exif', 'A comment', 'polyglot']) {
      expect([word, sent.includes(word), storedFile.includes(word)]).toEqual([word, true, false])
    }
    for (const [bytes, type] of [
      [createMp4(), 'video/mp4'],
      [createMp4(4096, 'qt  '), 'video/quicktime'],
      [createWebm(), 'video/webm'],
    ] as const) {
      const video = await addItem(form(bytes, {}, { title: type }))
      expect(video).toEqual({
        ...commonFields,
        mediaType: 'video',
        title: type,
        description: null,
        placeholder: null,
        width: null,
        height: null,
      })
      const response = await call('GET', video.mediaUrl, { headers: { Range: 'bytes=0-9' } })
      expect([response.status, response.headers.get('content-type')]).toEqual([206, type])
      expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes.subarray(0, 10))
    }
  })

  it('stores one item when a request with the same ID is repeated', async () => {
    const id = randomUUID()
    const created = await addItem(form(animatedGif, { id: id.toUpperCase(), title: 'First' }))
    expect(created.id).toBe(id)
    expect(await addItem(form(animatedGif, { title: 'Second' }, { id }), ann, 200)).toEqual(created)
    const newId = randomUUID()
    const addWithNewId = async () => {
      const headers = authorizationHeader(ann)
      const response = await call('POST', path, { headers, form: form(animatedGif, { id: newId }) })
      return { status: response.status, item: GalleryItem.parse(await response.json()) }
    }
    const [first, second] = await Promise.all([addWithNewId(), addWithNewId()])
    expect([first.status, second.status].sort()).toEqual([200, 201])
    expect(first.item).toEqual(second.item)
    // The ID of another user's item or of a deleted item is rejected, and the uploaded file is deleted.
    await expectAddError(409, form(createMp4(), { id }), ben)
    await apiAs(ann).expectNoContent('DELETE', `${path}/${id}`)
    await expectAddError(409, form(animatedGif, { id }))
    const files = await sql<{ owner: string; files: number }[]>`
      select split_part(name, '/', 1) as owner, count(*)::int as files from storage.objects
      where bucket_id = 'media' and split_part(name, '/', 1) = any(${[ann.id, ben.id]}) group by 1`
    expect(files).toEqual([{ owner: ann.id, files: await countItems(ann) }])
    expect([await countItems(ben), await countMedia(ben)]).toEqual([0, 0])
    expect(await countMedia(ann)).toBe(await countItems(ann))
  })

  it('rejects invalid files and text without storing anything', async () => {
    const cara = await createUser()
    const small = createPng({ width: 8, height: 8 })
    const repeatLetter = (length: number) => 'é'.repeat(length)
    const cases: [number, string, FormData][] = [
      [415, galleryErrors.type, form(Buffer.from('<svg onload="alert(1)"/>'))],
      [415, galleryErrors.type, form(Buffer.from('%PDF-1.7'), {}, {}, 'video/mp4')],
      [415, galleryErrors.type, form(createWebm('matroska'))],
      [413, galleryErrors.size, form(Buffer.concat([createMp4(), Buffer.alloc(10 * 1024 * 1024)]))],
      [
        413,
        'This image has too many pixels. Please choose a smaller one.',
        form(withPngSize(small, 30_000, 30_000)),
      ],
      [400, 'Failed to process the image. Please try a different image.', form(small.subarray(0, 40))],
      [400, galleryErrors.none, form(Buffer.alloc(0))],
      [400, galleryErrors.title, form(animatedGif, { title: repeatLetter(101) })],
      [400, galleryErrors.description, form(animatedGif, {}, { description: repeatLetter(501) })],
      // Only the start of a long text field is read. Here, it is blank, but the title must be rejected as too long.
      [400, galleryErrors.title, form(animatedGif, {}, { title: `${' '.repeat(5000)}x` })],
      [400, 'This text contains characters that cannot be stored.', form(animatedGif, { title: 'a\0b' })],
      [400, 'Send this field only once.', form(animatedGif, { title: 'a' }, { title: 'b' })],
      [400, 'This value is not valid.', form(animatedGif, { id: 'mine' })],
      [
        400,
        'The form has too many parts.',
        form(animatedGif, {}, Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`f${at}`, 'x']))),
      ],
    ]
    for (const [status, message, body] of cases) {
      expect((await expectAddError(status, body, cara)).message).toBe(message)
    }
    const formWithoutFile = new FormData()
    formWithoutFile.set('title', 'No file')
    expect((await expectAddError(400, formWithoutFile, cara)).errors).toEqual({ media: [galleryErrors.none] })
    const headers = { 'Content-Type': 'multipart/form-data; boundary=x' }
    const unfinishedForm =
      '--x\r\nContent-Disposition: form-data; name="media"; filename="a"\r\n\r\nGIF89a\r\n--x\r\n'
    const unfinishedTitle = `${unfinishedForm}Content-Disposition: form-data; name="title"\r\n\r\nhal`
    for (const body of [unfinishedForm, unfinishedTitle])
      await apiAs(cara).expectError('POST', path, 400, { body, headers })
    await apiAs(cara).expectError('POST', path, 415, { body: { media: 'x' } })
    expect((await sql`select from public.media where owner_id = ${cara.id}`).count).toBe(0)
    expect((await sql`select from storage.objects where name like ${`${cara.id}/%`}`).count).toBe(0)
    const title = repeatLetter(100)
    const description = '🌊'.repeat(250)
    expect(await addItem(form(animatedGif, { title }, { description }), cara)).toMatchObject({
      title,
      description,
    })
  })

  it('rejects visitors and read-only accounts, but lets read-only accounts delete items', async () => {
    await apiAs(null).expectError('POST', path, 401, { form: form(animatedGif) })
    const eve = await createUser()
    const [keptItem, other] = [await addItem(animatedGif, eve), await addItem(animatedGif, eve)]
    await apiAs(eve).expectNoContent('DELETE', `${path}/${other.id}`)
    await sql`update public.accounts set read_only_reason = 'under 18' where user_id = ${eve.id}`
    expect((await expectAddError(403, form(animatedGif), eve)).code).toBe('account_read_only')
    expect((await apiAs(eve).expectError('POST', `${path}/${other.id}/restore`, 403)).code).toBe(
      'account_read_only',
    )
    await apiAs(eve).expectNoContent('DELETE', `${path}/${keptItem.id}`)
    await sql`update public.accounts set read_only_reason = null where user_id = ${eve.id}`
  })
})

describe('GET /api/media-gallery', () => {
  it('returns the newest items first, page by page', async () => {
    const fay = await createUser()
    const itemIds: string[] = []
    for (let at = 0; at < 5; at++)
      itemIds.unshift((await addItem(form(animatedGif, { title: `${at}` }), fay)).id)
    expect((await apiAs(fay).getAllPages(`${path}?limit=2`, Items)).map(({ id }) => id)).toEqual(itemIds)
    const first = await apiAs(null).get(`${path}?userId=${fay.id.toUpperCase()}&limit=2`, Items)
    // A deletion between two pages does not shift later items.
    await apiAs(fay).expectNoContent('DELETE', `${path}/${itemIds[0]}`)
    const next = await apiAs(null).get(
      `${path}?userId=${fay.id}&limit=2&cursor=${encodeURIComponent(first.next ?? '')}`,
      Items,
    )
    expect(next.body.map(({ id }) => id)).toEqual(itemIds.slice(2, 4))
    await apiAs(null).expectError('GET', path, 401)
    await apiAs(null).expectError('GET', `${path}?userId=ann`, 400)
    await apiAs(null).expectError('GET', `${path}?userId=${randomUUID()}`, 404)
    await apiAs(ann).expectError('GET', `${path}?cursor=x`, 400)
  })
})

describe('DELETE /api/media-gallery/:id and POST /api/media-gallery/:id/restore', () => {
  it('hide an item immediately, and restore it to its previous position within ten minutes', async () => {
    const hal = await createUser()
    const items = [
      await addItem(animatedGif, hal),
      await addItem(form(createMp4(), { title: 'Waves' }), hal),
      await addItem(animatedGif, hal),
    ]
    const [, item] = items
    if (!item) throw new Error('Expected a second item')
    const itemPath = `${path}/${item.id}`
    await apiAs(null).expectError('DELETE', itemPath, 401)
    await apiAs(ben).expectError('DELETE', itemPath, 403)
    await apiAs(ben).expectError('DELETE', `${path}/${randomUUID()}`, 404)
    await apiAs(hal).expectNoContent('DELETE', itemPath)
    // Repeated deletions succeed.
    await apiAs(hal).expectNoContent('DELETE', itemPath)
    await apiAs(ben).expectError('DELETE', itemPath, 404)
    expect((await list(ben, hal)).map(({ id }) => id)).toEqual([items[2]?.id, items[0]?.id])
    expect([await canRead(ben, item.mediaUrl), await canRead(null, item.mediaUrl)]).toEqual([false, false])

    for (const other of [ben, ann]) await apiAs(other).expectError('POST', `${itemPath}/restore`, 404)
    await apiAs(null).expectError('POST', `${itemPath}/restore`, 401)
    expect((await apiAs(hal).post(`${itemPath}/restore`, GalleryItem)).body).toEqual(item)
    expect((await apiAs(hal).post(`${itemPath}/restore`, GalleryItem)).body).toEqual(item)
    expect((await list(ben, hal)).map(({ id }) => id)).toEqual(items.map(({ id }) => id).reverse())
    expect(await canRead(null, item.mediaUrl)).toBe(true)

    await apiAs(hal).expectNoContent('DELETE', itemPath)
    await apiAs(hal).expectNoContent('DELETE', `${path}/${items[0]?.id}`)
    await sql`update public.gallery_items set deleted_at = now() - interval '601 seconds' where id = ${item.id}`
    expect((await apiAs(hal).expectError('POST', `${itemPath}/restore`, 404)).message).toBe(
      'This item can no longer be restored.',
    )
    const paths = await sql<{ id: string; path: string }[]>`
      select id, path from public.media where owner_id = ${hal.id}`
    const jobResponse = await runJob('media')
    expect([200, 503]).toContain(jobResponse.status)
    const deletedPath = paths.find(({ id }) => item.mediaUrl.endsWith(id))?.path ?? ''
    const remaining =
      await sql`select from storage.objects where bucket_id = 'media' and name = ${deletedPath}`
    expect([remaining.count, await countMedia(hal), await countItems(hal)]).toEqual([0, 2, 2])
    await apiAs(hal).expectError('GET', item.mediaUrl, 404)
    // The other item can still be restored.
    await apiAs(hal).post(`${path}/${items[0]?.id}/restore`, GalleryItem)
  })
})

describe('the visibility of a gallery', () => {
  const readers = ['visitor', 'stranger', 'follower', 'blocked', 'owner', 'admin'] as const
  type Reader = (typeof readers)[number]
  const visibleTo: Record<ProfileVisibility, readonly Reader[]> = {
    public: ['visitor', 'stranger', 'follower', 'owner', 'admin'],
    followers: ['follower', 'owner', 'admin'],
    private: ['owner', 'admin'],
  }
  const users = {} as Record<Exclude<Reader, 'visitor'>, TestUser>
  let item: GalleryItem

  beforeAll(async () => {
    Object.assign(users, await createUsers('stranger', 'follower', 'blocked', 'owner', 'admin'))
    await makeAdmin(users.admin)
    item = await addItem(animatedGif, users.owner)
    for (const follower of [users.follower, users.blocked])
      await apiAs(follower).post(`/api/users/${users.owner.id}/follow`, FollowResponse)
    await apiAs(users.owner).post(`/api/users/${users.blocked.id}/block`, BlockResponse)
  })

  it.each(['public', 'followers', 'private'] as const)(
    'matches the visibility of a %s profile',
    async (visibility) => {
      await sql`update public.profiles set visibility = ${visibility} where id = ${users.owner.id}`
      for (const reader of readers) {
        const viewer = reader === 'visitor' ? null : users[reader]
        const isVisible = visibleTo[visibility].includes(reader)
        const listed =
          reader === 'blocked'
            ? (await apiAs(viewer).expectError('GET', `${path}?userId=${users.owner.id}`, 404)) && false
            : (await list(viewer, users.owner)).length > 0
        const response = await fetch(`${stack.apiUrl}/rest/v1/gallery_items?id=eq.${item.id}&select=id`, {
          headers: {
            apikey: stack.publishableKey,
            Authorization: `Bearer ${viewer?.token ?? stack.publishableKey}`,
          },
        })
        const fromDataApi = z.array(z.object({ id: z.string() })).parse(await response.json()).length > 0
        expect([reader, listed, fromDataApi, await canRead(viewer, item.mediaUrl)]).toEqual([
          reader,
          isVisible,
          isVisible,
          isVisible,
        ])
        // A user who cannot see the item does not learn that it exists.
        if (viewer && reader !== 'owner')
          await apiAs(viewer).expectError('DELETE', `${path}/${item.id}`, isVisible ? 403 : 404)
      }
    },
  )
})
