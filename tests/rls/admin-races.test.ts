import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  countBlockedSessions,
  getSqlState,
  impersonate,
  insertPost,
  insertUser,
  runAs,
  type SessionUser,
  sql,
  waitForBlockedSession,
} from './database.ts'
import { moderateSubject } from './moderation-helpers.ts'

// Tests races between admin actions or auto-posting runs and other changes to the same rows. Also tests what admins
// can and cannot do.

let admin: SessionUser
let otherAdmin: SessionUser
beforeAll(async () => {
  ;[admin, otherAdmin] = await Promise.all([insertUser({ admin: true }), insertUser({ admin: true })])
})

/** Returns 'done', or the SQLSTATE of the error. */
const outcome = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'done',
    (error: { code: string }) => error.code,
  )
const getReadOnlyReason = async (user: SessionUser) =>
  (await sql`select read_only_reason as reason from public.accounts where user_id = ${user.id}`)[0]?.reason
const rollback = new Error('rollback')

describe('account moderation', () => {
  it('removes an account only once when two admins remove it concurrently', async () => {
    const target = await insertUser()
    const remove = (remover: SessionUser) =>
      outcome(runAs(remover, (tx) => tx`select private.remove_user(${target.id}, 'Why', true)`))
    const removals: Promise<string>[] = []
    await sql.begin(async (tx) => {
      await tx`select from public.user_counters where user_id = ${target.id} for update`
      removals.push(remove(admin), remove(otherAdmin))
      await expect.poll(() => countBlockedSessions(tx), { interval: 20, timeout: 5000 }).toBeGreaterThan(1)
    })
    expect((await Promise.all(removals)).sort()).toEqual(['PT404', 'done'])
    const rows = await sql`
      select from public.audit_entries where action = 'account.remove' and target_id = ${target.id}`
    expect(rows.count).toBe(1)
  })

  it('keeps an account read-only if the user’s age is set below 18 while a suspension is being lifted', async () => {
    const minor = await insertUser()
    await runAs(admin, (tx) => tx`select private.suspend_user(${minor.id}, 'Rude', 3)`)
    let lifted: Promise<unknown> = Promise.resolve()
    await sql.begin(async (tx) => {
      await tx`update public.profile_about set age = 16 where user_id = ${minor.id}`
      lifted = outcome(runAs(otherAdmin, (other) => other`select private.lift_suspension(${minor.id})`))
      await waitForBlockedSession(tx)
    })
    expect(await lifted).toBe('done')
    expect(await getReadOnlyReason(minor)).toBe('You must be 18 or older to use this platform.')
  })

  it('makes a new account wait for a concurrent change to the approval setting', async () => {
    let registered: Promise<SessionUser> = Promise.reject(rollback)
    registered.catch(() => undefined)
    const settingChange = sql.begin(async (tx) => {
      await tx`lock table public.accounts in row exclusive mode`
      await tx`update private.settings set value = value where key = 'require_approval'`
      registered = insertUser()
      await waitForBlockedSession(tx)
      throw rollback
    })
    await expect(settingChange).rejects.toBe(rollback)
    expect(await getReadOnlyReason(await registered)).toBeNull()
  })

  it('keeps the longer of two suspensions', async () => {
    const target = await insertUser()
    const permanentCaseId = await moderateSubject(admin, 'user', target.id, 'suspend', { days: null })
    await moderateSubject(admin, 'post', await insertPost(target), 'suspend', { days: 3 })
    const [suspension] = await sql`
      select suspended_until as until, suspension_case as "case" from public.accounts where user_id = ${target.id}`
    expect(suspension).toEqual({ until: null, case: permanentCaseId })
  })
})

