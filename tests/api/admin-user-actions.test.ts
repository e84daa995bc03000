import { AdminUser } from '@contract/admin.ts'
import { AccountLogEntry, AuditEntry, AuditStatus } from '@contract/audit.ts'
import { Notification } from '@contract/notification.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, authorizationHeader, call } from '../support/api.ts'
import { createPost } from '../support/content-api.ts'
import { tip } from '../support/creators.ts'
import { waitForMail } from '../support/mail.ts'
import { sql } from '../support/stack.ts'
import { createUser, createUsers, makeAdmin, makeCreator, type TestUser } from '../support/users.ts'

const usersPath = '/api/admin/users'
const userPath = ({ id }: { id: string }, path = '') => `${usersPath}/${id}${path}`

let admin: TestUser
let otherAdmin: TestUser
let fan: TestUser

beforeAll(async () => {
  const users = await createUsers('admin', 'otherAdmin', 'fan')
  ;({ admin, otherAdmin, fan } = users)
  await makeAdmin(admin, otherAdmin)
})

const getAdminUser = async (user: { id: string }) => (await apiAs(admin).get(userPath(user), AdminUser)).body
/** Returns the audit entries for an action on a user, newest first. */
const auditEntries = (user: { id: string }, action: string) =>
  sql<{ actor: string; change: Record<string, unknown>; subject: string | null }[]>`
    select actor_id as actor, change, subject from public.audit_entries
    where target_id = ${user.id} and action = ${action} order by id desc`

describe('admin actions on users', () => {
  it('approve an account once', async () => {
    const [first, second] = await Promise.all(
      [1, 2].map(() => apiAs(admin).post(userPath(fan, '/approve'), AdminUser)),
    )
    expect(first?.body.approvedAt).toEqual(second?.body.approvedAt)
    expect(first?.body.approvedBy?.id).toBe(admin.id)
    expect(await auditEntries(fan, 'account.approve')).toEqual([
      { actor: admin.id, change: {}, subject: null },
    ])
  })

  it('set or toggle whether a user is a creator', async () => {
    const user = await createUser()
    const toggle = async (body?: unknown) =>
      (await apiAs(admin).post(userPath(user, '/toggle-creator'), AdminUser, body)).body.isCreator
    const clicks = await Promise.all([1, 2, 3].map(() => toggle({ isCreator: true })))
    expect(clicks).toEqual([true, true, true])
    expect(await toggle()).toBe(false)
    expect(await toggle()).toBe(true)
    expect(await toggle({})).toBe(false)
    const rows = await auditEntries(user, 'account.creator')
    expect(rows.map(({ change }) => change.isCreator)).toEqual([false, true, false, true])
  })

  it('suspend a user only once on a double-click, and lift the suspension', async () => {
    const user = await createUser()
    const body = { reason: 'Spam in comments', days: 3 }
    const clicks = await Promise.all(
      [1, 2].map(() => apiAs(admin).post(userPath(user, '/suspend'), AdminUser, body)),
    )
    for (const click of clicks) {
      expect(click.body.suspended).toBe(true)
      expect(click.body.readOnlyReason).toMatch(/^Suspended until .*: Spam in comments$/)
    }
    expect(await auditEntries(user, 'case.suspend')).toHaveLength(1)
    const readOnlyError = await apiAs(user).expectError('POST', '/api/posts', 403, {
      body: { content: 'Hi' },
    })
    expect(readOnlyError.code).toBe('account_read_only')
    // A different duration is a new decision.
    const longer = await apiAs(admin).post(userPath(user, '/suspend'), AdminUser, { ...body, days: null })
    expect(longer.body.suspendedUntil).toBeNull()
    expect(longer.body.readOnlyReason).toBe('Suspended: Spam in comments')
    expect(longer.body.suspension).toEqual({ reason: 'Spam in comments', until: null })
    for (const invalidBody of [
      {},
      { ...body, days: 0 },
      { ...body, days: 366 },
      { ...body, reason: ' ' },
      { days: 1 },
    ]) {
      await apiAs(admin).expectError('POST', userPath(user, '/suspend'), 400, { body: invalidBody })
    }
    const path = userPath(user, '/suspend')
    for (let n = 0; n < 2; n++) {
      const response = await call('DELETE', path, { headers: authorizationHeader(admin) })
      expect(AdminUser.parse(await response.json())).toMatchObject({ suspended: false, readOnlyReason: null })
    }
    expect(await auditEntries(user, 'account.unsuspend')).toHaveLength(1)
    const { body: notifications } = await apiAs(user).get('/api/notifications', z.array(Notification))
    const suspension = { kind: 'user', decision: 'suspend', reason: 'Spam in comments' }
    const moderation = notifications.filter(({ kind }) => kind === 'moderation')
    expect(moderation.map(({ details }) => details)).toMatchObject([
      { event: 'suspension_lifted' },
      { decision: suspension },
      { decision: { ...suspension, suspendedUntil: expect.any(String) } },
    ])
    await createPost(user, 'Hi')
  })

  it('remove a user, send them an email, and forfeit a balance only if requested', async () => {
    const user = await createUser()
    await makeCreator(user)
    await tip(fan, user, 100)
    const error = await apiAs(admin).expectError('DELETE', userPath(user), 409)
    expect(error).toEqual({
      code: 'balance_left',
      message: 'This user still has $90.00. Pay it out first, or forfeit it for them.',
    })
    await apiAs(admin).expectNoContent('DELETE', userPath(user), {
      reason: 'Fraud, in <b>bold</b>',
      giveUpBalance: true,
    })
    const mail = await waitForMail(user.email)
    expect(mail.subject).toBe('Your account was removed')
    expect(mail.text).toContain('Fraud, in <b>bold</b>')
    await apiAs(user).expectError('GET', '/api/auth/user', 401)
    await apiAs(admin).expectError('GET', userPath(user), 404)
    await apiAs(admin).expectError('DELETE', userPath(user), 404)
    expect(await auditEntries(user, 'account.remove')).toEqual([
      { actor: admin.id, subject: null, change: { reason: 'Fraud, in <b>bold</b>', gaveUpBalance: true } },
    ])
    const userWithoutBalance = await createUser()
    await apiAs(admin).expectNoContent('DELETE', userPath(userWithoutBalance))
    await apiAs(admin).expectError('GET', userPath(userWithoutBalance), 404)
  })
})

