import { fileURLToPath } from 'node:url'
import { deno } from '../../scripts/lib/paths.mjs'
import { run } from '../../scripts/lib/run.mjs'
import { createCallers } from './callers.mjs'
import { fillPosts, fillUsers } from './fill-database.mjs'
import { startLoadProcess } from './load-process.mjs'
import { startQueryRecorder } from './query-recorder.mjs'
import { median } from './report.mjs'
import { readSecrets, withSql } from './stack.mjs'

/**
 * @typedef {import('./stack.mjs').Stack} Stack
 * @typedef {import('./callers.mjs').Caller} Caller
 * @typedef {import('./load-worker.mjs').LoadResult} LoadResult
 * @typedef {{ run: (seconds: number) => Promise<LoadResult>, stop: () => void }} Load
 */

/** The size of the API's connection pool (the default of DATABASE_POOL_SIZE). */
const databaseConnections = 16
/** The number of HTTP connections, which is enough to keep the API's pool busy. */
const httpConnections = 32
const callerCount = 200

/**
 * Fills a stack's database with users and posts.
 *
 * @param {Stack} stack
 * @param {{ users: number, posts: number, plain?: boolean }} size with `plain`, posts have only text
 */
export async function fillDatabase({ connection }, { users, posts, plain = false }) {
  await withSql(connection.databaseUrl, async (sql) => {
    await fillUsers(sql, users)
    await fillPosts(sql, posts, users, plain)
  })
}

/**
 * Prepares two loads on a filled stack: the feed over HTTP, and the SQL of the feed directly on the database.
 *
 * @param {Stack} stack
 * @returns {Promise<{ api: Load, database: Load, stop: () => void }>}
 */
export async function startFeedLoad(stack) {
  const { connection } = stack
  const { jwtSecret, gatewayPassword } = readSecrets(stack)
  const callers = await withSql(connection.databaseUrl, (sql) => createCallers(sql, jwtSecret, callerCount))
  // The API's code, whose statements are recorded, connects as `gateway`. The SQL load connects as the superuser,
  // because it prepares its statements before the transaction sets the caller's role: to prepare them, it needs access
  // to the `private` schema, which `gateway` itself does not have.
  const url = new URL(connection.databaseUrl)
  url.username = 'gateway'
  url.password = gatewayPassword
  const database = await startLoadProcess('sql-load', {
    url: connection.databaseUrl,
    connections: databaseConnections,
    batches: await recordFeedQueries(url.toString(), callers),
  })
  const api = await startLoadProcess('http-load', {
    url: connection.apiUrl,
    connections: httpConnections,
    requests: callers.map(({ token }) => ({
      path: '/api/posts',
      headers: { Authorization: `Bearer ${token}` },
    })),
  })
  return {
    api,
    database,
    stop: () => {
      api.stop()
      database.stop()
    },
  }
}

/**
 * Compares the rate of the feed over HTTP with that of its SQL alone, in alternating rounds. The first round does not
 * count.
 *
 * @param {Stack} stack a filled stack
 * @param {{ rounds: number, seconds: number }} options
 * @returns {Promise<{ api: number, database: number }>} the median numbers of feed pages per second
 */
export async function compareFeedWithItsSql(stack, { rounds, seconds }) {
  const { api, database, stop } = await startFeedLoad(stack)
  /** @type {{ api: number[], database: number[] }} */
  const rates = { api: [], database: [] }
  try {
    for (let round = 0; round <= rounds; round++) {
      const results = { api: await api.run(seconds), database: await database.run(seconds) }
      if (round === 0) continue
      rates.api.push(results.api.rate)
      rates.database.push(results.database.rate)
    }
  } finally {
    stop()
  }
  return { api: median(rates.api), database: median(rates.database) }
}

/**
 * Returns the SQL that the API sends for one page of the feed, for each caller, in pipelined batches. The SQL is
 * recorded while the API's own code runs for one caller. For every other caller, the ID and claims in this SQL are
 * replaced.
 *
 * @param {string} databaseUrl
 * @param {Caller[]} callers
 * @returns {Promise<import('./query-recorder.mjs').Batch[][]>}
 */
async function recordFeedQueries(databaseUrl, callers) {
  const [recorded] = callers
  if (!recorded) throw new Error('There are no callers.')
  const recorder = await startQueryRecorder(databaseUrl)
  const script = fileURLToPath(new URL('query-feed.mjs', import.meta.url))
  const { code, output } = await run(deno, ['run', '--allow-all', '--no-lock', '--quiet', script], {
    env: {
      DATABASE_URL: recorder.url,
      FEED_CALLER: JSON.stringify(recorded),
      // The functions do not load without these settings, but reading the feed does not use them.
      SUPABASE_URL: 'http://127.0.0.1',
      PUBLIC_URL: 'http://127.0.0.1',
      SUPABASE_PUBLISHABLE_KEYS: '{"default":"unused"}',
      SUPABASE_SECRET_KEYS: '{"default":"unused"}',
      JWT_SECRET: 'unused'.repeat(8),
      JOB_SECRET: 'unused'.repeat(8),
      ENCRYPTION_KEY: 'unused'.repeat(8),
      CAPTCHA_PROVIDER: 'none',
    },
  })
  recorder.close()
  if (code !== 0 || !(Number(output) > 0)) throw new Error(`Could not read the feed: ${output.trim()}`)
  const beginsTransaction = (/** @type {import('./query-recorder.mjs').Batch} */ batch) =>
    /^\s*begin\b/i.test(batch[0]?.text ?? '')
  const lastTransaction = recorder.batches.slice(recorder.batches.findLastIndex(beginsTransaction))
  return callers.map((caller) =>
    lastTransaction.map((batch) =>
      batch.map(({ text, values }) => ({
        text,
        values: values?.map((value) => replaceCaller(value, recorded, caller)) ?? null,
      })),
    ),
  )
}

/**
 * Returns a value of a recorded statement for another caller: the recorded caller's ID and claims are replaced.
 *
 * @param {string} value
 * @param {Caller} recorded
 * @param {Caller} caller
 */
function replaceCaller(value, recorded, caller) {
  if (value === recorded.claims) return caller.claims
  return value === recorded.userId ? caller.userId : value
}
