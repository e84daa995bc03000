import { randomUUID } from 'node:crypto'
import { limits } from '@contract/limits.ts'
import { uploadErrors, VoiceUpload } from '@contract/media.ts'
import { ChatMessage, Conversation, ConversationDetails, ReactionsResponse } from '@contract/message.ts'
import { BlockResponse } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, authorizationHeader, call, getStatus } from '../support/api.ts'
import { sendMessage } from '../support/content-api.ts'
import { createMp4, createPng, createWebm, fileForm } from '../support/media-files.ts'
import { listCases, reportContent } from '../support/moderation-api.ts'
import { sql, stack } from '../support/stack.ts'
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

const levels = '0123456789abcdef'.repeat(3).slice(0, limits.voice.levels)

const voiceForm = (bytes: Buffer, fields: Record<string, string> = { seconds: '12', levels }) =>
  fileForm('voice', bytes, { name: 'voice.html', type: 'text/html', fields })

async function upload(user: TestUser, form = voiceForm(createWebm())): Promise<VoiceUpload> {
  const response = await call('POST', '/api/upload-voice', { headers: authorizationHeader(user), form })
  const body: unknown = await response.json()
  expect({ status: response.status, body }).toEqual({ status: 201, body })
  return VoiceUpload.parse(body)
}

const expectUploadError = (user: TestUser | null, status: number, form: FormData) =>
  apiAs(user).expectError('POST', '/api/upload-voice', status, { form })

/** Returns an MP4 file that states its duration. */
function mp4WithDuration(seconds: number): Buffer {
  const header = Buffer.alloc(116)
  header.writeUInt32BE(116, 0)
  header.write('moov', 4)
  header.writeUInt32BE(108, 8)
  header.write('mvhd', 12)
  header.writeUInt32BE(1, 28)
  header.writeUInt32BE(seconds, 32)
  return Buffer.concat([createMp4(64), header])
}

const send = (body: object, status = 201) => apiAs(ada).post('/api/messages', ChatMessage, body, status)
const statusForEveryone = (url: string) =>
  Promise.all([ada, ben, cleo, admin, null].map((user) => getStatus(user, url)))

describe('POST /api/upload-voice', () => {
  it('detects the type from the content and serves the file with that type', async () => {
    const webm = await upload(ada)
    const served = await call('GET', webm.voiceUrl, { headers: authorizationHeader(ada) })
    expect(served.headers.get('content-type')).toBe('audio/webm')
    expect(served.headers.get('x-content-type-options')).toBe('nosniff')
    expect(Buffer.from(await served.arrayBuffer())).toEqual(createWebm())
    for (const brand of ['isom', 'M4A ']) {
      const { voiceUrl } = await upload(ada, voiceForm(createMp4(4096, brand)))
      const file = await call('GET', voiceUrl, {
        headers: { ...authorizationHeader(ada), Range: 'bytes=0-3' },
      })
      expect([file.status, file.headers.get('content-type')]).toEqual([206, 'audio/mp4'])
      await file.body?.cancel()
    }
  })

  it('takes the duration from the file or else from the client, at most two minutes', async () => {
    const seconds = async (file: Buffer, stated: string) =>
      (await upload(ben, voiceForm(file, { seconds: stated }))).seconds
    expect(await seconds(mp4WithDuration(7), '99')).toBe(7)
    expect(await seconds(mp4WithDuration(4000), '3')).toBe(limits.voice.maxSeconds)
    expect(await seconds(createWebm(), '61.6')).toBe(62)
    expect(await seconds(createWebm(), '1e9')).toBe(limits.voice.maxSeconds)
    expect(await seconds(createWebm(), '-5')).toBe(1)
  })

  it('rejects other files, invalid fields and visitors, and stores nothing', async () => {
    const html = Buffer.from('<script>alert(1)</script>'.padEnd(200))
    for (const file of [
      html,
      createWebm('matroska'),
      createPng({ width: 4, height: 4 }),
      createMp4(64, 'qt  '),
    ])
      expect((await expectUploadError(cleo, 415, voiceForm(file))).message).toBe(uploadErrors.voiceType)
    const large = createMp4(limits.voice.maxBytes + 1)
    expect((await expectUploadError(cleo, 413, voiceForm(large))).message).toBe(uploadErrors.voiceSize)
    expect((await expectUploadError(cleo, 400, voiceForm(Buffer.alloc(0)))).message).toBe(
      uploadErrors.noVoice,
    )
    const invalidFields: Record<string, string>[] = [
      {},
      { seconds: 'long' },
      { seconds: 'Infinity' },
      { seconds: '5', levels: '<b>' },
    ]
    for (const fields of invalidFields) await expectUploadError(cleo, 400, voiceForm(createWebm(), fields))
    await expectUploadError(null, 401, voiceForm(createWebm()))
    expect((await sql`select from public.media where owner_id = ${cleo.id}`).count).toBe(0)
  })
})

