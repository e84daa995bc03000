import { AiKey, AutoPostingToday } from '@contract/auto-posting.ts'
import { ErrorBody } from '@contract/common.ts'
import type { ISql } from 'postgres'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AutoPostingFixture, apiKey, startAutoPostingFixture } from '../support/auto-posting-fixture.ts'
import type { ScriptedResponse } from '../support/fake-openai-server.ts'
import { runJob } from '../support/run-job.ts'

/** Tests auto-posting when the provider or the database fails, or when a limit is reached. */

let fixture: AutoPostingFixture
beforeAll(async () => {
  fixture = await startAutoPostingFixture()
  await fixture.saveApiKey()
})
afterAll(() => fixture?.stop())
beforeEach(() => fixture.reset())

describe('auto-posting', () => {
  const earlierPost =
    'The first bowls of the year came out of the kiln today, and only one of them is cracked.'
  const cases: Record<
    string,
    [ScriptedResponse | ((call: { authorization: string }) => ScriptedResponse), string, string]
  > = {
    'a rate limit': [{ status: 429, headers: { 'retry-after': '3600' } }, 'failed', '(429)'],
    'an internal error': [{ status: 500 }, 'failed', '(500)'],
    'a cut connection': ['reset', 'failed', 'reached'],
    'an HTML page': ['html', 'failed', 'read'],
    'no choices': ['no choices', 'failed', 'read'],
    'a truncated response': ['half', 'failed', 'reached'],
    'an oversized response': ['huge', 'failed', 'too long'],
    'incomplete JSON': [{ text: '{"post": "It began so well, and then' }, 'refused', 'JSON'],
    'text that is cut off': [
      { text: '{"post": "It began so well, and then', finish: 'length' },
      'refused',
      'cut off',
    ],
    'a refusal': [{ text: '', refusal: 'I cannot help with that.' }, 'refused', 'declined'],
    'flagged text': [
      { post: 'FLAGGED words that nobody should ever have to read here.' },
      'refused',
      'moderation',
    ],
    'a repetition': [{ post: earlierPost.replace('cracked', 'broken') }, 'refused', 'repeated'],
    'a banned word': [
      { post: 'Today I will tell you all about the Frobnicator in the attic.' },
      'refused',
      'banned',
    ],
    'text that is too long': [{ post: 'On and on it goes. '.repeat(60) }, 'refused', 'longer'],
    'a placeholder': [
      { post: 'Hello everybody, it is [Your Name] with another sunny morning.' },
      'refused',
      'placeholder',
    ],
    'the key': [
      ({ authorization }) => ({
        post: `Good morning! ${authorization.replace('Bearer ', '')} is my breakfast.`,
      }),
      'refused',
      'secret',
    ],
  }
  it('publishes nothing if the provider fails or its text is unusable, and records why without the API key', async () => {
    const { request, runRound, getRuns, getPosts, dumpRecordedText, auto, ai, boss } = fixture
    const ids = await auto.createCreators(Object.keys(cases).length)
    const names = Object.keys(cases)
    const caseOfUser = new Map(ids.map((id, at) => [id, names[at] ?? '']))
    for (const [id, name] of caseOfUser) {
      await auto.sql`update public.profile_details set bio = ${`Known for ${name};`} where user_id = ${id}`
      await auto.sql`insert into public.posts (author_id, content) values (${id}, ${earlierPost})`
    }
    await auto.setBannedWords('fróbnicator')
    ai.setBehavior({
      write: (prompt, call) => {
        const name = names.find((candidate) => prompt.includes(`Known for ${candidate};`)) ?? ''
        const script = cases[name]?.[0] ?? 'hang'
        return typeof script === 'function' ? script(call) : script
      },
      flags: (text) => text.includes('FLAGGED'),
    })
    const runs = await runRound()
    const resultByCase = Object.fromEntries(
      runs.map(({ userId, outcome, detail }) => [caseOfUser.get(userId), [outcome, detail]]),
    )
    for (const [name, [, outcome, detail]] of Object.entries(cases))
      expect({ name, result: resultByCase[name] }).toEqual({
        name,
        result: [outcome, expect.stringContaining(detail)],
      })
    expect(runs.every(({ postId, draftId }) => !postId && !draftId)).toBe(true)
    expect((await getPosts(...ids)).map(({ content }) => content)).toEqual(ids.map(() => earlierPost))
    const userIdOfKeyCase = ids[names.indexOf('the key')] ?? ''
    expect((await getRuns(userIdOfKeyCase))[0]?.answer).toContain('[removed] is my breakfast')
    const responses = await Promise.all([
      ...ids.map(getRuns),
      request(boss, 'GET', '/admin/openai-key', AiKey),
    ])
    expect(`${await dumpRecordedText()}${JSON.stringify([runs, responses])}`).not.toContain(apiKey)
    const preview = (name: string, status: number) =>
      request(
        boss,
        'POST',
        `/admin/users/${ids[names.indexOf(name)]}/auto-posting-preview`,
        ErrorBody,
        status,
      )
    expect((await preview('a banned word', 502)).code).toBe('ai_answer_unusable')
    expect((await preview('a rate limit', 503)).code).toBe('ai_unavailable')
  })

  it('enforces the daily post limits for rounds, and the daily cost limit for rounds and previews', async () => {
    const { request, runRound, getPosts, auto, boss } = fixture
    const ids = await auto.createCreators(5)
    const [{ count } = { count: 0 }] = await auto.sql<{ count: number }[]>`
      select count(*)::integer as count from public.auto_post_runs
      where counted_on = (now() at time zone 'UTC')::date and outcome in ('published', 'drafted')`
    await auto.updateSettings({ maxPostsPerDay: count + 2 })
    const outcomes = (await runRound()).map(({ outcome }) => outcome).sort()
    expect(outcomes).toEqual(['published', 'published', 'skipped', 'skipped', 'skipped'])
    expect(await getPosts(...ids)).toHaveLength(2)
    const [{ cost } = { cost: 0 }] = await auto.sql<{ cost: number }[]>`
      select sum(cost_micros)::float8 / 1000000 as cost from public.auto_post_runs
      where counted_on = (now() at time zone 'UTC')::date`
    expect(cost).toBeGreaterThan(0)
    await auto.updateSettings({ maxCostPerDay: 7.5 })
    const today = () => request(boss, 'GET', '/admin/auto-posting/today', AutoPostingToday)
    const expectedToday = { posts: count + 2, maxPosts: count + 2, cost, maxCost: 7.5, full: true }
    expect(await today()).toEqual(expectedToday)
    await auto.updateSettings({ maxPostsPerDay: 200, maxPostsPerCreator: 0 })
    expect(await today()).toEqual({ ...expectedToday, maxPosts: 200, full: false })
    expect((await runRound()).every(({ detail }) => detail?.includes('daily post limit'))).toBe(true)
    await auto.updateSettings({ maxPostsPerCreator: 6, maxCostPerDay: 0.0001 })
    expect((await runRound()).every(({ detail }) => detail?.includes('cost limit'))).toBe(true)
    // A little of the budget is left, but not enough for a post.
    await auto.updateSettings({ maxCostPerDay: cost + 0.0001 })
    expect((await runRound()).every(({ detail }) => detail?.includes('cost limit'))).toBe(true)
    expect((await today()).full).toBe(true)
    const path = `/admin/users/${ids[0]}/auto-posting-preview`
    expect((await request(boss, 'POST', path, ErrorBody, 409)).code).toBe('cost_cap_reached')
    expect(await getPosts(...ids)).toHaveLength(2)
  })
})

