// Holds many sockets, each joined to its person's own topic, and tells the parent which message came when.
import WebSocket from 'ws'
import { joinFrame } from './to-socket.mjs'

/**
 * @typedef {{ id: string, token: string }} Listener
 * @typedef {{ url: string, localAddress?: string, people: Listener[] }} Order sockets to be opened
 */

const atOnce = 50
const patience = 30_000
const heartbeatEvery = 25_000
const heartbeat = JSON.stringify([null, 'h', 'phoenix', 'heartbeat', {}])
/** @type {Set<WebSocket>} */
const open = new Set()
let leaving = false

/** @param {object} word */
const say = (word) => process.send?.(word)

process.on('message', (/** @type {Order} */ { url, localAddress, people }) => {
  const rest = [...people]
  const worker = async () => {
    for (let person = rest.pop(); person; person = rest.pop()) await hold(url, localAddress, person)
  }
  Promise.all(Array.from({ length: atOnce }, worker)).then(
    () => say({ open: open.size }),
    (error) => say({ failure: error instanceof Error ? error.message : String(error) }),
  )
})
process.on('disconnect', () => {
  leaving = true
  process.exit(0)
})

/** @param {string} url @param {string | undefined} localAddress @param {Listener} person */
function hold(url, localAddress, person) {
  const socket = new WebSocket(url, { perMessageDeflate: false, localAddress })
  return new Promise((/** @type {(value: void) => void} */ resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('A socket was not joined in time.')), patience)
    let joined = false
    socket.on('open', () => socket.send(joinFrame(person)))
    socket.on('message', (data) => {
      const at = Number(process.hrtime.bigint()) / 1e6
      const text = String(data)
      if (!joined) {
        if (!text.includes('"status":"ok"')) return reject(new Error(`A join was refused: ${text}`))
        joined = true
        clearTimeout(timer)
        open.add(socket)
        beat(socket)
        resolve()
      } else if (text.includes('"message.created"')) {
        const { message } = JSON.parse(text)[4].payload
        if (message.receiverId === person.id) say({ arrived: message.id, at })
      }
    })
    socket.on('close', (code) => {
      open.delete(socket)
      if (!leaving && joined) say({ lost: code })
    })
    socket.on('error', reject)
  })
}

/** Beats at a time of its own, so that not all do at once. @param {WebSocket} socket */
function beat(socket) {
  const next = () => {
    if (socket.readyState !== WebSocket.OPEN) return
    socket.send(heartbeat)
    setTimeout(next, heartbeatEvery)
  }
  setTimeout(next, Math.random() * heartbeatEvery)
}
