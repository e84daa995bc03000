import { randomBytes } from 'node:crypto'
import { User } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs } from '../support/api.ts'
import { deleteAccounts } from '../support/deadlocks.ts'
import { sql } from '../support/stack.ts'
import { createUsers, type TestUser } from '../support/users.ts'

const Users = z.array(User)
/**
 * A word that occurs only in names and bios that this file sets. Its letters are rare, so that no short query below
 * matches it.
 */
const marker = `q${[...randomBytes(9)].map((byte) => 'jqvwxy'[byte % 6]).join('')}`
type Names = { username?: string; fullName?: string; firstName?: string; lastName?: string }
let searcher: TestUser
let userA: TestUser
let userB: TestUser
let userC: TestUser

beforeAll(async () => {
  ;({ searcher, userA, userB, userC } = await createUsers('searcher', 'userA', 'userB', 'userC'))
})

async function rename({ id }: TestUser, { username, fullName, firstName, lastName }: Names) {
  await sql`
    update public.profiles set username = ${username ?? `n_${id.slice(-12)}`},
      full_name = ${fullName ?? 'Nobody Special'}, first_name = ${firstName ?? null}, last_name = ${lastName ?? null}
    where id = ${id}`
}

async function search(query: string, caller = searcher): Promise<string[]> {
  const { body } = await apiAs(caller).get(`/api/users/search?q=${encodeURIComponent(query)}`, Users)
  return body.map(({ id }) => id)
}

describe('GET /api/users/search', () => {
  it('ignores accents and case, in any alphabet', async () => {
    await rename(userA, { fullName: `José Ñandú-Ełk ${marker}` })
    await rename(userB, { fullName: `Мария Ёлкина ${marker}` })
    await rename(userC, { fullName: `李小龍 ${marker} Straße` })
    for (const query of ['jose', 'JOSÉ', 'José', 'nandu', 'ÑANDÚ', 'elk', 'ose']) {
      expect([query, await search(`${query} ${marker}`)]).toEqual([query, [userA.id]])
    }
    for (const query of ['мария', 'МАР', 'елкина', 'ЁЛК', 'м']) {
      expect([query, await search(`${marker} ${query}`)]).toEqual([query, [userB.id]])
    }
    for (const query of ['李', '小龍', '李小', '龍', 'strasse', 'STRASSE', 'straße']) {
      expect([query, await search(`${query} ${marker}`)]).toEqual([query, [userC.id]])
    }
  })

  it('matches words in any order, and anywhere in a name', async () => {
    await rename(userA, { fullName: `Ana ${marker} Torres` })
    await rename(userB, { fullName: 'Ana Torres', firstName: `${marker}`, lastName: 'Monana' })
    for (const query of [
      `torres ana ${marker}`,
      `  TOR   ${marker}  an `,
      `${marker.slice(1, 5)} torr ana ${marker}`,
    ]) {
      expect([query, (await search(query)).sort()]).toEqual([query, [userA.id, userB.id].sort()])
    }
    expect((await search(`na ${marker}`)).sort()).toEqual([userA.id, userB.id].sort())
    expect(await search(`mo ${marker}`)).toEqual([userB.id])
    expect(await search(`nz ${marker}`)).toEqual([])
    expect(await search(`${marker} mon`)).toEqual([userB.id])
    expect(await search(`${marker} ana torrez`)).toEqual([])
  })

  it('treats wildcards and operators literally', async () => {
    await rename(userA, { username: `${marker}_ab`, fullName: `D'Arcy (${marker}) & Co.` })
    await rename(userB, { username: `${marker}xab` })
    await rename(userC, {})
    for (const query of [
      `@${marker}_ab`,
      `${marker}_`,
      `${marker.slice(2)}_a`,
      `${marker} ab co`,
      `d’arcy ${marker}`,
      `(${marker}) & CO.`,
    ]) {
      expect([query, await search(query)]).toEqual([query, [userA.id]])
    }
    expect(await search(`@${marker}`)).toEqual([userA.id, userB.id])
    for (const query of [
      `${marker}%`,
      `%${marker}`,
      `${marker} %`,
      `${marker}\\`,
      `${marker} \\x`,
      `${marker} ':*`,
      `${marker} !a`,
    ]) {
      expect([query, await search(query)]).toEqual([query, []])
    }
    for (const query of ['@', '_ _', "''", '&', '\\', '%', ' @ ', '😀', 'a'.repeat(100), 'é '.repeat(50)]) {
      expect([query, Array.isArray(await search(query))]).toEqual([query, true])
    }
  })
})

describe('a query word', () => {
  it('matches any part of a name, even if it is a single letter, in any alphabet', async () => {
    await rename(userA, { fullName: `Linh Phan ${marker}` })
    await rename(userB, { fullName: `Мария Ёлкина ${marker}` })
    await rename(userC, {})
    for (const query of ['p', 'an', 'ha', 'nh', 'phan']) {
      expect([query, await search(`${query} ${marker}`)]).toEqual([query, [userA.id]])
    }
    for (const query of ['и', 'лк', 'ари', 'кин']) {
      expect([query, await search(`${query} ${marker}`)]).toEqual([query, [userB.id]])
    }
    // Parts of a username match too.
    await rename(userC, { username: `x${marker}9` })
    expect(await search(`${marker.slice(1)}9`)).toEqual([userC.id])
    await rename(userC, {})
  })
})

