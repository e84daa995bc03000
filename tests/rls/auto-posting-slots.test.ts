import { randomUUID } from 'node:crypto'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AutoPosting, acquireAutoPosting } from '../support/auto-posting-fixture.ts'
import { readConnection } from '../support/connection.ts'
import { seededRandom } from '../support/random.ts'

// One or two workers, each with its own connection as the service role, follow a simulated clock. The first test runs a
// thousand ticks over three days in the future, with clock changes, crashed workers and late workers.

let auto: AutoPosting
const workers = [0, 1].map(() =>
  postgres(readConnection().databaseUrl, { max: 1, onnotice: () => undefined }),
)
beforeAll(async () => {
  auto = await acquireAutoPosting()
  await Promise.all(workers.map((worker) => worker`set role service_role`))
  await auto.updateSettings({
    maxPostsPerDay: 10_000,
    maxPostsPerCreator: 24,
    maxCostPerDay: 1000,
    timeZone: 'Europe/Berlin',
    fromHour: 8,
    toHour: 22,
  })
})
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.end()))
  await auto?.release()
})

type Slot = { creator_id: string; slot_day: string; slot_nth: number; slot_token: string }

/** Claims due slots. As in a real worker, each statement is its own transaction. */
const claimSlots = (worker: postgres.Sql, at: Date, limit = 4) => worker<Slot[]>`
  select creator_id, slot_day::text, slot_nth, slot_token from private.claim_auto_slots(${at}, ${limit})`
const beginRun = (worker: postgres.Sql, slot: Slot, at: Date) => worker<
  { run: string | null; refusal: string | null }[]
>`
  select run_id as run, refusal from private.begin_auto_run(${slot.creator_id}, 'slot', ${at}, 'm', 10, ${slot.slot_day}::date,
    ${slot.slot_nth}::smallint, ${slot.slot_token})`
/** Releases a slot that has to wait for another run for the same creator. */
const releaseSlot = (worker: postgres.Sql, slot: Slot, at: Date) => worker`
  select private.release_auto_slot(${slot.creator_id}, ${slot.slot_day}::date, ${slot.slot_nth}::smallint,
    ${slot.slot_token}, ${at}, true, false)`
/** Begins a run without a slot, as if an admin had started it. Returns the run's ID, or null if the run is refused. */
async function beginTestRun(worker: postgres.Sql, creatorId: string, at: Date): Promise<string | null> {
  const [row] = await worker<{ run: string | null }[]>`
    select run_id as run from private.begin_auto_run(${creatorId}, 'test', ${at}, 'm', 10)`
  return row?.run ?? null
}
async function endTestRun(worker: postgres.Sql, run: string, at: Date) {
  const [row] = await worker<{ outcome: string }[]>`
    select private.end_auto_run(${run}, 'published', null, ${`A post of ${randomUUID()}`}, '{}', ${at}) as outcome`
  return row?.outcome
}
/** Ends a slot's run. Null `content` means that the provider failed: the slot is then released for a retry. */
async function endRun(worker: postgres.Sql, slot: Slot, run: string, at: Date, content: string | null) {
  const [row] = await worker<{ outcome: string }[]>`
    select private.end_auto_run(${run}, ${content === null ? 'failed' : 'published'}, null, ${content}, '{}', ${at},
      ${slot.slot_token}) as outcome`
  if (content === null)
    await worker`select private.release_auto_slot(${slot.creator_id}, ${slot.slot_day}::date, ${slot.slot_nth}::smallint,
      ${slot.slot_token}, ${at}, true)`
  return row?.outcome
}

const minute = 60_000
const start = Date.UTC(2031, 2, 28, 23, 0)