describe('another admin', () => {
  it('cannot be approved, removed, suspended or made a creator, and neither admins nor auto-posting can post for them', async () => {
    const attempts = [
      ['POST', userPath(otherAdmin, '/approve'), undefined],
      ['DELETE', userPath(otherAdmin), undefined],
      ['POST', userPath(otherAdmin, '/suspend'), { reason: 'A coup', days: null }],
      ['DELETE', userPath(otherAdmin, '/suspend'), undefined],
      ['POST', userPath(otherAdmin, '/toggle-creator'), { isCreator: true }],
      ['POST', userPath(otherAdmin, '/toggle-auto-posting'), { enabled: true, frequency: 'high' }],
      ['POST', '/api/admin/create-post', { userId: otherAdmin.id, content: 'Not mine' }],
    ] as const
    for (const [method, path, body] of attempts) {
      const response = await apiAs(admin).expectError(method, path, 403, body === undefined ? {} : { body })
      expect([path, response.code]).toEqual([path, 'target_is_admin'])
    }
    expect(await getAdminUser(otherAdmin)).toMatchObject({
      isAdmin: true,
      isCreator: false,
      suspended: false,
      approvedAt: null,
    })
    // Admins cannot remove themselves either.
    await apiAs(admin).expectError('DELETE', userPath(admin), 403)
  })
})

