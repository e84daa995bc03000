import { randomUUID } from 'node:crypto'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AutoPosting, acquireAutoPosting } from '../support/auto-posting-fixture.ts'
import { readConnection } from '../support/connection.ts'

/**
 * Two workers, each with a connection of its own and the rights of the service, and a thousand ticks of a clock that is
 * made here: over three days of the far future, with everything that goes wrong with clocks and workers.
 */
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

type Slot = { person: string; slot_day: string; slot_nth: number; slot_token: string }

/** Takes slots, as a worker does: with a statement that is a transaction of its own, like every other one here. */
const claim = (worker: postgres.Sql, at: Date, most = 4) => worker<Slot[]>`
  select person, slot_day::text, slot_nth, slot_token from private.claim_auto_slots(${at}, ${most})`
const begin = (worker: postgres.Sql, slot: Slot, at: Date) => worker<
  { run: string | null; refusal: string | null }[]
>`
  select run, refusal from private.begin_auto_run(${slot.person}, 'slot', ${at}, 'm', 10, ${slot.slot_day}::date,
    ${slot.slot_nth}::smallint, ${slot.slot_token})`
/** Gives a slot back that has to wait for another run of the same person. */
const giveBack = (worker: postgres.Sql, slot: Slot, at: Date) => worker`
  select private.release_auto_slot(${slot.person}, ${slot.slot_day}::date, ${slot.slot_nth}::smallint,
    ${slot.slot_token}, ${at}, true, false)`
/** A run that an admin asks for, past the slots; null where it may not be. */
async function beginTest(worker: postgres.Sql, person: string, at: Date): Promise<string | null> {
  const [row] = await worker<{ run: string | null }[]>`
    select run from private.begin_auto_run(${person}, 'test', ${at}, 'm', 10)`
  return row?.run ?? null
}
async function endTest(worker: postgres.Sql, run: string, at: Date) {
  const [row] = await worker<{ outcome: string }[]>`
    select private.end_auto_run(${run}, 'published', null, ${`A post of ${randomUUID()}`}, '{}', ${at}) as outcome`
  return row?.outcome
}
async function end(worker: postgres.Sql, slot: Slot, run: string, at: Date, content: string | null) {
  const [row] = await worker<{ outcome: string }[]>`
    select private.end_auto_run(${run}, ${content === null ? 'failed' : 'published'}, null, ${content}, '{}', ${at},
      ${slot.slot_token}) as outcome`
  if (content === null)
    await worker`select private.release_auto_slot(${slot.person}, ${slot.slot_day}::date, ${slot.slot_nth}::smallint,
      ${slot.slot_token}, ${at}, true)`
  return row?.outcome
}

const minute = 60_000
const start = Date.UTC(2031, 2, 28, 23, 0)

/** Numbers from 0 to 1, the same in every run of the test. */
function dice(seed: number) {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296
    return state / 4_294_967_296
  }
}