describe('a change to the instance settings', () => {
  it('updates only the given fields', async () => {
    const changes = { inputPrice: 123.5 }
    const attempt = sql.begin(async (tx) => {
      // Other changes to the settings wait until this transaction rolls back.
      await tx`select from private.settings order by key for update`
      await impersonate(tx, admin)
      const readSettings = async () => (await tx`select private.instance_settings() as settings`)[0]?.settings
      const before = await readSettings()
      await tx`select private.update_instance_settings(${tx.json({ auto_posting: changes })})`
      expect(await readSettings()).toEqual({
        ...before,
        auto_posting: { ...before.auto_posting, ...changes },
      })
      throw rollback
    })
    await expect(attempt).rejects.toBe(rollback)
  })

  it('does not deadlock while an account is approved', async () => {
    const newUser = await insertUser()
    let settingsChanged: Promise<string> = Promise.resolve('')
    let approved: Promise<string> = Promise.resolve('')
    await sql.begin(async (tx) => {
      await tx`select from private.settings where key = 'require_approval' for update`
      settingsChanged = outcome(
        sql.begin(async (other) => {
          await impersonate(other, admin)
          await other`select private.update_instance_settings('{"creator_pro_billing": true, "require_approval": true}')`
          throw Object.assign(rollback, { code: 'rollback' })
        }),
      )
      await waitForBlockedSession(tx)
      approved = outcome(runAs(otherAdmin, (other) => other`select private.approve_account(${newUser.id})`))
      // Gives the approval time to finish or to start waiting for the lock on the audit log.
      await Promise.race([approved, new Promise((resolve) => setTimeout(resolve, 300))])
    })
    expect(await Promise.all([settingsChanged, approved])).toEqual(['rollback', 'done'])
  })

  it('does not deadlock while an account’s email address changes', async () => {
    const target = await insertUser()
    const email = `${randomUUID()}@example.test`
    let emailChanged: Promise<string> = Promise.resolve('')
    let settingChanged: Promise<string> = Promise.resolve('')
    await sql.begin(async (tx) => {
      await tx`select pg_advisory_xact_lock(hashtextextended(${`email:${email}`}, 0))`
      emailChanged = outcome(
        runAs(
          admin,
          (other) => other`select private.update_user_profile(${target.id}, ${other.json({ email })})`,
        ),
      )
      await waitForBlockedSession(tx)
      settingChanged = outcome(
        sql.begin(async (other) => {
          await other`select private.set_setting('require_approval', 'true')`
          throw Object.assign(rollback, { code: 'rollback' })
        }),
      )
      await expect.poll(() => countBlockedSessions(tx), { interval: 20, timeout: 5000 }).toBeGreaterThan(1)
    })
    expect(await Promise.all([emailChanged, settingChanged])).toEqual(['done', 'rollback'])
  })
})

describe('auto-posting while the creator’s account is being deleted', () => {
  const insertAutoPostingCreator = async () => {
    const creator = await insertUser({ creator: true })
    await runAs(admin, (tx) => tx`select private.set_auto_posting(${creator.id}, true, 'low')`)
    await sql`update public.profile_about set allow_auto_posting = true where user_id = ${creator.id}`
    return creator
  }
  /**
   * Runs an action while an account deletion waits for a lock. Returns the outcomes of the deletion and of the
   * action.
   */
  async function runDuringDeletion(user: SessionUser, action: () => Promise<unknown>) {
    let deletion = Promise.resolve('')
    let actionOutcome = Promise.resolve('')
    await sql.begin(async (tx) => {
      await tx`select from public.profile_counts where user_id = ${user.id} for update`
      deletion = outcome(sql`select private.delete_account(${user.id}, true)`.execute())
      await waitForBlockedSession(tx)
      actionOutcome = outcome(action())
      await expect.poll(() => countBlockedSessions(tx), { interval: 20, timeout: 5000 }).toBeGreaterThan(1)
    })
    return await Promise.all([deletion, actionOutcome])
  }

  it('ends a run without a deadlock and publishes nothing', async () => {
    const creator = await insertAutoPostingCreator()
    const [run] = await sql<{ id: string }[]>`
      insert into public.auto_post_runs (user_id, kind, counted_on, model) values (${creator.id}, 'test', '2001-01-01', 'm')
      returning id`
    const outcomes = await runDuringDeletion(creator, () =>
      sql`select private.end_auto_run(${run?.id ?? ''}, 'published', null, 'Hello', '{}', now())`.execute(),
    )
    expect(outcomes).toEqual(['done', 'done'])
    expect((await sql`select from public.posts where author_id = ${creator.id}`).count).toBe(0)
  })

  it('rejects the publication of a draft, without a deadlock', async () => {
    const creator = await insertAutoPostingCreator()
    const draftId = randomUUID()
    await sql`insert into public.auto_post_drafts (id, user_id, content) values (${draftId}, ${creator.id}, 'Hello')`
    const outcomes = await runDuringDeletion(creator, () =>
      runAs(creator, (tx) => tx`select private.publish_draft(${draftId}, null)`),
    )
    expect(outcomes).toEqual(['done', 'PT404'])
    expect((await sql`select from public.posts where id = ${draftId}`).count).toBe(0)
  })
})

