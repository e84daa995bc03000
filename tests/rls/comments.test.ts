import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { getSqlState, insertBlock, insertPost, insertUser, runAs, type SessionUser, sql } from './database.ts'
import { buyPost, insertPremiumPost } from './payment-helpers.ts'

afterAll(() => sql.end())

let author: SessionUser
let fan: SessionUser
let other: SessionUser
let open: string
beforeAll(async () => {
  ;[author, fan, other] = await Promise.all([insertUser({ creator: true }), insertUser(), insertUser()])
  open = await insertPost(author)
})

type Said = { on?: string; parent?: string | null; content?: string; id?: string }

/** Comments as a client of the Data API could, and answers the comment's id. */
const say = async (
  who: SessionUser,
  { on = open, parent = null, content = 'Well said', id = randomUUID() }: Said = {},
) => {
  await runAs(
    who,
    (tx) => tx`insert into public.comments (id, post_id, parent_comment_id, content)
               values (${id}, ${on}, ${parent}, ${content})`,
  )
  return id
}
const remove = (who: SessionUser, id: string) => runAs(who, (tx) => tx`select private.delete_comment(${id})`)
const visible = async (who: SessionUser | null, on: string) =>
  (await runAs(who, (tx) => tx`select from public.comments where post_id = ${on}`)).count

/** What the counters say, and what there is. */
async function counts(id: string) {
  const [row] = await sql<{ counted: number; there: number; wrong: number; told: number; unread: number }[]>`
    select p.comments_count as counted,
           (select count(*)::int from public.comments c where c.post_id = p.id) as there,
           (select count(*)::int from public.comments c where c.post_id = p.id and c.replies_count <>
             (select count(*) from public.comments r where r.parent_comment_id = c.id)) as wrong,
           (select count(*)::int from public.notifications n
             where n.user_id = p.author_id and n.post_id = p.id) as told,
           u.unread_notifications as unread
    from public.posts p join public.user_counters u on u.user_id = p.author_id where p.id = ${id}`
  if (!row) throw new Error('The post is gone.')
  return { ...row }
}

/** Returns once so many connections wait for the one with this process id, or for each other behind it. */
async function waiting(pid: number, number: number): Promise<void> {
  for (;;) {
    const [row] = await sql<{ found: number }[]>`
      with recursive queue as (
        select ${pid}::integer as pid
        union select a.pid from queue q join pg_stat_activity a on q.pid = any(pg_blocking_pids(a.pid)))
      select count(*)::int - 1 as found from queue`
    if ((row?.found ?? 0) >= number) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

describe('counts of comments', () => {
  it('stay exact while people write, answer and delete at once, and nobody waits in a circle', async () => {
    const [writer, ...crowd] = await Promise.all(Array.from({ length: 6 }, () => insertUser()))
    if (!writer) throw new Error('unreachable')
    // Each counts for itself, so that a lost one shows.
    await sql`update public.person_settings set group_notifications = false where user_id = ${writer.id}`
    const on = await insertPost(writer)
    const tops = await Promise.all(crowd.map((one) => say(one, { on })))
    const replies: string[] = []
    const outcomes = await Promise.allSettled([
      ...tops.flatMap((top, n) =>
        crowd.map(async (one, m) => {
          const id = await say(one, { on, parent: top, content: `Reply ${n} ${m}` })
          replies.push(id)
        }),
      ),
      // Two of those that are being answered go, one by its author and one by the author of the post.
      remove(crowd[0] as SessionUser, tops[0] as string),
      remove(writer, tops[1] as string),
    ])
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason.code] : []))
    // A reply to what was just deleted is refused; nothing else is, and no deadlock is among the reasons.
    expect(refused.filter((code) => code !== 'PT404' && code !== '23503')).toEqual([])
    const after = await counts(on)
    expect(after).toEqual({ counted: 18, there: 18, wrong: 0, told: 18, unread: 18 })

    const rest = await sql<{ id: string; author_id: string }[]>`
      select id, author_id from public.comments where post_id = ${on} and parent_comment_id is not null`
    await Promise.all([
      ...rest
        .slice(0, 9)
        .map(({ id, author_id }) => remove(crowd.find((one) => one.id === author_id) as SessionUser, id)),
      ...rest.slice(0, 9).map(({ id }) => remove(writer, id).catch(() => null)),
      ...crowd.map((one) => say(one, { on })),
    ])
    expect(await counts(on)).toEqual({ counted: 14, there: 14, wrong: 0, told: 14, unread: 14 })
  })

  it('are locked in one order: a reply that comes while its comment goes finds it gone', async () => {
    const writer = await insertUser()
    const on = await insertPost(writer)
    const top = await say(fan, { on })
    const ends = await sql.begin(async (tx) => {
      const [held] = await tx<{ pid: number }[]>`
        select pg_backend_pid() as pid from public.posts where id = ${on} for no key update`
      const deletion = remove(writer, top)
      await waiting(held?.pid ?? 0, 1)
      const reply = getSqlState(say(other, { on, parent: top }))
      await waiting(held?.pid ?? 0, 2)
      return { deletion, reply }
    })
    await ends.deletion
    expect(await ends.reply).toBe('PT404')
    expect(await counts(on)).toMatchObject({ counted: 0, there: 0 })
  })

  it('go down by a comment and all its replies, and keep what a deleted account said', async () => {
    const [writer, one, leaver] = await Promise.all([insertUser(), insertUser(), insertUser()])
    const on = await insertPost(writer)
    const top = await say(leaver, { on })
    await say(one, { on, parent: top })
    await say(writer, { on, parent: top })
    expect(await counts(on)).toMatchObject({ counted: 3, there: 3, wrong: 0 })
    await sql`delete from auth.users where id = ${leaver.id}`
    const [left] = await runAs(
      one,
      (tx) => tx`select author_id, content from public.comments where id = ${top}`,
    )
    expect({ ...left }).toEqual({ author_id: null, content: 'Well said' })
    await remove(writer, top)
    expect(await counts(on)).toEqual({ counted: 0, there: 0, wrong: 0, told: 0, unread: 0 })
  })
})

