import { ErrorBody } from '@contract/common.ts'
import { UsernameAvailability } from '@contract/settings.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { apiAs, authorizationHeader, call } from '../support/api.ts'
import { getInsertError } from '../support/name-fixtures.ts'
import { clearRateLimits, exhaustRateLimit, registerWithoutRateLimit, sql } from '../support/stack.ts'
import { createUser, makeAdmin, makeCreator, registrationForm, type TestUser } from '../support/users.ts'

const visitor = apiAs(null)
let creator: TestUser

beforeAll(async () => {
  // The username contains characters that have lookalikes: `1` and `rn`.
  creator = await createUser({ username: `pa1ette_rn_${Date.now().toString(36)}` })
  await makeCreator(creator)
})

/** Returns the problem that the database reports for a username, or null. */
const usernameProblem = async (name: string) =>
  (await sql<{ problem: string | null }[]>`select private.username_problem(${name}) as problem`)[0]?.problem

const registerExpectingError = async (changes: Record<string, unknown>, status = 400) =>
  await visitor.expectError('POST', '/api/auth/register', status, { body: await registrationForm(changes) })

const reservedError = { code: 'PT400', message: 'This username is reserved', detail: 'username_reserved' }
const takenError = { code: 'PT409', message: 'Username is already taken', detail: 'username_taken' }

describe('a reserved username', () => {
  it('is rejected in any similar spelling', async () => {
    const names = ['admin', 'ADMIN', 'adm1n', '_Admin_', 'a_d_m_i_n', 'supp0rt', 'Moderat0r']
    const reservedWords = [
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
    const staffNames = [
      'Ovation',
      '0vation_Support',
      'ovation_help_desk',
      'the_ovation_team',
      'official_admin',
    ]
    staffNames.push('real_ovation', 'ovation_support1', 'admin1', 'Supp0rt_24')
    for (const name of [...names, ...reservedWords, ...staffNames]) {
      expect([name, await usernameProblem(name)]).toEqual([name, 'reserved'])
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
      // These names have the same skeletons as `all`, `mail` and `self`, whose lookalikes are not reserved.
      'ali',
      'mali',
      'seif',
    ]) {
      expect([name, await usernameProblem(name)]).toEqual([name, null])
    }
  })

  it('is reported together with a taken email address', async () => {
    for (const username of ['admin', 'Supp0rt_', 'ovation_team']) {
      expect(await registerExpectingError({ username })).toEqual({
        message: 'This username is reserved',
        code: 'username_reserved',
        errors: { username: ['This username is reserved'] },
      })
    }
    expect(await registerExpectingError({ username: 'api', email: creator.email })).toEqual({
      message: 'This username is reserved',
      code: 'username_reserved',
      errors: { username: ['This username is reserved'], email: ['Email is already registered'] },
    })
  })

  it('can be added by the operator, and assigned only to admins', async () => {
    const word = `zq${creator.id.slice(0, 6)}`
    await sql`insert into private.reserved_usernames (name) values (${word})`
    try {
      expect(await getInsertError({ username: `${word}_` })).toEqual(reservedError)
      await sql`update public.profiles set is_admin = true, username = ${word} where id = ${creator.id}`
    } finally {
      await sql`update public.profiles set username = ${creator.username} where id = ${creator.id}`
      await sql`update public.profiles set is_admin = false where id = ${creator.id}`
      await sql`delete from private.reserved_usernames where name = ${word}`
    }
    expect(await usernameProblem(word)).toBeNull()
  })

  it('is rejected even if it becomes reserved during the registration', async () => {
    const word = `zr${creator.id.slice(0, 6)}`
    const body = await registrationForm({ username: word })
    await registerWithoutRateLimit(async () => {
      const pending = await sql.begin(async (tx) => {
        const [backend] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
        await tx`lock table auth.users in share mode`
        const registration = visitor.expectError('POST', '/api/auth/register', 400, { body })
        const waiting =
          () => sql`select from pg_stat_activity a where ${backend?.pid ?? 0} = any(pg_blocking_pids(a.pid))
                                  and a.wait_event_type = 'Lock'`
        while ((await waiting()).count === 0) await new Promise((resolve) => setTimeout(resolve, 20))
        await sql`insert into private.reserved_usernames (name) values (${word})`
        return { registration }
      })
      expect((await pending.registration).code).toBe('username_reserved')
    })
    await sql`delete from private.reserved_usernames where name = ${word}`
    expect(await sql`select from auth.users where email = ${body.email}`).toHaveLength(0)
  })
})

