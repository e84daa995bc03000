import { Count } from '@contract/common.ts'
import { ErrorBody } from '@contract/errors.ts'
import { ChatMessage } from '@contract/message.ts'
import { LikeResponse, Post } from '@contract/post.ts'
import { OwnUser } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../scripts/lib/test-stack.mjs'
import { apiAs } from '../support/api.ts'
import { gatewayDatabaseUrl, getApiStartupError, startApiServer } from '../support/function-server.ts'
import { sql, stack } from '../support/stack.ts'
import { createUsers, type TestUser } from '../support/users.ts'

let ada: TestUser
let ben: TestUser
let cleo: TestUser

beforeAll(async () => {
  ;({ ada, ben, cleo } = await createUsers('ada', 'ben', 'cleo'))
})

const authorization = (person: TestUser) => ({ Authorization: `Bearer ${person.token}` })

/** Waits until the API waits for a lock that the connection `pid` holds. */
async function untilBlockedBy(pid: number): Promise<void> {
  const blocked = () => sql`
    select from pg_stat_activity a
    where a.application_name = 'ovation-api' and ${pid} = any(pg_blocking_pids(a.pid))`
  while ((await blocked()).count === 0) await new Promise((resolve) => setTimeout(resolve, 20))
}

describe('the database', () => {
  it('is entered by the role gateway, and by no other', async () => {
    const needed = "alter role gateway login password '…'"
    const none = await getApiStartupError({ DATABASE_URL: '', SUPABASE_DB_URL: stack.databaseUrl })
    expect(none).toContain('DATABASE_URL is missing')
    expect(none).toContain(needed)
    const superuser = await getApiStartupError({ DATABASE_URL: stack.databaseUrl })
    expect(superuser).toContain('DATABASE_URL must sign in as the role gateway')
    expect(superuser).not.toContain(new URL(stack.databaseUrl).password)
  })

  it('that is not there is answered for without its address', async () => {
    const lost = await startApiServer({
      DATABASE_URL: `postgres://gateway:secret-word@127.0.0.1:${await freePort()}/postgres`,
    })
    try {
      const response = await fetch(`${lost.url}/api/posts`)
      const body = ErrorBody.parse(await response.json())
      expect([response.status, body.code]).toEqual([503, 'unavailable'])
      expect(response.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/)
      expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|secret-word|ECONN/)
    } finally {
      lost.stop()
    }
  })

  it('may be behind a pooler, without prepared statements', async () => {
    const pooled = await startApiServer({ DATABASE_URL: `${gatewayDatabaseUrl()}?pgbouncer=true` })
    try {
      const response = await fetch(`${pooled.url}/api/auth/user`, { headers: authorization(ada) })
      expect(OwnUser.parse(await response.json()).id).toBe(ada.id)
    } finally {
      pooled.stop()
    }
  })

  it('keeps nobody waiting for a connection for long', async () => {
    const { body: post } = await apiAs(ada).post('/api/posts', Post, { content: 'Held' }, 201)
    const narrow = await startApiServer({ DATABASE_POOL_SIZE: '1' })
    const like = () =>
      fetch(`${narrow.url}/api/posts/${post.id}/like`, { method: 'POST', headers: authorization(ben) })
    try {
      const liked = await sql.begin(async (tx) => {
        await tx`select from public.posts where id = ${post.id} for update`
        const [{ pid } = { pid: 0 }] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
        const waiting = like()
        await untilBlockedBy(pid)
        const refused = await fetch(`${narrow.url}/api/posts`)
        expect([refused.status, ErrorBody.parse(await refused.json()).code]).toEqual([503, 'unavailable'])
        return { waiting }
      })
      expect(LikeResponse.parse(await (await liked.waiting).json())).toEqual({ liked: true, likesCount: 1 })
      const many = await Promise.all(Array.from({ length: 8 }, () => fetch(`${narrow.url}/api/posts`)))
      expect(many.map(({ status }) => status)).toEqual(Array(8).fill(200))
    } finally {
      narrow.stop()
    }
  })

  it('gets a transaction again that clashed with another one', async () => {
    for (const sender of [ben, cleo]) {
      await apiAs(sender).post('/api/messages', ChatMessage, { receiverId: ada.id, content: 'Unread' }, 201)
    }
    const threads = await sql<{ id: string }[]>`
      select m.conversation_id as id from public.conversation_members m where m.user_id = ${ada.id} order by 1`
    const [first, last] = threads.map(({ id }) => id)
    const marked = await sql.begin(async (tx) => {
      const lock = (id: string | undefined) =>
        tx`select from public.conversations where id = ${id ?? null} for update`
      // The database ends whoever looks for the circle first: that is to be the API, after its second of waiting.
      await tx`set local deadlock_timeout = '20s'`
      await lock(last)
      const [{ pid } = { pid: 0 }] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`
      const waiting = apiAs(ada).post('/api/messages/mark-all-read', Count)
      await untilBlockedBy(pid)
      // Now each waits for the other.
      await lock(first)
      return { waiting }
    })
    expect((await marked.waiting).body).toEqual({ count: 0 })
    const [after] = await sql<{ unread: number }[]>`
      select sum(m.unread_count)::int as unread from public.conversation_members m where m.user_id = ${ada.id}`
    expect(after).toEqual({ unread: 0 })
  })
})
