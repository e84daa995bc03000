import type postgres from 'postgres'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  countBlockedSessions,
  getSqlState,
  impersonate,
  insertPost,
  insertUser,
  insertUsers,
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

// With concurrent reports, decisions and deletions, only one of two decisions may succeed, nothing may be counted twice
// and no deadlock may occur.

type Tx = postgres.TransactionSql

let admin: SessionUser
let otherAdmin: SessionUser
beforeAll(async () => {
  ;[admin, otherAdmin] = await Promise.all([insertUser({ admin: true }), insertUser({ admin: true })])
})

/** Waits for all attempts and returns, for each, 'done' or the SQLSTATE of its error. */
const outcomes = async (attempts: Promise<unknown>[]) =>
  (await Promise.allSettled(attempts)).map((result) =>
    result.status === 'fulfilled' ? 'done' : (result.reason as { code: string }).code,
  )
/** Starts `second` after `first` but before the transaction of `first` commits, so that `second` has to wait. */
async function runConcurrently(first: (tx: Tx) => Promise<unknown>, second: () => Promise<unknown>) {
  let waiting: Promise<unknown> = Promise.resolve()
  await sql.begin(async (tx) => {
    await first(tx)
    waiting = second()
    waiting.catch(() => undefined)
    await waitForBlockedSession(tx)
  })
  return await waiting
}
const deleteAccount = (user: SessionUser) => sql`select private.delete_account(${user.id}, true)`.execute()
/** Returns the counters of a post and its author, and the actual counts of visible rows. */
const readCounts = async (author: SessionUser, postId: string) =>
  (
    await sql<{ posts: number; actualPosts: number; comments: number; actualComments: number }[]>`
      select c.posts, p.comments_count as comments,
             (select count(*)::int from public.posts o where o.author_id = ${author.id} and o.hidden is null) as "actualPosts",
             (select count(*)::int from public.comments o where o.post_id = p.id and o.hidden is null) as "actualComments"
      from public.posts p join public.profile_counts c on c.user_id = p.author_id where p.id = ${postId}`
  )[0]

describe('concurrent reports', () => {
  it('by many users create one case, and a double click creates one report', async () => {
    const author = await insertUser()
    const postId = await insertPost(author)
    const reporters = await insertUsers(20)
    const created = await Promise.all(
      [...reporters, ...reporters].map((user) => fileReport(user, 'post', postId)),
    )
    expect(created.filter(Boolean)).toHaveLength(20)
    const cases = await sql`select reports from public.moderation_cases where subject_id = ${postId}`
    expect(cases.map(({ reports }) => reports)).toEqual([20])
    expect(await getLatestCase(postId)).toMatchObject({ snapshots: [{ seen: { content: 'Hello' } }] })
  })

  it('fail during a decision that hides the post, and open a new case during a dismissal', async () => {
    const [author, fan, lateReporter] = await Promise.all([insertUser(), insertUser(), insertUser()])
    for (const [decision, outcome] of [
      ['hide', 'PT404'],
      ['dismiss', 'done'],
    ] as const) {
      const postId = await insertPost(author)
      await fileReport(fan, 'post', postId)
      const { id } = await getLatestCase(postId)
      const lateReport = runConcurrently(
        async (tx) => {
          await impersonate(tx, admin)
          await tx`select private.decide_case(${id}, ${decision}, 'Why', null, false, false)`
        },
        () => fileReport(lateReporter, 'post', postId),
      )
      expect(await outcomes([lateReport])).toEqual([outcome])
      const states = await sql<{ state: string; reports: number }[]>`
        select state, reports from public.moderation_cases where subject_id = ${postId} order by created_at`
      expect(states.map(({ state, reports }) => `${state} ${reports}`)).toEqual(
        decision === 'hide' ? ['decided 1'] : ['decided 1', 'open 1'],
      )
    }
  })
})

describe('likes', () => {
  it('are rejected if moderators hide the post, the comment or its parent while the like waits', async () => {
    const [author, fan, liker] = await Promise.all([insertUser(), insertUser(), insertUser()])
    for (const decision of ['hide', 'remove'] as const) {
      for (const [hidden, liked] of [
        ['post', 'post'],
        ['post', 'comment'],
        ['comment', 'comment'],
        ['comment', 'reply'],
      ] as const) {
        const post = await insertPost(author)
        const comment = await insertComment(fan, post)
        const ids = { post, comment, reply: await insertComment(fan, post, 'Reply', comment) }
        const toggle = liked === 'post' ? 'toggle_like' : 'toggle_comment_like'
        const waitingLike = runConcurrently(
          async (tx) => {
            await impersonate(tx, admin)
            await tx`
              select private.moderate_subject(${hidden}, ${ids[hidden]}, ${decision}, 'Why', null, false, false)`
          },
          () => runAs(liker, (tx) => tx`select ${tx(`public.${toggle}`)}(${ids[liked]})`),
        )
        const outcome = await outcomes([waitingLike])
        expect([decision, hidden, liked, ...outcome]).toEqual([decision, hidden, liked, 'PT404'])
      }
    }
    const stored = await sql`
      select from public.likes where user_id = ${liker.id}
      union all select from public.comment_likes where user_id = ${liker.id}
      union all select from public.notifications where actor_id = ${liker.id}`
    expect(stored.count).toBe(0)
  })
})

