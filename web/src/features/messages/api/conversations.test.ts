import { expect, test } from 'vitest'
import { pickSuggestions } from './conversations'

const users = (...ids: string[]) => ids.map((id) => ({ id }))

test('suggests the first three users without a listed conversation', () => {
  const conversations = [{ otherUserId: 'a' }, { otherUserId: 'c' }, { otherUserId: 'x' }]
  expect(pickSuggestions(users('a', 'b', 'c', 'd', 'e', 'f'), conversations)).toEqual(users('b', 'd', 'e'))
  expect(pickSuggestions(users('a', 'c'), conversations)).toEqual([])
})
