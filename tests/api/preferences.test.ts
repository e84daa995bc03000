import { NotificationSettings } from '@contract/notification-settings.ts'
import { OwnUser } from '@contract/user.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { apiAs } from '../support/api.ts'
import { createUsers, type TestUser } from '../support/users.ts'

let ana: TestUser
let ben: TestUser

beforeAll(async () => {
  ;({ ana, ben } = await createUsers('ana', 'ben'))
})

const own = async (person: TestUser) => (await apiAs(person).get('/api/auth/user', OwnUser)).body

describe('what somebody wants', () => {
  it('is changed switch by switch, each on its own, and is nobody else’s', async () => {
    const path = '/api/settings/notifications'
    const before = await own(ben)
    let expected = (await own(ana)).notificationSettings
    expect(expected).toEqual({
      ...Object.fromEntries(Object.keys(NotificationSettings.shape).map((name) => [name, true])),
      messageSounds: false,
    })
    for (const name of NotificationSettings.keyof().options) {
      expected = { ...expected, [name]: !expected[name] }
      const { body } = await apiAs(ana).patch(path, OwnUser, { [name]: expected[name] })
      expect(body.notificationSettings).toEqual(expected)
    }
    const two = { newLikes: true, newComments: true }
    expect((await apiAs(ana).patch(path, OwnUser, two)).body.notificationSettings).toEqual({
      ...expected,
      ...two,
    })
    expect((await own(ana)).notificationSettings).toEqual({ ...expected, ...two })
    expect(await own(ben)).toEqual(before)

    for (const body of [{}, { newLikes: 'yes' }, { newLikes: null }, { likes: true }, []]) {
      await apiAs(ana).expectError('PATCH', path, 400, { body })
    }
    await apiAs(null).expectError('PATCH', path, 401, { body: two })
  })

  it('of what others see of their being here is changed with the rest of their privacy', async () => {
    const path = '/api/settings/privacy'
    const before = await own(ana)
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
      expect(await own(ana)).toMatchObject({
        showOnline: expected.showOnline,
        showLastSeen: expected.showLastSeen,
        showTyping: expected.showTyping,
        profileVisibility: expected.profileVisibility,
        allowDirectMessages: before.allowDirectMessages,
      })
    }
  })
})
