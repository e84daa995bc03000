import type postgres from 'postgres'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  getSqlState,
  insertBlock,
  insertFollow,
  insertPost,
  insertUser,
  insertUsers,
  runAs,
  type SessionUser,
  sql,
  type Visibility,
} from './database.ts'
import { insertUpload } from './moderation-helpers.ts'

/** The kinds of users who try to read a user's profile, posts and counts. */
const readers = [
  'visitor',
  'owner',
  'stranger',
  'follower',
  'blocked',
  'blocker',
  'admin',
  'signedOut',
] as const
type Reader = (typeof readers)[number]

/** The readers of details, counts and posts, by visibility. */
const allowedReaders: Record<Visibility, readonly Reader[]> = {
  public: ['visitor', 'owner', 'stranger', 'follower', 'admin'],
  followers: ['owner', 'follower', 'admin'],
  private: ['owner', 'admin'],
}
/**
 * The readers of the name and avatar: everyone except users whose session has ended, users whom the owner has blocked
 * and users who have blocked the owner.
 */
const nameReaders: readonly Reader[] = ['visitor', 'owner', 'stranger', 'follower', 'admin']

describe.each(['public', 'followers', 'private'] as const)('a %s profile', (visibility) => {
  let subject: SessionUser
  let postId: string
  const users = new Map<Reader, SessionUser | null>([['visitor', null]])

  beforeAll(async () => {
    subject = await insertUser({ visibility })
    postId = await insertPost(subject)
    const mediaId = await insertUpload(subject)
    await sql`update public.posts set media_id = ${mediaId}, media_type = 'image' where id = ${postId}`
    users.set('owner', subject)
    for (const reader of ['stranger', 'follower', 'blocked', 'blocker', 'signedOut'] as const) {
      users.set(reader, await insertUser())
    }
    users.set('admin', await insertUser({ admin: true }))
    await insertFollow(users.get('follower') as SessionUser, subject)
    // This user follows before being blocked. The block ends the follow.
    await insertFollow(users.get('blocked') as SessionUser, subject)
    await insertBlock(subject, users.get('blocked') as SessionUser)
    await insertBlock(users.get('blocker') as SessionUser, subject)
    await sql`delete from auth.sessions where id = ${(users.get('signedOut') as SessionUser).sessionId}`
  })

  it.each(readers)('is readable by %s according to the visibility', async (reader) => {
    const user = users.get(reader) ?? null
    const readable = await runAs(user, async (tx) => ({
      profile: (await tx`select id from public.profiles where id = ${subject.id}`).length,
      details: (await tx`select user_id from public.profile_details where user_id = ${subject.id}`).length,
      counts: (await tx`select user_id from public.profile_counts where user_id = ${subject.id}`).length,
      posts: (await tx`select id from public.posts where id = ${postId}`).length,
    }))
    const visibleCount = allowedReaders[visibility].includes(reader) ? 1 : 0
    expect(readable).toEqual({
      profile: nameReaders.includes(reader) ? 1 : 0,
      details: visibleCount,
      counts: visibleCount,
      posts: visibleCount,
    })
  })

  it.each(readers)('shows hidden counts to the owner and admins only: %s', async (reader) => {
    await sql`update public.profiles set show_follower_count = false where id = ${subject.id}`
    try {
      const rows = await runAs(
        users.get(reader) ?? null,
        (tx) => tx`select user_id from public.profile_counts where user_id = ${subject.id}`,
      )
      expect(rows.length).toBe(reader === 'owner' || reader === 'admin' ? 1 : 0)
    } finally {
      await sql`update public.profiles set show_follower_count = true where id = ${subject.id}`
    }
  })

  it.each(readers)('lists followers for %s only if that reader may see the counts', async (reader) => {
    const user = users.get(reader) ?? null
    if (!user) {
      await expect(runAs(null, (tx) => tx`select * from public.follows`)).rejects.toThrow(/permission denied/)
      return
    }
    const lists = () =>
      runAs(user, async (tx) => ({
        // The table returns only follows in which the reader is the follower or the followee.
        table: (
          await tx`select 1 from public.follows where followee_id = ${subject.id} and follower_id <> ${user.id}`
        ).length,
        list: (await tx`select 1 from private.list_follows(${subject.id}, 'followers', null, null, 50)`)
          .length,
      }))
    const visibleCount = allowedReaders[visibility].includes(reader) ? 1 : 0
    const ownCount = reader === 'owner' ? 1 : 0
    expect(await lists()).toEqual({ table: ownCount, list: visibleCount })
    await sql`update public.profiles set show_follower_count = false where id = ${subject.id}`
    try {
      expect(await lists()).toEqual({
        table: ownCount,
        list: reader === 'owner' || reader === 'admin' ? 1 : 0,
      })
    } finally {
      await sql`update public.profiles set show_follower_count = true where id = ${subject.id}`
    }
  })

  it.each(readers)(
    'shows the newest photos, and followers whom the reader follows, to %s according to the visibility',
    async (reader) => {
      const user = users.get(reader) ?? null
      const photos = (tx: postgres.TransactionSql) =>
        tx`select from private.list_newest_photos(${subject.id}, 3)`
      const followers = (tx: postgres.TransactionSql) =>
        tx`select from private.find_followed_followers(${subject.id}, 1)`
      if (!user) {
        for (const query of [photos, followers]) expect(await getSqlState(runAs(null, query))).toBe('42501')
        return
      }
      const common = await insertUser()
      try {
        await insertFollow(user, common)
        await insertFollow(common, subject)
        const found = async () => [(await runAs(user, photos)).length, (await runAs(user, followers)).length]
        const visibleCount = allowedReaders[visibility].includes(reader) ? 1 : 0
        expect(await found()).toEqual([visibleCount, visibleCount])
        await sql`update public.profiles set show_follower_count = false where id = ${subject.id}`
        expect(await found()).toEqual([visibleCount, reader === 'owner' || reader === 'admin' ? 1 : 0])
      } finally {
        await sql`update public.profiles set show_follower_count = true where id = ${subject.id}`
        await sql`delete from auth.users where id = ${common.id}`
      }
    },
  )

  it.each(readers)(
    'shows email and phone to the owner and admins only, and unread counters to the owner only: %s',
    async (reader) => {
      const user = users.get(reader) ?? null
      if (!user) {
        await expect(runAs(null, (tx) => tx`select * from public.accounts`)).rejects.toThrow(
          /permission denied/,
        )
        return
      }
      const readable = await runAs(user, async (tx) => ({
        account: (await tx`select 1 from public.accounts where user_id = ${subject.id}`).length,
        counters: (await tx`select 1 from public.user_counters where user_id = ${subject.id}`).length,
      }))
      expect(readable).toEqual({
        account: reader === 'owner' || reader === 'admin' ? 1 : 0,
        counters: reader === 'owner' ? 1 : 0,
      })
    },
  )
})