describe('auto-posting slots', () => {
  it('are within the posting hours, and most publish one post each, despite crashes and clock changes', async () => {
    const creatorsByFrequency: Record<string, string[]> = {}
    for (const frequency of ['low', 'moderate', 'high'])
      creatorsByFrequency[frequency] = await auto.createCreators(4, frequency)
    const ids = Object.values(creatorsByFrequency).flat()
    const random = seededRandom(7)
    const published: { creatorId: string; day: string; nth: number; at: number }[] = []
    let crashCount = 0
    let failureCount = 0
    let lateCount = 0
    let busyCount = 0
    let testRunCount = 0
    /** The runs that an admin started, keyed by creator ID, each with the time at which it ends. */
    const testRuns = new Map<string, { run: string; due: number }>()
    const startTestRun = async (worker: postgres.Sql, creatorId: string, at: Date) => {
      const run = await beginTestRun(worker, creatorId, at)
      if (run) testRuns.set(creatorId, { run, due: at.getTime() + 10 * minute })
    }
    const endTestRuns = async (worker: postgres.Sql, now: number) => {
      for (const [creatorId, { run, due }] of testRuns) {
        if (due > now) continue
        testRuns.delete(creatorId)
        testRunCount++
        expect(await endTestRun(worker, run, new Date(now))).toBe('published')
      }
    }

    const runWorker = async (worker: postgres.Sql, at: Date) => {
      for (const slot of await claimSlots(worker, at)) {
        const [started] = await beginRun(worker, slot, at)
        // A creator can have only one run at a time, because two posts written at the same time could not be compared
        // with each other.
        expect({ started: Boolean(started?.run) }).toEqual({ started: !testRuns.has(slot.creator_id) })
        if (!started?.run) {
          expect(started?.refusal).toBe('busy')
          busyCount++
          await releaseSlot(worker, slot, at)
          continue
        }
        const chance = random()
        // This worker crashes. The slot can be claimed again when the lease expires.
        if (chance < 0.08) {
          crashCount++
          continue
        }
        if (chance < 0.16) {
          failureCount++
          await endRun(worker, slot, started.run, at, null)
          continue
        }
        // This worker finishes long after its lease has expired.
        if (chance < 0.28) {
          lateCount++
          lateRuns.push({ slot, run: started.run, due: at.getTime() + 25 * minute })
          continue
        }
        await publish(worker, slot, started.run, at)
      }
    }
    const lateRuns: { slot: Slot; run: string; due: number }[] = []
    const publish = async (worker: postgres.Sql, slot: Slot, run: string, at: Date) => {
      const outcome = await endRun(worker, slot, run, at, `A post of ${randomUUID()}`)
      if (outcome === 'published')
        published.push({
          creatorId: slot.creator_id,
          day: slot.slot_day,
          nth: slot.slot_nth,
          at: at.getTime(),
        })
      else expect(outcome).toBe('lost')
    }

    const step = (3 * 24 * 60 * minute) / 1000
    for (let tick = 0; tick < 1000; tick++) {
      let now = start + tick * step
      // About one tick in eight is skipped, as are all ticks during two hours of the second afternoon.
      if (random() < 0.125 || (tick >= 520 && tick < 548)) continue
      // At noon on the first day, the clock is six hours ahead for ten ticks. On the third day, it is three hours
      // behind for ten ticks.
      if (tick >= 170 && tick < 180) now += 6 * 60 * minute
      if (tick >= 860 && tick < 870) now -= 3 * 60 * minute
      const at = new Date(now)
      const firstWorker = workers[0] ?? auto.sql
      await endTestRuns(firstWorker, now)
      const due = await auto.sql<{ creatorId: string }[]>`
        select user_id::text as "creatorId" from private.auto_post_slots
        where user_id = any(${ids}::uuid[]) and state = 'planned' and due_at <= ${at}
        order by due_at desc, user_id limit 1`
      if (due[0] && random() < 0.7) await startTestRun(firstWorker, due[0].creatorId, at)
      for (const late of lateRuns.splice(0)) {
        if (late.due > now) lateRuns.push(late)
        else await publish(workers[tick % 2] ?? auto.sql, late.slot, late.run, at)
      }
      await Promise.all(workers.map((worker) => runWorker(worker, at)))
    }

    // The stored posts are those that were reported as published, and each slot has at most one post.
    const posts = await auto.sql<{ author: string; made_by: string; number: number }[]>`
      select author_id as author, made_by, count(*)::integer as number from public.posts
      where author_id = any(${ids}::uuid[]) group by 1, 2`
    expect(posts.reduce((sum, { number }) => sum + number, 0)).toBe(published.length + testRunCount)
    expect(posts.every(({ made_by }) => made_by === 'ai')).toBe(true)
    expect(new Set(published.map(({ creatorId, day, nth }) => `${creatorId} ${day} ${nth}`)).size).toBe(
      published.length,
    )

    // Every kind of disturbance occurred.
    expect([crashCount > 1, failureCount > 1, lateCount > 1, busyCount > 1, testRunCount > 1]).toEqual(
      Array(5).fill(true),
    )

    const slots = await auto.sql<
      { creatorId: string; day: string; nth: number; state: string; due: Date; hour: number }[]
    >`
      select user_id::text as "creatorId", day::text, nth, state, due_at as due,
             extract(hour from due_at at time zone 'Europe/Berlin')::integer as hour
      from private.auto_post_slots where user_id = any(${ids}::uuid[]) and day < '2031-04-01'`
    expect(slots.every(({ hour }) => hour >= 8 && hour < 22)).toBe(true)
    // Every slot ended: those without a post failed after three attempts or were not claimed in time.
    expect(slots.filter(({ state }) => state === 'done')).toHaveLength(published.length)
    const slotCounts = { low: [1, 2], moderate: [2, 3], high: [3, 4] } as Record<string, number[]>
    for (const [frequency, members] of Object.entries(creatorsByFrequency)) {
      for (const creatorId of members) {
        for (const day of ['2031-03-29', '2031-03-30', '2031-03-31']) {
          const planned = slots.filter((slot) => slot.creatorId === creatorId && slot.day === day)
          expect(slotCounts[frequency]).toContain(planned.length)
          const done = planned.filter(({ state }) => state === 'done').length
          const lost = planned.filter(({ state }) => ['missed', 'failed'].includes(state)).length
          expect({ frequency, day, done: done + lost }).toEqual({ frequency, day, done: planned.length })
        }
      }
    }
    // Few slots were lost to crashes, skipped ticks and wrong clocks.
    const lost = slots.filter(({ state }) => state !== 'done').length
    expect(lost / slots.length).toBeLessThan(0.25)
    // No post is published before its slot is due, or later than the grace period and the retries allow. The limit
    // includes six more hours: a late worker that began just before the clock jumped ahead can still own its slot, and
    // then publishes six hours later by that clock.
    for (const { creatorId, day, nth, at } of published) {
      const due = slots
        .find((slot) => slot.creatorId === creatorId && slot.day === day && slot.nth === nth)
        ?.due.getTime()
      expect(at - (due ?? 0)).toBeGreaterThanOrEqual(0)
      expect(at - (due ?? 0)).toBeLessThan((3.5 + 6) * 60 * minute)
    }
  })

  it('publish exactly the planned posts when nothing fails', async () => {
    await auto.disableAll()
    const ids = (
      await Promise.all(['low', 'moderate', 'high'].map((frequency) => auto.createCreators(2, frequency)))
    ).flat()
    for (let tick = 0; tick < 96; tick++) {
      const at = new Date(start + 30 * 24 * 60 * minute + tick * 15 * minute)
      await Promise.all(
        workers.map(async (worker) => {
          for (const slot of await claimSlots(worker, at)) {
            const [started] = await beginRun(worker, slot, at)
            await endRun(worker, slot, started?.run ?? '', at, `A post of ${randomUUID()}`)
          }
        }),
      )
    }
    const rows = await auto.sql<{ frequency: string; planned: number; done: number; posts: number }[]>`
      select x.frequency, count(*)::integer as planned, (count(*) filter (where s.state = 'done'))::integer as done,
             (select count(*) from public.posts p where p.author_id = x.user_id)::integer as posts
      from private.auto_posting_settings x join private.auto_post_slots s on s.user_id = x.user_id and s.day = '2031-04-28'
      where x.user_id = any(${ids}::uuid[]) group by x.user_id`
    expect(rows).toHaveLength(6)
    const slotCounts = { low: [1, 2], moderate: [2, 3], high: [3, 4] } as Record<string, number[]>
    for (const { frequency, planned, done, posts } of rows) {
      expect(slotCounts[frequency]).toContain(planned)
      expect([done, posts]).toEqual([planned, planned])
    }
  })

  it('wait for a run that an admin started, without using up their attempts', async () => {
    await auto.disableAll()
    const [creatorId = ''] = await auto.createCreators(1, 'low')
    const [worker = auto.sql] = workers
    let at = start + 60 * 24 * 60 * minute
    const run = await beginTestRun(worker, creatorId, new Date(at))
    const claimNextSlot = async (): Promise<Slot> => {
      for (let attempt = 0; attempt < 400; attempt++) {
        const [slot] = await claimSlots(worker, new Date(at))
        if (slot) return slot
        at += 5 * minute
      }
      throw new Error('No slot became due.')
    }
    // The slot is claimed every five minutes for most of its grace period of three hours. If these claims counted as
    // attempts, the slot would fail after the third one.
    const first = await claimNextSlot()
    const due = at
    // If the creator's second slot of the day became due during the test, the first slot would count as missed.
    await auto.sql`
      update private.auto_post_slots set due_at = due_at + interval '12 hours'
      where user_id = ${creatorId} and day = ${first.slot_day}::date and nth <> ${first.slot_nth}`
    for (let turn = 0; turn < 30; turn++) {
      const slot = turn === 0 ? first : await claimNextSlot()
      expect(await beginRun(worker, slot, new Date(at))).toEqual([{ run: null, refusal: 'busy' }])
      await releaseSlot(worker, slot, new Date(at))
      // Releasing the slot a second time has no effect.
      await releaseSlot(worker, slot, new Date(at))
      expect(await claimSlots(worker, new Date(at))).toEqual([])
      at += 5 * minute
    }
    expect(at - due).toBe(150 * minute)
    expect(await endTestRun(worker, run ?? '', new Date(at))).toBe('published')
    const slot = await claimNextSlot()
    expect([at - due, slot.slot_nth]).toEqual([150 * minute, first.slot_nth])
    const [started] = await beginRun(worker, slot, new Date(at))
    // While the slot's run is in progress, an admin cannot begin a run.
    expect(await beginTestRun(worker, creatorId, new Date(at))).toBeNull()
    expect(await endRun(worker, slot, started?.run ?? '', new Date(at), 'A post of the slot')).toBe(
      'published',
    )
    expect(await endRun(worker, slot, started?.run ?? '', new Date(at), 'A post of the slot')).toBe('lost')
    const [row] = await auto.sql<{ state: string; attempts: number; posts: number }[]>`
      select s.state, s.attempts, (select count(*)::integer from public.posts where author_id = ${creatorId}) as posts
      from private.auto_post_slots s
      where s.user_id = ${creatorId} and s.day = ${slot.slot_day}::date and s.nth = ${slot.slot_nth}`
    expect(row).toEqual({ state: 'done', attempts: 1, posts: 2 })
  })
})
