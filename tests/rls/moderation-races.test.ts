import type postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answer, appeal, caseOf, comment, decide, moderate, report, say } from './moderating.ts'
import { expectWaiting } from './subscribing.ts'
import { as, owner, type Person, person, post, refusal } from './support.ts'

/** What happens at the same moment: one of two decides, nothing is counted twice, and nobody waits in a circle. */
afterAll(() => owner.end())

type Tx = postgres.TransactionSql

let boss: Person
let deputy: Person
beforeAll(async () => {
  ;[boss, deputy] = await Promise.all([person({ admin: true }), person({ admin: true })])
})

const outcomes = async (attempts: Promise<unknown>[]) =>
  (await Promise.allSettled(attempts)).map((one) =>
    one.status === 'fulfilled' ? 'done' : (one.reason as { code: string }).code,
  )
/** Runs `second` beside `first`, which has done its work and is not over: it has to wait. */
async function beside(first: (tx: Tx) => Promise<unknown>, second: () => Promise<unknown>) {
  let other: Promise<unknown> = Promise.resolve()
  await owner.begin(async (tx) => {
    await first(tx)
    other = second()
    other.catch(() => undefined)
    await expectWaiting(tx)
  })
  return await other
}
const remove = (who: Person) => owner`select private.remove_account(${who.id}, true)`.execute()
/** Becomes somebody for the rest of a transaction. */
const become = (tx: Tx, who: Person) =>
  tx`select set_config('request.jwt.claims', ${JSON.stringify({ sub: who.id, role: 'authenticated', session_id: who.sessionId })}, true),
            set_config('request.jwt.claim.sub', ${who.id}, true)`
const counts = async (of: Person, on: string) =>
  (
    await owner<{ posts: number; real: number; comments: number; shown: number }[]>`
      select c.posts, p.comments_count as comments,
             (select count(*)::int from public.posts o where o.author_id = ${of.id} and o.hidden is null) as real,
             (select count(*)::int from public.comments o where o.post_id = p.id and o.hidden is null) as shown
      from public.posts p join public.profile_counts c on c.user_id = p.author_id where p.id = ${on}`
  )[0]

describe('reports', () => {
  it('by many at once make one case, and a double click one report', async () => {
    const author = await person()
    const about = await post(author)
    const many = await Promise.all(Array.from({ length: 20 }, () => person()))
    const made = await Promise.all([...many, ...many].map((who) => report(who, 'post', about)))
    expect(made.filter(Boolean)).toHaveLength(20)
    const cases = await owner`select reports from public.moderation_cases where subject_id = ${about}`
    expect(cases.map(({ reports }) => reports)).toEqual([20])
    expect(await caseOf(about)).toMatchObject({ snapshots: [{ seen: { content: 'Hello' } }] })
  })

  it('that come while it is decided find it gone, or open a case of their own', async () => {
    const [author, fan, late] = await Promise.all([person(), person(), person()])
    for (const [decided, outcome] of [
      ['hide', 'PT404'],
      ['dismiss', 'done'],
    ] as const) {
      const about = await post(author)
      await report(fan, 'post', about)
      const { id } = await caseOf(about)
      const reported = beside(
        async (tx) => {
          await become(tx, boss)
          await tx`select private.decide_case(${id}, ${decided}, 'Why', null, false, false)`
        },
        () => report(late, 'post', about),
      )
      expect(await outcomes([reported])).toEqual([outcome])
      const states = await owner<{ state: string; reports: number }[]>`
        select state, reports from public.moderation_cases where subject_id = ${about} order by created_at`
      expect(states.map(({ state, reports }) => `${state} ${reports}`)).toEqual(
        decided === 'hide' ? ['decided 1'] : ['decided 1', 'open 1'],
      )
    }
  })
})

