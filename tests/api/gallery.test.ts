import { randomUUID } from 'node:crypto'
import { GalleryItem, galleryErrors } from '@contract/gallery.ts'
import { BlockResponse, FollowResponse, type ProfileVisibility } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, call } from '../support/api.ts'
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
import { createUser, createUsers, type TestUser } from '../support/users.ts'

const Items = z.array(GalleryItem)
const path = '/api/media-gallery'

let ann: TestUser
let ben: TestUser

beforeAll(async () => {
  ;({ ann, ben } = await createUsers('ann', 'ben'))
})

type Words = Record<string, string>

/** A form with a file and words before and behind it, called and typed as its sender likes. */
function form(bytes: Uint8Array, before: Words = {}, behind: Words = {}, type = 'image/png'): FormData {
  const body = new FormData()
  for (const [name, value] of Object.entries(before)) body.append(name, value)
  body.append('media', new Blob([new Uint8Array(bytes)], { type }), 'page.html')
  for (const [name, value] of Object.entries(behind)) body.append(name, value)
  return body
}

async function add(
  body: FormData | Uint8Array = animatedGif,
  person = ann,
  status = 201,
): Promise<GalleryItem> {
  const answer = await call('POST', path, {
    headers: { Authorization: `Bearer ${person.token}` },
    form: body instanceof FormData ? body : form(body),
  })
  const told: unknown = await answer.json()
  expect({ status: answer.status, told }).toEqual({ status, told })
  return GalleryItem.parse(told)
}

const refused = (status: number, body: FormData, person = ann) =>
  apiAs(person).expectError('POST', path, status, { form: body })

const list = async (reader: TestUser | null, owner: TestUser) =>
  (await apiAs(reader).get(`${path}?userId=${owner.id}`, Items)).body

/** Whether somebody is given the bytes of an item. */
async function reads(reader: TestUser | null, address: string): Promise<boolean> {
  const answer = await call('GET', address, {
    headers: reader ? { Authorization: `Bearer ${reader.token}` } : {},
  })
  await answer.arrayBuffer()
  expect([200, 404]).toContain(answer.status)
  return answer.status === 200
}

async function bytesAt(address: string, person: TestUser): Promise<Buffer> {
  const answer = await call('GET', address, { headers: { Authorization: `Bearer ${person.token}` } })
  expect(answer.status).toBe(200)
  return Buffer.from(await answer.arrayBuffer())
}

const used = async ({ id }: TestUser) =>
  (await sql`select from public.gallery_items where user_id = ${id}`).count
const kept = async ({ id }: TestUser) => (await sql`select from public.media where owner_id = ${id}`).count

