import type { OwnUser } from '@contract/user.ts'
import { expect, test } from 'vitest'
import { changedFields, fieldsToUpdate, profileFormValues } from './model'

const user = { email: 'a@x.test', pendingEmail: null, age: 30, bio: null, fullName: 'Ana' } as OwnUser
const saved = profileFormValues(user)

test('converts empty fields to empty strings and the age to text, and prefers the pending email address', () => {
  expect(saved).toMatchObject({ bio: '', age: '30', email: 'a@x.test' })
  expect(profileFormValues({ ...user, age: null, pendingEmail: 'b@x.test' })).toMatchObject({
    age: '',
    email: 'b@x.test',
  })
})

test('applies changes from elsewhere only to fields that the user has not edited', () => {
  const edited = { ...saved, bio: 'Mine', age: '31' }
  const elsewhere = { ...saved, bio: 'Theirs', fullName: 'Ana B.' }
  expect(changedFields(edited, saved)).toEqual(['bio', 'age'])
  expect(fieldsToUpdate(edited, saved, elsewhere)).toEqual(['fullName'])
})

test('shows saved fields as the server normalized them, unless they were edited during the request', () => {
  const sent = { ...saved, website: 'x.test', bio: 'One' }
  const current = { ...sent, bio: 'One and' }
  const response = { ...saved, website: 'https://x.test/', bio: 'One' }
  expect(fieldsToUpdate(current, sent, response)).toEqual(['website'])
})
