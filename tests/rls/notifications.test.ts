import { NotificationFilter } from '@contract/notification.ts'
import { describe, expect, it } from 'vitest'
import { notificationPage } from '../../supabase/functions/_shared/notifications/presenter.ts'
import { deleteAccounts } from '../support/deadlocks.ts'
import {
  getSqlState,
  insertBlock,
  insertPost,
  insertUsers,
  runAs,
  type SessionUser,
  sql,
} from './database.ts'

const toggleLike = (user: SessionUser, id: string) =>
  runAs(user, (tx) => tx`select public.toggle_like(${id})`)
const insertComment = (user: SessionUser, id: string) =>
  runAs(user, (tx) => tx`insert into public.comments (post_id, content) values (${id}, 'Well')`)
const markAllRead = (user: SessionUser) =>
  runAs(user, (tx) => tx`select private.mark_all_notifications_read()`)
const readUnreadCount = async (user: SessionUser) => {
  const [row] = await sql<{ unread: number }[]>`
    select unread_notifications as unread from public.user_counters where user_id = ${user.id}`
  return row?.unread
}
/** Returns the heads of a user's notification groups, newest first. */
const listGroupHeads = (user: SessionUser) => sql<
  { id: string; kind: string; people: number; actor_id: string }[]
>`
  select id, kind, people, actor_id from public.notifications where user_id = ${user.id} and is_head
  order by created_at desc, id desc`

/** Checks that each group has one head, which stores the number of actors, and that the unread count is correct. */
async function expectConsistentGroups(user: SessionUser): Promise<void> {
  const inconsistentGroups = await sql`
    select group_id, count(*) filter (where is_head)::int as heads, max(people) filter (where is_head) as "headCount",
           count(distinct actor_id)::int as people
    from public.notifications where user_id = ${user.id} group by 1
    having count(*) filter (where is_head) <> 1 or max(people) filter (where is_head) <> count(distinct actor_id)`
  expect([...inconsistentGroups]).toEqual([])
  const [row] = await sql`
    select c.unread_notifications as counted, (
      select count(*)::int from public.notifications n
      where n.user_id = c.user_id and n.read_at is null and (n.is_head or not s.group_notifications)) as shown
    from public.user_counters c join public.user_settings s using (user_id) where c.user_id = ${user.id}`
  expect(row?.counted).toBe(row?.shown)
}

