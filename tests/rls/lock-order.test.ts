import { randomUUID } from 'node:crypto'
import type { TransactionSql } from 'postgres'
import { afterAll, describe, expect, it } from 'vitest'
import {
  insertBlock,
  insertFollow,
  insertPost,
  insertUser,
  runAs,
  type SessionUser,
  sql,
} from './database.ts'

/**
 * What touches several people's counts at once, while they read and are followed: nobody waits in a circle. In the
 * database itself, because the API does again what clashed, and hides it.
 */
afterAll(() => sql.end())

const people = (count: number) => Promise.all(Array.from({ length: count }, () => insertUser()))
const like = (who: SessionUser, id: string) => runAs(who, (tx) => tx`select public.toggle_like(${id})`)
const readAll = (who: SessionUser) => runAs(who, (tx) => tx`select private.read_all_notifications()`)
const toggleFollow = (who: SessionUser, of: SessionUser) =>
  runAs(who, (tx) => tx`select public.toggle_follow(${of.id})`)
const named = (...them: SessionUser[]) => them.map(({ username }) => `@${username}`).join(' ')
const comment = (
  who: SessionUser,
  on: string,
  content: string,
  parent: string | null = null,
  id = randomUUID(),
) =>
  runAs(
    who,
    (tx) => tx`insert into public.comments (id, post_id, parent_comment_id, content)
               values (${id}, ${on}, ${parent}, ${content})`,
  ).then(() => id)
const say = async (from: SessionUser, to: SessionUser) => {
  const id = randomUUID()
  await runAs(
    from,
    (tx) => tx`insert into public.messages (id, receiver_id, content) values (${id}, ${to.id}, 'Hi')`,
  )
  return id
}
/** Whoever has gone cannot be reached; but nothing may clash. */
const unlessGone = (attempt: Promise<unknown>) =>
  attempt.catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? error.code : error
    expect(['PT404', '23503']).toContain(code)
  })
const told = async (who: SessionUser) =>
  (await sql`select kind from public.notifications where user_id = ${who.id} order by kind`).map(
    ({ kind }) => kind,
  )

describe('mentions', () => {
  it('of the same people in another order, in posts and comments at once', async () => {
    const [ana, ben, u, v, w] = (await people(5)) as [
      SessionUser,
      SessionUser,
      SessionUser,
      SessionUser,
      SessionUser,
    ]
    const [ofU, ofV] = await Promise.all([insertPost(u), insertPost(v)])
    for (let round = 0; round < 10; round++) {
      await Promise.all([
        insertPost(ana, named(u, v, w)),
        insertPost(ben, named(w, v, u)),
        comment(ana, ofU, named(v, w)),
        comment(ben, ofV, named(w, u)),
      ])
    }
    // Each comment is told to the author of the post as a comment, and to those it names as a mention.
    expect((await told(u)).filter((kind) => kind === 'mention')).toHaveLength(30)
    expect((await told(w)).filter((kind) => kind === 'mention')).toHaveLength(40)
    expect((await told(v)).filter((kind) => kind === 'comment')).toHaveLength(10)
  })

  it('tell each person once', async () => {
    const [ana, author, fan, other] = (await people(4)) as [
      SessionUser,
      SessionUser,
      SessionUser,
      SessionUser,
    ]
    const id = await insertPost(author)
    const parent = await comment(fan, id, 'First')
    await comment(ana, id, named(author, fan, other, ana), parent)
    expect([await told(author), await told(fan), await told(other), await told(ana)]).toEqual([
      ['comment', 'comment'],
      ['reply'],
      ['mention'],
      [],
    ])
  })
})

