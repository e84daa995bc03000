import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  getSqlState,
  insertBlock,
  insertFollow,
  insertPost,
  insertUser,
  insertUsers,
  runAs,
  runAsService,
  type SessionUser,
  sql,
} from './database.ts'
import { subscribe } from './subscription-helpers.ts'

const insertNamedUsers = <Name extends string>(...names: Name[]) =>
  Promise.all(names.map(async (name) => [name, await insertUser()] as const)).then(
    (users) => Object.fromEntries(users) as Record<Name, SessionUser>,
  )
const setLevel = (user: SessionUser | null, author: SessionUser, level: string) =>
  runAs(
    user,
    (tx) => tx`insert into public.post_alerts (author_id, level) values (${author.id}, ${level})
               on conflict (user_id, author_id) do update set level = excluded.level`,
  )
const toggleFollow = (user: SessionUser, target: SessionUser) =>
  runAs(user, (tx) => tx`select public.toggle_follow(${target.id})`)
const insertPremiumPost = (author: SessionUser) => {
  const id = randomUUID()
  return sql`insert into public.posts (id, author_id, is_premium, premium_price) values (${id}, ${author.id}, true, 5)`.then(
    () => id,
  )
}
/** Runs the steps of the `new-posts` job until nothing is left to do. */
async function announcePosts(batchSize = 500): Promise<void> {
  for (;;) {
    const [row] = await runAsService(
      (tx) => tx`select private.announce_posts(${batchSize}) as notified,
                        private.withdraw_announcements(${batchSize}) as withdrawn`,
    )
    if (row?.notified === null && row.withdrawn === null) return
  }
}
/** Returns the number of posts in each of a user's visible notifications about new posts, newest first. */
const listCounts = (user: SessionUser) =>
  runAs(user, async (tx) => {
    const rows = await tx<{ posts: number }[]>`
        select v.posts from public.notifications n
        cross join lateral private.visible_announced_posts(n.user_id, n.announcement_id, n.highlights_only) v
        where n.kind = 'new_post' order by n.created_at desc`
    return rows.map(({ posts }) => posts)
  })
const countNewPostNotifications = async (user: SessionUser) =>
  (await sql`select from public.notifications where user_id = ${user.id} and kind = 'new_post'`).length
const readUnreadCount = async (user: SessionUser) =>
  (await sql`select unread_notifications as unread from public.user_counters where user_id = ${user.id}`)[0]
    ?.unread
const countNewPostEvents = async (user: SessionUser) =>
  (
    await sql`select from realtime.messages
             where topic = ${`user:${user.id}`} and event = 'notification.created' and payload ->> 'kind' = 'new_post'`
  ).length

describe('the level of notifications about new posts', () => {
  it('can be set by followers only, and is visible only to the follower who set it', async () => {
    const { author, follower, stranger } = await insertNamedUsers('author', 'follower', 'stranger')
    const admin = await insertUser({ admin: true })
    await toggleFollow(follower, author)
    await setLevel(follower, author, 'all')
    await setLevel(follower, author, 'highlights')
    const foreignKeyViolation = '23503'
    for (const user of [stranger, admin, author])
      expect(await getSqlState(setLevel(user, author, 'all'))).toBe(foreignKeyViolation)
    const insufficientPrivilege = '42501'
    for (const attempt of [
      () => setLevel(null, author, 'all'),
      () =>
        runAs(
          stranger,
          (tx) => tx`insert into public.post_alerts (user_id, author_id, level)
                     values (${follower.id}, ${author.id}, 'all')`,
        ),
      () => runAs(follower, (tx) => tx`delete from public.post_alerts`),
    ])
      expect(await getSqlState(attempt())).toBe(insufficientPrivilege)
    expect(await getSqlState(setLevel(follower, author, 'loud'))).toBe('23514')
    const listLevels = (user: SessionUser) => runAs(user, (tx) => tx`select level from public.post_alerts`)
    expect(await listLevels(follower)).toMatchObject([{ level: 'highlights' }])
    for (const user of [author, stranger, admin]) expect(await listLevels(user)).toHaveLength(0)
    // Another user cannot change the level either. Unfollowing deletes the level.
    await runAs(stranger, (tx) => tx`update public.post_alerts set level = 'off'`)
    expect(await listLevels(follower)).toMatchObject([{ level: 'highlights' }])
    await toggleFollow(follower, author)
    await toggleFollow(follower, author)
    expect(await listLevels(follower)).toHaveLength(0)
  })
})