describe('notification groups', () => {
  it('count each actor once under concurrent likes, comments, withdrawals and account deletions', async () => {
    const [author, ...fans] = await insertUsers(31)
    if (!author) throw new Error('unreachable')
    const id = await insertPost(author)
    await Promise.all(fans.map((fan) => toggleLike(fan, id)))
    expect(await listGroupHeads(author)).toMatchObject([{ kind: 'like', people: 30 }])
    // One fan comments three times, another once.
    await Promise.all(
      [0, 0, 0, 1].flatMap((index) => fans.slice(index, index + 1)).map((fan) => insertComment(fan, id)),
    )
    expect(await listGroupHeads(author)).toMatchObject([
      { kind: 'comment', people: 2 },
      { kind: 'like', people: 30 },
    ])
    expect(await readUnreadCount(author)).toBe(2)
    await expectConsistentGroups(author)

    // The latest like and several others are withdrawn concurrently, then two accounts are deleted.
    const [, head] = await listGroupHeads(author)
    const latest = fans.find((fan) => fan.id === head?.actor_id)
    const others = fans.filter((fan) => fan !== latest).slice(1)
    await Promise.all([latest, ...others.slice(0, 7)].map((fan) => fan && toggleLike(fan, id)))
    expect((await listGroupHeads(author))[1]).toMatchObject({ kind: 'like', people: 22 })
    await deleteAccounts(
      sql,
      others.slice(7, 9).map((fan) => fan.id),
    )
    expect((await listGroupHeads(author))[1]).toMatchObject({ kind: 'like', people: 20 })
    await expectConsistentGroups(author)

    // A group that was read does not change. Later likes start a new group.
    const [, likes] = await listGroupHeads(author)
    await runAs(author, (tx) => tx`select private.mark_notification_read(${likes?.id ?? ''})`)
    expect(await readUnreadCount(author)).toBe(1)
    await Promise.all(others.slice(0, 3).map((fan) => toggleLike(fan, id)))
    // These users had withdrawn their likes, so only their new likes are in the group.
    expect((await listGroupHeads(author))[0]).toMatchObject({ kind: 'like', people: 3 })
    await expectConsistentGroups(author)

    await runAs(author, (tx) => tx`delete from public.posts where id = ${id}`)
    expect([await listGroupHeads(author), await readUnreadCount(author)]).toEqual([[], 0])
  })

  it('and the unread count stay consistent through random concurrent changes', async () => {
    const [author, ...fans] = await insertUsers(6)
    if (!author) throw new Error('unreachable')
    const posts = await Promise.all([insertPost(author), insertPost(author)])
    // The seed is fixed so that a failure can be reproduced.
    let seed = 20_261_121
    const randomBelow = (limit: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      return Math.floor((seed / 2 ** 31) * limit)
    }
    const pick = <T>(list: readonly T[]): T => list[randomBelow(list.length)] as T
    /** Ignores the error for a missing comment, because two concurrent steps may delete the same comment. */
    const ignoreNotFound = (error: unknown) => {
      if (!(error instanceof Error && 'code' in error && error.code === 'PT404')) throw error
    }
    const steps: (() => Promise<unknown>)[] = [
      () => toggleLike(pick(fans), pick(posts)),
      () => toggleLike(pick(fans), pick(posts)),
      () => insertComment(pick(fans), pick(posts)),
      () => runAs(pick(fans), (tx) => tx`select public.toggle_follow(${author.id})`),
      () =>
        runAs(
          author,
          (tx) => tx`select private.delete_comment(c.id) from (
            select id from public.comments where post_id = ${pick(posts)} order by id offset ${randomBelow(4)} limit 1) c`,
        ).catch(ignoreNotFound),
      () =>
        runAs(
          author,
          (tx) => tx`select private.mark_notification_read(n.id) from (
            select id from public.notifications order by created_at desc offset ${randomBelow(6)} limit 1) n`,
        ),
      async () =>
        await sql`update public.user_settings set group_notifications = not group_notifications where user_id = ${author.id}`,
      () => (randomBelow(4) === 0 ? markAllRead(author) : toggleLike(pick(fans), pick(posts))),
    ]
    for (let step = 0; step < 90; step++) {
      const [first, second] = [pick(steps), pick(steps)]
      await Promise.all([first(), second()])
      await expectConsistentGroups(author)
    }
  })

  it('are created at most three times a day if a user repeatedly adds and withdraws a like', async () => {
    const [author, fan, other] = await insertUsers(3)
    if (!author || !fan || !other) throw new Error('unreachable')
    const id = await insertPost(author)
    for (let round = 1; round <= 4; round++) {
      await toggleLike(fan, id)
      expect(await listGroupHeads(author)).toHaveLength(round <= 3 ? 1 : 0)
      await toggleLike(fan, id)
    }
    await toggleLike(fan, id)
    await toggleLike(other, id)
    expect(await listGroupHeads(author)).toMatchObject([{ people: 1, actor_id: other.id }])
    await sql`update private.notification_withdrawals set since = now() - interval '25 hours' where actor_id = ${fan.id}`
    await toggleLike(fan, id)
    await toggleLike(fan, id)
    expect(await listGroupHeads(author)).toMatchObject([{ people: 2, actor_id: fan.id }])
    await expectConsistentGroups(author)
  })

  it('are created for every repeated follow request if the previous request was answered, not withdrawn', async () => {
    const [ana, fan] = await insertUsers(2)
    if (!ana || !fan) throw new Error('unreachable')
    await sql`update public.profiles set visibility = 'followers' where id = ${ana.id}`
    for (let round = 1; round <= 5; round++) {
      await runAs(fan, (tx) => tx`select public.toggle_follow(${ana.id})`)
      expect(await listGroupHeads(ana)).toMatchObject([{ kind: 'follow_request' }])
      if (round % 2 === 0) await runAs(ana, (tx) => tx`select private.accept_follow_request(${fan.id})`)
      else await runAs(ana, (tx) => tx`delete from public.follow_requests where follower_id = ${fan.id}`)
      expect(await listGroupHeads(ana)).toEqual([])
      if (round % 2 === 0) await runAs(fan, (tx) => tx`select public.toggle_follow(${ana.id})`)
    }
  })

  it('stay consistent, without deadlocks, while users like posts and the author marks all notifications read', async () => {
    const [author, ...fans] = await insertUsers(7)
    if (!author) throw new Error('unreachable')
    const posts = await Promise.all([insertPost(author), insertPost(author), insertPost(author)])
    for (let round = 0; round < 8; round++) {
      await Promise.all([
        ...fans.map((fan, index) => toggleLike(fan, posts[(index + round) % 3] ?? '')),
        markAllRead(author),
        ...fans.slice(2).map((fan, index) => toggleLike(fan, posts[(index + round) % 3] ?? '')),
        markAllRead(author),
      ])
    }
    await expectConsistentGroups(author)
    await markAllRead(author)
    expect(await readUnreadCount(author)).toBe(0)
  })
})

