import { randomUUID } from 'node:crypto'
import { ChatMessage, Conversation } from '@contract/message.ts'
import { Post } from '@contract/post.ts'
import { BlockResponse } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, call } from '../support/api.ts'
import { createPng } from '../support/media-files.ts'
import { sql } from '../support/stack.ts'
import { uploadImage } from '../support/uploads.ts'
import { createUsers, type TestUser } from '../support/users.ts'

let ada: TestUser
let ben: TestUser
let cleo: TestUser
let admin: TestUser

beforeAll(async () => {
  ;({ ada, ben, cleo, admin } = await createUsers('ada', 'ben', 'cleo', 'admin'))
  await sql`update public.profiles set is_admin = true where id = ${admin.id}`
})

const upload = async (who: TestUser) =>
  (await uploadImage(who, createPng({ width: 40, height: 30 }))).imageUrl
const send = (body: object, status = 201) => apiAs(ada).post('/api/messages', ChatMessage, body, status)
const refused = (body: object) => apiAs(ada).expectError('POST', '/api/messages', 400, { body })
const status = async (who: TestUser | null, address: string) => {
  const headers: Record<string, string> = who ? { Authorization: `Bearer ${who.token}` } : {}
  const answer = await call('GET', address, { headers })
  await answer.body?.cancel()
  return answer.status
}
const everybody = (address: string) =>
  Promise.all([ada, ben, cleo, admin, null].map((who) => status(who, address)))

describe('a picture in a message', () => {
  it('is seen by its sender alone, then by the two, and by nobody when it is deleted', async () => {
    const imageUrl = await upload(ada)
    expect(await everybody(imageUrl)).toEqual([200, 404, 404, 404, 404])
    const body = { id: randomUUID(), receiverId: ben.id, imageUrl }
    const sent = (await send(body)).body
    expect(sent).toMatchObject({ content: '', imageUrl, imageWidth: 40, imageHeight: 30 })
    expect(sent.placeholder).toMatch(/^data:image\//)
    // The same id again: the stored one, picture and all.
    expect((await send(body, 200)).body).toEqual(sent)
    expect(await everybody(imageUrl)).toEqual([200, 200, 404, 404, 404])
    const [first] = (await apiAs(ben).get('/api/messages/conversations', z.array(Conversation))).body
    expect(first?.lastMessage).toMatchObject({ content: '', hasImage: true, deleted: false })
    const answer = { receiverId: ben.id, content: 'As seen here', replyToId: sent.id }
    expect((await send(answer)).body.replyTo).toMatchObject({ hasImage: true, content: '' })

    const edit = async (content: string) =>
      (await apiAs(ada).patch(`/api/messages/${sent.id}`, ChatMessage, { content })).body
    expect((await edit('Look')).imageUrl).toBe(imageUrl)
    expect((await edit('')).content).toBe('')

    await apiAs(ben).post(`/api/users/${ada.id}/block`, BlockResponse)
    expect(await everybody(imageUrl)).toEqual([200, 200, 404, 404, 404])
    await apiAs(ben).expectNoContent('DELETE', `/api/users/${ada.id}/block`)

    const mediaId = imageUrl.split('/').at(-1) ?? ''
    const [file] = await sql<{ path: string }[]>`select path from public.media where id = ${mediaId}`
    await apiAs(ada).expectNoContent('DELETE', `/api/messages/${sent.id}`)
    expect(await everybody(imageUrl)).toEqual([404, 404, 404, 404, 404])
    expect((await sql`select from public.media where id = ${mediaId}`).count).toBe(0)
    // Its file goes with the next round of the job, if that has not been yet.
    const doomed = await sql`select from private.doomed_files where path = ${file?.path ?? ''}`
    const stored = await sql`select from storage.objects where name = ${file?.path ?? ''}`
    expect(doomed.count).toBe(stored.count)
    const last = (await apiAs(ben).get(`/api/messages/${ada.id}`, z.array(ChatMessage))).body
    expect(last.at(-2)).toMatchObject({ deleted: true, imageUrl: null, imageWidth: null, placeholder: null })
    expect(last.at(-1)?.replyTo).toMatchObject({ deleted: true, hasImage: false })
    expect((await send(body, 200)).body.deleted).toBe(true)
  })

  it('is one’s own, ready, and nowhere else', async () => {
    const taken = 'This upload cannot be used. Please choose the file again.'
    const used = await upload(ada)
    await send({ receiverId: ben.id, imageUrl: used })
    const posted = await upload(ada)
    await apiAs(ada).post('/api/posts', Post, { content: 'A post', imageUrl: posted }, 201)
    const pending = await upload(ada)
    await sql`update public.media set state = 'pending' where id = ${pending.split('/').at(-1) ?? ''}`
    for (const imageUrl of [used, posted, pending, await upload(cleo), `/api/media/${randomUUID()}`]) {
      const body = await refused({ receiverId: ben.id, content: 'See', imageUrl })
      expect(body).toMatchObject({ message: taken, code: 'media_not_usable' })
    }
    for (const imageUrl of ['https://example.test/a.png', '/api/media/none', 'x']) {
      const body = await refused({ receiverId: ben.id, content: 'See', imageUrl })
      expect(body).toMatchObject({ code: 'media_not_usable', errors: { imageUrl: [body.message] } })
    }
    // Nor can a post take what a message has.
    const post = { body: { content: 'Both', imageUrl: used } }
    expect((await apiAs(ada).expectError('POST', '/api/posts', 400, post)).code).toBe('media_not_usable')
    const [{ count } = { count: 0 }] = await sql<{ count: number }[]>`
      select count(*)::int from public.messages where sender_id = ${ada.id} and content = 'See'`
    expect(count).toBe(0)
  })

  it('sent with two messages at once goes with one of them', async () => {
    const imageUrl = await upload(ada)
    const headers = { Authorization: `Bearer ${ada.token}` }
    const answers = await Promise.all(
      [ben, cleo].map(({ id }) =>
        call('POST', '/api/messages', { headers, body: { receiverId: id, content: 'Race', imageUrl } }),
      ),
    )
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 400])
  })

  it('goes with its sender’s account; its place stays', async () => {
    const { gone } = await createUsers('gone')
    const imageUrl = await upload(gone)
    await apiAs(gone).post('/api/messages', ChatMessage, { receiverId: ben.id, imageUrl }, 201)
    await sql`delete from auth.users where id = ${gone.id}`
    const [left] = (await apiAs(ben).get(`/api/messages/${gone.id}`, z.array(ChatMessage))).body
    expect(left).toMatchObject({ imageUrl: null, placeholder: null, imageWidth: 40, deleted: false })
    expect(await status(ben, imageUrl)).toBe(404)
  })
})
