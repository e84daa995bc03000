import { describe, expect, it } from 'vitest'
import { getSqlState, insertPost, insertUsers, runAs, type SessionUser, sql } from './database.ts'

const setPinned = (user: SessionUser | null, id: string, pinned = true) =>
  runAs(user, (tx) => tx`select private.set_post_pinned(${id}, ${pinned})`)
const listPinned = async (author: SessionUser) =>
  (await sql<{ id: string }[]>`select id from public.posts where author_id = ${author.id} and pinned`).map(
    ({ id }) => id,
  )

describe('pinned posts', () => {
  it('are pinned only by their author, one at a time', async () => {
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
    // Clients can neither set the column nor pin a post while they create it.
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

  it('can be unpinned but not pinned while moderators hide them or the account is read-only', async () => {
    const [author] = await insertUsers(1)
    if (!author) throw new Error('unreachable')
    const id = await insertPost(author)
    await setPinned(author, id)
    await sql`update public.posts set hidden = 'hidden' where id = ${id}`
    await setPinned(author, id, false)
    expect(await getSqlState(setPinned(author, id))).toBe('PT403')
    await sql`update public.posts set hidden = 'removed' where id = ${id}`
    expect(await getSqlState(setPinned(author, id, false))).toBe('PT404')
    await sql`update public.posts set hidden = null where id = ${id}`
    await sql`update public.accounts set suspended_at = now(), suspension_reason = 'Spam', read_only_reason = 'Spam' where user_id = ${author.id}`
    expect(await getSqlState(setPinned(author, id))).toBe('PT403')
  })

  it('update the open pages of the profile when they are pinned or unpinned', async () => {
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
