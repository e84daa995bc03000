import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { stackProcessCheck } from '../../scripts/lib/checks.mjs'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import { sendRawRequest } from '../stack/raw-request.ts'
import type { Connection } from '../support/connection.ts'
import { createRandom } from '../support/random.ts'
import { caseNumbers, readSoakOptions, replayCommand, soakTimeoutMs } from '../support/soak.ts'
import {
  createTempDir,
  discardStack,
  eventually,
  type StackProcess,
  startStack,
} from '../support/stack-process.ts'
import { signIn } from '../support/stack-users.ts'
import { type Actors, createActors } from './actors.ts'
import { findResponseError } from './check.ts'
import { createRequest, type FuzzRequest } from './generate.ts'
import { type Operation, readOperations } from './openapi.ts'

/*
Sends generated requests, both valid and hostile, to every operation of the API. No response may have an undocumented
5xx status, contradict the OpenAPI document or reveal internals.
*/

const options = readSoakOptions()
/** New users are created after this many cases, because the requests delete, suspend and change users. */
const batchSize = 161
const concurrency = 4

const dataDir = createTempDir()
let stack: StackProcess
let connection: Connection
let sql: postgres.Sql
let operations: Operation[]
let secrets: string[]
let settings: { key: string; value: postgres.JSONValue }[]

beforeAll(async () => {
  stack = startStack(dataDir, await freePort(), {
    CAPTCHA_PROVIDER: 'none',
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    // Nothing listens on this port.
    OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
  })
  connection = await stack.ready()
  sql = postgres(connection.databaseUrl, { max: 2, onnotice: () => undefined })
  operations = await readOperations(connection.apiUrl)
  settings = await sql`select key, value from private.settings`
  const { publishableKey: _public, ...values } = JSON.parse(
    readFileSync(join(dataDir, 'secrets.json'), 'utf8'),
  )
  secrets = Object.values(values).filter(
    (value) => typeof value === 'string' && value.length >= 16,
  ) as string[]
  expect(secrets.length).toBeGreaterThan(4)
})

afterAll(async () => {
  await sql?.end({ timeout: 1 })
  await discardStack(stack, dataDir)
})

/** Returns a curl command that repeats the request, with a placeholder instead of the actor's token. */
function describeRequest({ actor, method, path, headers, body }: FuzzRequest): string {
  const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  const options = Object.entries(headers).map(([name, value]) => {
    const isToken = actor !== null && name === 'authorization' && value.length > 300 && value.includes('.')
    return `-H ${quote(`${name}: ${isToken ? `Bearer <token of ${actor}>` : value}`)}`
  })
  if (body) options.push(`--data-binary ${quote(body.toString())}`)
  const url = path.startsWith('/') ? `${connection.apiUrl}${path}` : path
  return `curl --path-as-is -X ${method} ${quote(url)} ${options.join(' ')}`.slice(0, 1500)
}

const statuses: Record<number, number> = {}
let accepted = new Set<Operation>()

/**
 * Signs an actor in again after their session has ended. Actors who cannot sign in, for example because their account
 * was deleted, stay signed out until the next batch replaces them.
 */
async function renewSession(actors: Actors, name: keyof Actors['users'], authorization = ''): Promise<void> {
  const user = actors.users[name]
  if (authorization !== `Bearer ${user.token}`) return
  await signIn(connection, user).then(
    (tokens) => Object.assign(user, tokens),
    () => undefined,
  )
}

/** Sends the request for a case and returns what is wrong with the response, or null. */
async function runCase(number: number, actors: Actors): Promise<string | null> {
  const operation = operations[number % operations.length] as Operation
  const request = createRequest(operation, actors, createRandom(options.seed, number))
  const { method, path, headers, body } = request
  const startedAt = performance.now()
  let error: string | null
  try {
    const response = await sendRawRequest(stack.port, path, headers, method, body)
    statuses[response.status] = (statuses[response.status] ?? 0) + 1
    if (response.status < 300 && request.reachesOperation) accepted.add(operation)
    error = findResponseError(request, response, secrets)
    if (response.status === 401 && request.actor)
      await renewSession(actors, request.actor, headers.authorization)
    const seconds = (performance.now() - startedAt) / 1000
    if (seconds > 15) error ??= `a response after ${seconds.toFixed(1)} s`
  } catch (thrown) {
    error = `no response: ${thrown}`
    // The server aborts an export when the session ends, so that nobody mistakes a partial export for a complete one.
    if (operation.path === '/api/account/export' && /aborted/.test(error)) error = null
    // The server may close the connection instead of reading the rest of a body that it rejects.
    else if (body && body.length > 100 * 1024 && /EPIPE|ECONNRESET/.test(error)) error = null
  }
  if (error === null) return null
  return [
    `Case ${number} (${operation.method} ${operation.path} as ${request.actor ?? 'visitor'}): ${error}`,
    `  ${describeRequest(request)}`,
    `  ${replayCommand('fuzz', options.seed, number)}`,
  ].join('\n')
}

async function findStackErrors(): Promise<string[]> {
  const errors: string[] = []
  await eventually(async () => {
    const response = await fetch(`${connection.apiUrl}/api/health`)
    expect(response.status).toBe(200)
  })
  const [ledger] = await sql<{ cents: string }[]>`select private.ledger_imbalance_cents()::text as cents`
  if (ledger?.cents !== '0') errors.push(`The ledger is wrong by ${ledger?.cents} cents.`)
  const { problems } = stackProcessCheck(dataDir)
  return problems === '' ? errors : [...errors, problems]
}

it('the API responds to valid and hostile requests as the OpenAPI document describes', {
  timeout: soakTimeoutMs(options),
}, async () => {
  console.log(`Seed ${options.seed}`)
  accepted = new Set()
  const errors: string[] = []
  let count = 0
  const numbers = caseNumbers(options, 5 * operations.length)
  for (;;) {
    const batch = [...take(numbers, batchSize)]
    if (batch.length === 0) break
    // The admin's requests in the previous batch may have changed the settings.
    for (const { key, value } of settings) await sql`select private.set_setting(${key}, ${sql.json(value)})`
    const actors = await createActors(connection, sql)
    count += batch.length
    const queue = batch[Symbol.iterator]()
    const worker = async () => {
      for (const number of queue) {
        const error = await runCase(number, actors)
        if (error !== null) errors.push(error)
      }
    }
    await Promise.all(Array.from({ length: options.only ? 1 : concurrency }, worker))
    errors.push(...(await findStackErrors()))
    if (errors.length > 40) break
  }
  console.log(
    `${count} requests, responses by status: ${JSON.stringify(statuses)}; ${accepted.size} of ${operations.length} operations accepted a request`,
  )
  expect(errors.join('\n')).toBe('')
  expect(count).toBeGreaterThan(0)
  // Otherwise, the test would pass even if the API rejected every request.
  if (!options.only) expect(accepted.size).toBeGreaterThan(operations.length / 3)
})

function* take<T>(iterator: Iterator<T>, count: number): Generator<T> {
  for (let taken = 0; taken < count; taken++) {
    const { value, done } = iterator.next()
    if (done) return
    yield value
  }
}