describe('notification broadcasts', () => {
  it('are sent when a notification is created, read or withdrawn, with the new unread count', async () => {
    const [author, ana, ben] = await insertUsers(3)
    if (!author || !ana || !ben) throw new Error('unreachable')
    /** Returns and removes the broadcasts since the last call. */
    const takeBroadcasts = async () => {
      const rows = await sql<{ event: string; payload: Record<string, unknown> }[]>`
        delete from realtime.messages where topic = ${`user:${author.id}`} and event like 'notification.%'
        returning event, payload`
      return rows.map(({ event, payload: { id: _, ...payload } }) => [event, payload])
    }
    const id = await insertPost(author)
    await toggleLike(ana, id)
    const [first] = await listGroupHeads(author)
    expect(await takeBroadcasts()).toEqual([
      ['notification.created', { notificationId: first?.id, kind: 'like', unreadTotal: 1 }],
    ])
    await toggleLike(ben, id)
    const [second] = await listGroupHeads(author)
    expect(await takeBroadcasts()).toEqual([
      ['notification.created', { notificationId: second?.id, kind: 'like', unreadTotal: 1 }],
    ])
    await toggleLike(ben, id)
    expect(await takeBroadcasts()).toEqual([
      ['notification.read', { notificationId: second?.id, unreadTotal: 1 }],
    ])
    await toggleLike(ben, id)
    await takeBroadcasts()
    await runAs(author, (tx) => tx`select private.mark_notification_read(${first?.id ?? ''})`)
    expect(await takeBroadcasts()).toEqual([['notification.read', { notificationId: null, unreadTotal: 0 }]])
    // Marking notifications as read a second time changes and broadcasts nothing.
    await runAs(author, (tx) => tx`select private.mark_notification_read(${first?.id ?? ''})`)
    await markAllRead(author)
    expect(await takeBroadcasts()).toEqual([])
    await sql`update public.user_settings set group_notifications = false where user_id = ${author.id}`
    expect(await takeBroadcasts()).toEqual([['notification.read', { notificationId: null, unreadTotal: 0 }]])
  })
})

