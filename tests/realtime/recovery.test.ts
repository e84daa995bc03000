import type postgres from 'postgres'
import { describe, expect, it } from 'vitest'
import { sql } from '../support/stack.ts'
import {
  connectClient,
  createRealtimeUser,
  protocolVersions,
  sendFromDatabase,
  subscribeToChannel,
} from './realtime-fixture.ts'

describe('the Realtime server', () => {
  it('connects as a role that can access no table except realtime.messages', async () => {
    const roles = await sql<{ usename: string }[]>`
      select distinct usename from pg_stat_activity where application_name like 'ovation realtime%'`
    expect(roles.map(({ usename }) => usename)).toEqual(['realtime_admin'])
    const [role] = await sql`
      select rolsuper, rolinherit, rolcreaterole, rolcreatedb, rolreplication from pg_roles
      where rolname = 'realtime_admin'`
    expect(Object.values(role ?? { none: true })).toEqual([false, false, false, false, false])
    const tables = await sql<{ name: string }[]>`
      select c.oid::regclass::text as name from pg_class c
      where c.relkind in ('r', 'p', 'v', 'm') and c.relnamespace::regnamespace::text !~ '^(pg_|information_schema)'
        and has_schema_privilege('realtime_admin', c.relnamespace, 'usage')
        and has_table_privilege('realtime_admin', c.oid, 'select, insert, update, delete')`
    expect(tables.map(({ name }) => name)).toEqual(['realtime.messages'])
  })
})

describe('messages from the database', () => {
  const send = (connection: postgres.Sql, topic: string, event: string) =>
    connection`select realtime.send('{}', ${event}, ${topic}, true)`
  async function subscribe() {
    const ada = await createRealtimeUser()
    const topic = `user:${ada.id}`
    const { broadcasts } = await subscribeToChannel(await connectClient('2.0.0', await ada.token()), topic)
    return { topic, broadcasts, events: () => broadcasts.all.map(({ event }) => event) }
  }

  it('are delivered once, even if transactions commit in a different order from the one in which they wrote messages', async () => {
    const { topic, broadcasts, events } = await subscribe()
    const slow = await sql.reserve()
    try {
      await slow`begin`
      await send(slow, topic, 'written first')
      await send(sql, topic, 'committed first')
      await broadcasts.waitForCount(1)
      await send(sql, topic, 'committed second')
      await broadcasts.waitForCount(2)
      await slow`commit`
    } finally {
      slow.release()
    }
    await broadcasts.waitForCount(3)
    await send(sql, topic, 'committed last')
    await broadcasts.waitForCount(4)
    expect(events()).toEqual(['committed first', 'committed second', 'written first', 'committed last'])
  })

  it('are delivered in order if a transaction waits for one that began later', async () => {
    const { topic, broadcasts, events } = await subscribe()
    const [waiting, holding] = await Promise.all([sql.reserve(), sql.reserve()])
    const lock = (connection: postgres.Sql) =>
      connection`select pg_advisory_xact_lock(hashtextextended(${topic}, 0))`
    try {
      await waiting`begin`
      await waiting`select pg_current_xact_id()`
      await holding`begin`
      await lock(holding)
      await send(holding, topic, 'first')
      const locked = lock(waiting).execute()
      await holding`commit`
      await locked
      await send(waiting, topic, 'second')
      await waiting`commit`
    } finally {
      waiting.release()
      holding.release()
    }
    await broadcasts.waitForCount(2)
    expect(events()).toEqual(['first', 'second'])
  })

  it('are delivered in order if one transaction sends more messages than one read returns', async () => {
    const { topic, broadcasts, events } = await subscribe()
    await sql`select realtime.send('{}', i::text, ${topic}, true) from generate_series(1, 1300) i`
    await broadcasts.waitForCount(1300)
    expect(events()).toEqual(Array.from({ length: 1300 }, (_, index) => String(index + 1)))
  })

  it('are not delivered if their transaction is rolled back', async () => {
    const { topic, broadcasts, events } = await subscribe()
    const connection = await sql.reserve()
    try {
      await connection`begin`
      await send(connection, topic, 'rolled back')
      await connection`rollback`
    } finally {
      connection.release()
    }
    await send(sql, topic, 'committed')
    await broadcasts.waitForCount(1)
    expect(events()).toEqual(['committed'])
  })
})

describe.each(protocolVersions)('clients with protocol %s', (vsn) => {
  it.each(['listener', 'reader'])(
    'rejoin after the server’s %s loses its database connection, and miss nothing sent afterwards',
    async (name) => {
      const ada = await createRealtimeUser()
      const own = await subscribeToChannel(await connectClient(vsn, await ada.token()), `user:${ada.id}`)
      const [ended] = await sql`
      select count(pg_terminate_backend(pid))::int as count from pg_stat_activity
      where application_name = ${`ovation realtime ${name}`}`
      expect(ended?.count).toBeGreaterThan(0)
      await own.statuses.waitFor(({ status }) => status === 'CHANNEL_ERROR')
      await own.statuses.waitForCount(3)
      expect(own.statuses.all.map(({ status }) => status)).toEqual([
        'SUBSCRIBED',
        'CHANNEL_ERROR',
        'SUBSCRIBED',
      ])
      await sendFromDatabase(`user:${ada.id}`, 'after', {})
      await own.broadcasts.waitFor(({ event }) => event === 'after')
    },
  )

  it('do not rejoin when only the server’s permission checker loses its database connections', async () => {
    const ada = await createRealtimeUser()
    const client = await connectClient(vsn, await ada.token())
    const own = await subscribeToChannel(client, `user:${ada.id}`)
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'ovation realtime permissions'`
    const other = await connectClient(vsn, await ada.token())
    await subscribeToChannel(other, `user:${ada.id}`)
    await sendFromDatabase(`user:${ada.id}`, 'after', {})
    await own.broadcasts.waitFor(({ event }) => event === 'after')
    expect(own.statuses.all).toEqual([{ status: 'SUBSCRIBED', error: undefined }])
  })
})
