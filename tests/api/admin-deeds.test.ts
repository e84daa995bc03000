import { AdminUser } from '@contract/admin.ts'
import { AccountLogEntry, AuditEntry, AuditStatus } from '@contract/audit.ts'
import { Post } from '@contract/post.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { apiAs, call } from '../support/api.ts'
import { makeCreator, tip } from '../support/creators.ts'
import { waitForMail } from '../support/mail.ts'
import { sql } from '../support/stack.ts'
import { createUser, createUsers, type TestUser } from '../support/users.ts'

const users = '/api/admin/users'
const at = ({ id }: { id: string }, path = '') => `${users}/${id}${path}`

let boss: TestUser
let other: TestUser
let fan: TestUser

beforeAll(async () => {
  ;({ boss, other, fan } = await createUsers('boss', 'other', 'fan'))
  await sql`update public.profiles set is_admin = true where id in (${boss.id}, ${other.id})`
})

const read = async (person: { id: string }) => (await apiAs(boss).get(at(person), AdminUser)).body
/** What the log says of somebody since, the newest first. */
const logged = (person: { id: string }, action: string) =>
  sql<{ actor: string; change: Record<string, unknown>; subject: string | null }[]>`
    select actor_id as actor, change, subject from public.audit_entries
    where target_id = ${person.id} and action = ${action} order by id desc`

describe('deeds', () => {
  it('approve once', async () => {
    const [one, two] = await Promise.all([1, 2].map(() => apiAs(boss).post(at(fan, '/approve'), AdminUser)))
    expect(one?.body.approvedAt).toEqual(two?.body.approvedAt)
    expect(one?.body.approvedBy?.id).toBe(boss.id)
    expect(await logged(fan, 'account.approve')).toEqual([{ actor: boss.id, change: {}, subject: null }])
  })

  it('make somebody a creator and back: as it is asked for, or the other way', async () => {
    const person = await createUser()
    const toggle = async (body?: unknown) =>
      (await apiAs(boss).post(at(person, '/toggle-creator'), AdminUser, body)).body.isCreator
    const clicks = await Promise.all([1, 2, 3].map(() => toggle({ isCreator: true })))
    expect(clicks).toEqual([true, true, true])
    expect(await toggle()).toBe(false)
    expect(await toggle()).toBe(true)
    expect(await toggle({})).toBe(false)
    const rows = await logged(person, 'account.creator')
    expect(rows.map(({ change }) => change.isCreator)).toEqual([false, true, false, true])
  })

  it('suspend for a time, once for a double click, and lift', async () => {
    const person = await createUser()
    const body = { reason: 'Spam in comments', days: 3 }
    const clicks = await Promise.all(
      [1, 2].map(() => apiAs(boss).post(at(person, '/suspend'), AdminUser, body)),
    )
    for (const click of clicks) {
      expect(click.body.suspended).toBe(true)
      expect(click.body.readOnlyReason).toMatch(/^Suspended until .*: Spam in comments$/)
    }
    expect(await logged(person, 'case.suspend')).toHaveLength(1)
    const refused = await apiAs(person).expectError('POST', '/api/posts', 403, { body: { content: 'Hi' } })
    expect(refused.code).toBe('account_read_only')
    // Another length is another decision.
    const longer = await apiAs(boss).post(at(person, '/suspend'), AdminUser, { ...body, days: null })
    expect(longer.body.suspendedUntil).toBeNull()
    expect(longer.body.readOnlyReason).toBe('Suspended: Spam in comments')
    for (const bad of [
      {},
      { ...body, days: 0 },
      { ...body, days: 366 },
      { ...body, reason: ' ' },
      { days: 1 },
    ]) {
      await apiAs(boss).expectError('POST', at(person, '/suspend'), 400, { body: bad })
    }
    const path = at(person, '/suspend')
    for (let n = 0; n < 2; n++) {
      const answer = await call('DELETE', path, { headers: { Authorization: `Bearer ${boss.token}` } })
      expect(AdminUser.parse(await answer.json())).toMatchObject({ suspended: false, readOnlyReason: null })
    }
    expect(await logged(person, 'account.unsuspend')).toHaveLength(1)
    await apiAs(person).post('/api/posts', Post, { content: 'Hi' }, 201)
  })

  it('remove somebody, who is told why; a balance is given up only by saying so', async () => {
    const person = await createUser()
    await makeCreator(person)
    await tip(fan, person, 100)
    const left = await apiAs(boss).expectError('DELETE', at(person), 409)
    expect(left).toEqual({
      code: 'balance_left',
      message: 'This user still has $90.00. Pay it out first, or forfeit it for them.',
    })
    await apiAs(boss).expectNoContent('DELETE', at(person), {
      reason: 'Fraud, in <b>bold</b>',
      giveUpBalance: true,
    })
    const mail = await waitForMail(person.email)
    expect(mail.subject).toBe('Your account was removed')
    expect(mail.text).toContain('Fraud, in <b>bold</b>')
    await apiAs(person).expectError('GET', '/api/auth/user', 401)
    await apiAs(boss).expectError('GET', at(person), 404)
    await apiAs(boss).expectError('DELETE', at(person), 404)
    expect(await logged(person, 'account.remove')).toEqual([
      { actor: boss.id, subject: null, change: { reason: 'Fraud, in <b>bold</b>', gaveUpBalance: true } },
    ])
    const plain = await createUser()
    await apiAs(boss).expectNoContent('DELETE', at(plain))
    await apiAs(boss).expectError('GET', at(plain), 404)
  })
})

