import type { OwnUser } from '@contract/user.ts'
import { expect, test } from 'vitest'
import { applyChanges, isSuperseded, SettingChange } from './own-user'

const user = {
  isCreator: false,
  showOnline: true,
  profileVisibility: 'public',
  notificationSettings: { newLikes: true, newComments: true },
} as OwnUser
const likesChange = (newLikes: boolean): SettingChange => ({ section: 'notifications', fields: { newLikes } })

test('applies pending changes in order and keeps all other fields', () => {
  const result = applyChanges(user, [
    likesChange(false),
    { section: 'privacy', fields: { profileVisibility: 'private' } },
    likesChange(true),
    { section: 'notifications', fields: { newComments: false } },
  ])
  expect(result).toEqual({
    ...user,
    profileVisibility: 'private',
    notificationSettings: { newLikes: true, newComments: false },
  })
  expect(applyChanges(user, [])).toBe(user)
})

test('skips a change only if later changes set all of its fields', () => {
  expect(isSuperseded(likesChange(false), [likesChange(true)])).toBe(true)
  expect(isSuperseded(likesChange(false), [])).toBe(false)
  expect(
    isSuperseded(likesChange(false), [{ section: 'notifications', fields: { newComments: true } }]),
  ).toBe(false)
  const twoFields: SettingChange = { section: 'privacy', fields: { showOnline: false, showTyping: false } }
  expect(isSuperseded(twoFields, [{ section: 'privacy', fields: { showOnline: true } }])).toBe(false)
})

test('rejects changes without a field or with an unknown field', () => {
  expect(SettingChange.safeParse({ section: 'privacy', fields: {} }).success).toBe(false)
  expect(SettingChange.safeParse({ section: 'privacy', fields: { isAdmin: true } }).success).toBe(false)
})
