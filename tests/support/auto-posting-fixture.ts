import { randomUUID } from 'node:crypto'
import { AiKey, AutoRound, AutoRun } from '@contract/auto-posting.ts'
import postgres from 'postgres'
import { expect } from 'vitest'
import { type ZodType, z } from 'zod'
import { authorizationHeader } from './api.ts'
import { readConnection } from './connection.ts'
import { deleteAccounts } from './deadlocks.ts'
import { startFakeOpenAi } from './fake-openai-server.ts'
import { startApiServer, startJobsServer } from './function-server.ts'
import { createUsers, makeAdmin, makeCreator, type TestUser } from './users.ts'

/** The ID of the advisory lock for the global auto-posting state. Only one test file at a time may change it. */
const autoPostingLockId = 4_402

type AutoPostingSettings = Partial<{
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
 * Reserves auto-posting for one test file: waits until no other file uses it, keeps the stack's scheduler from
 * running the `auto-posts` job, disables auto-posting for every creator and removes the AI key. `release` restores the
 * settings, but auto-posting stays disabled for every creator and the key is not restored.
 */
export async function acquireAutoPosting() {
  const sql = postgres(readConnection().databaseUrl, { max: 6, onnotice: () => undefined })
  const lock = await sql.reserve()
  await lock`select pg_advisory_lock(${autoPostingLockId})`
  const [saved] = await sql<{ value: string; words: string }[]>`
    select (select value::text from private.settings where key = 'auto_posting') as value,
           (select value::text from private.settings where key = 'banned_words') as words`
  const blockJob = () => sql`
    insert into private.job_runs (name, every, started_at, running_until)
    values ('auto-posts', 300, now(), now() + interval '1 hour')
    on conflict (name) do update set started_at = now(), running_until = now() + interval '1 hour', token = null`
  await blockJob()
  await sql`delete from private.ai_key`
  await sql`update private.auto_posting_settings set enabled = false where enabled`
  const creatorIds: string[] = []

  return {
    sql,
    /** Lets the job run until `blockJob` is called. */
    unblockJob: () => sql`update private.job_runs set running_until = null where name = 'auto-posts'`,
    /** Marks the job as running for an hour, so that the scheduler skips it. */
    blockJob,
    updateSettings: (settings: AutoPostingSettings) => sql`
      update private.settings set value = value || ${JSON.stringify(settings)}::text::jsonb where key = 'auto_posting'`,
    setBannedWords: (...words: string[]) => sql`
      update private.settings set value = ${JSON.stringify(words)}::text::jsonb where key = 'banned_words'`,
    /** Inserts creators who allow auto-posting and have it enabled, and returns their IDs. `release` deletes them. */
    async createCreators(count: number, frequency = 'moderate'): Promise<string[]> {
      const ids = Array.from({ length: count }, () => randomUUID())
      creatorIds.push(...ids)
      await sql`
        insert into auth.users (id, email, raw_user_meta_data)
        select id, id || '@example.test', jsonb_build_object('full_name', 'Someone', 'adult_confirmed', true,
          'username', 'a_' || left(replace(id::text, '-', ''), 20), 'phone_number', '+1 555 0100 200')
        from unnest(${ids}::uuid[]) id`
      await sql`update public.profiles set is_creator = true where id = any(${ids}::uuid[])`
      await sql`update public.profile_about set allow_auto_posting = true where user_id = any(${ids}::uuid[])`
      await sql`insert into private.auto_posting_settings (user_id, enabled, frequency)
                select id, true, ${frequency} from unnest(${ids}::uuid[]) id`
      return ids
    },
    /** Disables auto-posting for every creator. */
    disableAll: () => sql`update private.auto_posting_settings set enabled = false where enabled`,
    async release() {
      await sql`delete from private.ai_key`
      await deleteAccounts(sql, creatorIds)
      await sql`update private.auto_posting_settings set enabled = false where enabled`
      await sql`update private.settings set value = ${saved?.value ?? '{}'}::text::jsonb where key = 'auto_posting'`
      await sql`update private.settings set value = ${saved?.words ?? '[]'}::text::jsonb where key = 'banned_words'`
      await sql`update private.job_runs set running_until = null where name = 'auto-posts'`
      await lock`select pg_advisory_unlock(${autoPostingLockId})`
      lock.release()
      await sql.end()
    },
  }
}

export type AutoPosting = Awaited<ReturnType<typeof acquireAutoPosting>>

/** The AI key that the tests save. It must not appear in logs or responses, or unencrypted in stored rows. */
export const apiKey = 'sk-live-Zx81Qw72Er63Ty54Ui45'

/**
 * Reserves auto-posting, starts a fake OpenAI server with API and jobs servers that use it, and creates three users:
 * the admin `boss`, the creator `ana` (who has not allowed auto-posting) and `fan`.
 */
export async function startAutoPostingFixture() {
  const auto = await acquireAutoPosting()
  const ai = await startFakeOpenAi()
  const settings = { OPENAI_BASE_URL: ai.url, LOG_LEVEL: 'debug' }
  const [api, jobs, { boss, ana, fan }] = await Promise.all([
    startApiServer(settings),
    startJobsServer(settings),
    createUsers('boss', 'ana', 'fan'),
  ])
  await makeAdmin(boss)
  await makeCreator(ana)

  /** Sends a request to the fixture's API server and checks the status, the cache header and the contract schema. */
  async function request<T>(
    user: TestUser | null,
    method: string,
    path: string,
    schema: ZodType<T>,
    status = 200,
    body?: unknown,
  ) {
    const response = await fetch(`${api.url}/api${path}`, {
      method,
      headers: {
        ...authorizationHeader(user),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const json: unknown = text === '' ? null : JSON.parse(text)
    expect({ path, status: response.status, json }).toMatchObject({ path, status })
    expect(response.headers.get('cache-control')).toContain('no-store')
    const parsed = schema.parse(json)
    expect(json).toStrictEqual(parsed)
    return parsed
  }
  const runRound = async () => (await request(boss, 'POST', '/admin/trigger-auto-posting', AutoRound)).runs
  const getRuns = (id: string) =>
    request(boss, 'GET', `/admin/auto-posting/runs?userId=${id}`, z.array(AutoRun))
  const getPosts = (...ids: string[]) => auto.sql<{ id: string; content: string; made_by: string | null }[]>`
    select id, content, made_by from public.posts where author_id = any(${ids}::uuid[])`
  const saveApiKey = () => request(boss, 'POST', '/admin/openai-key', AiKey, 200, { apiKey })
  /** Returns the stored rows and the server logs in which the AI key could appear, as one string. */
  async function dumpRecordedText(): Promise<string> {
    const rows = await auto.sql<{ dump: string }[]>`
      select coalesce(string_agg(t, E'\n'), '') as dump from (
        select to_jsonb(x)::text as t from public.auto_post_runs x
        union all select to_jsonb(x)::text from public.auto_post_drafts x
        union all select to_jsonb(x)::text from public.audit_entries x where x.actor_id = ${boss.id}
        union all select to_jsonb(x)::text from private.job_runs x
        union all select to_jsonb(x)::text from private.ai_key x
        union all select to_jsonb(x)::text from public.notifications x where x.kind = 'auto_post') rows`
    return `${rows[0]?.dump}\n${api.output()}\n${jobs.output()}`
  }

  return {
    auto,
    ai,
    api,
    jobs,
    boss,
    ana,
    fan,
    request,
    runRound,
    getRuns,
    getPosts,
    saveApiKey,
    dumpRecordedText,
    /**
     * Resets the state before a test: the provider sends default responses, auto-posting is disabled for every creator,
     * no words are banned, and the caps are high.
     */
    async reset() {
      ai.setBehavior({})
      await auto.disableAll()
      await auto.setBannedWords()
      await auto.updateSettings({ maxPostsPerDay: 200, maxPostsPerCreator: 6, maxCostPerDay: 5 })
    },
    async stop() {
      api.stop()
      jobs.stop()
      await ai.stop()
      await auto.release()
    },
  }
}

export type AutoPostingFixture = Awaited<ReturnType<typeof startAutoPostingFixture>>
