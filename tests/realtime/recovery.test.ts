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
  it('connects as a role that can access only realtime.messages', async () => {
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

describe.each(protocolVersions)('a lost database connection with protocol %s', (vsn) => {
  it('makes clients rejoin and miss nothing afterwards', async () => {
    const ada = await createRealtimeUser()
    const own = await subscribeToChannel(await connectClient(vsn, await ada.token()), `user:${ada.id}`)
    const [ended] = await sql`
      select count(pg_terminate_backend(pid))::int as count from pg_stat_activity
      where application_name = 'ovation realtime listener'`
    expect(ended?.count).toBe(1)
    await own.statuses.waitFor(({ status }) => status === 'CHANNEL_ERROR')
    await own.statuses.waitForCount(3)
    expect(own.statuses.all.map(({ status }) => status)).toEqual([
      'SUBSCRIBED',
      'CHANNEL_ERROR',
      'SUBSCRIBED',
    ])
    await sendFromDatabase(`user:${ada.id}`, 'after', {})
    await own.broadcasts.waitFor(({ event }) => event === 'after')
  })

  it('does not make clients rejoin if the listener keeps its connection', async () => {
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
