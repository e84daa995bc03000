// A process of its own: asks for the same page with many connections at once, each a bare socket that is kept open.
import { connect } from 'node:net'
import { answerOrders } from './orders.mjs'

/** @typedef {{ url: string, connections: number, tokens: string[] }} Config */

const headEnd = Buffer.from('\r\n\r\n')
const chunkedEnd = Buffer.from('\r\n0\r\n\r\n')

/**
 * Whether an answer is complete. There is one request on a connection at a time, so nothing follows it.
 * @param {Buffer} bytes
 */
function complete(bytes) {
  const head = bytes.indexOf(headEnd)
  if (head < 0) return false
  const headers = bytes.toString('latin1', 0, head)
  const length = /\r\ncontent-length: (\d+)/i.exec(headers)?.[1]
  return length === undefined
    ? bytes.subarray(-chunkedEnd.length).equals(chunkedEnd)
    : bytes.length >= head + 4 + Number(length)
}

/** @param {URL} url */
function open(url) {
  const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true })
  let bytes = Buffer.alloc(0)
  let done = () => {}
  let failed = (/** @type {Error} */ _error) => {}
  socket.on('data', (chunk) => {
    bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk])
    if (!complete(bytes)) return
    const status = bytes.toString('latin1', 9, 12)
    bytes = Buffer.alloc(0)
    if (status === '200') done()
    else failed(new Error(`The API answered ${status}.`))
  })
  socket.on('error', (error) => failed(error))
  socket.on('close', () => failed(new Error('The API closed the connection.')))
  return (/** @type {Buffer} */ request) =>
    new Promise((/** @type {(value: void) => void} */ resolve, reject) => {
      done = resolve
      failed = reject
      socket.write(request)
    })
}

answerOrders(async (/** @type {Config} */ config) => {
  const url = new URL(config.url)
  const requests = config.tokens.map((token) =>
    Buffer.from(
      `GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\nAccept: application/json\r\nAuthorization: Bearer ${token}\r\n\r\n`,
    ),
  )
  let next = 0
  return Array.from({ length: config.connections }, () => {
    const ask = open(url)
    return () => ask(requests[next++ % requests.length] ?? Buffer.alloc(0))
  })
})
