import { readFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evalDeno } from '../support/deno-program.ts'
import { gatewayDatabaseUrl, startApiServer } from '../support/function-server.ts'
import { type LocalServer, listen } from '../support/listen.ts'

// These tests connect to the database through a proxy that accepts TLS as a PostgreSQL server does.

// `server.crt` is a certificate for localhost, signed by `authority.crt`. Both are valid until 2126.
const readFixture = (name: string) => readFileSync(new URL(`certificates/${name}`, import.meta.url))
const key = readFixture('server.key')
const cert = readFixture('server.crt')
const databaseUrl = new URL(gatewayDatabaseUrl())
let proxy: LocalServer
let encryptedConnections = 0

beforeAll(async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('readable', () => {
      // The first message must request TLS.
      if (socket.read(8)?.readInt32BE(4) !== 80877103) return void socket.destroy()
      socket.write('S')
      const secure = new TLSSocket(socket, { isServer: true, key, cert })
      const database = connect(Number(databaseUrl.port), databaseUrl.hostname)
      secure.on('error', () => database.destroy())
      secure.on('secure', () => {
        encryptedConnections += 1
      })
      database.on('error', () => secure.destroy())
      secure.pipe(database).pipe(secure)
    })
  })
  proxy = await listen(server)
})

afterAll(() => proxy?.stop())

function settings(certificates: Record<string, string>): Record<string, string> {
  const url = new URL(databaseUrl)
  url.host = `localhost:${proxy.port}`
  url.searchParams.set('sslmode', 'require')
  return { DATABASE_URL: url.href, ...certificates }
}

describe('a database URL with sslmode=require', () => {
  it('encrypts the connection', async () => {
    const api = await startApiServer(
      settings({ DATABASE_CA: readFixture('authority.crt').toString('base64') }),
    )
    try {
      const responses = await Promise.all(
        Array.from({ length: 20 }, () => fetch(`${api.url}/api/posts?limit=50`)),
      )
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
      expect(encryptedConnections).toBeGreaterThan(0)
    } finally {
      api.stop()
    }
  })

  it('rejects a certificate from an unknown authority', async () => {
    const api = await startApiServer(settings({}))
    try {
      expect((await fetch(`${api.url}/api/posts`)).status).toBe(503)
    } finally {
      api.stop()
    }
  })
})

describe('connectWithTls', () => {
  it('opens another connection after the driver has closed an idle one', async () => {
    const url = new URL(settings({}).DATABASE_URL ?? '')
    url.search = ''
    const program = `
      import postgres from 'npm:postgres@3.4.9'
      import { connectWithTls } from './supabase/functions/_shared/db/tls-socket.ts'
      const caCerts = [${JSON.stringify(readFixture('authority.crt').toString())}]
      const sql = postgres(${JSON.stringify(url)}, {
        max: 1,
        idle_timeout: 0.1,
        fetch_types: false,
        socket: () => connectWithTls('localhost', ${url.port}, caCerts),
      })
      const pids = []
      for (let i = 0; i < 2; i++) {
        pids.push((await sql\`select pg_backend_pid() as pid\`)[0].pid)
        await new Promise((resolve) => setTimeout(resolve, 500))
      }
      console.log(new Set(pids).size)
      Deno.exit()`
    const { stdout } = await evalDeno(program)
    expect(stdout.trim()).toBe('2')
  })
})
