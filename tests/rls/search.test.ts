import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getSqlState, insertBlock, insertUser, runAs, type SessionUser, sql } from './database.ts'

/**
 * `private.find_people` looks past the policies to be fast: what it answers must be what they would have let through.
 */
let seeker: SessionUser
let open: SessionUser
let hidden: SessionUser
let blocking: SessionUser
let blocked: SessionUser
let admin: SessionUser
const made: string[] = []
const mark = `q${Date.now().toString(36)}`

beforeAll(async () => {
  ;[seeker, open, hidden, blocking, blocked, admin] = await Promise.all([
    insertUser(),
    insertUser(),
    insertUser(),
    insertUser(),
    insertUser(),
    insertUser({ admin: true }),
  ])
  const people = [seeker, open, hidden, blocking, blocked, admin]
  made.push(...people.map(({ id }) => id))
  await sql`update public.profiles set full_name = 'Name ' || ${mark} where id = any(${made}::uuid[])`
  await sql`update public.profiles set show_in_directory = false where id = ${hidden.id}`
  await insertBlock(blocking, seeker)
  await insertBlock(seeker, blocked)
})

afterAll(async () => {
  await sql`delete from auth.users where id = any(${made}::uuid[])`
  await sql.end()
})

const found = async (who: SessionUser | null, query: string) =>
  (
    await runAs(
      who,
      (tx) => tx<{ id: string }[]>`
      select person_id as id from private.find_people(${query}, -1, '', null, 50)`,
    )
  ).map(({ id }) => id)

const sorted = (...people: SessionUser[]) => people.map(({ id }) => id).sort()

describe('finding people', () => {
  it('keeps to blocks, the directory and the living session, at every rank', async () => {
    for (const query of [mark, `name ${mark}`, `${mark} name`]) {
      expect((await found(seeker, query)).sort()).toEqual(sorted(seeker, open, admin))
      expect((await found(blocked, query)).sort()).toEqual(sorted(open, blocking, blocked, admin))
      expect((await found(hidden, query)).sort()).toEqual(
        sorted(seeker, open, hidden, blocking, blocked, admin),
      )
      expect((await found(admin, query)).sort()).toEqual(sorted(seeker, open, blocking, blocked, admin))
    }
    for (const { username } of [hidden, blocking, blocked]) {
      expect(await found(seeker, username)).toEqual([])
      expect(await found(seeker, username.slice(0, -1))).toEqual([])
    }
    expect(await found({ ...seeker, sessionId: open.sessionId }, mark)).toEqual([])
  })

  it('gives nobody what a policy would have kept', async () => {
    for (const who of [seeker, blocked, hidden, admin]) {
      const [row] = await runAs(
        who,
        (tx) => tx<{ found: number; readable: number }[]>`
        select count(*)::int as found, count(p.id)::int as readable
        from private.find_people(${mark}, -1, '', null, 50) f left join public.profiles p on p.id = f.person_id`,
      )
      expect(row?.readable).toBe(row?.found)
      expect(row?.found).toBeGreaterThan(2)
    }
  })

  it('is for people, and the view behind it for nobody', async () => {
    expect(await getSqlState(found(null, mark))).toBe('42501')
    expect(await getSqlState(runAs(seeker, (tx) => tx`select from private.listed_profiles`))).toBe('42501')
    expect(await getSqlState(runAs(seeker, (tx) => tx`select from private.reserved_usernames`))).toBe('42501')
    expect(await getSqlState(runAs(seeker, (tx) => tx`select private.username_problem('ana')`))).toBe('42501')
  })

  it('does not keep anybody from changing their privacy', async () => {
    // Columns and indexes are computed anew with the rights of whoever changes the row.
    await sql`update public.profiles set is_creator = true where id = ${open.id}`
    for (const visibility of ['followers', 'private', 'public']) {
      await runAs(
        open,
        (tx) => tx`update public.profiles set visibility = ${visibility} where id = ${open.id}`,
      )
    }
    const [row] = await sql`select visibility from public.profiles where id = ${open.id}`
    expect(row?.visibility).toBe('public')
  })
})
