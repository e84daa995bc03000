import { randomUUID } from 'node:crypto'
import type postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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

afterAll(() => sql.end())

let boss: SessionUser
let author: SessionUser
let fan: SessionUser
let foe: SessionUser

beforeAll(async () => {
  ;[boss, author, fan, foe] = await Promise.all([
    insertUser({ admin: true }),
    insertUser({ creator: true }),
    insertUser(),
    insertUser(),
  ])
  await insertBlock(foe, author)
})

describe('reports and cases', () => {
  let about: string
  let case_: string
  beforeAll(async () => {
    about = await insertPost(author, 'Reported')
    await fileReport(fan, 'post', about)
    case_ = (await getLatestCase(about)).id
  })

  it('are read by who made them and admins; a case by who is concerned, once it is decided against them', async () => {
    const readers: [string, SessionUser | null, number, number][] = [
      ['visitor', null, 0, 0],
      ['stranger', await insertUser(), 0, 0],
      ['reporter', fan, 1, 0],
      ['blocked', foe, 0, 0],
      ['author', author, 0, 0],
      ['admin', boss, 1, 1],
    ]
    const rows = (who: SessionUser | null, table: string, column: string) =>
      who
        ? runAs(
            who,
            async (tx) => (await tx.unsafe(`select id from ${table} where ${column} = $1`, [about])).count,
          )
        : getSqlState(runAs(null, (tx) => tx.unsafe(`select id from ${table}`))).then((code) =>
            code === '42501' ? 0 : -1,
          )
    for (const [name, who, reports, cases] of readers) {
      expect([name, await rows(who, 'public.reports', 'subject_id')]).toEqual([name, reports])
      expect([name, await rows(who, 'public.moderation_cases', 'subject_id')]).toEqual([name, cases])
    }
    const dismissed = await insertPost(author, 'Not so bad')
    await fileReport(fan, 'post', dismissed)
    await decideCase(boss, (await getLatestCase(dismissed)).id, 'dismiss')
    const mine = (thing: string) =>
      runAs(
        author,
        async (tx) => (await tx`select id from public.moderation_cases where subject_id = ${thing}`).count,
      )
    expect(await mine(dismissed)).toBe(0)
    const warned = await insertPost(author, 'Bad')
    await moderateSubject(boss, 'post', warned, 'warn')
    expect(await mine(warned)).toBe(1)
  })

  it('name no admin to anybody but admins, and nobody writes them by themselves', async () => {
    for (const column of ['decided_by', 'appeal_decided_by', 'reports', 'created_at', '*']) {
      const read = runAs(author, (tx) => tx.unsafe(`select ${column} from public.moderation_cases`))
      expect(await getSqlState(read)).toBe('42501')
    }
    const who = (reader: SessionUser) =>
      runAs(
        reader,
        async (tx) => (await tx`select decided_by from private.case_inside(${case_})`)[0]?.decided_by,
      )
    const since = (reader: SessionUser) =>
      runAs(reader, async (tx) => (await tx`select since from private.case_since(${case_})`)[0]?.since)
    expect([await who(author), await since(author), await since(boss)]).toEqual([null, null, 'same'])
    for (const statement of [
      `insert into public.reports (case_id, reporter_id, kind, subject_id, reason)
       values ('${case_}', '${author.id}', 'post', '${about}', 'spam')`,
      `update public.reports set outcome = 'acted'`,
      'delete from public.reports',
      `insert into public.moderation_cases (kind, subject_id, person_id) values ('post', '${about}', '${fan.id}')`,
      `update public.moderation_cases set state = 'closed'`,
      'delete from public.moderation_cases',
      `update public.posts set hidden = null`,
      `insert into public.posts (author_id, content, hidden) values ('${author.id}', 'x', 'hidden')`,
      `update public.comments set hidden = null`,
      'select * from private.hidden_messages',
    ]) {
      for (const reader of [author, boss]) {
        expect([statement, await getSqlState(runAs(reader, (tx) => tx.unsafe(statement)))]).toEqual([
          statement,
          '42501',
        ])
      }
    }
  })

  it('are decided by admins alone, through whichever function', async () => {
    const calls: ((who: SessionUser) => Promise<unknown>)[] = [
      (who) => decideCase(who, case_, 'hide'),
      (who) => moderateSubject(who, 'post', about, 'remove'),
      (who) => decideAppeal(who, case_, true),
    ]
    for (const call of calls) {
      for (const who of [author, fan, foe]) expect(await getSqlState(call(who))).toBe('PT403')
    }
    for (const inner of [
      'private.tidy_moderation()',
      'private.lift_suspensions()',
      `private.hide_thing('post', '${about}', 'hidden', '{}')`,
      `private.show_thing('post', '${about}')`,
      `private.open_case('post', '${about}')`,
      `private.snapshot_of('post', '${about}')`,
      `private.suspend_account('${fan.id}', 1, 'x', null)`,
      `private.release_media('${case_}')`,
      `private.withdraw_news('${about}', '{}', null, '{}')`,
    ]) {
      for (const who of [author, boss]) {
        expect([inner, await getSqlState(runAs(who, (tx) => tx.unsafe(`select ${inner}`)))]).toEqual([
          inner,
          '42501',
        ])
      }
    }
    expect((await getLatestCase(about)).state).toBe('open')
  })
})