describe('a database failure', () => {
  /**
   * Locks rows until `release` is called. `cancelWhenBlocked` cancels the queries that wait for the rows, as a
   * statement timeout would.
   */
  async function lockRows(lock: (sql: ISql) => PromiseLike<unknown>) {
    const { sql } = fixture.auto
    const holder = await sql.reserve()
    await holder`begin`
    await lock(holder)
    const [{ pid } = { pid: 0 }] = await holder<{ pid: number }[]>`select pg_backend_pid() as pid`
    const cancelWhenBlocked = () =>
      expect
        .poll(
          async () => {
            const cancelled = await sql`
              select pg_cancel_backend(a.pid) from pg_stat_activity a where ${pid} = any(pg_blocking_pids(a.pid))`
            return cancelled.length
          },
          { timeout: 10_000 },
        )
        .toBeGreaterThan(0)
    const release = async () => {
      await holder`rollback`
      holder.release()
    }
    return { cancelWhenBlocked, release }
  }

  it('during one user’s run fails only that run, in a round and in the scheduled job', async () => {
    const { auto, api, jobs, runRound, getPosts } = fixture
    const ids = await auto.createCreators(6)
    const [failingId = '', ...others] = ids
    const lock = await lockRows(
      (sql) => sql`select from public.profile_counts where user_id = ${failingId} for no key update`,
    )
    try {
      const running = runRound()
      await lock.cancelWhenBlocked()
      const resultByUser = new Map((await running).map(({ userId, ...result }) => [userId, result]))
      expect(resultByUser.get(failingId)).toEqual({
        outcome: 'failed',
        detail: 'Something went wrong on our side.',
      })
      for (const id of others) expect(resultByUser.get(id)).toMatchObject({ outcome: 'published' })
      expect(api.output()).toMatch(new RegExp(`"event":"auto_run_failed",.*"userId":"${failingId}"`))

      // A run that never ended blocks new runs for the user for 15 minutes.
      await auto.sql`
        update public.auto_post_runs set started_at = now() - interval '16 minutes' where user_id = ${failingId}`
      await auto.sql`
        insert into private.auto_post_slots (user_id, day, nth, due_at)
        select id, current_date, n, now() + (n - 1) * interval '1 hour'
        from unnest(${ids}::uuid[]) id, generate_series(1, 4) n`
      await auto.unblockJob()
      const job = runJob('auto-posts', `${jobs.url}/jobs`)
      await lock.cancelWhenBlocked()
      expect(await job).toMatchObject({ status: 200, body: { published: others.length, failed: 1 } })
    } finally {
      await lock.release()
      await auto.blockJob()
    }
    expect(await getPosts(failingId)).toHaveLength(0)
    expect(await getPosts(...others)).toHaveLength(2 * others.length)
    // The slot stays planned, and a later job run retries it.
    const [slot] = await auto.sql<{ state: string; later: boolean }[]>`
      select state, retry_at > now() as later from private.auto_post_slots where user_id = ${failingId} and nth = 1`
    expect(slot).toEqual({ state: 'planned', later: true })
  })

  it('while the API key’s status is being saved does not prevent the post from being published', async () => {
    const { auto, api, runRound, getPosts } = fixture
    const [id = ''] = await auto.createCreators(1)
    await auto.sql`update private.ai_key set refused_at = now()`
    const lock = await lockRows((sql) => sql`select from private.ai_key for update`)
    try {
      const running = runRound()
      await lock.cancelWhenBlocked()
      expect(await running).toMatchObject([{ userId: id, outcome: 'published' }])
    } finally {
      await lock.release()
    }
    expect(await getPosts(id)).toHaveLength(1)
    expect(api.output()).toContain('"event":"ai_key_status_save_failed"')
  })
})
