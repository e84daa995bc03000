import { describe, expect, it } from 'vitest'
import { insertBlock, insertFollow, insertUser, runAs, type SessionUser, sql } from './database.ts'

describe('presence', () => {
  const readPresence = async (viewer: SessionUser, user: SessionUser) => {
    const [row] = await runAs(
      viewer,
      (tx) =>
        tx<{ presence: { online: boolean; lastSeenAt: string | null } }[]>`
          select presence from private.visible_presences where user_id = ${user.id}`,
    )
    return row?.presence
  }
  /** Returns whether the viewer sees the user as online, and how many hours before the current hour `lastSeenAt` is. */
  const readHoursSinceSeen = async (viewer: SessionUser, user: SessionUser) => {
    // Uses one statement, because a new hour could begin between two statements.
    const [row] = await runAs(
      viewer,
      (tx) => tx`
        select presence ->> 'online' as online,
               extract(epoch from date_trunc('hour', now(), 'UTC') - (presence ->> 'lastSeenAt')::timestamptz)::float8 / 3600
                 as hours
        from private.visible_presences where user_id = ${user.id}`,
    )
    return row
  }
  const hidden = { online: false, lastSeenAt: null }
  const setPrivacy = (user: SessionUser, online: boolean, lastSeen: boolean) => sql`
    update public.user_settings set show_online = ${online}, show_last_seen = ${lastSeen} where user_id = ${user.id}`
  const setLastSeen = (user: SessionUser, ago: string) =>
    sql`update private.last_seen set seen_at = now() - ${ago}::interval where user_id = ${user.id}`

  it('is shown to conversation partners to whom the user has written, according to the privacy settings', async () => {
    const [ana, ben, stranger] = await Promise.all([insertUser(), insertUser(), insertUser()])
    await insertFollow(stranger, ana)
    await runAs(ben, (tx) => tx`insert into public.messages (receiver_id, content) values (${ana.id}, 'Hi')`)
    await runAs(ana, (tx) => tx`select private.record_last_seen()`)
    // Ana has not written to Ben yet.
    expect(await readPresence(ben, ana)).toEqual(hidden)
    await runAs(ana, (tx) => tx`insert into public.messages (receiver_id, content) values (${ben.id}, 'Hi!')`)
    expect(await readPresence(ben, ana)).toEqual({ online: true, lastSeenAt: null })
    expect(await readPresence(stranger, ana)).toEqual(hidden)
    await setPrivacy(ana, false, true)
    // The time is rounded down to the hour. It is never the current hour, because it would then change when Ana comes
    // online, and so reveal that she is online. The result is therefore the same whether Ana is online now or was a
    // moment ago.
    expect(await readHoursSinceSeen(ben, ana)).toEqual({ online: 'false', hours: 1 })
    await setLastSeen(ana, '2 minutes')
    expect(await readHoursSinceSeen(ben, ana)).toEqual({ online: 'false', hours: 1 })
    await sql`update private.last_seen set seen_at = '2025-01-02T10:59Z' where user_id = ${ana.id}`
    const shown = await readPresence(ben, ana)
    expect([shown?.online, new Date(shown?.lastSeenAt ?? 0)]).toEqual([false, new Date('2025-01-02T10:00Z')])
    await runAs(ana, (tx) => tx`select private.record_last_seen()`)
    await setPrivacy(ana, true, false)
    expect(await readPresence(ben, ana)).toEqual({ online: true, lastSeenAt: null })

    await setLastSeen(ana, '76 seconds')
    expect(await readPresence(ben, ana)).toEqual(hidden)
    await setPrivacy(ana, true, true)
    const lastSeen = await readPresence(ben, ana)
    expect(lastSeen?.online).toBe(false)
    expect(Date.now() - new Date(lastSeen?.lastSeenAt ?? 0).getTime()).toBeGreaterThan(75_000)
    await setPrivacy(ana, false, false)
    expect(await readPresence(ben, ana)).toEqual(hidden)

    await setPrivacy(ana, true, true)
    await runAs(ana, (tx) => tx`select private.record_last_seen()`)
    expect(await readPresence(ben, ana)).toMatchObject({ online: true })
    await insertBlock(ana, ben)
    for (const [viewer, user] of [
      [ben, ana],
      [ana, ben],
    ] as const)
      expect(await readPresence(viewer, user)).toEqual(hidden)
  })

  it('is hidden from strangers, unanswered senders and blocked users, whatever the privacy settings', async () => {
    const [ana, stranger, unanswered, blocked] = await Promise.all([
      insertUser(),
      insertUser(),
      insertUser(),
      insertUser(),
    ])
    for (const sender of [unanswered, blocked])
      await runAs(
        sender,
        (tx) => tx`insert into public.messages (receiver_id, content) values (${ana.id}, 'Hi')`,
      )
    await runAs(
      ana,
      (tx) => tx`insert into public.messages (receiver_id, content) values (${blocked.id}, 'Hi!')`,
    )
    // Ana has never been online.
    await setPrivacy(ana, false, true)
    expect(await readPresence(blocked, ana)).toEqual(hidden)
    await runAs(ana, (tx) => tx`select private.record_last_seen()`)
    await insertBlock(ana, blocked)
    for (const [online, lastSeen] of [
      [true, true],
      [false, true],
      [true, false],
    ] as const) {
      await setPrivacy(ana, online, lastSeen)
      for (const viewer of [stranger, unanswered, blocked])
        expect(await readPresence(viewer, ana)).toEqual(hidden)
    }
  })
})
