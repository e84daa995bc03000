// Stands between a client and PostgreSQL and writes down what the client runs, and what of it travels together.
import { connect, createServer } from 'node:net'

/**
 * @typedef {{ text: string, values: string[] | null }} Statement values null: sent as a simple query
 * @typedef {Statement[]} Flight statements that were sent without waiting for an answer in between
 */

/** Milliseconds that an answer is held back: whatever the client sends meanwhile did not wait for it. */
const held = 40

/**
 * @param {string} databaseUrl
 * @returns {Promise<{ url: string, flights: Flight[], close: () => void }>} the address to give to the client; and
 *   everything that it ran there, in order
 */
export async function record(databaseUrl) {
  const target = new URL(databaseUrl)
  /** @type {Flight[]} */
  const flights = []
  const server = createServer({ noDelay: true }, (client) => {
    const database = connect({ host: target.hostname, port: Number(target.port), noDelay: true })
    const reader = readClient(flights)
    let wait = 0
    client.on('data', (bytes) => {
      reader.sent(bytes)
      database.write(bytes)
    })
    database.on('data', (bytes) => {
      setTimeout(() => {
        reader.answered()
        client.write(bytes)
      }, wait)
      // Signing in has nothing to be told apart.
      wait = held
    })
    for (const [one, other] of /** @type {const} */ ([
      [client, database],
      [database, client],
    ])) {
      one.on('close', () => other.destroy())
      one.on('error', () => other.destroy())
    }
  })
  await new Promise((/** @type {(value: void) => void} */ resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = new URL(databaseUrl)
  url.port = String(typeof address === 'object' && address ? address.port : 0)
  return { url: url.toString(), flights, close: () => server.close() }
}

/** Reads one connection's half of the protocol. @param {Flight[]} flights where it goes */
function readClient(flights) {
  let rest = Buffer.alloc(0)
  let started = false
  let open = false
  /** @type {Map<string, string>} */
  const prepared = new Map()
  const note = (/** @type {Statement} */ statement) => {
    if (!open) flights.push([])
    open = true
    flights.at(-1)?.push(statement)
  }
  return {
    answered: () => {
      open = false
    },
    sent: (/** @type {Buffer} */ bytes) => {
      rest = Buffer.concat([rest, bytes])
      for (;;) {
        // The first message has no letter in front.
        const head = started ? 1 : 0
        if (rest.length < head + 4) return
        const end = head + rest.readInt32BE(head)
        if (rest.length < end) return
        const type = started ? rest.toString('latin1', 0, 1) : ''
        const body = rest.subarray(head + 4, end)
        rest = Buffer.from(rest.subarray(end))
        started = true
        if (type === 'Q') note({ text: body.toString('utf8', 0, body.length - 1), values: null })
        else if (type === 'P') {
          const [name, text] = [stringAt(body, 0), stringAt(body, stringAt(body, 0).next)]
          prepared.set(name.value, text.value)
        } else if (type === 'B') note(bound(body, prepared))
      }
    },
  }
}

/** @param {Buffer} body @param {number} at */
function stringAt(body, at) {
  const end = body.indexOf(0, at)
  return { value: body.toString('utf8', at, end), next: end + 1 }
}

/** @param {Buffer} body of a Bind message @param {Map<string, string>} prepared @returns {Statement} */
function bound(body, prepared) {
  const name = stringAt(body, stringAt(body, 0).next)
  const formats = body.readInt16BE(name.next)
  for (let index = 0; index < formats; index++) {
    if (body.readInt16BE(name.next + 2 + index * 2) !== 0) throw new Error('A value travels in binary form.')
  }
  let at = name.next + 2 + formats * 2
  const count = body.readInt16BE(at)
  at += 2
  const values = []
  for (let index = 0; index < count; index++) {
    const length = body.readInt32BE(at)
    if (length < 0) throw new Error('A value is null.')
    values.push(body.toString('utf8', at + 4, at + 4 + length))
    at += 4 + length
  }
  const text = prepared.get(name.value)
  if (text === undefined) throw new Error('A statement runs that nobody prepared.')
  return { text, values }
}
