import { SignedUpload, VideoUpload } from '@contract/media.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { apiAs, authorizationHeader, call } from '../support/api.ts'
import { createPost } from '../support/content-api.ts'
import { supabaseUrl } from '../support/function-server.ts'
import { createMp4, createPng, createWebm, fileForm } from '../support/media-files.ts'
import { clearRateLimits, exhaustRateLimit, sql, stack } from '../support/stack.ts'
import { uploadImage } from '../support/uploads.ts'
import { createUsers, type TestUser } from '../support/users.ts'

let ann: TestUser
let ben: TestUser

beforeAll(async () => {
  ;({ ann, ben } = await createUsers('ann', 'ben'))
})

const notVideoError = {
  message: 'Please select an MP4, WebM or QuickTime video.',
  code: 'unsupported_media_type',
}

async function sign(user: TestUser, size: number, type = 'video/mp4') {
  return (await apiAs(user).post('/api/upload-video/sign', SignedUpload, { type, size }, 201)).body
}

async function put(uploadUrl: string, bytes: Uint8Array, type = 'video/mp4') {
  return await fetch(new URL(uploadUrl, stack.apiUrl), {
    method: 'PUT',
    headers: { 'Content-Type': type },
    body: new Uint8Array(bytes),
  })
}

/** Returns the states of a user's upload rows and the names of their files. */
async function storedUploads(user: TestUser) {
  const rows = await sql<{ state: string }[]>`select state from public.media where owner_id = ${user.id}`
  const files = await sql<{ name: string }[]>`
    select name from storage.objects where bucket_id = 'media' and name like ${`${user.id}/%`} order by 1`
  return { rows: rows.map(({ state }) => state), files: files.map(({ name }) => name) }
}

describe('uploading a video to a signed URL', () => {
  it('creates an upload that can be used in a post when complete, and cannot be replaced afterwards', async () => {
    const video = createMp4(5000)
    const { id, videoUrl, uploadUrl } = await sign(ann, video.length)
    const expectPublishError = () => apiAs(ann).expectError('POST', '/api/posts', 400, { body: { videoUrl } })
    expect((await expectPublishError()).code).toBe('media_not_usable')
    // Simulates a lost connection: the first request sends only part of the file, the next one sends all of it.
    expect((await put(uploadUrl, video.subarray(0, 2000))).status).toBe(200)
    expect((await expectPublishError()).message).toBe(
      'The video was not uploaded completely. Please upload it again.',
    )
    expect((await put(uploadUrl, video)).status).toBe(200)
    await apiAs(ann).expectError('GET', videoUrl, 404)
    await apiAs(ben).expectError('POST', '/api/posts', 400, { body: { videoUrl } })
    const { imageUrl: posterUrl } = await uploadImage(ann, createPng({ width: 32, height: 18 }))
    const post = await createPost(ann, { videoUrl, posterUrl })
    expect(post).toMatchObject({ mediaType: 'video', videoUrl, posterUrl, mediaWidth: 32, mediaHeight: 18 })
    expect((await storedUploads(ann)).files).toContain(`${ann.id}/${id}.mp4`)

    expect((await put(uploadUrl, Buffer.alloc(5000, 60))).status).toBe(400)
    const response = await call('GET', videoUrl, {
      headers: { ...authorizationHeader(ben), Range: 'bytes=4990-' },
    })
    expect([response.status, response.headers.get('content-range')]).toEqual([206, 'bytes 4990-4999/5000'])
    expect(response.headers.get('content-type')).toBe('video/mp4')
    expect(Buffer.from(await response.arrayBuffer())).toEqual(video.subarray(4990))
    const [queued] = await sql<{ hours: number }[]>`
      select extract(epoch from due_at - now())::float8 / 3600 as hours from private.file_deletion_queue
      where path like ${`${ann.id}/%`}`
    // Any file at the signed path is deleted after three hours, when the signed URL no longer accepts data.
    expect(queued?.hours).toBeCloseTo(3, 1)
  })

  it('stores no file if the upload is deleted while it is being checked', async () => {
    const video = createMp4(5000)
    const { id, videoUrl, uploadUrl } = await sign(ben, video.length)
    await put(uploadUrl, video)
    let published: Promise<unknown> | undefined
    await sql.begin(async (tx) => {
      // Simulates an account deletion and a run of the media job before the file was moved.
      await tx`delete from public.media where id = ${id}`
      await tx`delete from private.file_deletion_queue where path like ${`${ben.id}/%`}`
      published = apiAs(ben).expectError('POST', '/api/posts', 503, { body: { videoUrl } })
      await expect.poll(() => storedUploads(ben)).toMatchObject({ files: [`${ben.id}/${id}.mp4`] })
    })
    await published
    expect((await storedUploads(ben)).files).toEqual([])
  })

  it.each([
    ['an HTML page', Buffer.from('<!doctype html><script>alert(1)</script>'), 'video/mp4'],
    ['Matroska', createWebm('matroska'), 'video/webm'],
    ['WebM declared as MP4', createWebm(), 'video/mp4'],
  ])('rejects %s and deletes the upload', async (_what, bytes, type) => {
    const { id, videoUrl, uploadUrl } = await sign(ben, bytes.length, type)
    expect((await put(uploadUrl, bytes, type)).status).toBe(200)
    expect(await apiAs(ben).expectError('POST', '/api/posts', 415, { body: { videoUrl } })).toEqual(
      notVideoError,
    )
    expect(await sql`select from public.media where id = ${id}`).toHaveLength(0)
    expect((await storedUploads(ben)).files).toEqual([])
  })

  it('limits the checks of uploaded videos to 30 per minute', async () => {
    const { id, videoUrl } = await sign(ben, 100)
    await exhaustRateLimit('video check', ben.id, 30, '1 minute')
    await apiAs(ben).expectError('POST', '/api/posts', 429, { body: { videoUrl } })
    await clearRateLimits(ben.id, 'video check')
    await sql`delete from public.media where id = ${id}`
  })

  it('rejects other types in Storage, and sizes over the limit in the API', async () => {
    const { uploadUrl } = await sign(ben, 100)
    const response = await put(uploadUrl, createMp4(), 'text/html')
    expect(await response.json()).toMatchObject({ statusCode: '415' })
    const size = 100 * 1024 * 1024 + 1
    const body = { type: 'video/mp4', size }
    expect((await apiAs(ben).expectError('POST', '/api/upload-video/sign', 400, { body })).message).toBe(
      'Video size must be less than 100MB.',
    )
  })
})

