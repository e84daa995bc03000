// A proxy between a client and PostgreSQL that records the client's statements, and which of them the client pipelines.
import { connect, createServer } from 'node:net'

/**
 * @typedef {{ text: string, values: string[] | null }} Statement `values` is null for a simple query
 * @typedef {Statement[]} Batch statements that were sent without waiting for a response in between
 */

/** Responses are delayed by this time. Statements that the client sends during the delay are pipelined. */
const responseDelayMs = 40

/**
 * Starts the proxy.
 *
 * @param {string} databaseUrl
 * @returns {Promise<{ url: string, batches: Batch[], close: () => void }>} the URL for the client, and the batches that
 *   the client has sent, in order
 */
export async function startQueryRecorder(databaseUrl) {
  const { hostname, port } = new URL(databaseUrl)
  /** @type {Batch[]} */
  const batches = []
  const server = createServer({ noDelay: true }, (client) => {
    const database = connect({ host: hostname, port: Number(port), noDelay: true })
    const recorder = recordClient(batches)
    let delayMs = 0
    client.on('data', (bytes) => {
      recorder.onSent(bytes)
      database.write(bytes)
    })
    database.on('data', (bytes) => {
      setTimeout(() => {
        recorder.onResponse()
        client.write(bytes)
      }, delayMs)
      // The first response, which belongs to authentication, is not delayed.
      delayMs = responseDelayMs
    })
    for (const [source, target] of /** @type {const} */ ([
      [client, database],
      [database, client],
    ])) {
      source.on('close', () => target.destroy())
      source.on('error', () => target.destroy())
    }
  })
  await new Promise((/** @type {(value: void) => void} */ resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const url = new URL(databaseUrl)
  url.port = String(typeof address === 'object' && address ? address.port : 0)
  return { url: url.toString(), batches, close: () => server.close() }
}

/** Returns a recorder for a client connection's statements. @param {Batch[]} batches the list to which it adds them */
function recordClient(batches) {
  let rest = Buffer.alloc(0)
  let started = false
  let isBatchOpen = false
  /** @type {Map<string, string>} */
  const prepared = new Map()
  const record = (/** @type {Statement} */ statement) => {
    if (!isBatchOpen) batches.push([])
    isBatchOpen = true
    batches.at(-1)?.push(statement)
  }
  return {
    onResponse: () => {
      isBatchOpen = false
    },
    onSent: (/** @type {Buffer} */ bytes) => {
      rest = Buffer.concat([rest, bytes])
      for (;;) {
        // The startup message has no type byte.
        const head = started ? 1 : 0
        if (rest.length < head + 4) return
        const end = head + rest.readInt32BE(head)
        if (rest.length < end) return
        const type = started ? rest.toString('latin1', 0, 1) : ''
        const body = rest.subarray(head + 4, end)
        rest = Buffer.from(rest.subarray(end))
        started = true
        if (type === 'Q') record({ text: body.toString('utf8', 0, body.length - 1), values: null })
        else if (type === 'P') {
          const [name, text] = [stringAt(body, 0), stringAt(body, stringAt(body, 0).next)]
          prepared.set(name.value, text.value)
        } else if (type === 'B') record(readBind(body, prepared))
      }
    },
  }
}

/** Reads a null-terminated string. @param {Buffer} body @param {number} at */
function stringAt(body, at) {
  const end = body.indexOf(0, at)
  return { value: body.toString('utf8', at, end), next: end + 1 }
}

/** Reads a Bind message. @param {Buffer} body @param {Map<string, string>} prepared @returns {Statement} */
function readBind(body, prepared) {
  const name = stringAt(body, stringAt(body, 0).next)
  const formats = body.readInt16BE(name.next)
  for (let index = 0; index < formats; index++) {
    if (body.readInt16BE(name.next + 2 + index * 2) !== 0) throw new Error('A parameter is in binary format.')
  }
  let at = name.next + 2 + formats * 2
  const count = body.readInt16BE(at)
  at += 2
  const values = []
  for (let index = 0; index < count; index++) {
    const length = body.readInt32BE(at)
    if (length < 0) throw new Error('A parameter is null.')
    values.push(body.toString('utf8', at + 4, at + 4 + length))
    at += 4 + length
  }
  const text = prepared.get(name.value)
  if (text === undefined) throw new Error('The statement was not prepared.')
  return { text, values }
}
