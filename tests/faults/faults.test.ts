import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import type { Connection, Secrets } from '../support/connection.ts'
import { killProcess, listDescendants } from '../support/processes.ts'
import { createRandom, type Random } from '../support/random.ts'
import { runJob } from '../support/run-job.ts'
import { caseNumbers, readSoakOptions, replayCommand, soakTimeoutMs } from '../support/soak.ts'
import {
  createTempDir,
  discardStack,
  eventually,
  killStack,
  type StackProcess,
  startStack,
} from '../support/stack-process.ts'
import { createStackUser } from '../support/stack-users.ts'
import type { TestUser } from '../support/users.ts'
import { Clients, type World } from './clients.ts'
import { shiftStoredTimes, shiftToken } from './clock.ts'
import { mountSmallDisk, type SmallDisk, simulateFullDisk } from './small-disk.ts'
import { findLostOrRepeatedWrites, verify } from './verify.ts'

/*
Clients write while processes are killed, while the disk is full, or after the clock has jumped. After each round, every
acknowledged write must be stored exactly once, every other write at most once, and the ledger and all counters must
match the stored rows.
*/

const options = readSoakOptions()
const folder = createTempDir()
let disk: Pick<SmallDisk, 'fill' | 'free'>
let smallDisk: SmallDisk | null = null
let port: number
let stack: StackProcess
let connection: Connection
let sql: postgres.Sql
let clients: Clients
let users: TestUser[]

/** Starts or restarts the stack. */
async function start(): Promise<void> {
  const env = { CAPTCHA_PROVIDER: 'none', RATE_LIMITS: 'off', LOG_LEVEL: 'warn' }
  const dataDir = join(folder, 'data')
  // If the supervisor was killed, the stack's other processes keep the port in use until they notice and exit.
  connection = await eventually(async () => {
    stack = smallDisk
      ? startStack(smallDisk.outsideDir, port, { ...env, DATA_DIR: dataDir }, smallDisk.launcher)
      : startStack(dataDir, port, env)
    return await stack.ready()
  })
  // PostgreSQL may have started on another port because its previous one was still in use.
  await sql?.end({ timeout: 1 })
  sql = postgres(connection.databaseUrl, { max: 2, onnotice: () => undefined })
}

const readSecrets = () => JSON.parse(readFileSync(join(stack.dataDir, 'secrets.json'), 'utf8')) as Secrets

async function createWorld(): Promise<World> {
  const [ana, bob, cat, dan] = await Promise.all([
    createStackUser(connection, sql),
    createStackUser(connection, sql),
    createStackUser(connection, sql, { isCreator: true }),
    createStackUser(connection, sql, { isCreator: true }),
  ])
  const createPost = async (user: TestUser) => {
    const [row] = await sql<{ postId: string; commentId: string }[]>`
      with post as (
        insert into public.posts (author_id, content) values (${user.id}, 'First post') returning id, author_id)
      insert into public.comments (post_id, author_id, content) select id, author_id, 'First comment' from post
      returning post_id as "postId", id as "commentId"`
    return { user, postId: row?.postId ?? '', commentId: row?.commentId ?? '' }
  }
  return { fans: [ana, bob], creators: [await createPost(cat), await createPost(dan)] }
}

beforeAll(async () => {
  port = await freePort()
  smallDisk = await mountSmallDisk(join(folder, 'data'))
  await start()
  if (!smallDisk)
    console.log('This system does not allow mounts in a user namespace, so the full disk is simulated.')
  disk = smallDisk ?? simulateFullDisk(() => sql)
  const world = await createWorld()
  users = [...world.fans, ...world.creators.map(({ user }) => user)]
  clients = new Clients(connection, world)
})

afterAll(async () => {
  await sql?.end({ timeout: 1 })
  if (stack?.process.exitCode === null) stack.process.kill('SIGTERM')
  await stack?.ended
  smallDisk?.discard()
  await discardStack(undefined, folder)
})

/** Kills the first process of the stack whose command line contains `part`. */
function killPart(part: string): void {
  const processes = listDescendants(stack.process.pid ?? 0)
  killProcess(processes.find(({ command }) => command.includes(part))?.pid ?? 0, 'SIGKILL')
}

/** Each function causes a fault and ends it, unless the stack recovers from the fault by itself. */
const faults: Record<string, (random: Random) => Promise<void>> = {
  'a killed database connection': async (random) => {
    const backends = await sql<{ pid: number }[]>`
      select pid from pg_stat_activity where usename in ('gateway', 'lite', 'realtime_admin') order by pid`
    killProcess(random.pick(backends).pid, 'SIGKILL')
  },
  'a killed gateway': async () => killPart('stack/gateway/main.ts'),
  'a full disk': async (random) => {
    const failuresBefore = clients.failures[503] ?? 0
    await disk.fill()
    await eventually(async () => expect(clients.failures[503] ?? 0).toBeGreaterThan(failuresBefore), 30_000)
    await sleep(random.below(options.minutes === null ? 500 : 4_000))
    await eventually(() => disk.free())
  },
  'a killed database': async () => killPart('bin/postgres'),
  'a killed stack': async () => {
    await killStack(stack)
    await start()
  },
  'a killed supervisor': async () => {
    killProcess(stack.process.pid ?? 0, 'SIGKILL')
    await stack.ended
    await start()
  },
  'killed Auth and Storage': async () => killPart('stack/lite/main.ts'),
  'a killed Data API': async () => killPart('stack/data-api/main.ts'),
  'a killed gateway and database': async () => {
    killPart('bin/postgres')
    killPart('stack/gateway/main.ts')
  },
}
/** The sign of the shift of the stored times, which is opposite to that of the clock's jump. */
const clockJumps = { 'a clock set forward': -1, 'a clock set back': 1 }

