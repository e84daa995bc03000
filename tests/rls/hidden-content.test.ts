import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { getSqlState, insertPost, insertUser, runAs, type SessionUser, sql } from './database.ts'
import {
  appealCase,
  countVisibleRows,
  decideAppeal,
  decideCase,
  deleteComment,
  fileReport,
  getLatestCase,
  insertComment,
  insertUpload,
  moderateSubject,
  sendDirectMessage,
} from './moderation-helpers.ts'
import {
  beginUnlock,
  buyPost,
  getPaymentState,
  insertPremiumPost,
  listLedgerEntries,
  settlePayment,
} from './payment-helpers.ts'

let admin: SessionUser
let otherAdmin: SessionUser
let author: SessionUser
let fan: SessionUser

beforeAll(async () => {
  ;[admin, otherAdmin, author, fan] = await Promise.all([
    insertUser({ admin: true }),
    insertUser({ admin: true }),
    insertUser({ creator: true }),
    insertUser(),
  ])
})

const readHiddenState = async (table: 'posts' | 'comments', id: string) =>
  (await sql.unsafe<{ hidden: string | null }[]>(`select hidden from public.${table} where id = $1`, [id]))[0]
    ?.hidden
const readCounts = async (postId: string) => {
  const [row] = await sql<{ comments: number; posts: number; tags: number }[]>`
    select p.comments_count as comments, c.posts,
           (select count(*)::int from public.post_tags t where t.post_id = p.id) as tags
    from public.posts p join public.profile_counts c on c.user_id = p.author_id where p.id = ${postId}`
  return row
}
const readReplyCount = async (id: string) =>
  (await sql<{ count: number }[]>`select replies_count as count from public.comments where id = ${id}`)[0]
    ?.count

describe('a hidden post', () => {
  it('is visible to the author only, or to no one when removed, and is excluded from counts and tags until restored', async () => {
    for (const decision of ['hide', 'remove'] as const) {
      const tag = `hidden${randomUUID().slice(0, 8)}`
      const [postId, mediaId] = [await insertPost(author, `With #${tag}`), await insertUpload(author)]
      await sql`update public.posts set media_id = ${mediaId}, media_type = 'image' where id = ${postId}`
      const commentId = await insertComment(fan, postId, `Said to @${otherAdmin.username}`)
      const before = await readCounts(postId)
      const stranger = await insertUser()
      const readers = [null, stranger, fan, admin]
      const everyone = (count: number) => readers.map(() => count)
      const read = (table: string, column: string, value: string) =>
        Promise.all(readers.map((reader) => countVisibleRows(reader, table, column, value)))
      const visibleToAuthor = decision === 'hide' ? 1 : 0
      expect(await read('public.posts', 'id', postId)).toEqual(everyone(1))
      const caseId = await moderateSubject(admin, 'post', postId, decision)
      expect(await read('public.posts', 'id', postId)).toEqual(everyone(0))
      expect(await read('public.comments', 'id', commentId)).toEqual(everyone(0))
      expect(await read('public.post_tags', 'tag', tag)).toEqual(everyone(0))
      // Admins can read the media of content with a moderation case.
      expect(await read('public.media', 'id', mediaId)).toEqual([0, 0, 0, 1])
      expect([
        await countVisibleRows(author, 'public.posts', 'id', postId),
        await countVisibleRows(author, 'public.media', 'id', mediaId),
      ]).toEqual([visibleToAuthor, 1])
      expect(await readCounts(postId)).toEqual({
        comments: before?.comments,
        posts: (before?.posts ?? 0) - 1,
        tags: 0,
      })
      // Other users' notifications about the post are deleted.
      expect(
        (await sql`select from public.notifications where post_id = ${postId} and user_id <> ${author.id}`)
          .count,
      ).toBe(0)

      for (const attempt of [
        () => insertComment(fan, postId, 'More'),
        () => fileReport(fan, 'post', postId),
        () => runAs(fan, (tx) => tx`select public.toggle_like(${postId})`),
        () => runAs(fan, (tx) => tx`select public.toggle_save(${postId})`),
        () => runAs(fan, (tx) => tx`select private.set_reposted(${postId}, true)`),
        () => runAs(author, (tx) => tx`select private.set_reposted(${postId}, true)`),
        () =>
          runAs(
            fan,
            (tx) => tx`select private.begin_tip(gen_random_uuid(), ${author.id}, 5, 'test', null, ${postId})`,
          ),
        () => moderateSubject(admin, 'post', postId, 'warn'),
      ]) {
        expect(await getSqlState(attempt())).toBe('PT404')
      }
      expect(
        await getSqlState(
          runAs(author, (tx) => tx`select private.edit_post(${postId}, '{"content": "Edited"}')`),
        ),
      ).toBe(decision === 'hide' ? 'PT403' : 'PT404')
      await runAs(fan, (tx) => tx`select private.record_views(array[${postId}]::uuid[])`)
      expect((await sql`select from private.post_views where post_id = ${postId}`).count).toBe(0)
      // The author cannot delete a removed post. If the decision is `hide`, the statement matches no row.
      const deleted = await runAs(
        author,
        (tx) => tx`delete from public.posts where id = ${postId} and ${decision === 'remove'}`,
      )
      expect(deleted.count).toBe(0)

      await appealCase(author, caseId)
      await decideAppeal(otherAdmin, caseId, true)
      expect(await read('public.posts', 'id', postId)).toEqual(everyone(1))
      expect(await readCounts(postId)).toEqual(before)
    }
  })

  it('is not subtracted from the counts a second time when the author deletes it', async () => {
    const postId = await insertPost(author, 'To be hidden')
    const readPostCount = async () =>
      (await sql`select posts from public.profile_counts where user_id = ${author.id}`)[0]?.posts as number
    const before = await readPostCount()
    await moderateSubject(admin, 'post', postId, 'hide')
    await runAs(author, (tx) => tx`delete from public.posts where id = ${postId}`)
    expect([await readHiddenState('posts', postId), await readPostCount()]).toEqual([undefined, before - 1])
  })

  it('cannot be bought, hides premium content from buyers, and voids pending payments', async () => {
    const postId = await insertPremiumPost(author, 5)
    const [buyer, lateBuyer] = await Promise.all([insertUser(), insertUser()])
    await buyPost(buyer, postId, 5)
    const pendingId = (await beginUnlock(lateBuyer, postId, 5)) ?? ''
    expect(await countVisibleRows(buyer, 'public.premium_contents', 'post_id', postId)).toBe(1)
    await moderateSubject(admin, 'post', postId, 'hide')
    expect(await countVisibleRows(buyer, 'public.premium_contents', 'post_id', postId)).toBe(0)
    expect(await countVisibleRows(author, 'public.premium_contents', 'post_id', postId)).toBe(1)
    expect(await getSqlState(beginUnlock(await insertUser(), postId, 5))).toBe('PT404')
    expect([
      await settlePayment(pendingId),
      await getPaymentState(pendingId),
      await listLedgerEntries(sql, pendingId),
    ]).toEqual([false, 'void', []])
  })
})

