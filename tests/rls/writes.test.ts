import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  getSqlState,
  insertBlock,
  insertFollow,
  insertPost,
  insertUser,
  runAs,
  type SessionUser,
  sql,
} from './database.ts'
import { insertPremiumPost } from './payment-helpers.ts'

let ana: SessionUser
let ben: SessionUser
let admin: SessionUser
beforeAll(async () => {
  ;[ana, ben, admin] = await Promise.all([insertUser(), insertUser(), insertUser({ admin: true })])
})
afterAll(() => sql.end())

describe('columns no client may write', () => {
  it.each([
    ['is_admin', 'true'],
    ['is_creator', 'true'],
    ['username', "'other_name'"],
    ['full_name', "'Other Name'"],
    ['created_at', 'now()'],
  ])('profiles.%s is refused to its owner and to an admin', async (column, value) => {
    for (const who of [ana, admin]) {
      const attempt = runAs(who, (tx) =>
        tx.unsafe(`update public.profiles set ${column} = ${value} where id = '${who.id}'`),
      )
      expect(await getSqlState(attempt)).toBe('42501')
    }
  })

  it.each(['likes_count = 5', 'comments_count = 5', "content = 'x'", 'is_premium = true'])(
    'posts: %s is refused',
    async (change) => {
      await insertPost(ana)
      expect(await getSqlState(runAs(ana, (tx) => tx.unsafe(`update public.posts set ${change}`)))).toBe(
        '42501',
      )
    },
  )

  it.each([
    'profile_details',
    'profile_counts',
    'accounts',
    'user_counters',
    'notifications',
    'conversations',
    'conversation_members',
  ])('%s takes no insert, update or delete', async (table) => {
    expect(await getSqlState(runAs(ana, (tx) => tx.unsafe(`delete from public.${table}`)))).toBe('42501')
    expect(
      await getSqlState(runAs(ana, (tx) => tx.unsafe(`insert into public.${table} default values`))),
    ).toBe('42501')
  })

  it('a post cannot be born with likes, a date or a price', async () => {
    for (const extra of [
      'likes_count) values (9',
      "created_at) values ('2000-01-01'",
      'premium_price) values (5',
    ]) {
      expect(await getSqlState(runAs(ana, (tx) => tx.unsafe(`insert into public.posts (${extra})`)))).toBe(
        '42501',
      )
    }
  })

  it('what is paid for cannot be kept in another’s name, whoever writes it', async () => {
    const [sold, other] = await Promise.all([insertPremiumPost(ana, 5), insertPremiumPost(ben, 5)])
    const attempts = [
      sql`update public.premium_contents set author_id = ${ben.id} where post_id = ${sold}`,
      sql`insert into public.premium_contents (post_id, author_id) values (${await insertPost(ana)}, ${ben.id})`,
    ]
    for (const attempt of attempts) expect(await getSqlState(attempt)).toBe('23514')
    const kept = await sql`
      select post_id, author_id from public.premium_contents where post_id = any(${[sold, other]}::uuid[])`
    expect(Object.fromEntries(kept.map((row) => [row.post_id, row.author_id]))).toEqual({
      [sold]: ana.id,
      [other]: ben.id,
    })
  })
})

