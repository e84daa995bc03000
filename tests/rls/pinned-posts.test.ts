import { describe, expect, it } from 'vitest'
import {
  getSqlState,
  insertBlock,
  insertPost,
  insertUser,
  insertUsers,
  runAs,
  type SessionUser,
  sql,
} from './database.ts'

const setPinned = (user: SessionUser | null, id: string, pinned = true) =>
  runAs(user, (tx) => tx`select private.set_post_pinned(${id}, ${pinned})`)
const listPinned = async (author: SessionUser) =>
  (await sql<{ id: string }[]>`select id from public.posts where author_id = ${author.id} and pinned`).map(
    ({ id }) => id,
  )

describe('pinned posts', () => {
  it('can be pinned only by their author, one at a time', async () => {
    const [author, stranger] = await insertUsers(2)
    if (!author || !stranger) throw new Error('unreachable')
    const [first, second] = [await insertPost(author), await insertPost(author)]
    for (const user of [stranger, null]) {
      for (const pinned of [true, false]) {
        const code = user ? 'PT403' : '42501'
        expect(await getSqlState(setPinned(user, first, pinned))).toBe(code)
      }
    }
    expect(await listPinned(author)).toEqual([])
    await setPinned(author, first)
    await setPinned(author, first)
    expect(await listPinned(author)).toEqual([first])
    await setPinned(author, second)
    expect(await listPinned(author)).toEqual([second])
    // Unpinning a post that is not pinned does not unpin the other one.
    await setPinned(author, first, false)
    expect(await listPinned(author)).toEqual([second])
    await setPinned(author, second, false)
    expect(await listPinned(author)).toEqual([])
    // Clients can neither set the column directly nor pin a post when they create it.
    for (const statement of [
      `update public.posts set pinned = true where id = '${first}'`,
      "insert into public.posts (content, pinned) values ('Pinned', true)",
    ])
      expect(await getSqlState(runAs(author, (tx) => tx.unsafe(statement)))).toBe('42501')
    await setPinned(author, first)
    await runAs(author, (tx) => tx`delete from public.posts where id = ${first}`)
    expect(await listPinned(author)).toEqual([])
  })

  it('are limited to one per author even when several are pinned at the same time', async () => {
    const [author] = await insertUsers(1)
    if (!author) throw new Error('unreachable')
    const posts = await Promise.all(Array.from({ length: 6 }, () => insertPost(author)))
    for (let round = 0; round < 5; round++) {
      await Promise.all(posts.map((id) => setPinned(author, id)))
      expect(await listPinned(author)).toHaveLength(1)
    }
  })

  it('can be unpinned but not pinned while hidden by moderators, and are not found when removed', async () => {
    const [author] = await insertUsers(1)
    if (!author) throw new Error('unreachable')
    const id = await insertPost(author)
    await setPinned(author, id)
    await sql`update public.posts set hidden = 'hidden' where id = ${id}`
    await setPinned(author, id, false)
    expect(await getSqlState(setPinned(author, id))).toBe('PT403')
    await sql`update public.posts set hidden = 'removed' where id = ${id}`
    expect(await getSqlState(setPinned(author, id, false))).toBe('PT404')
  })

  it('can be neither pinned nor unpinned by a read-only account or an ended session', async () => {
    const [readOnly, signedOut] = await insertUsers(2)
    if (!readOnly || !signedOut) throw new Error('unreachable')
    await sql`update public.accounts set read_only_reason = 'Spam' where user_id = ${readOnly.id}`
    await sql`delete from auth.sessions where id = ${signedOut.sessionId}`
    for (const [user, code] of [
      [readOnly, 'PT403'],
      [signedOut, '42501'],
    ] as const) {
      const [pinned, notPinned] = [await insertPost(user), await insertPost(user)]
      await sql`update public.posts set pinned = true where id = ${pinned}`
      expect(await getSqlState(setPinned(user, pinned, false))).toBe(code)
      expect(await getSqlState(setPinned(user, notPinned))).toBe(code)
      expect(await listPinned(user)).toEqual([pinned])
    }
  })

  it('are not found by users who try to pin or unpin them but cannot view the author’s profile', async () => {
    const [stranger, blocked, blocker, author] = await insertUsers(4)
    if (!stranger || !blocked || !blocker || !author) throw new Error('unreachable')
    const [privateUser, followersOnlyUser] = await Promise.all([
      insertUser({ visibility: 'private' }),
      insertUser({ visibility: 'followers' }),
    ])
    await insertBlock(author, blocked)
    await insertBlock(blocker, author)
    const id = await insertPost(author)
    for (const [user, postId] of [
      [blocked, id],
      [blocker, id],
      [stranger, await insertPost(privateUser)],
      [stranger, await insertPost(followersOnlyUser)],
    ] as const) {
      for (const pinned of [true, false])
        expect(await getSqlState(setPinned(user, postId, pinned))).toBe('PT404')
    }
  })

  it('can be pinned and unpinned at most 30 times a minute, a limit that also counts new posts', async () => {
    const [author] = await insertUsers(1)
    if (!author) throw new Error('unreachable')
    const id = await insertPost(author)
    const pinRepeatedly = () =>
      runAs(
        author,
        (tx) => tx`select private.set_post_pinned(${id}, n % 2 = 0) from generate_series(1, 30) n`,
      )
    await pinRepeatedly()
    // If a new minute began during the first thirty calls, another thirty reach the limit.
    const codes = [await getSqlState(setPinned(author, id, false)).catch(() => 'passed')]
    if (codes[0] === 'passed') codes.push(await getSqlState(pinRepeatedly()))
    expect(codes.at(-1)).toBe('PT429')
    const post = runAs(author, (tx) => tx`insert into public.posts (content) values ('One more')`)
    expect(await getSqlState(post)).toBe('PT429')
  })

  it('send an event on the topic of the author’s profile when pinned or unpinned', async () => {
    const [author] = await insertUsers(1)
    if (!author) throw new Error('unreachable')
    const id = await insertPost(author)
    const takeEvents = async () =>
      (
        await sql<{ event: string }[]>`
          delete from realtime.messages where topic = ${`profile:${author.id}`} returning event`
      ).map(({ event }) => event)
    await takeEvents()
    await setPinned(author, id)
    expect(await takeEvents()).toEqual(['posts.changed'])
    await setPinned(author, id)
    expect(await takeEvents()).toEqual([])
    await setPinned(author, id, false)
    expect(await takeEvents()).toEqual(['posts.changed'])
  })
})