describe('an appeal', () => {
  it('is answered by who decided only where there is no other admin, and never by whom it is about', async () => {
    const deputy = await insertUser({ admin: true })
    const may = (decider: SessionUser, about: SessionUser) => async (tx: postgres.TransactionSql) =>
      (await tx`select private.may_answer(${decider.id}, ${about.id}) as may`)[0]?.may
    expect(await runAs(boss, may(deputy, author))).toBe(true)
    expect(await runAs(boss, may(boss, author))).toBe(false)
    expect(await runAs(boss, may(deputy, boss))).toBe(false)
    expect(await runAs(author, may(deputy, fan))).toBe(false)
    const takenBack = new Error('taken back')
    const alone = sql.begin(async (tx) => {
      await tx`set local session_replication_role = replica`
      await tx`update public.profiles set is_admin = false where is_admin and id not in (${boss.id}, ${deputy.id})`
      await tx`select set_config('request.jwt.claims', ${JSON.stringify({ sub: boss.id })}, true),
                      set_config('request.jwt.claim.sub', ${boss.id}, true)`
      expect(await may(boss, author)(tx)).toBe(false)
      expect(await may(boss, deputy)(tx)).toBe(true)
      expect(await may(boss, boss)(tx)).toBe(false)
      throw takenBack
    })
    await expect(alone).rejects.toBe(takenBack)
  })
})

