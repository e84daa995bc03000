import type postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  getSqlState,
  insertPost,
  insertUser,
  runAs,
  type SessionUser,
  sql,
  waitForBlockedSession,
} from './database.ts'
import {
  appealCase,
  decideAppeal,
  decideCase,
  fileReport,
  getLatestCase,
  insertComment,
  moderateSubject,
  sendDirectMessage,
} from './moderation-helpers.ts'

/** What happens at the same moment: one of two decides, nothing is counted twice, and nobody waits in a circle. */
afterAll(() => sql.end())

type Tx = postgres.TransactionSql

let boss: SessionUser
let deputy: SessionUser
beforeAll(async () => {
  ;[boss, deputy] = await Promise.all([insertUser({ admin: true }), insertUser({ admin: true })])
})

const outcomes = async (attempts: Promise<unknown>[]) =>
  (await Promise.allSettled(attempts)).map((one) =>
    one.status === 'fulfilled' ? 'done' : (one.reason as { code: string }).code,
  )
/** Runs `second` beside `first`, which has done its work and is not over: it has to wait. */
async function beside(first: (tx: Tx) => Promise<unknown>, second: () => Promise<unknown>) {
  let other: Promise<unknown> = Promise.resolve()
  await sql.begin(async (tx) => {
    await first(tx)
    other = second()
    other.catch(() => undefined)
    await waitForBlockedSession(tx)
  })
  return await other
}
const remove = (who: SessionUser) => sql`select private.remove_account(${who.id}, true)`.execute()
/** Becomes somebody for the rest of a transaction. */
const become = (tx: Tx, who: SessionUser) =>
  tx`select set_config('request.jwt.claims', ${JSON.stringify({ sub: who.id, role: 'authenticated', session_id: who.sessionId })}, true),
            set_config('request.jwt.claim.sub', ${who.id}, true)`
const counts = async (of: SessionUser, on: string) =>
  (
    await sql<{ posts: number; real: number; comments: number; shown: number }[]>`
      select c.posts, p.comments_count as comments,
             (select count(*)::int from public.posts o where o.author_id = ${of.id} and o.hidden is null) as real,
             (select count(*)::int from public.comments o where o.post_id = p.id and o.hidden is null) as shown
      from public.posts p join public.profile_counts c on c.user_id = p.author_id where p.id = ${on}`
  )[0]

describe('reports', () => {
  it('by many at once make one case, and a double click one report', async () => {
    const author = await insertUser()
    const about = await insertPost(author)
    const many = await Promise.all(Array.from({ length: 20 }, () => insertUser()))
    const made = await Promise.all([...many, ...many].map((who) => fileReport(who, 'post', about)))
    expect(made.filter(Boolean)).toHaveLength(20)
    const cases = await sql`select reports from public.moderation_cases where subject_id = ${about}`
    expect(cases.map(({ reports }) => reports)).toEqual([20])
    expect(await getLatestCase(about)).toMatchObject({ snapshots: [{ seen: { content: 'Hello' } }] })
  })

  it('that come while it is decided find it gone, or open a case of their own', async () => {
    const [author, fan, late] = await Promise.all([insertUser(), insertUser(), insertUser()])
    for (const [decided, outcome] of [
      ['hide', 'PT404'],
      ['dismiss', 'done'],
    ] as const) {
      const about = await insertPost(author)
      await fileReport(fan, 'post', about)
      const { id } = await getLatestCase(about)
      const reported = beside(
        async (tx) => {
          await become(tx, boss)
          await tx`select private.decide_case(${id}, ${decided}, 'Why', null, false, false)`
        },
        () => fileReport(late, 'post', about),
      )
      expect(await outcomes([reported])).toEqual([outcome])
      const states = await sql<{ state: string; reports: number }[]>`
        select state, reports from public.moderation_cases where subject_id = ${about} order by created_at`
      expect(states.map(({ state, reports }) => `${state} ${reports}`)).toEqual(
        decided === 'hide' ? ['decided 1'] : ['decided 1', 'open 1'],
      )
    }
  })
})

