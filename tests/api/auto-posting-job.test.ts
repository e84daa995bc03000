import { JobStatus } from '@contract/admin.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type AutoPostingFixture, startAutoPostingFixture } from '../support/auto-posting-fixture.ts'
import { randomPostText } from '../support/fake-openai-server.ts'
import { runJob } from '../support/run-job.ts'
import { stack } from '../support/stack.ts'

/** Tests the job that writes due posts. */

let fixture: AutoPostingFixture
beforeAll(async () => {
  fixture = await startAutoPostingFixture()
  await fixture.saveApiKey()
})
afterAll(() => fixture?.stop())
beforeEach(() => fixture.reset())

describe('the auto-posts job', () => {
  it('writes due posts once, retries provider failures, never runs in parallel and reports its status', async () => {
    const { request, getPosts, saveApiKey, auto, ai, jobs, boss } = fixture
    const [acceptedId = '', failingId = '', refusedId = ''] = await auto.createCreators(3)
    await auto.sql`update public.profile_details set bio = 'Known for nonsense;' where user_id = ${refusedId}`
    await auto.sql`update public.profile_details set bio = 'Known for faults;' where user_id = ${failingId}`
    ai.setBehavior({
      write: (prompt) =>
        prompt.includes('faults;')
          ? { status: 503 }
          : prompt.includes('nonsense;')
            ? { text: 'No JSON.' }
            : { post: randomPostText() },
    })
    await auto.sql`
      insert into private.auto_post_slots (user_id, day, nth, due_at)
      select id, (now() at time zone 'UTC')::date, n, now() - interval '1 minute' + n * interval '1 hour' * (n - 1)
      from unnest(${[acceptedId, failingId, refusedId]}::uuid[]) id, generate_series(1, 4) n`
    await auto.unblockJob()
    const callJob = async () => {
      const response = await fetch(`${jobs.url}/jobs/auto-posts`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${stack.jobSecret}` },
      })
      return (await response.json()) as Record<string, unknown>
    }
    const results = await Promise.all([callJob(), callJob()])
    expect(results.filter((result) => result.skipped === true)).toHaveLength(1)
    expect(results.find((result) => !result.skipped)).toMatchObject({
      published: 1,
      failed: 1,
      refused: 1,
      lost: 0,
    })
    const getStatus = async (name: string) =>
      (await request(boss, 'GET', '/admin/jobs', z.array(JobStatus))).find((job) => job.name === name)
    expect(await getStatus('auto-posts')).toMatchObject({
      outcome: 'done',
      detail: 'published 1, refused 1, failed 1',
      late: false,
    })
    expect(await runJob('auto-posts', `${jobs.url}/jobs`)).toMatchObject({
      body: { published: 0, failed: 0 },
    })
    expect((await getPosts(acceptedId, failingId, refusedId)).map(({ made_by }) => made_by)).toEqual(['ai'])
    const slots = await auto.sql<{ userId: string; state: string; attempts: number; later: boolean }[]>`
      select user_id::text as "userId", state, attempts, retry_at > now() as later from private.auto_post_slots
      where user_id = any(${[acceptedId, failingId, refusedId]}::uuid[]) and nth = 1`
    expect(slots).toHaveLength(3)
    // A rejected post is not retried, but a provider failure is.
    expect(slots.find(({ userId }) => userId === refusedId)).toMatchObject({ state: 'failed', attempts: 1 })
    expect(slots.find(({ userId }) => userId === acceptedId)).toMatchObject({ state: 'done', attempts: 1 })
    expect(slots.find(({ userId }) => userId === failingId)).toMatchObject({
      state: 'planned',
      attempts: 1,
      later: true,
    })

    const unreadable = 'v1.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
    await auto.sql`update private.ai_key set secret = ${unreadable}`
    expect((await runJob('auto-posts', `${jobs.url}/jobs`)).status).toBe(409)
    expect(await getStatus('auto-posts')).toMatchObject({
      every: 300,
      running: false,
      outcome: 'failed',
      failures: 1,
      detail: expect.stringContaining('another ENCRYPTION_KEY'),
      late: false,
    })
    await saveApiKey()
    await runJob('auto-posts', `${jobs.url}/jobs`)
    expect(await getStatus('auto-posts')).toMatchObject({
      outcome: 'done',
      failures: 0,
      detail: 'nothing to do',
    })
    await auto.sql`update private.job_runs set started_at = now() - interval '16 minutes' where name = 'auto-posts'`
    expect((await getStatus('auto-posts'))?.late).toBe(true)
    const dueRun = await fetch(`${jobs.url}/jobs/auto-posts?due=1`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${stack.jobSecret}` },
    })
    expect(await dueRun.json()).toMatchObject({ published: 0 })
    const earlyRun = await fetch(`${jobs.url}/jobs/auto-posts?due=1`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${stack.jobSecret}` },
    })
    expect(await earlyRun.json()).toEqual({ skipped: true })
    await auto.blockJob()
  })

  it('reports a run that never ended as failed until another run succeeds', async () => {
    const { auto, request, boss, jobs } = fixture
    const getStatus = async () =>
      (await request(boss, 'GET', '/admin/jobs', z.array(JobStatus))).find(
        ({ name }) => name === 'auto-posts',
      )
    /** Simulates a process that stopped during its run and whose lease has expired. */
    const loseRun = () => auto.sql`
      update private.job_runs set running_until = now() - interval '1 second' where name = 'auto-posts'`
    const beginRun = () => auto.sql`select private.begin_job('auto-posts', 300, 300)`
    await auto.unblockJob()
    await runJob('auto-posts', `${jobs.url}/jobs`)
    await beginRun()
    const running = await getStatus()
    expect(running).toMatchObject({ running: true, outcome: null, failures: 0 })
    expect(running?.detail).not.toBe('The run was interrupted.')
    await loseRun()
    const lostRun = {
      running: false,
      outcome: 'failed',
      detail: 'The run was interrupted.',
      lastEndedAt: null,
    }
    expect(await getStatus()).toMatchObject({ ...lostRun, failures: 1 })
    await beginRun()
    expect(await getStatus()).toMatchObject({
      running: true,
      detail: 'The run was interrupted.',
      failures: 1,
    })
    await loseRun()
    expect(await getStatus()).toMatchObject({ ...lostRun, failures: 2 })
    await runJob('auto-posts', `${jobs.url}/jobs`)
    expect(await getStatus()).toMatchObject({ outcome: 'done', detail: 'nothing to do', failures: 0 })
    await auto.blockJob()
  })

  it("postpones a post while a round runs for the same user, and does not repeat the round's post", async () => {
    const { auto, ai, jobs, runRound, getRuns, getPosts } = fixture
    const [id = ''] = await auto.createCreators(1)
    await auto.sql`
      insert into private.auto_post_slots (user_id, day, nth, due_at)
      select ${id}, (now() at time zone 'UTC')::date, n, now() + (n - 1) * interval '1 hour'
      from generate_series(1, 4) n`
    const post = randomPostText()
    ai.setBehavior({ write: () => ({ post }) })
    await auto.unblockJob()
    const runAutoPostsJob = () => runJob('auto-posts', `${jobs.url}/jobs`)
    const before = ai.calls.length
    const releaseCompletions = ai.holdCompletions()
    const running = runRound()
    await expect.poll(() => ai.calls.length).toBe(before + 1)
    expect(await runAutoPostsJob()).toMatchObject({ body: { skipped: 1, published: 0 } })
    releaseCompletions()
    expect(await running).toMatchObject([{ outcome: 'published' }])
    const [slot] = await auto.sql<{ state: string; attempts: number; later: boolean }[]>`
      select state, attempts, retry_at > now() as later from private.auto_post_slots where user_id = ${id} and nth = 1`
    expect(slot).toEqual({ state: 'planned', attempts: 0, later: true })
    await auto.sql`update private.auto_post_slots set retry_at = now() where user_id = ${id} and nth = 1`
    expect(await runAutoPostsJob()).toMatchObject({ body: { refused: 1 } })
    expect((await getRuns(id))[0]).toMatchObject({ kind: 'slot', detail: 'It repeated an earlier post.' })

    // A post published just before the run begins is not repeated either.
    const otherPost = randomPostText()
    ai.setBehavior({ write: () => ({ post: otherPost }) })
    await auto.sql`update public.auto_post_runs set ended_at = now() - interval '5 minutes' where user_id = ${id}`
    const holder = await auto.sql.reserve()
    await holder`begin`
    await holder`select pg_advisory_xact_lock(hashtextextended('auto_posting', 0))`
    const [{ pid } = { pid: 0 }] = await holder<{ pid: number }[]>`select pg_backend_pid() as pid`
    const secondRound = runRound()
    await expect
      .poll(() => auto.sql`select from pg_stat_activity a where ${pid} = any(pg_blocking_pids(a.pid))`)
      .toHaveLength(1)
    await auto.sql`insert into public.posts (author_id, content) values (${id}, ${otherPost})`
    await holder`commit`
    holder.release()
    expect(await secondRound).toMatchObject([{ outcome: 'refused', detail: 'It repeated an earlier post.' }])
    expect(await getPosts(id)).toHaveLength(2)
    await auto.blockJob()
  })
})