describe('POST /api/upload-video', () => {
  const partHead = '--b\r\nContent-Disposition: form-data; name="video"; filename="v"\r\n\r\n'
  const sendMultipart = (body: BodyInit, signal?: AbortSignal) =>
    fetch(`${stack.apiUrl}/api/upload-video`, {
      method: 'POST',
      headers: { ...authorizationHeader(ben), 'Content-Type': 'multipart/form-data; boundary=b' },
      body,
      signal,
      duplex: 'half',
    } as RequestInit)

  it.each([
    ['MP4', createMp4(300_000), 'video/mp4'],
    ['a short MP4', createMp4(60), 'video/mp4'],
    ['QuickTime', createMp4(9000, 'qt  '), 'video/quicktime'],
    ['WebM', createWebm(), 'video/webm'],
  ])('accepts %s', async (_what, bytes, type) => {
    const response = await call('POST', '/api/upload-video', {
      headers: authorizationHeader(ann),
      form: fileForm('video', bytes),
    })
    expect(response.status).toBe(201)
    const { videoUrl } = VideoUpload.parse(await response.json())
    const stored = await call('GET', videoUrl, { headers: authorizationHeader(ann) })
    expect(stored.headers.get('content-type')).toBe(type)
    expect(Buffer.from(await stored.arrayBuffer()).equals(bytes)).toBe(true)
  })

  it('stores no file if the upload is truncated or not a video, or if the client disconnects', async () => {
    const before = await storedUploads(ben)
    const send = (status: number, options: object) =>
      apiAs(ben).expectError('POST', '/api/upload-video', status, options)
    const invalidFiles = [
      Buffer.from('<html>'),
      // `free` is a valid box name, and it is at the offset of the first box name in an MP4 file.
      Buffer.from("I'm free of any video <script>alert(1)</script>"),
      createMp4(900, 'heic'),
      // A first box larger than the file, and an unknown brand.
      createMp4().subarray(0, 20),
      Buffer.concat([Buffer.from([0, 0, 0, 16]), Buffer.from('ftypnone\0\0\0\0<script>')]),
      createWebm('matroska'),
      // The document type extends past the end of the header, or begins after the header.
      Buffer.concat([createWebm('webm').subarray(0, 4), Buffer.from([0x86]), createWebm('webm').subarray(5)]),
      Buffer.concat([createWebm('webm').subarray(0, 4), Buffer.from([0x84]), createWebm('webm').subarray(5)]),
    ]
    for (const bytes of invalidFiles) {
      expect(await send(415, { form: fileForm('video', bytes) })).toEqual(notVideoError)
    }
    expect((await send(400, { form: new FormData() })).message).toBe('Please choose a video.')
    await apiAs(null).expectError('POST', '/api/upload-video', 401, { form: fileForm('video', createMp4()) })

    const part = Buffer.concat([Buffer.from(partHead), createMp4(200_000)])
    expect((await sendMultipart(new Uint8Array(part))).status).toBe(400)
    const abortController = new AbortController()
    const body = new ReadableStream({
      async pull(target) {
        target.enqueue(new Uint8Array(part))
        await expect.poll(() => storedUploads(ben)).not.toEqual(before)
        abortController.abort()
      },
    })
    await expect(sendMultipart(body, abortController.signal)).rejects.toThrow()
    expect(abortController.signal.aborted).toBe(true)
    await expect.poll(() => storedUploads(ben)).toEqual(before)
  })

  it('stores no file if the upload is deleted while the file is being sent', async () => {
    const parts = [Buffer.from(partHead), createMp4(100_000), Buffer.from('\r\n--b--\r\n')]
    const before = await storedUploads(ben)
    const body = new ReadableStream({
      async pull(target) {
        if (parts.length === 1) {
          // Simulates an account deletion and a run of the media job before the file has arrived.
          await expect.poll(() => storedUploads(ben)).not.toEqual(before)
          const [media] =
            await sql`delete from public.media where owner_id = ${ben.id} and state = 'pending' returning path`
          await sql`delete from private.file_deletion_queue where path = ${media?.path ?? null}`
        }
        const part = parts.shift()
        if (part) target.enqueue(new Uint8Array(part))
        else target.close()
      },
    })
    expect((await sendMultipart(body)).status).toBe(503)
    expect((await storedUploads(ben)).files).toEqual(before.files)
  })
})

