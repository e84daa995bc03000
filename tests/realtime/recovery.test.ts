import { describe, expect, it } from 'vitest'
import { connect, createPerson, sendFromDatabase, sql, subscribed, versions } from './support.ts'

describe('the server', () => {
  it('signs in as a role that can do nothing but its own work', async () => {
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

describe.each(versions)('a lost database connection with protocol %s', (vsn) => {
  it('sends clients into a rejoin, after which nothing is missed', async () => {
    const ada = await createPerson()
    const own = await subscribed(await connect(vsn, await ada.token()), `user:${ada.id}`)
    const [ended] = await sql`
      select count(pg_terminate_backend(pid))::int as count from pg_stat_activity
      where application_name = 'ovation realtime listener'`
    expect(ended?.count).toBe(1)
    await own.statuses.until(({ status }) => status === 'CHANNEL_ERROR')
    await own.statuses.count(3)
    expect(own.statuses.all.map(({ status }) => status)).toEqual([
      'SUBSCRIBED',
      'CHANNEL_ERROR',
      'SUBSCRIBED',
    ])
    await sendFromDatabase(`user:${ada.id}`, 'after', {})
    await own.broadcasts.until(({ event }) => event === 'after')
  })

  it('is repaired unseen where no message depends on it', async () => {
    const ada = await createPerson()
    const client = await connect(vsn, await ada.token())
    const own = await subscribed(client, `user:${ada.id}`)
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'ovation realtime rights'`
    const other = await connect(vsn, await ada.token())
    await subscribed(other, `user:${ada.id}`)
    await sendFromDatabase(`user:${ada.id}`, 'after', {})
    await own.broadcasts.until(({ event }) => event === 'after')
    expect(own.statuses.all).toEqual([{ status: 'SUBSCRIBED', error: undefined }])
  })
})
