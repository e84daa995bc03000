import { describe, expect, it } from 'vitest'
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
} from './database.ts'

const setReposted = async (user: SessionUser, postId: string, reposted: boolean) => {
  const [row] = await runAs(
    user,
    (tx) => tx<{ count: number | null }[]>`select private.set_reposted(${postId}, ${reposted}) as count`,
  )
  return row?.count
}
const repost = (user: SessionUser, postId: string) => setReposted(user, postId, true)
const undo = (user: SessionUser, postId: string) => setReposted(user, postId, false)

/** Returns how many of a post's reposts a user or visitor can read. */
const countReadable = async (user: SessionUser | null, postId: string) =>
  (await runAs(user, (tx) => tx`select from public.reposts where post_id = ${postId}`)).count

const readCounts = async (postId: string) => {
  const [row] = await sql`
    select p.reposts_count as stored, (select count(*)::int from public.reposts r where r.post_id = p.id) as rows,
           (select count(*)::int from public.notifications n where n.post_id = p.id and n.kind = 'repost') as notifications
    from public.posts p where p.id = ${postId}`
  return row
}

const setVisibility = (user: SessionUser, visibility: string) =>
  sql`update public.profiles set visibility = ${visibility} where id = ${user.id}`
const setDiscoverable = (user: SessionUser, isDiscoverable: boolean) =>
  sql`update public.profiles set content_discoverable = ${isDiscoverable} where id = ${user.id}`

/** Inserts an author, a user who reposted their post, a follower of each, and a stranger. */
async function insertRepost() {
  const [author, reposter, authorsFollower, repostersFollower, stranger] = await Promise.all([
    insertUser(),
    insertUser(),
    insertUser(),
    insertUser(),
    insertUser(),
  ])
  await insertFollow(authorsFollower, author)
  await insertFollow(repostersFollower, reposter)
  const postId = await insertPost(author)
  await repost(reposter, postId)
  return { author, reposter, authorsFollower, repostersFollower, stranger, postId }
}

