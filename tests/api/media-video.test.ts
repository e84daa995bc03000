import { SignedUpload } from '@contract/media.ts'
import { Post } from '@contract/post.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { as } from '../support/api.ts'
import { createPeople, type Person } from '../support/people.ts'
import { sql, stack } from '../support/stack.ts'
import { mp4, webm } from '../support/videos.ts'

let ann: Person
let ben: Person

beforeAll(async () => {
  ;({ ann, ben } = await createPeople('ann', 'ben'))
})

async function sign(person: Person, size: number, type = 'video/mp4') {
  return (await as(person).post('/api/upload-video/sign', SignedUpload, { type, size }, 201)).body
}

async function put(uploadUrl: string, bytes: Uint8Array, type = 'video/mp4') {
  return await fetch(new URL(uploadUrl, stack.apiUrl), {
    method: 'PUT',
    headers: { 'Content-Type': type },
    body: new Uint8Array(bytes),
  })
}

const filesOf = async (person: Person) =>
  (
    await sql<{ name: string }[]>`
    select name from storage.objects where bucket_id = 'media' and name like ${`${person.id}/%`} order by 1`
  ).map(({ name }) => name)

describe('a video sent by a signed address', () => {
  it('is taken by a post once it has arrived whole, and can be replaced no more', async () => {
    const video = mp4(5000)
    const { id, videoUrl, uploadUrl } = await sign(ann, video.length)
    const publish = () => as(ann).refused('POST', '/api/posts', 400, { body: { videoUrl } })
    expect((await publish()).code).toBe('media_not_usable')
    // The connection was lost half-way, and the page starts over.
    expect((await put(uploadUrl, video.subarray(0, 2000))).status).toBe(200)
    expect((await publish()).message).toBe('The video has not arrived. Please upload it again.')
    expect((await put(uploadUrl, video)).status).toBe(200)
    await as(ben).refused('POST', '/api/posts', 400, { body: { videoUrl } })
    const { body: post } = await as(ann).post('/api/posts', Post, { videoUrl }, 201)
    expect(post).toMatchObject({ mediaType: 'video', videoUrl })
    expect(await filesOf(ann)).toEqual([`${ann.id}/${id}.mp4`])
    expect((await put(uploadUrl, Buffer.alloc(5000, 60))).status).toBe(200)
  })

  it.each([
    ['a page', Buffer.from('<!doctype html><script>alert(1)</script>'), 'video/mp4'],
    ['Matroska', webm('matroska'), 'video/webm'],
    ['WebM announced as MP4', webm(), 'video/mp4'],
  ])('that is %s is refused, and nothing of it stays', async (_what, bytes, type) => {
    const { id, videoUrl, uploadUrl } = await sign(ben, bytes.length, type)
    expect((await put(uploadUrl, bytes, type)).status).toBe(200)
    const refused = await as(ben).refused('POST', '/api/posts', 415, { body: { videoUrl } })
    expect(refused).toMatchObject({
      message: 'Please select an MP4, WebM or QuickTime video.',
      code: 'unsupported_media_type',
    })
    expect(await sql`select from public.media where id = ${id}`).toHaveLength(0)
    expect(await filesOf(ben)).toEqual([])
  })
})
