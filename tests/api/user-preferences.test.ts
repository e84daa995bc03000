import { NotificationSettings } from '@contract/notification-settings.ts'
import { OwnUser } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { apiAs } from '../support/api.ts'
import { createUsers, getOwnUser, type TestUser } from '../support/users.ts'

let ana: TestUser
let ben: TestUser

beforeAll(async () => {
  ;({ ana, ben } = await createUsers('ana', 'ben'))
})

describe('PATCH /api/settings/home', () => {
  const path = '/api/settings/home'
  const pin = async (homeTabs: unknown) => (await apiAs(ana).patch(path, OwnUser, { homeTabs })).body.homeTabs

  it("pins topics and the subscriptions tab to the caller's home feed only, in order", async () => {
    expect((await getOwnUser(ana)).homeTabs).toBeNull()
    expect(await pin(['#Jazz', 'subscriptions', '#été', '#jazz'])).toEqual(['#jazz', 'subscriptions', '#été'])
    expect(await pin(['#été', '#jazz'])).toEqual(['#été', '#jazz'])
    expect((await getOwnUser(ana)).homeTabs).toEqual(['#été', '#jazz'])
    expect((await getOwnUser(ben)).homeTabs).toBeNull()
    expect(await pin([])).toEqual([])
    expect(await pin(null)).toBeNull()
  })

  it('rejects unknown tabs, invalid topics and more than five tabs', async () => {
    const invalid = [
      ['jazz'],
      ['#'],
      ['#12'],
      ['#a b'],
      ['#a,b'],
      ['##a'],
      [null],
      'subscriptions',
      undefined,
    ]
    const tooMany = [1, 2, 3, 4, 5, 6].map((number) => `#tag${number}`)
    for (const homeTabs of [...invalid, [`#${'a'.repeat(51)}`], tooMany]) {
      await apiAs(ana).expectError('PATCH', path, 400, { body: { homeTabs } })
    }
    expect(await pin(tooMany.slice(1))).toHaveLength(5)
    await apiAs(null).expectError('PATCH', path, 401, { body: { homeTabs: [] } })
  })
})

describe('PATCH /api/settings/notifications and /privacy', () => {
  it('change each notification setting separately, for the caller only', async () => {
    const path = '/api/settings/notifications'
    const before = await getOwnUser(ben)
    let expected = (await getOwnUser(ana)).notificationSettings
    expect(expected).toEqual({
      ...Object.fromEntries(Object.keys(NotificationSettings.shape).map((name) => [name, true])),
      messageSounds: false,
    })
    for (const name of NotificationSettings.keyof().options) {
      expected = { ...expected, [name]: !expected[name] }
      const { body } = await apiAs(ana).patch(path, OwnUser, { [name]: expected[name] })
      expect(body.notificationSettings).toEqual(expected)
    }
    const changes = { newLikes: true, newComments: true }
    expect((await apiAs(ana).patch(path, OwnUser, changes)).body.notificationSettings).toEqual({
      ...expected,
      ...changes,
    })
    expect((await getOwnUser(ana)).notificationSettings).toEqual({ ...expected, ...changes })
    expect(await getOwnUser(ben)).toEqual(before)

    for (const body of [{}, { newLikes: 'yes' }, { newLikes: null }, { likes: true }, []]) {
      await apiAs(ana).expectError('PATCH', path, 400, { body })
    }
    await apiAs(null).expectError('PATCH', path, 401, { body: changes })
  })

  it('change presence settings together with other privacy settings', async () => {
    const path = '/api/settings/privacy'
    const before = await getOwnUser(ana)
    expect([before.showOnline, before.showLastSeen, before.showTyping]).toEqual([true, true, true])
    let expected = before
    for (const fields of [
      { showOnline: false },
      { showLastSeen: false, profileVisibility: 'private' as const },
      { showTyping: false, showOnline: true },
    ]) {
      expected = { ...expected, ...fields }
      const { body } = await apiAs(ana).patch(path, OwnUser, fields)
      expect(body).toMatchObject({ ...fields, notificationSettings: before.notificationSettings })
      expect(await getOwnUser(ana)).toMatchObject({
        showOnline: expected.showOnline,
        showLastSeen: expected.showLastSeen,
        showTyping: expected.showTyping,
        profileVisibility: expected.profileVisibility,
        allowDirectMessages: before.allowDirectMessages,
      })
    }
  })
})
