// A minimal client for PostgreSQL's protocol (version 3) that replays recorded statements. It signs in and prepares
// statements, then sends each batch in one write and scans each response once, without parsing any value.
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import { connect } from 'node:net'

const hmac = (/** @type {Buffer} */ key, /** @type {string} */ text) =>
  createHmac('sha256', key).update(text).digest()
const sha256 = (/** @type {Buffer} */ bytes) => createHash('sha256').update(bytes).digest()

/** Encodes a message. @param {string} type one letter, or '' for the startup message @param {Buffer[]} parts */
function message(type, ...parts) {
  const length = parts.reduce((sum, part) => sum + part.length, 4)
  const head = Buffer.alloc(type.length + 4)
  head.write(type, 'latin1')
  head.writeInt32BE(length, type.length)
  return Buffer.concat([head, ...parts])
}
const text = (/** @type {string} */ value) => Buffer.from(`${value}\0`)
const int32 = (/** @type {number} */ value) => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}
const int16 = (/** @type {number} */ value) => {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

const sync = message('S')

/**
 * Encodes the execution of the prepared statement `name`, with parameters and results in text format.
 *
 * @param {string} name
 * @param {string[]} values
 */
export function encodeExecute(name, values) {
  const parameters = values.flatMap((value) => {
    const bytes = Buffer.from(value)
    return [int32(bytes.length), bytes]
  })
  const bind = message('B', text(''), text(name), int16(0), int16(values.length), ...parameters, int16(0))
  return Buffer.concat([bind, message('E', text(''), int32(0)), sync])
}

/** Encodes a simple query. @param {string} query without parameters */
export const encodeSimpleQuery = (query) => message('Q', text(query))

/** A connection to PostgreSQL. */
export class PostgresConnection {
  #socket
  /** @type {Buffer} */
  #remainder = Buffer.alloc(0)
  #pendingReady = 0
  /** @type {(() => void) | undefined} */
  #onDone
  /** @type {((error: Error) => void) | undefined} */
  #onFailed
  /** @type {((type: string, body: Buffer) => void) | undefined} */
  #onMessage

  /** @param {string} url the database URL */
  constructor(url) {
    const { hostname, port } = new URL(url)
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true })
    this.#socket.on('data', (chunk) => this.#scan(chunk))
    this.#socket.on('error', (error) => this.#onFailed?.(error))
    this.#socket.on('close', () => this.#onFailed?.(new Error('The database closed the connection.')))
  }

  /** Connects and signs in. @param {string} url the database URL @returns {Promise<PostgresConnection>} */
  static async open(url) {
    const { username, password, pathname } = new URL(url)
    const connection = new PostgresConnection(url)
    const user = decodeURIComponent(username)
    const settings = ['user', user, 'database', pathname.slice(1), 'TimeZone', 'UTC', '']
    const startup = message('', int32(196608), ...settings.map(text))
    connection.#signIn(decodeURIComponent(password))
    await connection.send(startup, 1)
    connection.#onMessage = undefined
    return connection
  }

  /**
   * Writes messages and waits until the server has handled all of them.
   *
   * @param {Buffer} bytes
   * @param {number} readyCount how many ReadyForQuery messages the server sends in response
   * @returns {Promise<void>}
   */
  send(bytes, readyCount) {
    return new Promise((resolve, reject) => {
      this.#pendingReady = readyCount
      this.#onDone = resolve
      this.#onFailed = reject
      this.#socket.write(bytes)
    })
  }

  /** Prepares a statement. @param {string} name @param {string} query */
  prepare(name, query) {
    return this.send(Buffer.concat([message('P', text(name), text(query), int16(0)), sync]), 1)
  }

  close() {
    this.#onFailed = undefined
    this.#socket.destroy()
  }

  /**
   * Signs in with SCRAM-SHA-256 (RFC 5802), the only authentication method of the stack's PostgreSQL.
   *
   * @param {string} password
   */
  #signIn(password) {
    const nonce = randomBytes(18).toString('base64')
    const bare = `n=,r=${nonce}`
    this.#onMessage = (type, body) => {
      if (type !== 'R') return
      const kind = body.readInt32BE(0)
      if (kind === 10) {
        const first = Buffer.from(`n,,${bare}`)
        this.#socket.write(message('p', text('SCRAM-SHA-256'), int32(first.length), first))
      } else if (kind === 11) {
        const server = body.toString('utf8', 4)
        const [, r = '', s = '', i = ''] = /^r=([^,]+),s=([^,]+),i=(\d+)/.exec(server) ?? []
        const salted = pbkdf2Sync(password, Buffer.from(s, 'base64'), Number(i), 32, 'sha256')
        const key = hmac(salted, 'Client Key')
        const final = `c=biws,r=${r}`
        const signature = hmac(sha256(key), `${bare},${server},${final}`)
        const proof = Buffer.from(key.map((byte, index) => byte ^ (signature[index] ?? 0)))
        this.#socket.write(message('p', Buffer.from(`${final},p=${proof.toString('base64')}`)))
      } else if (kind !== 0 && kind !== 12) {
        this.#onFailed?.(new Error(`The database requests an unsupported authentication method (${kind}).`))
      }
    }
  }

  /** Splits received bytes into messages and counts ReadyForQuery. @param {Buffer} chunk */
  #scan(chunk) {
    const bytes = this.#remainder.length === 0 ? chunk : Buffer.concat([this.#remainder, chunk])
    let offset = 0
    while (bytes.length - offset >= 5) {
      const end = offset + 1 + bytes.readInt32BE(offset + 1)
      if (end > bytes.length) break
      const type = bytes[offset]
      if (type === 0x45) {
        const reason = bytes.toString('utf8', offset + 5, end).replace(/\0/g, ' ')
        this.#onFailed?.(new Error(`The database returned an error: ${reason}`))
      }
      this.#onMessage?.(String.fromCharCode(type ?? 0), bytes.subarray(offset + 5, end))
      offset = end
      if (type === 0x5a && --this.#pendingReady === 0) this.#onDone?.()
    }
    this.#remainder = bytes.subarray(offset)
  }
}
