// `npm run bench -- --peer`: compares three servers in one run and with the same data: the stack (`ours`), Parse Server
// (`parse`) and the baseline server, called "bare floor" (`floor`).
import { readFileSync } from 'node:fs'
import { startTestStack } from '../../../scripts/lib/test-stack.mjs'
import { registerAndSignIn } from '../api-client.mjs'
import { startBaselineServer } from '../baseline-server.mjs'
import { createCallers } from '../callers.mjs'
import { measureCpuTime } from '../cpu-time.mjs'
import { fillMessages, fillPosts, fillUsers } from '../fill-database.mjs'
import { createJpeg } from '../jpeg.mjs'
import { startLoadProcess } from '../load-process.mjs'
import { baselineTarget, measureTimeToSocket, stackTarget } from '../message-to-socket.mjs'
import { median } from '../report.mjs'
import { readSecrets, withSql } from '../stack.mjs'
import { toParseId, toParseSessionToken } from './fill-parse.mjs'
import { startParseServer } from './parse-server.mjs'
import { messageRequests, parseHeaders, rows } from './rows.mjs'

/**
 * @typedef {import('./rows.mjs').Data} Data
 * @typedef {{ ours: number, parse: number, floor: number }} ServerValues
 * @typedef {{ name: string, title: string, unit: 'requests' | 'ms', goal: import('./rows.mjs').Goal, note?: string,
 *   value: ServerValues, cpuMs: ServerValues, databaseMs: ServerValues }} Result the medians of the value and of the
 *   CPU time per request: `cpuMs` includes a server and its database, `databaseMs` only the database
 * @typedef {{ value: number, cpuMs: number, databaseMs: number }} Measured
 * @typedef {{ users: number, posts: number, seconds: number, rounds: number, uploads: number, roundTrips: number,
 *   packageFolder?: string }} Options
 * @typedef {import('../stack.mjs').Stack} Stack
 * @typedef {Awaited<ReturnType<typeof describeServers>>} Servers
 */

/** Returns the servers that are running. The tests run without Parse Server. @param {Pick<Servers, 'urls'>} running */
const serversOf = ({ urls }) =>
  /** @type {const} */ (['ours', 'parse', 'floor']).filter((server) => urls[server] !== '')
export const socketRow = {
  name: 'socket',
  title: 'message to the receiver’s socket',
  goal: { peer: 2, floor: 1 / 1.3 },
}
export const rowNames = [...rows.map(({ name }) => name), socketRow.name]

/**
 * Starts the three servers with the same data.
 *
 * @param {Record<string, string>} env the stack's environment
 * @param {Options} options
 */
