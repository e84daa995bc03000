import { randomUUID } from 'node:crypto'
import { ImageUpload } from '@contract/media.ts'
import { OwnUser, UserDetails } from '@contract/user.ts'
import { createClient } from '@supabase/supabase-js'
import { beforeAll, describe, expect, it } from 'vitest'
import { apiAs, call } from '../support/api.ts'
import {
  animatedGif,
  createJpegWithMetadata,
  createMp4,
  createPng,
  withPngSize,
} from '../support/media-files.ts'
import { runJob } from '../support/run-job.ts'
import { exhaustRateLimit, sql, stack } from '../support/stack.ts'
import { createUser, createUsers, type TestUser } from '../support/users.ts'
import { webSocketTransport } from '../support/websocket-transport.ts'

let ann: TestUser
let ben: TestUser

beforeAll(async () => {
  ;({ ann, ben } = await createUsers('ann', 'ben'))
})

const kinds = [
  { which: 'profile', path: '/api/upload/profile-image', field: 'profileImageUrl' },
  { which: 'background', path: '/api/upload/background-image', field: 'backgroundImageUrl' },
] as const
const [own] = kinds

const form = (bytes: Uint8Array, type = 'image/png') => {
  const body = new FormData()
  body.set('image', new Blob([new Uint8Array(bytes)], { type }), 'photo.png')
  return body
}

async function upload(person: TestUser, path: string, bytes: Uint8Array) {
  const headers = { Authorization: `Bearer ${person.token}` }
  const answer = await call('POST', path, { headers, form: form(bytes) })
  const told: unknown = await answer.json()
  expect({ status: answer.status, told }).toEqual({ status: 201, told })
  return ImageUpload.parse(told)
}

const fetchPublic = (address: string) => fetch(`${stack.apiUrl}${address}`)
const pathIn = (address: string) => address.replace('/storage/v1/object/public/avatars/', '')
const readOwn = async (person: TestUser) => (await apiAs(person).get('/api/auth/user', OwnUser)).body
const noted = (path: string) =>
  sql`select from private.doomed_files where bucket = 'avatars' and path = ${path}`

const sweep = async () => expect((await runJob('media')).status).toBe(200)

describe.each(kinds)('the $which picture', ({ path, field }) => {
  it('is public under a name of its own, tells nothing else, and is in the own record at once', async () => {
    const { imageUrl, placeholder, width, height } = await upload(ann, path, createJpegWithMetadata())
    expect([width, height]).toEqual([16, 32])
    expect(placeholder).toMatch(/^data:image\/webp;base64,/)
    expect(imageUrl).toMatch(new RegExp(`^/storage/v1/object/public/avatars/${ann.id}/[0-9a-f-]{36}\\.jpg$`))
    expect((await readOwn(ann))[field]).toBe(imageUrl)
    const answer = await fetchPublic(imageUrl)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
    const kept = Buffer.from(await answer.arrayBuffer())
    for (const word of ['Exif', 'xmpmeta', 'Photoshop', 'A comment', 'polyglot', 'PK\x05\x06']) {
      expect([word, kept.includes(word, 0, 'latin1')]).toEqual([word, false])
    }
  })

  it('replaces the one before, whose file the job removes', async () => {
    const before = (await upload(ann, path, animatedGif)).imageUrl
    const kept = await fetchPublic(before)
    // It still moves.
    expect(Buffer.from(await kept.arrayBuffer())).toEqual(animatedGif)
    const after = (await upload(ann, path, createPng({ width: 3000, height: 30 }))).imageUrl
    expect((await readOwn(ann))[field]).toBe(after)
    await sweep()
    expect((await fetchPublic(before)).ok).toBe(false)
    expect((await fetchPublic(after)).status).toBe(200)

    await apiAs(ann).expectNoContent('DELETE', path)
    expect((await readOwn(ann))[field]).toBeNull()
    await sweep()
    expect((await fetchPublic(after)).ok).toBe(false)
    // Once more, where there is none.
    await apiAs(ann).expectNoContent('DELETE', path)
    expect(
      await sql`select from storage.objects where name in (${pathIn(before)}, ${pathIn(after)})`,
    ).toEqual([])
  })

  it('is made no larger than it is shown', async () => {
    const { width } = await upload(ann, path, createPng({ width: 3000, height: 30 }))
    expect(width).toBe(field === 'profileImageUrl' ? 1024 : 1920)
  })

  it('is refused where it is none, too large, a bomb or broken, and the one before stays', async () => {
    const { imageUrl } = await upload(ann, path, animatedGif)
    const refused = async (status: number, bytes: Uint8Array) =>
      (await apiAs(ann).expectError('POST', path, status, { form: form(bytes, 'image/jpeg') })).message
    const type = 'Please select a JPG, PNG or GIF image.'
    const page = Buffer.from('<!doctype html><script>alert(1)</script>')
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
    for (const bytes of [page, svg, createMp4()]) expect(await refused(415, bytes)).toBe(type)
    const size = 'Please select an image smaller than 5MB.'
    expect(await refused(413, Buffer.alloc(5 * 1024 * 1024 + 1))).toBe(size)
    expect(await refused(413, withPngSize(createPng({ width: 8, height: 8 }), 30_000, 30_000))).toMatch(
      /pixels/,
    )
    expect(await refused(400, animatedGif.subarray(0, 60))).toMatch(/^Failed to process/)
    expect(await refused(400, Buffer.alloc(0))).toBe('Please choose an image.')
    expect((await readOwn(ann))[field]).toBe(imageUrl)
  })
})

