import { emailConfirmationRequired } from '@contract/errors.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { getSqlState, insertBlock, insertPost, insertUser, runAs, type SessionUser, sql } from './database.ts'

let ana: SessionUser
let ben: SessionUser
let admin: SessionUser

beforeAll(async () => {
  ;[ana, ben, admin] = await Promise.all([insertUser(), insertUser(), insertUser({ admin: true })])
})
describe('email confirmation', () => {
  it('can be read, but not changed, by the user and by admins', async () => {
    const read = (user: SessionUser | null) =>
      runAs(user, (tx) => tx`select email_confirmed_at from public.accounts where user_id = ${ana.id}`)
    expect(await getSqlState(read(null))).toBe('42501')
    expect(await read(ben)).toHaveLength(0)
    for (const user of [ana, admin]) {
      expect(await read(user)).toHaveLength(1)
      const write = runAs(user, (tx) => tx`update public.accounts set email_confirmed_at = now()`)
      expect(await getSqlState(write)).toBe('42501')
    }
  })

  it.each([
    'private.begin_email_confirmation(gen_random_uuid(), null)',
    "private.confirm_email_change('x', 'x')",
    'private.cancel_pending_email(gen_random_uuid())',
    'private.is_email_confirmed(gen_random_uuid())',
  ])('does not let users call %s', async (call) => {
    expect(await getSqlState(runAs(ana, (tx) => tx.unsafe(`select ${call}`)))).toBe('42501')
  })

  it('is required for writing while `require_email_confirmation` is on, except for admins', async () => {
    const rollback = new Error('rolled back')
    const reasons: (string | null)[][] = []
    const attempt = sql.begin(async (tx) => {
      // Registrations and account deletions lock these tables in the same order, so the test does not deadlock with
      // them. The stronger lock on `accounts` also waits for transactions that have locked an account and are going to
      // change it.
      await tx`lock table auth.users in share row exclusive mode`
      await tx`lock table public.accounts in exclusive mode`
      const readReasons = async () => {
        const rows = await tx<{ reason: string | null }[]>`
          select a.read_only_reason as reason from unnest(${[ana.id, ben.id, admin.id]}::uuid[]) with ordinality u(id, n)
          join public.accounts a on a.user_id = u.id order by u.n`
        reasons.push(rows.map(({ reason }) => reason))
      }
      await tx`update public.accounts set email_confirmed_at = null where user_id in (${ana.id}, ${admin.id})`
      await tx`select private.set_setting('require_email_confirmation', 'true')`
      await tx`select private.refresh_restrictions(1000000)`
      await readReasons()
      await tx`update public.accounts set email_confirmed_at = now() where user_id = ${ana.id}`
      await readReasons()
      await tx`update public.accounts set email_confirmed_at = null where user_id = ${ana.id}`
      await tx`select private.set_setting('require_email_confirmation', 'false')`
      await tx`select private.refresh_restrictions(1000000)`
      await readReasons()
      // The embedded stack writes this setting whenever it starts. Writing an unchanged value refreshes no account.
      await tx`update public.accounts set read_only_reason = 'Kept' where user_id = ${ana.id}`
      await tx`select private.set_setting('require_email_confirmation', 'false')`
      await readReasons()
      throw rollback
    })
    await expect(attempt).rejects.toBe(rollback)
    expect(reasons).toEqual([
      [emailConfirmationRequired, null, null],
      [null, null, null],
      [null, null, null],
      ['Kept', null, null],
    ])
  })
})

describe('a visitor', () => {
  it.each([
    "private.renew_email_token('x')",
    'private.finish_onboarding()',
    "private.list_topic_authors('x', 5)",
  ])('cannot call %s', async (call) => {
    expect(await getSqlState(runAs(null, (tx) => tx.unsafe(`select ${call}`)))).toBe('42501')
  })
})

describe('private.list_topic_authors', () => {
  it('lists neither the caller, nor users whom the caller may not discover, nor suspended users', async () => {
    const topic = `topic_${ana.username}`
    const [listed, hidden, followersOnly, blocker, suspended] = await Promise.all([
      insertUser(),
      insertUser(),
      insertUser({ visibility: 'followers' }),
      insertUser(),
      insertUser(),
    ])
    await sql`update public.profiles set content_discoverable = false where id = ${hidden.id}`
    await insertBlock(blocker, ana)
    await Promise.all(
      [ana, listed, hidden, followersOnly, blocker, suspended].map((user) => insertPost(user, `#${topic}`)),
    )
    await sql`update public.accounts set suspended_at = now(), suspension_reason = 'Spam'
              where user_id = ${suspended.id}`
    const rows = await runAs(
      ana,
      (tx) => tx<{ user_id: string }[]>`select user_id from private.list_topic_authors(${topic}, 10)`,
    )
    expect(rows.map((row) => row.user_id)).toEqual([listed.id])
  })
})
