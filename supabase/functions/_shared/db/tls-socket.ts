import { Buffer } from 'node:buffer'
import { Duplex } from 'node:stream'

/** Asks a PostgreSQL server for TLS, before anything else is sent. */
const sslRequest = new Uint8Array([0, 0, 0, 8, 4, 210, 22, 47])
const timeoutMs = 5000

/**
 * Connects to a PostgreSQL server and starts TLS, for the driver. The driver's own TLS needs a later version of Deno than
 * the edge runtime has.
 *
 * @param caCerts certificates of authorities in PEM, in addition to those of the system
 * @throws Error if the server does not accept TLS or its certificate is not valid
 */
export async function connectWithTls(hostname: string, port: number, caCerts: string[]): Promise<Duplex> {
  const plain = await Deno.connect({ hostname, port })
  let connection: Deno.Conn = plain
  // Closing the connection fails what waits for it.
  const timer = setTimeout(() => connection.close(), timeoutMs)
  try {
    await plain.write(sslRequest)
    const reply = new Uint8Array(1)
    await plain.read(reply)
    if (reply[0] !== 'S'.charCodeAt(0)) throw new Error('The database does not accept TLS')
    const encrypted = await Deno.startTls(plain, { hostname, caCerts })
    connection = encrypted
    await encrypted.handshake()
    return toDuplex(encrypted)
  } catch (error) {
    tryToClose(connection)
    throw error
  } finally {
    clearTimeout(timer)
  }
}

function toDuplex(connection: Deno.TlsConn): Duplex {
  const reader = connection.readable.getReader()
  const writer = connection.writable.getWriter()
  const stream = new Duplex({
    // The end of the connection closes the stream, as with a socket.
    allowHalfOpen: false,
    read: () =>
      void reader.read().then(
        ({ value }) => stream.push(value ? Buffer.from(value) : null),
        (error) => stream.destroy(error),
      ),
    write: (chunk, _encoding, done) => void writer.write(chunk).then(() => done(), done),
    final: (done) => {
      tryToClose(connection)
      done()
    },
    destroy: (error, done) => {
      tryToClose(connection)
      done(error)
    },
  })
  return stream
}

function tryToClose(connection: Deno.Conn) {
  try {
    connection.close()
  } catch {
    // It is closed already.
  }
}