it('is for people who may write, and counted as other uploads are', async () => {
  const carl = await createUser()
  for (const { path } of kinds) {
    await apiAs(null).expectError('POST', path, 401, { form: form(animatedGif) })
    await apiAs(null).expectError('DELETE', path, 401)
  }
  await sql`update public.accounts set read_only_reason = 'under 18' where user_id = ${carl.id}`
  for (const { path } of kinds) {
    expect((await apiAs(carl).expectError('POST', path, 403, { form: form(animatedGif) })).code).toBe(
      'account_read_only',
    )
    expect((await apiAs(carl).expectError('DELETE', path, 403)).code).toBe('account_read_only')
  }
  await sql`update public.accounts set read_only_reason = null where user_id = ${carl.id}`
  await exhaustRateLimit('uploads', carl.id, 60, '1 hour')
  await apiAs(carl).expectError('POST', own.path, 429, { form: form(animatedGif) })
})

describe('what others can do', () => {
  it('is see it, whatever the profile hides', async () => {
    const { imageUrl } = await upload(ann, own.path, animatedGif)
    const show = (profileVisibility: string) =>
      apiAs(ann).patch('/api/settings/privacy', OwnUser, { profileVisibility })
    await show('private')
    for (const viewer of [ben, null]) {
      const { body } = await apiAs(viewer).get(`/api/users/${ann.id}`, UserDetails)
      expect(body.profileImageUrl).toBe(imageUrl)
    }
    expect((await fetchPublic(imageUrl)).status).toBe(200)
    await show('public')
  })

  it('is not take a file of another’s, one that is used already, or one that nobody stored', async () => {
    const theirs = pathIn((await upload(ben, own.path, animatedGif)).imageUrl)
    const waiting = `${ben.id}/${randomUUID()}.png`
    await sql`
      insert into private.doomed_files (bucket, path, since) values ('avatars', ${waiting}, now() + interval '1 hour')`
    const [session] = await sql<{ id: string }[]>`
      select id from auth.sessions where user_id = ${ann.id} limit 1`
    const claims = JSON.stringify({ sub: ann.id, role: 'authenticated', session_id: session?.id })
    for (const path of [theirs, waiting, `${ann.id}/${randomUUID()}.png`]) {
      const taken = sql.begin(async (tx) => {
        await tx`select set_config('request.jwt.claims', ${claims}, true)`
        await tx`set local role authenticated`
        await tx`select private.set_own_image('profile', ${path})`
      })
      await expect(taken).rejects.toMatchObject({ code: 'PT400' })
    }
    expect(await noted(waiting)).toHaveLength(1)
    await sql`delete from private.doomed_files where path = ${waiting}`
  })

  it('is not write, list, replace or remove files by themselves', async () => {
    const { imageUrl } = await upload(ann, own.path, animatedGif)
    const path = pathIn(imageUrl)
    for (const who of [ann, ben, null]) {
      const client = createClient(stack.apiUrl, stack.publishableKey, {
        auth: { persistSession: false, autoRefreshToken: false },
        realtime: { transport: webSocketTransport },
        global: who ? { headers: { Authorization: `Bearer ${who.token}` } } : {},
      })
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

it('goes with its person', async () => {
  const dora = await createUser()
  const addresses = await Promise.all(kinds.map(({ path }) => upload(dora, path, animatedGif)))
  await sql`delete from auth.users where id = ${dora.id}`
  await sweep()
  for (const { imageUrl } of addresses) expect((await fetchPublic(imageUrl)).ok).toBe(false)
})

it('of a call that failed after storing, the job removes the file', async () => {
  // As if its answer had not come: noted before it was stored, and named by nobody.
  const { imageUrl } = await upload(ben, own.path, animatedGif)
  const path = pathIn(imageUrl)
  expect(await noted(path)).toHaveLength(0)
  await sql`update public.profiles set profile_image_url = null where id = ${ben.id}`
  await sql`insert into private.doomed_files (bucket, path, since) values ('avatars', ${path}, now() - interval '1 minute')`
  await sweep()
  expect((await fetchPublic(imageUrl)).ok).toBe(false)
  expect(await noted(path)).toHaveLength(0)
})