describe('others’ rows', () => {
  it('privacy of another person does not change, nor by an admin through the Data API', async () => {
    for (const who of [ben, admin]) {
      await runAs(who, (tx) => tx`update public.profiles set visibility = 'private' where id = ${ana.id}`)
    }
    const [row] = await sql`select visibility from public.profiles where id = ${ana.id}`
    expect(row?.visibility).toBe('public')
  })

  it('a post in another’s name is refused, and another’s post is not deleted', async () => {
    const forged = runAs(
      ben,
      (tx) => tx`insert into public.posts (author_id, content) values (${ana.id}, 'forged')`,
    )
    expect(await getSqlState(forged)).toBe('42501')
    const id = await insertPost(ana)
    await runAs(ben, (tx) => tx`delete from public.posts where id = ${id}`)
    await runAs(admin, (tx) => tx`delete from public.posts where id = ${id}`)
    expect(await sql`select 1 from public.posts where id = ${id}`).toHaveLength(1)
    await runAs(ana, (tx) => tx`delete from public.posts where id = ${id}`)
    expect(await sql`select 1 from public.posts where id = ${id}`).toHaveLength(0)
  })

  it('likes, saves, follows, requests and blocks in another’s name are refused', async () => {
    const id = await insertPost(ana)
    for (const statement of [
      `insert into public.likes (post_id, user_id) values ('${id}', '${ana.id}')`,
      `insert into public.saves (post_id, user_id) values ('${id}', '${ana.id}')`,
      `insert into public.follows (follower_id, followee_id) values ('${ana.id}', '${ben.id}')`,
      `insert into public.follow_requests (follower_id, followee_id) values ('${ana.id}', '${ben.id}')`,
      `insert into public.blocks (blocker_id, blocked_id) values ('${ana.id}', '${ben.id}')`,
    ]) {
      expect(await getSqlState(runAs(ben, (tx) => tx.unsafe(statement)))).toBe('42501')
    }
  })

  it('a like or save of a post that cannot be seen is refused', async () => {
    const hidden = await insertUser({ visibility: 'private' })
    const id = await insertPost(hidden)
    expect(await getSqlState(runAs(ben, (tx) => tx`insert into public.likes (post_id) values (${id})`))).toBe(
      '42501',
    )
    expect(await getSqlState(runAs(ben, (tx) => tx`select public.toggle_like(${id})`))).toBe('PT404')
    expect(await getSqlState(runAs(ben, (tx) => tx`select public.toggle_save(${id})`))).toBe('PT404')
  })

  it('who liked, saved, asked or blocked is not readable by others', async () => {
    const [author, fan, hidden] = await Promise.all([
      insertUser(),
      insertUser(),
      insertUser({ visibility: 'followers' }),
    ])
    const id = await insertPost(author)
    await runAs(fan, (tx) => tx`select public.toggle_like(${id}), public.toggle_save(${id})`)
    await runAs(fan, (tx) => tx`select public.toggle_follow(${hidden.id})`)
    await runAs(fan, (tx) => tx`insert into public.blocks (blocked_id) values (${ben.id})`)
    for (const table of ['likes', 'saves', 'follow_requests', 'blocks']) {
      expect(await runAs(author, (tx) => tx`select * from ${tx(`public.${table}`)}`)).toHaveLength(0)
    }
    // Somebody who is blocked cannot even see that they are.
    expect(await runAs(ben, (tx) => tx`select * from public.blocks`)).toHaveLength(0)
  })
})

describe('following', () => {
  it('follows a public profile at once, asks another, and takes either back', async () => {
    const [fan, open, closed] = await Promise.all([
      insertUser(),
      insertUser(),
      insertUser({ visibility: 'private' }),
    ])
    const toggle = (target: SessionUser) =>
      runAs(fan, (tx) => tx<{ toggle_follow: string }[]>`select public.toggle_follow(${target.id})`).then(
        (r) => r[0]?.toggle_follow,
      )
    expect(await toggle(open)).toBe('following')
    expect(await toggle(open)).toBe('none')
    expect(await toggle(closed)).toBe('requested')
    expect(await toggle(closed)).toBe('none')
  })

  it('cannot be forced past a request', async () => {
    const [fan, closed] = await Promise.all([insertUser(), insertUser({ visibility: 'followers' })])
    const forced = runAs(fan, (tx) => tx`insert into public.follows (followee_id) values (${closed.id})`)
    expect(await getSqlState(forced)).toBe('42501')
    // Nor can the one who asked accept in the other's place.
    await runAs(fan, (tx) => tx`select public.toggle_follow(${closed.id})`)
    const [own] = await runAs(fan, (tx) => tx`select private.accept_follow_request(${fan.id}) as done`)
    expect(own?.done).toBe(false)
    const [accepted] = await runAs(
      closed,
      (tx) => tx`select private.accept_follow_request(${fan.id}) as done`,
    )
    expect(accepted?.done).toBe(true)
    expect(
      await sql`select 1 from public.follows where follower_id = ${fan.id} and followee_id = ${closed.id}`,
    ).toHaveLength(1)
  })

  it('ends with a block and cannot start again', async () => {
    const [fan, star] = await Promise.all([insertUser(), insertUser()])
    await insertFollow(fan, star)
    await runAs(star, (tx) => tx`insert into public.blocks (blocked_id) values (${fan.id})`)
    expect(await sql`select 1 from public.follows where follower_id = ${fan.id}`).toHaveLength(0)
    expect(await getSqlState(runAs(fan, (tx) => tx`select public.toggle_follow(${star.id})`))).toBe('PT404')
    expect(
      await getSqlState(runAs(fan, (tx) => tx`insert into public.follows (followee_id) values (${star.id})`)),
    ).toBe('42501')
    expect(await getSqlState(runAs(star, (tx) => tx`select public.toggle_follow(${fan.id})`))).toBe('PT404')
  })

  it('tells the other person once, however often it is taken back and done again', async () => {
    const [fan, star] = await Promise.all([insertUser(), insertUser()])
    const toggle = () => runAs(fan, (tx) => tx`select public.toggle_follow(${star.id})`)
    await toggle()
    await runAs(star, async (tx) => tx`select private.read_notification(n.id) from public.notifications n`)
    await toggle()
    await toggle()
    const rows =
      await sql`select read_at is not null as read from public.notifications where user_id = ${star.id}`
    expect(rows.map((row) => row.read)).toEqual([true])
  })

  it('of oneself is refused', async () => {
    expect(await getSqlState(runAs(ana, (tx) => tx`select public.toggle_follow(${ana.id})`))).toBe('PT400')
  })
})

