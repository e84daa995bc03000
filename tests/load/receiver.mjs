// The receiver's side of the measurement, in a thread of its own: the one that sends is busy with the answer to its
// request just when the message arrives. Opens the sockets it is given, tells once all have answered, then when each
// text came.
import { parentPort, workerData } from 'node:worker_threads'
import WebSocket from 'ws'

/** @type {{ url: string, hello: string }[]} */
const wanted = workerData
const sockets = wanted.map(({ url }) => new WebSocket(url, { perMessageDeflate: false }))

await Promise.all(
  sockets.map(async (socket, index) => {
    await new Promise((/** @type {(value: void) => void} */ resolve, reject) => {
      socket.once('error', reject)
      socket.once('open', () => socket.send(wanted[index]?.hello ?? ''))
      socket.once('message', (data) => {
        const text = String(data)
        if (text.includes('"error"')) reject(new Error(text))
        else resolve()
      })
    })
    socket.on('message', (data) => {
      // The one clock that all threads share.
      const at = Number(process.hrtime.bigint()) / 1e6
      parentPort?.postMessage({ text: String(data), at })
    })
  }),
)
parentPort?.postMessage('ready')
