import { execFileSync, fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { freemem, totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import { signIn } from './callers.mjs'
import { median, quantile } from './figures.mjs'
import { fillPeople } from './fill.mjs'
import { memoryBelow } from './memory.mjs'
import { post } from './people.mjs'

/**
 * @typedef {{ sockets: number, median: number, p99: number, gateway: number, stack: number }} Held milliseconds, and
 *   bytes of the process that holds the sockets and of all the stack's processes together
 */

const messages = { perSecond: 10, seconds: 10 }
const perProcess = 2500
const patience = 10_000
const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Opens more and more sockets, each joined to the own topic of somebody else, and times messages among these people at
 * every step; ends at the first step that is not held.
 *
 * @param {{ connectionFile: string, connection: { apiUrl: string, databaseUrl: string, publishableKey: string } }} stack
 *   that limits nothing
 * @param {number[]} steps growing numbers of sockets
 * @param {number} aim milliseconds that a message may take (median)
 * @returns {Promise<{ held: Held[], why: string }>} the steps that were held, and why it ended
 */
export async function holdSockets({ connectionFile, connection }, steps, aim) {
  const secretsFile = join(dirname(connectionFile), 'secrets.json')
  const { jwtSecret } = JSON.parse(readFileSync(secretsFile, 'utf8'))
  const { pid } = JSON.parse(readFileSync(connectionFile, 'utf8'))
  const people = await makePeople(connection.databaseUrl, jwtSecret, steps.at(-1) ?? 0)
  const crowd = new Crowd(connection)
  /** @type {Held[]} */
  const held = []
  try {
    for (const step of steps) {
      if (freemem() < totalmem() / 10) return { held, why: 'no memory was left' }
      await crowd.growTo(step, people)
      await pause(2000)
      const times = await crowd.talk(connection.apiUrl, people.slice(0, step))
      if (crowd.lost > 0) return { held, why: `at ${step} sockets ${crowd.lost} were closed` }
      const middle = median(times)
      if (middle >= aim) return { held, why: `at ${step} sockets a message took ${middle.toFixed(0)} ms` }
      held.push({ sockets: step, median: middle, p99: quantile(times, 0.99), ...memoryBelow(pid) })
    }
    return { held, why: 'no more were tried' }
  } catch (error) {
    return { held, why: `at more, ${error instanceof Error ? error.message : String(error)}` }
  } finally {
    crowd.leave()
  }
}

/** How many files, and so sockets, one process may have open here. */
export function openFiles() {
  if (process.platform === 'win32') return Number.POSITIVE_INFINITY
  const said = execFileSync('sh', ['-c', 'ulimit -n'], { encoding: 'utf8' }).trim()
  return said === 'unlimited' ? Number.POSITIVE_INFINITY : Number(said)
}

/** @param {string} databaseUrl @param {string} jwtSecret @param {number} count */
async function makePeople(databaseUrl, jwtSecret, count) {
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} })
  try {
    await fillPeople(sql, count)
    // Anybody writes to anybody here.
    await sql`delete from public.blocks`
    return (await signIn(sql, jwtSecret, count)).map(({ userId, token }) => ({ id: userId, token }))
  } finally {
    await sql.end()
  }
}

/** The processes that hold the sockets. */
class Crowd {
  open = 0
  lost = 0
  /** @type {import('node:child_process').ChildProcess[]} */
  #processes = []
  /** @type {Map<string, (at: number) => void>} */
  #waiting = new Map()

  /** @param {{ apiUrl: string, publishableKey: string }} stack */
  constructor({ apiUrl, publishableKey }) {
    this.url = `${apiUrl.replace(/^http/, 'ws')}/realtime/v1/websocket?apikey=${publishableKey}&vsn=2.0.0`
  }

  /** @param {number} wanted @param {{ id: string, token: string }[]} people */
  async growTo(wanted, people) {
    while (this.open < wanted) {
      const next = people.slice(this.open, Math.min(wanted, this.open + perProcess))
      await this.#hold(next)
      this.open += next.length
    }
  }

  /** @param {{ id: string, token: string }[]} people */
  #hold(people) {
    const child = fork(fileURLToPath(new URL('sockets-process.mjs', import.meta.url)))
    this.#processes.push(child)
    // One address has some 28,000 ports; all of 127.x are this machine's on Linux, and one is elsewhere.
    const own = `127.0.0.${2 + (this.#processes.length % 250)}`
    const localAddress = process.platform === 'linux' ? own : undefined
    return new Promise((/** @type {(value: void) => void} */ resolve, reject) => {
      child.on(
        'message',
        (
          /** @type {{ open?: number, failure?: string, lost?: number, arrived?: string, at?: number }} */ word,
        ) => {
          if (word.arrived !== undefined) this.#waiting.get(word.arrived)?.(word.at ?? Number.NaN)
          else if (word.lost !== undefined) this.lost += 1
          else if (word.failure !== undefined) reject(new Error(word.failure))
          else resolve()
        },
      )
      child.on('exit', () => reject(new Error('a process that holds sockets ended early.')))
      child.send({ url: this.url, localAddress, people })
    })
  }

  /**
   * Messages between two at random, at an even pace whether or not the ones before have arrived.
   *
   * @param {string} apiUrl
   * @param {{ id: string, token: string }[]} people
   * @returns {Promise<number[]>} milliseconds from the request to the receiver's socket
   */
  async talk(apiUrl, people) {
    const any = () => Math.floor(Math.random() * people.length)
    const trips = []
    // The first second is not measured.
    const count = messages.perSecond * (messages.seconds + 1)
    const began = performance.now()
    for (let index = 0; index < count; index++) {
      await pause(Math.max(0, began + (index * 1000) / messages.perSecond - performance.now()))
      const from = any()
      const [sender, receiver] = [
        people[from],
        people[(from + 1 + (any() % (people.length - 1))) % people.length],
      ]
      if (!sender || !receiver) throw new Error('There is nobody to write to.')
      trips.push(this.#send(apiUrl, sender.token, receiver.id))
    }
    return (await Promise.all(trips)).slice(messages.perSecond)
  }

  /** @param {string} apiUrl @param {string} token @param {string} receiverId */
  async #send(apiUrl, token, receiverId) {
    const id = randomUUID()
    /** @type {NodeJS.Timeout | undefined} */
    let late
    const arrived = new Promise((/** @type {(at: number) => void} */ resolve, reject) => {
      late = setTimeout(() => reject(new Error('a message did not arrive.')), patience)
      this.#waiting.set(id, resolve)
    })
    const began = Number(process.hrtime.bigint()) / 1e6
    const sent = post(`${apiUrl}/api/messages`, { id, receiverId, content: 'A message among many.' }, token)
    const [at] = await Promise.all([arrived, sent])
    clearTimeout(late)
    this.#waiting.delete(id)
    return at - began
  }

  leave() {
    for (const child of this.#processes) {
      child.removeAllListeners('exit')
      if (child.connected) child.disconnect()
    }
  }
}