describe('private.set_reposted', () => {
  it('stores one repost and one notification per user, even for concurrent and repeated calls', async () => {
    const [author, ...fans] = await insertUsers(7)
    if (!author) throw new Error('unreachable')
    const postId = await insertPost(author)
    await Promise.all(fans.flatMap((fan) => [1, 2, 3].map(() => repost(fan, postId))))
    expect(await readCounts(postId)).toEqual({ stored: 6, rows: 6, notifications: 6 })
    expect(
      await sql`select people from public.notifications where user_id = ${author.id} and is_head`,
    ).toEqual([{ people: 6 }])
    await Promise.all(fans.slice(0, 3).flatMap((fan) => [1, 2].map(() => undo(fan, postId))))
    expect(await readCounts(postId)).toEqual({ stored: 3, rows: 3, notifications: 3 })
    await Promise.all(fans.map((fan, index) => setReposted(fan, postId, index % 2 === 0)))
    expect(await readCounts(postId)).toEqual({ stored: 3, rows: 3, notifications: 3 })
  })

  it('rejects posts that the user cannot see, and posts whose author is not public and discoverable', async () => {
    const [author, user, follower] = await insertUsers(3)
    if (!author || !user || !follower) throw new Error('unreachable')
    await insertFollow(follower, author)
    const postId = await insertPost(author)
    await setVisibility(author, 'followers')
    expect(await getSqlState(repost(user, postId))).toBe('PT404')
    expect(await getSqlState(repost(follower, postId))).toBe('PT403')
    await setVisibility(author, 'private')
    for (const other of [user, follower]) expect(await getSqlState(repost(other, postId))).toBe('PT404')
    await setVisibility(author, 'public')
    await setDiscoverable(author, false)
    for (const other of [user, follower]) expect(await getSqlState(repost(other, postId))).toBe('PT403')
    // Authors can repost their own posts.
    expect(await repost(author, postId)).toBe(1)
    await setDiscoverable(author, true)
    await sql`update public.posts set hidden = 'hidden' where id = ${postId}`
    for (const other of [user, author]) {
      await undo(other, postId)
      expect(await getSqlState(repost(other, postId))).toBe('PT404')
    }
    expect(await readCounts(postId)).toEqual({ stored: 0, rows: 0, notifications: 0 })
  })

  it('rejects a post if its author has blocked the user, or the user has blocked its author', async () => {
    const [author, user] = await insertUsers(2)
    if (!author || !user) throw new Error('unreachable')
    const postId = await insertPost(author)
    for (const [blocker, blocked] of [
      [author, user],
      [user, author],
    ] as const) {
      await insertBlock(blocker, blocked)
      expect(await getSqlState(repost(user, postId))).toBe('PT404')
      await sql`delete from public.blocks where blocker_id = ${blocker.id}`
    }
    expect(await repost(user, postId)).toBe(1)
  })

  it('lets read-only accounts only undo reposts, and changes nothing after the session has ended', async () => {
    const [author, user] = await insertUsers(2)
    if (!author || !user) throw new Error('unreachable')
    const postId = await insertPost(author)
    await repost(user, postId)
    await sql`delete from auth.sessions where id = ${user.sessionId}`
    await undo(user, postId)
    expect((await readCounts(postId))?.rows).toBe(1)
    expect(await getSqlState(repost(user, postId))).toBe('42501')
    await sql`insert into auth.sessions (id, user_id) values (${user.sessionId}, ${user.id})`
    await sql`update public.accounts set read_only_reason = 'Spam' where user_id = ${user.id}`
    expect(await undo(user, postId)).toBe(0)
    expect(await getSqlState(repost(user, postId))).toBe('PT403')
    expect(await readCounts(postId)).toEqual({ stored: 0, rows: 0, notifications: 0 })
  })

  it('returns no count for a post that the user can no longer see', async () => {
    const { author, reposter, postId } = await insertRepost()
    await setVisibility(author, 'private')
    expect(await undo(reposter, postId)).toBeNull()
    expect((await readCounts(postId))?.rows).toBe(0)
  })

  it('shares its limit with likes, and does not count repeated calls', async () => {
    const [author, user] = await insertUsers(2)
    if (!author || !user) throw new Error('unreachable')
    const [postId, otherId] = [await insertPost(author), await insertPost(author)]
    await repost(user, postId)
    await sql`select private.consume_rate_limit('relations', ${user.id}, 120, '1 minute') from generate_series(1, 120)`
    expect(await getSqlState(repost(user, otherId))).toBe('PT429')
    expect(await repost(user, postId)).toBe(1)
    expect(await undo(user, postId)).toBe(0)
  })
})