describe('another admin', () => {
  it('cannot be approved, removed, suspended, demoted, posted for, or set for auto-posting', async () => {
    const attempts = [
      ['POST', at(other, '/approve'), undefined],
      ['DELETE', at(other), undefined],
      ['POST', at(other, '/suspend'), { reason: 'A coup', days: null }],
      ['DELETE', at(other, '/suspend'), undefined],
      ['POST', at(other, '/toggle-creator'), { isCreator: true }],
      ['POST', at(other, '/toggle-auto-posting'), { enabled: true, frequency: 'high' }],
      ['POST', '/api/admin/create-post', { userId: other.id, content: 'Not mine' }],
    ] as const
    for (const [method, path, body] of attempts) {
      const answer = await apiAs(boss).expectError(method, path, 403, body === undefined ? {} : { body })
      expect([path, answer.code]).toEqual([path, 'target_is_admin'])
    }
    expect(await read(other)).toMatchObject({
      isAdmin: true,
      isCreator: false,
      suspended: false,
      approvedAt: null,
    })
    // Nor oneself.
    await apiAs(boss).expectError('DELETE', at(boss), 403)
  })
})

describe('the log', () => {
  it('is filtered, paged and exported, and tells the person what was done, but not by whom', async () => {
    const person = await createUser({ fullName: '=HYPERLINK("x")' })
    await apiAs(boss).post(at(person, '/approve'), AdminUser)
    await apiAs(boss).post(at(person, '/suspend'), AdminUser, { reason: '=1+1, "quoted"', days: 1 })
    await apiAs(other).post(at(person, '/toggle-creator'), AdminUser)
    await apiAs(boss).put(at(person, '/profile'), AdminUser, {
      ...(await formOf(person)),
      bio: 'A secret bio',
      showProfileInDirectory: false,
    })

    const list = async (query: string) =>
      (await apiAs(boss).get(`/api/admin/audit?target=${person.id}&${query}`, z.array(AuditEntry))).body
    const all = await list('')
    const actions = ['account.edit', 'account.creator', 'case.suspend', 'account.approve']
    expect(all.map(({ action }) => action)).toEqual(actions)
    expect(all[1]).toMatchObject({
      actorId: other.id,
      actor: { username: other.username },
      target: { username: person.username },
      change: { isCreator: true },
    })
    expect(await list('action=case.suspend')).toEqual([all[2]])
    expect(await list(`actor=${other.id}`)).toEqual([all[1]])
    expect(await list(`limit=1&before=${all[1]?.id}`)).toEqual([all[2]])
    expect(await list('limit=2&offset=1')).toEqual([all[1], all[2]])
    const today = all[0]?.createdAt.slice(0, 10)
    expect(await list(`from=${all[3]?.createdAt.slice(0, 10)}&to=${today}`)).toEqual(all)
    expect(await list('to=2001-01-01')).toEqual([])
    expect(await list('from=2999-01-01')).toEqual([])
    await apiAs(boss).expectError('GET', '/api/admin/audit?from=yesterday', 400)

    const headers = { Authorization: `Bearer ${boss.token}` }
    const file = await call('GET', `/api/admin/audit/export?target=${person.id}`, { headers })
    expect(file.headers.get('content-type')).toContain('text/csv')
    const lines = (await file.text()).trimEnd().split('\r\n')
    expect(lines).toHaveLength(5)
    expect(lines[1]).toContain(`"'=HYPERLINK(""x"") (@${person.username})"`)
    expect(lines[3]).toContain('case.suspend')
    expect(lines[3]).toContain(all[2]?.hash)
    expect(lines.join()).not.toContain('A secret bio')

    const told = (await apiAs(person).get('/api/user/account-log', z.array(AccountLogEntry))).body
    expect(told.map(({ text }) => text)).toEqual([
      'Your profile was changed: bio, show profile in directory.',
      'You were made a creator.',
      'Your account was suspended: =1+1, "quoted"',
      'Your account was approved.',
    ])
    expect(JSON.stringify(told)).not.toContain(other.id)
    const rest = await apiAs(person).get(
      `/api/user/account-log?before=${told[2]?.id}`,
      z.array(AccountLogEntry),
    )
    expect(rest.body).toEqual(told.slice(3))
    expect(
      (await apiAs(fan).get('/api/user/account-log?limit=1', z.array(AccountLogEntry))).body,
    ).not.toContainEqual(told[0])
    await apiAs(null).expectError('GET', '/api/user/account-log', 401)
  })

  it('shows a row that somebody changed past everything', async () => {
    const status = (await apiAs(boss).get('/api/admin/audit/status', AuditStatus)).body
    expect(status.brokenAt).toBeNull()
    expect(status.lastHash).toMatch(/^[0-9a-f]{64}$/)
    const [row] = await sql<{ id: number }[]>`
      select id::float8 as id from public.audit_entries where actor_id = ${boss.id} order by id limit 1`
    const undone = new Error('taken back')
    let found: AuditStatus | undefined
    const attempt = sql.begin(async (tx) => {
      const [session] = await tx`select id from auth.sessions where user_id = ${boss.id}`
      const claims = { sub: boss.id, role: 'authenticated', session_id: session?.id }
      await tx`set local session_replication_role = replica`
      await tx`update public.audit_entries set change = '{"forged": true}' where id = ${row?.id ?? 0}`
      await tx`
        select set_config('role', 'authenticated', true),
               set_config('request.jwt.claims', ${JSON.stringify(claims)}, true),
               set_config('request.jwt.claim.sub', ${boss.id}, true)`
      const [answer] = await tx`select private.audit_status() as status`
      found = AuditStatus.parse(answer?.status)
      throw undone
    })
    await expect(attempt).rejects.toBe(undone)
    expect(found?.brokenAt).toBe(row?.id)
  })

  async function formOf(person: TestUser) {
    const user = await read(person)
    const { fullName, username, email, allowDirectMessages, showFollowerCount, makeProfileDiscoverable } =
      user
    return { fullName, username, email, allowDirectMessages, showFollowerCount, makeProfileDiscoverable }
  }
})

describe('an instance where new accounts have to be approved', () => {
  it('keeps those that nobody approved from changing anything, until somebody does', async () => {
    const undone = new Error('taken back')
    const seen: (string | null)[] = []
    const attempt = sql.begin(async (tx) => {
      const read = async () => {
        const [row] = await tx<{ reason: string | null }[]>`
          select read_only_reason as reason from public.accounts where user_id = ${fan.id}`
        seen.push(row?.reason ?? null)
      }
      // The switch looks at every account: whoever is being removed meanwhile is waited for, holding nothing.
      await tx`lock table public.accounts in share row exclusive mode`
      await tx`update public.accounts set approved_at = null where user_id = ${fan.id}`
      await tx`select private.set_setting('require_approval', 'true')`
      await read()
      await tx`update public.accounts set approved_at = now() where user_id = ${fan.id}`
      await read()
      await tx`update public.accounts set approved_at = null where user_id = ${fan.id}`
      await read()
      await tx`select private.set_setting('require_approval', 'false')`
      await read()
      throw undone
    })
    await expect(attempt).rejects.toBe(undone)
    const waiting = 'This account waits to be approved by the team.'
    expect(seen).toEqual([waiting, null, waiting, null])
  })
})
