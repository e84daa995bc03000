// A load process that requests the same URL on many raw keep-alive connections in parallel.
import { connect } from 'node:net'
import { serveLoadCommands } from './load-worker.mjs'

/** @typedef {{ url: string, connections: number, tokens: string[] }} Config */

const headEnd = Buffer.from('\r\n\r\n')
const chunkedEnd = Buffer.from('\r\n0\r\n\r\n')

/**
 * Returns whether a response is complete. A connection has one request at a time, so no other response follows.
 *
 * @param {Buffer} bytes
 */
function isComplete(bytes) {
  const head = bytes.indexOf(headEnd)
  if (head < 0) return false
  const headers = bytes.toString('latin1', 0, head)
  const length = /\r\ncontent-length: (\d+)/i.exec(headers)?.[1]
  return length === undefined
    ? bytes.subarray(-chunkedEnd.length).equals(chunkedEnd)
    : bytes.length >= head + 4 + Number(length)
}

/** Opens a connection and returns a function that sends one request and waits for its response. @param {URL} url */
function openConnection(url) {
  const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true })
  let bytes = Buffer.alloc(0)
  let onDone = () => {}
  let onFailed = (/** @type {Error} */ _error) => {}
  socket.on('data', (chunk) => {
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk])
    if (!isComplete(bytes)) return
    const status = bytes.toString('latin1', 9, 12)
    bytes = Buffer.alloc(0)
    if (status === '200') onDone()
    else onFailed(new Error(`The API returned ${status}.`))
  })
  socket.on('error', (error) => onFailed(error))
  socket.on('close', () => onFailed(new Error('The API closed the connection.')))
  return (/** @type {Buffer} */ request) =>
    new Promise((/** @type {(value: void) => void} */ resolve, reject) => {
      onDone = resolve
      onFailed = reject
      socket.write(request)
    })
}

serveLoadCommands(async (/** @type {Config} */ config) => {
  const url = new URL(config.url)
  const requests = config.tokens.map((token) =>
    Buffer.from(
      `GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nAccept: application/json\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    ),
  )
  let next = 0
  return Array.from({ length: config.connections }, () => {
    const send = openConnection(url)
    return () => send(requests[next++ % requests.length] ?? Buffer.alloc(0))
  })
})
