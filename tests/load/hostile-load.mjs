// A load process that simulates hostile callers. A caller opens a new connection for every request, and hangs up after
// `hangUpAfterMs` if the response has not arrived by then. A missing response is not an error.
import { connect } from 'node:net'
import { serveLoadCommands } from './load-worker.mjs'

/**
 * @typedef {{ path: string, headers: Record<string, string>, hangUpAfterMs?: number }} HostileRequest
 * @typedef {{ url: string, connections: number, requests: HostileRequest[] }} Config
 */

const maxResponseMs = 10_000

/**
 * Sends a request, and resolves when the server has closed the connection or the caller has hung up.
 *
 * @param {URL} url
 * @param {HostileRequest} request
 */
function attack(url, { path, headers, hangUpAfterMs = maxResponseMs }) {
  return new Promise((/** @type {(value: void) => void} */ resolve) => {
    const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true })
    const timer = setTimeout(() => socket.destroy(), hangUpAfterMs)
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${url.host}\r\nConnection: close\r\n${lines.join('')}\r\n`)
    socket.resume()
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

serveLoadCommands(async (/** @type {Config} */ config) => {
  const target = new URL(config.url)
  return Array.from({ length: config.connections }, (_, caller) => {
    const own = config.requests.filter((_request, index) => index % config.connections === caller)
    let next = 0
    return async () => {
      const request = own[next++ % own.length]
      if (request) await attack(target, request)
    }
  })
})