describe('what can be reported', () => {
  it('is what somebody sees and did not make; the same again is the report of before', async () => {
    const shut = await insertUser({ visibility: 'private' })
    const [seenPost, unseen] = await Promise.all([insertPost(author, 'Seen'), insertPost(shut, 'Unseen')])
    const remark = await insertComment(fan, seenPost, 'Rude')
    const words = await sendDirectMessage(author, fan, 'Ruder')
    const mine = await sendDirectMessage(fan, author, 'Mine')
    expect(await fileReport(fan, 'post', seenPost)).toBe(true)
    expect(await fileReport(fan, 'post', seenPost, 'hate')).toBe(false)
    expect(await fileReport(author, 'comment', remark)).toBe(true)
    expect(await fileReport(fan, 'message', words)).toBe(true)
    expect(await fileReport(fan, 'user', author.id)).toBe(true)
    // Whoever blocked somebody sees them no more, and may still report them.
    expect(await fileReport(foe, 'user', author.id)).toBe(true)
    expect((await getLatestCase(author.id)).reports).toBe(2)
    const refused: [SessionUser, SubjectKind, string, string][] = [
      [author, 'post', seenPost, 'PT400'],
      [fan, 'comment', remark, 'PT400'],
      [fan, 'user', fan.id, 'PT400'],
      // Not who was written to.
      [author, 'message', words, 'PT404'],
      [fan, 'message', mine, 'PT404'],
      [boss, 'message', words, 'PT404'],
      [fan, 'post', unseen, 'PT404'],
      [foe, 'post', seenPost, 'PT404'],
      [foe, 'comment', remark, 'PT404'],
      [author, 'user', foe.id, 'PT404'],
      [fan, 'user', randomUUID(), 'PT404'],
      [fan, 'post', randomUUID(), 'PT404'],
    ]
    for (const [who, kind, thing, code] of refused) {
      expect([kind, thing, await getSqlState(fileReport(who, kind, thing))]).toEqual([kind, thing, code])
    }
    expect(
      await getSqlState(
        runAs(null, (tx) => tx`select private.file_report('post', ${seenPost}, 'spam', null)`),
      ),
    ).toBe('42501')
    expect((await sql`select from public.moderation_cases where subject_id = ${unseen}`).count).toBe(0)
  })

  it('keeps how it looked each time that it had changed, and what it showed', async () => {
    const picture = await insertUpload(author)
    const about = await insertPost(author, 'First')
    await sql`update public.posts set media_id = ${picture}, media_type = 'image' where id = ${about}`
    await fileReport(fan, 'post', about)
    await fileReport(await insertUser(), 'post', about)
    expect((await getLatestCase(about)).snapshots).toMatchObject([
      { seen: { content: 'First', mediaId: picture } },
    ])
    await sql`update public.posts set content = 'Second' where id = ${about}`
    const { id } = await getLatestCase(about)
    const since = (of = id) =>
      runAs(boss, async (tx) => (await tx`select since, hidden from private.case_since(${of})`)[0])
    expect(await since()).toEqual({ since: 'changed', hidden: false })
    await fileReport(await insertUser(), 'post', about)
    expect((await getLatestCase(about)).snapshots).toMatchObject([
      { seen: { content: 'First' } },
      { seen: { content: 'Second' } },
    ])
    expect(await since()).toEqual({ since: 'same', hidden: false })
    const below = await insertComment(author, about, 'Below it')
    await fileReport(fan, 'comment', below)
    const other = await getLatestCase(below)
    // What is decided about is how it is by then.
    await sql`update public.posts set content = 'Third' where id = ${about}`
    await decideCase(boss, id, 'hide')
    expect((await getLatestCase(about)).snapshots[2]).toMatchObject({ seen: { content: 'Third' } })
    expect(await since()).toEqual({ since: 'same', hidden: true })
    expect(await since(other.id)).toEqual({ since: 'same', hidden: true })
    await sql`update public.posts set content = 'Fourth' where id = ${about}`
    expect(await since()).toEqual({ since: 'changed', hidden: true })
    await sql`delete from public.posts where id = ${about}`
    expect(await since()).toEqual({ since: 'gone', hidden: false })
  })

  it('keeps of very many looks the last, and not the minute of a report', async () => {
    const about = await insertPost(author, 'Look 0')
    await fileReport(await insertUser(), 'post', about)
    for (let look = 1; look < 24; look++) {
      await sql`update public.posts set content = ${`Look ${look}`} where id = ${about}`
      await fileReport(await insertUser(), 'post', about)
    }
    const { snapshots } = await getLatestCase(about)
    expect(snapshots).toHaveLength(20)
    expect([snapshots[0], snapshots[19]]).toMatchObject([
      { seen: { content: 'Look 0' } },
      { seen: { content: 'Look 23' } },
    ])
    expect(JSON.stringify(snapshots)).toMatch(/"at":"[^"]*T\d\d:00:00\+00:00"/)
  })
})

describe('files', () => {
  it('of what is reported stay for the case when they are deleted meanwhile, and go with it', async () => {
    const [ofPost, ofMessage] = await Promise.all([insertUpload(author), insertUpload(author)])
    const about = await insertPost(author, 'With a file')
    const words = randomUUID()
    await sql`update public.posts set media_id = ${ofPost}, media_type = 'image' where id = ${about}`
    await runAs(author, (tx) => tx`select private.send_message(${words}, ${fan.id}, '', ${ofMessage}, null)`)
    await fileReport(fan, 'post', about)
    await fileReport(fan, 'message', words)
    await runAs(author, (tx) => tx`delete from public.posts where id = ${about}`)
    await runAs(author, (tx) => tx`select private.delete_message(${words})`)
    const sweep = () =>
      sql`
      with due as (update private.loose_media set due = now() - interval '1 minute'
                   where media_id in ${sql([ofPost, ofMessage])} returning media_id)
      select from due`.then(() => sql`select private.sweep_media(1000)`)
    await sweep()
    for (const file of [ofPost, ofMessage]) {
      expect([
        await countVisibleRows(boss, 'public.media', 'id', file),
        await countVisibleRows(fan, 'public.media', 'id', file),
      ]).toEqual([1, 0])
      // Nothing else can take it meanwhile.
      const taken = runAs(
        author,
        (tx) =>
          tx`select private.publish_post(gen_random_uuid(), 'x', null, null, ${file}, null, null, null)`,
      )
      expect(await getSqlState(taken)).toBe('PT400')
    }
    for (const thing of [about, words]) await decideCase(boss, (await getLatestCase(thing)).id, 'warn')
    await sweep()
    expect((await sql`select from public.media where id in ${sql([ofPost, ofMessage])}`).count).toBe(0)
  })
})
