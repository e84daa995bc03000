import { randomUUID } from 'node:crypto'
import { ImageUpload } from '@contract/media.ts'
import { OwnUser, UserDetails } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { apiAs, authorizationHeader, call } from '../support/api.ts'
import {
  animatedGif,
  createJpegWithMetadata,
  createMp4,
  createPng,
  fileForm,
  withPngSize,
} from '../support/media-files.ts'
import { runJob } from '../support/run-job.ts'
import { exhaustRateLimit, sql, stack } from '../support/stack.ts'
import { createTestClient } from '../support/supabase-client.ts'
import { createUser, createUsers, getOwnUser, makeAdmin, type TestUser } from '../support/users.ts'

let ann: TestUser
let ben: TestUser

beforeAll(async () => {
  ;({ ann, ben } = await createUsers('ann', 'ben'))
})

const kinds = [
  { which: 'profile', path: '/api/upload/profile-image', field: 'profileImageUrl' },
  { which: 'background', path: '/api/upload/background-image', field: 'backgroundImageUrl' },
] as const
const [profileImage] = kinds

async function upload(user: TestUser, path: string, bytes: Uint8Array) {
  const headers = authorizationHeader(user)
  const response = await call('POST', path, { headers, form: fileForm('image', bytes) })
  const json: unknown = await response.json()
  expect({ status: response.status, json }).toEqual({ status: 201, json })
  return ImageUpload.parse(json)
}

const fetchPublic = (url: string) => fetch(`${stack.apiUrl}${url}`)
const pathIn = (url: string) => url.replace('/storage/v1/object/public/avatars/', '')
const queuedDeletions = (path: string) =>
  sql`select from private.file_deletion_queue where bucket = 'avatars' and path = ${path}`

/** Sets a user's profile image to a file that is already in Storage. */
async function setProfileImage(user: TestUser, path: string) {
  const [session] = await sql<{ id: string }[]>`
    select id from auth.sessions where user_id = ${user.id} limit 1`
  const claims = JSON.stringify({ sub: user.id, role: 'authenticated', session_id: session?.id })
  await sql.begin(async (tx) => {
    await tx`select set_config('request.jwt.claims', ${claims}, true)`
    await tx`set local role authenticated`
    await tx`select private.set_own_profile_image('profile', ${path})`
  })
}

/**
 * Runs the media job until it succeeds. A run fails if `image-uploads.test.ts` has just queued files that cannot be
 * deleted.
 */
const runMediaJob = () =>
  expect.poll(async () => (await runJob('media')).status, { timeout: 15_000 }).toBe(200)

