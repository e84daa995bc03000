// Receives messages in a worker thread, because the main thread is busy with the response to its request when the
// message arrives. Opens the given sockets, reports when all have joined, and then reports each message with its time
// of arrival.
import { parentPort, workerData } from 'node:worker_threads'
import WebSocket from 'ws'

/** @type {{ url: string, hello: string }[]} */
const targets = workerData
const sockets = targets.map(({ url }) => new WebSocket(url, { perMessageDeflate: false }))

await Promise.all(
  sockets.map(async (socket, index) => {
    await new Promise((/** @type {(value: void) => void} */ resolve, reject) => {
      socket.once('error', reject)
      socket.once('open', () => socket.send(targets[index]?.hello ?? ''))
      socket.once('message', (data) => {
        const text = String(data)
        if (text.includes('"error"')) reject(new Error(text))
        else resolve()
      })
    })
    socket.on('message', (data) => {
      // All threads share this clock.
      const at = Number(process.hrtime.bigint()) / 1e6
      parentPort?.postMessage({ text: String(data), at })
    })
  }),
)
parentPort?.postMessage('ready')
