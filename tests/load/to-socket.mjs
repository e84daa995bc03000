import { randomUUID } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { startBare } from './bare.mjs'
import { post } from './people.mjs'

/** @typedef {import('./people.mjs').Person} Person */
/** @typedef {(id: string) => Promise<number>} Trip sends the message `id`; milliseconds until the receiver has it */

const patience = 10_000
const pause = (/** @type {number} */ ms) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * From sending a message by HTTP to the receiver's socket having it, one after the other: by the stack, and by a bare
 * server on the same database, in turn, so that whatever disturbs the machine disturbs both.
 *
 * @param {{ apiUrl: string, databaseUrl: string, publishableKey: string }} stack
 * @param {Person} sender
 * @param {Person} receiver
 * @param {number} count
 * @returns {Promise<{ stack: number[], bare: number[] }>} milliseconds
 */
export async function timeToSocket({ apiUrl, databaseUrl, publishableKey }, sender, receiver, count) {
  const bare = await startBare(databaseUrl)
  /** @type {Worker | undefined} */
  let worker
  try {
    worker = await startReceiver([
      {
        url: `${apiUrl.replace(/^http/, 'ws')}/realtime/v1/websocket?apikey=${publishableKey}&vsn=2.0.0`,
        hello: joinFrame(receiver),
      },
      { url: bare.url.replace(/^http/, 'ws'), hello: receiver.id },
    ])
    const content = 'A message of the usual length, neither short nor long.'
    const viaStack = trip(worker, (id) =>
      post(`${apiUrl}/api/messages`, { id, receiverId: receiver.id, content }, sender.token),
    )
    const viaBare = trip(worker, (id) =>
      post(bare.url, { id, senderId: sender.id, receiverId: receiver.id, content }),
    )
    /** @type {{ stack: number[], bare: number[] }} */
    const times = { stack: [], bare: [] }
    // Unmeasured at first: code gets compiled, statements prepared.
    const warmUp = Math.ceil(count / 5)
    for (let index = -warmUp; index < count; index++) {
      const [ours, theirs] = [await viaStack(randomUUID()), await viaBare(randomUUID())]
      if (index >= 0) {
        times.stack.push(ours)
        times.bare.push(theirs)
      }
    }
    return times
  } finally {
    await worker?.terminate()
    bare.stop()
  }
}

/** Joins somebody's own topic, as their page does. @param {{ id: string, token: string }} person */
export function joinFrame({ id, token }) {
  const config = { private: true, broadcast: { self: false, ack: false }, presence: { enabled: false } }
  return JSON.stringify(['1', '1', `realtime:user:${id}`, 'phx_join', { config, access_token: token }])
}

/**
 * Opens the sockets in a thread of their own.
 *
 * @param {{ url: string, hello: string }[]} sockets
 * @returns {Promise<Worker>}
 */
async function startReceiver(sockets) {
  const worker = new Worker(new URL('receiver.mjs', import.meta.url), { workerData: sockets })
  await new Promise((/** @type {(value: void) => void} */ resolve, reject) => {
    worker.once('error', reject)
    worker.once('message', () => resolve())
  })
  return worker
}

/**
 * @param {Worker} receiver
 * @param {(id: string) => Promise<unknown>} send
 * @returns {Trip}
 */
function trip(receiver, send) {
  return async (id) => {
    /** @type {NodeJS.Timeout | undefined} */
    let late
    /** @type {(heard: { text: string, at: number }) => void} */
    let heard = () => {}
    const arrived = new Promise((/** @type {(at: number) => void} */ resolve, reject) => {
      late = setTimeout(() => reject(new Error('A message did not reach the socket.')), patience)
      heard = ({ text, at }) => {
        if (text.includes(id)) resolve(at)
      }
    })
    receiver.on('message', heard)
    const began = Number(process.hrtime.bigint()) / 1e6
    const answered = send(id)
    const took = (await arrived) - began
    clearTimeout(late)
    receiver.off('message', heard)
    await answered
    await pause(10)
    return took
  }
}