describe.each(kinds)('the $which image', ({ path, field }) => {
  it('is public under a random name, without metadata, and set on the user immediately', async () => {
    const { imageUrl, placeholder, width, height } = await upload(ann, path, createJpegWithMetadata())
    expect([width, height]).toEqual([16, 32])
    expect(placeholder).toMatch(/^data:image\/webp;base64,/)
    expect(imageUrl).toMatch(new RegExp(`^/storage/v1/object/public/avatars/${ann.id}/[0-9a-f-]{36}\\.jpg$`))
    expect((await getOwnUser(ann))[field]).toBe(imageUrl)
    const response = await fetchPublic(imageUrl)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
    const storedImage = Buffer.from(await response.arrayBuffer())
    for (const marker of ['Exif', 'xmpmeta', 'Photoshop', 'A comment', 'polyglot', 'PK\x05\x06']) {
      expect([marker, storedImage.includes(marker, 0, 'latin1')]).toEqual([marker, false])
    }
  })

  it('replaces the previous image, whose file the media job deletes', async () => {
    const before = (await upload(ann, path, animatedGif)).imageUrl
    const gifResponse = await fetchPublic(before)
    // The image is still animated.
    expect(Buffer.from(await gifResponse.arrayBuffer())).toEqual(animatedGif)
    const after = (await upload(ann, path, createPng({ width: 3000, height: 30 }))).imageUrl
    expect((await getOwnUser(ann))[field]).toBe(after)
    await runMediaJob()
    expect((await fetchPublic(before)).ok).toBe(false)
    expect((await fetchPublic(after)).status).toBe(200)

    await apiAs(ann).expectNoContent('DELETE', path)
    expect((await getOwnUser(ann))[field]).toBeNull()
    await runMediaJob()
    expect((await fetchPublic(after)).ok).toBe(false)
    // Deleting again succeeds.
    await apiAs(ann).expectNoContent('DELETE', path)
    expect(
      await sql`select from storage.objects where name in (${pathIn(before)}, ${pathIn(after)})`,
    ).toEqual([])
  })

  it('is scaled down to the maximum width', async () => {
    const { width } = await upload(ann, path, createPng({ width: 3000, height: 30 }))
    expect(width).toBe(field === 'profileImageUrl' ? 1024 : 1920)
  })

  it('stays the same when an invalid, oversized or corrupt file is rejected', async () => {
    const { imageUrl } = await upload(ann, path, animatedGif)
    const expectUploadError = async (status: number, bytes: Uint8Array) =>
      (
        await apiAs(ann).expectError('POST', path, status, {
          form: fileForm('image', bytes, { type: 'image/jpeg' }),
        })
      ).message
    const typeError = 'Please select a JPG, PNG or GIF image.'
    const page = Buffer.from('<!doctype html><script>alert(1)</script>')
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
    for (const bytes of [page, svg, createMp4()]) expect(await expectUploadError(415, bytes)).toBe(typeError)
    const sizeError = 'Please select an image smaller than 5MB.'
    expect(await expectUploadError(413, Buffer.alloc(5 * 1024 * 1024 + 1))).toBe(sizeError)
    expect(
      await expectUploadError(413, withPngSize(createPng({ width: 8, height: 8 }), 30_000, 30_000)),
    ).toMatch(/pixels/)
    expect(await expectUploadError(400, animatedGif.subarray(0, 60))).toMatch(/^Failed to process/)
    expect(await expectUploadError(400, Buffer.alloc(0))).toBe('Please choose an image.')
    expect((await getOwnUser(ann))[field]).toBe(imageUrl)
  })
})

it('visitors and read-only accounts cannot change a profile or background image, and uploads are rate limited', async () => {
  const carl = await createUser()
  for (const { path } of kinds) {
    await apiAs(null).expectError('POST', path, 401, { form: fileForm('image', animatedGif) })
    await apiAs(null).expectError('DELETE', path, 401)
  }
  await sql`update public.accounts set read_only_reason = 'under 18' where user_id = ${carl.id}`
  for (const { path } of kinds) {
    expect(
      (await apiAs(carl).expectError('POST', path, 403, { form: fileForm('image', animatedGif) })).code,
    ).toBe('account_read_only')
    expect((await apiAs(carl).expectError('DELETE', path, 403)).code).toBe('account_read_only')
  }
  await sql`update public.accounts set read_only_reason = null where user_id = ${carl.id}`
  await exhaustRateLimit('uploads', carl.id, 60, '1 hour')
  await apiAs(carl).expectError('POST', profileImage.path, 429, { form: fileForm('image', animatedGif) })
})

describe('other users', () => {
  it('can see the image of a private profile', async () => {
    const { imageUrl } = await upload(ann, profileImage.path, animatedGif)
    const setVisibility = (profileVisibility: string) =>
      apiAs(ann).patch('/api/settings/privacy', OwnUser, { profileVisibility })
    await setVisibility('private')
    for (const viewer of [ben, null]) {
      const { body } = await apiAs(viewer).get(`/api/users/${ann.id}`, UserDetails)
      expect(body.profileImageUrl).toBe(imageUrl)
    }
    expect((await fetchPublic(imageUrl)).status).toBe(200)
    await setVisibility('public')
  })

  it("cannot use another user's images, even if queued for deletion, or images that do not exist", async () => {
    const imageOfBen = pathIn((await upload(ben, profileImage.path, animatedGif)).imageUrl)
    const queuedPath = `${ben.id}/${randomUUID()}.png`
    await sql`
      insert into private.file_deletion_queue (bucket, path, due_at) values ('avatars', ${queuedPath}, now() + interval '1 hour')`
    for (const path of [imageOfBen, queuedPath, `${ann.id}/${randomUUID()}.png`]) {
      await expect(setProfileImage(ann, path)).rejects.toMatchObject({ code: 'PT400' })
    }
    expect(await queuedDeletions(queuedPath)).toHaveLength(1)
    await sql`delete from private.file_deletion_queue where path = ${queuedPath}`
  })

  it('cannot write, list, replace or delete the files in Storage, and neither can the owner', async () => {
    const { imageUrl } = await upload(ann, profileImage.path, animatedGif)
    const path = pathIn(imageUrl)
    for (const user of [ann, ben, null]) {
      const client = createTestClient(stack, user?.token)
      const files = client.storage.from('avatars')
      const type = { contentType: 'image/gif' }
      expect((await files.upload(`${ann.id}/${randomUUID()}.gif`, animatedGif, type)).error).not.toBeNull()
      expect((await files.upload(path, animatedGif, { ...type, upsert: true })).error).not.toBeNull()
      expect((await files.update(path, animatedGif, type)).error).not.toBeNull()
      expect((await files.createSignedUploadUrl(`${ann.id}/${randomUUID()}.gif`)).error).not.toBeNull()
      expect((await files.move(path, `${ann.id}/${randomUUID()}.gif`)).error).not.toBeNull()
      expect((await files.list(ann.id)).data ?? []).toEqual([])
      await files.remove([path])
    }
    expect((await fetchPublic(imageUrl)).status).toBe(200)
  })
})