describe('the audit log', () => {
  it('can be filtered, paginated and exported, and shows users what was done to them but not by whom', async () => {
    const user = await createUser({ fullName: '=HYPERLINK("x")' })
    await apiAs(admin).post(userPath(user, '/approve'), AdminUser)
    await apiAs(admin).post(userPath(user, '/suspend'), AdminUser, { reason: '=1+1, "quoted"', days: 1 })
    await apiAs(otherAdmin).post(userPath(user, '/toggle-creator'), AdminUser)
    await apiAs(admin).put(userPath(user, '/profile'), AdminUser, {
      ...(await formOf(user)),
      bio: 'A secret bio',
      showProfileInDirectory: false,
    })

    const list = async (query: string) =>
      (await apiAs(admin).get(`/api/admin/audit?target=${user.id}&${query}`, z.array(AuditEntry))).body
    const all = await list('')
    const actions = ['account.edit', 'account.creator', 'case.suspend', 'account.approve']
    expect(all.map(({ action }) => action)).toEqual(actions)
    expect(all[1]).toMatchObject({
      actorId: otherAdmin.id,
      actor: { username: otherAdmin.username },
      target: { username: user.username },
      change: { isCreator: true },
    })
    expect(await list('action=case.suspend')).toEqual([all[2]])
    expect(await list(`actor=${otherAdmin.id}`)).toEqual([all[1]])
    expect(await list(`limit=1&before=${all[1]?.id}`)).toEqual([all[2]])
    expect(await list('limit=2&offset=1')).toEqual([all[1], all[2]])
    const today = all[0]?.createdAt.slice(0, 10)
    expect(await list(`from=${all[3]?.createdAt.slice(0, 10)}&to=${today}`)).toEqual(all)
    expect(await list('to=2001-01-01')).toEqual([])
    expect(await list('from=2999-01-01')).toEqual([])
    await apiAs(admin).expectError('GET', '/api/admin/audit?from=yesterday', 400)

    const headers = authorizationHeader(admin)
    const file = await call('GET', `/api/admin/audit/export?target=${user.id}`, { headers })
    expect(file.headers.get('content-type')).toContain('text/csv')
    const lines = (await file.text()).trimEnd().split('\r\n')
    expect(lines).toHaveLength(5)
    expect(lines[1]).toContain(`"'=HYPERLINK(""x"") (@${user.username})"`)
    expect(lines[3]).toContain('case.suspend')
    expect(lines[3]).toContain(all[2]?.hash)
    expect(lines.join()).not.toContain('A secret bio')

    const accountLog = (await apiAs(user).get('/api/user/account-log', z.array(AccountLogEntry))).body
    expect(accountLog.map(({ text }) => text)).toEqual([
      'Your profile was changed: bio, show profile in directory.',
      'You were made a creator.',
      'Your account was suspended: =1+1, "quoted"',
      'Your account was approved.',
    ])
    expect(accountLog.map(({ change }) => change)).toEqual([
      { fields: ['bio', 'showProfileInDirectory'] },
      { isCreator: true },
      { kind: 'user', reason: '=1+1, "quoted"' },
      {},
    ])
    expect(JSON.stringify(accountLog)).not.toContain(otherAdmin.id)
    const rest = await apiAs(user).get(
      `/api/user/account-log?before=${accountLog[2]?.id}`,
      z.array(AccountLogEntry),
    )
    expect(rest.body).toEqual(accountLog.slice(3))
    expect(
      (await apiAs(fan).get('/api/user/account-log?limit=1', z.array(AccountLogEntry))).body,
    ).not.toContainEqual(accountLog[0])
    await apiAs(null).expectError('GET', '/api/user/account-log', 401)
  })

  it('detects an entry that was modified in the database', async () => {
    const initialStatus = (await apiAs(admin).get('/api/admin/audit/status', AuditStatus)).body
    expect(initialStatus.brokenAt).toBeNull()
    expect(initialStatus.lastHash).toMatch(/^[0-9a-f]{64}$/)
    const [row] = await sql<{ id: number }[]>`
      select id::float8 as id from public.audit_entries where actor_id = ${admin.id} order by id limit 1`
    const rollback = new Error('rolled back')
    let status: AuditStatus | undefined
    const attempt = sql.begin(async (tx) => {
      const [session] = await tx`select id from auth.sessions where user_id = ${admin.id}`
      const claims = { sub: admin.id, role: 'authenticated', session_id: session?.id }
      await tx`set local session_replication_role = replica`
      await tx`update public.audit_entries set change = '{"forged": true}' where id = ${row?.id ?? 0}`
      await tx`
        select set_config('role', 'authenticated', true),
               set_config('request.jwt.claims', ${JSON.stringify(claims)}, true),
               set_config('request.jwt.claim.sub', ${admin.id}, true)`
      const [response] = await tx`select private.audit_status() as status`
      status = AuditStatus.parse(response?.status)
      throw rollback
    })
    await expect(attempt).rejects.toBe(rollback)
    expect(status?.brokenAt).toBe(row?.id)
  })

  async function formOf(user: TestUser) {
    const adminUser = await getAdminUser(user)
    const { fullName, username, email, allowDirectMessages, showFollowerCount, makeProfileDiscoverable } =
      adminUser
    return { fullName, username, email, allowDirectMessages, showFollowerCount, makeProfileDiscoverable }
  }
})

describe('the setting require_approval', () => {
  it('keeps unapproved accounts read-only until they are approved', async () => {
    const rollback = new Error('rolled back')
    const reasons: (string | null)[] = []
    const attempt = sql.begin(async (tx) => {
      const readReason = async () => {
        const [row] = await tx<{ reason: string | null }[]>`
          select read_only_reason as reason from public.accounts where user_id = ${fan.id}`
        reasons.push(row?.reason ?? null)
      }
      // Changing the setting locks `accounts`. The next two statements lock `auth.users` and then `accounts`, in the
      // same order as registrations and deletions do, so that concurrent ones finish before the change. The stronger
      // mode for `accounts` also waits for transactions that have locked an account in order to change it.
      await tx`lock table auth.users in share row exclusive mode`
      await tx`lock table public.accounts in exclusive mode`
      await tx`update public.accounts set approved_at = null where user_id = ${fan.id}`
      await tx`select private.set_setting('require_approval', 'true')`
      await tx`select private.refresh_restrictions(1000000)`
      await readReason()
      await tx`update public.accounts set approved_at = now() where user_id = ${fan.id}`
      await readReason()
      await tx`update public.accounts set approved_at = null where user_id = ${fan.id}`
      await readReason()
      await tx`select private.set_setting('require_approval', 'false')`
      await tx`select private.refresh_restrictions(1000000)`
      await readReason()
      throw rollback
    })
    await expect(attempt).rejects.toBe(rollback)
    const pendingReason = 'This account is waiting for approval.'
    expect(reasons).toEqual([pendingReason, null, pendingReason, null])
  })
})