describe('a username that looks like another', () => {
  it('is rejected as taken while the other username belongs to a creator, and is available afterwards', async () => {
    const lookalike = creator.username.replace('pa1', 'PAl').replace('rn', '_m')
    expect(await registerExpectingError({ username: lookalike }, 409)).toEqual({
      message: 'Username is already taken',
      code: 'username_taken',
      errors: { username: ['Username is already taken'] },
    })
    expect(await getInsertError({ username: lookalike })).toEqual(takenError)
    expect(await getInsertError({ username: creator.username.toUpperCase() })).toEqual(takenError)
    await sql`update public.profiles set is_creator = false where id = ${creator.id}`
    expect(await usernameProblem(lookalike)).toBeNull()
    expect(await usernameProblem(creator.username.toUpperCase())).toBe('taken')
    await makeCreator(creator)
  })

  it("may resemble the user's own current username", async () => {
    const lookalike = creator.username.replace('pa1', 'pal')
    await sql`update public.profiles set username = ${lookalike} where id = ${creator.id}`
    await sql`update public.profiles set username = ${creator.username} where id = ${creator.id}`
    const other = await createUser()
    const attempt = sql`update public.profiles set username = ${lookalike} where id = ${other.id}`
    await expect(attempt).rejects.toMatchObject(takenError)
  })
})

describe('GET /api/users/username-availability', () => {
  const path = (username: string) => `/api/users/username-availability?username=${username}`
  const readProblem = async (user: TestUser, username: string) =>
    (await apiAs(user).get(path(username), UsernameAvailability)).body.problem

  it('returns the problem that saving the username would return', async () => {
    const [user, hidden] = [await createUser(), await createUser()]
    await sql`update public.profiles set visibility = 'private', show_in_directory = false where id = ${hidden.id}`
    const names = {
      supp0rt: 'username_reserved',
      [hidden.username]: 'username_taken',
      [creator.username.replace('pa1', 'PAl')]: 'username_taken',
      [user.username.toUpperCase()]: null,
      [`${user.username.slice(0, 20)}_n`]: null,
    }
    for (const [username, problem] of Object.entries(names)) {
      expect([username, await readProblem(user, username)]).toEqual([username, problem])
      const saved = await call('PATCH', '/api/profile', {
        body: { username },
        headers: authorizationHeader(user),
      })
      const code = saved.ok ? null : ErrorBody.parse(await saved.json()).code
      expect([username, code]).toEqual([username, problem])
    }
  })

  it('lets admins use reserved usernames', async () => {
    const admin = await createUser()
    await makeAdmin(admin)
    expect(await readProblem(admin, `support_${Date.now() % 1e6}`)).toBeNull()
    expect(await readProblem(admin, creator.username)).toBe('username_taken')
  })

  it('rejects visitors, ended sessions and invalid usernames', async () => {
    const user = await createUser()
    await visitor.expectError('GET', path('ana'), 401)
    await apiAs(user).expectError('GET', path('a'), 400)
    await apiAs(user).expectError('GET', path('a-b-c'), 400)
    await sql`delete from auth.sessions where user_id = ${user.id}`
    await apiAs(user).expectError('GET', path('ana'), 401)
  })

  it('shares the rate limit of searches', async () => {
    const user = await createUser()
    await exhaustRateLimit('search', user.id, 120, '1 minute')
    await apiAs(user).expectError('GET', path('ana'), 429)
    await clearRateLimits(user.id, 'search')
    expect(await readProblem(user, 'admin')).toBe('username_reserved')
  })
})