describe('decisions', () => {
  it('by two at once are one: the other hears that there is one', async () => {
    const [author, fan] = await Promise.all([insertUser(), insertUser()])
    const about = await insertPost(author)
    await fileReport(fan, 'post', about)
    const { id } = await getLatestCase(about)
    const both = await outcomes([decideCase(boss, id, 'hide'), decideCase(deputy, id, 'dismiss')])
    expect(both.sort()).toEqual(['PT409', 'done'])
    const heard = await sql`select from public.notifications where user_id = ${fan.id} and kind = 'report'`
    expect(heard.count).toBe(1)
    // Straight at the thing: whoever is second finds it gone.
    const other = await insertPost(author)
    const again = await outcomes([
      moderateSubject(boss, 'post', other, 'hide'),
      moderateSubject(deputy, 'post', other, 'hide'),
    ])
    expect(again.sort()).toEqual(['PT404', 'done'])
    expect((await sql`select from public.moderation_cases where subject_id = ${other}`).count).toBe(1)
  })

  it('appealed twice at once count one appeal; answered twice at once, one answer', async () => {
    const author = await insertUser()
    const id = await moderateSubject(boss, 'post', await insertPost(author), 'hide')
    expect(
      (await outcomes([appealCase(author, id), appealCase(author, id), appealCase(author, id)])).sort(),
    ).toEqual(['PT409', 'PT409', 'done'])
    const third = await insertUser({ admin: true })
    const answers = await outcomes([decideAppeal(deputy, id, true), decideAppeal(third, id, false)])
    expect(answers.sort()).toEqual(['PT409', 'done'])
  })

  it('about a comment while it is answered keep the count', async () => {
    const [author, fan] = await Promise.all([insertUser(), insertUser()])
    const about = await insertPost(author)
    for (let round = 0; round < 5; round++) {
      const parent = await insertComment(fan, about, 'Parent')
      await outcomes([
        moderateSubject(boss, 'comment', parent, 'hide'),
        ...Array.from({ length: 4 }, () => insertComment(author, about, 'Reply', parent)),
        insertComment(fan, about, 'Beside'),
      ])
      const now = await counts(author, about)
      expect(now?.comments).toBe(now?.shown)
      const stray = await sql`
        select from public.comments where parent_comment_id = ${parent} and hidden is null`
      expect(stray.count).toBe(0)
    }
  })

  it('while those concerned leave, and much else goes on, wait for nobody in a circle', async () => {
    for (let round = 0; round < 4; round++) {
      const [author, fan, other, busy] = await Promise.all([
        insertUser(),
        insertUser(),
        insertUser(),
        insertUser(),
      ])
      const [one, two] = await Promise.all([insertPost(author, `Hello @${fan.username}`), insertPost(author)])
      const remark = await insertComment(fan, one, `Said to @${other.username}`)
      const words = await sendDirectMessage(author, fan)
      await sql`insert into public.follows (follower_id, followee_id) values (${fan.id}, ${author.id})`
      for (const who of [fan, other]) {
        await fileReport(who, 'post', one)
        await fileReport(who, 'user', author.id)
      }
      await fileReport(author, 'comment', remark)
      await fileReport(fan, 'message', words)
      const cases = await Promise.all([one, remark, words, author.id].map((thing) => getLatestCase(thing)))
      const [ofPost, ofComment, ofMessage, ofPerson] = cases.map(({ id }) => id)
      const codes = await outcomes([
        decideCase(boss, ofPost ?? '', 'suspend', { days: 3, hide: true }),
        decideCase(deputy, ofComment ?? '', 'hide'),
        decideCase(boss, ofMessage ?? '', 'hide'),
        decideCase(deputy, ofPerson ?? '', 'remove', { forfeit: true }),
        remove(round % 2 === 0 ? fan : other),
        runAs(busy, (tx) => tx`select public.toggle_like(${two})`),
        insertComment(busy, two, `To @${fan.username}`),
        sql`select private.tidy_moderation()`.execute(),
      ])
      expect(codes.filter((code) => code.startsWith('40'))).toEqual([])
      expect(codes.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => 'done'))
    }
  })

  it('about somebody whose reporter leaves hold what both hold in one order', async () => {
    const [author, fan] = await Promise.all([insertUser(), insertUser()])
    await sql`insert into public.follows (follower_id, followee_id) values (${fan.id}, ${author.id})`
    await fileReport(fan, 'user', author.id)
    const { id } = await getLatestCase(author.id)
    await beside(
      (tx) => tx`select from public.user_counters where user_id = ${fan.id} for update`,
      () => decideCase(boss, id, 'remove', { forfeit: true }),
    )
    expect((await sql`select from public.profiles where id = ${author.id}`).count).toBe(0)
    expect(await getSqlState(decideCase(boss, id, 'warn'))).toBe('PT409')
  })
})