describe('concurrent decisions', () => {
  it('by two admins result in one decision and a conflict for the other admin', async () => {
    const [author, fan] = await Promise.all([insertUser(), insertUser()])
    const postId = await insertPost(author)
    await fileReport(fan, 'post', postId)
    const { id } = await getLatestCase(postId)
    const results = await outcomes([decideCase(admin, id, 'hide'), decideCase(otherAdmin, id, 'dismiss')])
    expect(results.sort()).toEqual(['PT409', 'done'])
    const notifications =
      await sql`select from public.notifications where user_id = ${fan.id} and kind = 'report'`
    expect(notifications.count).toBe(1)
    // Without a report, the second admin gets 404 because the post is already hidden.
    const otherPostId = await insertPost(author)
    const direct = await outcomes([
      moderateSubject(admin, 'post', otherPostId, 'hide'),
      moderateSubject(otherAdmin, 'post', otherPostId, 'hide'),
    ])
    expect(direct.sort()).toEqual(['PT404', 'done'])
    expect((await sql`select from public.moderation_cases where subject_id = ${otherPostId}`).count).toBe(1)
  })

  it('on the same appeal succeed only once, as do concurrent appeals of the same decision', async () => {
    const author = await insertUser()
    const id = await moderateSubject(admin, 'post', await insertPost(author), 'hide')
    expect(
      (await outcomes([appealCase(author, id), appealCase(author, id), appealCase(author, id)])).sort(),
    ).toEqual(['PT409', 'PT409', 'done'])
    const thirdAdmin = await insertUser({ admin: true })
    const answers = await outcomes([decideAppeal(otherAdmin, id, true), decideAppeal(thirdAdmin, id, false)])
    expect(answers.sort()).toEqual(['PT409', 'done'])
  })

  it('about a comment that gets replies at the same time keep the counts exact', async () => {
    const [author, fan] = await Promise.all([insertUser(), insertUser()])
    const postId = await insertPost(author)
    for (let round = 0; round < 5; round++) {
      const parentId = await insertComment(fan, postId, 'Parent')
      await outcomes([
        moderateSubject(admin, 'comment', parentId, 'hide'),
        ...Array.from({ length: 4 }, () => insertComment(author, postId, 'Reply', parentId)),
        insertComment(fan, postId, 'Another comment'),
      ])
      const counts = await readCounts(author, postId)
      expect(counts?.comments).toBe(counts?.actualComments)
      const visibleReplies = await sql`
        select from public.comments where parent_comment_id = ${parentId} and hidden is null`
      expect(visibleReplies.count).toBe(0)
    }
  })

  it('do not deadlock while the accounts involved are deleted and other users like and comment', async () => {
    for (let round = 0; round < 4; round++) {
      const [author, fan, other, activeUser] = await Promise.all([
        insertUser(),
        insertUser(),
        insertUser(),
        insertUser(),
      ])
      const [postId, likedPostId] = await Promise.all([
        insertPost(author, `Hello @${fan.username}`),
        insertPost(author),
      ])
      const commentId = await insertComment(fan, postId, `Said to @${other.username}`)
      const messageId = await sendDirectMessage(author, fan)
      await sql`insert into public.follows (follower_id, followee_id) values (${fan.id}, ${author.id})`
      for (const user of [fan, other]) {
        await fileReport(user, 'post', postId)
        await fileReport(user, 'user', author.id)
      }
      await fileReport(author, 'comment', commentId)
      await fileReport(fan, 'message', messageId)
      const cases = await Promise.all(
        [postId, commentId, messageId, author.id].map((subjectId) => getLatestCase(subjectId)),
      )
      const [postCaseId, commentCaseId, messageCaseId, userCaseId] = cases.map(({ id }) => id)
      const codes = await outcomes([
        decideCase(admin, postCaseId ?? '', 'suspend', { days: 3, hide: true }),
        decideCase(otherAdmin, commentCaseId ?? '', 'hide'),
        decideCase(admin, messageCaseId ?? '', 'hide'),
        decideCase(otherAdmin, userCaseId ?? '', 'remove', { forfeit: true }),
        deleteAccount(round % 2 === 0 ? fan : other),
        runAs(activeUser, (tx) => tx`select public.toggle_like(${likedPostId})`),
        insertComment(activeUser, likedPostId, `To @${fan.username}`),
        sql`select private.run_moderation_maintenance()`.execute(),
      ])
      // SQLSTATE class 40: deadlocks and serialization failures.
      expect(codes.filter((code) => code.startsWith('40'))).toEqual([])
      expect(codes.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => 'done'))
    }
  })

  it('that remove a user do not deadlock with the deletion of a reporter', async () => {
    const users = await Promise.all([insertUser(), insertUser(), insertUser()])
    const [reporter, mentioned, author] = users.sort((a, b) => (a.id < b.id ? -1 : 1)) as [
      SessionUser,
      SessionUser,
      SessionUser,
    ]
    await insertPost(reporter, `To @${mentioned.username} and @${author.username}`)
    await fileReport(reporter, 'user', author.id)
    const { id } = await getLatestCase(author.id)
    const results: Promise<string[]>[] = []
    await sql.begin(async (tx) => {
      // The deletion locks the counters of all three users in the order of their IDs, and waits here after locking the
      // reporter's counters. If the decision locked the author's counters before the reporter's, the two transactions
      // would deadlock.
      await tx`select from public.user_counters where user_id = ${mentioned.id} for update`
      const starts = [() => deleteAccount(reporter), () => decideCase(admin, id, 'remove', { forfeit: true })]
      for (const [index, start] of starts.entries()) {
        results.push(outcomes([start()]))
        await expect.poll(() => countBlockedSessions(tx), { interval: 20, timeout: 5000 }).toBe(index + 1)
      }
    })
    expect(await Promise.all(results)).toEqual([['done'], ['done']])
    const left = await sql`select id from public.profiles where id in (${reporter.id}, ${author.id})`
    expect(left.count).toBe(0)
    expect(await getLatestCase(author.id)).toMatchObject({ state: 'decided', decision: 'remove' })
    expect(await getSqlState(decideCase(admin, id, 'warn'))).toBe('PT409')
  })
})
