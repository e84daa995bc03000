import { randomUUID } from 'node:crypto'
import type postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  countBlockedSessions,
  getSqlState,
  insertPost,
  insertUser,
  runAs,
  type SessionUser,
  sql,
  waitForBlockedSession,
} from './database.ts'
import { moderateSubject } from './moderation-helpers.ts'

/** Admins' deeds, and what a program writes, beside what else happens at the same moment. */
afterAll(() => sql.end())

type Tx = postgres.TransactionSql

let boss: SessionUser
let deputy: SessionUser
beforeAll(async () => {
  ;[boss, deputy] = await Promise.all([insertUser({ admin: true }), insertUser({ admin: true })])
})

/** Becomes somebody for the rest of a transaction. */
const become = (tx: Tx, who: SessionUser) =>
  tx`select set_config('request.jwt.claims', ${JSON.stringify({ sub: who.id, role: 'authenticated', session_id: who.sessionId })}, true),
            set_config('request.jwt.claim.sub', ${who.id}, true)`
const outcome = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'done',
    (error: { code: string }) => error.code,
  )
const reasonOf = async (who: SessionUser) =>
  (await sql`select read_only_reason as reason from public.accounts where user_id = ${who.id}`)[0]?.reason
const takenBack = new Error('taken back')

describe('an account', () => {
  it('removed by two admins at once is removed once', async () => {
    const gone = await insertUser()
    const remove = (admin: SessionUser) =>
      outcome(runAs(admin, (tx) => tx`select private.remove_person(${gone.id}, 'Why', true)`))
    const both: Promise<string>[] = []
    await sql.begin(async (tx) => {
      await tx`select from public.user_counters where user_id = ${gone.id} for update`
      both.push(remove(boss), remove(deputy))
      await expect.poll(() => countBlockedSessions(tx), { interval: 20, timeout: 5000 }).toBeGreaterThan(1)
    })
    expect((await Promise.all(both)).sort()).toEqual(['PT404', 'done'])
    const rows = await sql`
      select from public.audit_entries where action = 'account.remove' and target_id = ${gone.id}`
    expect(rows.count).toBe(1)
  })

  it('whose suspension is lifted while its age is set below 18 stays read-only', async () => {
    const young = await insertUser()
    await runAs(boss, (tx) => tx`select private.suspend_person(${young.id}, 'Rude', 3)`)
    let lifted: Promise<unknown> = Promise.resolve()
    await sql.begin(async (tx) => {
      await tx`update public.profile_about set age = 16 where user_id = ${young.id}`
      lifted = outcome(runAs(deputy, (other) => other`select private.lift_suspension(${young.id})`))
      await waitForBlockedSession(tx)
    })
    expect(await lifted).toBe('done')
    expect(await reasonOf(young)).toBe('You must be 18 or older to use this platform.')
  })

  it('made while approval is switched on waits for the switch', async () => {
    let made: Promise<SessionUser> = Promise.reject(takenBack)
    made.catch(() => undefined)
    const switched = sql.begin(async (tx) => {
      await tx`lock table public.accounts in row exclusive mode`
      await tx`update private.settings set value = value where key = 'require_approval'`
      made = insertUser()
      await waitForBlockedSession(tx)
      throw takenBack
    })
    await expect(switched).rejects.toBe(takenBack)
    expect(await reasonOf(await made)).toBeNull()
  })

  it('suspended for longer stays so when it is suspended again for less', async () => {
    const rude = await insertUser()
    const first = await moderateSubject(boss, 'user', rude.id, 'suspend', { days: null })
    await moderateSubject(boss, 'post', await insertPost(rude), 'suspend', { days: 3 })
    const [held] = await sql`
      select suspended_until as until, suspension_case as "case" from public.accounts where user_id = ${rude.id}`
    expect(held).toEqual({ until: null, case: first })
  })
})

