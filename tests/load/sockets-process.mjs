// Keeps many sockets open, each joined to its user's own topic, and reports when each message arrives.
import WebSocket from 'ws'
import { joinFrame } from './message-to-socket.mjs'

/**
 * @typedef {{ id: string, token: string }} Listener
 * @typedef {{ url: string, localAddress?: string, users: Listener[] }} OpenCommand the sockets to open
 */

const parallelJoins = 50
const joinTimeoutMs = 30_000
const heartbeatIntervalMs = 25_000
const heartbeat = JSON.stringify([null, 'h', 'phoenix', 'heartbeat', {}])
/** @type {Set<WebSocket>} */
const open = new Set()
let isExiting = false

/** @param {object} message */
const report = (message) => process.send?.(message)

process.on('message', (/** @type {OpenCommand} */ { url, localAddress, users }) => {
  const remaining = [...users]
  const worker = async () => {
    for (let user = remaining.pop(); user; user = remaining.pop()) await openSocket(url, localAddress, user)
  }
  Promise.all(Array.from({ length: parallelJoins }, worker)).then(
    () => report({ open: open.size }),
    (error) => report({ failure: error instanceof Error ? error.message : String(error) }),
  )
})
process.on('disconnect', () => {
  isExiting = true
  process.exit(0)
})

/**
 * Opens a socket, and resolves when the socket has joined the topic.
 *
 * @param {string} url
 * @param {string | undefined} localAddress
 * @param {Listener} user
 */
function openSocket(url, localAddress, user) {
  const socket = new WebSocket(url, { perMessageDeflate: false, localAddress })
  return new Promise((/** @type {(value: void) => void} */ resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('A socket did not join in time.')), joinTimeoutMs)
    let joined = false
    socket.on('open', () => socket.send(joinFrame(user)))
    socket.on('message', (data) => {
      const at = Number(process.hrtime.bigint()) / 1e6
      const text = String(data)
      if (!joined) {
        if (!text.includes('"status":"ok"')) return reject(new Error(`A join was rejected: ${text}`))
        joined = true
        clearTimeout(timer)
        open.add(socket)
        startHeartbeat(socket)
        resolve()
      } else if (text.includes('"message.created"')) {
        const { message } = JSON.parse(text)[4].payload
        if (message.receiverId === user.id) report({ arrived: message.id, at })
      }
    })
    socket.on('close', (code) => {
      open.delete(socket)
      if (!isExiting && joined) report({ lost: code })
    })
    socket.on('error', reject)
  })
}

/**
 * Sends heartbeats with a random offset, so that the sockets do not all send at the same time.
 *
 * @param {WebSocket} socket
 */
function startHeartbeat(socket) {
  const sendNext = () => {
    if (socket.readyState !== WebSocket.OPEN) return
    socket.send(heartbeat)
    setTimeout(sendNext, heartbeatIntervalMs)
  }
  setTimeout(sendNext, Math.random() * heartbeatIntervalMs)
}