describe('decisions', () => {
  it('by two at once are one: the other hears that there is one', async () => {
    const [author, fan] = await Promise.all([person(), person()])
    const about = await post(author)
    await report(fan, 'post', about)
    const { id } = await caseOf(about)
    const both = await outcomes([decide(boss, id, 'hide'), decide(deputy, id, 'dismiss')])
    expect(both.sort()).toEqual(['PT409', 'done'])
    const heard = await owner`select from public.notifications where user_id = ${fan.id} and kind = 'report'`
    expect(heard.count).toBe(1)
    // Straight at the thing: whoever is second finds it gone.
    const other = await post(author)
    const again = await outcomes([
      moderate(boss, 'post', other, 'hide'),
      moderate(deputy, 'post', other, 'hide'),
    ])
    expect(again.sort()).toEqual(['PT404', 'done'])
    expect((await owner`select from public.moderation_cases where subject_id = ${other}`).count).toBe(1)
  })

  it('appealed twice at once count one appeal; answered twice at once, one answer', async () => {
    const author = await person()
    const id = await moderate(boss, 'post', await post(author), 'hide')
    expect((await outcomes([appeal(author, id), appeal(author, id), appeal(author, id)])).sort()).toEqual([
      'PT409',
      'PT409',
      'done',
    ])
    const third = await person({ admin: true })
    const answers = await outcomes([answer(deputy, id, true), answer(third, id, false)])
    expect(answers.sort()).toEqual(['PT409', 'done'])
  })

  it('about a comment while it is answered keep the count', async () => {
    const [author, fan] = await Promise.all([person(), person()])
    const about = await post(author)
    for (let round = 0; round < 5; round++) {
      const parent = await comment(fan, about, 'Parent')
      await outcomes([
        moderate(boss, 'comment', parent, 'hide'),
        ...Array.from({ length: 4 }, () => comment(author, about, 'Reply', parent)),
        comment(fan, about, 'Beside'),
      ])
      const now = await counts(author, about)
      expect(now?.comments).toBe(now?.shown)
      const stray = await owner`
        select from public.comments where parent_comment_id = ${parent} and hidden is null`
      expect(stray.count).toBe(0)
    }
  })

  it('while those concerned leave, and much else goes on, wait for nobody in a circle', async () => {
    for (let round = 0; round < 4; round++) {
      const [author, fan, other, busy] = await Promise.all([person(), person(), person(), person()])
      const [one, two] = await Promise.all([post(author, `Hello @${fan.username}`), post(author)])
      const remark = await comment(fan, one, `Said to @${other.username}`)
      const words = await say(author, fan)
      await owner`insert into public.follows (follower_id, followee_id) values (${fan.id}, ${author.id})`
      for (const who of [fan, other]) {
        await report(who, 'post', one)
        await report(who, 'user', author.id)
      }
      await report(author, 'comment', remark)
      await report(fan, 'message', words)
      const cases = await Promise.all([one, remark, words, author.id].map((thing) => caseOf(thing)))
      const [ofPost, ofComment, ofMessage, ofPerson] = cases.map(({ id }) => id)
      const codes = await outcomes([
        decide(boss, ofPost ?? '', 'suspend', { days: 3, hide: true }),
        decide(deputy, ofComment ?? '', 'hide'),
        decide(boss, ofMessage ?? '', 'hide'),
        decide(deputy, ofPerson ?? '', 'remove', { giveUp: true }),
        remove(round % 2 === 0 ? fan : other),
        as(busy, (tx) => tx`select public.toggle_like(${two})`),
        comment(busy, two, `To @${fan.username}`),
        owner`select private.tidy_moderation()`.execute(),
      ])
      expect(codes.filter((code) => code.startsWith('40'))).toEqual([])
      expect(codes.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => 'done'))
    }
  })

  it('about somebody whose reporter leaves hold what both hold in one order', async () => {
    const [author, fan] = await Promise.all([person(), person()])
    await owner`insert into public.follows (follower_id, followee_id) values (${fan.id}, ${author.id})`
    await report(fan, 'user', author.id)
    const { id } = await caseOf(author.id)
    await beside(
      (tx) => tx`select from public.user_counters where user_id = ${fan.id} for update`,
      () => decide(boss, id, 'remove', { giveUp: true }),
    )
    expect((await owner`select from public.profiles where id = ${author.id}`).count).toBe(0)
    expect(await refusal(decide(boss, id, 'warn'))).toBe('PT409')
  })
})