describe('settings', () => {
  it('are changed in what is named alone', async () => {
    const price = { inputPrice: 123.5 }
    const tried = sql.begin(async (tx) => {
      // Who else changes them waits until all is taken back.
      await tx`select from private.settings order by key for update`
      await become(tx, boss)
      const all = async () => (await tx`select private.instance_settings() as held`)[0]?.held
      const before = await all()
      await tx`select private.change_settings(${tx.json({ auto_posting: price })})`
      expect(await all()).toEqual({ ...before, auto_posting: { ...before.auto_posting, ...price } })
      throw takenBack
    })
    await expect(tried).rejects.toBe(takenBack)
  })

  it('are changed beside approvals without waiting in a circle', async () => {
    const fresh = await insertUser()
    let changed: Promise<string> = Promise.resolve('')
    let approved: Promise<string> = Promise.resolve('')
    await sql.begin(async (tx) => {
      await tx`select from private.settings where key = 'require_approval' for update`
      changed = outcome(
        sql.begin(async (other) => {
          await become(other, boss)
          await other`select private.change_settings('{"creator_pro_billing": true, "require_approval": true}')`
          throw Object.assign(takenBack, { code: 'taken back' })
        }),
      )
      await waitForBlockedSession(tx)
      approved = outcome(runAs(deputy, (other) => other`select private.approve_account(${fresh.id})`))
      // Either it is done, or it waits for the audit log.
      await Promise.race([approved, new Promise((done) => setTimeout(done, 300))])
    })
    expect(await Promise.all([changed, approved])).toEqual(['taken back', 'done'])
  })

  it('are changed beside an account that is given another address, neither', async () => {
    const moved = await insertUser()
    const email = `${randomUUID()}@example.test`
    let given: Promise<string> = Promise.resolve('')
    let changed: Promise<string> = Promise.resolve('')
    await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtextextended(${`email:${email}`}, 0))`
      given = outcome(
        runAs(boss, (other) => other`select private.edit_person(${moved.id}, ${other.json({ email })})`),
      )
      await waitForBlockedSession(tx)
      changed = outcome(
        sql.begin(async (other) => {
          await other`select private.set_setting('require_approval', 'true')`
          throw Object.assign(takenBack, { code: 'taken back' })
        }),
      )
      await expect.poll(() => countBlockedSessions(tx), { interval: 20, timeout: 5000 }).toBeGreaterThan(1)
    })
    expect(await Promise.all([given, changed])).toEqual(['done', 'taken back'])
  })
})

describe('a run of auto-posting', () => {
  const creator = async () => {
    const who = await insertUser({ creator: true })
    await runAs(boss, (tx) => tx`select private.set_auto_posting(${who.id}, true, 'low')`)
    await sql`update public.profile_about set allow_auto_posting = true where user_id = ${who.id}`
    return who
  }
  /** Does something while the account is being removed, which is behind something else. */
  async function whileLeaving(who: SessionUser, what: () => Promise<unknown>) {
    let left = Promise.resolve('')
    let done = Promise.resolve('')
    await sql.begin(async (tx) => {
      await tx`select from public.profile_counts where user_id = ${who.id} for update`
      left = outcome(sql`select private.remove_account(${who.id}, true)`.execute())
      await waitForBlockedSession(tx)
      done = outcome(what())
      await expect.poll(() => countBlockedSessions(tx), { interval: 20, timeout: 5000 }).toBeGreaterThan(1)
    })
    return await Promise.all([left, done])
  }

  it('that ends while its creator leaves waits for nobody in a circle', async () => {
    const who = await creator()
    const [begun] = await sql<{ run: string }[]>`
      insert into public.auto_runs (user_id, kind, counted_on, model) values (${who.id}, 'test', '2001-01-01', 'm')
      returning id as run`
    const ended = await whileLeaving(who, () =>
      sql`select private.end_auto_run(${begun?.run ?? ''}, 'published', null, 'Hello', '{}', now())`.execute(),
    )
    expect(ended).toEqual(['done', 'done'])
    expect((await sql`select from public.posts where author_id = ${who.id}`).count).toBe(0)
  })

  it('whose draft is published while its creator leaves, neither', async () => {
    const who = await creator()
    const draft = randomUUID()
    await sql`insert into public.auto_drafts (id, user_id, content) values (${draft}, ${who.id}, 'Hello')`
    const ended = await whileLeaving(who, () =>
      runAs(who, (tx) => tx`select private.publish_draft(${draft}, null)`),
    )
    expect(ended).toEqual(['done', 'PT404'])
    expect((await sql`select from public.posts where id = ${draft}`).count).toBe(0)
  })
})

describe('what is hidden', () => {
  it('while it is edited has no topics, and nobody is told of it, until it is shown again', async () => {
    const [author, fan] = await Promise.all([insertUser(), insertUser()])
    const about = await insertPost(author)
    let edited: Promise<unknown> = Promise.resolve()
    await sql.begin(async (tx) => {
      await become(tx, boss)
      await tx`select private.moderate('post', ${about}, 'hide', 'Why', null, false, false)`
      edited = outcome(
        runAs(
          author,
          (other) =>
            other`select private.edit_post(${about}, ${other.json({ content: `To @${fan.username} #edited` })})`,
        ),
      )
      await waitForBlockedSession(tx)
    })
    await edited
    expect((await sql`select from public.post_tags where post_id = ${about}`).count).toBe(0)
    expect((await sql`select from public.notifications where post_id = ${about}`).count).toBe(0)
  })
})

describe('admins', () => {
  it('do not give another admin an address, by which they could sign in as them', async () => {
    const given = { email: `${randomUUID()}@example.test` }
    const edit = (who: SessionUser, changes: object) =>
      runAs(deputy, (tx) => tx`select private.edit_person(${who.id}, ${tx.json(changes as never)})`)
    expect(await getSqlState(edit(boss, given))).toBe('PT403')
    await edit(boss, { bio: 'Edited by another admin', email: `${boss.username}@example.test` })
    const someone = await insertUser()
    await edit(someone, given)
    const [now] = await sql`select email from public.accounts where user_id = ${someone.id}`
    expect(now).toEqual(given)
  })

  it('do not agree to auto-posting for somebody', async () => {
    const maker = await insertUser({ creator: true })
    const changes = { bio: 'New', allow_auto_posting: true }
    await runAs(boss, (tx) => tx`select private.edit_person(${maker.id}, ${tx.json(changes)})`)
    const [now] =
      await sql`select allow_auto_posting as agreed from public.profile_about where user_id = ${maker.id}`
    expect(now).toEqual({ agreed: false })
  })

  it('who approved an account are named to admins alone', async () => {
    const fresh = await insertUser()
    await runAs(boss, (tx) => tx`select private.approve_account(${fresh.id})`)
    expect(
      await getSqlState(
        runAs(fresh, (tx) => tx`select approved_by from public.accounts where user_id = ${fresh.id}`),
      ),
    ).toBe('42501')
    const named = await runAs(
      deputy,
      (tx) =>
        tx`select private.approver_of(${fresh.id}) as by union all select private.approver_of(${boss.id})`,
    )
    expect(named.map(({ by }) => by)).toEqual([boss.id, null])
    expect(await runAs(fresh, (tx) => tx`select private.approver_of(${fresh.id}) as by`)).toEqual([
      { by: null },
    ])
  })
})