describe('a hidden comment', () => {
  it('is visible to the author only, hides its replies, and updates the counts when restored or deleted', async () => {
    const postId = await insertPost(author, 'With comments')
    const parentId = await insertComment(fan, postId, 'Parent')
    const replyId = await insertComment(author, postId, 'Reply', parentId)
    const otherReplyId = await insertComment(author, postId, 'Other reply', parentId)
    expect([await readCounts(postId), await readReplyCount(parentId)]).toMatchObject([{ comments: 3 }, 2])
    const replyCaseId = await moderateSubject(admin, 'comment', otherReplyId, 'hide')
    expect([await readCounts(postId), await readReplyCount(parentId)]).toMatchObject([{ comments: 2 }, 1])
    const caseId = await moderateSubject(admin, 'comment', parentId, 'hide')
    expect([await readCounts(postId), await readReplyCount(parentId)]).toMatchObject([{ comments: 0 }, 0])
    const read = (reader: SessionUser | null) =>
      Promise.all(
        [parentId, replyId, otherReplyId].map((id) => countVisibleRows(reader, 'public.comments', 'id', id)),
      )
    expect([await read(null), await read(admin), await read(fan)]).toEqual([
      [0, 0, 0],
      [0, 0, 0],
      [1, 0, 0],
    ])
    // Other users cannot reply to or report the comment, and the author of the post cannot delete it.
    expect(await getSqlState(insertComment(admin, postId, 'Late reply', parentId))).toBe('PT404')
    expect(await getSqlState(fileReport(admin, 'comment', parentId))).toBe('PT404')
    for (const user of [author, admin]) {
      expect(await getSqlState(deleteComment(user, parentId))).toBe('PT404')
    }
    // If the appeal about the reply is granted first, the reply stays hidden with its parent.
    await appealCase(author, replyCaseId)
    await decideAppeal(otherAdmin, replyCaseId, true)
    expect([await readHiddenState('comments', otherReplyId), (await readCounts(postId))?.comments]).toEqual([
      'with_parent',
      0,
    ])
    await appealCase(fan, caseId)
    await decideAppeal(otherAdmin, caseId, true)
    expect([await read(null), await readCounts(postId), await readReplyCount(parentId)]).toMatchObject([
      [1, 1, 1],
      { comments: 3 },
      2,
    ])
    // A reply that was hidden by a separate decision stays hidden when its parent is restored.
    await fileReport(fan, 'comment', replyId)
    const secondCaseId = await moderateSubject(admin, 'comment', parentId, 'remove')
    await decideCase(admin, (await getLatestCase(replyId)).id, 'hide')
    await appealCase(fan, secondCaseId)
    await decideAppeal(otherAdmin, secondCaseId, true)
    expect([
      await readHiddenState('comments', replyId),
      await readCounts(postId),
      await readReplyCount(parentId),
    ]).toMatchObject(['hidden', { comments: 2 }, 1])
    await deleteComment(fan, parentId)
    expect(await readCounts(postId)).toMatchObject({ comments: 0 })
  })

  it('is excluded from analytics and trending scores', async () => {
    const postId = await insertPost(author, 'Counted')
    const [visibleId, hiddenId] = [
      await insertComment(fan, postId, 'Kept'),
      await insertComment(fan, postId, 'Hidden'),
    ]
    const creator = await insertUser({ creator: true })
    await sql`update public.posts set author_id = ${creator.id} where id = ${postId}`
    await moderateSubject(admin, 'comment', hiddenId, 'hide')
    await sql.begin(async (tx) => {
      await tx`select private.roll_up_days(2)`
      const [day] = await tx`
        select comments from public.creator_days
        where creator_id = ${creator.id} and day = (now() at time zone 'UTC')::date`
      expect(day?.comments).toBe(1)
      await tx`delete from public.comments where id = ${visibleId}`
      await tx`select private.refresh_trending()`
      expect((await tx`select from private.creator_scores where user_id = ${creator.id}`).count).toBe(0)
    })
  })
})

