import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deleteAccounts } from '../support/deadlocks.ts'
import { getSqlState, insertBlock, insertUser, runAs, type SessionUser, sql } from './database.ts'

// For speed, `private.search_users` bypasses the policies, so its results must match what the policies allow.

let searcher: SessionUser
let listed: SessionUser
let hidden: SessionUser
let blocker: SessionUser
let blocked: SessionUser
let admin: SessionUser
const createdIds: string[] = []
const marker = `q${Date.now().toString(36)}`

beforeAll(async () => {
  ;[searcher, listed, hidden, blocker, blocked, admin] = await Promise.all([
    insertUser(),
    insertUser(),
    insertUser(),
    insertUser(),
    insertUser(),
    insertUser({ admin: true }),
  ])
  const users = [searcher, listed, hidden, blocker, blocked, admin]
  createdIds.push(...users.map(({ id }) => id))
  await sql`update public.profiles set full_name = 'Name ' || ${marker} where id = any(${createdIds}::uuid[])`
  await sql`update public.profiles set show_in_directory = false where id = ${hidden.id}`
  await insertBlock(blocker, searcher)
  await insertBlock(searcher, blocked)
})

afterAll(() => deleteAccounts(sql, createdIds))

const search = async (user: SessionUser | null, query: string) =>
  (
    await runAs(
      user,
      (tx) => tx<{ id: string }[]>`
      select user_id as id from private.search_users(${query}, -1, '', null, 50)`,
    )
  ).map(({ id }) => id)

const sortedIds = (...users: SessionUser[]) => users.map(({ id }) => id).sort()

describe('user search', () => {
  it('respects blocks and the directory setting for every kind of match, and requires a valid session', async () => {
    for (const query of [marker, `name ${marker}`, `${marker} name`]) {
      expect((await search(searcher, query)).sort()).toEqual(sortedIds(searcher, listed, admin))
      expect((await search(blocked, query)).sort()).toEqual(sortedIds(listed, blocker, blocked, admin))
      expect((await search(hidden, query)).sort()).toEqual(
        sortedIds(searcher, listed, hidden, blocker, blocked, admin),
      )
      expect((await search(admin, query)).sort()).toEqual(
        sortedIds(searcher, listed, blocker, blocked, admin),
      )
    }
    for (const { username } of [hidden, blocker, blocked]) {
      expect(await search(searcher, username)).toEqual([])
      expect(await search(searcher, username.slice(0, -1))).toEqual([])
    }
    expect(await search({ ...searcher, sessionId: listed.sessionId }, marker)).toEqual([])
  })

  it('returns only profiles that the policies allow the searcher to read', async () => {
    for (const user of [searcher, blocked, hidden, admin]) {
      const [row] = await runAs(
        user,
        (tx) => tx<{ found: number; readable: number }[]>`
        select count(*)::int as found, count(p.id)::int as readable
        from private.search_users(${marker}, -1, '', null, 50) f left join public.profiles p on p.id = f.user_id`,
      )
      expect(row?.readable).toBe(row?.found)
      expect(row?.found).toBeGreaterThan(2)
    }
  })

  it('is available to signed-in users only, and clients cannot use its view or the username checks', async () => {
    expect(await getSqlState(search(null, marker))).toBe('42501')
    expect(await getSqlState(runAs(searcher, (tx) => tx`select from private.directory_profiles`))).toBe(
      '42501',
    )
    expect(await getSqlState(runAs(searcher, (tx) => tx`select from private.reserved_usernames`))).toBe(
      '42501',
    )
    expect(await getSqlState(runAs(searcher, (tx) => tx`select private.username_problem('ana')`))).toBe(
      '42501',
    )
  })

  it('does not prevent users from changing their visibility', async () => {
    // Generated columns and indexes are computed with the privileges of the user who updates the row.
    await sql`update public.profiles set is_creator = true where id = ${listed.id}`
    for (const visibility of ['followers', 'private', 'public']) {
      await runAs(
        listed,
        (tx) => tx`update public.profiles set visibility = ${visibility} where id = ${listed.id}`,
      )
    }
    const [row] = await sql`select visibility from public.profiles where id = ${listed.id}`
    expect(row?.visibility).toBe('public')
  })
})