describe('reposts', () => {
  it('cannot be written directly', async () => {
    const [author, user] = await insertUsers(2)
    if (!author || !user) throw new Error('unreachable')
    const postId = await insertPost(author)
    await repost(user, postId)
    for (const caller of [user, author, null]) {
      for (const statement of [
        `insert into public.reposts (post_id, user_id) values ('${postId}', '${author.id}')`,
        `delete from public.reposts where post_id = '${postId}'`,
        `update public.reposts set created_at = now()`,
      ])
        expect(await getSqlState(runAs(caller, (tx) => tx.unsafe(statement)))).toBe('42501')
    }
  })

  it('are shown to those who can see the post and both profiles and, if the author is not discoverable, follow the author', async () => {
    const { author, reposter, authorsFollower, repostersFollower, stranger, postId } = await insertRepost()
    const everyone = [author, reposter, authorsFollower, repostersFollower, stranger, null]
    /** Checks that these users, and no others, can read the repost. The user who reposted the post always can. */
    const expectReaders = async (...readers: (SessionUser | null)[]) => {
      const actual: (SessionUser | null)[] = []
      for (const user of everyone) if ((await countReadable(user, postId)) > 0) actual.push(user)
      expect(actual).toEqual(everyone.filter((user) => user === reposter || readers.includes(user)))
    }
    await expectReaders(...everyone)

    await setVisibility(author, 'followers')
    await expectReaders(author, authorsFollower)
    await setVisibility(author, 'private')
    await expectReaders(author)
    await setVisibility(author, 'public')

    await setDiscoverable(author, false)
    await expectReaders(author, authorsFollower)
    await setDiscoverable(author, true)

    await setVisibility(reposter, 'followers')
    await expectReaders(repostersFollower)
    await setVisibility(reposter, 'private')
    await expectReaders()
    await setVisibility(reposter, 'public')

    for (const hidden of ['hidden', 'removed']) {
      await sql`update public.posts set hidden = ${hidden} where id = ${postId}`
      await expectReaders()
    }
    await sql`update public.posts set hidden = null where id = ${postId}`
    await expectReaders(...everyone)
  })

  it('are hidden from a reader by a block with the author or reposter, and from everyone but the reposter by a block between author and reposter', async () => {
    const { author, reposter, stranger, repostersFollower, postId } = await insertRepost()
    for (const [one, other, hiddenFrom] of [
      [stranger, author, [stranger]],
      [stranger, reposter, [stranger]],
      [author, reposter, [author, stranger, repostersFollower, null]],
    ] as const) {
      for (const [blocker, blocked] of [
        [one, other],
        [other, one],
      ] as const) {
        await insertBlock(blocker, blocked)
        for (const user of hiddenFrom) expect(await countReadable(user, postId)).toBe(0)
        await sql`delete from public.blocks where blocker_id = ${blocker.id}`
        for (const user of hiddenFrom) expect(await countReadable(user, postId)).toBe(1)
      }
    }
  })

  it('cannot be read after the session has ended', async () => {
    const { stranger, postId } = await insertRepost()
    await sql`delete from auth.sessions where id = ${stranger.sessionId}`
    expect(await countReadable(stranger, postId)).toBe(0)
  })

  it('are deleted with the account or the post, which lowers the count and deletes the notification', async () => {
    const { author, reposter, stranger, postId } = await insertRepost()
    await repost(stranger, postId)
    await sql`delete from auth.users where id = ${reposter.id}`
    expect(await readCounts(postId)).toEqual({ stored: 1, rows: 1, notifications: 1 })
    await runAs(author, (tx) => tx`delete from public.posts where id = ${postId}`)
    expect(await sql`select from public.reposts where post_id = ${postId}`).toHaveLength(0)
    // Only the notification about the follower is left.
    expect(
      await sql`select unread_notifications as unread from public.user_counters where user_id = ${author.id}`,
    ).toEqual([{ unread: 1 }])
  })

  it('do not notify authors who cannot view the profile of the user who reposted', async () => {
    const [author, followersOnlyUser] = [await insertUser(), await insertUser({ visibility: 'followers' })]
    const postId = await insertPost(author)
    await repost(followersOnlyUser, postId)
    expect(await readCounts(postId)).toEqual({ stored: 1, rows: 1, notifications: 0 })
  })

  it('do not deadlock with likes and the deletion of accounts', async () => {
    const [author, other, ...fans] = await insertUsers(8)
    if (!author || !other) throw new Error('unreachable')
    const postIds = [await insertPost(author), await insertPost(other), await insertPost(author)]
    await Promise.all(fans.flatMap((fan) => postIds.map((id) => repost(fan, id))))
    const deletedFans = fans.slice(0, 3)
    await Promise.all([
      ...deletedFans.map((fan) => sql`delete from auth.users where id = ${fan.id}`),
      ...fans
        .slice(3)
        .flatMap((fan) =>
          postIds.flatMap((id) => [
            undo(fan, id),
            runAs(fan, (tx) => tx`select public.toggle_like(${id})`),
            repost(fan, id),
          ]),
        ),
    ])
    for (const id of postIds) {
      const counts = await readCounts(id)
      expect(counts?.stored).toBe(counts?.rows)
    }
  })
})
