import type { OwnUser } from '@contract/user.ts'
import { expect, test } from 'vitest'
import { changedFields, fieldsToUpdate, profileFormValues } from './model'

const user = { email: 'a@x.test', pendingEmail: null, age: 30, bio: null, fullName: 'Ana' } as OwnUser
const stored = profileFormValues(user)

test('what was not told is empty, an age is text, and a mail address that waits is shown as wanted', () => {
  expect(stored).toMatchObject({ bio: '', age: '30', email: 'a@x.test' })
  expect(profileFormValues({ ...user, age: null, pendingEmail: 'b@x.test' })).toMatchObject({
    age: '',
    email: 'b@x.test',
  })
})

test('what was changed elsewhere is taken over where nobody typed, and nowhere else', () => {
  const typed = { ...stored, bio: 'Mine', age: '31' }
  const elsewhere = { ...stored, bio: 'Theirs', fullName: 'Ana B.' }
  expect(changedFields(typed, stored)).toEqual(['bio', 'age'])
  expect(fieldsToUpdate(typed, stored, elsewhere)).toEqual(['fullName'])
})

test('what was saved is shown as the server wrote it, unless it was typed on meanwhile', () => {
  const sent = { ...stored, website: 'x.test', bio: 'One' }
  const now = { ...sent, bio: 'One and' }
  const answer = { ...stored, website: 'https://x.test/', bio: 'One' }
  expect(fieldsToUpdate(now, sent, answer)).toEqual(['website'])
})
