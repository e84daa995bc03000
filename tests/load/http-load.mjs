// A process that generates load: it cycles through a list of requests, on many raw keep-alive connections in parallel.
import { connect } from 'node:net'
import { serveLoadCommands } from './load-worker.mjs'

/**
 * @typedef {{ method?: string, path: string, headers?: Record<string, string>, body?: string | Uint8Array }}
 *   LoadRequest
 * @typedef {{ url: string, connections: number, requests: LoadRequest[] }} Config `url` is the origin of the server
 */

const headEnd = Buffer.from('\r\n\r\n')
const chunkedEnd = Buffer.from('\r\n0\r\n\r\n')

/**
 * Returns whether a response is complete. A connection has only one request in flight, so no other response follows.
 *
 * @param {Buffer} bytes
 */
function isComplete(bytes) {
  const head = bytes.indexOf(headEnd)
  if (head < 0) return false
  const headers = bytes.toString('latin1', 0, head)
  const length = /\r\ncontent-length: (\d+)/i.exec(headers)?.[1]
  if (length !== undefined) return bytes.length >= head + 4 + Number(length)
  return headers.startsWith('HTTP/1.1 204') || bytes.subarray(-chunkedEnd.length).equals(chunkedEnd)
}

/**
 * Returns a function that sends one request and waits for its response, on a connection that is kept open.
 *
 * @param {URL} url
 * @returns {(request: Buffer) => Promise<void>}
 */
function createConnection(url) {
  /** @type {import('node:net').Socket | undefined} */
  let socket
  let bytes = Buffer.alloc(0)
  let onDone = () => {}
  let onFailed = (/** @type {Error} */ _error) => {}
  const open = () => {
    const opened = connect({ host: url.hostname, port: Number(url.port), noDelay: true })
    bytes = Buffer.alloc(0)
    opened.on('data', (chunk) => {
      bytes = bytes.length === 0 ? chunk : Buffer.concat([bytes, chunk])
      if (!isComplete(bytes)) return
      const response = bytes
      bytes = Buffer.alloc(0)
      if (response.toString('latin1', 9, 10) === '2') onDone()
      else onFailed(new Error(`The server at ${url.host} returned ${describe(response)}.`))
    })
    opened.on('error', (error) => onFailed(error))
    opened.on('close', () => {
      socket = undefined
      onFailed(new Error(`The server at ${url.host} closed the connection.`))
    })
    return opened
  }
  return (request) =>
    new Promise((resolve, reject) => {
      onDone = resolve
      onFailed = reject
      socket ??= open()
      socket.write(request)
    })
}

/** Returns the status and the beginning of the body of a response. @param {Buffer} response */
function describe(response) {
  const head = response.indexOf(headEnd)
  return `${response.toString('latin1', 9, 12)}: ${response.toString('utf8', head + 4, head + 304)}`
}

/** Encodes a request. @param {URL} url @param {LoadRequest} request */
function encode(url, { method = 'GET', path, headers = {}, body }) {
  const content = body === undefined ? Buffer.alloc(0) : Buffer.from(body)
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: ${url.host}`,
    'Accept: application/json',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(method === 'GET' ? [] : [`Content-Length: ${content.length}`]),
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), content])
}

serveLoadCommands(async (/** @type {Config} */ config) => {
  const url = new URL(config.url)
  const requests = config.requests.map((request) => encode(url, request))
  let next = 0
  return Array.from({ length: config.connections }, () => {
    const send = createConnection(url)
    return () => send(requests[next++ % requests.length] ?? Buffer.alloc(0))
  })
})