describe('comments by the Data API', () => {
  it('are written in one’s own name, with nothing but what was said', async () => {
    const forged = `insert into public.comments (post_id, author_id, content) values ('${open}', '${other.id}', 'x')`
    expect(await getSqlState(runAs(fan, (tx) => tx.unsafe(forged)))).toBe('42501')
    for (const extra of ["created_at) values ('2000-01-01'", 'replies_count) values (9']) {
      expect(await getSqlState(runAs(fan, (tx) => tx.unsafe(`insert into public.comments (${extra})`)))).toBe(
        '42501',
      )
    }
    const id = await say(fan)
    for (const who of [fan, author, null]) {
      expect(await getSqlState(runAs(who, (tx) => tx`update public.comments set content = 'x'`))).toBe(
        '42501',
      )
      expect(await getSqlState(runAs(who, (tx) => tx`delete from public.comments where id = ${id}`))).toBe(
        '42501',
      )
    }
    expect(await getSqlState(runAs(null, (tx) => tx`select private.delete_comment(${id})`))).toBe('42501')
    for (const content of ['', ' \n\t', 'x'.repeat(501)]) {
      expect(await getSqlState(say(fan, { content }))).toBe('23514')
    }
    await say(fan, { content: 'x'.repeat(500) })
  })

  it('answer comments of the same post, one level deep', async () => {
    const elsewhere = await say(fan, { on: await insertPost(author) })
    const top = await say(fan)
    const reply = await say(other, { parent: top })
    expect(await getSqlState(say(fan, { parent: reply }))).toBe('PT400')
    expect(await getSqlState(say(fan, { parent: elsewhere }))).toBe('PT404')
    expect(await getSqlState(say(fan, { parent: randomUUID() }))).toBe('PT404')
  })

  it('are not there for who may not see the post, and hidden within a block', async () => {
    const [writer, shy, blocked] = await Promise.all([
      insertUser(),
      insertUser({ visibility: 'private' }),
      insertUser(),
    ])
    const hidden = await insertPost(shy)
    await say(shy, { on: hidden })
    for (const who of [fan, null]) expect(await visible(who, hidden)).toBe(0)
    expect(await visible(shy, hidden)).toBe(1)
    expect(await getSqlState(say(fan, { on: hidden }))).toBe('PT404')
    expect(await getSqlState(say(fan, { on: randomUUID() }))).toBe('PT404')

    const on = await insertPost(writer)
    const theirs = await say(blocked, { on })
    await say(fan, { on })
    await insertBlock(fan, blocked)
    for (const who of [fan, blocked]) expect(await visible(who, on)).toBe(1)
    for (const who of [writer, null]) expect(await visible(who, on)).toBe(2)
    expect(await getSqlState(say(fan, { on, parent: theirs }))).toBe('PT404')
    // The author of the post deletes what they do not see: it stands under their post all the same.
    await insertBlock(writer, blocked)
    expect(await visible(writer, on)).toBe(1)
    await remove(writer, theirs)
    expect(await counts(on)).toMatchObject({ counted: 1, there: 1 })
    expect(await getSqlState(say(blocked, { on }))).toBe('PT404')
  })

  it('of a locked post are part of what is paid for', async () => {
    const locked = await insertPremiumPost(author, 3)
    const [buyer, admin] = await Promise.all([insertUser(), insertUser({ admin: true })])
    await buyPost(buyer, locked, 3)
    const top = await say(buyer, { on: locked })
    await say(author, { on: locked, parent: top })
    for (const who of [buyer, author]) expect(await visible(who, locked)).toBe(2)
    for (const who of [fan, admin, null]) expect(await visible(who, locked)).toBe(0)
    for (const who of [fan, admin]) {
      expect(await getSqlState(say(who, { on: locked }))).toBe('PT403')
      expect(await getSqlState(say(who, { on: locked, parent: top }))).toBe('PT403')
      expect(await getSqlState(remove(who, top))).toBe('PT404')
    }
  })

  it('are not written without a living session that may write, but one’s own may be taken back', async () => {
    const [quiet, gone] = await Promise.all([insertUser(), insertUser()])
    const [byQuiet, byGone] = await Promise.all([say(quiet), say(gone)])
    await sql`update public.accounts set read_only_reason = 'under 18' where user_id = ${quiet.id}`
    await sql`delete from auth.sessions where id = ${gone.sessionId}`
    expect(await getSqlState(say(quiet))).toBe('PT403')
    expect(await getSqlState(say(gone))).toBe('42501')
    expect(await visible(gone, open)).toBe(0)
    expect(await getSqlState(remove(gone, byGone))).toBe('42501')
    await remove(quiet, byQuiet)
    expect(await sql`select from public.comments where id in (${byQuiet}, ${byGone})`).toHaveLength(1)
  })
})