const allFaults = [
  'a killed database connection',
  'a full disk',
  'a clock set forward',
  'a killed gateway',
  'a clock set back',
  'a killed stack',
  ...Object.keys(faults).filter((name) => name !== 'a full disk' && name !== 'a killed stack'),
]
const shortCount = 6

/** Lets all clients write until `work` has finished. */
async function writeDuring(seed: number, number: number, work: () => Promise<void>): Promise<void> {
  let isStopped = false
  const loops = users.map((user, index) =>
    clients.run(user, createRandom(seed, number * 10 + index), () => isStopped),
  )
  try {
    await work()
  } finally {
    isStopped = true
    await Promise.all(loops)
  }
}

/** Waits until the stack is healthy. Starts it again if it has exited, as a service manager would. */
async function recover(): Promise<void> {
  await eventually(async () => {
    if (stack.process.exitCode !== null || stack.process.signalCode !== null) {
      expect(stack.output()).toMatch(/keeps failing|could not be restarted/)
      await start()
    }
    const response = await fetch(`${connection.apiUrl}/api/health`, { signal: AbortSignal.timeout(5_000) })
    expect(response.status).toBe(200)
    // Also waits until the database has finished the requests of disconnected clients.
    const [row] = await sql`
      select count(*)::int as count from pg_stat_activity
      where usename = 'gateway' and backend_type = 'client backend' and state <> 'idle'`
    expect(row?.count).toBe(0)
  }, 90_000)
  clients.connection = connection
}

/** Runs a round and returns a line for each error. */
async function runRound(number: number): Promise<string[]> {
  const random = createRandom(options.seed, number)
  const name = number <= allFaults.length ? (allFaults[number - 1] ?? '') : random.pick(allFaults)
  const before = clients.writes.length
  const startedAt = performance.now()
  const days = name in clockJumps ? clockJumps[name as keyof typeof clockJumps] * (1 + random.below(3)) : 0
  if (days !== 0) {
    await shiftStoredTimes(sql, days)
    const { jwtSecret } = readSecrets()
    for (const user of users) user.token = await shiftToken(user, days, jwtSecret)
    const { status, body } = await runJob('clean-up', connection.jobsUrl, connection.jobSecret)
    if (status !== 200) return [`The clean-up job returned ${status}: ${JSON.stringify(body)}`]
  }
  const countAcknowledged = () =>
    clients.writes.slice(before).filter(({ isAcknowledged }) => isAcknowledged).length
  await writeDuring(options.seed, number, async () => {
    await eventually(async () => expect(countAcknowledged()).toBeGreaterThan(0), 60_000)
    await sleep(random.below(800))
    await faults[name]?.(random)
    await sleep(300 + random.below(700))
  })
  await recover()
  const recoveredAt = performance.now()
  // The latest writes of earlier rounds must have survived this round's fault.
  const writes = clients.writes.slice(Math.max(0, before - 2_000))
  const acknowledged = countAcknowledged()
  const errors = await findLostOrRepeatedWrites(sql, writes)
  const retried = await clients.retryUnacknowledged()
  errors.push(...(await verify(sql, clients, writes)))
  const lost = writes.filter(({ isAcknowledged }) => !isAcknowledged)
  errors.push(...lost.map(({ kind, id }) => `${kind} ${id} still fails after the fault`))
  const seconds = ((recoveredAt - startedAt) / 1000).toFixed(1)
  console.log(
    `Round ${number}, ${name}${days === 0 ? '' : ` (${Math.abs(days)} days)`}: ${acknowledged} writes acknowledged, ${retried} retried, ${seconds} s`,
  )
  return [...new Set(errors)].map((line) => `Round ${number}, ${name}: ${line}`)
}

it('the stack stores every acknowledged write exactly once, and keeps the ledger and counters consistent', {
  timeout: soakTimeoutMs(options),
}, async () => {
  console.log(`Seed ${options.seed}`)
  const errors: string[] = []
  let rounds = 0
  for (const number of caseNumbers(options, shortCount)) {
    const found = await runRound(number).catch((error) => [`Round ${number}: ${error}`])
    rounds++
    if (found.length > 0) errors.push(...found.slice(0, 10), replayCommand('faults', options.seed, number))
    if (errors.length > 100) break
  }
  errors.push(...(await verify(sql, clients, clients.writes)))
  const acknowledged = clients.writes.filter(({ isAcknowledged }) => isAcknowledged).length
  console.log(
    `${rounds} rounds, ${acknowledged} acknowledged writes, failed requests by status: ${JSON.stringify(clients.failures)}`,
  )
  expect(errors).toEqual([])
  expect(acknowledged).toBeGreaterThan(0)
})
