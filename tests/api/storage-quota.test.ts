import { SignedUpload, StorageUsage, VideoUpload } from '@contract/media.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiAs, authorizationHeader, call } from '../support/api.ts'
import { createMp4, createPng, fileForm } from '../support/media-files.ts'
import { sql, stack } from '../support/stack.ts'
import { uploadImage } from '../support/uploads.ts'
import { createUsers, type TestUser } from '../support/users.ts'

const quota = 5 * 1024 ** 3
let ann: TestUser
let ben: TestUser

beforeAll(async () => {
  ;({ ann, ben } = await createUsers('ann', 'ben'))
})

const quotaError = {
  message: 'Your storage is full. Delete posts or gallery images to make room.',
  code: 'storage_quota_reached',
}
const readUsage = async (user: TestUser) => (await apiAs(user).get('/api/account/storage', StorageUsage)).body

/** Inserts an upload that leaves the user only `free` bytes of the quota. */
async function leaveFree(user: TestUser, free: number) {
  await sql`delete from public.media where owner_id = ${user.id} and path like 'filler/%'`
  const { usedBytes } = await readUsage(user)
  await sql`insert into public.media (owner_id, kind, state, path, content_type, bytes)
    values (${user.id}, 'video', 'ready', ${`filler/${user.id}`}, 'video/mp4', ${quota - usedBytes - free})`
}

async function sendForm(user: TestUser, path: string, field: string, bytes: Buffer) {
  const form = fileForm(field, bytes)
  const response = await call('POST', path, { headers: authorizationHeader(user), form })
  return { status: response.status, body: await response.json() }
}

const sign = (user: TestUser, size: number) =>
  apiAs(user).post('/api/upload-video/sign', SignedUpload, { type: 'video/mp4', size }, 201)

describe('the storage quota', () => {
  afterAll(async () => {
    await sql`delete from public.media where path like 'filler/%'`
  })

  it("counts only the account's own uploads", async () => {
    expect(await readUsage(ann)).toEqual({ usedBytes: 0, quotaBytes: quota })
    await uploadImage(ann, createPng({ width: 16, height: 16 }))
    const { usedBytes } = await readUsage(ann)
    expect(usedBytes).toBeGreaterThan(0)
    const { body: signed } = await sign(ann, 1000)
    expect((await readUsage(ann)).usedBytes).toBe(usedBytes + 1000)
    await sql`delete from public.media where id = ${signed.id}`
    expect((await readUsage(ann)).usedBytes).toBe(usedBytes)
    expect((await readUsage(ben)).usedBytes).toBe(0)
    await apiAs(null).expectError('GET', '/api/account/storage', 401)
  })

  it('rejects images, videos and signed uploads that exceed it, and stores none of them', async () => {
    await leaveFree(ann, 50)
    const before = await readUsage(ann)
    const image = await sendForm(ann, '/api/upload', 'image', createPng({ width: 64, height: 64 }))
    expect(image).toEqual({ status: 403, body: quotaError })
    const body = { type: 'video/mp4', size: 51 }
    expect(await apiAs(ann).expectError('POST', '/api/upload-video/sign', 403, { body })).toEqual(quotaError)
    // The size of a streamed video is known only after it has been stored.
    await leaveFree(ann, 5000)
    const video = await sendForm(ann, '/api/upload-video', 'video', createMp4(5001))
    expect(video).toEqual({ status: 403, body: quotaError })
    VideoUpload.parse((await sendForm(ann, '/api/upload-video', 'video', createMp4(5000))).body)
    expect(await readUsage(ann)).toEqual({ usedBytes: quota, quotaBytes: before.quotaBytes })
    await uploadImage(ben, createPng({ width: 16, height: 16 }))
  })

  it('cannot be exceeded by concurrent uploads', async () => {
    await leaveFree(ben, 1000)
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const headers = authorizationHeader(ben)
        const json = { type: 'video/mp4', size: 400 }
        return (await call('POST', '/api/upload-video/sign', { headers, body: json })).status
      }),
    )
    expect(statuses.filter((status) => status === 201)).toHaveLength(2)
    expect((await readUsage(ben)).usedBytes).toBe(quota - 200)
  })

  it('cannot be bypassed by sending more bytes to a signed URL than were declared', async () => {
    await leaveFree(ann, 1000)
    const { body: signed } = await sign(ann, 1000)
    const put = async (bytes: Buffer) => {
      const init = { method: 'PUT', headers: { 'Content-Type': 'video/mp4' }, body: new Uint8Array(bytes) }
      return (await fetch(new URL(signed.uploadUrl, stack.apiUrl), init)).status
    }
    expect(await put(createMp4(1001))).toBe(400)
    expect(await put(createMp4(1000))).toBe(200)
  })

  it('can be changed with private.set_setting, but only to a valid size', async () => {
    let bytes: unknown
    const change = sql.begin(async (tx) => {
      await tx`select private.set_setting('storage_quota_bytes', '1000')`
      ;[{ bytes } = { bytes: undefined }] = await tx<{ bytes: unknown }[]>`
        select private.storage_quota()::float8 as bytes`
      throw new Error('rolled back')
    })
    await expect(change).rejects.toThrow('rolled back')
    expect(bytes).toBe(1000)
    for (const value of ['-1', '1e16', '"1 GB"', 'null'])
      await expect(
        sql`select private.set_setting('storage_quota_bytes', ${value}::text::jsonb)`,
      ).rejects.toMatchObject({ constraint_name: 'settings_storage_quota_check' })
  })
})