describe('a hidden message', () => {
  let author: SessionUser
  let fan: SessionUser
  beforeAll(async () => {
    ;[author, fan] = await Promise.all([insertUser(), insertUser()])
  })
  const listBroadcasts = async (id: string) =>
    await sql<{ topic: string; deleted: boolean; content: string }[]>`
      select topic, (payload #>> '{message,deleted}')::boolean as deleted, payload #>> '{message,content}' as content
      from realtime.messages where event = 'message.changed' and payload #>> '{message,id}' = ${id}
      order by inserted_at`

  it('is empty for both members, like a deleted message, and can be restored completely', async () => {
    const messageId = await sendDirectMessage(author, fan, 'Threat')
    const nextMessageId = await sendDirectMessage(author, fan, 'And more')
    const replyMessageId = randomUUID()
    const readQuote = async () =>
      (
        await sql`
          select private.message_json(m, null) -> 'replyTo' ->> 'content' as content from public.messages m
          where m.id = ${replyMessageId}`
      )[0]?.content as string
    await runAs(fan, (tx) => tx`select private.toggle_reaction(${messageId}, '😡')`)
    await runAs(
      author,
      (tx) => tx`select private.send_message(${replyMessageId}, ${fan.id}, 'You heard', null, ${messageId})`,
    )
    await fileReport(fan, 'message', messageId, 'violence')
    const caseId = (await getLatestCase(messageId)).id
    await decideCase(admin, caseId, 'hide')
    const read = (reader: SessionUser) =>
      runAs(
        reader,
        async (tx) =>
          (
            await tx`select content, deleted_at is not null as deleted from public.messages where id = ${messageId}`
          )[0],
      )
    for (const reader of [author, fan]) expect(await read(reader)).toEqual({ content: '', deleted: true })
    expect(await countVisibleRows(admin, 'public.messages', 'id', messageId)).toBe(0)
    const topics = [author, fan].map(({ id }) => `user:${id}`).sort()
    expect(
      (await listBroadcasts(messageId))
        .map(({ topic, deleted, content }) => [topic, deleted, content])
        .sort(),
    ).toEqual(topics.map((topic) => [topic, true, '']))
    for (const attempt of [
      () => runAs(author, (tx) => tx`select private.edit_message(${messageId}, 'Softer')`),
      () => runAs(fan, (tx) => tx`select private.toggle_reaction(${messageId}, '👍')`),
    ]) {
      expect(await getSqlState(attempt())).toBe('PT409')
    }
    expect(await readQuote()).toBe('')
    const countFound = (reader: SessionUser) =>
      runAs(
        reader,
        async (tx) =>
          (
            await tx`select from private.search_messages('threat', null, null, 20) f where f.id = ${messageId}`
          ).count,
      )
    expect(await countFound(fan)).toBe(0)
    // The email about unread messages excludes the hidden message: the oldest unread message is now the next message.
    const [member] = await sql`
      select r.unread_since = m.created_at as "isNext" from public.conversation_members r, public.messages m
      where r.user_id = ${fan.id} and r.partner_id = ${author.id} and m.id = ${nextMessageId}`
    expect(member?.isNext).toBe(true)

    await appealCase(author, caseId)
    await decideAppeal(otherAdmin, caseId, true)
    expect(await read(fan)).toEqual({ content: 'Threat', deleted: false })
    expect([await countFound(fan), (await listBroadcasts(messageId)).length]).toEqual([1, 4])
    expect(await readQuote()).toBe('Threat')
    expect((await listBroadcasts(messageId)).at(-1)).toMatchObject({ deleted: false, content: 'Threat' })
    const [restored] = await sql`select reactions from public.messages where id = ${messageId}`
    expect(restored?.reactions).toMatchObject([{ emoji: '😡', userId: fan.id }])
  })
})
