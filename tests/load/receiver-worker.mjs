// Receives messages in a worker thread, because the main thread may be busy with the response to its own request when
// the message arrives. Opens the given sockets, reports when all are subscribed, and then reports each message with its
// time of arrival.
import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import WebSocket from 'ws'

/** @type {{ url: string, subscribeFrames: string[] }[]} */
const targets = workerData
const sockets = targets.map(({ url }) => new WebSocket(url, { perMessageDeflate: false }))

await Promise.all(
  sockets.map(async (socket, index) => {
    await once(socket, 'open')
    for (const frame of targets[index]?.subscribeFrames ?? []) {
      socket.send(frame)
      const text = String((await once(socket, 'message'))[0])
      if (text.includes('"error"')) throw new Error(text)
    }
    socket.on('message', (data) => {
      // This clock is the same in all threads.
      const at = Number(process.hrtime.bigint()) / 1e6
      parentPort?.postMessage({ text: String(data), at })
    })
  }),
)
parentPort?.postMessage('ready')
