import { AiKey, AutoPostingToday } from '@contract/auto-posting.ts'
import { ErrorBody } from '@contract/errors.ts'
import type { ISql } from 'postgres'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type AutoPostingFixture, apiKey, startAutoPostingFixture } from '../support/auto-posting-fixture.ts'
import type { ScriptedResponse } from '../support/fake-openai-server.ts'
import { runJob } from '../support/run-job.ts'

/** What becomes of auto-posting where the provider, the database or the money fail it. */

let scene: AutoPostingFixture
beforeAll(async () => {
  scene = await startAutoPostingFixture()
  await scene.saveApiKey()
}, 180_000)
afterAll(() => scene?.stop())
beforeEach(() => scene.reset())

describe('whatever goes wrong', () => {
  const earlier = 'The first bowls of the year came out of the kiln today, and only one of them is cracked.'
  const ways: Record<
    string,
    [ScriptedResponse | ((call: { authorization: string }) => ScriptedResponse), string, string]
  > = {
    'too many calls': [{ status: 429, headers: { 'retry-after': '3600' } }, 'failed', '(429)'],
    'a fault': [{ status: 500 }, 'failed', '(500)'],
    'a cut connection': ['reset', 'failed', 'reached'],
    'a page': ['html', 'failed', 'read'],
    'no choices': ['no choices', 'failed', 'read'],
    'half an answer': ['half', 'failed', 'reached'],
    'a flood': ['huge', 'failed', 'too long'],
    'half the JSON': [{ text: '{"post": "It began so well, and then' }, 'refused', 'JSON'],
    'cut off': [{ text: '{"post": "It began so well, and then', finish: 'length' }, 'refused', 'cut off'],
    'a refusal': [{ text: '', refusal: 'I cannot help with that.' }, 'refused', 'declined'],
    'a flagged text': [
      { post: 'FLAGGED words that nobody should ever have to read here.' },
      'refused',
      'moderation',
    ],
    'a repetition': [{ post: earlier.replace('cracked', 'broken') }, 'refused', 'repeated'],
    'a banned word': [
      { post: 'Today I will tell you all about the Frobnicator in the attic.' },
      'refused',
      'banned',
    ],
    'too long a text': [{ post: 'On and on it goes. '.repeat(60) }, 'refused', 'longer'],
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
  it('no rubbish is published, nothing of the key shows, and each case is recorded as what it was', async () => {
    const { request, runRound, getRuns, getPosts, dumpRecordedText, auto, ai, boss } = scene
    const ids = await auto.createCreators(Object.keys(ways).length)
    const names = Object.keys(ways)
    const byPerson = new Map(ids.map((id, at) => [id, names[at] ?? '']))
    for (const [id, name] of byPerson) {
      await auto.sql`update public.profile_details set bio = ${`Known for ${name};`} where user_id = ${id}`
      await auto.sql`insert into public.posts (author_id, content) values (${id}, ${earlier})`
    }
    await auto.setBannedWords('fróbnicator')
    ai.setBehavior({
      write: (prompt, call) => {
        const name = names.find((one) => prompt.includes(`Known for ${one};`)) ?? ''
        const script = ways[name]?.[0] ?? 'hang'
        return typeof script === 'function' ? script(call) : script
      },
      flags: (text) => text.includes('FLAGGED'),
    })
    const runs = await runRound()
    const came = Object.fromEntries(
      runs.map(({ userId, outcome, detail }) => [byPerson.get(userId), [outcome, detail]]),
    )
    for (const [name, [, outcome, detail]] of Object.entries(ways))
      expect({ name, came: came[name] }).toEqual({ name, came: [outcome, expect.stringContaining(detail)] })
    expect(runs.every(({ postId, draftId }) => !postId && !draftId)).toBe(true)
    expect((await getPosts(...ids)).map(({ content }) => content)).toEqual(ids.map(() => earlier))
    const secret = ids[names.indexOf('the key')] ?? ''
    expect((await getRuns(secret))[0]?.answer).toContain('[removed] is my breakfast')
    const answered = await Promise.all([
      ...ids.map(getRuns),
      request(boss, 'GET', '/admin/openai-key', AiKey),
    ])
    expect(`${await dumpRecordedText()}${JSON.stringify([runs, answered])}`).not.toContain(apiKey)
    const preview = (name: string, status: number) =>
      request(
        boss,
        'POST',
        `/admin/users/${ids[names.indexOf(name)]}/auto-posting-preview`,
        ErrorBody,
        status,
      )
    expect((await preview('a banned word', 502)).code).toBe('ai_answer_unusable')
    expect((await preview('too many calls', 503)).code).toBe('ai_unavailable')
  })

  it('the caps of posts and of costs hold, for rounds and previews alike', async () => {
    const { request, runRound, getPosts, auto, boss } = scene
    const ids = await auto.createCreators(5)
    const [{ count } = { count: 0 }] = await auto.sql<{ count: number }[]>`
      select count(*)::integer as count from public.auto_runs
      where counted_on = (now() at time zone 'UTC')::date and outcome in ('published', 'drafted')`
    await auto.updateSettings({ maxPostsPerDay: count + 2 })
    const tally = (await runRound()).map(({ outcome }) => outcome).sort()
    expect(tally).toEqual(['published', 'published', 'skipped', 'skipped', 'skipped'])
    expect(await getPosts(...ids)).toHaveLength(2)
    const [{ cost } = { cost: 0 }] = await auto.sql<{ cost: number }[]>`
      select sum(cost_micros)::float8 / 1000000 as cost from public.auto_runs
      where counted_on = (now() at time zone 'UTC')::date`
    expect(cost).toBeGreaterThan(0)
    await auto.updateSettings({ maxCostPerDay: 7.5 })
    const today = () => request(boss, 'GET', '/admin/auto-posting/today', AutoPostingToday)
    const used = { posts: count + 2, maxPosts: count + 2, cost, maxCost: 7.5, full: true }
    expect(await today()).toEqual(used)
    await auto.updateSettings({ maxPostsPerDay: 200, maxPostsPerCreator: 0 })
    expect(await today()).toEqual({ ...used, maxPosts: 200, full: false })
    expect((await runRound()).every(({ detail }) => detail?.includes('daily post limit'))).toBe(true)
    await auto.updateSettings({ maxPostsPerCreator: 6, maxCostPerDay: 0.0001 })
    expect((await runRound()).every(({ detail }) => detail?.includes('cost limit'))).toBe(true)
    // A little is left, and too little for a post.
    await auto.updateSettings({ maxCostPerDay: cost + 0.0001 })
    expect((await runRound()).every(({ detail }) => detail?.includes('cost limit'))).toBe(true)
    expect((await today()).full).toBe(true)
    const path = `/admin/users/${ids[0]}/auto-posting-preview`
    expect((await request(boss, 'POST', path, ErrorBody, 409)).code).toBe('cost_cap_reached')
    expect(await getPosts(...ids)).toHaveLength(2)
  })
})

describe('a fault of the database', () => {
  /** Holds rows, and breaks off whatever waits for them, as a database does that takes too long; until it is let go. */
  async function breakOff(hold: (sql: ISql) => PromiseLike<unknown>) {
    const { sql } = scene.auto
    const holder = await sql.reserve()
    await holder`begin`
    await hold(holder)
    const [{ pid } = { pid: 0 }] = await holder<{ pid: number }[]>`select pg_backend_pid() as pid`
    /** Once something waits. */
    const once = () =>
      expect
        .poll(
          async () => {
            const broken = await sql`
              select pg_cancel_backend(a.pid) from pg_stat_activity a where ${pid} = any(pg_blocking_pids(a.pid))`
            return broken.length
          },
          { timeout: 10_000 },
        )
        .toBeGreaterThan(0)
    const letGo = async () => {
      await holder`rollback`
      holder.release()
    }
    return { once, letGo }
  }

  it('in the run of one person fails that run alone, in a round and on schedule', async () => {
    const { auto, api, jobs, runRound, getPosts } = scene
    const ids = await auto.createCreators(6)
    const [unlucky = '', ...others] = ids
    const fault = await breakOff(
      (sql) => sql`select from public.profile_counts where user_id = ${unlucky} for no key update`,
    )
    try {
      const running = runRound()
      await fault.once()
      const came = new Map((await running).map(({ userId, ...one }) => [userId, one]))
      expect(came.get(unlucky)).toEqual({ outcome: 'failed', detail: 'Something went wrong on our side.' })
      for (const id of others) expect(came.get(id)).toMatchObject({ outcome: 'published' })
      expect(api.output()).toContain(`"event":"auto_run_failed","userId":"${unlucky}"`)

      // A quarter of an hour later the run that was never ended is given up.
      await auto.sql`
        update public.auto_runs set started_at = now() - interval '16 minutes' where user_id = ${unlucky}`
      await auto.sql`
        insert into private.auto_slots (user_id, day, nth, due_at)
        select id, current_date, n, now() + (n - 1) * interval '1 hour'
        from unnest(${ids}::uuid[]) id, generate_series(1, 4) n`
      await auto.unblockJob()
      const job = runJob('auto-posts', `${jobs.url}/jobs`)
      await fault.once()
      expect(await job).toMatchObject({ status: 200, body: { published: others.length, failed: 1 } })
    } finally {
      await fault.letGo()
      await auto.blockJob()
    }
    expect(await getPosts(unlucky)).toHaveLength(0)
    expect(await getPosts(...others)).toHaveLength(2 * others.length)
    // It is not given up: the next turns try it again.
    const [slot] = await auto.sql<{ state: string; later: boolean }[]>`
      select state, retry_at > now() as later from private.auto_slots where user_id = ${unlucky} and nth = 1`
    expect(slot).toEqual({ state: 'planned', later: true })
  })

  it('that keeps what the provider said of the key from being noted costs no post', async () => {
    const { auto, api, runRound, getPosts } = scene
    const [id = ''] = await auto.createCreators(1)
    await auto.sql`update private.ai_key set refused_at = now()`
    const fault = await breakOff((sql) => sql`select from private.ai_key for update`)
    try {
      const running = runRound()
      await fault.once()
      expect(await running).toMatchObject([{ userId: id, outcome: 'published' }])
    } finally {
      await fault.letGo()
    }
    expect(await getPosts(id)).toHaveLength(1)
    expect(api.output()).toContain('"event":"ai_key_status_save_failed"')
  })
})
