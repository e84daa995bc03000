import { randomUUID } from 'node:crypto'
import { AiKey, AutoRound, AutoRun } from '@contract/auto-posting.ts'
import postgres from 'postgres'
import { expect } from 'vitest'
import { type ZodType, z } from 'zod'
import { startAi } from './ai-server.ts'
import { readConnection } from './connection.ts'
import { startApi, startJobs } from './own-api.ts'
import { createPeople, type Person } from './people.ts'

/** Anything that is true of all auto-posting at once, and that files of tests change: one of them at a time. */
const everything = 4_402

export type AutoSettings = Partial<{
  maxPostsPerDay: number
  maxPostsPerCreator: number
  maxCostPerDay: number
  timeZone: string
  fromHour: number
  toHour: number
  model: string
  inputPrice: number
  outputPrice: number
}>

/**
 * Takes auto-posting for one file of tests: no other file has it, the stack's own clock lets it be, nobody is switched
 * on, and there is no key. Letting go, everything is as it was.
 */
export async function takeAutoPosting() {
  const sql = postgres(readConnection().databaseUrl, { max: 6, onnotice: () => undefined })
  const lock = await sql.reserve()
  await lock`select pg_advisory_lock(${everything})`
  const [kept] = await sql<{ value: string; words: string }[]>`
    select (select value::text from private.settings where key = 'auto_posting') as value,
           (select value::text from private.settings where key = 'banned_words') as words`
  const holdJob = () => sql`
    insert into private.job_runs (name, every, started_at, running_until)
    values ('auto-posts', 300, now(), now() + interval '1 hour')
    on conflict (name) do update set started_at = now(), running_until = now() + interval '1 hour', token = null`
  await holdJob()
  await sql`delete from private.ai_key`
  await sql`update private.auto_posting set enabled = false where enabled`
  const made: string[] = []

  return {
    sql,
    /** Lets the job run, from now on until it has. */
    letJobRun: () => sql`update private.job_runs set running_until = null where name = 'auto-posts'`,
    holdJob,
    set: (settings: AutoSettings) => sql`
      update private.settings set value = value || ${JSON.stringify(settings)}::text::jsonb where key = 'auto_posting'`,
    ban: (...words: string[]) => sql`
      update private.settings set value = ${JSON.stringify(words)}::text::jsonb where key = 'banned_words'`,
    /** Creators who have agreed, made without the API; they are gone when the file lets go. */
    async creators(number: number, frequency = 'moderate'): Promise<string[]> {
      const ids = Array.from({ length: number }, () => randomUUID())
      made.push(...ids)
      await sql`
        insert into auth.users (id, email, raw_user_meta_data)
        select id, id || '@example.test', jsonb_build_object('full_name', 'Someone', 'adult_confirmed', true,
          'username', 'a_' || left(replace(id::text, '-', ''), 20), 'phone_number', '+1 555 0100 200')
        from unnest(${ids}::uuid[]) id`
      await sql`update public.profiles set is_creator = true where id = any(${ids}::uuid[])`
      await sql`update public.profile_about set allow_auto_posting = true where user_id = any(${ids}::uuid[])`
      await sql`insert into private.auto_posting (user_id, enabled, frequency)
                select id, true, ${frequency} from unnest(${ids}::uuid[]) id`
      return ids
    },
    /** Switches everybody off. */
    nobody: () => sql`update private.auto_posting set enabled = false where enabled`,
    async letGo() {
      await sql`delete from private.ai_key`
      await sql`delete from auth.users where id = any(${made}::uuid[])`
      await sql`update private.auto_posting set enabled = false where enabled`
      await sql`update private.settings set value = ${kept?.value ?? '{}'}::text::jsonb where key = 'auto_posting'`
      await sql`update private.settings set value = ${kept?.words ?? '[]'}::text::jsonb where key = 'banned_words'`
      await sql`update private.job_runs set running_until = null where name = 'auto-posts'`
      await lock`select pg_advisory_unlock(${everything})`
      lock.release()
      await sql.end()
    },
  }
}

export type AutoPosting = Awaited<ReturnType<typeof takeAutoPosting>>

/** The key that every test sets: it must be found nowhere. */
export const apiKey = 'sk-live-Zx81Qw72Er63Ty54Ui45'

/**
 * Auto-posting with a local provider, the two functions that know it, an admin `boss`, a creator `ana` who has not agreed,
 * and a `fan`.
 */
export async function startAutoScene() {
  const auto = await takeAutoPosting()
  const ai = await startAi()
  const changes = { OPENAI_BASE_URL: ai.url, LOG_LEVEL: 'debug' }
  const [api, jobs, { boss, ana, fan }] = await Promise.all([
    startApi(changes),
    startJobs(changes),
    createPeople('boss', 'ana', 'fan'),
  ])
  await auto.sql`update public.profiles set is_admin = true where id = ${boss.id}`
  await auto.sql`update public.profiles set is_creator = true where id = ${ana.id}`

  /** A call of the function of this file, whose provider is the local one; its answer is of the contract's shape. */
  async function ask<T>(
    who: Person | null,
    method: string,
    path: string,
    schema: ZodType<T>,
    status = 200,
    body?: unknown,
  ) {
    const answer = await fetch(`${api.url}/api${path}`, {
      method,
      headers: {
        ...(who ? { Authorization: `Bearer ${who.token}` } : {}),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    const given: unknown = text === '' ? null : JSON.parse(text)
    expect({ path, status: answer.status, given }).toMatchObject({ path, status })
    expect(answer.headers.get('cache-control')).toContain('no-store')
    const read = schema.parse(given)
    expect(given).toStrictEqual(read)
    return read
  }
  const round = async () => (await ask(boss, 'POST', '/admin/trigger-auto-posting', AutoRound)).runs
  const runsOf = (id: string) => ask(boss, 'GET', `/admin/auto-posting/runs?userId=${id}`, z.array(AutoRun))
  const postsOf = (...ids: string[]) => auto.sql<{ id: string; content: string; made_by: string | null }[]>`
    select id, content, made_by from public.posts where author_id = any(${ids}::uuid[])`
  const setKey = () => ask(boss, 'POST', '/admin/openai-key', AiKey, 200, { apiKey })
  /** Everything that was kept, logged or answered because of runs. */
  async function everythingKept(): Promise<string> {
    const rows = await auto.sql<{ kept: string }[]>`
      select coalesce(string_agg(t, E'\n'), '') as kept from (
        select to_jsonb(x)::text as t from public.auto_runs x
        union all select to_jsonb(x)::text from public.auto_drafts x
        union all select to_jsonb(x)::text from public.audit_entries x where x.actor_id = ${boss.id}
        union all select to_jsonb(x)::text from private.job_runs x
        union all select to_jsonb(x)::text from private.ai_key x
        union all select to_jsonb(x)::text from public.notifications x where x.kind = 'auto_post') kept`
    return `${rows[0]?.kept}\n${api.said()}\n${jobs.said()}`
  }

  return {
    auto,
    ai,
    api,
    jobs,
    boss,
    ana,
    fan,
    ask,
    round,
    runsOf,
    postsOf,
    setKey,
    everythingKept,
    /** As it is before each test: a provider that writes well, nobody switched on, wide caps. */
    async calm() {
      ai.behave({})
      await auto.nobody()
      await auto.ban()
      await auto.set({ maxPostsPerDay: 200, maxPostsPerCreator: 6, maxCostPerDay: 5 })
    },
    async stop() {
      api.stop()
      jobs.stop()
      await ai.stop()
      await auto.letGo()
    },
  }
}

export type AutoScene = Awaited<ReturnType<typeof startAutoScene>>
