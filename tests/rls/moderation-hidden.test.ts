import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answer, appeal, caseOf, comment, decide, moderate, report, say, seen, upload } from './moderating.ts'
import { begin, booked, buy, sell, settle, stateOf } from './money.ts'
import { as, owner, type Person, person, post, refusal } from './support.ts'

afterAll(() => owner.end())

let boss: Person
let deputy: Person
let author: Person
let fan: Person

beforeAll(async () => {
  ;[boss, deputy, author, fan] = await Promise.all([
    person({ admin: true }),
    person({ admin: true }),
    person({ creator: true }),
    person(),
  ])
})

const hiddenness = async (table: 'posts' | 'comments', id: string) =>
  (
    await owner.unsafe<{ hidden: string | null }[]>(`select hidden from public.${table} where id = $1`, [id])
  )[0]?.hidden
const numbers = async (on: string) => {
  const [row] = await owner<{ comments: number; posts: number; tags: number }[]>`
    select p.comments_count as comments, c.posts,
           (select count(*)::int from public.post_tags t where t.post_id = p.id) as tags
    from public.posts p join public.profile_counts c on c.user_id = p.author_id where p.id = ${on}`
  return row
}
const replies = async (id: string) =>
  (await owner<{ n: number }[]>`select replies_count as n from public.comments where id = ${id}`)[0]?.n

describe('a hidden post', () => {
  it('is there for its author alone, removed for nobody; counts and topics follow, and come back with it', async () => {
    for (const how of ['hide', 'remove'] as const) {
      const tag = `hidden${randomUUID().slice(0, 8)}`
      const [about, picture] = [await post(author, `With #${tag}`), await upload(author)]
      await owner`update public.posts set media_id = ${picture}, media_type = 'image' where id = ${about}`
      const remark = await comment(fan, about, `Said to @${deputy.username}`)
      const before = await numbers(about)
      const stranger = await person()
      const audience = (value: number) => [null, stranger, fan, boss].map(() => value)
      const read = async (table: string, column: string, value: string) =>
        await Promise.all([null, stranger, fan, boss].map((who) => seen(who, table, column, value)))
      const own = how === 'hide' ? 1 : 0
      expect(await read('public.posts', 'id', about)).toEqual(audience(1))
      const case_ = await moderate(boss, 'post', about, how)
      expect(await read('public.posts', 'id', about)).toEqual(audience(0))
      expect(await read('public.comments', 'id', remark)).toEqual(audience(0))
      expect(await read('public.post_tags', 'tag', tag)).toEqual(audience(0))
      // Admins read the file of what has a case.
      expect(await read('public.media', 'id', picture)).toEqual([0, 0, 0, 1])
      expect([
        await seen(author, 'public.posts', 'id', about),
        await seen(author, 'public.media', 'id', picture),
      ]).toEqual([own, 1])
      expect(await numbers(about)).toEqual({
        comments: before?.comments,
        posts: (before?.posts ?? 0) - 1,
        tags: 0,
      })
      // What others were told of it is taken back.
      expect(
        (await owner`select from public.notifications where post_id = ${about} and user_id <> ${author.id}`)
          .count,
      ).toBe(0)

      for (const attempt of [
        () => comment(fan, about, 'More'),
        () => report(fan, 'post', about),
        () => as(fan, (tx) => tx`select public.toggle_like(${about})`),
        () => as(fan, (tx) => tx`select public.toggle_save(${about})`),
        () =>
          as(
            fan,
            (tx) => tx`select private.begin_tip(gen_random_uuid(), ${author.id}, 5, 'test', null, ${about})`,
          ),
        () => moderate(boss, 'post', about, 'warn'),
      ]) {
        expect(await refusal(attempt())).toBe('PT404')
      }
      expect(
        await refusal(as(author, (tx) => tx`select private.edit_post(${about}, '{"content": "Mended"}')`)),
      ).toBe(how === 'hide' ? 'PT403' : 'PT404')
      await as(fan, (tx) => tx`select private.record_views(array[${about}]::uuid[])`)
      expect((await owner`select from private.view_events where post_id = ${about}`).count).toBe(0)
      const deleted = await as(
        author,
        (tx) => tx`delete from public.posts where id = ${about} and ${how === 'remove'}`,
      )
      expect(deleted.count).toBe(0)

      await appeal(author, case_)
      await answer(deputy, case_, true)
      expect(await read('public.posts', 'id', about)).toEqual(audience(1))
      expect(await numbers(about)).toEqual(before)
    }
  })

  it('deleted by its author leaves the counts as they are', async () => {
    const about = await post(author, 'Goes hidden')
    const posts = async () =>
      (await owner`select posts from public.profile_counts where user_id = ${author.id}`)[0]?.posts as number
    const before = await posts()
    await moderate(boss, 'post', about, 'hide')
    await as(author, (tx) => tx`delete from public.posts where id = ${about}`)
    expect([await hiddenness('posts', about), await posts()]).toEqual([undefined, before - 1])
  })

  it('is sold to nobody: what is paid for is hidden with it, and money on its way is given back', async () => {
    const about = await sell(author, 5)
    const [buyer, late] = await Promise.all([person(), person()])
    await buy(buyer, about, 5)
    const begun = (await begin(late, about, 5)) ?? ''
    expect(await seen(buyer, 'public.premium_contents', 'post_id', about)).toBe(1)
    await moderate(boss, 'post', about, 'hide')
    expect(await seen(buyer, 'public.premium_contents', 'post_id', about)).toBe(0)
    expect(await seen(author, 'public.premium_contents', 'post_id', about)).toBe(1)
    expect(await refusal(begin(await person(), about, 5))).toBe('PT404')
    expect([await settle(begun), await stateOf(begun), await booked(owner, begun)]).toEqual([
      false,
      'void',
      [],
    ])
  })
})