describe('two workers and a thousand ticks', () => {
  it('give each creator the right number of posts a day, each within its hours, and never one too many', async () => {
    const people: Record<string, string[]> = {}
    for (const frequency of ['low', 'moderate', 'high'])
      people[frequency] = await auto.createCreators(4, frequency)
    const ids = Object.values(people).flat()
    const random = dice(7)
    const ended: { person: string; day: string; nth: number; at: number }[] = []
    let crashes = 0
    let failures = 0
    let late = 0
    let busy = 0
    let asked = 0
    /** Runs that an admin asked for, by their person, with the moment at which each comes back. */
    const tests = new Map<string, { run: string; due: number }>()
    const ask = async (worker: postgres.Sql, person: string, at: Date) => {
      const run = await beginTest(worker, person, at)
      if (run) tests.set(person, { run, due: at.getTime() + 10 * minute })
    }
    const endTests = async (worker: postgres.Sql, now: number) => {
      for (const [person, { run, due }] of tests) {
        if (due > now) continue
        tests.delete(person)
        asked++
        expect(await endTest(worker, run, new Date(now))).toBe('published')
      }
    }

    const work = async (worker: postgres.Sql, at: Date) => {
      for (const slot of await claim(worker, at)) {
        const [begun] = await begin(worker, slot, at)
        // Never beside another run of the same person, which it could not be compared with.
        expect({ begun: Boolean(begun?.run) }).toEqual({ begun: !tests.has(slot.person) })
        if (!begun?.run) {
          expect(begun?.refusal).toBe('busy')
          busy++
          await giveBack(worker, slot, at)
          continue
        }
        const luck = random()
        // A worker that never comes back, for its slot to be found by its lease.
        if (luck < 0.08) {
          crashes++
          continue
        }
        if (luck < 0.16) {
          failures++
          await end(worker, slot, begun.run, at, null)
          continue
        }
        // One that comes back long after its lease has run out.
        if (luck < 0.28) {
          late++
          lateOnes.push({ slot, run: begun.run, due: at.getTime() + 25 * minute })
          continue
        }
        await finish(worker, slot, begun.run, at)
      }
    }
    const lateOnes: { slot: Slot; run: string; due: number }[] = []
    const finish = async (worker: postgres.Sql, slot: Slot, run: string, at: Date) => {
      const outcome = await end(worker, slot, run, at, `A post of ${randomUUID()}`)
      if (outcome === 'published')
        ended.push({ person: slot.person, day: slot.slot_day, nth: slot.slot_nth, at: at.getTime() })
      else expect(outcome).toBe('lost')
    }

    const step = (3 * 24 * 60 * minute) / 1000
    for (let tick = 0; tick < 1000; tick++) {
      let now = start + tick * step
      // One tick in eight never comes; in the second afternoon none for two hours.
      if (random() < 0.125 || (tick >= 520 && tick < 548)) continue
      // A clock that is set ahead by six hours in the first noon, and back by three in the third, each for ten ticks.
      if (tick >= 170 && tick < 180) now += 6 * 60 * minute
      if (tick >= 860 && tick < 870) now -= 3 * 60 * minute
      const at = new Date(now)
      const first = workers[0] ?? auto.sql
      await endTests(first, now)
      const due = await auto.sql<{ person: string }[]>`
        select user_id::text as person from private.auto_slots
        where user_id = any(${ids}::uuid[]) and state = 'planned' and due_at <= ${at}
        order by due_at desc, user_id limit 1`
      if (due[0] && random() < 0.3) await ask(first, due[0].person, at)
      for (const one of lateOnes.splice(0)) {
        if (one.due > now) lateOnes.push(one)
        else await finish(workers[tick % 2] ?? auto.sql, one.slot, one.run, at)
      }
      await Promise.all(workers.map((worker) => work(worker, at)))
    }

    // What was really published is what the workers were told, and each slot gave one post at most.
    const posts = await auto.sql<{ author: string; made_by: string; number: number }[]>`
      select author_id as author, made_by, count(*)::integer as number from public.posts
      where author_id = any(${ids}::uuid[]) group by 1, 2`
    expect(posts.reduce((sum, { number }) => sum + number, 0)).toBe(ended.length + asked)
    expect(posts.every(({ made_by }) => made_by === 'ai')).toBe(true)
    expect(new Set(ended.map(({ person, day, nth }) => `${person} ${day} ${nth}`)).size).toBe(ended.length)

    // Everything that was to happen did.
    expect([crashes > 1, failures > 1, late > 1, busy > 1, asked > 1]).toEqual(Array(5).fill(true))

    const slots = await auto.sql<
      { person: string; day: string; nth: number; state: string; due: Date; hour: number }[]
    >`
      select user_id::text as person, day::text, nth, state, due_at as due,
             extract(hour from due_at at time zone 'Europe/Berlin')::integer as hour
      from private.auto_slots where user_id = any(${ids}::uuid[]) and day < '2031-04-01'`
    expect(slots.every(({ hour }) => hour >= 8 && hour < 22)).toBe(true)
    // Nothing hangs in the air: what is not done was given up after three tries, or nobody came in time.
    expect(slots.filter(({ state }) => state === 'done')).toHaveLength(ended.length)
    const given = { low: [1, 2], moderate: [2, 3], high: [3, 4] } as Record<string, number[]>
    for (const [frequency, members] of Object.entries(people)) {
      for (const person of members) {
        for (const day of ['2031-03-29', '2031-03-30', '2031-03-31']) {
          const planned = slots.filter((slot) => slot.person === person && slot.day === day)
          expect(given[frequency]).toContain(planned.length)
          const done = planned.filter(({ state }) => state === 'done').length
          const lost = planned.filter(({ state }) => ['missed', 'failed'].includes(state)).length
          expect({ frequency, day, done: done + lost }).toEqual({ frequency, day, done: planned.length })
        }
      }
    }
    // Few were lost to all that went wrong: to the hours without a clock, and to clocks that were wrong.
    const lost = slots.filter(({ state }) => state !== 'done').length
    expect(lost / slots.length).toBeLessThan(0.25)
    // None before it was due, and none later than the grace and the tries after it allow; a worker that came late may
    // have begun while the clock was six hours ahead, and nobody took its slot from it meanwhile.
    for (const { person, day, nth, at } of ended) {
      const due = slots
        .find((slot) => slot.person === person && slot.day === day && slot.nth === nth)
        ?.due.getTime()
      expect(at - (due ?? 0)).toBeGreaterThanOrEqual(0)
      expect(at - (due ?? 0)).toBeLessThan((3.5 + 6) * 60 * minute)
    }
  }, 60_000)

  it('give exactly what was planned where nothing goes wrong', async () => {
    await auto.disableAll()
    const ids = (
      await Promise.all(['low', 'moderate', 'high'].map((often) => auto.createCreators(2, often)))
    ).flat()
    for (let tick = 0; tick < 96; tick++) {
      const at = new Date(start + 30 * 24 * 60 * minute + tick * 15 * minute)
      await Promise.all(
        workers.map(async (worker) => {
          for (const slot of await claim(worker, at)) {
            const [begun] = await begin(worker, slot, at)
            await end(worker, slot, begun?.run ?? '', at, `A post of ${randomUUID()}`)
          }
        }),
      )
    }
    const rows = await auto.sql<{ frequency: string; planned: number; done: number; posts: number }[]>`
      select x.frequency, count(*)::integer as planned, (count(*) filter (where s.state = 'done'))::integer as done,
             (select count(*) from public.posts p where p.author_id = x.user_id)::integer as posts
      from private.auto_posting x join private.auto_slots s on s.user_id = x.user_id and s.day = '2031-04-28'
      where x.user_id = any(${ids}::uuid[]) group by x.user_id`
    expect(rows).toHaveLength(6)
    const given = { low: [1, 2], moderate: [2, 3], high: [3, 4] } as Record<string, number[]>
    for (const { frequency, planned, done, posts } of rows) {
      expect(given[frequency]).toContain(planned)
      expect([done, posts]).toEqual([planned, planned])
    }
  })
  it('let a slot wait for a run that an admin asked for, and lose none of its tries to it', async () => {
    await auto.disableAll()
    const [person = ''] = await auto.createCreators(1, 'low')
    const [worker = auto.sql] = workers
    let at = start + 60 * 24 * 60 * minute
    const run = await beginTest(worker, person, new Date(at))
    const taken = async (): Promise<Slot> => {
      for (let tries = 0; tries < 400; tries++) {
        const [slot] = await claim(worker, new Date(at))
        if (slot) return slot
        at += 5 * minute
      }
      throw new Error('No slot came due')
    }
    // Far more often than a provider may fail: nearly for the three hours that a slot waits at most.
    const first = await taken()
    const due = at
    for (let turn = 0; turn < 30; turn++) {
      const slot = turn === 0 ? first : await taken()
      expect(await begin(worker, slot, new Date(at))).toEqual([{ run: null, refusal: 'busy' }])
      await giveBack(worker, slot, new Date(at))
      // Whoever held it before cannot give it back again.
      await giveBack(worker, slot, new Date(at))
      expect(await claim(worker, new Date(at))).toEqual([])
      at += 5 * minute
    }
    expect(at - due).toBe(150 * minute)
    expect(await endTest(worker, run ?? '', new Date(at))).toBe('published')
    const slot = await taken()
    expect([at - due, slot.slot_nth]).toEqual([150 * minute, first.slot_nth])
    const [begun] = await begin(worker, slot, new Date(at))
    // Meanwhile it is the round that has to wait.
    expect(await beginTest(worker, person, new Date(at))).toBeNull()
    expect(await end(worker, slot, begun?.run ?? '', new Date(at), 'A post of the slot')).toBe('published')
    expect(await end(worker, slot, begun?.run ?? '', new Date(at), 'A post of the slot')).toBe('lost')
    const [row] = await auto.sql<{ state: string; attempts: number; posts: number }[]>`
      select s.state, s.attempts, (select count(*)::integer from public.posts where author_id = ${person}) as posts
      from private.auto_slots s
      where s.user_id = ${person} and s.day = ${slot.slot_day}::date and s.nth = ${slot.slot_nth}`
    expect(row).toEqual({ state: 'done', attempts: 1, posts: 2 })
  })
})
