import { beforeAll, describe, expect, it } from 'vitest'
import { apiAs } from '../support/api.ts'
import { getInsertError } from '../support/name-fixtures.ts'
import { registerWithoutRateLimit, sql } from '../support/stack.ts'
import { createUser, registrationForm, type TestUser } from '../support/users.ts'

const visitor = apiAs(null)
let creator: TestUser

beforeAll(async () => {
  // `pa1ette_…`: signs in it have look-alikes.
  creator = await createUser({ username: `pa1ette_rn_${Date.now().toString(36)}` })
  await sql`update public.profiles set is_creator = true where id = ${creator.id}`
})

/** What the database says of a username. */
const problemOf = async (name: string) =>
  (await sql<{ problem: string | null }[]>`select private.username_problem(${name}) as problem`)[0]?.problem

const refuse = async (changes: Record<string, unknown>, status = 400) =>
  await visitor.expectError('POST', '/api/auth/register', status, { body: await registrationForm(changes) })

const reserved = { code: 'PT400', message: 'This username is reserved', detail: 'username_reserved' }
const taken = { code: 'PT409', message: 'Username is already taken', detail: 'username_taken' }

describe('a reserved username', () => {
  it('is refused in any disguise that keeps its look', async () => {
    const names = ['admin', 'ADMIN', 'adm1n', '_Admin_', 'a_d_m_i_n', 'supp0rt', 'Moderat0r']
    const more = [
      'api',
      'settings',
      'deleted',
      'DELETED_',
      'm_e',
      'Null',
      'tearn',
      'rese_tpassword',
      'reset_password',
    ]
    const house = ['Ovation', '0vation_Support', 'ovation_help_desk', 'the_ovation_team', 'official_admin']
    house.push('real_ovation', 'ovation_support1', 'admin1', 'Supp0rt_24')
    for (const name of [...names, ...more, ...house]) {
      expect([name, await problemOf(name)]).toEqual([name, 'reserved'])
    }
    for (const name of [
      'adminton',
      'madmin',
      'apiary',
      'settings_fan',
      'novation',
      'teammate',
      'ana',
      'desk_help',
      // They look like `all`, `mail` and `self`, which only machines would mistake.
      'ali',
      'mali',
      'seif',
    ]) {
      expect([name, await problemOf(name)]).toEqual([name, null])
    }
  })

  it('says so to a form, beside everything else that is wrong', async () => {
    for (const username of ['admin', 'Supp0rt_', 'ovation_team']) {
      expect(await refuse({ username })).toEqual({
        message: 'This username is reserved',
        code: 'username_reserved',
        errors: { username: ['This username is reserved'] },
      })
    }
    expect(await refuse({ username: 'api', email: creator.email })).toEqual({
      message: 'This username is reserved',
      code: 'username_reserved',
      errors: { username: ['This username is reserved'], email: ['Email is already registered'] },
    })
  })

  it('can be added by the operator, and is the operators’ own to give', async () => {
    const word = `zq${creator.id.slice(0, 6)}`
    await sql`insert into private.reserved_usernames (name) values (${word})`
    try {
      expect(await getInsertError({ username: `${word}_` })).toEqual(reserved)
      await sql`update public.profiles set is_admin = true, username = ${word} where id = ${creator.id}`
    } finally {
      await sql`update public.profiles set username = ${creator.username} where id = ${creator.id}`
      await sql`update public.profiles set is_admin = false where id = ${creator.id}`
      await sql`delete from private.reserved_usernames where name = ${word}`
    }
    expect(await problemOf(word)).toBeNull()
  })
})

describe('a username that looks like another', () => {
  it('is taken where the other is a creator’s or admin’s, and free where it is anybody’s', async () => {
    const alike = creator.username.replace('pa1', 'PAl').replace('rn', '_m')
    expect(await refuse({ username: alike }, 409)).toEqual({
      message: 'Username is already taken',
      code: 'username_taken',
      errors: { username: ['Username is already taken'] },
    })
    expect(await getInsertError({ username: alike })).toEqual(taken)
    expect(await getInsertError({ username: creator.username.toUpperCase() })).toEqual(taken)
    await sql`update public.profiles set is_creator = false where id = ${creator.id}`
    expect(await problemOf(alike)).toBeNull()
    expect(await problemOf(creator.username.toUpperCase())).toBe('taken')
    await sql`update public.profiles set is_creator = true where id = ${creator.id}`
  })

  it('may be one’s own', async () => {
    const alike = creator.username.replace('pa1', 'pal')
    await sql`update public.profiles set username = ${alike} where id = ${creator.id}`
    await sql`update public.profiles set username = ${creator.username} where id = ${creator.id}`
    const other = await createUser()
    const attempt = sql`update public.profiles set username = ${alike} where id = ${other.id}`
    await expect(attempt).rejects.toMatchObject(taken)
  })

  it('is found out at the last moment too, and answered for', async () => {
    const word = `zr${creator.id.slice(0, 6)}`
    const body = await registrationForm({ username: word })
    await registerWithoutRateLimit(async () => {
      const answer = await sql.begin(async (tx) => {
        const [me] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
        await tx`lock table auth.users in share mode`
        const asked = visitor.expectError('POST', '/api/auth/register', 400, { body })
        const waiting =
          () => sql`select from pg_stat_activity a where ${me?.pid ?? 0} = any(pg_blocking_pids(a.pid))
                                  and a.wait_event_type = 'Lock'`
        while ((await waiting()).count === 0) await new Promise((resolve) => setTimeout(resolve, 20))
        await sql`insert into private.reserved_usernames (name) values (${word})`
        return { asked }
      })
      expect((await answer.asked).code).toBe('username_reserved')
    })
    await sql`delete from private.reserved_usernames where name = ${word}`
    expect(await sql`select from auth.users where email = ${body.email}`).toHaveLength(0)
  })
})