describe('an ended session and a read-only account', () => {
  it('lose every right at the next statement', async () => {
    const gone = await insertUser()
    const id = await insertPost(gone)
    await sql`delete from auth.sessions where id = ${gone.sessionId}`
    expect(await runAs(gone, (tx) => tx`select 1 from public.posts where id = ${id}`)).toHaveLength(0)
    expect(await runAs(gone, (tx) => tx`select 1 from public.accounts`)).toHaveLength(0)
    expect(
      await getSqlState(runAs(gone, (tx) => tx`insert into public.posts (content) values ('late')`)),
    ).toBe('42501')
    expect(
      await getSqlState(
        runAs(
          gone,
          (tx) => tx`insert into public.messages (receiver_id, content) values (${ana.id}, 'late')`,
        ),
      ),
    ).toBe('PT403')
    // A session of somebody else does not help.
    const borrowed = { ...gone, sessionId: ana.sessionId }
    expect(await runAs(borrowed, (tx) => tx`select 1 from public.profiles`)).toHaveLength(0)
  })

  it('read, but do not write, while the account is read-only', async () => {
    const quiet = await insertUser()
    await sql`update public.accounts set read_only_reason = 'under 18' where user_id = ${quiet.id}`
    expect(await runAs(quiet, (tx) => tx`select 1 from public.profiles where id = ${ana.id}`)).toHaveLength(1)
    expect(
      await getSqlState(runAs(quiet, (tx) => tx`insert into public.posts (content) values ('no')`)),
    ).toBe('PT403')
    expect(await getSqlState(runAs(quiet, (tx) => tx`select public.toggle_follow(${ana.id})`))).toBe('PT403')
    expect(
      await getSqlState(
        runAs(quiet, (tx) => tx`insert into public.messages (receiver_id, content) values (${ana.id}, 'no')`),
      ),
    ).toBe('PT403')
    expect(
      await getSqlState(
        runAs(quiet, (tx) => tx`insert into public.follows (followee_id) values (${ana.id})`),
      ),
    ).toBe('42501')
    await runAs(quiet, (tx) => tx`insert into public.blocks (blocked_id) values (${ben.id})`)
  })
})

describe('blocked people', () => {
  it('do not find, like, or read each other', async () => {
    const [one, two] = await Promise.all([insertUser(), insertUser()])
    const id = await insertPost(one)
    await insertBlock(two, one)
    for (const [reader, other] of [
      [one, two],
      [two, one],
    ] as const) {
      expect(
        await runAs(reader, (tx) => tx`select 1 from public.profiles where id = ${other.id}`),
      ).toHaveLength(0)
    }
    expect(await getSqlState(runAs(two, (tx) => tx`select public.toggle_like(${id})`))).toBe('PT404')
    expect(
      await getSqlState(runAs(two, (tx) => tx`insert into public.likes (post_id) values (${randomUUID()})`)),
    ).toBe('42501')
  })
})