describe('what is added', () => {
  it('is what its bytes say, with the words before and behind it', async () => {
    const sent = createJpegWithMetadata()
    const photo = await add(form(sent, { title: '  Dusk ' }, { description: 'Over the bay.\nSecond line' }))
    const now = expect.any(String)
    const shown = { id: expect.any(String), userId: ann.id, createdAt: now, mediaUrl: expect.any(String) }
    expect(photo).toEqual({
      ...shown,
      mediaType: 'image',
      title: 'Dusk',
      description: 'Over the bay.\nSecond line',
      placeholder: expect.stringMatching(/^data:image\/webp;base64,/),
      width: 16,
      height: 32,
    })
    const kept = await bytesAt(photo.mediaUrl, ann)
    for (const word of ['Exif', 'A comment', 'polyglot']) {
      expect([word, sent.includes(word), kept.includes(word)]).toEqual([word, true, false])
    }
    for (const [bytes, type] of [
      [createMp4(), 'video/mp4'],
      [createMp4(4096, 'qt  '), 'video/quicktime'],
      [createWebm(), 'video/webm'],
    ] as const) {
      const video = await add(form(bytes, {}, { title: type }))
      expect(video).toEqual({
        ...shown,
        mediaType: 'video',
        title: type,
        description: null,
        placeholder: null,
        width: null,
        height: null,
      })
      const answer = await call('GET', video.mediaUrl, { headers: { Range: 'bytes=0-9' } })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([206, type])
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes.subarray(0, 10))
    }
  })

  it('is there once, however often it is sent', async () => {
    const id = randomUUID()
    const first = await add(form(animatedGif, { id: id.toUpperCase(), title: 'First' }))
    expect(first.id).toBe(id)
    expect(await add(form(animatedGif, { title: 'Second' }, { id }), ann, 200)).toEqual(first)
    const anew = randomUUID()
    const ask = async () => {
      const headers = { Authorization: `Bearer ${ann.token}` }
      const answer = await call('POST', path, { headers, form: form(animatedGif, { id: anew }) })
      return { status: answer.status, item: GalleryItem.parse(await answer.json()) }
    }
    const [one, other] = await Promise.all([ask(), ask()])
    expect([one.status, other.status].sort()).toEqual([200, 201])
    expect(one.item).toEqual(other.item)
    // Somebody else's id, and one that was deleted: what had been stored by then is taken back.
    await refused(409, form(createMp4(), { id }), ben)
    await apiAs(ann).expectNoContent('DELETE', `${path}/${id}`)
    await refused(409, form(animatedGif, { id }))
    const files = await sql<{ owner: string; files: number }[]>`
      select split_part(name, '/', 1) as owner, count(*)::int as files from storage.objects
      where bucket_id = 'media' and split_part(name, '/', 1) = any(${[ann.id, ben.id]}) group by 1`
    expect(files).toEqual([{ owner: ann.id, files: await used(ann) }])
    expect([await used(ben), await kept(ben)]).toEqual([0, 0])
    expect(await kept(ann)).toBe(await used(ann))
  })

  it('can be refused, and leaves nothing then', async () => {
    const cara = await createUser()
    const small = createPng({ width: 8, height: 8 })
    const long = (length: number) => 'é'.repeat(length)
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
      [400, galleryErrors.title, form(animatedGif, { title: long(101) })],
      [400, galleryErrors.description, form(animatedGif, {}, { description: long(501) })],
      // More than is read of a text: what was cut off must not turn a long one into a short one.
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
      expect((await refused(status, body, cara)).message).toBe(message)
    }
    const none = new FormData()
    none.set('title', 'No file')
    expect((await refused(400, none, cara)).errors).toEqual({ media: [galleryErrors.none] })
    const cut = { 'Content-Type': 'multipart/form-data; boundary=x' }
    const half = '--x\r\nContent-Disposition: form-data; name="media"; filename="a"\r\n\r\nGIF89a\r\n--x\r\n'
    const torn = `${half}Content-Disposition: form-data; name="title"\r\n\r\nhal`
    for (const body of [half, torn]) await apiAs(cara).expectError('POST', path, 400, { body, headers: cut })
    await apiAs(cara).expectError('POST', path, 415, { body: { media: 'x' } })
    expect((await sql`select from public.media where owner_id = ${cara.id}`).count).toBe(0)
    expect((await sql`select from storage.objects where name like ${`${cara.id}/%`}`).count).toBe(0)
    const title = long(100)
    const description = '🌊'.repeat(250)
    expect(await add(form(animatedGif, { title }, { description }), cara)).toMatchObject({
      title,
      description,
    })
  })

  it('comes from people who may write', async () => {
    await apiAs(null).expectError('POST', path, 401, { form: form(animatedGif) })
    const eve = await createUser()
    const [kept, other] = [await add(animatedGif, eve), await add(animatedGif, eve)]
    await apiAs(eve).expectNoContent('DELETE', `${path}/${other.id}`)
    await sql`update public.accounts set read_only_reason = 'under 18' where user_id = ${eve.id}`
    expect((await refused(403, form(animatedGif), eve)).code).toBe('account_read_only')
    expect((await apiAs(eve).expectError('POST', `${path}/${other.id}/restore`, 403)).code).toBe(
      'account_read_only',
    )
    await apiAs(eve).expectNoContent('DELETE', `${path}/${kept.id}`)
    await sql`update public.accounts set read_only_reason = null where user_id = ${eve.id}`
  })
})

describe('a gallery', () => {
  it('is read newest first, page by page', async () => {
    const fay = await createUser()
    const made: string[] = []
    for (let at = 0; at < 5; at++) made.unshift((await add(form(animatedGif, { title: `${at}` }), fay)).id)
    expect((await apiAs(fay).getAllPages(`${path}?limit=2`, Items)).map(({ id }) => id)).toEqual(made)
    const first = await apiAs(null).get(`${path}?userId=${fay.id.toUpperCase()}&limit=2`, Items)
    // What goes meanwhile shifts nothing.
    await apiAs(fay).expectNoContent('DELETE', `${path}/${made[0]}`)
    const next = await apiAs(null).get(
      `${path}?userId=${fay.id}&limit=2&cursor=${encodeURIComponent(first.next ?? '')}`,
      Items,
    )
    expect(next.body.map(({ id }) => id)).toEqual(made.slice(2, 4))
    await apiAs(null).expectError('GET', path, 401)
    await apiAs(null).expectError('GET', `${path}?userId=ann`, 400)
    await apiAs(null).expectError('GET', `${path}?userId=${randomUUID()}`, 404)
    await apiAs(ann).expectError('GET', `${path}?cursor=x`, 400)
  })
})

