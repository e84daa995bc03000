import { afterAll, describe, expect, it } from 'vitest'
import { getSqlState, insertBlock, insertPost, insertUser, runAs, type SessionUser, sql } from './database.ts'

afterAll(() => sql.end())

const people = (count: number) => Promise.all(Array.from({ length: count }, () => insertUser()))
const like = (who: SessionUser, id: string) => runAs(who, (tx) => tx`select public.toggle_like(${id})`)
const comment = (who: SessionUser, id: string) =>
  runAs(who, (tx) => tx`insert into public.comments (post_id, content) values (${id}, 'Well')`)
const readAll = (who: SessionUser) => runAs(who, (tx) => tx`select private.read_all_notifications()`)
const unreadOf = async (who: SessionUser) => {
  const [row] = await sql<{ unread: number }[]>`
    select unread_notifications as unread from public.user_counters where user_id = ${who.id}`
  return row?.unread
}
/** The heads of somebody's groups, the newest first, with whom they count. */
const headsOf = (who: SessionUser) => sql<{ id: string; kind: string; people: number; actor_id: string }[]>`
  select id, kind, people, actor_id from public.notifications where user_id = ${who.id} and is_head
  order by created_at desc, id desc`

/** Every group has one head, which counts the people in it; and what is counted is what a list shows as unread. */
async function expectWhole(who: SessionUser): Promise<void> {
  const wrong = await sql`
    select group_id, count(*) filter (where is_head)::int as heads, max(people) filter (where is_head) as told,
           count(distinct actor_id)::int as people
    from public.notifications where user_id = ${who.id} group by 1
    having count(*) filter (where is_head) <> 1 or max(people) filter (where is_head) <> count(distinct actor_id)`
  expect([...wrong]).toEqual([])
  const [row] = await sql`
    select c.unread_notifications as counted, (
      select count(*)::int from public.notifications n
      where n.user_id = c.user_id and n.read_at is null and (n.is_head or not s.group_notifications)) as shown
    from public.user_counters c join public.person_settings s using (user_id) where c.user_id = ${who.id}`
  expect(row?.counted).toBe(row?.shown)
}

