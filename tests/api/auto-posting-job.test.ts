import { JobStatus } from '@contract/admin.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type AutoPostingFixture, startAutoPostingFixture } from '../support/auto-posting-fixture.ts'
import { randomPostText } from '../support/fake-openai-server.ts'
import { runJob } from '../support/run-job.ts'
import { stack } from '../support/stack.ts'

/** The job that writes what is due. */

let scene: AutoPostingFixture
beforeAll(async () => {
  scene = await startAutoPostingFixture()
  await scene.saveApiKey()
}, 180_000)
afterAll(() => scene?.stop())
beforeEach(() => scene.reset())

describe('the job', () => {
  it('writes what is due, once; puts off what failed; never runs beside itself; and shows how it went', async () => {
    const { request, getPosts, saveApiKey, auto, ai, jobs, boss } = scene
    const [good = '', bad = '', odd = ''] = await auto.createCreators(3)
    await auto.sql`update public.profile_details set bio = 'Known for nonsense;' where user_id = ${odd}`
    await auto.sql`update public.profile_details set bio = 'Known for faults;' where user_id = ${bad}`
    ai.setBehavior({
      write: (prompt) =>
        prompt.includes('faults;')
          ? { status: 503 }
          : prompt.includes('nonsense;')
            ? { text: 'No JSON.' }
            : { post: randomPostText() },
    })
    await auto.sql`
      insert into private.auto_slots (user_id, day, nth, due_at)
      select id, (now() at time zone 'UTC')::date, n, now() - interval '1 minute' + n * interval '1 hour' * (n - 1)
      from unnest(${[good, bad, odd]}::uuid[]) id, generate_series(1, 4) n`
    await auto.unblockJob()
    const turn = async () => {
      const answer = await fetch(`${jobs.url}/jobs/auto-posts`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${stack.jobSecret}` },
      })
      return (await answer.json()) as Record<string, unknown>
    }
    const turns = await Promise.all([turn(), turn()])
    expect(turns.filter((one) => one.skipped === true)).toHaveLength(1)
    expect(turns.find((one) => !one.skipped)).toMatchObject({ published: 1, failed: 1, refused: 1, lost: 0 })
    const job = async (name: string) =>
      (await request(boss, 'GET', '/admin/jobs', z.array(JobStatus))).find((one) => one.name === name)
    expect(await job('auto-posts')).toMatchObject({
      outcome: 'done',
      detail: 'published 1, refused 1, failed 1',
      late: false,
    })
    expect(await runJob('auto-posts', `${jobs.url}/jobs`)).toMatchObject({
      body: { published: 0, failed: 0 },
    })
    expect((await getPosts(good, bad, odd)).map(({ made_by }) => made_by)).toEqual(['ai'])
    const slots = await auto.sql<{ person: string; state: string; attempts: number; later: boolean }[]>`
      select user_id::text as person, state, attempts, retry_at > now() as later from private.auto_slots
      where user_id = any(${[good, bad, odd]}::uuid[]) and nth = 1`
    expect(slots).toHaveLength(3)
    // What was turned down is given up; what the provider failed at is tried again.
    expect(slots.find(({ person }) => person === odd)).toMatchObject({ state: 'failed', attempts: 1 })
    expect(slots.find(({ person }) => person === good)).toMatchObject({ state: 'done', attempts: 1 })
    expect(slots.find(({ person }) => person === bad)).toMatchObject({
      state: 'planned',
      attempts: 1,
      later: true,
    })

    const unreadable = 'v1.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
    await auto.sql`update private.ai_key set secret = ${unreadable}`
    expect((await runJob('auto-posts', `${jobs.url}/jobs`)).status).toBe(409)
    expect(await job('auto-posts')).toMatchObject({
      every: 300,
      running: false,
      outcome: 'failed',
      failures: 1,
      detail: expect.stringContaining('another ENCRYPTION_KEY'),
      late: false,
    })
    await saveApiKey()
    await runJob('auto-posts', `${jobs.url}/jobs`)
    expect(await job('auto-posts')).toMatchObject({
      outcome: 'done',
      failures: 0,
      detail: 'nothing to do',
    })
    await auto.sql`update private.job_runs set started_at = now() - interval '16 minutes' where name = 'auto-posts'`
    expect((await job('auto-posts'))?.late).toBe(true)
    const due = await fetch(`${jobs.url}/jobs/auto-posts?due=1`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${stack.jobSecret}` },
    })
    expect(await due.json()).toMatchObject({ published: 0 })
    const again = await fetch(`${jobs.url}/jobs/auto-posts?due=1`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${stack.jobSecret}` },
    })
    expect(await again.json()).toEqual({ skipped: true })
    await auto.blockJob()
  })
  it('that never came back is a failed one, until a turn goes well', async () => {
    const { auto, request, boss, jobs } = scene
    const job = async () =>
      (await request(boss, 'GET', '/admin/jobs', z.array(JobStatus))).find(
        ({ name }) => name === 'auto-posts',
      )
    /** The process of the turn that is under way is gone, and its time is over. */
    const breakDown = () => auto.sql`
      update private.job_runs set running_until = now() - interval '1 second' where name = 'auto-posts'`
    const begin = () => auto.sql`select private.begin_job('auto-posts', 300, 300)`
    await auto.unblockJob()
    await runJob('auto-posts', `${jobs.url}/jobs`)
    await begin()
    const under = await job()
    expect(under).toMatchObject({ running: true, outcome: null, failures: 0 })
    expect(under?.detail).not.toBe('It did not come back.')
    await breakDown()
    const gone = { running: false, outcome: 'failed', detail: 'It did not come back.', lastEndedAt: null }
    expect(await job()).toMatchObject({ ...gone, failures: 1 })
    await begin()
    expect(await job()).toMatchObject({ running: true, detail: 'It did not come back.', failures: 1 })
    await breakDown()
    expect(await job()).toMatchObject({ ...gone, failures: 2 })
    await runJob('auto-posts', `${jobs.url}/jobs`)
    expect(await job()).toMatchObject({ outcome: 'done', detail: 'nothing to do', failures: 0 })
    await auto.blockJob()
  })

  it('waits for a round of the same person, and repeats nothing that was published meanwhile', async () => {
    const { auto, ai, jobs, runRound, getRuns, getPosts } = scene
    const [id = ''] = await auto.createCreators(1)
    await auto.sql`
      insert into private.auto_slots (user_id, day, nth, due_at)
      select ${id}, (now() at time zone 'UTC')::date, n, now() + (n - 1) * interval '1 hour'
      from generate_series(1, 4) n`
    const post = randomPostText()
    ai.setBehavior({ write: () => ({ post }) })
    await auto.unblockJob()
    const turn = () => runJob('auto-posts', `${jobs.url}/jobs`)
    const before = ai.calls.length
    const goOn = ai.holdCompletions()
    const running = runRound()
    await expect.poll(() => ai.calls.length).toBe(before + 1)
    expect(await turn()).toMatchObject({ body: { skipped: 1, published: 0 } })
    goOn()
    expect(await running).toMatchObject([{ outcome: 'published' }])
    const [slot] = await auto.sql<{ state: string; attempts: number; later: boolean }[]>`
      select state, attempts, retry_at > now() as later from private.auto_slots where user_id = ${id} and nth = 1`
    expect(slot).toEqual({ state: 'planned', attempts: 0, later: true })
    await auto.sql`update private.auto_slots set retry_at = now() where user_id = ${id} and nth = 1`
    expect(await turn()).toMatchObject({ body: { refused: 1 } })
    expect((await getRuns(id))[0]).toMatchObject({ kind: 'slot', detail: 'It repeated an earlier post.' })

    // Also what was published while the run was about to begin.
    const other = randomPostText()
    ai.setBehavior({ write: () => ({ post: other }) })
    await auto.sql`update public.auto_runs set ended_at = now() - interval '5 minutes' where user_id = ${id}`
    const holder = await auto.sql.reserve()
    await holder`begin`
    await holder`select pg_advisory_xact_lock(hashtextextended('auto_posting', 0))`
    const [{ pid } = { pid: 0 }] = await holder<{ pid: number }[]>`select pg_backend_pid() as pid`
    const second = runRound()
    await expect
      .poll(() => auto.sql`select from pg_stat_activity a where ${pid} = any(pg_blocking_pids(a.pid))`)
      .toHaveLength(1)
    await auto.sql`insert into public.posts (author_id, content) values (${id}, ${other})`
    await holder`commit`
    holder.release()
    expect(await second).toMatchObject([{ outcome: 'refused', detail: 'It repeated an earlier post.' }])
    expect(await getPosts(id)).toHaveLength(2)
    await auto.blockJob()
  })
})
