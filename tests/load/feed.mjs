import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { deno } from '../../scripts/lib/paths.mjs'
import { run } from '../../scripts/lib/run.mjs'
import { signIn } from './callers.mjs'
import { fillPeople, fillPosts } from './fill.mjs'
import { startLoad } from './load-process.mjs'
import { record } from './recorder.mjs'

/**
 * @typedef {{ connectionFile: string, connection: { apiUrl: string, databaseUrl: string } }} Stack
 * @typedef {import('./callers.mjs').Caller} Caller
 * @typedef {import('./orders.mjs').Round} Round
 * @typedef {{ run: (seconds: number) => Promise<Round>, stop: () => void }} Load
 */

/** Connections of the API's pool (`supabase/functions/_shared/db/pool.ts`), so as many straight to the database. */
const databaseConnections = 16
/** Enough that the API's own pool is never idle. */
const httpConnections = 32
const callers = 200

/**
 * Fills a stack's database.
 *
 * @param {Stack} stack
 * @param {{ people: number, posts: number, plain?: boolean }} size `plain`: posts of text alone
 */
export async function fill({ connection }, { people, posts, plain = false }) {
  const sql = postgres(connection.databaseUrl, { max: 1, onnotice: () => {} })
  try {
    await fillPeople(sql, people)
    await fillPosts(sql, posts, people, plain)
  } finally {
    await sql.end()
  }
}

/**
 * Gets ready to ask a filled stack for the feed by HTTP and, in the same words, straight from its database.
 *
 * @param {Stack} stack
 * @returns {Promise<{ api: Load, database: Load, stop: () => void }>}
 */
export async function loadFeed(stack) {
  const { connection, connectionFile } = stack
  const { jwtSecret, gatewayPassword } = JSON.parse(
    readFileSync(join(dirname(connectionFile), 'secrets.json'), 'utf8'),
  )
  const sql = postgres(connection.databaseUrl, { max: 1, onnotice: () => {} })
  /** @type {Caller[]} */
  let people
  try {
    people = await signIn(sql, jwtSecret, callers)
  } finally {
    await sql.end()
  }
  // As the API signs in. The same SQL alone is prepared by somebody who may, before it becomes its caller.
  const url = new URL(connection.databaseUrl)
  url.username = 'gateway'
  url.password = gatewayPassword
  const database = await startLoad('sql-load', {
    url: connection.databaseUrl,
    connections: databaseConnections,
    flights: await flightsOf(url.toString(), people),
  })
  const api = await startLoad('http-load', {
    url: `${connection.apiUrl}/api/posts`,
    connections: httpConnections,
    tokens: people.map(({ token }) => token),
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
 * What the API sends to the database for one page of the feed, for each caller, in the flights in which it travels:
 * written down while the API's own code runs for one of them, with the values of that one exchanged.
 *
 * @param {string} databaseUrl
 * @param {Caller[]} people
 * @returns {Promise<import('./recorder.mjs').Flight[][]>}
 */
async function flightsOf(databaseUrl, people) {
  const [model] = people
  if (!model) throw new Error('There is nobody to ask for the feed.')
  const recorder = await record(databaseUrl)
  const script = fileURLToPath(new URL('ask-feed.mjs', import.meta.url))
  const { code, output } = await run(deno, ['run', '--allow-all', '--no-lock', '--quiet', script], {
    env: {
      DATABASE_URL: recorder.url,
      FEED_CALLER: JSON.stringify(model),
      // Settings that the functions want before they are loaded, and that reading the feed does not use.
      SUPABASE_URL: 'http://127.0.0.1',
      PUBLIC_URL: 'http://127.0.0.1',
      SUPABASE_PUBLISHABLE_KEYS: '{"default":"unused"}',
      SUPABASE_SECRET_KEYS: '{"default":"unused"}',
      JWT_SECRET: 'unused'.repeat(8),
      JOB_SECRET: 'unused'.repeat(8),
      CAPTCHA_PROVIDER: 'none',
    },
  })
  recorder.close()
  if (code !== 0 || !(Number(output) > 0)) throw new Error(`The feed could not be read: ${output.trim()}`)
  const begins = (/** @type {import('./recorder.mjs').Flight} */ flight) =>
    /^\s*begin\b/i.test(flight[0]?.text ?? '')
  const last = recorder.flights.slice(recorder.flights.findLastIndex(begins))
  return people.map((person) =>
    last.map((flight) =>
      flight.map(({ text, values }) => ({
        text,
        values: values?.map((value) => own(value, model, person)) ?? null,
      })),
    ),
  )
}

/** @param {string} value @param {Caller} model whose values were written down @param {Caller} person */
function own(value, model, person) {
  if (value === model.claims) return person.claims
  return value === model.userId ? person.userId : value
}
