import { randomBytes } from 'node:crypto'
import { User } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs } from '../support/api.ts'
import { sql } from '../support/stack.ts'
import { createUsers, type TestUser } from '../support/users.ts'

const Users = z.array(User)
/** A word that nobody else is called by: seven letters. */
const mark = `q${[...randomBytes(6)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('')}`
type Names = { username?: string; fullName?: string; firstName?: string; lastName?: string }
let seeker: TestUser
let one: TestUser
let two: TestUser
let three: TestUser

beforeAll(async () => {
  ;({ seeker, one, two, three } = await createUsers('seeker', 'one', 'two', 'three'))
})

async function rename({ id }: TestUser, { username, fullName, firstName, lastName }: Names) {
  await sql`
    update public.profiles set username = ${username ?? `n_${id.slice(-12)}`},
      full_name = ${fullName ?? 'Nobody Special'}, first_name = ${firstName ?? null}, last_name = ${lastName ?? null}
    where id = ${id}`
}

async function search(query: string, person = seeker): Promise<string[]> {
  const { body } = await apiAs(person).get(`/api/users/search?q=${encodeURIComponent(query)}`, Users)
  return body.map(({ id }) => id)
}

describe('a name', () => {
  it('is found without its accents and with them, in any case and alphabet', async () => {
    await rename(one, { fullName: `José Ñandú-Ełk ${mark}` })
    await rename(two, { fullName: `Мария Ёлкина ${mark}` })
    await rename(three, { fullName: `李小龍 ${mark} Straße` })
    for (const query of ['jose', 'JOSÉ', 'José', 'nandu', 'ÑANDÚ', 'elk', 'ose']) {
      expect([query, await search(`${query} ${mark}`)]).toEqual([query, [one.id]])
    }
    for (const query of ['мария', 'МАР', 'елкина', 'ЁЛК', 'м']) {
      expect([query, await search(`${mark} ${query}`)]).toEqual([query, [two.id]])
    }
    for (const query of ['李', '小龍', '李小', '龍', 'strasse', 'STRASSE', 'straße']) {
      expect([query, await search(`${query} ${mark}`)]).toEqual([query, [three.id]])
    }
  })

  it('is found by its words in any order, each anywhere when it has three plain letters', async () => {
    await rename(one, { fullName: `Ana ${mark} Torres` })
    await rename(two, { fullName: 'Ana Torres', firstName: `${mark}`, lastName: 'Banana' })
    for (const query of [
      `torres ana ${mark}`,
      `  TOR   ${mark}  an `,
      `${mark.slice(1, 5)} torr ana ${mark}`,
    ]) {
      expect([query, (await search(query)).sort()]).toEqual([query, [one.id, two.id].sort()])
    }
    // Two letters are looked for where words begin.
    expect(await search(`na ${mark}`)).toEqual([])
    expect(await search(`ba ${mark}`)).toEqual([two.id])
    expect(await search(`${mark} ban`)).toEqual([two.id])
    expect(await search(`${mark} ana torrez`)).toEqual([])
  })

  it('may hold signs that mean something elsewhere, and they mean themselves', async () => {
    await rename(one, { username: `${mark}_ab`, fullName: `D'Arcy (${mark}) & Co.` })
    await rename(two, { username: `${mark}xab` })
    await rename(three, {})
    for (const query of [
      `@${mark}_ab`,
      `${mark}_`,
      `${mark.slice(2)}_a`,
      `${mark} ab co`,
      `d’arcy ${mark}`,
      `(${mark}) & CO.`,
    ]) {
      expect([query, await search(query)]).toEqual([query, [one.id]])
    }
    expect(await search(`@${mark}`)).toEqual([one.id, two.id])
    for (const query of [
      `${mark}%`,
      `%${mark}`,
      `${mark} %`,
      `${mark}\\`,
      `${mark} \\x`,
      `${mark} ':*`,
      `${mark} !a`,
    ]) {
      expect([query, await search(query)]).toEqual([query, []])
    }
    for (const query of ['@', '_ _', "''", '&', '\\', '%', ' @ ', '😀', 'a'.repeat(100), 'é '.repeat(50)]) {
      expect([query, Array.isArray(await search(query))]).toEqual([query, true])
    }
  })
})