describe('editing a post while an admin hides the post', () => {
  it('adds no tags and sends no notifications', async () => {
    const [author, fan] = await Promise.all([insertUser(), insertUser()])
    const postId = await insertPost(author)
    let edited: Promise<unknown> = Promise.resolve()
    await sql.begin(async (tx) => {
      await impersonate(tx, admin)
      await tx`select private.moderate_subject('post', ${postId}, 'hide', 'Why', null, false, false)`
      edited = outcome(
        runAs(
          author,
          (other) =>
            other`select private.edit_post(${postId}, ${other.json({ content: `To @${fan.username} #edited` })})`,
        ),
      )
      await waitForBlockedSession(tx)
    })
    await edited
    expect((await sql`select from public.post_tags where post_id = ${postId}`).count).toBe(0)
    expect((await sql`select from public.notifications where post_id = ${postId}`).count).toBe(0)
  })
})

describe('an admin', () => {
  it('cannot take over another admin’s account by changing its email', async () => {
    const newEmail = { email: `${randomUUID()}@example.test` }
    const edit = (target: SessionUser, changes: object) =>
      runAs(
        otherAdmin,
        (tx) => tx`select private.update_user_profile(${target.id}, ${tx.json(changes as never)})`,
      )
    expect(await getSqlState(edit(admin, newEmail))).toBe('PT403')
    await edit(admin, { bio: 'Edited by another admin', email: `${admin.username}@example.test` })
    const user = await insertUser()
    await edit(user, newEmail)
    const [account] = await sql`select email from public.accounts where user_id = ${user.id}`
    expect(account).toEqual(newEmail)
  })

  it('cannot agree to auto-posting on behalf of a creator', async () => {
    const creator = await insertUser({ creator: true })
    const changes = { bio: 'New', allow_auto_posting: true }
    await runAs(admin, (tx) => tx`select private.update_user_profile(${creator.id}, ${tx.json(changes)})`)
    const [about] =
      await sql`select allow_auto_posting as agreed from public.profile_about where user_id = ${creator.id}`
    expect(about).toEqual({ agreed: false })
  })

  it('sees who approved an account, and other users do not', async () => {
    const newUser = await insertUser()
    await runAs(admin, (tx) => tx`select private.approve_account(${newUser.id})`)
    expect(
      await getSqlState(
        runAs(newUser, (tx) => tx`select approved_by from public.accounts where user_id = ${newUser.id}`),
      ),
    ).toBe('42501')
    const approvers = await runAs(
      otherAdmin,
      (tx) =>
        tx`select private.account_approver(${newUser.id}) as approver union all select private.account_approver(${admin.id})`,
    )
    expect(approvers.map(({ approver }) => approver)).toEqual([admin.id, null])
    expect(
      await runAs(newUser, (tx) => tx`select private.account_approver(${newUser.id}) as approver`),
    ).toEqual([{ approver: null }])
  })

  it('sees the activity of users who hide it from others, and other users do not', async () => {
    const user = await insertUser()
    await sql`
      update public.user_settings set show_online = false, show_last_seen = false where user_id = ${user.id}`
    await sql`update public.profiles set show_follower_count = false where id = ${user.id}`
    await sql`insert into private.last_seen (user_id, seen_at) values (${user.id}, '2026-11-01T10:00:00Z')`
    const readActivity = async (caller: Parameters<typeof runAs>[0]) =>
      await runAs(caller, (tx) => tx`select private.account_activity(${user.id}) as activity`)
    expect(await readActivity(admin)).toEqual([
      {
        activity: { lastSeenAt: expect.stringContaining('2026-11-01T10:00:00'), postCount: 0, openCases: 0 },
      },
    ])
    for (const caller of [user, await insertUser({ creator: true })]) {
      expect(await readActivity(caller)).toEqual([{ activity: null }])
    }
    expect(await getSqlState(runAs(null, (tx) => tx`select private.account_activity(${user.id})`))).toBe(
      '42501',
    )
  })
})
