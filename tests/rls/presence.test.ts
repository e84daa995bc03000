import { afterAll, describe, expect, it } from 'vitest'
import { insertBlock, insertFollow, insertUser, runAs, type SessionUser, sql } from './database.ts'

afterAll(() => sql.end())

describe('presence', () => {
  const presence = async (viewer: SessionUser, of: SessionUser) => {
    const [row] = await runAs(
      viewer,
      (tx) =>
        tx<{ presence: { online: boolean; lastSeenAt: string | null } }[]>`
          select private.presence_of(${of.id}) as presence`,
    )
    return row?.presence
  }
  const hidden = { online: false, lastSeenAt: null }
  const show = (who: SessionUser, online: boolean, lastSeen: boolean) => sql`
    update public.person_settings set show_online = ${online}, show_last_seen = ${lastSeen} where user_id = ${who.id}`
  const seen = (who: SessionUser, ago: string) =>
    sql`update private.last_seen set seen_at = now() - ${ago}::interval where user_id = ${who.id}`

  it('shows as much as somebody wants, to those they talk with', async () => {
    const [ana, ben, stranger] = await Promise.all([insertUser(), insertUser(), insertUser()])
    await insertFollow(stranger, ana)
    await runAs(ben, (tx) => tx`insert into public.messages (receiver_id, content) values (${ana.id}, 'Hi')`)
    await runAs(ana, (tx) => tx`select private.note_seen()`)
    // She has not written to him yet.
    expect(await presence(ben, ana)).toEqual(hidden)
    await runAs(ana, (tx) => tx`insert into public.messages (receiver_id, content) values (${ben.id}, 'Hi!')`)
    expect(await presence(ben, ana)).toEqual({ online: true, lastSeenAt: null })
    expect(await presence(stranger, ana)).toEqual(hidden)
    await show(ana, false, true)
    // The hour that is running is never told: it would say when she comes.
    const hour = new Date((Math.floor(Date.now() / 3_600_000) - 1) * 3_600_000)
    const shown = await presence(ben, ana)
    // The same whether she is here now or was a moment ago.
    expect([shown?.online, new Date(shown?.lastSeenAt ?? 0)]).toEqual([false, hour])
    await show(ana, true, false)
    expect(await presence(ben, ana)).toEqual({ online: true, lastSeenAt: null })

    await seen(ana, '76 seconds')
    expect(await presence(ben, ana)).toEqual(hidden)
    await show(ana, true, true)
    const gone = await presence(ben, ana)
    expect(gone?.online).toBe(false)
    expect(Date.now() - new Date(gone?.lastSeenAt ?? 0).getTime()).toBeGreaterThan(75_000)
    await show(ana, false, false)
    expect(await presence(ben, ana)).toEqual(hidden)

    await show(ana, true, true)
    await runAs(ana, (tx) => tx`select private.note_seen()`)
    expect(await presence(ben, ana)).toMatchObject({ online: true })
    await insertBlock(ana, ben)
    for (const [viewer, of] of [
      [ben, ana],
      [ana, ben],
    ] as const)
      expect(await presence(viewer, of)).toEqual(hidden)
  })
  it('shows nothing at all, however somebody hides it, where there is nothing to be shown', async () => {
    const [ana, stranger, unanswered, blocked] = await Promise.all([
      insertUser(),
      insertUser(),
      insertUser(),
      insertUser(),
    ])
    for (const one of [unanswered, blocked])
      await runAs(
        one,
        (tx) => tx`insert into public.messages (receiver_id, content) values (${ana.id}, 'Hi')`,
      )
    await runAs(
      ana,
      (tx) => tx`insert into public.messages (receiver_id, content) values (${blocked.id}, 'Hi!')`,
    )
    // Somebody who was never here.
    await show(ana, false, true)
    expect(await presence(blocked, ana)).toEqual(hidden)
    await runAs(ana, (tx) => tx`select private.note_seen()`)
    await insertBlock(ana, blocked)
    for (const [online, lastSeen] of [
      [true, true],
      [false, true],
      [true, false],
    ] as const) {
      await show(ana, online, lastSeen)
      for (const viewer of [stranger, unanswered, blocked])
        expect(await presence(viewer, ana)).toEqual(hidden)
    }
  })
})
