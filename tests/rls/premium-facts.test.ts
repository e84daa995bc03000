import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { insertUser, runAs, type SessionUser, sql } from './database.ts'
import { buyPost, refundPayment } from './payment-helpers.ts'

let author: SessionUser
let buyer: SessionUser
let stranger: SessionUser

beforeAll(async () => {
  ;[author, buyer, stranger] = await Promise.all([insertUser({ creator: true }), insertUser(), insertUser()])
})
/** Publishes a premium post, with a video if `seconds` is given, and returns the ID of the post. */
async function publish(text: string, seconds: number | null = null): Promise<string> {
  const id = randomUUID()
  const videoId = seconds === null ? null : randomUUID()
  if (videoId) {
    await sql`
      insert into public.media (id, owner_id, kind, state, path, content_type, bytes, duration_seconds)
      values (${videoId}, ${author.id}, 'video', 'ready', ${videoId}, 'video/mp4', 10, ${seconds})`
  }
  await runAs(
    author,
    (tx) => tx`select private.publish_post(${id}, ${text}, 5, 'Teaser', null, ${videoId}, null, null)`,
  )
  return id
}

/** Reads the public facts about a post as a user, or as a visitor if `reader` is null. */
async function readFacts(reader: SessionUser | null, id: string) {
  const [row] = await runAs(
    reader,
    (tx) => tx<{ length: number | null; seconds: number | null; unlocks: number | null }[]>`
      select paid_text_length as length, media_duration as seconds, unlocks_count as unlocks
      from public.posts where id = ${id}`,
  )
  return row
}

const edit = (user: SessionUser, id: string, changes: Record<string, unknown>) =>
  runAs(user, (tx) => tx`select private.edit_post(${id}, ${JSON.stringify(changes)}::text::jsonb)`)

describe('the public facts about a premium post', () => {
  it.each([
    ['Short', 10],
    ['x'.repeat(96), 100],
    ['x'.repeat(1249), 1200],
    ['😀'.repeat(4980), 5000],
  ])('include the rounded length of the paid text', async (text, length) => {
    const id = await publish(text)
    expect(await readFacts(null, id)).toEqual({ length, seconds: null, unlocks: null })
  })

  it('include the duration of the video, and no text length if there is no text', async () => {
    const id = await publish('', 130)
    for (const reader of [null, stranger])
      expect(await readFacts(reader, id)).toEqual({ length: null, seconds: 130, unlocks: null })
    const contents = await runAs(
      stranger,
      (tx) => tx`select from public.premium_contents where post_id = ${id}`,
    )
    expect(contents.count).toBe(0)
    const media = await runAs(stranger, (tx) => tx`select from public.media where owner_id = ${author.id}`)
    expect(media.count).toBe(0)
  })

  it('are updated when the text is edited', async () => {
    const id = await publish('x'.repeat(300))
    await edit(author, id, { content: 'x'.repeat(420) })
    expect((await readFacts(null, id))?.length).toBe(420)
  })
})

describe('the number of unlocks', () => {
  it('is public only while the author shows it', async () => {
    const id = await publish('Paid')
    const paymentId = await buyPost(buyer, id, 5)
    for (const reader of [null, stranger, buyer, author])
      expect((await readFacts(reader, id))?.unlocks).toBeNull()
    await edit(author, id, { showUnlocks: true })
    for (const reader of [null, stranger, buyer, author])
      expect((await readFacts(reader, id))?.unlocks).toBe(1)
    await buyPost(stranger, id, 5)
    expect((await readFacts(null, id))?.unlocks).toBe(2)
    await refundPayment(paymentId)
    expect((await readFacts(null, id))?.unlocks).toBe(1)
    await edit(author, id, { showUnlocks: false })
    expect((await readFacts(null, id))?.unlocks).toBeNull()
  })

  it('excludes unlocks by deleted accounts', async () => {
    const id = await publish('Paid')
    await edit(author, id, { showUnlocks: true })
    const deletedUser = await insertUser()
    await buyPost(deletedUser, id, 5)
    expect((await readFacts(null, id))?.unlocks).toBe(1)
    await sql`delete from auth.users where id = ${deletedUser.id}`
    expect((await readFacts(null, id))?.unlocks).toBe(0)
  })

  it('can be shown only by the author and only for premium posts, and cannot be written directly', async () => {
    const id = await publish('Paid')
    await expect(edit(stranger, id, { showUnlocks: true })).rejects.toMatchObject({ code: 'PT403' })
    await runAs(stranger, (tx) => tx`select private.show_unlocks(${id})`)
    await expect(
      runAs(
        author,
        (tx) => tx`update public.posts set unlocks_count = 900, paid_text_length = 5000 where id = ${id}`,
      ),
    ).rejects.toMatchObject({ code: '42501' })
    expect((await readFacts(author, id))?.unlocks).toBeNull()
    const freePostId = randomUUID()
    await runAs(
      author,
      (tx) => tx`select private.publish_post(${freePostId}, 'Free', null, null, null, null, null, null)`,
    )
    await runAs(author, (tx) => tx`select private.show_unlocks(${freePostId})`)
    await expect(edit(author, freePostId, { showUnlocks: true })).rejects.toMatchObject({ code: 'PT400' })
    expect(await readFacts(null, freePostId)).toEqual({ length: null, seconds: null, unlocks: null })
  })
})
