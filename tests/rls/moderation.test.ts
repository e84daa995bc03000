import { randomUUID } from 'node:crypto'
import type postgres from 'postgres'
import { beforeAll, describe, expect, it } from 'vitest'
import { getSqlState, insertBlock, insertPost, insertUser, runAs, type SessionUser, sql } from './database.ts'
import {
  countVisibleRows,
  decideAppeal,
  decideCase,
  fileReport,
  getLatestCase,
  insertComment,
  insertUpload,
  moderateSubject,
  type SubjectKind,
  sendDirectMessage,
} from './moderation-helpers.ts'

let admin: SessionUser
let author: SessionUser
let fan: SessionUser
let blocker: SessionUser

beforeAll(async () => {
  ;[admin, author, fan, blocker] = await Promise.all([
    insertUser({ admin: true }),
    insertUser({ creator: true }),
    insertUser(),
    insertUser(),
  ])
  await insertBlock(blocker, author)
})

describe('reports and cases', () => {
  let postId: string
  let caseId: string
  beforeAll(async () => {
    postId = await insertPost(author, 'Reported')
    await fileReport(fan, 'post', postId)
    caseId = (await getLatestCase(postId)).id
  })

  it('can be read by admins; reporters can read their own reports, and users can read the cases that were decided against them', async () => {
    const readers: [string, SessionUser | null, number, number][] = [
      ['visitor', null, 0, 0],
      ['stranger', await insertUser(), 0, 0],
      ['reporter', fan, 1, 0],
      ['blocker', blocker, 0, 0],
      ['author', author, 0, 0],
      ['admin', admin, 1, 1],
    ]
    const countReadable = (user: SessionUser | null, table: string, column: string) =>
      user
        ? runAs(
            user,
            async (tx) => (await tx.unsafe(`select id from ${table} where ${column} = $1`, [postId])).count,
          )
        : getSqlState(runAs(null, (tx) => tx.unsafe(`select id from ${table}`))).then((code) =>
            code === '42501' ? 0 : -1,
          )
    for (const [name, user, reports, cases] of readers) {
      expect([name, await countReadable(user, 'public.reports', 'subject_id')]).toEqual([name, reports])
      expect([name, await countReadable(user, 'public.moderation_cases', 'subject_id')]).toEqual([
        name,
        cases,
      ])
    }
    const dismissedPostId = await insertPost(author, 'Not so bad')
    await fileReport(fan, 'post', dismissedPostId)
    await decideCase(admin, (await getLatestCase(dismissedPostId)).id, 'dismiss')
    const countOwnCases = (subjectId: string) =>
      runAs(
        author,
        async (tx) =>
          (await tx`select id from public.moderation_cases where subject_id = ${subjectId}`).count,
      )
    expect(await countOwnCases(dismissedPostId)).toBe(0)
    const warnedPostId = await insertPost(author, 'Bad')
    await moderateSubject(admin, 'post', warnedPostId, 'warn')
    expect(await countOwnCases(warnedPostId)).toBe(1)
  })

  it('hide their admin-only details from the reported user, and cannot be written directly', async () => {
    for (const column of ['decided_by', 'appeal_decided_by', 'reports', 'created_at', '*']) {
      const read = runAs(author, (tx) => tx.unsafe(`select ${column} from public.moderation_cases`))
      expect(await getSqlState(read)).toBe('42501')
    }
    const readDecider = (reader: SessionUser) =>
      runAs(
        reader,
        async (tx) => (await tx`select decided_by from private.case_admin_details(${caseId})`)[0]?.decided_by,
      )
    const readChange = (reader: SessionUser) =>
      runAs(reader, async (tx) => (await tx`select since from private.subject_state(${caseId})`)[0]?.since)
    expect([await readDecider(author), await readChange(author), await readChange(admin)]).toEqual([
      null,
      null,
      'same',
    ])
    for (const statement of [
      `insert into public.reports (case_id, reporter_id, kind, subject_id, reason)
       values ('${caseId}', '${author.id}', 'post', '${postId}', 'spam')`,
      `update public.reports set outcome = 'acted'`,
      'delete from public.reports',
      `insert into public.moderation_cases (kind, subject_id, user_id) values ('post', '${postId}', '${fan.id}')`,
      `update public.moderation_cases set state = 'closed'`,
      'delete from public.moderation_cases',
      `update public.posts set hidden = null`,
      `insert into public.posts (author_id, content, hidden) values ('${author.id}', 'x', 'hidden')`,
      `update public.comments set hidden = null`,
      'select * from private.hidden_messages',
    ]) {
      for (const user of [author, admin]) {
        expect([statement, await getSqlState(runAs(user, (tx) => tx.unsafe(statement)))]).toEqual([
          statement,
          '42501',
        ])
      }
    }
  })

  it('can be decided by admins only, and not through internal functions', async () => {
    const calls: ((user: SessionUser) => Promise<unknown>)[] = [
      (user) => decideCase(user, caseId, 'hide'),
      (user) => moderateSubject(user, 'post', postId, 'remove'),
      (user) => decideAppeal(user, caseId, true),
    ]
    for (const call of calls) {
      for (const user of [author, fan, blocker]) expect(await getSqlState(call(user))).toBe('PT403')
    }
    for (const internalCall of [
      'private.run_moderation_maintenance()',
      'private.lift_expired_suspensions()',
      `private.hide_subject('post', '${postId}', 'hidden', '{}')`,
      `private.restore_subject('post', '${postId}')`,
      `private.open_case('post', '${postId}')`,
      `private.subject_snapshot('post', '${postId}')`,
      `private.suspend_account('${fan.id}', 1, 'x', null)`,
      `private.release_case_media('${caseId}')`,
      `private.withdraw_notifications_about('${postId}', '{}', null, '{}')`,
    ]) {
      for (const user of [author, admin]) {
        expect([
          internalCall,
          await getSqlState(runAs(user, (tx) => tx.unsafe(`select ${internalCall}`))),
        ]).toEqual([internalCall, '42501'])
      }
    }
    expect((await getLatestCase(postId)).state).toBe('open')
  })
})

