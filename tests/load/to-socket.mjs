import { randomUUID } from 'node:crypto'
import WebSocket from 'ws'
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
  const sockets = []
  try {
    const joined = await listen(
      `${apiUrl.replace(/^http/, 'ws')}/realtime/v1/websocket?apikey=${publishableKey}&vsn=2.0.0`,
      joinFrame(receiver),
    )
    const plain = await listen(bare.url.replace(/^http/, 'ws'), receiver.id)
    sockets.push(joined.socket, plain.socket)
    const content = 'A message of the usual length, neither short nor long.'
    const viaStack = trip(joined, (id) =>
      post(`${apiUrl}/api/messages`, { id, receiverId: receiver.id, content }, sender.token),
    )
    const viaBare = trip(plain, (id) =>
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
    for (const socket of sockets) socket.terminate()
    bare.stop()
  }
}

/** Joins somebody's own topic, as their page does. @param {{ id: string, token: string }} person */
export function joinFrame({ id, token }) {
  const config = { private: true, broadcast: { self: false, ack: false }, presence: { enabled: false } }
  return JSON.stringify(['1', '1', `realtime:user:${id}`, 'phx_join', { config, access_token: token }])
}

/**
 * Opens a socket, says `hello` and waits for the first answer.
 *
 * @param {string} url
 * @param {string} hello
 */
async function listen(url, hello) {
  const socket = new WebSocket(url, { perMessageDeflate: false })
  /** @type {(text: string) => void} */
  let heard = () => {}
  socket.on('message', (data) => heard(String(data)))
  await new Promise((/** @type {(value: void) => void} */ resolve, reject) => {
    socket.once('error', reject)
    socket.once('open', () => socket.send(hello))
    heard = (text) => (text.includes('"error"') ? reject(new Error(text)) : resolve())
  })
  return {
    socket,
    /** @param {(text: string) => void} listener */
    onText: (listener) => {
      heard = listener
    },
  }
}

/**
 * @param {Awaited<ReturnType<typeof listen>>} connection
 * @param {(id: string) => Promise<unknown>} send
 * @returns {Trip}
 */
function trip({ onText }, send) {
  return async (id) => {
    /** @type {NodeJS.Timeout | undefined} */
    let late
    const arrived = new Promise((/** @type {(at: number) => void} */ resolve, reject) => {
      late = setTimeout(() => reject(new Error('A message did not reach the socket.')), patience)
      onText((text) => {
        if (text.includes(id)) resolve(performance.now())
      })
    })
    const began = performance.now()
    const answered = send(id)
    const took = (await arrived) - began
    clearTimeout(late)
    await answered
    await pause(10)
    return took
  }
}