describe('the order of the found', () => {
  it('is the username itself, usernames, names, then the rest, and pages keep to it', async () => {
    const crowd = await sql<{ id: string }[]>`
      insert into auth.users (id, email, raw_user_meta_data)
      select gen_random_uuid(), ${mark} || n || '@example.test', jsonb_build_object(
        'adult_confirmed', true, 'phone_number', '0123456789',
        'username', case when n % 3 = 0 then ${mark} || '_' || chr(122 - n) else 'c' || n || '_' || ${mark} end,
        'full_name', case when n % 3 = 1 then ${mark} || ' ' || chr(122 - n) || 'ä' else 'Of ' || ${mark} end)
      from generate_series(1, 18) n returning id`
    try {
      await rename(one, { username: mark, fullName: `${mark} Himself` })
      await rename(two, { fullName: `${mark} ana` })
      await rename(three, {})
      const wanted = await sql<{ id: string }[]>`
        select id from public.profiles where search_text like ${`%${mark}%`}
        order by case when username = ${mark} then 0 when starts_with(username, ${mark}) then 1
                      when starts_with(full_name, ${mark}) then 2 else 3 end,
                 case when starts_with(username, ${mark}) then username
                      when starts_with(full_name, ${mark}) then search_name end collate "C", created_at, id`
      const ids = wanted.map(({ id }) => id)
      expect(ids).toHaveLength(20)
      for (const limit of [1, 3, 7, 20, 50]) {
        const path = `/api/users/search?q=${mark}&limit=${limit}`
        expect((await apiAs(seeker).getAllPages(path, Users)).map(({ id }) => id)).toEqual(ids)
      }
      const behind = await apiAs(seeker).get(`/api/users/search?q=${mark}&limit=4&offset=5`, Users)
      expect(behind.body.map(({ id }) => id)).toEqual(ids.slice(5, 9))
      // Those who may not be found take no place on a page: each is full while more follow.
      await sql`update public.profiles set show_in_directory = false where id = any(${ids.filter((_, at) => at % 3 === 1)}::uuid[])`
      await sql`insert into public.blocks (blocker_id, blocked_id) select id, ${seeker.id} from unnest(${ids.filter((_, at) => at % 3 === 2)}::uuid[]) id`
      const first = await apiAs(seeker).get(`/api/users/search?q=${mark}&limit=6`, Users)
      expect(first.body.map(({ id }) => id)).toEqual(ids.filter((_, at) => at % 3 === 0).slice(0, 6))
      expect(first.next).not.toBeNull()
      const rest = await apiAs(seeker).get(`/api/users/search?q=${mark}&limit=6&cursor=${first.next}`, Users)
      expect([rest.body.map(({ id }) => id), rest.next]).toEqual([[ids[18]], null])
    } finally {
      await sql`delete from auth.users where id = any(${crowd.map(({ id }) => id)}::uuid[])`
    }
  })

  it('refuses a place that no search gave out', async () => {
    const id = seeker.id
    const moments = ['2026-02-30T10:00', '2026-02-30T10:00:00.000000Z', '2026-01-01T24:00:00.000000Z']
    const hex = (text: string) => Buffer.from(text).toString('hex')
    for (const cursor of [
      'x',
      `4_${id}_61`,
      `1_${id}_6`,
      `1_${id}_6100`,
      `1_${id}_zz`,
      `3_${id}_61`,
      ...moments.map((moment) => `3_${id}_${hex(moment)}`),
      `3_${id}_${hex('0000-01-01T00:00:00.000000Z')}`,
      '1_x_61',
    ]) {
      const body = await apiAs(seeker).expectError('GET', `/api/users/search?q=a&cursor=${cursor}`, 400)
      expect([cursor, body.errors]).toEqual([cursor, { cursor: ['This cursor is not valid.'] }])
    }
  })
})
