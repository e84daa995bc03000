import { connect, createServer } from 'node:net'
import { Count, ErrorBody } from '@contract/common.ts'
import { LikeResponse } from '@contract/post.ts'
import { OwnUser } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import { apiAs, authorizationHeader } from '../support/api.ts'
import { createPost, sendMessage } from '../support/content-api.ts'
import { gatewayDatabaseUrl, getApiStartupError, startApiServer } from '../support/function-server.ts'
import { listen } from '../support/listen.ts'
import { sql, stack } from '../support/stack.ts'
import { createUsers, type TestUser } from '../support/users.ts'

let ada: TestUser
let ben: TestUser
let cleo: TestUser

beforeAll(async () => {
  ;({ ada, ben, cleo } = await createUsers('ada', 'ben', 'cleo'))
})

/** Waits until the API is blocked by a lock that the backend with this process ID holds. */
async function waitUntilBlockedBy(pid: number): Promise<void> {
  const blocked = () => sql`
    select from pg_stat_activity a
    where a.application_name = 'ovation-api' and ${pid} = any(pg_blocking_pids(a.pid))`
  while ((await blocked()).count === 0) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** Starts a database proxy that records the names of the statements that its clients prepare. */
async function startStatementRecorder() {
  const names = new Set<string>()
  const url = new URL(gatewayDatabaseUrl())
  const port = Number(url.port)
  const server = createServer((client) => {
    const database = connect(port, url.hostname)
    let received = Buffer.alloc(0)
    // The first message, the startup message, has no type byte.
    let typeLength = 0
    client.on('data', (bytes) => {
      received = Buffer.concat([received, bytes])
      while (received.length >= typeLength + 4) {
        const end = typeLength + received.readInt32BE(typeLength)
        if (received.length < end) return
        if (typeLength > 0 && received[0] === 'P'.charCodeAt(0))
          names.add(received.toString('utf8', 5, received.indexOf(0, 5)))
        received = received.subarray(end)
        typeLength = 1
      }
    })
    client.pipe(database).pipe(client)
    client.on('close', () => database.destroy())
    for (const socket of [client, database]) socket.on('error', () => client.destroy())
  })
  const { port: proxyPort, stop } = await listen(server)
  url.port = String(proxyPort)
  return { url: url.toString(), names, stop }
}

describe('the database connection', () => {
  it('requires a DATABASE_URL that connects as the role `gateway`', async () => {
    const requiredStatement = "alter role gateway login password '…'"
    const missingError = await getApiStartupError({ DATABASE_URL: '', SUPABASE_DB_URL: stack.databaseUrl })
    expect(missingError).toContain('DATABASE_URL is missing')
    expect(missingError).toContain(requiredStatement)
    const superuserError = await getApiStartupError({ DATABASE_URL: stack.databaseUrl })
    expect(superuserError).toContain('DATABASE_URL must connect as the role "gateway"')
    expect(superuserError).not.toContain(new URL(stack.databaseUrl).password)
  })

  it('does not reveal the database address in errors', async () => {
    const apiWithoutDatabase = await startApiServer({
      DATABASE_URL: `postgres://gateway:secret-word@127.0.0.1:${await freePort()}/postgres`,
    })
    try {
      const response = await fetch(`${apiWithoutDatabase.url}/api/posts`)
      const body = ErrorBody.parse(await response.json())
      expect([response.status, body.code]).toEqual([503, 'unavailable'])
      expect(response.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/)
      expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|secret-word|ECONN/)
    } finally {
      apiWithoutDatabase.stop()
    }
  })

  it("accepts a pooler's URL and then prepares no named statements, because the pooler would lose them", async () => {
    const recorder = await startStatementRecorder()
    const namesByQuery: Record<string, string[]> = {}
    for (const query of ['?pgbouncer=true', '']) {
      recorder.names.clear()
      const api = await startApiServer({ DATABASE_URL: recorder.url + query })
      try {
        const response = await fetch(`${api.url}/api/auth/user`, { headers: authorizationHeader(ada) })
        expect(OwnUser.parse(await response.json()).id).toBe(ada.id)
      } finally {
        api.stop()
      }
      namesByQuery[query] = [...recorder.names]
    }
    recorder.stop()
    expect(namesByQuery).toEqual({
      '?pgbouncer=true': [''],
      '': expect.arrayContaining([expect.stringMatching(/./)]),
    })
  })

  it('times out if the pool has no free connection', async () => {
    const post = await createPost(ada, 'Held')
    const singleConnectionApi = await startApiServer({ DATABASE_POOL_SIZE: '1' })
    const like = () =>
      fetch(`${singleConnectionApi.url}/api/posts/${post.id}/like`, {
        method: 'POST',
        headers: authorizationHeader(ben),
      })
    try {
      const pending = await sql.begin(async (tx) => {
        await tx`select from public.posts where id = ${post.id} for update`
        const [{ pid } = { pid: 0 }] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
        const waiting = like()
        await waitUntilBlockedBy(pid)
        const timedOut = await fetch(`${singleConnectionApi.url}/api/posts`)
        expect([timedOut.status, ErrorBody.parse(await timedOut.json()).code]).toEqual([503, 'unavailable'])
        return { waiting }
      })
      expect(LikeResponse.parse(await (await pending.waiting).json())).toEqual({ liked: true, likesCount: 1 })
      const responses = await Promise.all(
        Array.from({ length: 8 }, () => fetch(`${singleConnectionApi.url}/api/posts`)),
      )
      expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200))
    } finally {
      singleConnectionApi.stop()
    }
  })

  it('keeps connections free for signed-in users while visitors wait for slow queries', async () => {
    const api = await startApiServer({ DATABASE_POOL_SIZE: '3' })
    try {
      const waiting = await sql.begin(async (tx) => {
        await tx`lock table public.posts in access exclusive mode`
        const visitors = Array.from({ length: 6 }, () => fetch(`${api.url}/api/posts?limit=1`))
        const [{ pid } = { pid: 0 }] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
        await waitUntilBlockedBy(pid)
        const response = await fetch(`${api.url}/api/auth/user`, { headers: authorizationHeader(ada) })
        expect(response.status).toBe(200)
        return { visitors }
      })
      const responses = await Promise.all(waiting.visitors)
      expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(200))
    } finally {
      api.stop()
    }
  })

  it('retries a transaction after a deadlock', async () => {
    for (const sender of [ben, cleo]) {
      await sendMessage(sender, ada, 'Unread')
    }
    const conversations = await sql<{ id: string }[]>`
      select m.conversation_id as id from public.conversation_members m where m.user_id = ${ada.id} order by 1`
    const [first, last] = conversations.map(({ id }) => id)
    const pending = await sql.begin(async (tx) => {
      const lock = (id: string | undefined) =>
        tx`select from public.conversations where id = ${id ?? null} for update`
      // PostgreSQL aborts the transaction that detects the deadlock. This timeout makes the test's transaction check
      // later than the API's, so the API's transaction is aborted.
      await tx`set local deadlock_timeout = '20s'`
      await lock(last)
      const [{ pid } = { pid: 0 }] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
      const waiting = apiAs(ada).post('/api/messages/mark-all-read', Count)
      await waitUntilBlockedBy(pid)
      // This completes the deadlock.
      await lock(first)
      return { waiting }
    })
    expect((await pending.waiting).body).toEqual({ count: 0 })
    const [after] = await sql<{ unread: number }[]>`
      select sum(m.unread_count)::int as unread from public.conversation_members m where m.user_id = ${ada.id}`
    expect(after).toEqual({ unread: 0 })
  })
})
