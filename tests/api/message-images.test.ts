import { randomUUID } from 'node:crypto'
import { ChatMessage, Conversation } from '@contract/message.ts'
import { BlockResponse } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, authorizationHeader, call, getStatus } from '../support/api.ts'
import { createPost, sendMessage } from '../support/content-api.ts'
import { sql } from '../support/stack.ts'
import { uploadImage } from '../support/uploads.ts'
import { createUsers, makeAdmin, type TestUser } from '../support/users.ts'

let ada: TestUser
let ben: TestUser
let cleo: TestUser
let admin: TestUser

beforeAll(async () => {
  ;({ ada, ben, cleo, admin } = await createUsers('ada', 'ben', 'cleo', 'admin'))
  await makeAdmin(admin)
})

const upload = async (user: TestUser) => (await uploadImage(user)).imageUrl
const send = (body: object, status = 201) => apiAs(ada).post('/api/messages', ChatMessage, body, status)
const expectMessageError = (body: object) => apiAs(ada).expectError('POST', '/api/messages', 400, { body })
const statusForEveryone = (url: string) =>
  Promise.all([ada, ben, cleo, admin, null].map((user) => getStatus(user, url)))

describe('an image in a message', () => {
  it('is visible only to the sender before the message is sent, then to both users, and to nobody after the message is deleted', async () => {
    const imageUrl = await upload(ada)
    expect(await statusForEveryone(imageUrl)).toEqual([200, 404, 404, 404, 404])
    const body = { id: randomUUID(), receiverId: ben.id, imageUrl }
    const sent = (await send(body)).body
    expect(sent).toMatchObject({ content: '', imageUrl, imageWidth: 40, imageHeight: 30 })
    expect(sent.placeholder).toMatch(/^data:image\//)
    // A repeated request returns the stored message with its image.
    expect((await send(body, 200)).body).toEqual(sent)
    expect(await statusForEveryone(imageUrl)).toEqual([200, 200, 404, 404, 404])
    const [first] = (await apiAs(ben).get('/api/messages/conversations', z.array(Conversation))).body
    expect(first?.lastMessage).toMatchObject({ content: '', hasImage: true, deleted: false })
    const reply = { receiverId: ben.id, content: 'As seen here', replyToId: sent.id }
    expect((await send(reply)).body.replyTo).toMatchObject({ hasImage: true, content: '' })

    const edit = async (content: string) =>
      (await apiAs(ada).patch(`/api/messages/${sent.id}`, ChatMessage, { content })).body
    expect((await edit('Look')).imageUrl).toBe(imageUrl)
    expect((await edit('')).content).toBe('')

    await apiAs(ben).post(`/api/users/${ada.id}/block`, BlockResponse)
    expect(await statusForEveryone(imageUrl)).toEqual([200, 200, 404, 404, 404])
    await apiAs(ben).expectNoContent('DELETE', `/api/users/${ada.id}/block`)

    const mediaId = imageUrl.split('/').at(-1) ?? ''
    const [file] = await sql<{ path: string }[]>`select path from public.media where id = ${mediaId}`
    await apiAs(ada).expectNoContent('DELETE', `/api/messages/${sent.id}`)
    expect(await statusForEveryone(imageUrl)).toEqual([404, 404, 404, 404, 404])
    expect((await sql`select from public.media where id = ${mediaId}`).count).toBe(0)
    // The file is queued for deletion, unless the media job has already deleted it.
    const queued = await sql`select from private.file_deletion_queue where path = ${file?.path ?? ''}`
    const stored = await sql`select from storage.objects where name = ${file?.path ?? ''}`
    expect(queued.count).toBe(stored.count)
    const messages = (await apiAs(ben).get(`/api/messages/${ada.id}`, z.array(ChatMessage))).body
    expect(messages.at(-2)).toMatchObject({
      deleted: true,
      imageUrl: null,
      imageWidth: null,
      placeholder: null,
    })
    expect(messages.at(-1)?.replyTo).toMatchObject({ deleted: true, hasImage: false })
    expect((await send(body, 200)).body.deleted).toBe(true)
  })

  it('must be an unused, ready upload by the sender', async () => {
    const notUsableMessage = 'This upload cannot be used. Please choose the file again.'
    const usedUrl = await upload(ada)
    await send({ receiverId: ben.id, imageUrl: usedUrl })
    const postedUrl = await upload(ada)
    await createPost(ada, { content: 'A post', imageUrl: postedUrl })
    const pendingUrl = await upload(ada)
    await sql`update public.media set state = 'pending' where id = ${pendingUrl.split('/').at(-1) ?? ''}`
    for (const imageUrl of [
      usedUrl,
      postedUrl,
      pendingUrl,
      await upload(cleo),
      `/api/media/${randomUUID()}`,
    ]) {
      const body = await expectMessageError({ receiverId: ben.id, content: 'See', imageUrl })
      expect(body).toMatchObject({ message: notUsableMessage, code: 'media_not_usable' })
    }
    for (const imageUrl of ['https://example.test/a.png', '/api/media/none', 'x']) {
      const body = await expectMessageError({ receiverId: ben.id, content: 'See', imageUrl })
      expect(body).toMatchObject({ code: 'media_not_usable', errors: { imageUrl: [body.message] } })
    }
    // A post cannot use the image of a message either.
    const post = { body: { content: 'Both', imageUrl: usedUrl } }
    expect((await apiAs(ada).expectError('POST', '/api/posts', 400, post)).code).toBe('media_not_usable')
    const [{ count } = { count: 0 }] = await sql<{ count: number }[]>`
      select count(*)::int from public.messages where sender_id = ${ada.id} and content = 'See'`
    expect(count).toBe(0)
  })

  it('can be used by only one of two messages sent in parallel', async () => {
    const imageUrl = await upload(ada)
    const headers = authorizationHeader(ada)
    const responses = await Promise.all(
      [ben, cleo].map(({ id }) =>
        call('POST', '/api/messages', { headers, body: { receiverId: id, content: 'Race', imageUrl } }),
      ),
    )
    expect(responses.map((response) => response.status).sort()).toEqual([201, 400])
  })

  it("is deleted with the sender's account, but the dimensions remain", async () => {
    const { deletedUser } = await createUsers('deletedUser')
    const imageUrl = await upload(deletedUser)
    await sendMessage(deletedUser, ben, { imageUrl })
    await sql`delete from auth.users where id = ${deletedUser.id}`
    const [remaining] = (await apiAs(ben).get(`/api/messages/${deletedUser.id}`, z.array(ChatMessage))).body
    expect(remaining).toMatchObject({ imageUrl: null, placeholder: null, imageWidth: 40, deleted: false })
    expect(await getStatus(ben, imageUrl)).toBe(404)
  })
})
