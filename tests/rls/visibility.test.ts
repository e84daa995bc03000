import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  insertBlock,
  insertFollow,
  insertPost,
  insertUser,
  runAs,
  type SessionUser,
  sql,
  type Visibility,
} from './database.ts'

/** Who may read a person's profile, posts and counts: every reader against every visibility. */
const readers = [
  'visitor',
  'self',
  'stranger',
  'follower',
  'blocked',
  'blocker',
  'admin',
  'signedOut',
] as const
type Reader = (typeof readers)[number]

const mayView: Record<Visibility, readonly Reader[]> = {
  public: ['visitor', 'self', 'stranger', 'follower', 'admin'],
  followers: ['self', 'follower', 'admin'],
  private: ['self', 'admin'],
}
/** Name and picture stay visible, except within a block and to an ended session. */
const mayName: readonly Reader[] = ['visitor', 'self', 'stranger', 'follower', 'admin']

describe.each(['public', 'followers', 'private'] as const)('a %s profile', (visibility) => {
  let subject: SessionUser
  let postId: string
  const people = new Map<Reader, SessionUser | null>([['visitor', null]])

  beforeAll(async () => {
    subject = await insertUser({ visibility })
    postId = await insertPost(subject)
    people.set('self', subject)
    for (const reader of ['stranger', 'follower', 'blocked', 'blocker', 'signedOut'] as const) {
      people.set(reader, await insertUser())
    }
    people.set('admin', await insertUser({ admin: true }))
    await insertFollow(people.get('follower') as SessionUser, subject)
    // Followed first, then blocked: the block must win and end the follow.
    await insertFollow(people.get('blocked') as SessionUser, subject)
    await insertBlock(subject, people.get('blocked') as SessionUser)
    await insertBlock(people.get('blocker') as SessionUser, subject)
    await sql`delete from auth.sessions where id = ${(people.get('signedOut') as SessionUser).sessionId}`
  })

  it.each(readers)('is read by %s as the rule says', async (reader) => {
    const who = people.get(reader) ?? null
    const seen = await runAs(who, async (tx) => ({
      profile: (await tx`select id from public.profiles where id = ${subject.id}`).length,
      details: (await tx`select user_id from public.profile_details where user_id = ${subject.id}`).length,
      counts: (await tx`select user_id from public.profile_counts where user_id = ${subject.id}`).length,
      posts: (await tx`select id from public.posts where id = ${postId}`).length,
    }))
    const view = mayView[visibility].includes(reader) ? 1 : 0
    expect(seen).toEqual({
      profile: mayName.includes(reader) ? 1 : 0,
      details: view,
      counts: view,
      posts: view,
    })
  })

  it.each(readers)('has counts that %s does not see once they are hidden', async (reader) => {
    await sql`update public.profiles set show_follower_count = false where id = ${subject.id}`
    try {
      const rows = await runAs(
        people.get(reader) ?? null,
        (tx) => tx`select user_id from public.profile_counts where user_id = ${subject.id}`,
      )
      expect(rows.length).toBe(reader === 'self' || reader === 'admin' ? 1 : 0)
    } finally {
      await sql`update public.profiles set show_follower_count = true where id = ${subject.id}`
    }
  })

  it.each(readers)('shows its followers to %s only where it shows its counts', async (reader) => {
    const who = people.get(reader) ?? null
    if (!who) {
      await expect(runAs(null, (tx) => tx`select * from public.follows`)).rejects.toThrow(/permission denied/)
      return
    }
    const lists = () =>
      runAs(who, async (tx) => ({
        // The table gives everybody their own edges and no others.
        table: (
          await tx`select 1 from public.follows where followee_id = ${subject.id} and follower_id <> ${who.id}`
        ).length,
        list: (await tx`select 1 from private.list_follows(${subject.id}, 'followers', null, null, 50)`)
          .length,
      }))
    const view = mayView[visibility].includes(reader) ? 1 : 0
    const own = reader === 'self' ? 1 : 0
    expect(await lists()).toEqual({ table: own, list: view })
    await sql`update public.profiles set show_follower_count = false where id = ${subject.id}`
    try {
      expect(await lists()).toEqual({ table: own, list: reader === 'self' || reader === 'admin' ? 1 : 0 })
    } finally {
      await sql`update public.profiles set show_follower_count = true where id = ${subject.id}`
    }
  })

  it.each(readers)('gives away email, phone and counters to %s only as the rule says', async (reader) => {
    const who = people.get(reader) ?? null
    if (!who) {
      await expect(runAs(null, (tx) => tx`select * from public.accounts`)).rejects.toThrow(
        /permission denied/,
      )
      return
    }
    const seen = await runAs(who, async (tx) => ({
      account: (await tx`select 1 from public.accounts where user_id = ${subject.id}`).length,
      counters: (await tx`select 1 from public.user_counters where user_id = ${subject.id}`).length,
    }))
    expect(seen).toEqual({
      account: reader === 'self' || reader === 'admin' ? 1 : 0,
      counters: reader === 'self' ? 1 : 0,
    })
  })
})

describe('going private', () => {
  it('hides at the next read what was posted before', async () => {
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

afterAll(() => sql.end())
