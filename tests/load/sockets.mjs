import { execFileSync, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { freemem, totalmem } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { postJson } from './api-client.mjs'
import { createCallers } from './callers.mjs'
import { fillUsers } from './fill-database.mjs'
import { measureMemory } from './memory.mjs'
import { median, quantile } from './report.mjs'
import { readSecrets, realtimeUrl, withSql } from './stack.mjs'

/**
 * @typedef {{ sockets: number, medianMs: number, p99Ms: number, gatewayBytes: number, stackBytes: number }} StepResult
 *   the delivery times of messages, and the memory of the gateway and of the whole stack
 * @typedef {{ id: string, token: string }} User
 */

const messagesPerSecond = 10
const socketsPerProcess = 2500
const deliveryTimeoutMs = 10_000

/**
 * Opens more sockets at every step, each joined to the topic of a different user, and measures how fast messages
 * between these users arrive. Stops at the first step that fails, or when memory runs low.
 *
 * @param {import('./stack.mjs').Stack} stack a stack without rate limits
 * @param {number[]} steps increasing numbers of sockets
 * @param {number} targetMs a step fails unless the median is below this
 * @param {number} [seconds] how long messages are sent at each step
 * @returns {Promise<{ results: StepResult[], stopReason: string }>} the results of the successful steps, and why the
 *   measurement stopped
 */
export async function measureOpenSockets(stack, steps, targetMs, seconds = 10) {
  const { connection } = stack
  const { jwtSecret } = readSecrets(stack)
  const { pid } = JSON.parse(readFileSync(stack.connectionFile, 'utf8'))
  const users = await createUsers(connection.databaseUrl, jwtSecret, steps.at(-1) ?? 0)
  const pool = new SocketPool(connection)
  /** @type {StepResult[]} */
  const results = []
  try {
    for (const step of steps) {
      if (freemem() < totalmem() / 10) return { results, stopReason: 'less than 10% of the memory is free' }
      await pool.growTo(step, users)
      await sleep(200 * seconds)
      const times = await pool.measureMessages(connection.apiUrl, users.slice(0, step), seconds)
      if (pool.lost > 0) return { results, stopReason: `at ${step} sockets, ${pool.lost} were closed` }
      const medianMs = median(times)
      if (medianMs >= targetMs)
        return { results, stopReason: `at ${step} sockets, the median was ${medianMs.toFixed(0)} ms` }
      results.push({ sockets: step, medianMs, p99Ms: quantile(times, 0.99), ...measureMemory(pid) })
    }
    return { results, stopReason: 'all steps done' }
  } catch (error) {
    return {
      results,
      stopReason: `at the next step: ${error instanceof Error ? error.message : String(error)}`,
    }
  } finally {
    pool.close()
  }
}

/** Returns how many files, including sockets, one process may have open. */
export function maxOpenFiles() {
  if (process.platform === 'win32') return Number.POSITIVE_INFINITY
  const limit = execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim()
  return limit === 'unlimited' ? Number.POSITIVE_INFINITY : Number(limit)
}

/**
 * Returns users with access tokens. Inserts them unless the stack already has benchmark users.
 *
 * @param {string} databaseUrl
 * @param {string} jwtSecret
 * @param {number} count
 */
async function createUsers(databaseUrl, jwtSecret, count) {
  return await withSql(databaseUrl, async (sql) => {
    const [existing] = await sql`select to_regclass('bench.users') is not null as found`
    if (!existing?.found) await fillUsers(sql, count)
    // Every user must be able to message every other one.
    await sql`delete from public.blocks`
    return (await createCallers(sql, jwtSecret, count)).map(({ userId, token }) => ({ id: userId, token }))
  })
}

/** A pool of sockets, which several processes keep open. */
class SocketPool {
  open = 0
  lost = 0
  /** @type {import('node:child_process').ChildProcess[]} */
  #processes = []
  /** @type {Map<string, (at: number) => void>} */
  #onDelivered = new Map()

  /** @param {import('./stack.mjs').Stack['connection']} connection */
  constructor(connection) {
    this.url = realtimeUrl(connection)
  }

  /** Opens sockets until there are `count`. @param {number} count @param {User[]} users */
  async growTo(count, users) {
    while (this.open < count) {
      const next = users.slice(this.open, Math.min(count, this.open + socketsPerProcess))
      await this.#startProcess(next)
      this.open += next.length
    }
  }

  /** Starts a process that opens a socket for each user. @param {User[]} users */
  #startProcess(users) {
    const child = fork(fileURLToPath(new URL('sockets-process.mjs', import.meta.url)))
    this.#processes.push(child)
    // One source address has about 28,000 ports. On Linux, every address in 127.0.0.0/8 is local; on other systems,
    // only 127.0.0.1 is.
    const ownAddress = `127.0.0.${2 + (this.#processes.length % 250)}`
    const localAddress = process.platform === 'linux' ? ownAddress : undefined
    return new Promise((/** @type {(value: void) => void} */ resolve, reject) => {
      child.on(
        'message',
        (
          /** @type {{ open?: number, failure?: string, lost?: number, arrived?: string, at?: number }} */ message,
        ) => {
          if (message.arrived !== undefined)
            this.#onDelivered.get(message.arrived)?.(message.at ?? Number.NaN)
          else if (message.lost !== undefined) this.lost += 1
          else if (message.failure !== undefined) reject(new Error(message.failure))
          else resolve()
        },
      )
      child.on('exit', () => reject(new Error('a process that keeps sockets open exited early')))
      child.send({ url: this.url, localAddress, users })
    })
  }

  /**
   * Sends messages between random users at a constant rate, whether or not earlier ones have arrived.
   *
   * @param {string} apiUrl
   * @param {User[]} users
   * @param {number} seconds
   * @returns {Promise<number[]>} milliseconds from each request until its message arrives at the receiver's socket
   */
  async measureMessages(apiUrl, users, seconds) {
    const randomIndex = () => Math.floor(Math.random() * users.length)
    const deliveries = []
    // The first second is not measured.
    const count = messagesPerSecond * (seconds + 1)
    const startedAt = performance.now()
    for (let index = 0; index < count; index++) {
      await sleep(Math.max(0, startedAt + (index * 1000) / messagesPerSecond - performance.now()))
      const from = randomIndex()
      const [sender, receiver] = [
        users[from],
        users[(from + 1 + (randomIndex() % (users.length - 1))) % users.length],
      ]
      if (!sender || !receiver) throw new Error('There are no users.')
      const delivery = this.#send(apiUrl, sender.token, receiver.id)
      // `Promise.all` below reports a failure after all messages have been sent.
      delivery.catch(() => undefined)
      deliveries.push(delivery)
    }
    return (await Promise.all(deliveries)).slice(messagesPerSecond)
  }

  /**
   * Sends one message and returns the milliseconds until it arrives.
   *
   * @param {string} apiUrl
   * @param {string} token
   * @param {string} receiverId
   */
  async #send(apiUrl, token, receiverId) {
    const id = randomUUID()
    /** @type {NodeJS.Timeout | undefined} */
    let timer
    const arrived = new Promise((/** @type {(at: number) => void} */ resolve, reject) => {
      timer = setTimeout(() => reject(new Error('a message did not arrive')), deliveryTimeoutMs)
      this.#onDelivered.set(id, resolve)
    })
    const sentAt = Number(process.hrtime.bigint()) / 1e6
    const response = postJson(
      `${apiUrl}/api/messages`,
      { id, receiverId, content: 'A message among many.' },
      token,
    )
    const [at] = await Promise.all([arrived, response])
    clearTimeout(timer)
    this.#onDelivered.delete(id)
    return at - sentAt
  }

  close() {
    for (const child of this.#processes) {
      child.removeAllListeners('exit')
      if (child.connected) child.disconnect()
    }
  }
}