describe('groups', () => {
  it('count everybody once, however many come at the same moment', async () => {
    const [author, ...fans] = await people(31)
    if (!author) throw new Error('unreachable')
    const id = await insertPost(author)
    await Promise.all(fans.map((fan) => like(fan, id)))
    expect(await headsOf(author)).toMatchObject([{ kind: 'like', people: 30 }])
    await Promise.all([0, 0, 0, 1].flatMap((at) => fans.slice(at, at + 1)).map((fan) => comment(fan, id)))
    expect(await headsOf(author)).toMatchObject([
      { kind: 'comment', people: 2 },
      { kind: 'like', people: 30 },
    ])
    expect(await unreadOf(author)).toBe(2)
    await expectWhole(author)

    // Taken back at once: the latest of them, some from the middle, and two accounts with all that they did.
    const [, head] = await headsOf(author)
    const latest = fans.find((fan) => fan.id === head?.actor_id)
    const others = fans.filter((fan) => fan !== latest).slice(1)
    await Promise.all([latest, ...others.slice(0, 7)].map((fan) => fan && like(fan, id)))
    expect((await headsOf(author))[1]).toMatchObject({ kind: 'like', people: 22 })
    await sql`delete from auth.users where id in ${sql(others.slice(7, 9).map((fan) => fan.id))}`
    expect((await headsOf(author))[1]).toMatchObject({ kind: 'like', people: 20 })
    await expectWhole(author)

    // What was read stays as it was; what comes after it is news.
    const [, likes] = await headsOf(author)
    await runAs(author, (tx) => tx`select private.read_notification(${likes?.id ?? ''})`)
    expect(await unreadOf(author)).toBe(1)
    await Promise.all(others.slice(0, 3).map((fan) => like(fan, id)))
    // They liked it before they took it back, so the row of that is gone and this is a new one.
    expect((await headsOf(author))[0]).toMatchObject({ kind: 'like', people: 3 })
    await expectWhole(author)

    // What it was about is gone, and all that led to it.
    await runAs(author, (tx) => tx`delete from public.posts where id = ${id}`)
    expect([await headsOf(author), await unreadOf(author)]).toEqual([[], 0])
  })

  it('stay whole, and the count right, through whatever happens in whatever order', async () => {
    const [author, ...fans] = await people(6)
    if (!author) throw new Error('unreachable')
    const posts = await Promise.all([insertPost(author), insertPost(author)])
    // The same steps each time: a failure can be looked into.
    let seed = 20_261_121
    const draw = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      return Math.floor((seed / 2 ** 31) * below)
    }
    const one = <T>(list: readonly T[]): T => list[draw(list.length)] as T
    /** Of two who delete the same comment, one may find it gone. */
    const unlessGone = (error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'PT404')) throw error
    }
    const steps: (() => Promise<unknown>)[] = [
      () => like(one(fans), one(posts)),
      () => like(one(fans), one(posts)),
      () => comment(one(fans), one(posts)),
      () => runAs(one(fans), (tx) => tx`select public.toggle_follow(${author.id})`),
      () =>
        runAs(
          author,
          (tx) => tx`select private.delete_comment(c.id) from (
            select id from public.comments where post_id = ${one(posts)} order by id offset ${draw(4)} limit 1) c`,
        ).catch(unlessGone),
      () =>
        runAs(
          author,
          (tx) => tx`select private.read_notification(n.id) from (
            select id from public.notifications order by created_at desc offset ${draw(6)} limit 1) n`,
        ),
      async () =>
        await sql`update public.person_settings set group_notifications = not group_notifications where user_id = ${author.id}`,
      () => (draw(4) === 0 ? readAll(author) : like(one(fans), one(posts))),
    ]
    for (let step = 0; step < 90; step++) {
      const [first, second] = [one(steps), one(steps)]
      await Promise.all([first(), second()])
      await expectWhole(author)
    }
  })

  it('of what is done and undone over and over come three times a day', async () => {
    const [author, fan, other] = await people(3)
    if (!author || !fan || !other) throw new Error('unreachable')
    const id = await insertPost(author)
    for (let time = 1; time <= 4; time++) {
      await like(fan, id)
      expect(await headsOf(author)).toHaveLength(time <= 3 ? 1 : 0)
      await like(fan, id)
    }
    await like(fan, id)
    await like(other, id)
    expect(await headsOf(author)).toMatchObject([{ people: 1, actor_id: other.id }])
    await sql`update private.withdrawn set since = now() - interval '25 hours' where actor_id = ${fan.id}`
    await like(fan, id)
    await like(fan, id)
    expect(await headsOf(author)).toMatchObject([{ people: 2, actor_id: fan.id }])
    await expectWhole(author)
  })

  it('of a request come every time it is made, when it was answered and not taken back', async () => {
    const [ana, fan] = await people(2)
    if (!ana || !fan) throw new Error('unreachable')
    await sql`update public.profiles set visibility = 'followers' where id = ${ana.id}`
    for (let time = 1; time <= 5; time++) {
      await runAs(fan, (tx) => tx`select public.toggle_follow(${ana.id})`)
      expect(await headsOf(ana)).toMatchObject([{ kind: 'follow_request' }])
      if (time % 2 === 0) await runAs(ana, (tx) => tx`select private.accept_follow_request(${fan.id})`)
      else await runAs(ana, (tx) => tx`delete from public.follow_requests where follower_id = ${fan.id}`)
      expect(await headsOf(ana)).toEqual([])
      if (time % 2 === 0) await runAs(fan, (tx) => tx`select public.toggle_follow(${ana.id})`)
    }
  })

  it('wait for nobody in a circle while they are read', async () => {
    const [author, ...fans] = await people(7)
    if (!author) throw new Error('unreachable')
    const posts = await Promise.all([insertPost(author), insertPost(author), insertPost(author)])
    for (let round = 0; round < 8; round++) {
      await Promise.all([
        ...fans.map((fan, at) => like(fan, posts[(at + round) % 3] ?? '')),
        readAll(author),
        ...fans.slice(2).map((fan, at) => like(fan, posts[(at + round) % 3] ?? '')),
        readAll(author),
      ])
    }
    await expectWhole(author)
    await readAll(author)
    expect(await unreadOf(author)).toBe(0)
  })
})

