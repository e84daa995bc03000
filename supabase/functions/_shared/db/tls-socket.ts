import { Buffer } from 'node:buffer'
import { Duplex } from 'node:stream'
import { DatabaseUnavailableError } from './errors.ts'

/** The message that requests TLS from a PostgreSQL server. It is sent before anything else. */
const sslRequest = new Uint8Array([0, 0, 0, 8, 4, 210, 22, 47])
const timeoutMs = 5000

/**
 * Returns a TLS connection to a PostgreSQL server, for the driver. The driver's own TLS needs a later version of Deno
 * than the edge runtime has. The stream fails if the server does not accept TLS or its certificate is not valid.
 *
 * @param caCerts CA certificates in PEM, in addition to Deno's default ones
 */
export function connectWithTls(hostname: string, port: number, caCerts: string[]): Duplex {
  let connection: Deno.TlsConn | undefined
  let reader: ReadableStreamDefaultReader<Uint8Array>
  let writer: WritableStreamDefaultWriter<Uint8Array>
  const stream = new Duplex({
    // When the server closes the connection, the stream closes too, as a socket does.
    allowHalfOpen: false,
    construct: (done) =>
      void startTls(hostname, port, caCerts).then((started) => {
        connection = started
        reader = started.readable.getReader()
        writer = started.writable.getWriter()
        done()
      }, done),
    read: () =>
      void reader.read().then(
        ({ value }) => stream.push(value ? Buffer.from(value) : null),
        (error) => stream.destroy(error),
      ),
    write: (chunk, _encoding, done) => void writer.write(chunk).then(() => done(), done),
    final: (done) => {
      close(connection)
      done()
    },
    destroy: (error, done) => {
      close(connection)
      done(error)
    },
  })
  // Without `readyState`, the driver would not close an idle connection, and the next query on it would wait forever.
  Object.defineProperty(stream, 'readyState', { get: () => (stream.destroyed ? 'closed' : 'open') })
  return stream
}

async function startTls(hostname: string, port: number, caCerts: string[]): Promise<Deno.TlsConn> {
  const plain = await Deno.connect({ hostname, port })
  let connection: Deno.Conn = plain
  // Closing the connection makes its pending operations fail.
  const timer = setTimeout(() => close(connection), timeoutMs)
  try {
    await plain.write(sslRequest)
    const reply = new Uint8Array(1)
    await plain.read(reply)
    if (reply[0] !== 'S'.charCodeAt(0)) throw new Error('The database does not accept TLS')
    const encrypted = await Deno.startTls(plain, { hostname, caCerts })
    connection = encrypted
    await encrypted.handshake()
    return encrypted
  } catch (error) {
    close(connection)
    throw new DatabaseUnavailableError(
      `TLS to the database failed (${error instanceof Error ? error.message : error})`,
      error,
    )
  } finally {
    clearTimeout(timer)
  }
}

function close(connection: Deno.Conn | undefined) {
  try {
    connection?.close()
  } catch {
    // It is closed already.
  }
}