describe('a new post', () => {
  const names = [
    'all',
    'highlights',
    'off',
    'plain',
    'subscriber',
    'unwillingSubscriber',
    'strangerSubscriber',
    'alertsDisabled',
    'blocked',
    'former',
    'stranger',
  ] as const
  let author: SessionUser
  let users: Record<(typeof names)[number], SessionUser>
  beforeAll(async () => {
    author = await insertUser({ creator: true })
    users = await insertNamedUsers(...names)
    const { strangerSubscriber, stranger, ...followers } = users
    for (const user of Object.values(followers)) await toggleFollow(user, author)
    for (const user of [users.subscriber, users.unwillingSubscriber, strangerSubscriber])
      await subscribe(user, author)
    for (const user of [users.all, users.alertsDisabled, users.blocked, users.former])
      await setLevel(user, author, 'all')
    await setLevel(users.highlights, author, 'highlights')
    for (const user of [users.off, users.unwillingSubscriber]) await setLevel(user, author, 'off')
    await runAs(users.alertsDisabled, (tx) => tx`update public.user_settings set new_posts = false`)
    await insertBlock(author, users.blocked)
    await toggleFollow(users.former, author)
  })
  const listAllCounts = async () =>
    Object.fromEntries(
      (await Promise.all(names.map(async (name) => [name, await listCounts(users[name])] as const))).filter(
        ([, counts]) => counts.length > 0,
      ),
    )

  it('notifies followers according to their level, with one notification per author and hour', async () => {
    await insertPost(author)
    await announcePosts()
    expect(await listAllCounts()).toEqual({ all: [1], subscriber: [1] })
    await insertPremiumPost(author)
    await announcePosts(1)
    expect(await listAllCounts()).toEqual({ all: [2], subscriber: [2], highlights: [1] })
    expect([await countNewPostEvents(users.all), await countNewPostEvents(users.highlights)]).toEqual([2, 1])
    expect(await readUnreadCount(users.all)).toBe(1)
    // A notification that was read becomes unread again when another post is announced.
    await runAs(users.all, (tx) => tx`select private.mark_all_notifications_read()`)
    await insertPost(author)
    await announcePosts()
    expect(await listAllCounts()).toEqual({ all: [3], subscriber: [3], highlights: [1] })
    expect([await countNewPostNotifications(users.all), await readUnreadCount(users.all)]).toEqual([1, 1])
    // The next hour has its own notification.
    await sql`update private.post_announcements set opened_at = opened_at - interval '1 hour' where author_id = ${author.id}`
    await insertPost(author)
    await announcePosts()
    expect(await listAllCounts()).toEqual({ all: [1, 3], subscriber: [1, 3], highlights: [1] })
  })

  it('is announced together with other queued posts, but not to users who followed later', async () => {
    const { poster, early, late } = await insertNamedUsers('poster', 'early', 'late')
    await toggleFollow(early, poster)
    await setLevel(early, poster, 'all')
    // Uses one statement, because the job may run at any time.
    await sql`insert into public.posts (author_id) select ${poster.id} from generate_series(1, 3)`
    await toggleFollow(late, poster)
    await setLevel(late, poster, 'all')
    await announcePosts()
    expect([await listCounts(early), await listCounts(late)]).toEqual([[3], []])
    expect(await countNewPostEvents(early)).toBe(1)
  })

  it('is not queued if nobody wants to be notified, or if it is older than a day', async () => {
    const { poster, fan } = await insertNamedUsers('poster', 'fan')
    await toggleFollow(fan, poster)
    const ids = [await insertPost(poster)]
    await setLevel(fan, poster, 'all')
    const [old] = await sql<{ id: string }[]>`
      insert into public.posts (author_id, content, created_at)
      values (${poster.id}, 'Imported', now() - interval '2 days') returning id`
    ids.push(old?.id ?? '')
    expect(await sql`select from private.announced_posts where post_id = any (${ids})`).toHaveLength(0)
  })

  it('notifies everybody once, even if batches fail and several workers run', async () => {
    const poster = await insertUser()
    const fans = await insertUsers(23)
    for (const fan of fans) {
      await insertFollow(fan, poster)
      await setLevel(fan, poster, 'all')
    }
    await insertPost(poster)
    // A crash rolls back the batch.
    for (let attempt = 0; attempt < 4; attempt++) {
      const crash = sql.begin(async (tx) => {
        await tx`select private.announce_posts(5), private.announce_posts(5)`
        throw new Error('crash')
      })
      await expect(crash).rejects.toThrow('crash')
      await runAsService((tx) => tx`select private.announce_posts(5)`)
    }
    await Promise.all([
      announcePosts(3),
      announcePosts(4),
      announcePosts(5),
      ...fans.slice(0, 5).map((fan) => runAs(fan, (tx) => tx`select private.mark_all_notifications_read()`)),
    ])
    for (const fan of fans) {
      expect(await listCounts(fan)).toEqual([1])
      expect(await countNewPostEvents(fan)).toBe(1)
    }
  })
})

