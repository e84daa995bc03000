import { expect, test } from 'vitest'
import { pickSuggestions } from './recipients'

const people = (...ids: string[]) => ids.map((id) => ({ id }))

test('three people are suggested, whoever else is among the conversations', () => {
  const known = [{ otherUserId: 'a' }, { otherUserId: 'c' }, { otherUserId: 'x' }]
  expect(pickSuggestions(people('a', 'b', 'c', 'd', 'e', 'f'), known)).toEqual(people('b', 'd', 'e'))
  expect(pickSuggestions(people('a', 'c'), known)).toEqual([])
})