it('an image in the deletion queue is kept once it is used, and the previous image is deleted', async () => {
  const dora = await createUser()
  const before = (await upload(dora, profileImage.path, animatedGif)).imageUrl
  // Admins upload an image before they set it.
  await makeAdmin(dora)
  const png = createPng({ width: 3000, height: 30 })
  const { imageUrl, width } = await upload(dora, '/api/admin/upload/profile-image', png)
  const path = pathIn(imageUrl)
  expect(await queuedDeletions(path)).toHaveLength(1)
  await runMediaJob()
  const storedImage = Buffer.from(await (await fetchPublic(imageUrl)).arrayBuffer())
  // The header of a PNG contains the width.
  expect([width, storedImage.readUInt32BE(16)]).toEqual([1024, 1024])
  expect((await getOwnUser(dora)).profileImageUrl).toBe(before)

  await setProfileImage(dora, path)
  expect((await getOwnUser(dora)).profileImageUrl).toBe(imageUrl)
  expect(await queuedDeletions(path)).toHaveLength(0)
  await runMediaJob()
  expect((await fetchPublic(before)).ok).toBe(false)
  expect((await fetchPublic(imageUrl)).status).toBe(200)
})

it('concurrent uploads that wait for a worker are all processed, and only the current image is kept', async () => {
  const dora = await createUser()
  const uploads = await Promise.all(
    [2000, 2100, 2200, 2300].map((width) =>
      upload(dora, profileImage.path, createPng({ width, height: 20 })),
    ),
  )
  expect(uploads.map(({ width }) => width)).toEqual([1024, 1024, 1024, 1024])
  const { profileImageUrl } = await getOwnUser(dora)
  expect(uploads.map(({ imageUrl }) => imageUrl)).toContain(profileImageUrl)
  await runMediaJob()
  for (const { imageUrl } of uploads) {
    expect((await fetchPublic(imageUrl)).ok).toBe(imageUrl === profileImageUrl)
  }
})

it('profile and background images are deleted with the account', async () => {
  const dora = await createUser()
  const images = await Promise.all(kinds.map(({ path }) => upload(dora, path, animatedGif)))
  await sql`delete from auth.users where id = ${dora.id}`
  await runMediaJob()
  for (const { imageUrl } of images) expect((await fetchPublic(imageUrl)).ok).toBe(false)
})

it('the media job deletes the file of an upload that failed after the file was stored', async () => {
  // Recreates the state after a lost response: the file is stored and queued for deletion, and no profile uses it.
  const { imageUrl } = await upload(ben, profileImage.path, animatedGif)
  const path = pathIn(imageUrl)
  expect(await queuedDeletions(path)).toHaveLength(0)
  await sql`update public.profiles set profile_image_url = null where id = ${ben.id}`
  await sql`insert into private.file_deletion_queue (bucket, path, due_at) values ('avatars', ${path}, now() - interval '1 minute')`
  await runMediaJob()
  expect((await fetchPublic(imageUrl)).ok).toBe(false)
  expect(await queuedDeletions(path)).toHaveLength(0)
})