describe('a notification about new posts', () => {
  let author: SessionUser
  let fan: SessionUser
  let highlightsFollower: SessionUser
  const prepare = async () => {
    ;({ author, fan, highlightsFollower } = await insertNamedUsers('author', 'fan', 'highlightsFollower'))
    await toggleFollow(fan, author)
    await toggleFollow(highlightsFollower, author)
    await setLevel(fan, author, 'all')
    await setLevel(highlightsFollower, author, 'highlights')
  }
  const hide = (id: string) => sql`update public.posts set hidden = 'hidden' where id = ${id}`
  /** Checks that a user sees no notification, and that none is left or counted after the job has run. */
  const expectWithdrawn = async (user: SessionUser) => {
    expect(await listCounts(user)).toEqual([])
    expect(
      await runAs(user, (tx) => tx`select from public.notifications where kind = 'new_post'`),
    ).toHaveLength(0)
    await announcePosts(1)
    expect([await countNewPostNotifications(user), await readUnreadCount(user)]).toEqual([0, 0])
  }

  it('disappears with its last post or, at level `highlights`, with its last highlight', async () => {
    await prepare()
    const [first, second, premium] = [
      await insertPost(author),
      await insertPost(author),
      await insertPremiumPost(author),
    ]
    await announcePosts()
    expect([await listCounts(fan), await listCounts(highlightsFollower)]).toEqual([[3], [1]])
    await runAs(author, (tx) => tx`delete from public.posts where id = ${premium}`)
    expect(await listCounts(fan)).toEqual([2])
    await expectWithdrawn(highlightsFollower)
    await hide(first)
    expect(await listCounts(fan)).toEqual([1])
    await hide(second)
    await expectWithdrawn(fan)
  })

  it('is not created for posts that are deleted or hidden before they are announced', async () => {
    await prepare()
    // Uses one transaction, because the job may run at any time.
    await sql.begin(async (tx) => {
      const ids = [await insertPost(author, 'Hidden', tx), await insertPost(author, 'Deleted', tx)]
      await tx`update public.posts set hidden = 'hidden' where id = ${ids[0] ?? ''}`
      await tx`delete from public.posts where id = ${ids[1] ?? ''}`
    })
    await announcePosts()
    expect([await countNewPostNotifications(fan), await countNewPostEvents(fan)]).toEqual([0, 0])
    // Nor is a notification created for a post that is hidden after its announcement round has begun.
    await sql.begin(async (tx) => {
      const id = await insertPost(author, 'Hidden', tx)
      const hasBegun = async () =>
        (await tx`select from private.announced_posts where post_id = ${id} and round is not null`).length > 0
      // If other authors' posts have waited longer, their rounds begin first.
      while (!(await hasBegun())) await tx`select private.begin_announcement_round()`
      await tx`update public.posts set hidden = 'hidden' where id = ${id}`
    })
    await announcePosts()
    expect([await countNewPostNotifications(fan), await countNewPostEvents(fan)]).toEqual([0, 0])
  })

  it('is deleted once even if several checks are queued, and these checks are removed together', async () => {
    const { author, follower } = await insertNamedUsers('author', 'follower')
    await toggleFollow(follower, author)
    await setLevel(follower, author, 'all')
    await insertPost(author)
    await announcePosts()
    // The transaction deletes the checks of other tests, so it is rolled back.
    const rollback = new Error('rollback')
    const transaction = sql.begin(async (tx) => {
      await tx`delete from private.announcement_checks`
      for (const visibility of ['private', 'public', 'private', 'public', 'private'])
        await tx`update public.profiles set visibility = ${visibility} where id = ${author.id}`
      const checks = async () => (await tx`select from private.announcement_checks`).length
      expect(await checks()).toBe(3)
      // The first call deletes the notification. The second finds nothing left to delete.
      for (const withdrawn of [1, 0])
        expect(await tx`select private.withdraw_announcements(10) as withdrawn`).toEqual([{ withdrawn }])
      expect(await checks()).toBe(0)
      throw rollback
    })
    await expect(transaction).rejects.toBe(rollback)
  })

  it('disappears when the profile becomes private, when the user unfollows, and after a block', async () => {
    await prepare()
    await insertPost(author)
    await announcePosts()
    await sql`update public.profiles set visibility = 'private' where id = ${author.id}`
    await expectWithdrawn(fan)
    await insertPost(author)
    await announcePosts()
    expect(await countNewPostNotifications(fan)).toBe(0)

    await prepare()
    await insertPost(author)
    await announcePosts()
    expect(await readUnreadCount(fan)).toBe(1)
    await toggleFollow(fan, author)
    expect([await countNewPostNotifications(fan), await readUnreadCount(fan)]).toEqual([0, 0])

    await prepare()
    await insertPost(author)
    await announcePosts()
    await insertBlock(fan, author)
    expect([await countNewPostNotifications(fan), await readUnreadCount(fan)]).toEqual([0, 0])
  })

  it('is deleted after 30 days', async () => {
    await prepare()
    await insertPost(author)
    await announcePosts()
    await sql`update private.post_announcements set opened_at = opened_at - interval '30 days' where author_id = ${author.id}`
    await sql`select private.clean_up('announcements', 1000)`
    await announcePosts()
    expect(await countNewPostNotifications(fan)).toBe(0)
    expect(await sql`select from private.post_announcements where author_id = ${author.id}`).toHaveLength(0)
  })

  it('is created without deadlocks during unfollows, blocks, reads and account deletions', async () => {
    const poster = await insertUser()
    const fans = await insertUsers(12)
    for (const each of fans) {
      await insertFollow(each, poster)
      await setLevel(each, poster, 'all')
    }
    const posts = await Promise.all([insertPost(poster), insertPost(poster)])
    await Promise.all([
      announcePosts(2),
      announcePosts(3),
      ...fans.slice(0, 3).map((each) => toggleFollow(each, poster)),
      ...fans.slice(3, 5).map((each) => insertBlock(poster, each)),
      ...fans.slice(5, 7).map((each) => sql`delete from auth.users where id = ${each.id}`),
      ...fans
        .slice(7, 9)
        .map((each) => runAs(each, (tx) => tx`select private.mark_all_notifications_read()`)),
      sql`delete from public.posts where id = ${posts[0] ?? null}`,
    ])
    await Promise.all([announcePosts(2), sql`delete from auth.users where id = ${poster.id}`])
    await announcePosts()
    for (const each of fans) expect(await countNewPostNotifications(each)).toBe(0)
    const wrong = await sql`
      select from public.user_counters c where c.user_id = any (${fans.map(({ id }) => id)})
        and c.unread_notifications <> (select count(*) from public.notifications n
                                       where n.user_id = c.user_id and n.read_at is null and n.is_head)`
    expect(wrong).toHaveLength(0)
  })
})
