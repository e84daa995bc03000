import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { as, block, follow, owner, type Person, person, post, type Visibility } from './support.ts'

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
  let subject: Person
  let postId: string
  const people = new Map<Reader, Person | null>([['visitor', null]])

  beforeAll(async () => {
    subject = await person({ visibility })
    postId = await post(subject)
    people.set('self', subject)
    for (const reader of ['stranger', 'follower', 'blocked', 'blocker', 'signedOut'] as const) {
      people.set(reader, await person())
    }
    people.set('admin', await person({ admin: true }))
    await follow(people.get('follower') as Person, subject)
    // Followed first, then blocked: the block must win and end the follow.
    await follow(people.get('blocked') as Person, subject)
    await block(subject, people.get('blocked') as Person)
    await block(people.get('blocker') as Person, subject)
    await owner`delete from auth.sessions where id = ${(people.get('signedOut') as Person).sessionId}`
  })

  it.each(readers)('is read by %s as the rule says', async (reader) => {
    const who = people.get(reader) ?? null
    const seen = await as(who, async (tx) => ({
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
    await owner`update public.profiles set show_follower_count = false where id = ${subject.id}`
    try {
      const rows = await as(
        people.get(reader) ?? null,
        (tx) => tx`select user_id from public.profile_counts where user_id = ${subject.id}`,
      )
      expect(rows.length).toBe(reader === 'self' || reader === 'admin' ? 1 : 0)
    } finally {
      await owner`update public.profiles set show_follower_count = true where id = ${subject.id}`
    }
  })

  it.each(readers)('shows its followers to %s only where it shows its counts', async (reader) => {
    const who = people.get(reader) ?? null
    if (!who) {
      await expect(as(null, (tx) => tx`select * from public.follows`)).rejects.toThrow(/permission denied/)
      return
    }
    const lists = () =>
      as(who, async (tx) => ({
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
    await owner`update public.profiles set show_follower_count = false where id = ${subject.id}`
    try {
      expect(await lists()).toEqual({ table: own, list: reader === 'self' || reader === 'admin' ? 1 : 0 })
    } finally {
      await owner`update public.profiles set show_follower_count = true where id = ${subject.id}`
    }
  })

  it.each(readers)('gives away email, phone and counters to %s only as the rule says', async (reader) => {
    const who = people.get(reader) ?? null
    if (!who) {
      await expect(as(null, (tx) => tx`select * from public.accounts`)).rejects.toThrow(/permission denied/)
      return
    }
    const seen = await as(who, async (tx) => ({
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
    const subject = await person()
    const stranger = await person()
    const id = await post(subject)
    const count = () =>
      as(stranger, (tx) => tx`select 1 from public.posts where id = ${id}`).then((rows) => rows.length)
    expect(await count()).toBe(1)
    await as(subject, (tx) => tx`update public.profiles set visibility = 'private' where id = ${subject.id}`)
    expect(await count()).toBe(0)
  })
})

afterAll(() => owner.end())