describe('a creator’s followers whom the viewer follows', () => {
  it('are found in turn, from the one followed most recently to the one followed first, and then again from the start', async () => {
    const [creator, viewer, stranger, ...common] = await insertUsers(6)
    if (!creator || !viewer || !stranger) throw new Error('unreachable')
    for (const user of common) {
      await insertFollow(user, creator)
      await insertFollow(viewer, user)
    }
    // The viewer does not follow the stranger, and the creator is not their own follower, so neither is found.
    await insertFollow(stranger, creator)
    await insertFollow(viewer, creator)
    const find = (user: SessionUser, turn: number) =>
      runAs(
        user,
        (tx) => tx<{ user_id: string; total: number }[]>`
          select user_id, total from private.find_followed_followers(${creator.id}, ${turn})`,
      )
    const found = await Promise.all([1, 2, 3, 4, 5].map((turn) => find(viewer, turn)))
    const [first, second, third] = common.map(({ id }) => ({ user_id: id, total: 3 })).reverse()
    expect(found.flat()).toEqual([first, second, third, first, second])
    expect(await find(stranger, 1)).toEqual([])
  })
})

describe('making a profile private', () => {
  it('hides existing posts immediately', async () => {
    const subject = await insertUser()
    const stranger = await insertUser()
    const id = await insertPost(subject)
    const count = () =>
      runAs(stranger, (tx) => tx`select 1 from public.posts where id = ${id}`).then((rows) => rows.length)
    expect(await count()).toBe(1)
    await runAs(
      subject,
      (tx) => tx`update public.profiles set visibility = 'private' where id = ${subject.id}`,
    )
    expect(await count()).toBe(0)
  })
})
