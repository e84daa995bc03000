import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { postJson } from './api-client.mjs'
import { startBaselineServer } from './baseline-server.mjs'

/** @typedef {import('./api-client.mjs').RegisteredUser} RegisteredUser */
/**
 * @typedef {(id: string) => Promise<number>} RoundTrip sends the message `id` and returns the milliseconds until it
 *   arrives at the receiver's socket
 */

const timeoutMs = 10_000

/**
 * Measures the time from sending a message over HTTP until it arrives at the receiver's socket, one message at a time.
 * The stack and a baseline server on the same database alternate, so that other activity on the machine affects both.
 *
 * @param {{ apiUrl: string, databaseUrl: string, publishableKey: string }} stack
 * @param {RegisteredUser} sender
 * @param {RegisteredUser} receiver
 * @param {number} count
 * @returns {Promise<{ stack: number[], baseline: number[] }>} milliseconds
 */
export async function measureTimeToSocket({ apiUrl, databaseUrl, publishableKey }, sender, receiver, count) {
  const baseline = await startBaselineServer(databaseUrl)
  /** @type {Worker | undefined} */
  let worker
  try {
    worker = await startReceiver([
      {
        url: `${apiUrl.replace(/^http/, 'ws')}/realtime/v1/websocket?apikey=${publishableKey}&vsn=2.0.0`,
        hello: joinFrame(receiver),
      },
      { url: baseline.url.replace(/^http/, 'ws'), hello: receiver.id },
    ])
    const content = 'A message of average length, neither short nor long.'
    const viaStack = createRoundTrip(worker, (id) =>
      postJson(`${apiUrl}/api/messages`, { id, receiverId: receiver.id, content }, sender.token),
    )
    const viaBaseline = createRoundTrip(worker, (id) =>
      postJson(baseline.url, { id, senderId: sender.id, receiverId: receiver.id, content }),
    )
    /** @type {{ stack: number[], baseline: number[] }} */
    const times = { stack: [], baseline: [] }
    // The first rounds are not measured, because they compile code and prepare statements.
    const warmUp = Math.ceil(count / 5)
    for (let index = -warmUp; index < count; index++) {
      const [stackMs, baselineMs] = [await viaStack(randomUUID()), await viaBaseline(randomUUID())]
      if (index >= 0) {
        times.stack.push(stackMs)
        times.baseline.push(baselineMs)
      }
    }
    return times
  } finally {
    await worker?.terminate()
    baseline.stop()
  }
}

/** Returns the frame that joins a user's own topic, as the web app does. @param {{ id: string, token: string }} user */
export function joinFrame({ id, token }) {
  const config = { private: true, broadcast: { self: false, ack: false }, presence: { enabled: false } }
  return JSON.stringify(['1', '1', `realtime:user:${id}`, 'phx_join', { config, access_token: token }])
}

/**
 * Opens the sockets in a worker thread.
 *
 * @param {{ url: string, hello: string }[]} sockets
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
    const response = send(id)
    const elapsedMs = (await arrived) - sentAt
    clearTimeout(timer)
    receiver.off('message', onMessage)
    await response
    await sleep(10)
    return elapsedMs
  }
}