describe('words in a bio', () => {
  it('rank below names, and match only if the searcher can view the profile', async () => {
    await rename(userA, { fullName: `Somebody ${marker}fan` })
    await rename(userB, {})
    await sql`update public.profile_details set bio = ${`Bakes bread for ${marker}s, café crème`} where user_id = ${userB.id}`
    expect(await search(marker)).toEqual([userA.id, userB.id])
    expect(await search(`bread ${marker}`)).toEqual([userB.id])
    expect(await search(`CAFE bak ${marker}`)).toEqual([userB.id])
    // A query word of three or more letters matches the start of a word. A shorter one matches only a whole word.
    expect(await search(`read ${marker}`)).toEqual([])
    expect(await search(`br ${marker}`)).toEqual([])
    const pages = await apiAs(searcher).getAllPages(`/api/users/search?q=${marker}&limit=1`, Users)
    expect(pages.map(({ id }) => id)).toEqual([userA.id, userB.id])
    for (const visibility of ['followers', 'private']) {
      await sql`update public.profiles set visibility = ${visibility} where id = ${userB.id}`
      expect(await search(`bread ${marker}`)).toEqual([])
      expect(await search(`bread ${marker}`, userB)).toEqual([userB.id])
    }
    await sql`insert into public.follows (follower_id, followee_id) values (${searcher.id}, ${userB.id})`
    expect(await search(`bread ${marker}`)).toEqual([])
    await sql`update public.profiles set visibility = 'followers' where id = ${userB.id}`
    expect(await search(`bread ${marker}`)).toEqual([userB.id])
    await sql`update public.profiles set visibility = 'public' where id = ${userB.id}`
    await sql`update public.profile_details set bio = null where user_id = ${userB.id}`
  })
})

describe('a page of search results', () => {
  it('continues the order: exact username, username prefix, name prefix, then other matches', async () => {
    const created = await sql<{ id: string }[]>`
      insert into auth.users (id, email, raw_user_meta_data)
      select gen_random_uuid(), ${marker} || n || '@example.test', jsonb_build_object(
        'adult_confirmed', true, 'phone_number', '0123456789',
        'username', case when n % 3 = 0 then ${marker} || '_' || chr(122 - n) else 'c' || n || '_' || ${marker} end,
        'full_name', case when n % 3 = 1 then ${marker} || ' ' || chr(122 - n) || 'ä' else 'Of ' || ${marker} end)
      from generate_series(1, 18) n returning id`
    try {
      await rename(userA, { username: marker, fullName: `${marker} Himself` })
      await rename(userB, { fullName: `${marker} ana` })
      await rename(userC, {})
      const expected = await sql<{ id: string }[]>`
        select id from public.profiles where search_text like ${`%${marker}%`}
        order by case when username = ${marker} then 0 when starts_with(username, ${marker}) then 1
                      when starts_with(full_name, ${marker}) then 2 else 3 end,
                 case when starts_with(username, ${marker}) then username
                      when starts_with(full_name, ${marker}) then search_name end collate "C", created_at, id`
      const ids = expected.map(({ id }) => id)
      expect(ids).toHaveLength(20)
      for (const limit of [1, 3, 7, 20, 50]) {
        const path = `/api/users/search?q=${marker}&limit=${limit}`
        expect((await apiAs(searcher).getAllPages(path, Users)).map(({ id }) => id)).toEqual(ids)
      }
      const offsetPage = await apiAs(searcher).get(`/api/users/search?q=${marker}&limit=4&offset=5`, Users)
      expect(offsetPage.body.map(({ id }) => id)).toEqual(ids.slice(5, 9))
      // Users who must not be found are skipped, so each page is full while there are more results.
      await sql`update public.profiles set show_in_directory = false where id = any(${ids.filter((_, index) => index % 3 === 1)}::uuid[])`
      await sql`insert into public.blocks (blocker_id, blocked_id) select id, ${searcher.id} from unnest(${ids.filter((_, index) => index % 3 === 2)}::uuid[]) id`
      const first = await apiAs(searcher).get(`/api/users/search?q=${marker}&limit=6`, Users)
      expect(first.body.map(({ id }) => id)).toEqual(ids.filter((_, index) => index % 3 === 0).slice(0, 6))
      expect(first.next).not.toBeNull()
      const rest = await apiAs(searcher).get(
        `/api/users/search?q=${marker}&limit=6&cursor=${first.next}`,
        Users,
      )
      expect([rest.body.map(({ id }) => id), rest.next]).toEqual([[ids[18]], null])
    } finally {
      await deleteAccounts(
        sql,
        created.map(({ id }) => id),
      )
    }
  })

  it('requires a valid cursor', async () => {
    const id = searcher.id
    const impossibleTimes = ['2026-02-30T10:00', '2026-02-30T10:00:00.000000Z', '2026-01-01T24:00:00.000000Z']
    const hex = (text: string) => Buffer.from(text).toString('hex')
    for (const cursor of [
      'x',
      `6_${id}_61`,
      `5_${id}_61`,
      `1_${id}_6`,
      `1_${id}_6100`,
      `1_${id}_zz`,
      `3_${id}_61`,
      ...impossibleTimes.map((time) => `3_${id}_${hex(time)}`),
      `3_${id}_${hex('0000-01-01T00:00:00.000000Z')}`,
      '1_x_61',
    ]) {
      const body = await apiAs(searcher).expectError('GET', `/api/users/search?q=a&cursor=${cursor}`, 400)
      expect([cursor, body.errors]).toEqual([cursor, { cursor: ['This cursor is not valid.'] }])
    }
  })
})