describe('an appeal', () => {
  it('is decided by an admin who did not make the decision, if possible, and never by the user concerned', async () => {
    const otherAdmin = await insertUser({ admin: true })
    const canAnswer = (decider: SessionUser, subject: SessionUser) => async (tx: postgres.TransactionSql) =>
      (await tx`select private.can_answer_appeal(${decider.id}, ${subject.id}) as "canAnswer"`)[0]?.canAnswer
    expect(await runAs(admin, canAnswer(otherAdmin, author))).toBe(true)
    expect(await runAs(admin, canAnswer(admin, author))).toBe(false)
    expect(await runAs(admin, canAnswer(otherAdmin, admin))).toBe(false)
    expect(await runAs(author, canAnswer(otherAdmin, fan))).toBe(false)
    const rollback = new Error('rollback')
    const withoutOtherAdmins = sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`
      await tx`update public.profiles set is_admin = false where is_admin and id not in (${admin.id}, ${otherAdmin.id})`
      await tx`select set_config('request.jwt.claims', ${JSON.stringify({ sub: admin.id })}, true),
                      set_config('request.jwt.claim.sub', ${admin.id}, true)`
      expect(await canAnswer(admin, author)(tx)).toBe(false)
      expect(await canAnswer(admin, otherAdmin)(tx)).toBe(true)
      expect(await canAnswer(admin, admin)(tx)).toBe(false)
      throw rollback
    })
    await expect(withoutOtherAdmins).rejects.toBe(rollback)
  })
})

describe('reporting', () => {
  it('accepts content that the reporter can see and did not create, and ignores a second report', async () => {
    const privateUser = await insertUser({ visibility: 'private' })
    const [postId, invisiblePostId] = await Promise.all([
      insertPost(author, 'Seen'),
      insertPost(privateUser, 'Unseen'),
    ])
    const commentId = await insertComment(fan, postId, 'Rude')
    const messageId = await sendDirectMessage(author, fan, 'Ruder')
    const ownMessageId = await sendDirectMessage(fan, author, 'Mine')
    expect(await fileReport(fan, 'post', postId)).toBe(true)
    expect(await fileReport(fan, 'post', postId, 'hate')).toBe(false)
    expect(await fileReport(author, 'comment', commentId)).toBe(true)
    expect(await fileReport(fan, 'message', messageId)).toBe(true)
    expect(await fileReport(fan, 'user', author.id)).toBe(true)
    // Users cannot see an account that they blocked, but may still report it.
    expect(await fileReport(blocker, 'user', author.id)).toBe(true)
    expect((await getLatestCase(author.id)).reports).toBe(2)
    const refused: [SessionUser, SubjectKind, string, string][] = [
      [author, 'post', postId, 'PT400'],
      [fan, 'comment', commentId, 'PT400'],
      [fan, 'user', fan.id, 'PT400'],
      // Only the receiver may report a message.
      [author, 'message', messageId, 'PT404'],
      [fan, 'message', ownMessageId, 'PT404'],
      [admin, 'message', messageId, 'PT404'],
      [fan, 'post', invisiblePostId, 'PT404'],
      [blocker, 'post', postId, 'PT404'],
      [blocker, 'comment', commentId, 'PT404'],
      [author, 'user', blocker.id, 'PT404'],
      [fan, 'user', randomUUID(), 'PT404'],
      [fan, 'post', randomUUID(), 'PT404'],
    ]
    for (const [user, kind, subjectId, code] of refused) {
      expect([kind, subjectId, await getSqlState(fileReport(user, kind, subjectId))]).toEqual([
        kind,
        subjectId,
        code,
      ])
    }
    expect(
      await getSqlState(runAs(null, (tx) => tx`select private.file_report('post', ${postId}, 'spam', null)`)),
    ).toBe('42501')
    expect((await sql`select from public.moderation_cases where subject_id = ${invisiblePostId}`).count).toBe(
      0,
    )
  })

  it('stores a snapshot if the content has changed since the last snapshot', async () => {
    const mediaId = await insertUpload(author)
    const postId = await insertPost(author, 'First')
    await sql`update public.posts set media_id = ${mediaId}, media_type = 'image' where id = ${postId}`
    await fileReport(fan, 'post', postId)
    await fileReport(await insertUser(), 'post', postId)
    expect((await getLatestCase(postId)).snapshots).toMatchObject([{ seen: { content: 'First', mediaId } }])
    await sql`update public.posts set content = 'Second' where id = ${postId}`
    const { id } = await getLatestCase(postId)
    const readState = (caseId = id) =>
      runAs(admin, async (tx) => (await tx`select since, hidden from private.subject_state(${caseId})`)[0])
    expect(await readState()).toEqual({ since: 'changed', hidden: false })
    await fileReport(await insertUser(), 'post', postId)
    expect((await getLatestCase(postId)).snapshots).toMatchObject([
      { seen: { content: 'First' } },
      { seen: { content: 'Second' } },
    ])
    expect(await readState()).toEqual({ since: 'same', hidden: false })
    const commentId = await insertComment(author, postId, 'A comment')
    await fileReport(fan, 'comment', commentId)
    const otherCase = await getLatestCase(commentId)
    // The decision stores a snapshot of the content at that time.
    await sql`update public.posts set content = 'Third' where id = ${postId}`
    await decideCase(admin, id, 'hide')
    expect((await getLatestCase(postId)).snapshots[2]).toMatchObject({ seen: { content: 'Third' } })
    expect(await readState()).toEqual({ since: 'same', hidden: true })
    expect(await readState(otherCase.id)).toEqual({ since: 'same', hidden: true })
    await sql`update public.posts set content = 'Fourth' where id = ${postId}`
    expect(await readState()).toEqual({ since: 'changed', hidden: true })
    await sql`delete from public.posts where id = ${postId}`
    expect(await readState()).toEqual({ since: 'gone', hidden: false })
  })

  it('keeps at most 20 snapshots, including the first and the last, with times truncated to the hour', async () => {
    const postId = await insertPost(author, 'Version 0')
    await fileReport(await insertUser(), 'post', postId)
    for (let version = 1; version < 24; version++) {
      await sql`update public.posts set content = ${`Version ${version}`} where id = ${postId}`
      await fileReport(await insertUser(), 'post', postId)
    }
    const { snapshots } = await getLatestCase(postId)
    expect(snapshots).toHaveLength(20)
    expect([snapshots[0], snapshots[19]]).toMatchObject([
      { seen: { content: 'Version 0' } },
      { seen: { content: 'Version 23' } },
    ])
    expect(JSON.stringify(snapshots)).toMatch(/"at":"[^"]*T\d\d:00:00\+00:00"/)
  })
})

describe('files of reported content', () => {
  it('are kept for the case when the content is deleted, and deleted when the case is decided', async () => {
    const [postFileId, messageFileId] = await Promise.all([insertUpload(author), insertUpload(author)])
    const postId = await insertPost(author, 'With a file')
    const messageId = randomUUID()
    await sql`update public.posts set media_id = ${postFileId}, media_type = 'image' where id = ${postId}`
    await runAs(
      author,
      (tx) => tx`select private.send_message(${messageId}, ${fan.id}, '', ${messageFileId}, null)`,
    )
    await fileReport(fan, 'post', postId)
    await fileReport(fan, 'message', messageId)
    await runAs(author, (tx) => tx`delete from public.posts where id = ${postId}`)
    await runAs(author, (tx) => tx`select private.delete_message(${messageId})`)
    const deleteOrphans = () =>
      sql`
      with due as (update private.orphaned_media set due = now() - interval '1 minute'
                   where media_id in ${sql([postFileId, messageFileId])} returning media_id)
      select from due`.then(() => sql`select private.delete_orphaned_media(1000)`)
    await deleteOrphans()
    for (const fileId of [postFileId, messageFileId]) {
      expect([
        await countVisibleRows(admin, 'public.media', 'id', fileId),
        await countVisibleRows(fan, 'public.media', 'id', fileId),
      ]).toEqual([1, 0])
      // Until the case is decided, other content cannot use the file.
      const reuse = runAs(
        author,
        (tx) =>
          tx`select private.publish_post(gen_random_uuid(), 'x', null, null, ${fileId}, null, null, null)`,
      )
      expect(await getSqlState(reuse)).toBe('PT400')
    }
    for (const subjectId of [postId, messageId])
      await decideCase(admin, (await getLatestCase(subjectId)).id, 'warn')
    await deleteOrphans()
    expect((await sql`select from public.media where id in ${sql([postFileId, messageFileId])}`).count).toBe(
      0,
    )
  })
})