describe('open pages', () => {
  it('hear of each that comes, is read or is taken back, with the number after it', async () => {
    const [author, ana, ben] = await people(3)
    if (!author || !ana || !ben) throw new Error('unreachable')
    const heard = async () => {
      const rows = await sql<{ event: string; payload: Record<string, unknown> }[]>`
        delete from realtime.messages where topic = ${`user:${author.id}`} and event like 'notification.%'
        returning event, payload`
      return rows.map(({ event, payload: { id: _, ...payload } }) => [event, payload])
    }
    const id = await insertPost(author)
    await like(ana, id)
    const [first] = await headsOf(author)
    expect(await heard()).toEqual([
      ['notification.created', { notificationId: first?.id, kind: 'like', unreadTotal: 1 }],
    ])
    await like(ben, id)
    const [second] = await headsOf(author)
    expect(await heard()).toEqual([
      ['notification.created', { notificationId: second?.id, kind: 'like', unreadTotal: 1 }],
    ])
    await like(ben, id)
    expect(await heard()).toEqual([['notification.read', { notificationId: second?.id, unreadTotal: 1 }]])
    await like(ben, id)
    await heard()
    await runAs(author, (tx) => tx`select private.read_notification(${first?.id ?? ''})`)
    expect(await heard()).toEqual([['notification.read', { notificationId: null, unreadTotal: 0 }]])
    // What was read is read: nothing changes, and nobody hears of it.
    await runAs(author, (tx) => tx`select private.read_notification(${first?.id ?? ''})`)
    await readAll(author)
    expect(await heard()).toEqual([])
    await sql`update public.person_settings set group_notifications = false where user_id = ${author.id}`
    expect(await heard()).toEqual([['notification.read', { notificationId: null, unreadTotal: 0 }]])
  })
})

describe('what somebody does not want', () => {
  it('is not told, kind by kind', async () => {
    const [author, fan] = await people(2)
    if (!author || !fan) throw new Error('unreachable')
    const set = (column: string, value: boolean) =>
      sql`update public.person_settings set ${sql(column)} = ${value} where user_id = ${author.id}`
    const told = async (kind: string) => {
      await sql`delete from public.notifications where user_id = ${author.id}`
      await sql`select private.notify_person(${author.id}, ${fan.id}, ${kind})`
      return (await headsOf(author)).length === 1
    }
    const kinds: Record<string, string[]> = {
      new_followers: ['follow'],
      new_comments: ['comment', 'reply'],
      new_likes: ['like', 'reaction'],
      subscription_updates: ['subscription'],
      payment_alerts: ['unlock', 'tip'],
      login_alerts: ['sign_in'],
    }
    for (const [column, covered] of Object.entries(kinds)) {
      for (const kind of covered) {
        expect([kind, await told(kind)]).toEqual([kind, true])
        await set(column, false)
        expect([kind, await told(kind)]).toEqual([kind, false])
        await set(column, true)
      }
    }
    // What must be answered or looked into always comes.
    for (const column of Object.keys(kinds)) await set(column, false)
    for (const kind of ['follow_request', 'follow_accepted', 'mention', 'message', 'admin']) {
      expect([kind, await told(kind)]).toEqual([kind, true])
    }
    await insertBlock(author, fan)
    expect(await told('mention')).toBe(false)
  })
})

describe('rights', () => {
  it('nobody reads, makes or changes what others are told, nor their settings', async () => {
    const [ana, ben] = await people(2)
    if (!ana || !ben) throw new Error('unreachable')
    const id = await insertPost(ana)
    await like(ben, id)
    const [told] = await headsOf(ana)
    const [answer] = await runAs(
      ben,
      (tx) => tx`select private.read_notification(${told?.id ?? ''}) as known,
        (select count(*)::int from public.notifications) as rows,
        (select count(*)::int from public.person_settings where user_id = ${ana.id}) as settings`,
    )
    expect({ ...answer }).toEqual({ known: false, rows: 0, settings: 0 })
    await runAs(
      ben,
      (tx) => tx`update public.person_settings set new_likes = false where user_id = ${ana.id}`,
    )
    const [kept] = await sql`select new_likes from public.person_settings where user_id = ${ana.id}`
    expect(kept?.new_likes).toBe(true)
    for (const statement of [
      `insert into public.notifications (user_id, kind) values ('${ana.id}', 'admin')`,
      "update public.notifications set detail = 'x'",
      'delete from public.notifications',
      'insert into public.person_settings (user_id) values (gen_random_uuid())',
      `update public.person_settings set user_id = '${ben.id}'`,
      `select private.notify_person('${ana.id}', null, 'admin')`,
      'select private.take_due_mails(1)',
      `select private.note_device('${ana.id}', 'x')`,
      'select * from private.last_seen',
      'select * from private.known_devices',
      'select * from private.mail_marks',
    ]) {
      expect([statement, await getSqlState(runAs(ben, (tx) => tx.unsafe(statement)))]).toEqual([
        statement,
        '42501',
      ])
    }
  })
})
