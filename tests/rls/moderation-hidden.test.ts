import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getSqlState, insertPost, insertUser, runAs, type SessionUser, sql } from './database.ts'
import {
  appealCase,
  countVisibleRows,
  decideAppeal,
  decideCase,
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

afterAll(() => sql.end())

let boss: SessionUser
let deputy: SessionUser
let author: SessionUser
let fan: SessionUser

beforeAll(async () => {
  ;[boss, deputy, author, fan] = await Promise.all([
    insertUser({ admin: true }),
    insertUser({ admin: true }),
    insertUser({ creator: true }),
    insertUser(),
  ])
})

const hiddenness = async (table: 'posts' | 'comments', id: string) =>
  (await sql.unsafe<{ hidden: string | null }[]>(`select hidden from public.${table} where id = $1`, [id]))[0]
    ?.hidden
const numbers = async (on: string) => {
  const [row] = await sql<{ comments: number; posts: number; tags: number }[]>`
    select p.comments_count as comments, c.posts,
           (select count(*)::int from public.post_tags t where t.post_id = p.id) as tags
    from public.posts p join public.profile_counts c on c.user_id = p.author_id where p.id = ${on}`
  return row
}
const replies = async (id: string) =>
  (await sql<{ n: number }[]>`select replies_count as n from public.comments where id = ${id}`)[0]?.n

describe('a hidden post', () => {
  it('is there for its author alone, removed for nobody; counts and topics follow, and come back with it', async () => {
    for (const how of ['hide', 'remove'] as const) {
      const tag = `hidden${randomUUID().slice(0, 8)}`
      const [about, picture] = [await insertPost(author, `With #${tag}`), await insertUpload(author)]
      await sql`update public.posts set media_id = ${picture}, media_type = 'image' where id = ${about}`
      const remark = await insertComment(fan, about, `Said to @${deputy.username}`)
      const before = await numbers(about)
      const stranger = await insertUser()
      const audience = (value: number) => [null, stranger, fan, boss].map(() => value)
      const read = async (table: string, column: string, value: string) =>
        await Promise.all(
          [null, stranger, fan, boss].map((who) => countVisibleRows(who, table, column, value)),
        )
      const own = how === 'hide' ? 1 : 0
      expect(await read('public.posts', 'id', about)).toEqual(audience(1))
      const case_ = await moderateSubject(boss, 'post', about, how)
      expect(await read('public.posts', 'id', about)).toEqual(audience(0))
      expect(await read('public.comments', 'id', remark)).toEqual(audience(0))
      expect(await read('public.post_tags', 'tag', tag)).toEqual(audience(0))
      // Admins read the file of what has a case.
      expect(await read('public.media', 'id', picture)).toEqual([0, 0, 0, 1])
      expect([
        await countVisibleRows(author, 'public.posts', 'id', about),
        await countVisibleRows(author, 'public.media', 'id', picture),
      ]).toEqual([own, 1])
      expect(await numbers(about)).toEqual({
        comments: before?.comments,
        posts: (before?.posts ?? 0) - 1,
        tags: 0,
      })
      // What others were told of it is taken back.
      expect(
        (await sql`select from public.notifications where post_id = ${about} and user_id <> ${author.id}`)
          .count,
      ).toBe(0)

      for (const attempt of [
        () => insertComment(fan, about, 'More'),
        () => fileReport(fan, 'post', about),
        () => runAs(fan, (tx) => tx`select public.toggle_like(${about})`),
        () => runAs(fan, (tx) => tx`select public.toggle_save(${about})`),
        () =>
          runAs(
            fan,
            (tx) => tx`select private.begin_tip(gen_random_uuid(), ${author.id}, 5, 'test', null, ${about})`,
          ),
        () => moderateSubject(boss, 'post', about, 'warn'),
      ]) {
        expect(await getSqlState(attempt())).toBe('PT404')
      }
      expect(
        await getSqlState(
          runAs(author, (tx) => tx`select private.edit_post(${about}, '{"content": "Mended"}')`),
        ),
      ).toBe(how === 'hide' ? 'PT403' : 'PT404')
      await runAs(fan, (tx) => tx`select private.record_views(array[${about}]::uuid[])`)
      expect((await sql`select from private.view_events where post_id = ${about}`).count).toBe(0)
      const deleted = await runAs(
        author,
        (tx) => tx`delete from public.posts where id = ${about} and ${how === 'remove'}`,
      )
      expect(deleted.count).toBe(0)

      await appealCase(author, case_)
      await decideAppeal(deputy, case_, true)
      expect(await read('public.posts', 'id', about)).toEqual(audience(1))
      expect(await numbers(about)).toEqual(before)
    }
  })

  it('deleted by its author leaves the counts as they are', async () => {
    const about = await insertPost(author, 'Goes hidden')
    const posts = async () =>
      (await sql`select posts from public.profile_counts where user_id = ${author.id}`)[0]?.posts as number
    const before = await posts()
    await moderateSubject(boss, 'post', about, 'hide')
    await runAs(author, (tx) => tx`delete from public.posts where id = ${about}`)
    expect([await hiddenness('posts', about), await posts()]).toEqual([undefined, before - 1])
  })

  it('is sold to nobody: what is paid for is hidden with it, and money on its way is given back', async () => {
    const about = await insertPremiumPost(author, 5)
    const [buyer, late] = await Promise.all([insertUser(), insertUser()])
    await buyPost(buyer, about, 5)
    const begun = (await beginUnlock(late, about, 5)) ?? ''
    expect(await countVisibleRows(buyer, 'public.premium_contents', 'post_id', about)).toBe(1)
    await moderateSubject(boss, 'post', about, 'hide')
    expect(await countVisibleRows(buyer, 'public.premium_contents', 'post_id', about)).toBe(0)
    expect(await countVisibleRows(author, 'public.premium_contents', 'post_id', about)).toBe(1)
    expect(await getSqlState(beginUnlock(await insertUser(), about, 5))).toBe('PT404')
    expect([
      await settlePayment(begun),
      await getPaymentState(begun),
      await listLedgerEntries(sql, begun),
    ]).toEqual([false, 'void', []])
  })
})

describe('a hidden comment', () => {
  it('is there for its author alone and takes its replies along; counts follow, deleted or shown again', async () => {
    const about = await insertPost(author, 'With comments')
    const parent = await insertComment(fan, about, 'Parent')
    const reply = await insertComment(author, about, 'Reply', parent)
    const other = await insertComment(author, about, 'Other reply', parent)
    expect([await numbers(about), await replies(parent)]).toMatchObject([{ comments: 3 }, 2])
    const replyCase = await moderateSubject(boss, 'comment', other, 'hide')
    expect([await numbers(about), await replies(parent)]).toMatchObject([{ comments: 2 }, 1])
    const case_ = await moderateSubject(boss, 'comment', parent, 'hide')
    expect([await numbers(about), await replies(parent)]).toMatchObject([{ comments: 0 }, 0])
    const read = (who: SessionUser | null) =>
      Promise.all([parent, reply, other].map((id) => countVisibleRows(who, 'public.comments', 'id', id)))
    expect([await read(null), await read(boss), await read(fan)]).toEqual([
      [0, 0, 0],
      [0, 0, 0],
      [1, 0, 0],
    ])
    // As if it were not there: answered, reported, deleted by whose post it is on.
    expect(await getSqlState(insertComment(boss, about, 'Late reply', parent))).toBe('PT404')
    expect(await getSqlState(fileReport(boss, 'comment', parent))).toBe('PT404')
    for (const who of [author, boss]) {
      expect(await getSqlState(runAs(who, (tx) => tx`select private.delete_comment(${parent})`))).toBe(
        'PT404',
      )
    }
    // Granted for the reply first, it stays with what it replies to.
    await appealCase(author, replyCase)
    await decideAppeal(deputy, replyCase, true)
    expect([await hiddenness('comments', other), (await numbers(about))?.comments]).toEqual([
      'with_parent',
      0,
    ])
    await appealCase(fan, case_)
    await decideAppeal(deputy, case_, true)
    expect([await read(null), await numbers(about), await replies(parent)]).toMatchObject([
      [1, 1, 1],
      { comments: 3 },
      2,
    ])
    // Reported before what it replies to was hidden, and decided after: it stays hidden by itself.
    await fileReport(fan, 'comment', reply)
    const again = await moderateSubject(boss, 'comment', parent, 'remove')
    await decideCase(boss, (await getLatestCase(reply)).id, 'hide')
    await appealCase(fan, again)
    await decideAppeal(deputy, again, true)
    expect([await hiddenness('comments', reply), await numbers(about), await replies(parent)]).toMatchObject([
      'hidden',
      { comments: 2 },
      1,
    ])
    await runAs(fan, (tx) => tx`select private.delete_comment(${parent})`)
    expect(await numbers(about)).toMatchObject({ comments: 0 })
  })

  it('counts for nobody’s figures', async () => {
    const about = await insertPost(author, 'Counted')
    const [kept, hidden] = [
      await insertComment(fan, about, 'Kept'),
      await insertComment(fan, about, 'Hidden'),
    ]
    const star = await insertUser({ creator: true })
    await sql`update public.posts set author_id = ${star.id} where id = ${about}`
    await moderateSubject(boss, 'comment', hidden, 'hide')
    await sql.begin(async (tx) => {
      await tx`select private.roll_up_days(2)`
      const [day] = await tx`
        select comments from public.creator_days
        where creator_id = ${star.id} and day = (now() at time zone 'UTC')::date`
      expect(day?.comments).toBe(1)
      await tx`delete from public.comments where id = ${kept}`
      await tx`select private.refresh_trending()`
      expect((await tx`select from private.creator_scores where user_id = ${star.id}`).count).toBe(0)
    })
  })
})

describe('a hidden message', () => {
  let author: SessionUser
  let fan: SessionUser
  beforeAll(async () => {
    ;[author, fan] = await Promise.all([insertUser(), insertUser()])
  })
  const told = async (id: string) =>
    await sql<{ topic: string; deleted: boolean; content: string }[]>`
      select topic, (payload #>> '{message,deleted}')::boolean as deleted, payload #>> '{message,content}' as content
      from realtime.messages where event = 'message.changed' and payload #>> '{message,id}' = ${id}
      order by inserted_at, topic`

  it('is empty for both, as one that was taken back, and comes back whole', async () => {
    const words = await sendDirectMessage(author, fan, 'Threat')
    const follow = await sendDirectMessage(author, fan, 'And more')
    const quoting = randomUUID()
    const quoted = async () =>
      (
        await sql`
          select private.message_json(m, false) -> 'replyTo' ->> 'content' as words from public.messages m
          where m.id = ${quoting}`
      )[0]?.words as string
    await runAs(fan, (tx) => tx`select private.react_to_message(${words}, '😡')`)
    await runAs(
      author,
      (tx) => tx`select private.send_message(${quoting}, ${fan.id}, 'You heard', null, ${words})`,
    )
    await fileReport(fan, 'message', words, 'violence')
    const case_ = (await getLatestCase(words)).id
    await decideCase(boss, case_, 'hide')
    const read = (who: SessionUser) =>
      runAs(
        who,
        async (tx) =>
          (
            await tx`select content, deleted_at is not null as gone from public.messages where id = ${words}`
          )[0],
      )
    for (const who of [author, fan]) expect(await read(who)).toEqual({ content: '', gone: true })
    expect(await countVisibleRows(boss, 'public.messages', 'id', words)).toBe(0)
    const both = [author, fan].map(({ id }) => `user:${id}`).sort()
    expect((await told(words)).map(({ topic, deleted, content }) => [topic, deleted, content])).toEqual(
      both.map((topic) => [topic, true, '']),
    )
    for (const attempt of [
      () => runAs(author, (tx) => tx`select private.edit_message(${words}, 'Softer')`),
      () => runAs(fan, (tx) => tx`select private.react_to_message(${words}, '👍')`),
    ]) {
      expect(await getSqlState(attempt())).toBe('PT409')
    }
    expect(await quoted()).toBe('')
    const found = (who: SessionUser) =>
      runAs(
        who,
        async (tx) =>
          (await tx`select from private.find_messages('threat', null, null, 20) f where f.id = ${words}`)
            .count,
      )
    expect(await found(fan)).toBe(0)
    // Whoever is written to about what waits is not written to about this.
    const [waits] = await sql`
      select r.unread_since = m.created_at as next from public.conversation_members r, public.messages m
      where r.user_id = ${fan.id} and r.other_id = ${author.id} and m.id = ${follow}`
    expect(waits?.next).toBe(true)

    await appealCase(author, case_)
    await decideAppeal(deputy, case_, true)
    expect(await read(fan)).toEqual({ content: 'Threat', gone: false })
    expect([await found(fan), (await told(words)).length]).toEqual([1, 4])
    expect(await quoted()).toBe('Threat')
    expect((await told(words)).at(-1)).toMatchObject({ deleted: false, content: 'Threat' })
    const [back] = await sql`select reactions from public.messages where id = ${words}`
    expect(back?.reactions).toMatchObject([{ emoji: '😡', userId: fan.id }])
  })
})