describe('notification settings', () => {
  it('suppress the kinds that the user turned off, and no others', async () => {
    const [author, fan] = await insertUsers(2)
    if (!author || !fan) throw new Error('unreachable')
    const setSetting = (column: string, value: boolean) =>
      sql`update public.user_settings set ${sql(column)} = ${value} where user_id = ${author.id}`
    const isCreated = async (kind: string) => {
      await sql`delete from public.notifications where user_id = ${author.id}`
      await sql`select private.create_notification(${author.id}, ${fan.id}, ${kind})`
      return (await listGroupHeads(author)).length === 1
    }
    const kinds: Record<string, string[]> = {
      new_followers: ['follow'],
      new_comments: ['comment', 'reply'],
      new_quotes: ['quote', 'repost'],
      new_likes: ['like', 'reaction'],
      subscription_updates: ['subscription'],
      payment_alerts: ['unlock', 'tip'],
      login_alerts: ['sign_in'],
    }
    for (const [column, coveredKinds] of Object.entries(kinds)) {
      for (const kind of coveredKinds) {
        expect([kind, await isCreated(kind)]).toEqual([kind, true])
        await setSetting(column, false)
        expect([kind, await isCreated(kind)]).toEqual([kind, false])
        await setSetting(column, true)
      }
    }
    // Notifications of these kinds have no setting.
    for (const column of Object.keys(kinds)) await setSetting(column, false)
    for (const kind of ['follow_request', 'follow_accepted', 'mention', 'message', 'admin']) {
      expect([kind, await isCreated(kind)]).toEqual([kind, true])
    }
    await insertBlock(author, fan)
    expect(await isCreated('mention')).toBe(false)
  })
})

describe('filtered notifications', () => {
  it('include only the user’s own notifications of the kinds in the filter', async () => {
    const [ana, ben] = await insertUsers(2)
    if (!ana || !ben) throw new Error('unreachable')
    const id = await insertPost(ana)
    await toggleLike(ben, id)
    await insertComment(ben, id)
    await runAs(ben, (tx) => tx`select public.toggle_follow(${ana.id})`)
    const listKinds = async (viewer: SessionUser, filter: NotificationFilter) => {
      const range = { limit: 20, offset: 0, after: null }
      const rows = await runAs(
        viewer,
        (tx) => tx<{ kind: string }[]>`select n.kind from (${notificationPage(ana.id, range, filter)}) n`,
      )
      return rows.map(({ kind }) => kind)
    }
    const kinds = {
      likes: ['like'],
      comments: ['comment'],
      followers: ['follow'],
      mentions: [],
      payments: [],
    }
    for (const filter of NotificationFilter.options) {
      expect([filter, await listKinds(ana, filter)]).toEqual([filter, kinds[filter]])
      expect([filter, await listKinds(ben, filter)]).toEqual([filter, []])
    }
  })
})

describe('access control', () => {
  it('denies access to the notifications and settings of other users, and to internal functions and tables', async () => {
    const [ana, ben] = await insertUsers(2)
    if (!ana || !ben) throw new Error('unreachable')
    const id = await insertPost(ana)
    await toggleLike(ben, id)
    const [notification] = await listGroupHeads(ana)
    const [result] = await runAs(
      ben,
      (tx) => tx`select private.mark_notification_read(${notification?.id ?? ''}) as marked,
        (select count(*)::int from public.notifications) as rows,
        (select count(*)::int from public.user_settings where user_id = ${ana.id}) as settings`,
    )
    expect({ ...result }).toEqual({ marked: false, rows: 0, settings: 0 })
    await runAs(ben, (tx) => tx`update public.user_settings set new_likes = false where user_id = ${ana.id}`)
    const [settings] = await sql`select new_likes from public.user_settings where user_id = ${ana.id}`
    expect(settings?.new_likes).toBe(true)
    for (const statement of [
      `insert into public.notifications (user_id, kind) values ('${ana.id}', 'admin')`,
      "update public.notifications set detail = 'x'",
      'delete from public.notifications',
      'insert into public.user_settings (user_id) values (gen_random_uuid())',
      `update public.user_settings set user_id = '${ben.id}'`,
      `select private.create_notification('${ana.id}', null, 'admin')`,
      'select private.claim_digests(1)',
      `select private.record_device('${ana.id}', 'x')`,
      `select private.is_known_device('${ana.id}', 'x')`,
      'select * from private.last_seen',
      'select * from private.known_devices',
      'select * from private.notification_mails',
    ]) {
      expect([statement, await getSqlState(runAs(ben, (tx) => tx.unsafe(statement)))]).toEqual([
        statement,
        '42501',
      ])
    }
  })
})