describe('what is deleted', () => {
  it('is gone for everybody at once, and comes back to its place within ten minutes', async () => {
    const hal = await createUser()
    const made = [
      await add(animatedGif, hal),
      await add(form(createMp4(), { title: 'Waves' }), hal),
      await add(animatedGif, hal),
    ]
    const [, item] = made
    if (!item) throw new Error('There is no second one')
    const at = `${path}/${item.id}`
    await apiAs(null).expectError('DELETE', at, 401)
    await apiAs(ben).expectError('DELETE', at, 403)
    await apiAs(ben).expectError('DELETE', `${path}/${randomUUID()}`, 404)
    await apiAs(hal).expectNoContent('DELETE', at)
    // As often as it is sent.
    await apiAs(hal).expectNoContent('DELETE', at)
    await apiAs(ben).expectError('DELETE', at, 404)
    expect((await list(ben, hal)).map(({ id }) => id)).toEqual([made[2]?.id, made[0]?.id])
    expect([await reads(ben, item.mediaUrl), await reads(null, item.mediaUrl)]).toEqual([false, false])

    for (const other of [ben, ann]) await apiAs(other).expectError('POST', `${at}/restore`, 404)
    await apiAs(null).expectError('POST', `${at}/restore`, 401)
    expect((await apiAs(hal).post(`${at}/restore`, GalleryItem)).body).toEqual(item)
    expect((await apiAs(hal).post(`${at}/restore`, GalleryItem)).body).toEqual(item)
    expect((await list(ben, hal)).map(({ id }) => id)).toEqual(made.map(({ id }) => id).reverse())
    expect(await reads(null, item.mediaUrl)).toBe(true)

    await apiAs(hal).expectNoContent('DELETE', at)
    await apiAs(hal).expectNoContent('DELETE', `${path}/${made[0]?.id}`)
    await sql`update public.gallery_items set deleted_at = now() - interval '601 seconds' where id = ${item.id}`
    expect((await apiAs(hal).expectError('POST', `${at}/restore`, 404)).message).toBe(
      'It is too late to bring this back.',
    )
    const paths = await sql<{ id: string; path: string }[]>`
      select id, path from public.media where owner_id = ${hal.id}`
    const swept = await runJob('media')
    expect([200, 503]).toContain(swept.status)
    const gone = paths.find(({ id }) => item.mediaUrl.endsWith(id))?.path ?? ''
    const left = await sql`select from storage.objects where bucket_id = 'media' and name = ${gone}`
    expect([left.count, await kept(hal), await used(hal)]).toEqual([0, 2, 2])
    await apiAs(hal).expectError('GET', item.mediaUrl, 404)
    // The other one can still come back.
    await apiAs(hal).post(`${path}/${made[0]?.id}/restore`, GalleryItem)
  })
})

describe('who sees a gallery', () => {
  const readers = ['visitor', 'stranger', 'follower', 'blocked', 'owner', 'admin'] as const
  type Reader = (typeof readers)[number]
  const maySee: Record<ProfileVisibility, readonly Reader[]> = {
    public: ['visitor', 'stranger', 'follower', 'owner', 'admin'],
    followers: ['follower', 'owner', 'admin'],
    private: ['owner', 'admin'],
  }
  const people = {} as Record<Exclude<Reader, 'visitor'>, TestUser>
  let item: GalleryItem

  beforeAll(async () => {
    Object.assign(people, await createUsers('stranger', 'follower', 'blocked', 'owner', 'admin'))
    await sql`update public.profiles set is_admin = true where id = ${people.admin.id}`
    item = await add(animatedGif, people.owner)
    for (const follower of [people.follower, people.blocked])
      await apiAs(follower).post(`/api/users/${people.owner.id}/follow`, FollowResponse)
    await apiAs(people.owner).post(`/api/users/${people.blocked.id}/block`, BlockResponse)
  })

  it.each(['public', 'followers', 'private'] as const)('of a %s profile', async (visibility) => {
    await sql`update public.profiles set visibility = ${visibility} where id = ${people.owner.id}`
    for (const reader of readers) {
      const who = reader === 'visitor' ? null : people[reader]
      const seen = maySee[visibility].includes(reader)
      const listed =
        reader === 'blocked'
          ? (await apiAs(who).expectError('GET', `${path}?userId=${people.owner.id}`, 404)) && false
          : (await list(who, people.owner)).length > 0
      const rows = await fetch(`${stack.apiUrl}/rest/v1/gallery_items?id=eq.${item.id}&select=id`, {
        headers: {
          apikey: stack.publishableKey,
          Authorization: `Bearer ${who?.token ?? stack.publishableKey}`,
        },
      })
      const fromDataApi = z.array(z.object({ id: z.string() })).parse(await rows.json()).length > 0
      expect([reader, listed, fromDataApi, await reads(who, item.mediaUrl)]).toEqual([
        reader,
        seen,
        seen,
        seen,
      ])
      // Whoever may not see it, does not learn that it is there.
      if (who && reader !== 'owner')
        await apiAs(who).expectError('DELETE', `${path}/${item.id}`, seen ? 403 : 404)
    }
  })
})