describe('the embedded Storage', () => {
  const key = { apikey: stack.secretKey }

  it('enforces file size limits and serves byte ranges', async () => {
    const bucket = `small-${ann.id}`
    await sql`insert into storage.buckets (id, name, public, file_size_limit) values (${bucket}, ${bucket}, false, 1000)`
    const fileUrl = (name: string) => `${supabaseUrl()}/storage/v1/object/${bucket}/${name}`
    const store = (name: string, byteCount: number) => {
      // A stream has no Content-Length.
      const body = new Blob([new Uint8Array(byteCount).map((_, index) => index)]).stream()
      return fetch(fileUrl(name), { method: 'POST', headers: key, body, duplex: 'half' } as RequestInit)
    }
    expect(await (await store('large', 1001)).json()).toMatchObject({ statusCode: '413' })
    expect((await store('fits', 1000)).status).toBe(200)
    expect((await fetch(fileUrl('large'), { headers: key })).status).toBe(400)

    const signed = await fetch(`${supabaseUrl()}/storage/v1/object/sign/${bucket}/fits`, {
      method: 'POST',
      headers: { ...key, 'Content-Type': 'application/json' },
      body: JSON.stringify({ expiresIn: 60 }),
    })
    const { signedURL, signedUrl } = (await signed.json()) as { signedURL?: string; signedUrl?: string }
    const path = (signedURL ?? signedUrl ?? '').replace(/^\/storage\/v1/, '')
    for (const [url, headers] of [
      [fileUrl('fits'), key],
      [`${supabaseUrl()}/storage/v1${path}`, {}],
    ] as const) {
      const get = async (range: string) => {
        const response = await fetch(url, { headers: { ...headers, Range: range } })
        const bytes = [...new Uint8Array(await response.arrayBuffer())]
        return [
          response.status,
          response.headers.get('content-range'),
          response.headers.get('content-length'),
          bytes,
        ]
      }
      expect(await get('bytes=0-2')).toEqual([206, 'bytes 0-2/1000', '3', [0, 1, 2]])
      expect(await get('bytes=-2')).toEqual([206, 'bytes 998-999/1000', '2', [230, 231]])
      expect((await get('bytes=1000-')).slice(0, 2)).toEqual([416, 'bytes */1000'])
      expect((await get('bytes=0-1,5-6')).slice(0, 3)).toEqual([200, null, '1000'])
    }
    await fetch(fileUrl('fits'), { method: 'DELETE', headers: key })
    await sql`delete from storage.objects where bucket_id = ${bucket}`
    await sql`delete from storage.buckets where id = ${bucket}`
  })
})
