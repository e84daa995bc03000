import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { postJson } from './api-client.mjs'
import { realtimeUrl } from './stack.mjs'

/**
 * @typedef {{ url: string, subscribeFrames: string[], send: (id: string) => Promise<unknown> }} SocketTarget a server:
 *   the URL of its WebSocket, the frames that subscribe the receiver, and a function that sends a message containing
 *   `id`
 * @typedef {(id: string) => Promise<number>} RoundTrip sends the message `id` and returns the milliseconds until it
 *   arrives at the receiver's socket
 */

const timeoutMs = 10_000

/**
 * Measures the time from sending a message over HTTP until it arrives at the receiver's socket, one message at a time.
 * The servers alternate, so that other activity on the machine affects all of them.
 *
 * @param {SocketTarget[]} targets
 * @param {number} count
 * @returns {Promise<number[][]>} milliseconds, for each server
 */
export async function measureTimeToSocket(targets, count) {
  const worker = await startReceiver(targets.map(({ url, subscribeFrames }) => ({ url, subscribeFrames })))
  try {
    const roundTrips = targets.map(({ send }) => createRoundTrip(worker, send))
    /** @type {number[][]} */
    const times = targets.map(() => [])
    // The first rounds are not measured, because they compile code and prepare statements.
    const warmUp = Math.ceil(count / 5)
    for (let index = -warmUp; index < count; index++) {
      for (const [target, roundTrip] of roundTrips.entries()) {
        const ms = await roundTrip(randomUUID())
        if (index >= 0) times[target]?.push(ms)
      }
    }
    return times
  } finally {
    await worker.terminate()
  }
}

const content = 'A message of average length, neither short nor long.'

/**
 * Returns a target that sends messages from one user to another through the stack.
 *
 * @param {{ apiUrl: string, publishableKey: string }} connection
 * @param {{ token: string }} sender
 * @param {{ id: string, token: string }} receiver
 * @returns {SocketTarget}
 */
export const stackTarget = (connection, sender, receiver) => ({
  url: realtimeUrl(connection),
  subscribeFrames: [joinFrame(receiver)],
  send: (id) =>
    postJson(`${connection.apiUrl}/api/messages`, { id, receiverId: receiver.id, content }, sender.token),
})

/**
 * Returns a target that sends messages from one user to another through the baseline server.
 *
 * @param {{ url: string }} baseline
 * @param {{ id: string }} sender
 * @param {{ id: string }} receiver
 * @returns {SocketTarget}
 */
export const baselineTarget = ({ url }, sender, receiver) => ({
  url: url.replace(/^http/, 'ws'),
  subscribeFrames: [receiver.id],
  send: (id) => postJson(`${url}/message`, { id, senderId: sender.id, receiverId: receiver.id, content }),
})

/** Returns the frame with which the web app joins a user's own topic. @param {{ id: string, token: string }} user */
export function joinFrame({ id, token }) {
  const config = { private: true, broadcast: { self: false, ack: false }, presence: { enabled: false } }
  return JSON.stringify(['1', '1', `realtime:user:${id}`, 'phx_join', { config, access_token: token }])
}

/**
 * Opens the sockets in a worker thread.
 *
 * @param {{ url: string, subscribeFrames: string[] }[]} sockets
 * @returns {Promise<Worker>}
 */
async function startReceiver(sockets) {
  const worker = new Worker(new URL('receiver-worker.mjs', import.meta.url), { workerData: sockets })
  await new Promise((/** @type {(value: void) => void} */ resolve, reject) => {
    worker.once('error', reject)
    worker.once('message', () => resolve())
  })
  return worker
}

/**
 * Returns a function that measures one message.
 *
 * @param {Worker} receiver
 * @param {(id: string) => Promise<unknown>} send
 * @returns {RoundTrip}
 */
function createRoundTrip(receiver, send) {
  return async (id) => {
    /** @type {NodeJS.Timeout | undefined} */
    let timer
    /** @type {(message: { text: string, at: number }) => void} */
    let onMessage = () => {}
    const arrived = new Promise((/** @type {(at: number) => void} */ resolve, reject) => {
      timer = setTimeout(() => reject(new Error('A message did not reach the receiver’s socket.')), timeoutMs)
      onMessage = ({ text, at }) => {
        if (text.includes(id)) resolve(at)
      }
    })
    receiver.on('message', onMessage)
    const sentAt = Number(process.hrtime.bigint()) / 1e6
    const [at] = await Promise.all([arrived, send(id)]).finally(() => {
      clearTimeout(timer)
      receiver.off('message', onMessage)
    })
    await sleep(10)
    return at - sentAt
  }
}