describe('what takes notifications with it', () => {
  it('is a block, also while both read', async () => {
    const [ana, ben, eve, ...fans] = (await people(6)) as [
      SessionUser,
      SessionUser,
      SessionUser,
      ...SessionUser[],
    ]
    for (let round = 0; round < 8; round++) {
      await sql`delete from public.blocks where blocker_id in (${ana.id}, ${eve.id})`
      for (const [from, to] of [
        [ana, ben],
        [ben, ana],
        [eve, ben],
        [ben, eve],
      ] as const) {
        await sql`select private.notify_person(${to.id}, ${from.id}, k)
                    from unnest('{mention,reaction,follow_request}'::text[]) k`
      }
      // In every other round they follow, and are followed, too.
      const followed = round % 2 === 1
      if (followed) await insertFollow(ben, ana)
      await Promise.all([
        ...[ben, ana].map(readAll),
        insertBlock(ana, ben),
        readAll(ben),
        insertBlock(eve, ben),
        readAll(ana),
        ...(followed ? fans.map((fan, at) => toggleFollow(fan, at % 2 ? ana : ben)) : []),
      ])
      expect(await sql`select from public.notifications where actor_id = ${ben.id}`).toHaveLength(0)
    }
  })

  it('is a deleted comment and a deleted post, while those who were told read', async () => {
    const [author, ...fans] = (await people(6)) as [SessionUser, ...SessionUser[]]
    const [a, b, c, d, e] = fans as [SessionUser, SessionUser, SessionUser, SessionUser, SessionUser]
    for (let round = 0; round < 8; round++) {
      const id = await insertPost(author, named(a, b))
      const parent = await comment(b, id, named(a, c))
      await comment(c, id, named(e, d), parent)
      await like(d, id)
      await Promise.all([
        ...[author, ...fans].map(readAll),
        runAs(author, (tx) => tx`select private.delete_comment(${parent})`),
        ...fans.map(readAll),
      ])
      await comment(e, id, named(d, c))
      await Promise.all([
        readAll(author),
        runAs(author, (tx) => tx`delete from public.posts where id = ${id}`),
        ...fans.slice(0, 3).map((fan) => toggleFollow(fan, author)),
        ...[a, b, c, d].map(readAll),
      ])
      expect(await sql`select from public.notifications where post_id = ${id}`).toHaveLength(0)
    }
  })

  it('is a deleted account, and another one, while others read, like, name, follow, block and write to them', async () => {
    const [a, b, c, d] = (await people(4)) as [SessionUser, SessionUser, SessionUser, SessionUser]
    const [ofA, ofB] = await Promise.all([insertPost(a), insertPost(b)])
    for (let round = 0; round < 6; round++) {
      const [gone, other] = (await people(2)) as [SessionUser, SessionUser]
      const ofGone = await insertPost(gone, named(c, d))
      const ofOther = await insertPost(other, named(gone))
      await Promise.all([like(gone, ofOther), like(other, ofGone), insertFollow(gone, other)])
      await insertFollow(other, gone)
      for (const id of [ofA, ofB]) {
        await like(gone, id)
        await comment(gone, id, named(c, d))
      }
      for (const who of [a, c]) {
        await insertFollow(gone, who)
        await insertFollow(who, gone)
      }
      const said = await say(gone, b)
      await Promise.all([
        ...[a, b, c, d].map(readAll),
        unlessGone(runAs(b, (tx) => tx`select private.react_to_message(${said}, '👍')`)),
        sql`delete from auth.users where id = ${gone.id}`,
        unlessGone(say(b, gone)),
        unlessGone(like(b, ofGone)),
        unlessGone(comment(d, ofGone, named(gone))),
        comment(b, ofA, named(gone, other)),
        unlessGone(insertFollow(d, gone)),
        unlessGone(insertBlock(b, other)),
        sql`delete from auth.users where id = ${other.id}`,
        like(c, ofA),
        like(d, ofB),
        toggleFollow(d, a),
        ...[a, b].map(readAll),
      ])
      expect(await sql`select from public.notifications where actor_id = ${gone.id}`).toHaveLength(0)
    }
  })
})

describe('somebody who is being told of something', () => {
  /** Does `work` while `held` is done but not for good yet, and waits until `work` waits for that. */
  async function meanwhile(held: (tx: TransactionSql) => PromiseLike<unknown>, work: () => Promise<unknown>) {
    let waiting: Promise<unknown> = Promise.resolve()
    await sql.begin(async (tx) => {
      await held(tx)
      const [me] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
      waiting = work()
      waiting.catch(() => undefined)
      await expect
        .poll(() => sql`select from pg_stat_activity where ${me?.pid ?? 0} = any (pg_blocking_pids(pid))`, {
          interval: 20,
          timeout: 5000,
        })
        .toHaveLength(1)
    })
    await waiting
  }

  it('hears nothing of a person who was blocked while that waited', async () => {
    const [ana, ben] = (await people(2)) as [SessionUser, SessionUser]
    await meanwhile(
      (tx) => tx`insert into public.blocks (blocker_id, blocked_id) values (${ana.id}, ${ben.id})`,
      // It has asked about the block, which it cannot see yet, and waits for the counts.
      () => sql`select private.notify_person(${ana.id}, ${ben.id}, 'mention')`.execute(),
    )
    expect(await told(ana)).toEqual([])
  })

  it('and goes for good before it is their turn takes no comment along that names them', async () => {
    const [ana, gone, author] = (await people(3)) as [SessionUser, SessionUser, SessionUser]
    const id = await insertPost(author)
    await meanwhile(
      (tx) => tx`delete from auth.users where id = ${gone.id}`,
      () => comment(ana, id, named(gone)),
    )
    expect(await sql`select from public.comments where post_id = ${id}`).toHaveLength(1)
    expect(await told(author)).toEqual(['comment'])
  })
})

describe('the pictures of an account that is deleted', () => {
  it('go from its messages as a change that the others are told of when they ask', async () => {
    const [ana, gone] = (await people(2)) as [SessionUser, SessionUser]
    const sent: string[] = []
    for (const withPicture of [true, false, true]) {
      const [media, id] = [randomUUID(), randomUUID()]
      await sql`
        insert into public.media (id, owner_id, kind, state, path, content_type, bytes, width, height, placeholder)
        values (${media}, ${gone.id}, 'image', 'ready', ${media}, 'image/webp', 9, 20, 20, 'data:image/png;base64,AA')`
      await sql`insert into public.messages (id, sender_id, receiver_id, content, media_id)
        values (${id}, ${gone.id}, ${ana.id}, 'See', ${withPicture ? media : null})`
      sent.push(id)
    }
    await runAs(ana, (tx) => tx`select private.react_to_message(${sent[1] ?? ''}, '👍')`)
    await sql`delete from auth.users where id = ${gone.id}`
    const changed = await runAs(
      ana,
      (tx) => tx<{ id: string; place: string }[]>`select * from private.thread_changes(${gone.id}, 1, 50)`,
    )
    expect(changed.map(({ id }) => id).sort()).toEqual([sent[0], sent[2]].sort())
    expect(changed.map(({ place }) => Number(place))).toEqual([2, 3])
    const rows = await sql`select m.media_id, m.placeholder, m.content, c.last_change::int as last
      from public.messages m join public.conversations c on c.id = m.conversation_id
      where m.id in ${sql(sent)}`
    expect(rows.map((row) => ({ ...row }))).toEqual(
      sent.map(() => ({ media_id: null, placeholder: null, content: 'See', last: 3 })),
    )
  })
})