describe('a hidden comment', () => {
  it('is there for its author alone and takes its replies along; counts follow, deleted or shown again', async () => {
    const about = await post(author, 'With comments')
    const parent = await comment(fan, about, 'Parent')
    const reply = await comment(author, about, 'Reply', parent)
    const other = await comment(author, about, 'Other reply', parent)
    expect([await numbers(about), await replies(parent)]).toMatchObject([{ comments: 3 }, 2])
    const replyCase = await moderate(boss, 'comment', other, 'hide')
    expect([await numbers(about), await replies(parent)]).toMatchObject([{ comments: 2 }, 1])
    const case_ = await moderate(boss, 'comment', parent, 'hide')
    expect([await numbers(about), await replies(parent)]).toMatchObject([{ comments: 0 }, 0])
    const read = (who: Person | null) =>
      Promise.all([parent, reply, other].map((id) => seen(who, 'public.comments', 'id', id)))
    expect([await read(null), await read(boss), await read(fan)]).toEqual([
      [0, 0, 0],
      [0, 0, 0],
      [1, 0, 0],
    ])
    // As if it were not there: answered, reported, deleted by whose post it is on.
    expect(await refusal(comment(boss, about, 'Late reply', parent))).toBe('PT404')
    expect(await refusal(report(boss, 'comment', parent))).toBe('PT404')
    for (const who of [author, boss]) {
      expect(await refusal(as(who, (tx) => tx`select private.delete_comment(${parent})`))).toBe('PT404')
    }
    // Granted for the reply first, it stays with what it replies to.
    await appeal(author, replyCase)
    await answer(deputy, replyCase, true)
    expect([await hiddenness('comments', other), (await numbers(about))?.comments]).toEqual([
      'with_parent',
      0,
    ])
    await appeal(fan, case_)
    await answer(deputy, case_, true)
    expect([await read(null), await numbers(about), await replies(parent)]).toMatchObject([
      [1, 1, 1],
      { comments: 3 },
      2,
    ])
    // Reported before what it replies to was hidden, and decided after: it stays hidden by itself.
    await report(fan, 'comment', reply)
    const again = await moderate(boss, 'comment', parent, 'remove')
    await decide(boss, (await caseOf(reply)).id, 'hide')
    await appeal(fan, again)
    await answer(deputy, again, true)
    expect([await hiddenness('comments', reply), await numbers(about), await replies(parent)]).toMatchObject([
      'hidden',
      { comments: 2 },
      1,
    ])
    await as(fan, (tx) => tx`select private.delete_comment(${parent})`)
    expect(await numbers(about)).toMatchObject({ comments: 0 })
  })

  it('counts for nobody’s figures', async () => {
    const about = await post(author, 'Counted')
    const [kept, hidden] = [await comment(fan, about, 'Kept'), await comment(fan, about, 'Hidden')]
    const star = await person({ creator: true })
    await owner`update public.posts set author_id = ${star.id} where id = ${about}`
    await moderate(boss, 'comment', hidden, 'hide')
    await owner.begin(async (tx) => {
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
  let author: Person
  let fan: Person
  beforeAll(async () => {
    ;[author, fan] = await Promise.all([person(), person()])
  })
  const told = async (id: string) =>
    await owner<{ topic: string; deleted: boolean; content: string }[]>`
      select topic, (payload #>> '{message,deleted}')::boolean as deleted, payload #>> '{message,content}' as content
      from realtime.messages where event = 'message.changed' and payload #>> '{message,id}' = ${id}
      order by inserted_at, topic`

  it('is empty for both, as one that was taken back, and comes back whole', async () => {
    const words = await say(author, fan, 'Threat')
    const follow = await say(author, fan, 'And more')
    const quoting = randomUUID()
    const quoted = async () =>
      (
        await owner`
          select private.message_json(m, false) -> 'replyTo' ->> 'content' as words from public.messages m
          where m.id = ${quoting}`
      )[0]?.words as string
    await as(fan, (tx) => tx`select private.react_to_message(${words}, '😡')`)
    await as(
      author,
      (tx) => tx`select private.send_message(${quoting}, ${fan.id}, 'You heard', null, ${words})`,
    )
    await report(fan, 'message', words, 'violence')
    const case_ = (await caseOf(words)).id
    await decide(boss, case_, 'hide')
    const read = (who: Person) =>
      as(
        who,
        async (tx) =>
          (
            await tx`select content, deleted_at is not null as gone from public.messages where id = ${words}`
          )[0],
      )
    for (const who of [author, fan]) expect(await read(who)).toEqual({ content: '', gone: true })
    expect(await seen(boss, 'public.messages', 'id', words)).toBe(0)
    const both = [author, fan].map(({ id }) => `user:${id}`).sort()
    expect((await told(words)).map(({ topic, deleted, content }) => [topic, deleted, content])).toEqual(
      both.map((topic) => [topic, true, '']),
    )
    for (const attempt of [
      () => as(author, (tx) => tx`select private.edit_message(${words}, 'Softer')`),
      () => as(fan, (tx) => tx`select private.react_to_message(${words}, '👍')`),
    ]) {
      expect(await refusal(attempt())).toBe('PT409')
    }
    expect(await quoted()).toBe('')
    const found = (who: Person) =>
      as(
        who,
        async (tx) =>
          (await tx`select from private.find_messages('threat', null, null, 20) f where f.id = ${words}`)
            .count,
      )
    expect(await found(fan)).toBe(0)
    // Whoever is written to about what waits is not written to about this.
    const [waits] = await owner`
      select r.unread_since = m.created_at as next from public.conversation_members r, public.messages m
      where r.user_id = ${fan.id} and r.other_id = ${author.id} and m.id = ${follow}`
    expect(waits?.next).toBe(true)

    await appeal(author, case_)
    await answer(deputy, case_, true)
    expect(await read(fan)).toEqual({ content: 'Threat', gone: false })
    expect([await found(fan), (await told(words)).length]).toEqual([1, 4])
    expect(await quoted()).toBe('Threat')
    expect((await told(words)).at(-1)).toMatchObject({ deleted: false, content: 'Threat' })
    const [back] = await owner`select reactions from public.messages where id = ${words}`
    expect(back?.reactions).toMatchObject([{ emoji: '😡', userId: fan.id }])
  })
})
