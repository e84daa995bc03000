import { randomUUID } from 'node:crypto'
import postgres from 'postgres'
import { readConnection } from '../support/connection.ts'

/** The superuser's connection: sets the scene and reads back what really is. */
export const owner = postgres(readConnection().databaseUrl, { max: 8, onnotice: () => undefined })

export type Visibility = 'public' | 'followers' | 'private'
export interface Person {
  id: string
  sessionId: string
  username: string
}

/** Somebody with an account and a living session, made without the API. */
export async function person(
  settings: { visibility?: Visibility; admin?: boolean; creator?: boolean } = {},
): Promise<Person> {
  const id = randomUUID()
  const sessionId = randomUUID()
  const username = `p_${id.replaceAll('-', '').slice(0, 20)}`
  await owner.begin(async (tx) => {
    await tx`insert into auth.users (id, email, raw_user_meta_data) values (${id}, ${`${username}@example.test`}, ${tx.json(
      {
        username,
        full_name: `Person ${username}`,
        phone_number: '+1 555 0100 200',
        adult_confirmed: true,
      },
    )})`
    await tx`insert into auth.sessions (id, user_id) values (${sessionId}, ${id})`
    await tx`update public.profiles set visibility = ${settings.visibility ?? 'public'},
      is_admin = ${settings.admin ?? false}, is_creator = ${settings.creator ?? false} where id = ${id}`
  })
  return { id, sessionId, username }
}

/** Runs statements as a person (or, with null, as a visitor), with the rights that the API and the Data API give. */
export async function as<T>(
  who: Person | null,
  run: (tx: postgres.TransactionSql) => Promise<T>,
): Promise<T> {
  const role = who ? 'authenticated' : 'anon'
  const claims = who ? { sub: who.id, role, session_id: who.sessionId } : { role }
  const result = await owner.begin(async (tx) => {
    await tx`select set_config('role', ${role}, true), set_config('request.jwt.claims', ${JSON.stringify(claims)}, true),
      set_config('request.jwt.claim.sub', ${who?.id ?? ''}, true), set_config('request.jwt.claim.role', ${role}, true)`
    return [await run(tx)] as const
  })
  return (result as readonly [T])[0]
}

/** The SQLSTATE of a refused statement; fails when it was not refused. */
export async function refusal(attempt: Promise<unknown>): Promise<string> {
  try {
    await attempt
  } catch (error) {
    if (error instanceof postgres.PostgresError) return error.code
    throw error
  }
  throw new Error('The statement was not refused.')
}

/** `follower` follows `followee`, whatever the rules would say. */
export async function follow(follower: Person, followee: Person): Promise<void> {
  await owner`insert into public.follows (follower_id, followee_id) values (${follower.id}, ${followee.id})`
}

export async function block(blocker: Person, blocked: Person): Promise<void> {
  await owner`insert into public.blocks (blocker_id, blocked_id) values (${blocker.id}, ${blocked.id})`
}

export async function post(author: Person, content = 'Hello'): Promise<string> {
  const [row] = await owner<{ id: string }[]>`
    insert into public.posts (author_id, content) values (${author.id}, ${content}) returning id`
  if (!row) throw new Error('The post was not stored.')
  return row.id
}