describe('a voice message', () => {
  it('can be read only by its sender before it is sent, then by both users, and by nobody after it is deleted', async () => {
    const { voiceUrl } = await upload(ada)
    expect(await statusForEveryone(voiceUrl)).toEqual([200, 404, 404, 404, 404])
    const body = { id: randomUUID(), receiverId: ben.id, voiceUrl }
    const sent = (await send(body)).body
    expect(sent).toMatchObject({ content: '', imageUrl: null, placeholder: null })
    expect(sent.voice).toEqual({ url: voiceUrl, seconds: 12, levels })
    expect((await send(body, 200)).body).toEqual(sent)
    expect(await statusForEveryone(voiceUrl)).toEqual([200, 200, 404, 404, 404])

    const [first] = (await apiAs(ben).get('/api/messages/conversations', z.array(Conversation))).body
    expect(first?.lastMessage).toMatchObject({ hasImage: false, voiceSeconds: 12 })
    const reply = (await send({ receiverId: ben.id, content: 'Listen', replyToId: sent.id })).body
    expect(reply.replyTo).toMatchObject({ hasImage: false, voiceSeconds: 12 })
    await apiAs(ben).post(`/api/messages/${sent.id}/reactions`, ReactionsResponse, { emoji: '🔥' })
    const details = await apiAs(ben).get(`/api/messages/${ada.id}/details`, ConversationDetails)
    expect(details.body.photos).toEqual([])
    const edit = { body: { content: 'text' } }
    expect((await apiAs(ada).expectError('PATCH', `/api/messages/${sent.id}`, 403, edit)).message).toBe(
      "You can't edit a voice message.",
    )

    // Nobody can bypass the API: Storage neither serves the file nor accepts an upload.
    const mediaId = voiceUrl.split('/').at(-1) ?? ''
    const [file] = await sql<{ path: string }[]>`select path from public.media where id = ${mediaId}`
    for (const user of [ada, cleo, null])
      for (const kind of ['authenticated', 'public', 'sign'])
        expect(
          await getStatus(user, `/storage/v1/object/${kind}/media/${file?.path}`),
          `${kind}`,
        ).toBeGreaterThanOrEqual(400)
    const direct = await fetch(`${stack.apiUrl}/storage/v1/object/media/${cleo.id}/own.weba`, {
      method: 'POST',
      headers: { ...authorizationHeader(cleo), 'Content-Type': 'audio/webm' },
      body: new Uint8Array(createWebm()),
    })
    expect(direct.status).toBeGreaterThanOrEqual(400)
    await direct.body?.cancel()

    await apiAs(ben).expectError('DELETE', `/api/messages/${sent.id}`, 403)
    await apiAs(cleo).expectError('DELETE', `/api/messages/${sent.id}`, 404)
    await apiAs(ada).expectNoContent('DELETE', `/api/messages/${sent.id}`)
    expect(await statusForEveryone(voiceUrl)).toEqual([404, 404, 404, 404, 404])
    expect((await sql`select from public.media where id = ${mediaId}`).count).toBe(0)
    const messages = (await apiAs(ben).get(`/api/messages/${ada.id}`, z.array(ChatMessage))).body
    expect(messages.at(-2)).toMatchObject({ deleted: true, voice: null })
    expect(messages.at(-1)?.replyTo).toMatchObject({ deleted: true, voiceSeconds: null })
  })

  it('must be an unused recording by the sender, without text or an image, and is refused after a block', async () => {
    const { imageUrl } = await uploadImage(ada)
    const used = (await upload(ada)).voiceUrl
    await send({ receiverId: ben.id, voiceUrl: used })
    const own = (await upload(ada)).voiceUrl
    const foreign = (await upload(cleo)).voiceUrl
    const expectSendError = async (user: TestUser | null, status: number, body: object) =>
      await apiAs(user).expectError('POST', '/api/messages', status, {
        body: { receiverId: ben.id, ...body },
      })
    for (const voiceUrl of [used, foreign, `/api/media/${randomUUID()}`, 'https://example.test/a.webm'])
      expect((await expectSendError(ada, 400, { voiceUrl })).code).toBe('media_not_usable')
    await expectSendError(ada, 400, { voiceUrl: own, content: 'text' })
    await expectSendError(ada, 400, { voiceUrl: own, imageUrl })
    await expectSendError(ada, 400, { imageUrl: own, content: 'text' })
    await expectSendError(null, 401, { voiceUrl: own })
    const post = { body: { content: 'A post', imageUrl: own } }
    expect((await apiAs(ada).expectError('POST', '/api/posts', 400, post)).code).toBe('media_not_usable')

    await apiAs(ben).post(`/api/users/${ada.id}/block`, BlockResponse)
    await expectSendError(ada, 404, { voiceUrl: own })
    expect(await statusForEveryone(own)).toEqual([200, 404, 404, 404, 404])
    await apiAs(ben).expectNoContent('DELETE', `/api/users/${ada.id}/block`)
    await send({ receiverId: ben.id, voiceUrl: own })
  })

  it('can be heard by moderators after a report, and again by both users after it is restored', async () => {
    const { voiceUrl } = await upload(ada)
    const { body: sent } = await send({ receiverId: ben.id, voiceUrl })
    await reportContent(ben, 'message', sent.id)
    expect(await statusForEveryone(voiceUrl)).toEqual([200, 200, 404, 200, 404])
    const [reportedCase] = await listCases(admin, ada)
    const seen = reportedCase?.snapshots.at(-1)?.seen
    expect(seen).toMatchObject({ mediaType: 'audio', mediaId: voiceUrl.split('/').at(-1) })
    await sql`select private.hide_subject('message', ${sent.id}, 'hidden', '{}')`
    expect(await statusForEveryone(voiceUrl)).toEqual([200, 404, 404, 200, 404])
    await sql`select private.restore_subject('message', ${sent.id})`
    const messages = (await apiAs(ben).get(`/api/messages/${ada.id}`, z.array(ChatMessage))).body
    expect(messages.at(-1)?.voice).toEqual({ url: voiceUrl, seconds: 12, levels })
  })

  it("is exported, and its recording is deleted with the sender's account", async () => {
    const { deletedUser } = await createUsers('deletedUser')
    const { voiceUrl } = await upload(deletedUser)
    await sendMessage(deletedUser, ben, { voiceUrl })
    const exported = await call('GET', '/api/account/export', { headers: authorizationHeader(deletedUser) })
    expect(await exported.text()).toContain(`"voiceMessage" : "${stack.apiUrl}${voiceUrl}"`)
    await sql`delete from auth.users where id = ${deletedUser.id}`
    const [remaining] = (await apiAs(ben).get(`/api/messages/${deletedUser.id}`, z.array(ChatMessage))).body
    expect(remaining).toMatchObject({ deleted: false, voice: { url: null, seconds: 12, levels: null } })
    expect(await getStatus(ben, voiceUrl)).toBe(404)
  })
})