export async function startServers(env, { users, posts, packageFolder }) {
  const stack = await startTestStack(env)
  /** @type {(() => unknown)[]} */
  const stops = [stack.stop]
  const stop = async () => {
    for (const stopOne of stops.toReversed()) await stopOne()
  }
  try {
    const accounts = await fillStack(stack, { users, posts })
    const parse = await startParseServer(stack.connection.databaseUrl, packageFolder)
    stops.push(parse.stop)
    for (const { email, password } of accounts)
      await postToParse(parse.url, '/parse/users', { username: email, password })
    const floor = await startBaselineServer(stack.connection.databaseUrl)
    stops.push(floor.stop)
    const jpeg = await createJpeg(1600, 1200)
    return { ...(await describeServers(stack, floor, parse, accounts, jpeg)), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/**
 * Fills a stack with the data that the rows of the comparison need.
 *
 * @param {Stack} stack
 * @param {{ users: number, posts: number }} size
 * @param {number} [accountCount]
 * @returns {Promise<import('./rows.mjs').Data['accounts']>} accounts that can sign in
 */
export async function fillStack({ connection }, { users, posts }, accountCount = 8) {
  const accounts = []
  for (let index = 0; index < accountCount; index++) {
    const { email, password } = await registerAndSignIn(connection.apiUrl, `account_${index}`)
    accounts.push({ email, password })
  }
  await withSql(connection.databaseUrl, async (sql) => {
    await fillUsers(sql, users)
    await fillMessages(sql, users)
    await fillPosts(sql, posts, users, false)
  })
  return accounts
}

/**
 * Returns what the rows need: URLs, processes and callers.
 *
 * @param {Stack} stack
 * @param {{ url: string, pid: number }} floor
 * @param {{ url: string, pids: number[] }} parse
 * @param {import('./rows.mjs').Data['accounts']} accounts
 * @param {Buffer} jpeg
 */
export async function describeServers(stack, floor, parse, accounts, jpeg) {
  const { pid } = JSON.parse(readFileSync(stack.connectionFile, 'utf8'))
  return await withSql(stack.connection.databaseUrl, async (sql) => {
    const [version] = await sql`show server_version`
    const callers = await findCallers(sql, stack)
    const { publishableKey } = stack.connection
    /** @type {Data} */
    const data = { callers, accounts, publishableKey, jpeg }
    return {
      stack,
      data,
      postgresVersion: String(version?.server_version),
      urls: { ours: stack.connection.apiUrl, parse: parse.url, floor: floor.url },
      // The baseline server uses the stack's database, so the stack's processes count toward both.
      pids: { ours: [pid], parse: parse.pids, floor: [pid, floor.pid] },
    }
  })
}

/**
 * Measures one row in several rounds. Each round measures all three servers, one after another. The first round does
 * not count.
 *
 * @param {string} name
 * @param {Servers} running servers without a URL are not measured
 * @param {Options} options
 * @returns {Promise<Result>}
 */
export async function measureRow(name, running, options) {
  if (name === socketRow.name) return await measureSocket(running, options)
  const row = rows.find((candidate) => candidate.name === name)
  if (!row) throw new Error(`There is no row named ${name}: choose from ${rowNames.join(', ')}.`)
  const requests = row.requests(running.data)
  const unit = row.connections === 1 ? 'ms' : 'requests'
  const maxOperations = row.name === 'upload' ? options.uploads : undefined
  const loads = []
  /** @type {Record<keyof ServerValues, Measured[]>} */
  const results = { ours: [], parse: [], floor: [] }
  try {
    for (const server of serversOf(running)) {
      const { connections } = row
      const config = { url: running.urls[server], connections, requests: requests[server] }
      loads.push({ server, load: await startLoadProcess('http-load', config) })
    }
    // On a busy machine, the first requests can fail while a server opens its database connections.
    for (const { load } of loads) await load.run(options.seconds, maxOperations).catch(() => undefined)
    for (let round = 0; round <= options.rounds; round++) {
      for (const { server, load } of loads) {
        const cpu = measureCpuTime(running.pids[server])
        const { rate, count, medianMs } = await load.run(options.seconds, maxOperations)
        const after = measureCpuTime(running.pids[server])
        const databaseMs = (after.database - cpu.database) / count
        const cpuMs = databaseMs + (after.other - cpu.other) / count
        if (round > 0) results[server].push({ value: unit === 'ms' ? medianMs : rate, cpuMs, databaseMs })
      }
    }
  } catch (error) {
    throw new Error(`The row ${name} failed: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    for (const { load } of loads) load.stop()
  }
  const { title, goal, note } = row
  const [value, cpuMs] = [mediansOf(results, 'value'), mediansOf(results, 'cpuMs')]
  return { name, title, unit, goal, note, value, cpuMs, databaseMs: mediansOf(results, 'databaseMs') }
}

/** @param {Record<keyof ServerValues, Measured[]>} results @param {keyof Measured} key */
function mediansOf(results, key) {
  const medianOf = (/** @type {keyof ServerValues} */ server) =>
    results[server].length > 0 ? median(results[server].map((result) => result[key])) : Number.NaN
  return { ours: medianOf('ours'), parse: medianOf('parse'), floor: medianOf('floor') }
}

/**
 * Measures the time until messages arrive at the receiver's socket.
 *
 * @param {Servers} running
 * @param {Options} options
 * @returns {Promise<Result>}
 */
async function measureSocket({ stack, urls, data }, { roundTrips }) {
  const [sender] = data.callers
  const receiver = data.callers.find(({ userId }) => userId === sender?.partnerId)
  if (!sender || !receiver) throw new Error('There are no callers.')
  const [from, to] = [sender, receiver].map(({ userId, token }) => ({ id: userId, token }))
  if (!from || !to) throw new Error('There are no callers.')
  const where = { receiver: { __type: 'Pointer', className: 'Profile', objectId: toParseId(to.id) } }
  const sessionToken = toParseSessionToken(to.id)
  const [ours = [], peer = [], bare = []] = await measureTimeToSocket(
    [
      stackTarget(stack.connection, from, to),
      {
        url: `${urls.parse.replace(/^http/, 'ws')}/`,
        subscribeFrames: [
          JSON.stringify({ op: 'connect', applicationId: 'app', sessionToken }),
          JSON.stringify({
            op: 'subscribe',
            requestId: 1,
            sessionToken,
            query: { className: 'Message', where },
          }),
        ],
        send: async (id) => {
          const { body } = messageRequests(sender, `A message of average length ${id}`).parse
          await postToParse(
            urls.parse,
            '/parse/classes/Message',
            JSON.parse(String(body)),
            parseHeaders(sender),
          )
        },
      },
      baselineTarget({ url: urls.floor }, from, to),
    ],
    roundTrips,
  )
  const value = { ours: median(ours), parse: median(peer), floor: median(bare) }
  const none = { ours: Number.NaN, parse: Number.NaN, floor: Number.NaN }
  return { ...socketRow, unit: 'ms', value, cpuMs: none, databaseMs: none }
}

/** @param {string} url @param {string} path @param {object} body @param {Record<string, string>} [headers] */
async function postToParse(url, path, body, headers = { 'X-Parse-Application-Id': 'app' }) {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`Parse Server returned ${response.status}: ${await response.text()}`)
  await response.arrayBuffer()
}

/**
 * Returns callers who can each write to a partner, in a conversation of more than one page. The second caller is the
 * partner of the first.
 *
 * @param {import('postgres').Sql} sql
 * @param {Stack} stack
 * @returns {Promise<import('./rows.mjs').RowCaller[]>}
 */
async function findCallers(sql, stack) {
  const { jwtSecret } = readSecrets(stack)
  const found = await sql`
    select distinct on (m.user_id) m.user_id as "userId", m.partner_id as "partnerId",
           m.conversation_id as "conversationId", p.id as "postId", p.author_id as "postAuthorId"
    from public.conversation_members m
    join public.conversations c on c.id = m.conversation_id and c.last_seq = 60
    join bench.users u on u.id = m.user_id
    cross join lateral (
      select p.id, p.author_id from bench.posts b join public.posts p using (id)
      join public.profiles a on a.id = p.author_id
      where b.n > u.n * 7 % 500 and a.visibility = 'public' and not p.is_premium and p.author_id <> m.user_id
        and not exists (select from public.blocks b where m.user_id in (b.blocker_id, b.blocked_id)
                                                      and p.author_id in (b.blocker_id, b.blocked_id))
      order by b.n limit 1
    ) p
    where u.n <= 400 and not exists (select from public.blocks b
                     where m.user_id in (b.blocker_id, b.blocked_id) and m.partner_id in (b.blocker_id, b.blocked_id))
    order by m.user_id limit 200`
  const pairs = new Map(found.map((row) => [row.userId, row]))
  const all = await createCallers(sql, jwtSecret, 1_000_000)
  const callers = all.flatMap((caller) => {
    const pair = pairs.get(caller.userId)
    return pair ? [/** @type {import('./rows.mjs').RowCaller} */ ({ ...caller, ...pair })] : []
  })
  const [first] = callers
  const partner = all.find(({ userId }) => userId === first?.partnerId)
  if (!first || !partner) throw new Error('There are no callers with a long conversation.')
  const reverse = { ...first, ...partner, partnerId: first.userId }
  return [first, reverse, ...callers.slice(1).filter(({ userId }) => userId !== partner.userId)]
}
