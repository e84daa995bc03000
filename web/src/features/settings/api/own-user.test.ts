import type { OwnUser } from '@contract/user.ts'
import { expect, test } from 'vitest'
import { applyChanges, isSuperseded, SettingChange } from './setting-changes'

const user = {
  isCreator: false,
  showOnline: true,
  profileVisibility: 'public',
  notificationSettings: { newLikes: true, newComments: true },
} as OwnUser
const likes = (newLikes: boolean): SettingChange => ({ of: 'notifications', fields: { newLikes } })

test('shows what will be, the latest choice over the one before, and leaves the rest', () => {
  const shown = applyChanges(user, [
    likes(false),
    { of: 'privacy', fields: { profileVisibility: 'private' } },
    likes(true),
    { of: 'notifications', fields: { newComments: false } },
  ])
  expect(shown).toEqual({
    ...user,
    profileVisibility: 'private',
    notificationSettings: { newLikes: true, newComments: false },
  })
  expect(applyChanges(user, [])).toBe(user)
})

test('a choice that was made anew need not be sent, any other must', () => {
  expect(isSuperseded(likes(false), [likes(true)])).toBe(true)
  expect(isSuperseded(likes(false), [])).toBe(false)
  expect(isSuperseded(likes(false), [{ of: 'notifications', fields: { newComments: true } }])).toBe(false)
  const two: SettingChange = { of: 'privacy', fields: { showOnline: false, showTyping: false } }
  expect(isSuperseded(two, [{ of: 'privacy', fields: { showOnline: true } }])).toBe(false)
})

test('a change of nothing is none', () => {
  expect(SettingChange.safeParse({ of: 'privacy', fields: {} }).success).toBe(false)
  expect(SettingChange.safeParse({ of: 'privacy', fields: { isAdmin: true } }).success).toBe(false)
})
