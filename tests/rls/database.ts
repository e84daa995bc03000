import { randomUUID } from 'node:crypto'
import postgres from 'postgres'
import { expect } from 'vitest'
import { readConnection } from '../support/connection.ts'

/** Like `sql` in tests/support/stack.ts, for tests that also run on a database without the rest of the stack. */
export const sql = postgres(readConnection().databaseUrl, {
  max: 8,
  idle_timeout: 20,
  onnotice: () => undefined,
})

export type Visibility = 'public' | 'followers' | 'private'
/** A user and their session. */
export interface SessionUser {
  id: string
  sessionId: string
  username: string
}

/** Inserts a user with a confirmed email address and an active session, without the API. */
export async function insertUser(
  settings: { visibility?: Visibility; admin?: boolean; creator?: boolean } = {},
): Promise<SessionUser> {
  const id = randomUUID()
  const sessionId = randomUUID()
  const username = `p_${id.replaceAll('-', '').slice(0, 20)}`
  await sql.begin(async (tx) => {
    await tx`insert into auth.users (id, email, raw_user_meta_data) values (${id}, ${`${username}@example.test`}, ${tx.json(
      {
        username,
        full_name: `Person ${username}`,
        phone_number: '+1 555 0100 200',
        adult_confirmed: true,
      },
    )})`
    await tx`insert into auth.sessions (id, user_id) values (${sessionId}, ${id})`
    await tx`update public.accounts set email_confirmed_at = now() where user_id = ${id}`
    await tx`update public.profiles set visibility = ${settings.visibility ?? 'public'},
      is_admin = ${settings.admin ?? false}, is_creator = ${settings.creator ?? false} where id = ${id}`
  })
  return { id, sessionId, username }
}

export const insertUsers = (count: number, settings?: Parameters<typeof insertUser>[0]) =>
  Promise.all(Array.from({ length: count }, () => insertUser(settings)))

/**
 * Runs statements in a transaction as a user, or as a visitor when `user` is null, with the role and claims that the
 * API sets.
 */
export async function runAs<T>(
  user: SessionUser | null,
  run: (tx: postgres.TransactionSql) => Promise<T>,
): Promise<T> {
  const role = user ? 'authenticated' : 'anon'
  const claims = user ? { sub: user.id, role, session_id: user.sessionId } : { role }
  const result = await sql.begin(async (tx) => {
    await tx`select set_config('role', ${role}, true), set_config('request.jwt.claims', ${JSON.stringify(claims)}, true),
      set_config('request.jwt.claim.sub', ${user?.id ?? ''}, true), set_config('request.jwt.claim.role', ${role}, true)`
    return [await run(tx)] as const
  })
  return (result as readonly [T])[0]
}

/** Sets the claims of a user for the rest of a superuser's transaction, without changing the role. */
export const impersonate = (tx: postgres.ISql, { id, sessionId }: SessionUser) =>
  tx`select set_config('request.jwt.claims', ${JSON.stringify({ sub: id, role: 'authenticated', session_id: sessionId })}, true),
            set_config('request.jwt.claim.sub', ${id}, true)`

/** Runs statements in a transaction as the service role. */
export const runAsService = <T>(run: (tx: postgres.TransactionSql) => Promise<T>): Promise<T> =>
  sql
    .begin(async (tx) => {
      await tx`select set_config('role', 'service_role', true), set_config('request.jwt.claims', '{"role":"service_role"}', true)`
      return [await run(tx)] as const
    })
    .then((result) => (result as readonly [T])[0])

/** Returns the SQLSTATE with which a statement fails. @throws Error if the statement succeeds */
export async function getSqlState(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt
  } catch (error) {
    if (error instanceof postgres.PostgresError) return error.code
    throw error
  }
  throw new Error('The statement did not fail.')
}

/** Inserts a follow as the superuser, which bypasses the policies. */
export async function insertFollow(follower: SessionUser, followee: SessionUser): Promise<void> {
  await sql`insert into public.follows (follower_id, followee_id) values (${follower.id}, ${followee.id})`
}

/** Inserts a block as the superuser. */
export async function insertBlock(blocker: SessionUser, blocked: SessionUser): Promise<void> {
  await sql`insert into public.blocks (blocker_id, blocked_id) values (${blocker.id}, ${blocked.id})`
}

/** Inserts a free text post as the superuser, in the transaction `tx` if given, and returns its ID. */
export async function insertPost(
  author: SessionUser,
  content = 'Hello',
  tx: postgres.ISql = sql,
): Promise<string> {
  const [row] = await tx<{ id: string }[]>`
    insert into public.posts (author_id, content) values (${author.id}, ${content}) returning id`
  if (!row) throw new Error('The post was not stored.')
  return row.id
}

/** Returns how many database sessions a transaction blocks, directly or through one other session. */
export const countBlockedSessions = async (tx: postgres.TransactionSql) => {
  const [own] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
  const pid = own?.pid ?? 0
  const rows = await sql`
    select from pg_stat_activity a cross join lateral unnest(pg_blocking_pids(a.pid)) as b (pid)
    where b.pid = ${pid} or ${pid} = any (pg_blocking_pids(b.pid))`
  return rows.length
}

/** Waits until a transaction blocks another session. */
export const waitForBlockedSession = (tx: postgres.TransactionSql) =>
  expect.poll(() => countBlockedSessions(tx), { interval: 20, timeout: 5000 }).toBeGreaterThan(0)
